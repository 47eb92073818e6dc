"""From a phone's JSON to a command for the table. Refuses by kind, so that every language can word it."""

import secrets
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import TypeVar

from companion.game import (
    Crossed,
    DiceCorrected,
    Done,
    Edition,
    HouseRules,
    LocksTakeEffect,
    Moved,
    Reopened,
    Rolled,
    Setup,
    SheetCorrected,
    Source,
    Stopped,
    TookBack,
)
from companion.rules import COLOURS, LAYOUTS, Cell, Roll, Sheet, Side, layout_named
from companion.seats import SeatHeld, SeatLeft, SeatsOrdered
from companion.series import MOST_GAMES
from companion.snapshot import GameStarted, Snapshot, TableCleared, What
from companion.table import Command

LONGEST_ID = 64
MOST_PATIENCE = 600
MOST_BACK = 200  # no game has more turns; a larger number would only keep the table busy
Boards = Mapping[str, Side]
NO_BOARDS: Boards = {}
SHEETS = tuple(LAYOUTS)  # the printed sheets a game may be played on
USUAL = HouseRules()


class WishError(ValueError):
    """A wish that cannot be read, or is not this phone's to make: a kind to translate and English words."""

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


class _Fields:
    """One wish's JSON object, read field by field."""

    def __init__(self, data: object) -> None:
        if not isinstance(data, dict):
            raise WishError(
                "bad-request", f"a wish is an object with a field `do`, got {type(data).__name__}"
            )
        self.data: dict[str, object] = data

    def text(self, name: str, default: str | None = None) -> str:
        found = self.data.get(name, default)
        if not isinstance(found, str):
            raise WishError("bad-request", f"`{name}` is a text, got {found!r}")
        return found

    def number(self, name: str, default: int | None = None) -> int:
        found = whole(self.data.get(name, default))
        if found is None:
            raise WishError("bad-request", f"`{name}` is a whole number, got {self.data.get(name)!r}")
        return found

    def yes(self, name: str, *, default: bool = False) -> bool:
        found = self.data.get(name, default)
        if not isinstance(found, bool):
            raise WishError("bad-request", f"`{name}` is true or false, got {found!r}")
        return found

    def numbers(self, name: str) -> tuple[int, ...]:
        found = self.data.get(name)
        numbers = [whole(item) for item in found] if isinstance(found, list) else [None]
        if None in numbers:
            raise WishError("bad-request", f"`{name}` is a list of whole numbers, got {found!r}")
        return tuple(number for number in numbers if number is not None)


def whole(found: object) -> int | None:
    """The whole number of a JSON value: 2.0 is one too, true is none."""
    if isinstance(found, float) and found.is_integer():
        return int(found)
    return found if isinstance(found, int) and not isinstance(found, bool) else None


def read_wish(
    data: object, snapshot: Snapshot, asker: Asker, boards: Boards = NO_BOARDS, house: HouseRules = USUAL
) -> Wish:
    """The wish behind a phone's JSON; WishError or RuleError (also NotationError) says what is wrong."""
    fields = _Fields(data)
    do = fields.text("do")
    if do not in WISHES:
        raise WishError("bad-request", f"`do` is one of {', '.join(WISHES)}, got {do!r}")
    seat = _seat(fields, asker, do)
    if do == "move-on":
        return MoveOn(_held(seat))
    owner = fields.number("owner", seat if seat is not None else -1)
    wish = _Wish(fields, snapshot, seat if seat is not None else -1, owner, boards, house)
    identity = fields.data.get("id")
    if identity is not None and not (isinstance(identity, str) and 0 < len(identity) <= LONGEST_ID):
        raise WishError("bad-request", f"`id` is a text of up to {LONGEST_ID} characters, got {identity!r}")
    by_lot = do == "start" and "first" not in fields.data and len(snapshot.seats) > 1
    moment = fields.data.get("moment")
    if moment is not None and not isinstance(moment, str):
        raise WishError("bad-request", f"`moment` is a text, got {moment!r}")
    return Command(
        what=WISHES[do](wish),
        id=identity,
        seat=seat,
        helping=fields.yes("helping", default=False) or (seat is not None and owner != seat),
        moment=moment,
        by_lot=by_lot,
    )


DISPLAY_MAY = frozenset({"start", "again", "clear", "order", "leave", "free"})


def _seat(fields: _Fields, asker: Asker, do: str) -> int | None:
    if "seat" not in fields.data:
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
    fields: _Fields
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
    names = tuple(seat.name for seat in wish.snapshot.seats)
    games, patience = fields.number("games", 1), fields.number("patience", house.patience)
    if not 1 <= games <= MOST_GAMES or not 0 <= patience <= MOST_PATIENCE:
        allowed = f"`games` is 1 to {MOST_GAMES} and `patience` 0 to {MOST_PATIENCE} seconds"
        raise WishError("bad-request", f"{allowed}, got {games} and {patience}")
    if not names:
        raise WishError("nobody", "somebody has to sit down first")
    setup = Setup(
        players=names,
        first=fields.number("first", secrets.randbelow(len(names))),
        edition=_one_of(Edition, fields.text("edition", Edition.ORIGINAL), "edition"),
        layout=layout_named(fields.text("sheet", "classic")),
        board=_board(wish),
        house=HouseRules(
            _one_of(LocksTakeEffect, fields.text("locks", house.locks_take_effect), "locks"),
            fields.yes("scores_hidden", default=house.scores_hidden),
            fields.yes("pass_by_itself", default=house.pass_by_itself),
            patience,
        ),
    )
    return GameStarted(setup, games)


_Kind = TypeVar("_Kind", Edition, LocksTakeEffect)


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
    """The next game of the same players: the next in order begins, a running series goes on."""
    game, series = wish.snapshot.game, wish.snapshot.series
    if game is None:
        raise WishError("rule", "there is no game to play again")
    old = game.setup
    names = tuple(seat.name for seat in wish.snapshot.seats)
    first = (old.first + 1) % len(names) if names else 0
    setup = Setup(names, first, old.edition, old.layout, old.board, old.house)
    if series is None or series.over:
        return GameStarted(setup, series.games if series else 1)
    return GameStarted(setup, series.games, len(series.results) + 1)


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
    "move": lambda wish: Moved(wish.owner, wish.fields.number("space")),
    "move-on": lambda wish: Done(wish.owner),  # read as MoveOn before
    "correct-dice": lambda wish: DiceCorrected(wish.seat, Roll.parse(wish.fields.text("dice"))),
    "correct-sheet": lambda wish: SheetCorrected(
        wish.seat, wish.fields.number("owner"), Sheet.parse(wish.fields.text("sheet"))
    ),
    "reopen": _reopen,
    "stop": lambda wish: Stopped(wish.seat),
    "start": _start,
    "again": _again,
    "clear": lambda _: TableCleared(),
    "order": lambda wish: SeatsOrdered(wish.fields.numbers("order")),
    "leave": lambda wish: SeatLeft(wish.owner),
    "free": lambda wish: SeatHeld(wish.owner, None),
}
