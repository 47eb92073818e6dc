"""A phone's link to the table, as web/static/link.js keeps it: a stream in, wishes out, both may break."""

import http.client
import json
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass

Json = dict[str, object]

ANSWER_SECONDS = 6.0
SILENCE_SECONDS = 14.0  # nearly three pings
AGAIN_SECONDS = 0.2
FAULTS = (
    OSError,
    http.client.HTTPException,
    ValueError,
    TypeError,
)  # of a server that dies in the middle of a word


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    body: Json


class Link:
    """One phone's cookie, its stream and its wishes."""

    def __init__(self, port: int, name: str) -> None:
        self._port = port
        self._cookie = f"boxlid_phone=soak-{name}"

    def _headers(self) -> dict[str, str]:
        origin = f"http://127.0.0.1:{self._port}"
        return {"Cookie": self._cookie, "Origin": origin, "Content-Type": "application/json"}

    def post(self, path: str, body: Json, patience: float = ANSWER_SECONDS) -> Answer:
        """One try; OSError and the like if no answer came."""
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=patience)
        try:
            connection.request("POST", path, json.dumps(body), self._headers())
            answer = connection.getresponse()
            return Answer(answer.status, _object(answer.read()))
        finally:
            connection.close()

    def post_until_answered(
        self, path: str, body: Json, until: float, stop: threading.Event
    ) -> Answer | None:
        """The same body, with its id, until the table answers; None if it never did."""
        while time.monotonic() < until and not stop.is_set():
            try:
                return self.post(path, body)
            except FAULTS:
                stop.wait(AGAIN_SECONDS)
        return None

    def messages(self) -> Iterator[Json]:
        """The views as they come, until the stream breaks; a page does the same with its EventSource."""
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=SILENCE_SECONDS)
        try:
            connection.request("GET", "/api/live", headers=self._headers())
            answer = connection.getresponse()
            while answer.status == http.client.OK and (line := answer.fp.readline()):
                if line.startswith(b"data: ") and line.strip() != b"data: {}":
                    yield _object(line.removeprefix(b"data: "))
        except FAULTS:
            return
        finally:
            connection.close()


def _object(content: bytes) -> Json:
    found = json.loads(content)
    if not isinstance(found, dict):
        raise TypeError(f"an object was wanted, got {type(found).__name__}")
    return found
