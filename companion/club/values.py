"""What boxes tell of their tables, as frozen values. Knows no broker, no database and no pages."""

from dataclasses import dataclass
from enum import StrEnum


class Status(StrEnum):
    """Whether a result is one."""

    FINAL = "final"
    REOPENED = "reopened"  # the game goes on after all; another result follows
    DELETED = "deleted"


@dataclass(frozen=True, slots=True)
class Scored:
    """A player's points in a game; the program may have played for him."""

    name: str
    points: int
    program: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended. A correction or deletion comes with the same id and a higher revision."""

    box: str
    id: str
    revision: int
    players: tuple[Scored, ...]
    edition: str
    started: float  # seconds since 1970, by the box's clock
    ended: float
    stopped: bool = False  # ended early: nobody has won
    status: Status = Status.FINAL

    @property
    def people(self) -> tuple[Scored, ...]:
        """Those who are ranked: the program is not."""
        return tuple(player for player in self.players if not player.program)


@dataclass(frozen=True, slots=True)
class KeptResult:
    """A result as the store has it: `number` rises with every change of any result."""

    result: Result
    number: int
    received: float  # when its first revision came, by the club's clock
    left_out: bool = False  # somebody at the club decided that it does not count

    @property
    def counts(self) -> bool:
        return self.result.status is Status.FINAL and not (self.left_out or self.result.stopped)


@dataclass(frozen=True, slots=True)
class Die:
    """A die as the box shows it."""

    colour: str
    pips: int


@dataclass(frozen=True, slots=True)
class TableState:
    """What a box says of its table at this moment."""

    box: str
    run: str  # of the box: another after each start
    sequence: int  # rises within a run
    phase: str
    players: tuple[str, ...] = ()
    active: str = ""  # whose turn it is
    turn: int | None = None
    edition: str = ""
    white: int | None = None  # the sum of the white dice
    dice: tuple[Die, ...] = ()
    closed: tuple[str, ...] = ()
    deciding: tuple[str, ...] = ()
    scores: tuple[int | None, ...] = ()  # in the order of the players; None while they are hidden
    winners: tuple[str, ...] = ()
    since: float | None = None  # when this game began, by the box's clock


@dataclass(frozen=True, slots=True)
class Availability:
    """Whether a box is there; its last will says when it is not."""

    box: str
    online: bool


Told = Availability | TableState | Result
