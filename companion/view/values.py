"""What a phone or the table display shows, as plain frozen values. Owns no rules, no language's words."""

from dataclasses import dataclass
from enum import StrEnum

from companion.game import Change, Hints, Level
from companion.process.fault_barrier import BoxPart
from companion.rules import Cell
from companion.table.eyes import Eyes
from companion.table.series import Standing


class CellState(StrEnum):
    """How a cell looks: crossed, passed over, out of the game, or still open."""

    OPEN = "open"
    CROSSED = "crossed"
    SKIPPED = "skipped"
    CLOSED = "closed"


class Finish(StrEnum):
    """What the one big button of a seat does now."""

    NOTHING = "nothing"  # the table waits for others
    ROLL = "roll"
    ROLL_FOR = "roll-for"  # for a player of the program
    DONE = "done"
    PASS = "pass"
    MISTHROW = "misthrow"
    WAITING = "waiting"  # decided, but still free to change it
    BACK = "back"  # sits out, and may come back


class Presence(StrEnum):
    """Whether a player takes part."""

    HERE = "here"
    SITS_OUT = "sits-out"
    PLAYS_NO_MORE = "plays-no-more"


class Helping(StrEnum):
    """What saying Done for somebody else does."""

    KEEP_OR_PASS = "keep-or-pass"  # in action 1, where choices are sealed
    DONE = "done"
    PASS = "pass"
    STAY = "stay"  # in action 3
    MISTHROW = "misthrow"


@dataclass(frozen=True, slots=True)
class WhyView:
    """Why a cell may not be crossed: the kind, and what a sentence in any language needs."""

    kind: str
    cell: str
    other: str | None
    needs: int
    has: int
    lock: str | None


@dataclass(frozen=True, slots=True)
class CellView:
    """One cell of the own sheet. `legal` names the actions that may cross it, `chosen` the one that will."""

    cell: str
    colour: str
    number: int
    state: CellState
    legal: tuple[int, ...]
    chosen: int
    fresh: bool  # crossed in this turn
    why: WhyView | None


@dataclass(frozen=True, slots=True)
class RowView:
    """A row of the own sheet; `closed` for all, `locked` by this player."""

    lock: str
    closed: bool
    locked: bool
    crosses: int
    points: int | None
    cells: tuple[CellView, ...]


@dataclass(frozen=True, slots=True)
class OwnView:
    """A seat this phone holds: its sheet, its choices, what it may do."""

    seat: int
    rows: tuple[RowView, ...]
    misthrows: int
    score: int | None
    deciding: bool
    finish: Finish
    first: str | None
    second: str | None
    closes: tuple[str, ...]  # rows that it could close with the white sum, in action 1
    second_holds: bool  # the choice in advance is still legal beside the present first one
    undo: bool
    undo_done: bool  # the newest Done may be taken back: nobody rolled or decided after it
    landings: tuple[int, ...]
    landing: int | None
    third: str | None  # what the chosen landing crosses
    lost: tuple[str, ...]  # choices that a correction or a closed row took away
    corrects: bool  # may correct the dice now


@dataclass(frozen=True, slots=True)
class MarksView:
    """A row of anybody's sheet."""

    lock: str
    crossed: tuple[str, ...]
    locked: bool
    crosses: int
    points: int | None


@dataclass(frozen=True, slots=True)
class PlayerView:
    """A player as everybody sees them: no choice of an open action is in here."""

    seat: int
    name: str
    mark: str
    active: bool
    deciding: bool
    rows: tuple[MarksView, ...]
    misthrows: int
    score: int | None
    fresh: tuple[str, ...]
    piece: int | None
    level: Level | None  # of a player of the program
    presence: Presence
    helping: Helping | None  # none: there is nothing to decide for them now


@dataclass(frozen=True, slots=True)
class DieView:
    """One die of the roll; `sums` is what it makes with a white one. `by_hand`: not what the camera read."""

    colour: str
    pips: int
    sums: tuple[int, ...]
    by_hand: bool


@dataclass(frozen=True, slots=True)
class ClosingView:
    """A player who is about to close a row; the rules want it said loudly."""

    seat: int
    colour: str


@dataclass(frozen=True, slots=True)
class PrintedRow:
    """A row as printed on every sheet of this game."""

    lock: str
    cells: tuple[str, ...]

    @property
    def colours(self) -> tuple[str, ...]:
        """Of its cells: on sheets of mixed rows not all of them have that of the lock."""
        return tuple(str(Cell.parse(cell).colour) for cell in self.cells)


@dataclass(frozen=True, slots=True)
class SpaceView:
    """A space of the board, numbered from 1."""

    cell: str
    points: int
    near_end: bool  # reaching it announces the last round


@dataclass(frozen=True, slots=True)
class EndColumn:
    """One player's column of the final reckoning."""

    seat: int
    rows: tuple[int, ...]
    misthrows: int
    extra: int
    total: int
    place: int
    crosses: int


@dataclass(frozen=True, slots=True)
class GameView:
    """The game as everybody sees it."""

    id: int
    number: int
    phase: str
    edition: str
    active: int
    white_sum: int | None
    dice: tuple[DieView, ...]
    in_play: tuple[str, ...]
    deciding: tuple[int, ...]
    announced: tuple[ClosingView, ...]
    closed: tuple[str, ...]
    take_out: tuple[str, ...]  # dice of rows closed in this turn, still in the lid
    moving_on: bool
    drawing: bool  # the lot for the first player is being watched
    patience: int
    scores_hidden: bool
    hints: Hints
    last_turns: int | None
    ended_by: str | None
    winners: tuple[int, ...]
    end: tuple[EndColumn, ...]
    sheet: str  # the name of the printed sheet
    layout: tuple[PrintedRow, ...]
    board: tuple[SpaceView, ...]
    reach: tuple[int, ...]  # once rolled: the free spaces ahead of the active player's piece
    landings: tuple[int, ...]  # in action 3: those of them that may be landed on
    players: tuple[PlayerView, ...]


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat in the lobby's order."""

    seat: int
    name: str
    mark: str
    held: bool
    phone_away: bool  # the phone that holds it has not been heard of for long
    mine: bool
    absent: bool  # is not started into the next game without a question
    level: Level | None  # of a player of the program


@dataclass(frozen=True, slots=True)
class SeriesView:
    """The results so far and who leads; `number` counts the game on the table."""

    number: int
    games: int
    results: tuple[tuple[int, ...], ...]
    standings: tuple[Standing, ...]
    over: bool


@dataclass(frozen=True, slots=True)
class CorrectedView:
    """What was put right since the last roll: `dice`, `reopened`, `sheet`, `piece` or `done`, and by whom."""

    kind: str
    seat: int
    owner: int | None  # of the sheet or the piece
    turn: int  # that goes on now
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class DoubtView:
    """What may be missing of the record of the games: `lost`, `other` or `unknown`, and how many events."""

    kind: str
    entries: int


@dataclass(frozen=True, slots=True)
class View:
    """Everything one phone or display shows at one moment."""

    version: int
    moment: str
    seats: tuple[SeatView, ...]
    waiting: tuple[SeatView, ...]  # who came while a game was played, numbered behind the seats
    own: tuple[OwnView, ...]
    game: GameView | None
    series: SeriesView | None
    corrected: CorrectedView | None
    early: int  # rises with each press that came while players still decided
    eyes: Eyes
    pictured: bool  # the picture of the lid is of the dice that are shown, and reads as they count
    broken: tuple[BoxPart, ...]  # parts beside the phones that do nothing at present
    doubt: DoubtView | None
