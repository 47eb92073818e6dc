"""From a phone's JSON to a command for the table. Refuses by kind, so that every language can word it."""

import secrets
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import TypeVar

from companion.game import (
    CameBack,
    Crossed,
    DiceCorrected,
    Done,
    Edition,
    Hints,
    HouseRules,
    Leaning,
    Level,
    LocksTakeEffect,
    Moved,
    Pace,
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
from companion.rules import COLOURS, LAYOUTS, Cell, Roll, RuleError, Sheet, Side, layout_named
from companion.table.seats import (
    MOST_SEATS,
    ProgramSeated,
    SeatHeld,
    SeatLeft,
    SeatsOrdered,
    free_marks,
    levels,
)
from companion.table.series import MOST_GAMES
from companion.table.snapshot import GameStarted, Snapshot, TableCleared, What
from companion.table.table import Command
from companion.view.fields import Fields, WishError

MOST_PATIENCE = 600
MOST_BACK = 200  # no game has more turns; a larger number would only keep the table busy
Boards = Mapping[str, Side]
NO_BOARDS: Boards = {}
SHEETS = tuple(LAYOUTS)  # the printed sheets a game may be played on
USUAL = HouseRules()


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
    """The wish behind a phone's JSON; WishError or RuleError (also NotationError) says what is wrong."""
    fields = Fields(data)
    do = fields.text("do")
    if do not in WISHES:
        raise WishError("bad-request", f"`do` is one of {', '.join(WISHES)}, got {do!r}")
    seat = _seat(fields, asker, do)
    if do == "move-on":
        return MoveOn(_held(seat))
    owner = fields.number("owner", seat if seat is not None else -1)
    wish = _Wish(fields, snapshot, seat if seat is not None else -1, owner, boards, house)
    by_lot = do == "start" and "first" not in fields and len(snapshot.seats) > 1
    return Command(
        what=WISHES[do](wish),
        id=fields.id(),
        seat=seat,
        helping=fields.yes("helping", default=False) or (seat is not None and owner != seat),
        moment=fields.text_if_given("moment"),
        by_lot=by_lot,
    )


DISPLAY_MAY = frozenset({"start", "again", "clear", "order", "leave", "free", "seat-program"})


def _seat(fields: Fields, asker: Asker, do: str) -> int | None:
    if "seat" not in fields:
        if asker.display and do in DISPLAY_MAY:
            return None
        if len(asker.mine) != 1:
            wanted = "`seat` says for which seat" if asker.mine else "please join first"
            raise WishError("no-seat", f"only a phone with a seat may do that; {wanted}")
        return next(iter(asker.mine))
    seat = fields.number("seat")
    if seat not in asker.mine:
        raise WishError("no-seat", f"this phone does not hold seat {seat}")
    return seat


def _held(seat: int | None) -> int:
    if seat is None:
        raise WishError("no-seat", "only a player may do that")
    return seat


@dataclass(frozen=True, slots=True)
class _Wish:
    fields: Fields
    snapshot: Snapshot
    seat: int
    owner: int
    boards: Boards
    house: HouseRules  # for what the wish does not say


def _roll(wish: _Wish) -> What:
    return Rolled(Roll.parse(wish.fields.text("dice")), Source.HAND)


def _virtual_roll(wish: _Wish, die: Callable[[int], int] = secrets.randbelow) -> What:
    """For those without dice at hand; an honest throw from the system's randomness."""
    game = wish.snapshot.game
    if game is None:
        raise WishError("rule", "no game is being played")
    pips = [1 + die(6) for _ in range(2 + len(COLOURS))]
    coloured = [(c, n) for c, n in zip(COLOURS, pips[2:], strict=True) if c in game.dice_in_play]
    return Rolled(Roll.of((pips[0], pips[1]), coloured), Source.VIRTUAL)


def _cross(wish: _Wish) -> What:
    action = wish.fields.number("action", 1)
    if action not in (1, 2):
        raise WishError("bad-request", f"`action` is 1 or 2, got {action}")
    return Crossed(wish.owner, Cell.parse(wish.fields.text("cell")), action)


def _start(wish: _Wish) -> What:
    """A first game: of a series if `games` is above one, its first player by lot if none is named."""
    fields, house = wish.fields, wish.house
    names = _players(wish)
    games, patience = fields.number("games", 1), fields.number("patience", house.patience)
    if not 1 <= games <= MOST_GAMES or not 0 <= patience <= MOST_PATIENCE:
        allowed = f"`games` is 1 to {MOST_GAMES} and `patience` 0 to {MOST_PATIENCE} seconds"
        raise WishError("bad-request", f"{allowed}, got {games} and {patience}")
    if not names:
        raise WishError("nobody", "somebody has to sit down first")
    setup = Setup(
        players=names,
        first=_first(wish, names),
        edition=_one_of(Edition, fields.text("edition", Edition.ORIGINAL), "edition"),
        layout=layout_named(fields.text("sheet", "classic")),
        board=_board(wish),
        house=HouseRules(
            _one_of(LocksTakeEffect, fields.text("locks", house.locks_take_effect), "locks"),
            fields.yes("scores_hidden", default=house.scores_hidden),
            fields.yes("pass_by_itself", default=house.pass_by_itself),
            patience,
            _one_of(Hints, fields.text("hints", house.hints), "hints"),
            _one_of(Pace, fields.text("pace", house.pace), "pace"),
            _one_of(Leaning, fields.text("leaning", house.leaning), "leaning"),
        ),
        levels=_levels(wish, names),
    )
    return GameStarted(setup, games)


def _players(wish: _Wish) -> tuple[str, ...]:
    """Who plays the next game. Who is not there is in it only if somebody says so."""
    snapshot, said = wish.snapshot, wish.fields.text("absent", "")
    if said not in ("", "play", "leave"):
        raise WishError("bad-request", f"`absent` is play or leave, got {said!r}")
    absent = snapshot.absent
    if absent and not said:
        names = ", ".join(snapshot.coming[seat].name for seat in sorted(absent))
        raise WishError("absent", f"not there: {names}; say with `absent` whether they play or leave")
    return tuple(
        seat.name for number, seat in enumerate(snapshot.coming) if said != "leave" or number not in absent
    )


def _levels(wish: _Wish, names: tuple[str, ...]) -> tuple[Level | None, ...]:
    """Whom of those who play the program plays."""
    return levels(tuple(seat for seat in wish.snapshot.coming if seat.name in names))


def _first(wish: _Wish, names: tuple[str, ...]) -> int:
    """The seat that is named, among those who play; else one by lot."""
    if "first" not in wish.fields:
        return secrets.randbelow(len(names))
    seat, coming = wish.fields.number("first"), wish.snapshot.coming
    if not 0 <= seat < len(coming) or coming[seat].name not in names:
        raise WishError("rule", f"`first` is the seat of somebody who plays, got {seat}")
    return names.index(coming[seat].name)


_Kind = TypeVar("_Kind", Edition, LocksTakeEffect, Hints, Pace, Leaning, Level)


def _one_of(kind: type[_Kind], text: str, name: str) -> _Kind:
    try:
        return kind(text)
    except ValueError:
        raise WishError("bad-request", f"`{name}` is one of {', '.join(kind)}, got {text!r}") from None


def _board(wish: _Wish) -> Side | None:
    name = wish.fields.text("board", "")
    if not name:
        return None
    if name not in wish.boards:
        raise WishError("rule", f"`board` is one of {', '.join(wish.boards) or 'none'}, got {name!r}")
    return wish.boards[name]


def _again(wish: _Wish) -> What:
    """The next game: the next in order begins, a running series of the same players goes on."""
    game, series = wish.snapshot.game, wish.snapshot.series
    if game is None:
        raise WishError("rule", "there is no game to play again")
    old = game.setup
    names = _players(wish)
    if not names:
        raise WishError("nobody", "somebody has to sit down first")
    if len(names) > old.edition.most_players:
        names = old.players  # who came late goes on watching: there is no room for them
    turn = [old.players[(old.first + step) % len(old.players)] for step in range(1, len(old.players) + 1)]
    first = next((names.index(name) for name in turn if name in names), 0)
    playing = _levels(wish, names)
    setup = Setup(names, first, old.edition, old.layout, old.board, old.house, levels=playing)
    if series is None or series.over or series.players != names:
        return GameStarted(setup, series.games if series else 1)
    return GameStarted(setup, series.games, len(series.results) + 1)


def _seat_program(wish: _Wish) -> What:
    """One more player of the program, of a name and a mark that nobody has."""
    seats = wish.snapshot.coming
    level = _one_of(Level, wish.fields.text("level"), "level")
    if len(seats) >= MOST_SEATS:
        raise RuleError(f"all {MOST_SEATS} seats are taken", "full")
    taken = [look_of(seat.name) for seat in seats]
    name = next(name for name in NAMES if look_of(name) not in taken)
    return ProgramSeated(name, free_marks(seats)[0], level)


def _reopen(wish: _Wish) -> What:
    back = wish.fields.number("back", 0)
    if not 0 <= back <= MOST_BACK:
        raise WishError("bad-request", f"`back` is 0 to {MOST_BACK} turns, got {back}")
    return Reopened(wish.seat, back)


WISHES: Mapping[str, Callable[[_Wish], What]] = {
    "roll": _roll,
    "roll-virtual": _virtual_roll,
    "cross": _cross,
    "take-back": lambda wish: TookBack(wish.owner),
    "done": lambda wish: Done(wish.owner),
    "take-back-done": lambda wish: TookBackDone(wish.owner),
    "move": lambda wish: Moved(wish.owner, wish.fields.number("space")),
    "move-on": lambda wish: Done(wish.owner),  # read as MoveOn before
    "correct-dice": lambda wish: DiceCorrected(wish.seat, Roll.parse(wish.fields.text("dice"))),
    "correct-sheet": lambda wish: SheetCorrected(
        wish.seat, wish.fields.number("owner"), Sheet.parse(wish.fields.text("sheet"))
    ),
    "correct-piece": lambda wish: PieceCorrected(
        wish.seat, wish.fields.number("owner"), wish.fields.number("space")
    ),
    "sit-out": lambda wish: SatOut(wish.seat, wish.owner),
    "play-no-more": lambda wish: PlaysNoMore(wish.seat, wish.owner),
    "come-back": lambda wish: CameBack(wish.seat, wish.owner),
    "reopen": _reopen,
    "stop": lambda wish: Stopped(wish.seat),
    "start": _start,
    "again": _again,
    "clear": lambda _: TableCleared(),
    "order": lambda wish: SeatsOrdered(wish.fields.whole_numbers("order")),
    "leave": lambda wish: SeatLeft(wish.owner),
    "seat-program": _seat_program,
    "free": lambda wish: SeatHeld(wish.owner, None),
}
