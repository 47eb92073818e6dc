"""What a past game was worth: the review of whole games."""

import numpy as np
import pytest

from companion.boards import house_board
from companion.game import Edition, Game, Setup
from companion.game.record import Record
from companion.past.average import TIMES, TIMES_ON_BOARD, average_points, throws
from companion.past.review import review
from companion.past.turns import replay
from companion.play.advice import Moment, judge_of, weigh
from companion.play.games import Games
from companion.play.simulation import Simulation
from companion.rules import MIXX_B
from tests.random_games import any_record

SETUPS = {
    "two": Setup(("Anna", "Max")),
    "four": Setup(("Anna", "Max", "Ben", "Cleo")),
    "alone": Setup(("Anna",)),
    "mixx": Setup(("Anna", "Max", "Ben"), layout=MIXX_B),
    "on board": Setup(("Anna", "Max", "Ben"), 0, Edition.ON_BOARD, board=house_board().back),
}


@pytest.mark.parametrize("setup", SETUPS.values(), ids=SETUPS)
def test_a_random_game_has_its_costs_its_luck_and_its_chances(setup: Setup) -> None:
    told = list[float]()
    found = review(replay(any_record(7, setup)), told.append)
    assert [turn.turn for turn in found.turns] == list(range(1, len(found.turns) + 1))
    assert told[-1] == 1.0
    for turn in found.turns:
        assert len(turn.wins) == len(setup.players)
        assert all(0 <= win <= 1 for win in turn.wins)
    assert all(decision.worth >= 0 for decision in found.decisions)
    assert found.decisive[0].worth == max(decision.worth for decision in found.decisions)
    for seat in range(len(setup.players)):
        assert found.mean_loss(seat) > 0  # who chooses at random loses something


BOARD = Setup(("Anna", "Max"), 0, Edition.ON_BOARD, board=house_board().front)
MIXX = Setup(("Anna", "Max"), 0, layout=MIXX_B)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("setup", [SETUPS["two"], MIXX, BOARD], ids=["original", "mixx", "on board"])
def test_luck_is_measured_against_what_all_throws_bring_on_average(setup: Setup, seat: int) -> None:
    """With the same eyes: else every throw would seem lucky."""
    begun = Games.of([Game.begin(setup)])
    found = []
    judge, dice = judge_of(begun.kind), throws(TIMES if setup.board is None else TIMES_ON_BOARD)
    for number in range(len(dice.white)):
        roll = dice[np.array([number])]
        found.append(weigh(Moment(begun, roll, seat, 1), judge)[0].points)
    assert average_points(judge, begun)[seat] == pytest.approx(np.mean(found), abs=0.01)


def test_who_takes_the_best_choice_loses_nothing_by_it() -> None:
    found = review(replay(any_record(3, SETUPS["two"])))
    right = [decision for decision in found.decisions if decision.chosen == decision.best]
    assert right
    assert all(decision.worth == 0 and decision.win == 0 for decision in right)


@pytest.mark.parametrize(
    ("setup", "actions"),
    [(BOARD, {1, 2, 3}), (MIXX, {1, 2})],
    ids=["on board", "mixx"],
)
def test_what_was_not_learnt_is_reviewed_by_simulation(setup: Setup, actions: set[int]) -> None:
    whole = any_record(5, setup)
    found = review(replay(Record(setup, whole.events[:40])), judge=Simulation(times=2))
    assert {decision.action for decision in found.decisions} == actions
    assert all(decision.worth >= 0 for decision in found.decisions)
