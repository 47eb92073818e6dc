"""What a position is worth where nothing was learnt: played to the end many times, and averaged."""

from dataclasses import dataclass

import numpy as np

from companion.play.choosing import Judging
from companion.play.expected import Expected, Values, over
from companion.play.games import Games, Index, roll
from companion.play.judgement import WIN_WEIGHT
from companion.play.players import play_turn
from companion.play.strategies import FourWeights

TIMES = 48
SEED = 1  # the same position is worth the same each time it is asked about


@dataclass(frozen=True)
class Simulation:
    """Everybody plays on by the four-weight strategy, over dice that are the same for all positions."""

    times: int = TIMES
    win_weight: float = WIN_WEIGHT

    def expected(self, games: Games, seats: Index) -> Expected:
        positions = len(games)
        begun = np.tile(np.arange(positions), self.times)
        ends = self._play_on(games[begun], positions)
        known = over(ends, seats[begun])
        shape = (self.times, positions)
        return Expected(
            known.points.reshape(shape).mean(axis=0),
            known.margin.reshape(shape).mean(axis=0),
            known.win.reshape(shape).mean(axis=0),
        )

    def worth(self, games: Games, seats: Index) -> Values:
        return self.expected(games, seats).worth(self.win_weight)

    def _play_on(self, games: Games, positions: int) -> Games:
        """All games played to their ends; those of the same number of times see the same dice."""
        rng, ends = np.random.default_rng(SEED), games[np.arange(len(games))]
        numbers, player = np.flatnonzero(~games.over), Judging(FourWeights())
        games = games[numbers]
        while len(games):
            dice = roll(self.times, rng)[numbers // positions]
            play_turn(games, dice, [player], np.zeros((len(games), games.kind.players), np.int8))
            done, going = games.over, ~games.over
            ends.put(numbers[done], games[done])
            games, numbers = games[going], numbers[going]
        return ends
