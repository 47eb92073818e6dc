"""What random players at a table want next: mostly what is allowed. Reproducible from a seed."""

import random

from companion.game import (
    CameBack,
    Crossed,
    DiceCorrected,
    Done,
    Game,
    HouseRules,
    Phase,
    PlaysNoMore,
    Reopened,
    Rolled,
    SatOut,
    Setup,
    SheetCorrected,
    Source,
    TookBack,
    TookBackDone,
)
from companion.rules import COLOURS, Colour, Roll, Sheet
from companion.table.seats import Mark, SeatTaken
from companion.table.series import MOST_GAMES
from companion.table.snapshot import GameStarted, Snapshot, What

PLAYERS = ("Anna", "Ben", "Cleo")
HOUSE = HouseRules(patience=1)


def wish(snapshot: Snapshot, rng: random.Random) -> What:
    """What somebody wants at this moment."""
    seats, game = snapshot.seats, snapshot.game
    if len(seats) < len(PLAYERS):
        return SeatTaken(PLAYERS[len(seats)], tuple(Mark)[len(seats)], None)
    if game is None or game.phase is Phase.OVER:
        return _next_game(snapshot, rng)
    if game.phase is Phase.ROLL or game.turn is None:
        return Rolled(a_roll(game.dice_in_play, rng), Source.VIRTUAL)
    if rng.random() < 0.05 or not game.deciding:
        return _correction(game, game.turn.roll.colours, rng)
    return _choice(game, rng)


def _next_game(snapshot: Snapshot, rng: random.Random) -> GameStarted:
    """Series upon series of five games."""
    series, setup = snapshot.series, Setup(PLAYERS, rng.randrange(len(PLAYERS)), house=HOUSE)
    played = 0 if series is None or series.over else len(series.results)
    return GameStarted(setup, MOST_GAMES, played + 1)


def _choice(game: Game, rng: random.Random) -> What:
    seat = rng.choice(game.deciding)
    action = 1 if game.phase is Phase.FIRST else 2
    legal = game.legal_first(seat) if action == 1 else game.legal_second()
    chosen = game.turn is not None and (game.turn.choices[seat] if action == 1 else game.turn.second)
    if chosen and rng.random() < 0.05:
        return TookBack(seat)
    if legal and not chosen and rng.random() < 0.85:
        return Crossed(seat, rng.choice(legal), action)
    return Done(seat)


def _correction(game: Game, colours: frozenset[Colour], rng: random.Random) -> What:
    """Something put right, or somebody who comes or goes."""
    asks, owner = rng.choice(game.deciding or (0,)), rng.randrange(game.players)
    coming_or_going: list[What] = [SatOut(asks, owner), SatOut(asks, owner), PlaysNoMore(asks, owner)]
    found: list[What] = [
        DiceCorrected(game.active, a_roll(colours, rng)),
        Reopened(game.active),
        SheetCorrected(asks, owner, _without_one(game.sheets[owner], rng)),
        CameBack(asks, owner) if owner in game.away else rng.choice(coming_or_going),
        *([TookBackDone(seat) for seat in range(game.players) if game.may_take_back_done(seat)]),
    ]
    return rng.choice(found)


def _without_one(sheet: Sheet, rng: random.Random) -> Sheet:
    """The sheet with a cross less that somebody had by mistake; the same if that cannot be."""
    return sheet.without({rng.choice(sheet.cells)}) or sheet if sheet.cells else sheet


def a_roll(colours: frozenset[Colour], rng: random.Random) -> Roll:
    pips = [rng.randint(1, 6) for _ in range(2)]
    return Roll.of(
        (pips[0], pips[1]), [(colour, rng.randint(1, 6)) for colour in COLOURS if colour in colours]
    )
