"""Which dice are taken for leaning too far, by their feet and their sides."""

from dataclasses import replace
from itertools import pairwise

import pytest

from tests.faces import TWO, kinds
from vision.dice.flatness import stands_flat
from vision.dice.leaning import Lean
from vision.dice.standing import Stand
from vision.reading import Leaning, ProblemKind


@pytest.mark.parametrize("told", [0.04, 0.06])
def test_the_farther_a_foot_is_off_and_the_more_sides_show_the_more_a_die_leans(told: float) -> None:
    def flat(stray: float, sides: float) -> float:
        return stands_flat(Stand(stray, 1.0), Lean(sides, (0.3, 0.0), told))

    strays, chances = (0.0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.8), (0.01, 0.1, 0.5, 0.9, 0.98, 0.999, 0.9999)
    for less, more in pairwise(strays):
        assert all(flat(more, sides) <= flat(less, sides) for sides in chances)
    for less, more in pairwise(chances):
        assert all(flat(stray, more) <= flat(stray, less) for stray in strays)


def test_a_die_that_leans_by_fifteen_degrees_is_read_and_one_that_leans_by_forty_is_asked_about() -> None:
    little = replace(TWO[0], lean=Lean(0.5, (0.26, 0.0), 0.05), stand=Stand(0.26, 1.0))
    assert kinds(little, TWO[1]) == []
    assert kinds(replace(little, stand=Stand(0.68, 1.0)), TWO[1]) == [ProblemKind.DIE_LEANS]


def test_where_leaning_dice_are_rolled_again_one_by_fifteen_degrees_is_asked_about() -> None:
    little = replace(TWO[0], lean=Lean(0.5, (0.26, 0.0), 0.05), stand=Stand(0.26, 1.0))
    assert little.leans(Leaning.ROLLED_AGAIN)
    assert not little.leans(Leaning.AS_IT_LIES)
    assert kinds(little, TWO[1], leaning=Leaning.ROLLED_AGAIN) == [ProblemKind.DIE_LEANS]
    assert kinds(*TWO, leaning=Leaning.ROLLED_AGAIN) == []


def test_a_foot_plainly_out_of_its_place_counts_though_no_side_is_seen() -> None:
    """A camera that looks along the top of a leaning die sees none of its sides."""
    assert stands_flat(Stand(0.61, 1.07), Lean(0.04, (0.03, -0.08), 0.05)) < 0.5
    assert stands_flat(Stand(0.3, 0.9), Lean(0.04, (-0.2, 0.2), 0.09)) > 0.5


def test_a_foot_told_badly_is_a_question_where_the_sides_say_that_it_leans() -> None:
    unclear = Lean(0.8, (0.3, 0.0), 0.16)
    assert stands_flat(Stand(0.24, 1.0), unclear) < 0.5
    assert stands_flat(Stand(0.05, 1.0), replace(unclear, chance=0.3)) > 0.5
    assert stands_flat(Stand(0.24, 1.0), replace(unclear, stray=0.05)) > 0.5
    assert stands_flat(Stand(0.0, 1.0), Lean(0.02, (0.0, 0.0), 0.25)) < 0.5  # and so is one that nobody sees


def test_a_side_taken_for_a_top_is_not_believed() -> None:
    side = Stand(0.1, 0.95, against=0.3)
    assert stands_flat(side, TWO[0].lean) < 0.5
    assert stands_flat(replace(side, against=0.0), TWO[0].lean) > 0.5
