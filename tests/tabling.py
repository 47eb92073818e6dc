"""A table with names and a clock for tests."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from companion.game import Game, HouseRules, Setup, parse_event
from companion.journal.journal import Journal
from companion.table.seats import Mark, SeatTaken
from companion.table.snapshot import GameStarted, Snapshot
from companion.table.table import Command, Table

NAMES = ("Anna", "Ben", "Cleo")
BY_HAND = HouseRules(pass_by_itself=False)
ROLL = "rolled W3 W4 R2 Y5 G6 B1 by camera"


@dataclass
class Clock:
    """Time that stands still until it is moved."""

    now: float = 1000.0

    def __call__(self) -> float:
        return self.now


@contextmanager
def open_table(folder: Path, clock: Clock | None = None) -> Iterator[Table]:
    with Journal(folder) as journal:
        yield Table(journal, clock or Clock())


@contextmanager
def playing(
    folder: Path, *lines: str, house: HouseRules = BY_HAND, clock: Clock | None = None
) -> Iterator[Table]:
    """Three players in a game, with those events played."""
    with open_table(folder, clock) as table:
        sit(table)
        table.play(Command(GameStarted(Setup(NAMES, house=house))))
        play(table, *lines)
        yield table


def sit(table: Table, *names: str) -> None:
    for name, mark in zip(names or NAMES, Mark, strict=False):
        table.play(Command(SeatTaken(name, mark, None)))


def play(table: Table, *lines: str) -> Snapshot:
    """Each line as the table itself would say it: nobody in particular asks."""
    for line in lines:
        table.play(Command(parse_event(line)))
    return table.snapshot


def ask(line: str, seat: int | None = None, *, helping: bool = False, moment: str | None = None) -> Command:
    return Command(parse_event(line), None, seat, helping, moment)


def game_of(table: Table) -> Game:
    game = table.snapshot.game
    assert game is not None
    return game
