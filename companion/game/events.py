"""The events a game is made of, each with its line of text. Knows no state."""

from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from companion.rules import Cell, NotationError, Roll, Sheet


class Source(StrEnum):
    """Where a roll came from."""

    CAMERA = "camera"
    HAND = "hand"
    VIRTUAL = "virtual"
    SIMULATED = "simulated"  # drawn dice, read from a drawn picture


@dataclass(frozen=True, slots=True)
class Rolled:
    """The active player rolled; this opens action 1 for everybody."""

    roll: Roll
    source: Source = Source.CAMERA


@dataclass(frozen=True, slots=True)
class Crossed:
    """A player chose a cell for action 1 or 2; it can be changed until that action closes."""

    seat: int
    cell: Cell
    action: int = 1


@dataclass(frozen=True, slots=True)
class Moved:
    """The active player chose a space for action 3; it can be changed until that action closes."""

    seat: int
    space: int


@dataclass(frozen=True, slots=True)
class TookBack:
    """A player took back their choice of the open action."""

    seat: int


@dataclass(frozen=True, slots=True)
class Done:
    """A player is done with the open action: with the choice made, or passing."""

    seat: int


@dataclass(frozen=True, slots=True)
class MovedOn:
    """The active player moved the table on: who has not decided keeps the choice made, or passes."""

    seat: int


@dataclass(frozen=True, slots=True)
class DiceCorrected:
    """A die was misread: the turn starts again from these dice."""

    seat: int
    roll: Roll


@dataclass(frozen=True, slots=True)
class Reopened:
    """The table went back to the start of this turn's action 1, or of a turn before, choices kept."""

    seat: int
    back: int = 0


@dataclass(frozen=True, slots=True)
class SheetCorrected:
    """The table corrected a player's sheet; `seat` asked for it."""

    seat: int
    owner: int
    sheet: Sheet


@dataclass(frozen=True, slots=True)
class PieceCorrected:
    """The table put a player's piece on another space of the board; `seat` asked for it."""

    seat: int
    owner: int
    space: int


@dataclass(frozen=True, slots=True)
class TookBackDone:
    """A player took back their newest Done: nobody had rolled or decided after it."""

    seat: int


@dataclass(frozen=True, slots=True)
class SatOut:
    """A player sits out until they come back; `seat` said so."""

    seat: int
    owner: int


@dataclass(frozen=True, slots=True)
class PlaysNoMore:
    """A player's part in the game is over, their points stay as they are; `seat` said so."""

    seat: int
    owner: int


@dataclass(frozen=True, slots=True)
class CameBack:
    """A player who sat out plays again; `seat` said so."""

    seat: int
    owner: int


@dataclass(frozen=True, slots=True)
class Stopped:
    """The table ended the game early."""

    seat: int


@dataclass(frozen=True, slots=True)
class PaperEnded:
    """The sheets at the end of a game that was played on paper: all that is known of it."""

    sheets: tuple[Sheet, ...]


Choice = Crossed | Moved | TookBack | Done | TookBackDone | MovedOn
CorrectionEvent = DiceCorrected | Reopened | SheetCorrected | PieceCorrected
Presence = SatOut | PlaysNoMore | CameBack
Played = Rolled | Choice | CorrectionEvent | Presence | Stopped
Event = Played | PaperEnded


def write_event(event: Event) -> str:
    """The event as a line of text; seats count from 0."""
    match event:
        case Rolled(roll, source):
            return f"rolled {roll} by {source}"
        case Crossed(seat, cell, action):
            return f"{seat} crosses {cell} in {action}"
        case Moved(seat, space):
            return f"{seat} moves to {space}"
        case TookBack(seat):
            return f"{seat} takes back"
        case Done(seat):
            return f"{seat} done"
        case MovedOn(seat):
            return f"{seat} moves on"
        case TookBackDone(seat):
            return f"{seat} takes back done"
        case DiceCorrected() | Reopened() | SheetCorrected() | PieceCorrected():
            return _write_correction(event)
        case SatOut() | PlaysNoMore() | CameBack():
            return f"{event.seat} says {event.owner} {_SAID_AS[type(event)]}"
        case Stopped(seat):
            return f"{seat} stops"
        case PaperEnded(sheets):
            return f"ended on paper {' / '.join(map(str, sheets))}"
    assert_never(event)


def _write_correction(event: CorrectionEvent) -> str:
    match event:
        case DiceCorrected(seat, roll):
            return f"{seat} corrects dice {roll}"
        case Reopened(seat, back):
            return f"{seat} reopens {back}"
        case SheetCorrected(seat, owner, sheet):
            return f"{seat} corrects sheet {owner} {sheet}"
        case PieceCorrected(seat, owner, space):
            return f"{seat} corrects piece {owner} {space}"
    assert_never(event)


def parse_event(text: str) -> Event:
    """The event behind a line of text; NotationError names the line if there is none."""
    words = text.split()
    try:
        match words:
            case ["rolled", *dice, "by", source]:
                return Rolled(Roll.parse(" ".join(dice)), Source(source))
            case ["ended", "on", "paper", *sheets]:
                return PaperEnded(tuple(map(Sheet.parse, " ".join(sheets).split("/"))))
            case [seat, "crosses", cell, "in", ("1" | "2") as action]:
                return Crossed(int(seat), Cell.parse(cell), int(action))
            case [seat, "moves", "to", space]:
                return Moved(int(seat), int(space))
            case [seat, "corrects", "dice", *dice]:
                return DiceCorrected(int(seat), Roll.parse(" ".join(dice)))
            case [seat, "corrects", "sheet", owner, *cells]:
                return SheetCorrected(int(seat), int(owner), Sheet.parse(" ".join(cells)))
            case [seat, "corrects", "piece", owner, space]:
                return PieceCorrected(int(seat), int(owner), int(space))
            case [seat, "says", owner, *rest] if (said := _SAID.get(" ".join(rest))) is not None:
                return said(int(seat), int(owner))
            case [seat, "reopens", back]:
                return Reopened(int(seat), int(back))
            case [seat, *rest] if (kind := _BARE.get(" ".join(rest))) is not None:
                return kind(int(seat))
    except ValueError as error:
        raise NotationError(f"{error} in event {text!r}") from None
    raise NotationError(f"an event is a line such as '0 crosses R7 in 1', got {text!r}")


_SAID: dict[str, type[Presence]] = {
    "sits out": SatOut,
    "plays no more": PlaysNoMore,
    "is back": CameBack,
}
_SAID_AS = {kind: words for words, kind in _SAID.items()}
_BARE: dict[str, type[TookBack | TookBackDone | Done | MovedOn | Stopped]] = {
    "takes back": TookBack,
    "takes back done": TookBackDone,
    "done": Done,
    "moves on": MovedOn,
    "stops": Stopped,
}
