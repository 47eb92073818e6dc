"""Event streams: each page gets its newest whole view, numbered, as soon as it changes. Keeps no backlog."""

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from companion.table import Table

MOST_STREAMS = 32
MOST_DISPLAYS = 12
LOOK_SECONDS = 0.5  # how often a stream looks whether its phone is still there
PING_SECONDS = 5.0
RETRY_SECONDS = 5


@dataclass(eq=False)
class Ticket:
    """One open stream."""

    phone: str | None  # None: a display
    elsewhere: threading.Event = field(default_factory=threading.Event)


class Streams:
    """The open streams: one a phone, where the newest wins; a few displays; the rest must poll."""

    def __init__(self, most: int = MOST_STREAMS, displays: int = MOST_DISPLAYS) -> None:
        self._most = most
        self._displays = displays
        self._mutex = threading.Lock()
        self._open: list[Ticket] = []

    def enter(self, phone: str | None) -> Ticket | None:
        """A place for a stream, or None if there is none left."""
        with self._mutex:
            for old in [ticket for ticket in self._open if phone is not None and ticket.phone == phone]:
                old.elsewhere.set()
                self._open.remove(old)
            same = sum(ticket.phone is None for ticket in self._open)
            if len(self._open) >= self._most or (phone is None and same >= self._displays):
                return None
            ticket = Ticket(phone)
            self._open.append(ticket)
            return ticket

    def leave(self, ticket: Ticket) -> None:
        with self._mutex:
            if ticket in self._open:
                self._open.remove(ticket)

    def __len__(self) -> int:
        with self._mutex:
            return len(self._open)


@dataclass(frozen=True)
class Sight:
    """How a page sees the table: the number of the newest state, and the message for it (None: no more)."""

    sequence: Callable[[], int]
    message: Callable[[], str | None]


def stream(
    table: Table, streams: Streams, ticket: Ticket, sight: Sight, gone: Callable[[], bool]
) -> Iterator[bytes]:
    """The bytes of one stream, until the phone is gone or another page took its place."""
    sent, sent_at = -1, time.monotonic()
    try:
        while not gone():
            if ticket.elsewhere.is_set():
                yield b"event: elsewhere\ndata: {}\n\n"
                return
            version, newest = table.snapshot.version, sight.sequence()
            if newest != sent:
                message = sight.message()
                if message is None:
                    yield b"event: gone\ndata: {}\n\n"
                    return
                yield f"id: {newest}\ndata: {message}\n\n".encode()
                sent, sent_at = newest, time.monotonic()
            elif time.monotonic() - sent_at >= PING_SECONDS:
                yield b"event: ping\ndata: {}\n\n"
                sent_at = time.monotonic()
            table.wait(version, LOOK_SECONDS)
    finally:
        streams.leave(ticket)
