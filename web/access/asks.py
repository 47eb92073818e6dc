"""Phones that ask to have a seat or to free it; another player or the table display says yes. In memory."""

import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass

MOST_ASKS = 5
LASTS_SECONDS = 180.0


@dataclass(frozen=True, slots=True)
class Ask:
    """A phone, by the hash of its secret, asks for a seat; `frees`: not to have it, but to free it."""

    id: str
    seat: int
    name: str  # of the seat, in case the order changes meanwhile
    holder: str
    until: float
    frees: bool = False


class Asks:
    """The open asks; `version` rises with every change so that streams notice."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._mutex = threading.Lock()
        self._asks: tuple[Ask, ...] = ()
        self._version = 0

    @property
    def version(self) -> int:
        with self._mutex:
            self._forget()
            return self._version

    def open(self) -> tuple[Ask, ...]:
        with self._mutex:
            self._forget()
            return self._asks

    def ask(self, seat: int, name: str, holder: str, *, frees: bool = False) -> Ask | None:
        """The ask, or None if too many wait already; a phone asks for one seat at a time."""
        with self._mutex:
            self._forget()
            others = tuple(ask for ask in self._asks if ask.holder != holder)
            if len(others) >= MOST_ASKS:
                return None
            new = Ask(secrets.token_hex(8), seat, name, holder, self._clock() + LASTS_SECONDS, frees)
            self._put((*others, new))
            return new

    def find(self, identity: str) -> Ask | None:
        return next((ask for ask in self.open() if ask.id == identity), None)

    def drop(self, identity: str) -> None:
        with self._mutex:
            self._put(tuple(ask for ask in self._asks if ask.id != identity))

    def _forget(self) -> None:
        now = self._clock()
        if any(ask.until <= now for ask in self._asks):
            self._put(tuple(ask for ask in self._asks if ask.until > now))

    def _put(self, asks: tuple[Ask, ...]) -> None:
        self._asks = asks
        self._version += 1
