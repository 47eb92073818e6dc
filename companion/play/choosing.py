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
class ChoiceOptions:
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


@dataclass(frozen=True)
class Foreseen:
    """What every seat would choose in a turn if nobody else did: all that can be known of the sealed."""

    first: Index  # [game, seat]
    second: Index  # [game]: the active player's action 2 after these

    def __getitem__(self, index: Index) -> "Foreseen":
        return Foreseen(self.first[index], self.second[index])


def others_first(
    games: Games, dice: Dice, game: Index, seat: Index, foreseen: Foreseen | None = None
) -> ChoiceOptions:
    """Action 1 of seats that are not active, beside what is foreseen of the others, or beside nothing."""
    decision, choice = with_pass(games.legal_first(dice)[game, seat])
    game, seat = game[decision], seat[decision]
    after = games[game]
    after.cross_first(dice[game], _beside(after, foreseen and foreseen[game], seat, choice))
    if foreseen is None:
        after.saved[:] = True  # what the active player does is not judged here
    else:
        _cross_second_if_legal(after, dice[game], foreseen.second[game])
    after.finish_turn()
    return ChoiceOptions(decision, choice, after)


def active_first(games: Games, dice: Dice, foreseen: Foreseen | None = None) -> ChoiceOptions:
    """Action 1 of the active players, before their other actions."""
    count = len(games)
    decision, choice = with_pass(games.legal_first(dice)[np.arange(count), games.active])
    after = games[decision]
    after.cross_first(dice[decision], _beside(after, foreseen and foreseen[decision], after.active, choice))
    return ChoiceOptions(decision, choice, after)


def _beside(games: Games, foreseen: Foreseen | None, seat: Index, choice: Index) -> Index:
    """Everybody's choices of action 1: the seat's own, and what is foreseen of the others."""
    count = len(games)
    choices = np.full((count, games.kind.players), PASS) if foreseen is None else foreseen.first.copy()
    choices[np.arange(count), seat] = choice
    return choices


def _cross_second_if_legal(games: Games, dice: Dice, second: Index) -> None:
    """What was foreseen may have become impossible: its row was closed by another choice."""
    legal = games.legal_second(dice)[np.arange(len(games)), second]  # of PASS some other, and not looked at
    games.cross_second(dice, np.where(legal, second, PASS))


def active_second(games: Games, dice: Dice) -> ChoiceOptions:
    """Action 2 after action 1 has closed; games that ended have their pass only."""
    decision, choice = with_pass(games.legal_second(dice))
    after = games[decision]
    after.cross_second(dice[decision], choice)
    return ChoiceOptions(decision, choice, after)


def active_third(games: Games) -> ChoiceOptions:
    """Action 3 of On Board."""
    decision, choice = with_pass(games.legal_third())
    after = games[decision]
    after.move(choice)
    return ChoiceOptions(decision, choice, after)


@dataclass(frozen=True)
class Judging:
    """Takes the choice whose outcome its judge thinks worth most, all actions of the turn weighed."""

    judge: Judge

    def first(self, games: Games, dice: Dice, seats: Flags) -> Index:
        return self.first_beside(games, dice, seats, None)

    def first_beside(self, games: Games, dice: Dice, seats: Flags, foreseen: Foreseen | None) -> Index:
        chosen = np.full(seats.shape, PASS)
        active = np.zeros_like(seats)
        active[np.arange(len(games)), games.active] = True
        asked = games.legal_first(dice).any(axis=2) & seats
        game, seat = np.nonzero(asked & ~active)
        if len(game):
            options = others_first(games, dice, game, seat, foreseen)
            worths = self.judge.worth(options.after, seat[options.decision])
            chosen[game, seat] = options.choice[options.best(worths)]
        game, seat = np.nonzero(asked & active)
        if len(game):
            options = active_first(games[game], dice[game], foreseen and foreseen[game])
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


@dataclass(frozen=True)
class Foreseeing(Judging):
    """Weighs its choices of action 1 beside those that the others will probably make at the same moment."""

    def first(self, games: Games, dice: Dice, seats: Flags) -> Index:
        return self.first_beside(games, dice, seats, self.foreseen(games, dice))

    def foreseen(self, games: Games, dice: Dice) -> Foreseen | None:
        """By its own judgement; None where there is nobody else."""
        if games.kind.players == 1:
            return None
        first = self.first_beside(games, dice, np.ones((len(games), games.kind.players), np.bool_), None)
        after = games[np.arange(len(games))]
        after.cross_first(dice, first)
        return Foreseen(first, self.second(after, dice))
