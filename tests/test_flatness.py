"""Which dice are taken for leaning, by their feet, their sides and their size."""

from dataclasses import replace
from itertools import pairwise

import pytest

from tests.faces import TWO, kinds
from vision.leaning import Lean
from vision.reading import ProblemKind
from vision.standing import Stand


def test_a_die_that_has_nothing_to_lean_on_is_believed_to_lean_less_soon() -> None:
    astray = replace(TWO[0], lean=Lean(0.8, (0.25, 0.0), 0.06), stand=Stand(0.25, 1.0))
    free = replace(astray, stand=Stand(0.25, 1.0, free=1.0))
    assert astray.stands_flat < 0.5 < free.stands_flat


@pytest.mark.parametrize("told", [0.04, 0.06])
@pytest.mark.parametrize("free", [0.0, 0.5, 1.0])
def test_the_farther_a_foot_is_off_and_the_more_sides_show_the_more_a_die_leans(
    free: float, told: float
) -> None:
    def flat(stray: float, sides: float) -> float:
        return replace(TWO[0], lean=Lean(sides, (0.3, 0.0), told), stand=Stand(stray, 1.0, free)).stands_flat

    strays, chances = (0.0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.8), (0.01, 0.1, 0.5, 0.9, 0.98, 0.999, 0.9999)
    for less, more in pairwise(strays):
        assert all(flat(more, sides) <= flat(less, sides) for sides in chances)
    for less, more in pairwise(chances):
        assert all(flat(stray, more) <= flat(stray, less) for stray in strays)


def test_a_die_that_leans_by_both_signs_leans_whatever_is_near() -> None:
    """What it leans on may be something that nobody looks for: a coin, a finger."""
    assert replace(TWO[0], lean=Lean(0.98, (0.3, 0.0), 0.06), stand=Stand(0.3, 1.0, 1.0)).stands_flat < 0.5


def test_a_side_taken_for_a_top_is_not_believed_whatever_is_near() -> None:
    side = replace(TWO[0], stand=Stand(0.6, 0.95, free=1.0, against=0.3))
    assert side.stands_flat < 0.5
    assert replace(side, stand=Stand(0.1, 0.95, free=1.0)).stands_flat > 0.5


def test_a_narrow_face_that_may_lean_is_to_be_laid_flat_and_one_that_does_not_is_not() -> None:
    narrow = replace(TWO[0], stand=Stand(0.08, 0.88), lean=Lean(0.15, (0.3, 0.0), 0.09))
    assert kinds(narrow, TWO[1]) == [ProblemKind.DIE_LEANS]
    assert kinds(replace(narrow, lean=Lean(0.02, (0.3, 0.0), 0.09)), TWO[1]) == []
    assert kinds(replace(narrow, stand=Stand(0.08, 0.97)), TWO[1]) == []
    assert kinds(replace(narrow, stand=Stand(0.08, 0.88, free=1.0)), TWO[1]) == []  # what could it lean on?


def test_a_die_whose_sides_say_plainly_that_it_leans_is_believed_where_it_can_lean() -> None:
    leaning = replace(TWO[0], stand=Stand(0.04, 1.0), lean=Lean(0.98, (0.1, 0.0), 0.05))
    assert kinds(leaning, TWO[1]) == [ProblemKind.DIE_LEANS]
    assert kinds(replace(leaning, stand=Stand(0.04, 1.0, free=1.0)), TWO[1]) == []


def test_from_a_slant_sides_tell_nothing_where_the_foot_is_plainly_in_its_place() -> None:
    slanted = replace(TWO[0], stand=Stand(0.08, 1.0), lean=Lean(0.97, (0.3, 0.25), 0.04))
    assert slanted.stands_flat > 0.5
    assert replace(slanted, stand=Stand(0.2, 1.0)).stands_flat < 0.5
    assert replace(slanted, lean=replace(slanted.lean, stray=0.1)).stands_flat < 0.5
    assert replace(slanted, lean=replace(slanted.lean, foot=(0.1, 0.1))).stands_flat < 0.5
    assert (
        replace(slanted, stand=Stand(0.08, 1.0, hidden=True)).stands_flat < 0.5
    )  # behind a wall none is seen
    near_by = replace(slanted, stand=Stand(0.04, 1.0), lean=Lean(0.98, (0.3, 0.0), 0.05))
    assert near_by.stands_flat > 0.5


def test_a_small_die_whose_foot_is_seen_badly_is_asked_about_unless_it_can_lean_on_nothing() -> None:
    unclear = replace(TWO[0], size=20.0, stand=Stand(0.3, 1.0), lean=Lean(0.03, (0.3, 0.0), 0.15))
    assert kinds(unclear, TWO[1]) == [ProblemKind.DIE_LEANS]
    assert kinds(replace(unclear, size=30.0), TWO[1]) == []
    assert kinds(replace(unclear, stand=Stand(0.3, 1.0, free=1.0)), TWO[1]) == []
