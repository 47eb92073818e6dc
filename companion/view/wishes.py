"""From a phone's wish to a command for the table. Refuses by kind, so that every language can word it."""

import secrets
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Annotated, TypeVar, assert_never

from boxlid.fields import Between, read
from companion.game import (
    CameBack,
    Crossed,
    DiceCorrected,
    Done,
    HouseRules,
    Level,
    Moved,
    PieceCorrected,
    PlaysNoMore,
    Reopened,
    Rolled,
    SatOut,
    Setup,
    SheetCorrected,
    Source,
    Stopped,
    TookBack,
    TookBackDone,
    look_of,
)
from companion.play.seated import NAMES
from companion.rules import COLOURS, Cell, Roll, RuleError, Sheet, Side, layout_named
from companion.table.seats import (
    MOST_SEATS,
    ProgramSeated,
    SeatHeld,
    SeatLeft,
    SeatsOrdered,
    free_marks,
    levels,
)
from companion.table.snapshot import GameStarted, Snapshot, TableCleared, What
from companion.table.table import Command
from companion.view import wish_kinds as kinds
from companion.view.wish_kinds import WISHES, AnyWish, CommandKind, WishKind

Boards = Mapping[str, Side]
NO_BOARDS: Boards = {}
USUAL = HouseRules()


class WishError(ValueError):
    """What was sent is not this phone's to wish, or not now: a kind to translate and English words."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.kind = kind


@dataclass(frozen=True, slots=True)
class MoveOn:
    """The active player wants to go on without those who still decide."""

    seat: int


Wish = Command | MoveOn


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks: the seats the phone holds; a display holds none and may only begin and clear games."""

    mine: AbstractSet[int]
    display: bool = False


def read_wish(
    data: object, snapshot: Snapshot, asker: Asker, boards: Boards = NO_BOARDS, house: HouseRules = USUAL
) -> Wish:
    """The wish behind a phone's JSON; FieldsError, WishError, RuleError or NotationError says what is wrong.

    Whether the seat is the asker's comes before what is wrong with the rest.
    """
    kind = WISHES.of[WISHES.word(data)]
    seat = _seat(read(_Asking, data, others=True).seat, asker, kind)
    sent = WISHES.read(data)
    if isinstance(sent.kind, kinds.AskToMoveOn):
        return MoveOn(_held(seat))
    return _command(sent.kind, _Wish(snapshot, sent.common, seat, boards, house))


def _command(kind: CommandKind, wish: "_Wish") -> Command:
    common = wish.common
    named = not isinstance(kind, kinds.StartGame) or kind.first is not None
    return Command(
        what=_what(kind, wish),
        id=common.id,
        seat=wish.asking,
        helping=common.helping or (wish.asking is not None and wish.owner != wish.asking),
        moment=common.moment,
        by_lot=not named and len(wish.snapshot.seats) > 1,
    )


_FAR = 10**9  # no seat is called so, nor is a number anything else


@dataclass(frozen=True, slots=True)
class _Asking:
    """Who asks, of whatever else was sent."""

    seat: Annotated[int, Between(-_FAR, _FAR)] | None = None


DISPLAY_MAY = frozenset(
    {
        kinds.StartGame,
        kinds.PlayAgain,
        kinds.ClearTable,
        kinds.OrderSeats,
        kinds.LeaveSeat,
        kinds.FreeSeat,
        kinds.SeatProgram,
    }
)


def _seat(named: int | None, asker: Asker, kind: type[WishKind]) -> int | None:
    if named is None:
        if asker.display and kind in DISPLAY_MAY:
            return None
        if len(asker.mine) != 1:
            wanted = "`seat` says for which seat" if asker.mine else "please join first"
            raise WishError("no-seat", f"only a phone with a seat may do that; {wanted}")
        return next(iter(asker.mine))
    if named not in asker.mine:
        raise WishError("no-seat", f"this phone does not hold seat {named}")
    return named


def _held(seat: int | None) -> int:
    if seat is None:
        raise WishError("no-seat", "only a player may do that")
    return seat


@dataclass(frozen=True, slots=True)
class _Wish:
    """What a wish stands in: the table, who asks, what is played with."""

    snapshot: Snapshot
    common: AnyWish
    asking: int | None
    boards: Boards
    house: HouseRules  # for what the wish does not say

    @property
    def seat(self) -> int:
        return -1 if self.asking is None else self.asking

    @property
    def owner(self) -> int:
        return self.seat if self.common.owner is None else self.common.owner


def _what(kind: CommandKind, wish: _Wish) -> What:  # noqa: C901, PLR0912 - one line for each of the wishes
    seat, owner = wish.seat, wish.owner
    match kind:
        case kinds.EnterRoll(dice):
            return Rolled(Roll.parse(dice), Source.HAND)
        case kinds.ThrowVirtualDice():
            return _virtual_roll(wish.snapshot)
        case kinds.CrossCell(cell, action):
            return Crossed(owner, Cell.parse(cell), action)
        case kinds.TakeCrossBack():
            return TookBack(owner)
        case kinds.SayDone():
            return Done(owner)
        case kinds.TakeDoneBack():
            return TookBackDone(owner)
        case kinds.MovePiece(space):
            return Moved(owner, space)
        case kinds.CorrectDice(dice):
            return DiceCorrected(seat, Roll.parse(dice))
        case kinds.CorrectSheet(_, sheet):
            return SheetCorrected(seat, owner, Sheet.parse(sheet))
        case kinds.CorrectPiece(_, space):
            return PieceCorrected(seat, owner, space)
        case kinds.SitOut():
            return SatOut(seat, owner)
        case kinds.PlayNoMore():
            return PlaysNoMore(seat, owner)
        case kinds.ComeBack():
            return CameBack(seat, owner)
        case kinds.ReopenTurn(back):
            return Reopened(seat, back)
        case kinds.StopGame():
            return Stopped(seat)
        case kinds.StartGame():
            return _start(kind, wish)
        case kinds.PlayAgain(absent):
            return _again(wish.snapshot, absent)
        case kinds.ClearTable():
            return TableCleared()
        case kinds.OrderSeats(order):
            return SeatsOrdered(order)
        case kinds.LeaveSeat():
            return SeatLeft(owner)
        case kinds.SeatProgram(level):
            return _seat_program(wish.snapshot, level)
        case kinds.FreeSeat():
            return SeatHeld(owner, None)
    assert_never(kind)


def _virtual_roll(snapshot: Snapshot, die: Callable[[int], int] = secrets.randbelow) -> What:
    """For those without dice at hand; an honest throw from the system's randomness."""
    game = snapshot.game
    if game is None:
        raise WishError("rule", "no game is being played")
    pips = [1 + die(6) for _ in range(2 + len(COLOURS))]
    coloured = [(c, n) for c, n in zip(COLOURS, pips[2:], strict=True) if c in game.dice_in_play]
    return Rolled(Roll.of((pips[0], pips[1]), coloured), Source.VIRTUAL)


def _start(kind: kinds.StartGame, wish: _Wish) -> What:
    """A first game: of a series if `games` is above one, its first player by lot if none is named."""
    snapshot, house = wish.snapshot, wish.house
    names = _players(snapshot, kind.absent)
    if not names:
        raise WishError("nobody", "somebody has to sit down first")
    setup = Setup(
        players=names,
        first=_first(kind.first, snapshot, names),
        edition=kind.edition,
        layout=layout_named(kind.sheet),
        board=_board(kind.board, wish.boards),
        house=HouseRules(
            _said(kind.locks, house.locks_take_effect),
            _said(kind.scores_hidden, house.scores_hidden),
            _said(kind.pass_by_itself, house.pass_by_itself),
            _said(kind.patience, house.patience),
            _said(kind.hints, house.hints),
            _said(kind.pace, house.pace),
            _said(kind.leaning, house.leaning),
        ),
        levels=_levels(snapshot, names),
    )
    return GameStarted(setup, kind.games)


_T = TypeVar("_T")


def _said(wanted: _T | None, usual: _T) -> _T:
    return usual if wanted is None else wanted


def _players(snapshot: Snapshot, said: str) -> tuple[str, ...]:
    """Who plays the next game. Who is not there is in it only if somebody says so."""
    absent = snapshot.absent
    if absent and not said:
        names = ", ".join(snapshot.coming[seat].name for seat in sorted(absent))
        raise WishError("absent", f"not there: {names}; say with `absent` whether they play or leave")
    return tuple(
        seat.name for number, seat in enumerate(snapshot.coming) if said != "leave" or number not in absent
    )


def _levels(snapshot: Snapshot, names: tuple[str, ...]) -> tuple[Level | None, ...]:
    """Whom of those who play the program plays."""
    return levels(tuple(seat for seat in snapshot.coming if seat.name in names))


def _first(named: int | None, snapshot: Snapshot, names: tuple[str, ...]) -> int:
    """The seat that is named, among those who play; else one by lot."""
    if named is None:
        return secrets.randbelow(len(names))
    coming = snapshot.coming
    if named >= len(coming) or coming[named].name not in names:
        raise WishError("rule", f"`first` is the seat of somebody who plays, got {named}")
    return names.index(coming[named].name)


def _board(name: str, boards: Boards) -> Side | None:
    if not name:
        return None
    if name not in boards:
        raise WishError("rule", f"`board` is one of {', '.join(boards) or 'none'}, got {name!r}")
    return boards[name]


def _again(snapshot: Snapshot, absent: str) -> What:
    """The next game: the next in order begins, a running series of the same players goes on."""
    game, series = snapshot.game, snapshot.series
    if game is None:
        raise WishError("rule", "there is no game to play again")
    old = game.setup
    names = _players(snapshot, absent)
    if not names:
        raise WishError("nobody", "somebody has to sit down first")
    if len(names) > old.edition.most_players:
        names = old.players  # who came late goes on watching: there is no room for them
    turn = [old.players[(old.first + step) % len(old.players)] for step in range(1, len(old.players) + 1)]
    first = next((names.index(name) for name in turn if name in names), 0)
    playing = _levels(snapshot, names)
    setup = Setup(names, first, old.edition, old.layout, old.board, old.house, levels=playing)
    if series is None or series.over or series.players != names:
        return GameStarted(setup, series.games if series else 1)
    return GameStarted(setup, series.games, len(series.results) + 1)


def _seat_program(snapshot: Snapshot, level: Level) -> What:
    """One more player of the program, of a name and a mark that nobody has."""
    seats = snapshot.coming
    if len(seats) >= MOST_SEATS:
        raise RuleError(f"all {MOST_SEATS} seats are taken", "full")
    taken = [look_of(seat.name) for seat in seats]
    name = next(name for name in NAMES if look_of(name) not in taken)
    return ProgramSeated(name, free_marks(seats)[0], level)
