"""Every table as it is now, numbered so that a page is sent what changed and no more. Keeps nothing."""

import json
import re
import threading
from dataclasses import dataclass, replace

from companion.club.values import Availability, TableState
from companion.mqtt.payloads import LOBBY

OVER = "over"  # the phase of a game that has ended
MOST_TABLES = 5000  # more is somebody who makes up names


@dataclass(frozen=True, slots=True)
class CardSeat:
    """A player at a table, as a page shows him."""

    name: str
    score: int | None
    active: bool
    deciding: bool
    won: bool


@dataclass(frozen=True, slots=True)
class Card:
    """One table, as a page shows it."""

    box: str
    online: bool
    phase: str  # empty until its state is known
    turn: int | None = None
    edition: str = ""
    seats: tuple[CardSeat, ...] = ()
    white: int | None = None
    dice: tuple[tuple[str, int], ...] = ()
    closed: tuple[str, ...] = ()
    since: float | None = None

    @property
    def is_playing(self) -> bool:
        return self.online and self.phase not in ("", LOBBY, OVER)


def card_of(state: TableState, *, online: bool) -> Card:
    seats = tuple(
        CardSeat(name, score, name == state.active, name in state.deciding, name in state.winners)
        for name, score in zip(state.players, state.scores, strict=True)
    )
    return Card(
        state.box,
        online,
        state.phase,
        state.turn,
        state.edition,
        seats,
        state.white,
        tuple((die.colour, die.pips) for die in state.dice),
        state.closed,
        state.since,
    )


def by_number(box: str) -> tuple[tuple[int, str], ...]:
    """The order that people give tables: lid-2 before lid-10."""
    return tuple((int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", box))


def card_json(card: Card) -> str:
    """What a page's script has of a table; short, for there may be a thousand."""
    seats = [
        [seat.name, seat.score, *(int(each) for each in (seat.active, seat.deciding, seat.won))]
        for seat in card.seats
    ]
    value = {
        "box": card.box,
        "online": card.online,
        "phase": card.phase,
        "turn": card.turn,
        "edition": card.edition,
        "seats": seats,
        "white": card.white,
        "dice": [[colour, pips] for colour, pips in card.dice],
        "closed": card.closed,
        "since": card.since,
    }
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class _Place:
    """A table with the number of its last change."""

    card: Card
    number: int
    text: str
    stamp: tuple[str, int] = ("", -1)  # run and sequence of its state


@dataclass(frozen=True, slots=True)
class Changes:
    """What changed after a number: the number now, and the tables as JSON."""

    number: int
    tables: tuple[str, ...]


class Board:
    """All tables. Whoever shows them waits for a number that he has not seen."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._places: dict[str, _Place] = {}
        self._number = 0
        self._other = 0

    def take(self, told: Availability | TableState) -> bool:
        """Whether it changed anything."""
        with self._changed:
            place = self._places.get(told.box)
            if place is None and len(self._places) >= MOST_TABLES:
                return False
            found = self._with(place, told)
            if found is None:
                return False
            card, stamp = found
            if place is not None and card == place.card:
                self._places[told.box] = replace(place, stamp=stamp)
                return False
            self._number += 1
            self._places.pop(told.box, None)  # the newest change stands last
            self._places[told.box] = _Place(card, self._number, card_json(card), stamp)
            self._changed.notify_all()
            return True

    def _with(
        self, place: _Place | None, told: Availability | TableState
    ) -> tuple[Card, tuple[str, int]] | None:
        match told:
            case Availability(box, online):
                if place is None:
                    return Card(box, online, ""), ("", -1)
                return replace(place.card, online=online), place.stamp
            case TableState(run=run, sequence=sequence):
                if place is not None and place.stamp[0] == run and sequence <= place.stamp[1]:
                    return None  # older than what is shown
                online = place.card.online if place is not None else True
                return card_of(told, online=online), (run, sequence)

    def nudge(self) -> None:
        """Something else that pages show changed."""
        with self._changed:
            self._other += 1
            self._changed.notify_all()

    @property
    def number(self) -> int:
        """Of the last change of a table."""
        with self._changed:
            return self._number

    @property
    def version(self) -> int:
        """Rises with every change, of a table or of anything else."""
        with self._changed:
            return self._number + self._other

    def wait(self, version: int, seconds: float) -> int:
        """Until it is another version, or the time is over; the version then."""
        with self._changed:
            self._changed.wait_for(lambda: self._number + self._other != version, seconds)
            return self._number + self._other

    def since(self, number: int) -> Changes:
        """The tables that changed after that; all of them after 0."""
        with self._changed:
            newest = []
            for place in reversed(self._places.values()):
                if place.number <= number:
                    break
                newest.append(place.text)
            return Changes(self._number, tuple(reversed(newest)))

    def cards(self) -> tuple[Card, ...]:
        """All, by name: those that are there first."""
        with self._changed:
            cards = [place.card for place in self._places.values()]
        return tuple(sorted(cards, key=lambda card: (not card.online, by_number(card.box))))
