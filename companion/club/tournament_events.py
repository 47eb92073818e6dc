"""What happens in a tournament, one event after the other, each with a line of JSON. Knows no rules."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from boxlid.fields import Kinds


class TournamentError(ValueError):
    """It is not done: a kind to translate, English words, and a number for them."""

    def __init__(self, kind: str, text: str, number: int | None = None) -> None:
        super().__init__(text)
        self.kind = kind
        self.number = number


@dataclass(frozen=True, slots=True)
class Opened:
    """A tournament begins: how many rounds are planned, and how many tables there are at most (0: enough)."""

    name: str
    rounds: int
    most_tables: int


@dataclass(frozen=True, slots=True)
class Entered:
    """Somebody takes part; the first one is player 0."""

    name: str


@dataclass(frozen=True, slots=True)
class Renamed:
    """A name was written wrongly."""

    player: int
    name: str


@dataclass(frozen=True, slots=True)
class Left:
    """A player is seated no more."""

    player: int


@dataclass(frozen=True, slots=True)
class Returned:
    """A player who left is seated again."""

    player: int


@dataclass(frozen=True, slots=True)
class Drawn:
    """A round: who sits at which table, who has a bye, and when it was drawn."""

    tables: tuple[tuple[int, ...], ...]
    byes: tuple[int, ...]
    at: float


@dataclass(frozen=True, slots=True)
class PointsSet:
    """Points by hand, in the order in which the table's players are named; None: did not play on."""

    round: int  # the first is 0
    table: int
    points: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class PointsCleared:
    """The box's own result counts again, or is waited for."""

    round: int
    table: int


@dataclass(frozen=True, slots=True)
class Undone:
    """The last thing is taken back."""


Event = Opened | Entered | Renamed | Left | Returned | Drawn | PointsSet | PointsCleared | Undone


@dataclass(frozen=True, slots=True)
class _Nothing:
    """What stands beside any event."""


_KINDS: Kinds[_Nothing, Event] = Kinds(
    "what",
    _Nothing,
    {
        "opened": Opened,
        "entered": Entered,
        "renamed": Renamed,
        "left": Left,
        "returned": Returned,
        "drawn": Drawn,
        "points": PointsSet,
        "cleared": PointsCleared,
        "undone": Undone,
    },
)
_NAMES = {kind: name for name, kind in _KINDS.of.items()}


def write(event: Event) -> str:
    """One line, which `read` reads again."""
    return json.dumps(
        {"what": _NAMES[type(event)], **asdict(event)}, ensure_ascii=False, separators=(",", ":")
    )


def read(line: str) -> Event:
    """The event of a line that `write` wrote."""
    return _KINDS.read(json.loads(line)).kind


def effective(events: Sequence[Event]) -> tuple[Event, ...]:
    """Those that were not taken back."""
    kept: list[Event] = []
    for event in events:
        match event:
            case Undone():
                if len(kept) > 1:  # that it was opened stays
                    kept.pop()
            case _:
                kept.append(event)
    return tuple(kept)
