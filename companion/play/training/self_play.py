"""Games of a judgement against itself, with what came of each position."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.play.expected import over
from companion.play.features import Features, features
from companion.play.games import Games, Index, Kind, roll
from companion.play.judgement import Judgement
from companion.play.players import Player, play_turn

RETURN_WEIGHT = 0.8  # of what came later, against what the judgement expected one turn later


@dataclass(frozen=True)
class Lessons:
    """Positions as seats saw them, and what came of them: points, margin (both absolute), win."""

    seen: Features
    came: NDArray[np.float32]


def lessons(
    kind: Kind, judgement: Judgement | None, players: Sequence[Player], count: int, rng: np.random.Generator
) -> Lessons:
    """`count` games among the players, seats given at random; judged as the judgement stands."""
    games = Games.begin(kind, rng.integers(0, kind.players, count))
    owners = rng.integers(0, len(players), (count, kind.players)).astype(np.int8)
    numbers = np.arange(count)
    told: list[tuple[Index, Features]] = []
    came = np.zeros((count, kind.players, 3), np.float32)
    while len(games):
        play_turn(games, roll(len(games), rng), players, owners)
        done, going = games.over, ~games.over
        if done.any():
            came[numbers[done]] = _ends(games[done])
            games, numbers, owners = games[going], numbers[going], owners[going]
        if len(games):
            seats = np.tile(np.arange(kind.players), len(games))
            told.append((numbers, features(games[np.repeat(np.arange(len(games)), kind.players)], seats)))
    return _backwards(told, came, judgement)


def _ends(games: Games) -> NDArray[np.float32]:
    columns = []
    for seat in range(games.kind.players):
        known = over(games, np.full(len(games), seat))
        columns.append(np.stack([known.points, known.margin, known.win], axis=1))
    return np.stack(columns, axis=1)


def _backwards(
    told: Sequence[tuple[Index, Features]], came: NDArray[np.float32], judgement: Judgement | None
) -> Lessons:
    """From the ends to the beginnings: what came, mixed with what was expected one turn later."""
    targets = []
    for numbers, seen in reversed(told):
        targets.append(came[numbers].reshape(-1, 3))
        if judgement is not None:
            expected = judgement.before_the_end(seen)
            mixed = (1 - RETURN_WEIGHT) * expected + RETURN_WEIGHT * targets[-1]
            came[numbers] = mixed.reshape(len(numbers), -1, 3)
    parts = [seen for _, seen in reversed(told)]
    return Lessons(
        Features(
            np.concatenate([part.own for part in parts]),
            np.concatenate([part.others for part in parts]),
            np.concatenate([part.numbers for part in parts]),
        ),
        np.concatenate(targets),
    )
