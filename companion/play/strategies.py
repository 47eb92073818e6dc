"""Known ways to play, to measure ourselves against: they look at hardly more than their own sheet."""

from dataclasses import dataclass

import numpy as np

from companion.play.choosing import Worths
from companion.play.games import PASS, SECOND_COLOURS, Dice, Games, Index
from companion.play.layouts import CELL_BITS, CROSSES, REACHED, Bits, Flags
from companion.rules import Layout
from companion.rules.layout import LAST

FAR = 99  # skipped cells of what is not legal
CLOSING = np.float32(1000.0)  # outweighs every other thought


@dataclass(frozen=True)
class FewestSkips:
    """Crosses what skips the fewest cells, if at most so many; more where a misthrow would come of it."""

    most: int = 1
    most_in_need: int = 4

    def first(self, games: Games, dice: Dice, seats: Flags) -> Index:  # noqa: ARG002 - all at once is as quick
        skipped = self._skipped_first(games, dice)
        row = _upper_first(games, np.arange(4), dice.white_sum[:, None])
        best = _fewest(skipped, row[:, None, :])
        fewest = np.take_along_axis(skipped, best[:, :, None], axis=2)[:, :, 0]
        allowed = np.full(fewest.shape, self.most)
        second = self._skipped_second(games, dice).min(axis=1)
        need = second > self.most
        index = np.arange(len(games))
        helps = fewest[index, games.active] <= second
        allowed[index, games.active] = np.where(need & helps, self.most_in_need, self.most)
        return np.where(fewest <= allowed, best, PASS)

    def second(self, games: Games, dice: Dice) -> Index:
        skipped = self._skipped_second(games, dice)
        row = _upper_first(games, SECOND_COLOURS, dice.sums)
        best = _fewest(skipped, row)
        fewest = skipped[np.arange(len(games)), best]
        return np.where(fewest <= np.where(games.saved, self.most, self.most_in_need), best, PASS)

    def third(self, games: Games) -> Index:
        """The farthest space that costs no more than the rest allows."""
        legal = games.legal_third()
        farthest = legal.shape[1] - 1 - legal[:, ::-1].argmax(axis=1)
        return np.where(legal.any(axis=1), farthest, PASS)

    def _skipped_first(self, games: Games, dice: Dice) -> Index:
        printed, numbers = games.kind.printed, dice.white_sum
        row, place = printed.row[:, numbers].T, printed.place[:, numbers].T
        index = np.arange(len(games))[:, None, None]
        bits = games.rows[index, np.arange(games.kind.players)[None, :, None], row[:, None, :]]
        return np.where(games.legal_first(dice), place[:, None, :].astype(np.intp) - REACHED[bits], FAR)

    def _skipped_second(self, games: Games, dice: Dice) -> Index:
        printed, numbers = games.kind.printed, dice.sums
        colour = SECOND_COLOURS
        row, place = printed.row[colour, numbers], printed.place[colour, numbers]
        bits = games.rows[np.arange(len(games))[:, None], games.active[:, None], row]
        return np.where(games.legal_second(dice), place.astype(np.intp) - REACHED[bits], FAR)


def _upper_first(games: Games, colour: Index, numbers: Index) -> Index:
    row: Index = games.kind.printed.row[colour, numbers].astype(np.intp)
    return row


def _fewest(skipped: Index, row: Index) -> Index:
    fewest: Index = (skipped * 8 + row).argmin(axis=-1)
    return fewest


@dataclass(frozen=True)
class FourWeights:
    """A judge of its own sheet: chances of the next numbers, crosses, skipped cells, misthrows."""

    chance: float = 0.491
    misthrow: float = -0.869
    crosses: float = 0.018
    skipped: float = -0.056

    def worth(self, games: Games, seats: Index) -> Worths:
        index = np.arange(len(games))
        rows = games.rows[index, seats]  # [game, row]
        crosses = CROSSES[rows].astype(np.float32)
        reached = REACHED[rows & CELL_BITS].astype(np.intp)
        open_rows = ~games.closed[:, games.kind.printed.lock]
        ways = _ways(games.kind.layout)[np.arange(rows.shape[1]), reached] / 36
        ways = np.where((reached == LAST) & (crosses < games.kind.printed.needs), 0, ways)
        gap = reached - CROSSES[rows & CELL_BITS]
        worth = self.chance * (open_rows * ways * (crosses + 1)).sum(axis=1)
        worth += self.crosses * (crosses**2).sum(axis=1) + self.skipped * (open_rows * gap).sum(axis=1)
        misthrows = games.misthrows[index, seats]
        worth += self.misthrow * misthrows
        return np.asarray(worth + self._closing(games, seats, rows), np.float32)

    def _closing(self, games: Games, seats: Index, rows: Bits) -> Worths:
        """Closes whenever it can; ends the game only when ahead."""
        scores, index = games.scores, np.arange(len(games))
        own = scores[index, seats]
        scores[index, seats] = -FAR
        ahead = own > scores.max(axis=1)
        locks = (rows > CELL_BITS).sum(axis=1)
        worth = CLOSING * locks
        ended = np.where(ahead, 3 * CLOSING, -3 * CLOSING)
        return np.where(games.over, ended, worth).astype(np.float32)


def _ways(layout: Layout) -> Worths:
    """[row, place]: the ways of two dice to make the number printed there; none behind the last."""
    ways = [[6 - abs(7 - cell.number) for cell in row.cells] + [0] for row in layout.rows]
    return np.array(ways, np.float32)
