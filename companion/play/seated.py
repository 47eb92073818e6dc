"""What a player of the program decides for its seat. Sees no choice that is still open."""

from dataclasses import dataclass

import numpy as np

from companion.game import Game, Level
from companion.play.advice import Moment
from companion.play.choosing import Judge, Judging, Worths
from companion.play.games import PASS, Games, Index, Kind
from companion.play.judgement import weights_of
from companion.play.levels import player_of
from companion.play.players import Player
from companion.play.simulation import Simulation
from companion.play.strategies import FourWeights
from companion.rules import COLOURS, Cell

NAMES = ("Ada", "Blaise", "Emmy", "Pierre", "Sofia", "Jakob", "Florence", "Carl", "Maryam", "Andrei")


SHORTLIST = 6  # positions that are played to the end
TIMES = 24


@dataclass(frozen=True)
class Shortlisted:
    """For one decision: what looks good at a glance is judged by simulation, the rest is left."""

    quick: Judge
    thorough: Judge

    def worth(self, games: Games, seats: Index) -> Worths:
        glance = self.quick.worth(games, seats)
        best = np.argsort(-glance, kind="stable")[:SHORTLIST]
        worths = np.full(glance.shape, -np.inf, np.float32)
        worths[best] = self.thorough.worth(games[best], seats[best])
        return worths


def _player(level: Level, kind: Kind, seed: int) -> Player:
    if level is Level.HARD and weights_of(kind) is None:
        return Judging(Shortlisted(FourWeights(), Simulation(TIMES)))
    return player_of(level, kind, np.random.default_rng(seed))


def decide(game: Game, seat: int, level: Level, seed: int) -> Cell | int | None:
    """The cell to cross, in action 3 the space to land on; None: a pass.

    The same seed decides the same way, so that a turn that is opened again goes as it went."""
    moment = Moment.of_game(game, seat)
    games, dice = moment.games, moment.dice
    player = _player(level, games.kind, seed)
    if moment.action == 1:
        asked = np.zeros((1, games.kind.players), np.bool_)
        asked[0, seat] = True
        choice = int(player.first(games, dice, asked)[0, seat])
        return None if choice == PASS else Cell(COLOURS[choice], int(dice.white_sum[0]))
    if moment.action == 2:
        choice = int(player.second(games, dice)[0])
        return None if choice == PASS else dice.second_cell(choice)
    choice = int(player.third(games)[0])
    return None if choice == PASS else int(games.landings()[0, choice])
