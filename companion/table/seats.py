"""Seats at the table: names, marks, who holds them, and their events. Knows no game."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import assert_never

from companion.game import Level, check_name
from companion.rules import NotationError, RuleError

MOST_SEATS = 5
_NOBODY = "-"  # in lines of text


class Mark(StrEnum):
    """What tells seats apart beside the name: a shape, each with its own colour on the pages."""

    CIRCLE = "circle"
    SQUARE = "square"
    TRIANGLE = "triangle"
    DIAMOND = "diamond"
    STAR = "star"


@dataclass(frozen=True, slots=True)
class Seat:
    """One seat. `holder` is the hash of a phone's secret; None while no phone holds it.

    The program plays a seat that has a level."""

    name: str
    mark: Mark
    holder: str | None = None
    level: Level | None = None


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """Somebody sat down on a new seat in the lobby."""

    name: str
    mark: Mark
    holder: str | None


@dataclass(frozen=True, slots=True)
class ProgramSeated:
    """A player of the program sat down on a new seat in the lobby."""

    name: str
    mark: Mark
    level: Level


@dataclass(frozen=True, slots=True)
class SeatHeld:
    """A phone took an existing seat over, the program's too, or nobody holds it any more."""

    seat: int
    holder: str | None


@dataclass(frozen=True, slots=True)
class SeatLeft:
    """A seat was given up in the lobby; those behind it move up."""

    seat: int


@dataclass(frozen=True, slots=True)
class SeatsOrdered:
    """The order round the table: the old numbers in the new order."""

    order: tuple[int, ...]


SeatEvent = SeatTaken | ProgramSeated | SeatHeld | SeatLeft | SeatsOrdered
Seats = tuple[Seat, ...]
NO_SEATS: Seats = ()


def free_marks(seats: Seats) -> tuple[Mark, ...]:
    taken = [seat.mark for seat in seats]
    return tuple(mark for mark in Mark if mark not in taken)


def levels(seats: Seats) -> tuple[Level | None, ...]:
    """Whom of them the program plays, and how well; empty if nobody."""
    found = tuple(seat.level for seat in seats)
    return found if any(found) else ()


def apply_seat_event(seats: Seats, event: SeatEvent) -> Seats:
    """The seats after the event; RuleError if that cannot be."""
    match event:
        case SeatTaken(name, mark, holder):
            return _taken(seats, Seat(name, mark, holder))
        case ProgramSeated(name, mark, level):
            return _taken(seats, Seat(name, mark, level=level))
        case SeatHeld(seat, holder):
            _need(seats, seat)
            _check_holder(holder)
            plays = seats[seat].level if holder is None else None
            return (*seats[:seat], replace(seats[seat], holder=holder, level=plays), *seats[seat + 1 :])
        case SeatLeft(seat):
            _need(seats, seat)
            return (*seats[:seat], *seats[seat + 1 :])
        case SeatsOrdered(order):
            if sorted(order) != list(range(len(seats))):
                raise RuleError(f"an order names each of {len(seats)} seats once, got {order}")
            return tuple(seats[seat] for seat in order)
    assert_never(event)


def _taken(seats: Seats, new: Seat) -> Seats:
    check_name(new.name)
    _check_holder(new.holder)
    if len(seats) >= MOST_SEATS:
        raise RuleError(f"all {MOST_SEATS} seats are taken")
    if new.name.casefold() in [seat.name.casefold() for seat in seats]:
        raise RuleError(f"{new.name} sits here already; please choose another name")
    if new.mark in [seat.mark for seat in seats]:
        raise RuleError(f"the {new.mark} is taken; please choose another mark")
    return (*seats, new)


def _need(seats: Seats, seat: int) -> None:
    if not 0 <= seat < len(seats):
        raise RuleError(f"there are {len(seats)} seats, got seat {seat}")


def _check_holder(holder: str | None) -> None:
    if holder is not None and (holder == _NOBODY or len(holder.split()) != 1 or not holder.isprintable()):
        raise RuleError(f"a holder is one printable word, got {holder!r}")


def write_seat_event(event: SeatEvent) -> str:
    """The event as a line of text for the journal."""
    match event:
        case SeatTaken(name, mark, holder):
            return f"seat taken {mark} {holder or _NOBODY} {name}"
        case ProgramSeated(name, mark, level):
            return f"seat played {mark} {level} {name}"
        case SeatHeld(seat, holder):
            return f"seat held {seat} {holder or _NOBODY}"
        case SeatLeft(seat):
            return f"seat left {seat}"
        case SeatsOrdered(order):
            return f"seats ordered {' '.join(map(str, order))}"
    assert_never(event)


def is_seat_event(text: str) -> bool:
    return text.startswith(("seat ", "seats "))


def parse_seat_event(text: str) -> SeatEvent:
    """The event behind a line; NotationError names the line if there is none."""
    try:
        match text.split(" ", 4):
            case ["seat", "taken", mark, holder, name]:
                return SeatTaken(name, Mark(mark), _holder(holder))
            case ["seat", "played", mark, level, name]:
                return ProgramSeated(name, Mark(mark), Level(level))
            case ["seat", "held", seat, holder]:
                return SeatHeld(int(seat), _holder(holder))
            case ["seat", "left", seat]:
                return SeatLeft(int(seat))
            case _:
                pass
        match text.split():
            case ["seats", "ordered", *order]:
                return SeatsOrdered(tuple(int(seat) for seat in order))
            case _:
                pass
    except ValueError as error:
        raise NotationError(f"{error} in seat event {text!r}") from None
    raise NotationError(f"a seat event is a line such as 'seat left 0', got {text!r}")


def _holder(word: str) -> str | None:
    return None if word == _NOBODY else word
