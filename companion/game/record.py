"""A whole game as it was played: its setup and its events, as text to read and to diff."""

from collections.abc import Iterator
from dataclasses import dataclass

from companion.game.events import Event, parse_event, write_event
from companion.game.play import Game
from companion.game.setup import Setup
from companion.rules import NotationError, RuleError


@dataclass(frozen=True, slots=True)
class Record:
    """One game: played again, it comes to the same end."""

    setup: Setup
    events: tuple[Event, ...] = ()

    def positions(self) -> Iterator[Game]:
        """The game at its beginning and after each event; RuleError names the event that cannot be."""
        game = Game.begin(self.setup)
        yield game
        for number, event in enumerate(self.events, 1):
            try:
                game = game.apply(event)
            except RuleError as error:
                raise RuleError(f"event {number} ({write_event(event)}): {error}") from None
            yield game

    def play(self) -> Game:
        """Where the game ends."""
        *_, last = self.positions()
        return last

    def __str__(self) -> str:
        return "\n".join([str(self.setup), *map(write_event, self.events)]) + "\n"

    @classmethod
    def parse(cls, text: str) -> "Record":
        """The record behind its text; empty lines and what stands behind # do not count."""
        lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1)]
        lines = [(number, line) for number, line in lines if line and not line.startswith("#")]
        if not lines:
            raise NotationError("a game begins with its setup, got an empty text")
        events = []
        for number, line in lines[1:]:
            try:
                events.append(parse_event(line.partition(" #")[0]))
            except ValueError as error:
                raise NotationError(f"line {number}: {error}") from None
        return cls(Setup.parse(lines[0][1]), tuple(events))
