"""A table of two in play and what one of them sees, for tests of views and wishes."""

from pathlib import Path

from companion.game import Event, Rolled, Setup, SheetCorrected
from companion.journal.journal import Journal
from companion.rules import Roll, Sheet
from companion.table.seats import Mark, SeatTaken
from companion.table.snapshot import GameStarted, What
from companion.table.table import Command, Table
from companion.view import Asker, View, read_wish, view
from companion.view.values import CellView

NAMES = ("Anna", "Ben")


def playing(folder: Path, *events: Event, **setup: object) -> Table:
    table = Table(Journal(folder))
    for name, mark in zip(NAMES, Mark, strict=False):
        table.play(Command(SeatTaken(name, mark, name.lower())))
    table.play(Command(GameStarted(Setup(NAMES, **setup))))  # type: ignore[arg-type]
    for event in events:
        table.play(Command(event))
    return table


def rolled(text: str) -> Rolled:
    return Rolled(Roll.parse(text))


def seen(table: Table, seat: int = 0) -> View:
    return view(table.snapshot, frozenset({seat}))


def cell(shown: View, name: str) -> CellView:
    cells = [each for row in shown.own[0].rows for each in row.cells]
    return next(each for each in cells if each.cell == name)


CLOSING = SheetCorrected(0, 0, Sheet.parse("R2 R3 R4 R5 R6"))
FIRST_ROLL = rolled("W3 W4 R2 Y5 G6 B1")


def read(table: Table, data: object) -> What:
    found = read_wish(data, table.snapshot, Asker(frozenset({0})))
    assert isinstance(found, Command)
    return found.what
