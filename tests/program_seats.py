"""A table at which the program plays along, for tests: Anna with her phone, then players of the program."""

from pathlib import Path

from companion.game import Level, Rolled, Setup
from companion.journal.journal import Journal
from companion.rules import Roll
from companion.table.seats import Mark, ProgramSeated, SeatTaken, levels
from companion.table.snapshot import GameStarted
from companion.table.table import Command, Table

NAMES = ("Ada", "Blaise", "Emmy", "Pierre")


def table_with(folder: Path, *playing: Level) -> Table:
    """In the lobby."""
    table = Table(Journal(folder))
    table.play(Command(SeatTaken("Anna", Mark.CIRCLE, "anna")))
    for name, mark, level in zip(NAMES, tuple(Mark)[1:], playing, strict=False):
        table.play(Command(ProgramSeated(name, mark, level)))
    return table


def game_with(folder: Path, *playing: Level, **setup: object) -> Table:
    """The game has begun; Anna rolls first unless the set-up says otherwise."""
    table = table_with(folder, *playing)
    seats = table.snapshot.seats
    begun = Setup(tuple(seat.name for seat in seats), levels=levels(seats), **setup)  # type: ignore[arg-type]
    table.play(Command(GameStarted(begun)))
    return table


def roll(table: Table, text: str) -> None:
    table.play(Command(Rolled(Roll.parse(text))))
