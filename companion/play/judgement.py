"""What a position is worth: a small network learnt by self-play, run in NumPy. Knows no choices."""

from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from companion.play.choosing import Worths
from companion.play.expected import Expected, over
from companion.play.features import LEARNT, POINTS, Features, features
from companion.play.games import Games, Index, Kind
from companion.rules import CLASSIC, MIXX_A

WEIGHTS = Path(__file__).parent / "weights"
ORIGINAL = WEIGHTS / "original.npz"
OTHER_SHEETS = WEIGHTS / "other-sheets.npz"  # Mixx B, and every sheet with a board
AS_ORIGINAL = (CLASSIC, MIXX_A)  # the numbers of Mixx A run as the original's; only the colours differ
WIN_WEIGHT = 200.0  # a sure win weighs as much as so many points: with less it wins less often
SLICE = 64  # positions
Array = NDArray[np.float32]


class WeightsError(Exception):
    """The weights cannot be read: which file, and why."""


@dataclass(frozen=True)
class JudgementNetwork:
    """Tables of row codes and two layers."""

    own: Array  # [row code, hidden]
    others: Array  # [row code, hidden]
    numbers: Array  # [number, hidden]
    bias: Array
    second: Array
    second_bias: Array
    third: Array
    third_bias: Array

    def answer(self, seen: Features) -> Array:
        """[position, 3]: points and margin still to come, in fifties, and the logit of winning."""
        hidden: Array = _times(seen.numbers, self.numbers) + self.bias
        for column in seen.own.T:
            hidden += self.own[column]
        for column in seen.others.T:
            hidden += self.others[column]
        np.maximum(hidden, 0, out=hidden)
        deeper: Array = np.maximum(_times(hidden, self.second) + self.second_bias, 0)
        answer: Array = deeper @ self.third + self.third_bias
        return answer


def _times(positions: Array, weights: Array) -> Array:
    """In slices so small that no library spreads them over threads, which wait longer than they work."""
    whole = len(positions) // SLICE * SLICE
    found = np.empty((len(positions), weights.shape[1]), np.float32)
    slices = positions[:whole].reshape(-1, SLICE, positions.shape[1])
    found[:whole] = (slices @ weights).reshape(whole, weights.shape[1])
    found[whole:] = positions[whole:] @ weights
    return found


def read_network(file: Path = ORIGINAL) -> JudgementNetwork:
    """The network in that file."""
    try:
        with file.open("rb") as opened, np.load(opened) as arrays:
            return JudgementNetwork(
                **{field.name: arrays[field.name].astype(np.float32) for field in fields(JudgementNetwork)}
            )
    except (OSError, ValueError, KeyError, EOFError, BadZipFile) as error:
        raise WeightsError(f"the weights for judging positions cannot be read from {file}: {error}") from None


def write_network(network: JudgementNetwork, file: Path) -> None:
    """Sixteen bits a number are enough. Whoever reads sees the old file or the new one, never a half."""
    arrays = {
        field.name: getattr(network, field.name).astype(np.float16) for field in fields(JudgementNetwork)
    }
    beside = file.with_suffix(".new.npz")
    np.savez_compressed(beside, **arrays)
    beside.replace(file)


@dataclass(frozen=True)
class Judgement:
    """Weighs positions for the points and the chance of winning."""

    network: JudgementNetwork
    win_weight: float = WIN_WEIGHT

    def expected(self, games: Games, seats: Index) -> Expected:
        known, answer = over(games, seats), self.before_the_end(features(games, seats))
        done = games.over
        if games.kind.players == 1:  # one wins anyway, whatever the network says of it
            return Expected(np.where(done, known.points, answer[:, 0]), known.margin, known.win)
        return Expected(
            np.where(done, known.points, answer[:, 0]),
            np.where(done, known.margin, answer[:, 1]),
            np.where(done, known.win, answer[:, 2]),
        )

    def before_the_end(self, seen: Features) -> Array:
        """[position, 3]: points, margin and chance of winning of games that go on."""
        answer = self.network.answer(seen)
        answer[:, 0] = POINTS * (answer[:, 0] + seen.numbers[:, Features.SCORE])
        answer[:, 1] = POINTS * (answer[:, 1] + seen.numbers[:, Features.AHEAD])
        answer[:, 2] = 1 / (1 + np.exp(-answer[:, 2]))
        return answer

    def worth(self, games: Games, seats: Index) -> Worths:
        return self.expected(games, seats).worth(self.win_weight)


def weights_of(kind: Kind) -> Path | None:
    """The weights that were learnt for such tables; None for a sheet that they have never seen."""
    if kind.layout not in LEARNT:
        return None
    return ORIGINAL if kind.layout in AS_ORIGINAL and kind.side is None else OTHER_SHEETS


@cache
def judgement(file: Path = ORIGINAL) -> Judgement:
    """One that comes with the program, read once."""
    return Judgement(read_network(file))
