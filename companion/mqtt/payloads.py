"""What stands in the messages, as frozen values and as JSON. No sealed choice and no hidden score."""

import json
from dataclasses import asdict, dataclass

from companion.game import Level
from companion.rules import Roll
from companion.view.values import Presence

VERSION = 1  # of the messages; fields may be added without a new one
LOBBY = "lobby"  # the phase without a game
MOST_BYTES = 16_384  # no message of ours is longer, and no longer one is read


@dataclass(frozen=True, slots=True)
class RolledDie:
    """One die of the newest roll."""

    colour: str
    pips: int


def dice_of(roll: Roll) -> tuple[RolledDie, ...]:
    """The white ones first."""
    return (*(RolledDie("white", pips) for pips in roll.white), *(RolledDie(*die) for die in roll.coloured))


@dataclass(frozen=True, slots=True)
class Closing:
    """A player who is about to close a row: told to all, as the rules want it."""

    seat: int
    colour: str


@dataclass(frozen=True, slots=True)
class PlayerState:
    """A player as everybody at the table sees them; no score while scores are hidden."""

    seat: int
    name: str
    mark: str
    program: Level | None
    presence: Presence
    active: bool
    deciding: bool
    score: int | None
    misthrows: int


@dataclass(frozen=True, slots=True)
class SeriesState:
    """Which game of how many; the id is that of the first one."""

    id: str
    number: int
    games: int


@dataclass(frozen=True, slots=True)
class StatePayload:
    """The table at one moment. `game` and what follows is null or empty in the lobby."""

    run: str  # of the companion: another after each start
    sequence: int  # rises within a run
    phase: str
    players: tuple[PlayerState, ...]
    camera: str
    game: str | None = None
    started: str | None = None
    edition: str | None = None
    sheet: str | None = None
    series: SeriesState | None = None
    turn: int | None = None
    active: int | None = None
    white_sum: int | None = None
    dice: tuple[RolledDie, ...] = ()
    deciding: tuple[int, ...] = ()
    announced: tuple[Closing, ...] = ()
    closed: tuple[str, ...] = ()
    scores_hidden: bool = False
    last_turns: int | None = None
    ended_by: str | None = None
    winners: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class PlayerResult:
    """A player's column at the end; `place` is null if the game was stopped."""

    seat: int
    name: str
    program: Level | None
    points: int
    place: int | None
    misthrows: int
    rows: tuple[int, ...]
    extra: int
    sheet: str


@dataclass(frozen=True, slots=True)
class ResultPayload:
    """How a game ended, or that it goes on after all, or is none any more: players are told of an end only.

    Of several for one id the highest revision counts."""

    id: str
    revision: int
    status: str  # "final", "reopened" or "deleted"
    at: str
    started: str
    ended: str | None
    edition: str
    sheet: str
    series: SeriesState | None
    source: str  # "table" or "paper"
    stopped: bool
    ended_by: str | None
    turns: int
    players: tuple[PlayerResult, ...]


def in_full(box: str, **fields: object) -> bytes:
    """One message of that table; every one has these two fields."""
    value = {"version": VERSION, "box": box, **fields}
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def written(box: str, payload: StatePayload | ResultPayload) -> bytes:
    return in_full(box, **asdict(payload))
