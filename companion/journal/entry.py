"""One kept event, and the chain of hashes that holds all of them together."""

import hashlib
from dataclasses import dataclass
from typing import NamedTuple, Self

_FIRST_CHAIN = "boxlid"
_DELETED = "game deleted "
_LONGEST_NUMBER = 15  # digits


class Link(NamedTuple):
    """The newest entry: its number, and the hash that vouches for it and for all before it."""

    id: int
    chain: str


NOTHING = Link(0, _FIRST_CHAIN)


@dataclass(frozen=True, slots=True)
class Entry:
    """One kept event. `game` is the id of the entry that started its game; `seat` is who asked for it."""

    id: int
    game: int | None
    line: str
    command: str | None
    seat: int | None
    at: float
    chain: str

    @property
    def link(self) -> Link:
        return Link(self.id, self.chain)

    @property
    def deletes(self) -> int | None:
        """The game that this entry takes out of the history. Its own entries stay, as all do."""
        number = self.line.removeprefix(_DELETED)
        plain = number.isascii() and number.isdecimal() and len(number) <= _LONGEST_NUMBER
        return int(number) if self.game is None and number != self.line and plain else None

    def follows(self, before: Link) -> bool:
        """Whether this is what was written after that entry: a flipped bit anywhere says no."""
        fields = (self.id, self.game, self.line, self.command, self.seat, self.at)
        return self.id == before.id + 1 and self.chain == _chain(before.chain, *fields)


@dataclass(frozen=True, slots=True)
class Draft:
    """An event about to be kept."""

    line: str
    game: int | None = None
    command: str | None = None
    seat: int | None = None

    def entry(self, before: Link, at: float) -> Entry:
        fields = (before.id + 1, self.game, self.line, self.command, self.seat, at)
        return Entry(*fields, _chain(before.chain, *fields))

    def starting(self, number: int) -> Self:
        """The same as the first entry of its own game."""
        return type(self)(self.line, number, self.command, self.seat)


def deletion(game: int) -> str:
    """The line that takes a game out of the history."""
    return f"{_DELETED}{game}"


def _chain(before: str, *fields: object) -> str:
    return hashlib.sha256("\x1f".join([before, *map(repr, fields)]).encode()).hexdigest()[:32]
