"""A player that weighs every legal choice by what the position after it is worth to its seat."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from companion.play.games import PASS, Dice, Games, Index
from companion.play.layouts import Flags

Worths = NDArray[np.float32]


class Judge(Protocol):
    """What positions between two turns are worth."""

    def worth(self, games: Games, seats: Index) -> Worths:
        """Of each game to one of its seats; the greater the better. Games may be over."""


@dataclass(frozen=True)
class Options:
    """Choices and the games after them; options of one decision stand together, its pass first."""

    decision: Index  # which of the decisions asked for
    choice: Index
    after: Games

    def best(self, worths: Worths) -> Index:
        """The place of each decision's best option, in the order of the decisions."""
        starts = np.flatnonzero(np.r_[True, self.decision[1:] != self.decision[:-1]])
        most = np.maximum.reduceat(worths, starts)
        reached = worths == np.repeat(most, np.diff(np.r_[starts, len(worths)]))
        places = np.flatnonzero(reached)
        kept = np.r_[True, self.decision[places[1:]] != self.decision[places[:-1]]]
        return places[kept]


def with_pass(legal: Flags) -> tuple[Index, Index]:
    """Each decision's pass and legal choices, as pairs of decision and choice."""
    decision, choice = np.nonzero(np.c_[np.ones(len(legal), np.bool_), legal])
    return decision, choice + PASS


def others_first(games: Games, dice: Dice, game: Index, seat: Index) -> Options:
    """Action 1 of seats that are not active; what the others do now is not known, and left out."""
    decision, choice = with_pass(games.legal_first(dice)[game, seat])
    game, seat = game[decision], seat[decision]
    after = games[game]
    choices = np.full((len(game), games.kind.players), PASS)
    choices[np.arange(len(game)), seat] = choice
    after.cross_first(dice[game], choices)
    after.saved[:] = True  # what the active player does is not judged here
    after.finish_turn()
    return Options(decision, choice, after)


def active_first(games: Games, dice: Dice) -> Options:
    """Action 1 of the active players, before their other actions."""
    count = len(games)
    decision, choice = with_pass(games.legal_first(dice)[np.arange(count), games.active])
    after = games[decision]
    choices = np.full((len(decision), games.kind.players), PASS)
    choices[np.arange(len(decision)), after.active] = choice
    after.cross_first(dice[decision], choices)
    return Options(decision, choice, after)


def active_second(games: Games, dice: Dice) -> Options:
    """Action 2 after action 1 has closed; games that ended have their pass only."""
    decision, choice = with_pass(games.legal_second(dice))
    after = games[decision]
    after.cross_second(dice[decision], choice)
    return Options(decision, choice, after)


def active_third(games: Games) -> Options:
    """Action 3 of On Board."""
    decision, choice = with_pass(games.legal_third())
    after = games[decision]
    after.move(choice)
    return Options(decision, choice, after)


@dataclass(frozen=True)
class Judging:
    """Takes the choice whose outcome its judge thinks worth most, all actions of the turn weighed."""

    judge: Judge

    def first(self, games: Games, dice: Dice, seats: Flags) -> Index:
        chosen = np.full(seats.shape, PASS)
        active = np.zeros_like(seats)
        active[np.arange(len(games)), games.active] = True
        asked = games.legal_first(dice).any(axis=2) & seats
        game, seat = np.nonzero(asked & ~active)
        if len(game):
            options = others_first(games, dice, game, seat)
            worths = self.judge.worth(options.after, seat[options.decision])
            chosen[game, seat] = options.choice[options.best(worths)]
        game, seat = np.nonzero(asked & active)
        if len(game):
            options = active_first(games[game], dice[game])
            worths = self.after_first(options.after, dice[game[options.decision]])
            chosen[game, seat] = options.choice[options.best(worths)]
        return chosen

    def second(self, games: Games, dice: Dice) -> Index:
        options = active_second(games, dice)
        return options.choice[options.best(self.after_second(options.after))]

    def third(self, games: Games) -> Index:
        options = active_third(games)
        return options.choice[options.best(self.after_turn(options.after))]

    # --- what games are worth to their active players in the middle of a turn ----------------------------

    def after_first(self, games: Games, dice: Dice) -> Worths:
        options = active_second(games, dice)
        worths = self.after_second(options.after)
        return worths[options.best(worths)]

    def after_second(self, games: Games) -> Worths:
        if games.kind.side is None:
            return self.after_turn(games)
        options = active_third(games)
        worths = self.after_turn(options.after)
        return worths[options.best(worths)]

    def after_turn(self, games: Games) -> Worths:
        seats = games.active.copy()
        games.finish_turn()
        return self.judge.worth(games, seats)
