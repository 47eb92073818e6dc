"""Every wish of a phone or a display as it is sent: its reader and its description follow from it."""

from dataclasses import dataclass
from typing import Annotated, Literal

from boxlid.fields import About, Between, Kinds, Length, OneOf, Text, Written
from companion.game import Edition, Hints, Leaning, Level, LocksTakeEffect, Pace, Patience
from companion.rules import LAYOUTS, SPACES
from companion.table.seats import MOST_SEATS
from companion.table.series import MOST_GAMES

LONGEST_ID = 64
MOST_ITEMS = 64  # of a list
MOST_BACK = 200  # no game has more turns; a larger number would only keep the table busy
SHEETS = tuple(LAYOUTS)  # the printed sheets a game may be played on

_CELL = "[RYGB]([2-9]|1[0-2])"
Id = Annotated[str, Length(1, LONGEST_ID), About("makes it safe to send twice")]
SeatNumber = Annotated[int, Between(0, MOST_SEATS - 1)]
SpaceNumber = Annotated[int, Between(0, SPACES)]
Dice = Annotated[
    Text, Written("^W[1-6] W[1-6]( R[1-6])?( Y[1-6])?( G[1-6])?( B[1-6])?$", "W3 W4 R2 Y5 G6 B1")
]
CellName = Annotated[Text, Written(f"^{_CELL}$", "R7")]
SheetText = Annotated[Text, Written(f"^(empty|({_CELL}|M[1-4])( {_CELL}| M[1-4])*)$", "R2 R5 G12 M1")]
Absent = Annotated[Literal["", "play", "leave"], About("those who have no phone here")]


@dataclass(frozen=True, slots=True)
class AnyWish:
    """What may stand in every wish."""

    id: Id | None = None
    seat: Annotated[SeatNumber, About("who asks; may be left out by a phone with one seat")] | None = None
    owner: Annotated[SeatNumber, About("for whom, if not for the own seat")] | None = None
    helping: Annotated[bool, About("for another player, on purpose")] = False
    moment: Annotated[Text, About("of the view it was made for: refused as stale after that")] | None = None


@dataclass(frozen=True, slots=True)
class EnterRoll:
    """The dice, entered by hand."""

    dice: Dice


@dataclass(frozen=True, slots=True)
class ThrowVirtualDice:
    """Dice for those without any at hand."""


@dataclass(frozen=True, slots=True)
class CrossCell:
    """A cross in action 1 or 2."""

    cell: CellName
    action: Annotated[int, Between(1, 2)] = 1


@dataclass(frozen=True, slots=True)
class TakeCrossBack:
    """The newest choice is taken back."""


@dataclass(frozen=True, slots=True)
class SayDone:
    """Nothing more in this action."""


@dataclass(frozen=True, slots=True)
class TakeDoneBack:
    """There is something more after all."""


@dataclass(frozen=True, slots=True)
class MovePiece:
    """In action 3, onto a space of the board."""

    space: SpaceNumber


@dataclass(frozen=True, slots=True)
class AskToMoveOn:
    """The active player wants to go on without those who still decide."""


@dataclass(frozen=True, slots=True)
class CorrectDice:
    """The dice lay otherwise."""

    dice: Dice


@dataclass(frozen=True, slots=True)
class CorrectSheet:
    """Somebody's sheet is otherwise."""

    owner: SeatNumber
    sheet: SheetText


@dataclass(frozen=True, slots=True)
class CorrectPiece:
    """Somebody's piece stands elsewhere; 0 is the start."""

    owner: SeatNumber
    space: SpaceNumber


@dataclass(frozen=True, slots=True)
class SitOut:
    """A player is away for a while."""


@dataclass(frozen=True, slots=True)
class PlayNoMore:
    """A player leaves this game."""


@dataclass(frozen=True, slots=True)
class ComeBack:
    """Who sat out plays again."""


@dataclass(frozen=True, slots=True)
class ReopenTurn:
    """Back to the start of this turn, or of one so many turns before."""

    back: Annotated[int, Between(0, MOST_BACK)] = 0


@dataclass(frozen=True, slots=True)
class StopGame:
    """The game ends without a winner."""


@dataclass(frozen=True, slots=True)
class StartGame:
    """A first game; what is not said is as in the settings."""

    absent: Absent = ""
    first: Annotated[SeatNumber, About("by lot if it is left out")] | None = None
    games: Annotated[int, Between(1, MOST_GAMES)] = 1
    edition: Edition = Edition.ORIGINAL
    sheet: Annotated[str, OneOf(SHEETS)] = SHEETS[0]
    locks: LocksTakeEffect | None = None
    board: Annotated[Text, About("the name of one of the boards that the view offers")] = ""
    scores_hidden: bool | None = None
    pass_by_itself: bool | None = None
    patience: Patience | None = None
    hints: Hints | None = None
    pace: Pace | None = None
    leaning: Leaning | None = None


@dataclass(frozen=True, slots=True)
class PlayAgain:
    """The next game of the series, or the same once more."""

    absent: Absent = ""


@dataclass(frozen=True, slots=True)
class ClearTable:
    """A finished game leaves the table."""


@dataclass(frozen=True, slots=True)
class OrderSeats:
    """The old seat numbers in the new order."""

    order: Annotated[tuple[SeatNumber, ...], Length(0, MOST_ITEMS)]


@dataclass(frozen=True, slots=True)
class LeaveSeat:
    """A seat is given up."""


@dataclass(frozen=True, slots=True)
class SeatProgram:
    """A player of the program sits down."""

    level: Level


@dataclass(frozen=True, slots=True)
class FreeSeat:
    """No phone holds that seat any more."""


CommandKind = (
    EnterRoll
    | ThrowVirtualDice
    | CrossCell
    | TakeCrossBack
    | SayDone
    | TakeDoneBack
    | MovePiece
    | CorrectDice
    | CorrectSheet
    | CorrectPiece
    | SitOut
    | PlayNoMore
    | ComeBack
    | ReopenTurn
    | StopGame
    | StartGame
    | PlayAgain
    | ClearTable
    | OrderSeats
    | LeaveSeat
    | SeatProgram
    | FreeSeat
)
WishKind = CommandKind | AskToMoveOn

WISHES: Kinds[AnyWish, WishKind] = Kinds(
    "do",
    AnyWish,
    {
        "roll": EnterRoll,
        "roll-virtual": ThrowVirtualDice,
        "cross": CrossCell,
        "take-back": TakeCrossBack,
        "done": SayDone,
        "take-back-done": TakeDoneBack,
        "move": MovePiece,
        "move-on": AskToMoveOn,
        "correct-dice": CorrectDice,
        "correct-sheet": CorrectSheet,
        "correct-piece": CorrectPiece,
        "sit-out": SitOut,
        "play-no-more": PlayNoMore,
        "come-back": ComeBack,
        "reopen": ReopenTurn,
        "stop": StopGame,
        "start": StartGame,
        "again": PlayAgain,
        "clear": ClearTable,
        "order": OrderSeats,
        "leave": LeaveSeat,
        "seat-program": SeatProgram,
        "free": FreeSeat,
    },
)
