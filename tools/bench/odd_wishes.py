"""What phones might send: each kind of wish as a page would send it now, spoilt ones, and anything at all."""

import random
from collections.abc import Callable, Mapping

from companion.benchmarks.wishes import a_roll
from companion.game import Game, Phase
from companion.rules import COLOURS, Colour
from companion.table.snapshot import Snapshot
from companion.view import WISHES
from companion.view import wish_kinds as kinds
from companion.view.wish_kinds import WishKind
from tools.bench.drawn import drawn_kind, drawn_object, spoilt

Json = dict[str, object]

MOST_SEATS = 5
ODD: tuple[object, ...] = (
    None,
    True,
    -1,
    0,
    1,
    2.0,
    7,
    10**30,
    "",
    "x",
    "R7",
    "R2 R3 R4 R5 R6 R12",
    [],
    [0, 1],
    [1, 0, 2],
    {},
)
FIELDS = tuple(dict.fromkeys(key for kind in WISHES.of.values() for key in WISHES.keys(kind)))


def likely(snapshot: Snapshot, rng: random.Random) -> Json:
    """Something a page would send at this moment."""
    found = [kind for kind, fits in WHEN.items() if fits(snapshot)] or [kinds.StartGame]
    weights = [OFTEN.get(kind, 1) for kind in found]
    kind = rng.choices(found, weights)[0]
    return _made(kind, snapshot, rng)


def odd(snapshot: Snapshot, rng: random.Random) -> object:
    """A likely wish or any legal one, spoilt; or one put together from whatever there is."""
    if rng.random() < 0.1:
        return rng.choice(ODD)
    word = rng.choice(list(WISHES.of))
    wish = likely(snapshot, rng) if rng.random() < 0.5 else drawn_kind(WISHES, word, rng)
    if rng.random() < 0.5:
        return spoilt(WISHES, wish, rng)
    for _ in range(rng.randint(1, 3)):
        wish[rng.choice(FIELDS)] = rng.choice(ODD)
    return wish


# --- what may be wished when --------------------------------------------------------------------------------


def _is_lobby(snapshot: Snapshot) -> bool:
    return snapshot.game is None


def _has_seats(snapshot: Snapshot) -> bool:
    return snapshot.game is None and bool(snapshot.seats)


def _has_program(snapshot: Snapshot) -> bool:
    return snapshot.game is None and any(seat.level for seat in snapshot.seats)


def _is_in(*phases: Phase) -> Callable[[Snapshot], bool]:
    return lambda snapshot: snapshot.game is not None and snapshot.game.phase in phases


_PLAYED = _is_in(Phase.ROLL, Phase.FIRST, Phase.SECOND, Phase.THIRD)
_DECIDED = _is_in(Phase.FIRST, Phase.SECOND, Phase.THIRD)


def _has_crossed(snapshot: Snapshot) -> bool:
    turn = snapshot.game.turn if snapshot.game else None
    return turn is not None and _DECIDED(snapshot) and any(turn.choices)


def _has_board(snapshot: Snapshot) -> bool:
    return _PLAYED(snapshot) and snapshot.game is not None and bool(snapshot.game.pieces)


def _has_away(snapshot: Snapshot) -> bool:
    return _PLAYED(snapshot) and snapshot.game is not None and bool(snapshot.game.away)


WHEN: Mapping[type[WishKind], Callable[[Snapshot], bool]] = {
    kinds.StartGame: _has_seats,
    kinds.OrderSeats: _has_seats,
    kinds.LeaveSeat: _has_seats,
    kinds.SeatProgram: lambda snapshot: _has_seats(snapshot) and not _has_program(snapshot),
    kinds.FreeSeat: lambda snapshot: bool(snapshot.seats),
    kinds.PlayAgain: _is_in(Phase.OVER),
    kinds.ClearTable: _is_in(Phase.OVER),
    kinds.EnterRoll: _is_in(Phase.ROLL),
    kinds.ThrowVirtualDice: _is_in(Phase.ROLL),
    kinds.CrossCell: _is_in(Phase.FIRST, Phase.SECOND),
    kinds.TakeCrossBack: _has_crossed,
    kinds.SayDone: _DECIDED,
    kinds.TakeDoneBack: _is_in(Phase.FIRST),
    kinds.MovePiece: _is_in(Phase.THIRD),
    kinds.AskToMoveOn: _is_in(Phase.FIRST),
    kinds.CorrectDice: _DECIDED,
    kinds.CorrectSheet: _PLAYED,
    kinds.CorrectPiece: _has_board,
    kinds.SitOut: _PLAYED,
    kinds.PlayNoMore: _PLAYED,
    kinds.ComeBack: _has_away,
    kinds.ReopenTurn: _is_in(Phase.ROLL, Phase.FIRST, Phase.SECOND, Phase.THIRD, Phase.OVER),
    kinds.StopGame: _PLAYED,
}
OFTEN: Mapping[type[WishKind], int] = {
    kinds.StartGame: 4,
    kinds.ClearTable: 3,
    kinds.AskToMoveOn: 4,
    kinds.EnterRoll: 12,
    kinds.ThrowVirtualDice: 12,
    kinds.CrossCell: 20,
    kinds.SayDone: 24,
    kinds.MovePiece: 20,
    kinds.ComeBack: 6,
}


def _made(kind: type[WishKind], snapshot: Snapshot, rng: random.Random) -> Json:
    """Of that kind: its fields drawn as they may be, those put right that only the table can tell."""
    sent = {WISHES.tag: _word(kind), **drawn_object(kind, rng)}
    game = snapshot.game
    if game is None:
        return sent | _in_lobby(kind, snapshot, rng)
    people = [number for number, seat in enumerate(snapshot.seats) if seat.level is None] or [0]
    sent |= _in_game(kind, game, rng.choice(people), rng.randrange(game.players), rng)
    if sent["seat"] in people:
        return sent
    return {"owner": sent["seat"], **sent, "seat": rng.choice(people)}  # somebody plays for the program


def _word(kind: type[WishKind]) -> str:
    return next(word for word, each in WISHES.of.items() if each is kind)


def _in_lobby(kind: type[WishKind], snapshot: Snapshot, rng: random.Random) -> Json:
    seats = max(1, len(snapshot.seats))
    programs = [number for number, seat in enumerate(snapshot.seats) if seat.level]
    if kind is kinds.OrderSeats:
        return {"order": rng.sample(range(seats), seats)}
    if kind is kinds.StartGame:
        on_board: Json = {"edition": "on-board", "sheet": "classic", "board": "house-front"}
        usual: Json = {"board": "", "patience": rng.choice((0, 1))}
        played: Json = (
            on_board
            if seats < MOST_SEATS and rng.random() < 0.5
            else {"edition": rng.choice(("original", "deluxe"))}
        )
        return {**usual, "first": rng.randrange(seats), **played}
    if kind is kinds.LeaveSeat:
        return {"owner": rng.choice(programs or range(seats))}
    return {}


def _in_game(kind: type[WishKind], game: Game, seat: int, owner: int, rng: random.Random) -> Json:
    """Who asks, for whom, and values that go with the game."""
    decides = rng.choice(game.deciding or (game.active,))
    if kind in (kinds.EnterRoll, kinds.ThrowVirtualDice, kinds.CorrectDice, kinds.AskToMoveOn):
        colours = game.dice_in_play if game.turn is None else game.turn.roll.colours
        has_dice = kind in (kinds.EnterRoll, kinds.CorrectDice)
        return {"seat": game.active, **({"dice": _dice(colours, rng)} if has_dice else {})}
    if kind in (kinds.SayDone, kinds.TakeCrossBack):
        return {"seat": decides}
    if kind is kinds.TakeDoneBack:
        return {"seat": next((each for each in range(game.players) if game.may_take_back_done(each)), seat)}
    if kind is kinds.CrossCell:
        return {"seat": decides, **_cross(game, decides, rng)}
    if kind is kinds.MovePiece:
        return {"seat": game.active, "space": rng.choice(game.landings() or (1,))}
    if kind is kinds.CorrectSheet:
        return {"seat": seat, "owner": owner, "sheet": rng.choice(("R2 R3", str(game.sheets[owner])))}
    if kind is kinds.CorrectPiece:
        return {"seat": seat, "owner": owner}
    if kind is kinds.ComeBack:
        return {"seat": seat, "owner": rng.choice((*game.away, seat))}
    if kind is kinds.ReopenTurn:
        return {"seat": seat, "back": rng.choice((0, 0, 1, 2))}
    if kind in (kinds.SitOut, kinds.PlayNoMore, kinds.FreeSeat):
        return {"seat": seat, "owner": owner}
    return {"seat": seat}


def _dice(colours: frozenset[Colour], rng: random.Random) -> str:
    return str(a_roll(colours or frozenset(COLOURS), rng))


def _cross(game: Game, seat: int, rng: random.Random) -> Json:
    action = 1 if game.phase is Phase.FIRST else 2
    legal = game.legal_first(seat) if action == 1 else game.legal_second()
    return {"cell": str(rng.choice(legal)), "action": action} if legal else {}
