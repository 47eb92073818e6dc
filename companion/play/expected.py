"""What is expected of positions: points, margin, chance of winning. Knows nobody who expects."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from companion.play.games import Games, Index

Values = NDArray[np.float32]


@dataclass(frozen=True)
class Expected:
    """Of one seat in each position."""

    points: Values  # its own at the end
    margin: Values  # over the best of the others
    win: Values  # chance of winning, ties half

    def __getitem__(self, index: Index) -> "Expected":
        return Expected(self.points[index], self.margin[index], self.win[index])

    def worth(self, win_weight: float) -> Values:
        """What choices are compared by; alone everybody wins, so there it is the points."""
        return self.points + np.float32(win_weight) * self.win


class Expects(Protocol):
    """Who can say what is expected of positions between two turns."""

    def expected(self, games: Games, seats: Index) -> Expected: ...

    def worth(self, games: Games, seats: Index) -> Values: ...


def over(games: Games, seats: Index) -> Expected:
    """What is known of games that are over, and what would be of others if they ended now."""
    scores, index = games.scores.astype(np.float32), np.arange(len(games))
    own = scores[index, seats]
    if games.kind.players == 1:
        return Expected(own, np.zeros_like(own), np.ones_like(own))
    scores[index, seats] = -np.inf
    best = scores.max(axis=1)
    win = np.where(own > best, 1.0, np.where(own == best, 0.5, 0.0))
    return Expected(own, own - best, win.astype(np.float32))
