"""Just enough of the WebDriver protocol to join and cross in a browser that Playwright does not drive."""

import json
import os
import signal
import socket
import subprocess
import time
import urllib.request
from types import TracebackType
from typing import Self

from tests.waiting import PATIENCE

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


class WebDriver:
    """A driver process and one session of its browser. `capabilities` as the driver wants them."""

    def __init__(self, command: list[str], capabilities: dict[str, object]) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        self._base = f"http://127.0.0.1:{port}"
        self._process = subprocess.Popen(
            [*command, f"--port={port}"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._capabilities = capabilities

    def __enter__(self) -> Self:
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                answer = self._ask("POST", "/session", {"capabilities": {"alwaysMatch": self._capabilities}})
                break
            except ConnectionError:
                if time.monotonic() > deadline or self._process.poll() is not None:
                    raise
        assert isinstance(answer, dict)
        self._session = f"/session/{answer['sessionId']}"
        self._ask("POST", f"{self._session}/timeouts", {"implicit": int(PATIENCE * 1000)})
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        os.killpg(self._process.pid, signal.SIGTERM)  # the screen and the browser that it started too
        self._process.wait(timeout=PATIENCE)

    def _ask(self, method: str, path: str, body: dict[str, object] | None = None) -> object:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self._base + path, data, method=method)
        try:
            with urllib.request.urlopen(request, timeout=2 * PATIENCE) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{method} {path}: {error.read().decode()[:500]}") from None
        except urllib.error.URLError as error:
            raise ConnectionError(str(error.reason)) from None

    def go(self, address: str) -> None:
        self._ask("POST", f"{self._session}/url", {"url": address})

    def find(self, css: str) -> str:
        """The element, as soon as it is there; asked again when the page it was sought on went away."""
        using: dict[str, object] = {"using": "css selector", "value": css}
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                found = self._ask("POST", f"{self._session}/element", using)
                break
            except AssertionError as error:
                if "no such frame" not in str(error) or time.monotonic() > deadline:
                    raise AssertionError(f"no {css}: {error}; the page says {self._says()!r}") from None
        assert isinstance(found, dict)
        return str(found[ELEMENT])

    def click(self, css: str) -> None:
        self._ask("POST", f"{self._session}/element/{self.find(css)}/click", {})

    def press(self, css: str) -> None:
        """A click without a pointer: the driver aims first, clicks then, and misses what moves meanwhile."""
        element = {ELEMENT: self.find(css)}
        self._run("arguments[0].click()", element)

    def _run(self, script: str, *args: object) -> object:
        body: dict[str, object] = {"script": script, "args": list(args)}
        return self._ask("POST", f"{self._session}/execute/sync", body)

    def _says(self) -> object:
        return self._run("return document.body.innerText")

    def write(self, css: str, text: str) -> None:
        self._ask("POST", f"{self._session}/element/{self.find(css)}/value", {"text": text})

    def text(self, css: str) -> str:
        return str(self._ask("GET", f"{self._session}/element/{self.find(css)}/text"))
