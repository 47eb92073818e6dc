"""What an event made happen that everybody at the table saw: the difference of two positions of a game.

A choice is no happening before its action has closed: crosses are taken from the sheets, not from the events.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from enum import StrEnum

from companion.game import (
    CameBack,
    CorrectionEvent,
    DiceCorrected,
    Event,
    Game,
    Phase,
    PieceCorrected,
    PlaysNoMore,
    Reopened,
    Rolled,
    SatOut,
    SheetCorrected,
    TookBackDone,
)
from companion.mqtt.payloads import RolledDie, dice_of
from companion.rules import Roll


class HappeningKind(StrEnum):
    """What may happen at a table."""

    GAME_STARTED = "game-started"
    ROLL = "roll"
    CROSS = "cross"
    MISTHROW = "misthrow"
    MOVE = "move"  # of a piece, On Board
    ROW_CLOSED = "row-closed"
    GAME_OVER = "game-over"
    CORRECTION = "correction"
    SITS_OUT = "sits-out"
    PLAYS_NO_MORE = "plays-no-more"
    BACK = "back"


@dataclass(frozen=True, slots=True)
class Started:
    """A game began."""

    players: tuple[str, ...]
    edition: str
    first: int
    kind: HappeningKind = HappeningKind.GAME_STARTED


@dataclass(frozen=True, slots=True)
class Thrown:
    """The active player rolled."""

    seat: int
    player: str
    turn: int
    white_sum: int
    dice: tuple[RolledDie, ...]
    kind: HappeningKind = HappeningKind.ROLL


@dataclass(frozen=True, slots=True)
class Cross:
    """A cross stands on a sheet: its action has closed."""

    seat: int
    player: str
    turn: int
    cell: str
    colour: str
    number: int
    kind: HappeningKind = HappeningKind.CROSS


@dataclass(frozen=True, slots=True)
class Misthrow:
    """A box of misthrows was crossed; `misthrows` counts the player's."""

    seat: int
    player: str
    turn: int
    misthrows: int
    kind: HappeningKind = HappeningKind.MISTHROW


@dataclass(frozen=True, slots=True)
class Move:
    """A piece moved to that space of the board."""

    seat: int
    player: str
    turn: int
    space: int
    kind: HappeningKind = HappeningKind.MOVE


@dataclass(frozen=True, slots=True)
class RowClosed:
    """A row is closed for all; by whom, if it was this event that they locked it with."""

    colour: str
    seats: tuple[int, ...]
    players: tuple[str, ...]
    turn: int
    kind: HappeningKind = HappeningKind.ROW_CLOSED


@dataclass(frozen=True, slots=True)
class Over:
    """The game ended. The whole result goes to a topic of its own."""

    ended_by: str | None
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    winner_names: tuple[str, ...]
    turn: int
    kind: HappeningKind = HappeningKind.GAME_OVER


@dataclass(frozen=True, slots=True)
class Corrected:
    """The table put something right: `dice`, `reopened`, `sheet`, `piece` or `done`."""

    what: str
    seat: int
    turn: int
    kind: HappeningKind = HappeningKind.CORRECTION


@dataclass(frozen=True, slots=True)
class PresenceChange:
    """A player sits out, plays no more, or is back."""

    seat: int
    player: str
    turn: int
    kind: HappeningKind


Happening = Started | Thrown | Cross | Misthrow | Move | RowClosed | Over | Corrected | PresenceChange

_CORRECTIONS: dict[type[CorrectionEvent | TookBackDone], str] = {
    DiceCorrected: "dice",
    Reopened: "reopened",
    SheetCorrected: "sheet",
    PieceCorrected: "piece",
    TookBackDone: "done",
}
_PRESENCES: dict[type[SatOut | PlaysNoMore | CameBack], HappeningKind] = {
    SatOut: HappeningKind.SITS_OUT,
    PlaysNoMore: HappeningKind.PLAYS_NO_MORE,
    CameBack: HappeningKind.BACK,
}


def fields_of(happening: Happening) -> dict[str, object]:
    """As they stand in the message."""
    return asdict(happening)


def started(game: Game) -> Started:
    return Started(game.setup.players, game.setup.edition, game.setup.first)


def happenings(before: Game, event: Event, after: Game) -> Iterator[Happening]:
    """In the order in which a person would tell them."""
    if after is before:
        return
    names, turn = after.setup.players, before.number
    if isinstance(event, CorrectionEvent | TookBackDone):
        yield Corrected(_CORRECTIONS[type(event)], event.seat, turn)
    if isinstance(event, SatOut | PlaysNoMore | CameBack):
        yield PresenceChange(event.owner, names[event.owner], turn, _PRESENCES[type(event)])
    if isinstance(event, Rolled | DiceCorrected):
        yield _thrown(before, event.roll)
    if not isinstance(event, SheetCorrected):  # what a correction put on a sheet was crossed by nobody now
        yield from _on_sheets(before, after)
    if not isinstance(event, PieceCorrected):
        yield from _moves(before, after)
    yield from _rows_closed(before, after)
    if after.phase is Phase.OVER and before.phase is not Phase.OVER:
        winners = tuple(names[seat] for seat in after.winners)
        yield Over(after.ended_by, after.scores, after.winners, winners, turn)


def _thrown(before: Game, roll: Roll) -> Thrown:
    """By whoever was active when the turn was rolled: a correction may reach into the turn just ended."""
    rolled_from = before if before.phase is Phase.ROLL or before.before is None else before.before
    seat = rolled_from.active
    return Thrown(seat, before.setup.players[seat], rolled_from.number, roll.white_sum, dice_of(roll))


def _on_sheets(before: Game, after: Game) -> Iterator[Cross | Misthrow]:
    for seat, (old, new) in enumerate(zip(before.sheets, after.sheets, strict=True)):
        name, turn = after.setup.players[seat], before.number
        for cell in new.cells:
            if not old.has(cell):
                yield Cross(seat, name, turn, str(cell), cell.colour, cell.number)
        if new.misthrows > old.misthrows:
            yield Misthrow(seat, name, turn, new.misthrows)


def _moves(before: Game, after: Game) -> Iterator[Move]:
    for seat, (old, new) in enumerate(zip(before.pieces, after.pieces, strict=True)):
        if new > old:
            yield Move(seat, after.setup.players[seat], before.number, new)


def _rows_closed(before: Game, after: Game) -> Iterator[RowClosed]:
    for row in after.setup.layout.rows:
        if row.lock in after.closed - before.closed:
            seats = tuple(seat for seat, sheet in enumerate(after.sheets) if row.lock in sheet.locks)
            names = tuple(after.setup.players[seat] for seat in seats)
            yield RowClosed(row.lock, seats, names, before.number)
