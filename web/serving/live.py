"""Event streams: each page gets its newest whole view, numbered, as soon as it changes. Keeps no backlog."""

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Protocol

from companion.table.table import Table

MOST_STREAMS = 32
MOST_DISPLAYS = 12
MOST_OF_A_PHONE = 3  # the newest, and those that it superseded until they have ended
LOOK_SECONDS = 0.5  # how often a stream looks whether its phone is still there
PING_SECONDS = 5.0
RETRY_SECONDS = 5


@dataclass(eq=False)
class Ticket:
    """One open stream. `hang_up` ends a connection whose output waits for a phone that does not read."""

    phone: str | None  # None: a display
    hang_up: Callable[[], None]
    elsewhere: threading.Event = field(default_factory=threading.Event)

    def end(self) -> None:
        self.elsewhere.set()
        self.hang_up()


class Streams:
    """The open streams: one a phone, where the newest wins; a few displays; the rest must poll."""

    def __init__(self, most: int = MOST_STREAMS, displays: int = MOST_DISPLAYS) -> None:
        self._most = most
        self._displays = displays
        self._mutex = threading.Lock()
        self._open: list[Ticket] = []  # those superseded too: each holds a thread until it has ended

    def enter(self, phone: str | None, hang_up: Callable[[], None] = lambda: None) -> Ticket | None:
        """A place for a stream, or None if there is none left."""
        with self._mutex:
            mine = [ticket for ticket in self._open if phone is not None and ticket.phone == phone]
            for old in mine:
                old.end()
            displays = sum(ticket.phone is None for ticket in self._open)
            if phone is None and displays >= self._displays:
                return None
            if len(mine) >= MOST_OF_A_PHONE or self._live() >= self._most:
                return None
            ticket = Ticket(phone, hang_up)
            self._open.append(ticket)
            return ticket

    def leave(self, ticket: Ticket) -> None:
        with self._mutex:
            if ticket in self._open:
                self._open.remove(ticket)

    def _live(self) -> int:
        return sum(not ticket.elsewhere.is_set() for ticket in self._open)

    @property
    def phones(self) -> frozenset[str]:
        """Those that have a stream."""
        with self._mutex:
            live = [ticket.phone for ticket in self._open if not ticket.elsewhere.is_set()]
        return frozenset(phone for phone in live if phone is not None)

    def __len__(self) -> int:
        with self._mutex:
            return self._live()


@dataclass(frozen=True)
class Sight:
    """How a page sees the table: the number of the newest state, and the message for it (None: no more)."""

    sequence: Callable[[], int]
    message: Callable[[], str | None]
    pause: float = 0.0  # seconds after each message, for what changes more often than anybody looks


class Watchable(Protocol):
    """What changes, and can be waited for."""

    @property
    def version(self) -> int: ...

    def wait(self, version: int, seconds: float, /) -> object:
        """Until it is another version, or the time is up."""
        ...


@dataclass(frozen=True)
class WatchedTable:
    """A table as something that changes."""

    table: Table

    @property
    def version(self) -> int:
        return self.table.snapshot.version

    def wait(self, version: int, seconds: float) -> None:
        self.table.wait(version, seconds)


def stream(
    watched: Watchable, streams: Streams, ticket: Ticket, sight: Sight, gone: Callable[[], bool]
) -> Iterator[bytes]:
    """The bytes of one stream, until the phone is gone or another page took its place."""
    sent, sent_at = -1, time.monotonic()
    try:
        while not gone():
            if ticket.elsewhere.is_set():
                yield b"event: elsewhere\ndata: {}\n\n"
                return
            version, newest = watched.version, sight.sequence()
            if newest != sent:
                message = sight.message()
                if message is None:
                    yield b"event: gone\ndata: {}\n\n"
                    return
                yield f"id: {newest}\ndata: {message}\n\n".encode()
                sent, sent_at = newest, time.monotonic()
                time.sleep(sight.pause)
            elif time.monotonic() - sent_at >= PING_SECONDS:
                yield b"event: ping\ndata: {}\n\n"
                sent_at = time.monotonic()
            watched.wait(version, LOOK_SECONDS)
    finally:
        streams.leave(ticket)
