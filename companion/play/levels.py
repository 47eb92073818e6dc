"""How well players of the program's own play: easy, medium, hard. Knows no names and no table."""

from dataclasses import dataclass
from typing import assert_never

import numpy as np

from companion.game import Level
from companion.play.advice import judge_of
from companion.play.choosing import Foreseeing, Judge, Judging, Worths
from companion.play.games import Games, Index, Kind
from companion.play.players import Player
from companion.play.strategies import FewestSkips, FourWeights

WAVERS = 0.11  # an easy player's, in the unit of the four weights: hard wins nine games in ten against it


EASY, MEDIUM, HARD = Level


@dataclass(frozen=True)
class Wavering:
    """A judge that is off by a little each time, as people are."""

    judge: Judge
    by: float
    rng: np.random.Generator

    def worth(self, games: Games, seats: Index) -> Worths:
        worths = self.judge.worth(games, seats)
        return worths + self.rng.gumbel(0, self.by, worths.shape).astype(np.float32)


def player_of(level: Level, kind: Kind, rng: np.random.Generator) -> Player:
    match level:
        case Level.EASY:
            return Judging(Wavering(FourWeights(), WAVERS, rng))
        case Level.MEDIUM:
            return FewestSkips() if kind.side is None else Judging(FourWeights())
        case Level.HARD:
            return Foreseeing(judge_of(kind))
    assert_never(level)
