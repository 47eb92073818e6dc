"""Those who choose in many games at once, and whole games between them. Knows no weights."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from companion.play.games import PASS, Dice, Games, Index, Kind, roll
from companion.play.layouts import Flags


class Player(Protocol):
    """Chooses for the seats it is asked for; what it says of other seats is not looked at."""

    def first(self, games: Games, dice: Dice, seats: Flags) -> Index:
        """[game, seat]: a colour each, or PASS, for the seats that are set."""

    def second(self, games: Games, dice: Dice) -> Index:
        """[game]: a choice of action 2 for the active player, or PASS."""

    def third(self, games: Games) -> Index:
        """[game]: a landing of action 3, or PASS."""


@dataclass(frozen=True)
class Random:
    """Any legal cross; passes only where it must."""

    rng: np.random.Generator

    def first(self, games: Games, dice: Dice, seats: Flags) -> Index:  # noqa: ARG002 - all at once is as quick
        return self._any(games.legal_first(dice))

    def second(self, games: Games, dice: Dice) -> Index:
        return self._any(games.legal_second(dice))

    def third(self, games: Games) -> Index:
        return self._any(games.legal_third())

    def _any(self, legal: Flags) -> Index:
        drawn = self.rng.random(legal.shape, dtype=np.float32) * legal
        return np.where(legal.any(axis=-1), drawn.argmax(axis=-1), PASS)


def play_turn(games: Games, dice: Dice, players: Sequence[Player], owners: NDArray[np.int8]) -> None:
    """One turn of all games; `owners` says which of the players has which seat, [game, seat]."""
    firsts = [player.first(games, dice, owners == who) for who, player in enumerate(players)]
    games.cross_first(dice, _pick(firsts, owners))
    games.cross_second(dice, _of_active(games, [player.second(games, dice) for player in players], owners))
    if games.kind.side is not None:
        games.move(_of_active(games, [player.third(games) for player in players], owners))
    games.finish_turn()


def _pick(choices: Sequence[Index], owners: NDArray[np.int8]) -> Index:
    return choices[0] if len(choices) == 1 else np.choose(owners, choices)


def _of_active(games: Games, choices: Sequence[Index], owners: NDArray[np.int8]) -> Index:
    return _pick(choices, owners[np.arange(len(games)), games.active])


@dataclass(frozen=True)
class Finished:
    """How games ended, in the order they were begun."""

    scores: NDArray[np.int64]  # [game, seat]
    turns: int  # of all games


def play_games(
    kind: Kind, players: Sequence[Player], owners: NDArray[np.int8], first: Index, rng: np.random.Generator
) -> Finished:
    """Whole games: seats belong to players as `owners` says, `first` begins."""
    games, numbers = Games.begin(kind, first), np.arange(len(first))
    scores = np.zeros((len(first), kind.players), np.int64)
    turns = 0
    while len(games):
        turns += len(games)
        play_turn(games, roll(len(games), rng), players, owners)
        if games.over.any():
            scores[numbers[games.over]] = games.scores[games.over]
            going = ~games.over
            games, numbers, owners = games[going], numbers[going], owners[going]
    return Finished(scores, turns)
