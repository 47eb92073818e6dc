"""Small games for tests of what shows them: a table with names, and events played on it."""

from companion.game import Event, Setup, parse_event
from companion.table.seats import Mark, Seat
from companion.table.snapshot import GameStarted, Snapshot

NAMES = ("Anna", "Ben", "Cleo")


def lobby(*names: str) -> Snapshot:
    marks = tuple(Mark)
    return Snapshot(seats=tuple(Seat(name, marks[number]) for number, name in enumerate(names)))


def started(*names: str, setup: Setup | None = None) -> Snapshot:
    """A game of those players, before the first roll."""
    players = names or NAMES
    return lobby(*players).after(GameStarted(setup or Setup(players)), 1)


def played(snapshot: Snapshot, *lines: str) -> Snapshot:
    """The snapshot after those events, each a line such as `0 crosses R7 in 1`."""
    for number, line in enumerate(lines, 2):
        snapshot = snapshot.after(event(line), number)
    return snapshot


def event(line: str) -> Event:
    return parse_event(line)
