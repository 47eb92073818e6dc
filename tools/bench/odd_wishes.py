"""What phones might send, as JSON: mostly what is allowed now, sometimes anything at all. From a seed."""

import random

from companion.benchmarks.wishes import a_roll
from companion.game import Edition, Game, Phase
from companion.rules import COLOURS
from companion.table.snapshot import Snapshot
from companion.view.wishes import WISHES

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
FIELDS = ("seat", "owner", "cell", "action", "dice", "sheet", "space", "back", "order", "games")
MORE_FIELDS = ("first", "edition", "board", "locks", "patience", "helping", "moment", "id", "scores_hidden")


def likely(snapshot: Snapshot, rng: random.Random) -> Json:
    """Something a page would send at this moment."""
    game = snapshot.game
    if game is None:
        return _lobby(snapshot, rng)
    if game.phase is Phase.OVER:
        return {"do": rng.choice(("again", "again", "clear")), "absent": rng.choice(("", "play", "leave"))}
    if rng.random() < 0.08:
        return _correction(game, rng)
    if game.phase is Phase.ROLL:
        dice = str(a_roll(game.dice_in_play, rng))
        by_hand: Json = {"do": "roll", "dice": dice}
        return rng.choice((by_hand, {"do": "roll-virtual", "seat": game.active}))
    return _choice(game, rng)


def _lobby(snapshot: Snapshot, rng: random.Random) -> Json:
    if len(snapshot.seats) > 1 and rng.random() < 0.2:
        order = rng.sample(range(len(snapshot.seats)), len(snapshot.seats))
        changed: Json = {"do": "order", "order": order}
        return rng.choice((changed, {"do": "leave", "seat": order[0]}))
    start: Json = {
        "do": "start",
        "absent": rng.choice(("", "play", "leave")),
        "games": rng.choice((1, 1, 3)),
        "patience": rng.choice((0, 0, 1)),
    }
    start |= {"locks": rng.choice(("at once", "at the turn's end"))} if rng.random() < 0.2 else {}
    return start | {
        "edition": rng.choice(list(Edition)),
        "sheet": rng.choice(("classic", "mixx-a", "mixx-b")),
    }


def _choice(game: Game, rng: random.Random) -> Json:
    seat = rng.choice(game.deciding or (game.active,))
    if game.phase is Phase.THIRD:
        spaces = game.landings()
        if spaces and rng.random() < 0.7:
            return {"do": "move", "seat": seat, "space": rng.choice(spaces)}
        return {"do": "done", "seat": seat}
    action = 1 if game.phase is Phase.FIRST else 2
    legal = game.legal_first(seat) if action == 1 else game.legal_second()
    if legal and rng.random() < 0.6:
        return {"do": "cross", "seat": seat, "cell": str(rng.choice(legal)), "action": action}
    return {"do": rng.choice(("done", "done", "done", "take-back")), "seat": seat}


def _correction(game: Game, rng: random.Random) -> Json:
    seat, owner = rng.randrange(game.players), rng.randrange(game.players)
    dice = str(a_roll(frozenset(COLOURS) if game.turn is None else game.turn.roll.colours, rng))
    found: tuple[Json, ...] = (
        {"do": "correct-dice", "seat": game.active, "dice": dice},
        {"do": "correct-sheet", "seat": seat, "owner": game.active, "sheet": "R2 R3"},
        {"do": "correct-sheet", "seat": seat, "owner": seat, "sheet": str(game.sheets[seat])},
        {"do": "correct-piece", "seat": seat, "owner": game.active, "space": rng.randrange(41)},
        {"do": "take-back-done", "seat": seat},
        {
            "do": rng.choice(("sit-out", "play-no-more")),
            "seat": seat,
            "owner": owner,
        },
        {"do": "come-back", "seat": seat, "owner": rng.choice((*game.away, seat))},
        {"do": "reopen", "seat": seat, "back": rng.choice((0, 0, 1, 2))},
        {"do": "move-on", "seat": game.active},
        {"do": "stop", "seat": seat} if rng.random() < 0.1 else {"do": "done", "seat": seat},
    )
    return rng.choice(found)


def odd(snapshot: Snapshot, rng: random.Random) -> object:
    """Anything: a likely wish spoilt, or one put together from whatever there is."""
    if rng.random() < 0.1:
        return rng.choice(ODD)
    known: Json = {"do": rng.choice((*WISHES, "fly"))}
    wish = likely(snapshot, rng) if rng.random() < 0.5 else known
    for _ in range(rng.randint(1, 3)):
        wish[rng.choice((*FIELDS, *MORE_FIELDS))] = rng.choice(ODD)
    return wish
