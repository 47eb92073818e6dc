"""What boxes tell of their tables, as frozen values. Knows no broker, no database and no pages."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scored:
    """A player's points in a game."""

    name: str
    points: int


@dataclass(frozen=True, slots=True)
class Result:
    """A game that ended. A correction or deletion comes with the same id and a higher revision."""

    box: str
    id: str
    revision: int
    players: tuple[Scored, ...]
    edition: str
    started: float  # seconds since 1970, by the box's clock
    ended: float
    stopped: bool = False  # ended early: nobody has won
    deleted: bool = False


@dataclass(frozen=True, slots=True)
class KeptResult:
    """A result as the store has it: `number` rises with every change of any result."""

    result: Result
    number: int
    received: float  # when its first revision came, by the club's clock
    left_out: bool = False  # somebody at the club decided that it does not count

    @property
    def counts(self) -> bool:
        return not (self.left_out or self.result.deleted or self.result.stopped)


@dataclass(frozen=True, slots=True)
class Die:
    """A die as the box shows it."""

    colour: str
    pips: int


@dataclass(frozen=True, slots=True)
class TableState:
    """What a box says of its table at this moment."""

    box: str
    phase: str
    players: tuple[str, ...] = ()
    active: str = ""  # whose turn it is
    white: int | None = None  # the sum of the white dice
    dice: tuple[Die, ...] = ()
    closed: tuple[str, ...] = ()
    deciding: tuple[str, ...] = ()
    scores: tuple[int, ...] = ()  # in the order of the players; empty while they are hidden
    since: float | None = None  # when this game began, by the box's clock


@dataclass(frozen=True, slots=True)
class Availability:
    """Whether a box is there; its last will says when it is not."""

    box: str
    online: bool


@dataclass(frozen=True, slots=True)
class Happened:
    """Something happened at a table."""

    box: str
    id: str
    kind: str


Told = Availability | TableState | Happened | Result
