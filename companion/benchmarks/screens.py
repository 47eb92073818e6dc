"""Phones and displays without a browser: event streams as they are heard, wishes as the pages send them."""

import http.client
import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from companion.process.command_error import CallFault, CommandError
from web.access.identity import PHONE_COOKIE

PATIENCE_SECONDS = 5.0


def headers(port: int, name: str | None) -> dict[str, str]:
    """As a phone of our own pages; without a name, as the display of this machine."""
    cookie = {"Cookie": f"{PHONE_COOKIE}={name}"} if name else {}
    return {"Origin": f"http://127.0.0.1:{port}", **cookie}


@dataclass(frozen=True, slots=True)
class Heard:
    """One message of a stream, and when it came (monotonic seconds)."""

    number: int
    line: bytes
    at: float


@dataclass
class _Ears:
    heard: list[Heard] = field(default_factory=list)
    changed: threading.Condition = field(default_factory=threading.Condition)


class Screen(threading.Thread):
    """A screen that only listens: notes when each message came."""

    def __init__(self, port: int, name: str | None) -> None:
        super().__init__(daemon=True)
        self._ears = _Ears()
        self._connection = http.client.HTTPConnection("127.0.0.1", port)
        self._connection.request("GET", "/api/live", headers=headers(port, name))
        self._answer = self._connection.getresponse()

    def run(self) -> None:
        number = -1
        while line := self._answer.fp.readline():
            if line.startswith(b"id: "):
                number = int(line[4:])
            elif line.startswith(b"data: ") and number >= 0:
                with self._ears.changed:
                    self._ears.heard.append(Heard(number, line, time.monotonic()))
                    self._ears.changed.notify_all()

    def wait_for(self, sequence: int) -> float:
        """When the first message of that number, or a later one, came."""
        return self._wait(lambda heard: heard.number >= sequence)

    def wait_to_see(self, words: bytes, since: float) -> float:
        """When the first message with those words came, of those after a moment."""
        return self._wait(lambda heard: heard.at >= since and words in heard.line)

    def _wait(self, fits: Callable[[Heard], bool]) -> float:
        with self._ears.changed:
            found = self._ears.changed.wait_for(
                lambda: next((heard for heard in self._ears.heard if fits(heard)), None), PATIENCE_SECONDS
            )
        if found is None:
            raise CommandError(CallFault.BENCH_DEAF, seconds=PATIENCE_SECONDS)
        return found.at


def post(port: int, wish: dict[str, object], name: str | None) -> int:
    """The number of the state that the wish led to."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    about = {**headers(port, name), "Content-Type": "application/json"}
    connection.request("POST", "/api/wishes", json.dumps(wish), about)
    content = json.loads(connection.getresponse().read())
    if "sequence" not in content:
        raise CommandError(CallFault.BENCH_TAP, got=str(content))
    return int(content["sequence"])
