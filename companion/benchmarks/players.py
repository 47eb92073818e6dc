"""How well the players of the program play, against known strategies and themselves, and how fast."""

import statistics
import time
from collections.abc import Iterator, Sequence

import numpy as np

from companion.benchmarks import reviews
from companion.benchmarks.figure import Figure, at_least, at_most, plain
from companion.boards import house_board
from companion.game import Level
from companion.play.advice import Moment, judge_of, weigh
from companion.play.choosing import Foreseeing, Judging
from companion.play.games import Games, Kind, roll
from companion.play.judgement import judgement
from companion.play.levels import EASY, HARD, MEDIUM, player_of
from companion.play.players import Player, Random, play_games
from companion.play.strategies import FewestSkips, FourWeights
from companion.rules import CLASSIC, MIXX_A, MIXX_B

DUELS = 4000
TWO = Kind(CLASSIC, 2)
SEED = 20
OTHER_SHEETS = {
    "mixx-a": Kind(MIXX_A, 2),
    "mixx-b": Kind(MIXX_B, 2),
    "on board": Kind(CLASSIC, 2, house_board().front),
}
SURE = 1.96  # standard errors of a 95 % interval


def figures() -> Iterator[Figure]:
    hard: Player = Foreseeing(judgement())
    yield at_least("random games of two", random_games(), 20_000, "games/s")
    yield won("hard against the four weights", hard, Judging(FourWeights()), 60)
    yield won("hard against fewest skips", hard, FewestSkips(), 57)
    for name, kind in OTHER_SHEETS.items():
        rival: Player = Judging(FourWeights())
        yield won(f"hard against the four weights, {name}", Foreseeing(judge_of(kind)), rival, 60, 1000, kind)
    yield won("hard against easy", level(HARD), level(EASY), 90, games=400)
    yield won("hard against medium", level(HARD), level(MEDIUM), 50, games=400)
    for seats, aim in ((1, 0), (2, 71), (3, 0), (4, 64), (5, 0)):
        name, found = f"average of hard with itself, {seats} players", average(hard, seats)
        yield at_least(name, found, aim, "points") if aim else plain(name, found, "points")
    taken = decisions()
    yield at_most("a decision, median", statistics.median(taken), 5, "ms")
    yield at_most("a decision, the slowest", max(taken), 50, "ms")
    yield from reviews.figures()


def level(which: Level) -> Player:
    return player_of(which, Kind(CLASSIC, 2), np.random.default_rng(SEED))


def random_games(seconds: float = 3.0, at_once: int = 4000) -> float:
    rng, count, began = np.random.default_rng(SEED), 0, time.process_time()
    owners, first = np.zeros((at_once, 2), np.int8), np.zeros(at_once, np.intp)
    while (taken := time.process_time() - began) < seconds:
        play_games(Kind(CLASSIC, 2), [Random(rng)], owners, first, rng)
        count += at_once
    return count / taken


def won(name: str, one: Player, other: Player, aim: float, games: int = DUELS, kind: Kind = TWO) -> Figure:
    """Games in both seats and with both beginning; ties half; the 95 % interval stands in the name."""
    rng, number = np.random.default_rng(SEED), np.arange(games)
    owners = np.stack([number % 2, 1 - number % 2], axis=1).astype(np.int8)
    scores = play_games(kind, [one, other], owners, number // 2 % 2, rng).scores
    own, others = scores[number, number % 2], scores[number, 1 - number % 2]
    results = np.where(own > others, 1.0, np.where(own == others, 0.5, 0.0))
    off = SURE * float(results.std()) / games**0.5 * 100
    points = f"{own.mean():.1f} to {others.mean():.1f} points"
    return at_least(f"{name}, {points}, ±{off:.1f}", 100 * float(results.mean()), aim, "%")


def average(player: Player, seats: int, games: int = 2000) -> float:
    rng = np.random.default_rng(SEED)
    owners = np.zeros((games, seats), np.int8)
    return float(
        play_games(Kind(CLASSIC, seats), [player], owners, np.arange(games) % seats, rng).scores.mean()
    )


def decisions(wanted: int = 300) -> Sequence[float]:
    """Milliseconds of action 1 of active players, where most is to be weighed, in games of four."""
    rng, hard, taken = np.random.default_rng(SEED), Foreseeing(judgement()), list[float]()
    kind = Kind(CLASSIC, 4)
    while len(taken) < wanted:
        games = Games.begin(kind, np.zeros(1, np.intp))
        while not games.over[0]:
            dice = roll(1, rng)
            moment = Moment(games, dice, int(games.active[0]), 1)
            began = time.process_time()
            weigh(moment)
            taken.append(1000 * (time.process_time() - began))
            games.cross_first(dice, hard.first(games, dice, np.ones((1, 4), np.bool_)))
            games.cross_second(dice, hard.second(games, dice))
            games.finish_turn()
    return taken
