"""What an average throw gives to a seat, everything after it played as in `weigh`. Knows no past game."""

from functools import cache

import numpy as np

from companion.play.advice import foresee
from companion.play.choosing import (
    ChoiceOptions,
    Foreseen,
    active_first,
    active_second,
    active_third,
    others_first,
)
from companion.play.expected import Expected, Expects
from companion.play.games import Dice, Games
from companion.play.judgement import WIN_WEIGHT
from companion.play.layouts import COLOUR_COUNT

TIMES = 6  # each throw of the white dice comes with so many of the coloured ones
TIMES_ON_BOARD = 2  # where each is followed by five moves more
SEED = 1


@cache
def throws(times: int = TIMES) -> Dice:
    """All throws of the white dice, evenly, with coloured dice that come as evenly as they can."""
    white = np.array([(first, second) for first in range(1, 7) for second in range(1, 7)] * times, np.int8)
    rng, even = np.random.default_rng(SEED), np.tile(np.arange(1, 7, dtype=np.int8), len(white) // 6)
    return Dice(white, np.stack([rng.permutation(even) for _ in range(COLOUR_COUNT)], axis=1))


def average_points(judge: Expects, before: Games) -> list[float]:
    """The points expected of each seat after the best choices of each throw, on average."""
    dice = throws(TIMES if before.kind.side is None else TIMES_ON_BOARD)
    games = before[np.zeros(len(dice.white), np.intp)]
    foreseen = foresee(judge, games, dice)
    return [
        _active(judge, games, dice, foreseen)
        if seat == before.active[0]
        else _other(judge, games, dice, foreseen, seat)
        for seat in range(before.kind.players)
    ]


def _active(judge: Expects, games: Games, dice: Dice, foreseen: Foreseen | None) -> float:
    seat = int(games.active[0])
    first = active_first(games, dice, foreseen)
    second = active_second(first.after, dice[first.decision])
    after_first = _best(second, _after_second(judge, second.after, seat))
    return float(_best(first, after_first).points.mean())


def _after_second(judge: Expects, games: Games, seat: int) -> Expected:
    if games.kind.side is None:
        games.finish_turn()
        return judge.expected(games, np.full(len(games), seat))
    third = active_third(games)
    third.after.finish_turn()
    return _best(third, judge.expected(third.after, _seats(third, seat)))


def _other(judge: Expects, games: Games, dice: Dice, foreseen: Foreseen | None, seat: int) -> float:
    options = others_first(games, dice, np.arange(len(games)), np.full(len(games), seat), foreseen)
    return float(_best(options, judge.expected(options.after, _seats(options, seat))).points.mean())


def _seats(options: ChoiceOptions, seat: int) -> np.ndarray:
    return np.full(len(options.after), seat)


def _best(options: ChoiceOptions, expected: Expected) -> Expected:
    return expected[options.best(expected.worth(WIN_WEIGHT))]
