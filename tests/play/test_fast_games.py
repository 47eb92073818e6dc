"""Many games at once, held beside the engine turn by turn: it stays the judge of what is legal."""

import itertools
from typing import SupportsInt

import numpy as np
import pytest

from companion.boards import house_board
from companion.game import (
    Crossed,
    Done,
    Edition,
    Event,
    Game,
    HouseRules,
    LocksTakeEffect,
    Moved,
    Phase,
    Rolled,
    Setup,
)
from companion.play.games import PASS, SECOND_COLOURS, Dice, Games, Index, kind_of, roll
from companion.play.layouts import Flags
from companion.rules import COLOURS, LAYOUTS, Cell, Roll
from tests.playing import NAMES

GAMES_OF_A_KIND = 40  # of 54 kinds: more than two thousand in all
EAGERNESS = 0.85


def setups() -> list[Setup]:
    found = []
    for layout, locks in itertools.product(LAYOUTS.values(), LocksTakeEffect):
        house = HouseRules(locks, pass_by_itself=False)
        for players in range(1, 6):
            found.append(Setup(NAMES[:players], 0, Edition.ORIGINAL, layout, None, house))
            if players <= Edition.ON_BOARD.most_players:
                side = house_board().side(("front", "back")[players % 2])
                found.append(Setup(NAMES[:players], 0, Edition.ON_BOARD, layout, side, house))
    return found


def cell(colour: SupportsInt, number: SupportsInt) -> Cell:
    return Cell(COLOURS[int(colour)], int(number))


def rolled(game: Game, dice: Dice, index: int) -> Roll:
    white = (int(dice.white[index, 0]), int(dice.white[index, 1]))
    coloured = zip(COLOURS, dice.coloured[index], strict=True)
    return Roll.of(white, [(colour, int(pips)) for colour, pips in coloured if colour in game.dice_in_play])


def played(game: Game, *chosen: Event) -> Game:
    """What the active player chose, and Done."""
    for event in (*chosen, Done(game.active)):
        game = game.apply(event)
    return game


class Pair:
    """The same games twice: as the engine's values, and as arrays."""

    def __init__(self, setup: Setup, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.engine = [Game.begin(setup) for _ in range(GAMES_OF_A_KIND)]
        self.fast = Games.of(self.engine)

    def compare(self) -> None:
        assert [game.phase is Phase.OVER for game in self.engine] == self.fast.over.tolist()
        assert [list(game.scores) for game in self.engine] == self.fast.scores.tolist()
        shown = Games.of(self.engine)
        going = ~self.fast.over
        for name in ("rows", "misthrows", "closed", "pieces"):
            assert (getattr(shown, name) == getattr(self.fast, name)).all(), name
        assert (shown.active == self.fast.active)[going].all()

    def chosen(self, legal: Flags) -> Index:
        """Any legal choice, or none now and then."""
        drawn = self.rng.random(legal.shape) * legal
        eager = self.rng.random(legal.shape[:-1]) < EAGERNESS
        return np.where(legal.any(axis=-1) & eager, drawn.argmax(axis=-1), PASS)

    def first(self, dice: Dice) -> None:
        legal = self.fast.legal_first(dice)
        choices = self.chosen(legal)
        for index, before in enumerate(self.engine):
            game = before.apply(Rolled(rolled(before, dice, index)))
            total = dice.white_sum[index]
            for seat in range(game.players):
                cells = {cell(colour, total) for colour in np.flatnonzero(legal[index, seat])}
                assert cells == set(game.legal_first(seat))
                if (choice := choices[index, seat]) != PASS:
                    game = game.apply(Crossed(seat, cell(choice, total)))
            for seat in range(game.players):
                game = game.apply(Done(seat))
            self.engine[index] = game
        self.fast.cross_first(dice, choices)

    def second(self, dice: Dice) -> None:
        legal, sums = self.fast.legal_second(dice), dice.sums
        choices = self.chosen(legal)
        for index, game in enumerate(self.engine):
            options = {
                cell(SECOND_COLOURS[choice], sums[index, choice]) for choice in np.flatnonzero(legal[index])
            }
            assert options == set(game.legal_second())
            if game.phase is Phase.SECOND:
                crosses = []
                if (choice := choices[index]) != PASS:
                    crosses.append(Crossed(game.active, cell(SECOND_COLOURS[choice], sums[index, choice]), 2))
                self.engine[index] = played(game, *crosses)
        self.fast.cross_second(dice, choices)

    def third(self) -> None:
        legal, landings = self.fast.legal_third(), self.fast.landings()
        choices = self.chosen(legal)
        for index, game in enumerate(self.engine):
            assert landings[index][legal[index]].tolist() == list(game.landings())
            if game.phase is Phase.THIRD:
                moves = []
                if (choice := choices[index]) != PASS:
                    moves.append(Moved(game.active, int(landings[index, choice])))
                self.engine[index] = played(game, *moves)
        self.fast.move(choices)

    def without_ended(self) -> None:
        self.engine = [game for game in self.engine if game.phase is not Phase.OVER]
        self.fast = self.fast[~self.fast.over]


@pytest.mark.parametrize("setup", setups(), ids=lambda setup: str(setup)[:40])
def test_games_in_lock_step_are_what_the_engine_plays(setup: Setup) -> None:
    pair = Pair(setup, seed=len(setup.players))
    while pair.engine:
        dice = roll(len(pair.engine), pair.rng)
        pair.first(dice)
        pair.second(dice)
        if setup.board is not None:
            pair.third()
        pair.fast.finish_turn()
        pair.compare()
        pair.without_ended()


def test_games_of_the_engine_come_as_the_kind_they_are() -> None:
    setup = setups()[-1]
    kind = kind_of(Game.begin(setup))
    assert (kind.layout, kind.players, kind.side) == (setup.layout, len(setup.players), setup.board)
    assert kind.locks_at_once == (setup.house.locks_take_effect is LocksTakeEffect.AT_ONCE)
