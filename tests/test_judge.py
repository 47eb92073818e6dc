"""From faces to an answer: what is certain, and what is asked."""

from dataclasses import replace

import pytest

from tests.faces import BLUE, PAIR, RED, TWO, chances, face, kinds
from vision.colour.bodies import Assignment
from vision.dice.face import SURE, Face
from vision.dice.leaning import Lean
from vision.dice.overlapping import apart
from vision.dice.pips import FaceReading
from vision.dice.spots import NO_SPOTS
from vision.dice.standing import Stand
from vision.judgement.judge import Play, counted, of_one_size, problems_of, seen_dice
from vision.reading import DieColour, Problem, ProblemKind

LEANS = replace(TWO[0], lean=Lean(0.3, (0.5, 0.0), 0.05), stand=Stand(0.5, 1.0))


def test_a_die_that_leans_is_to_be_laid_flat() -> None:
    assert kinds(LEANS, TWO[1]) == [ProblemKind.DIE_LEANS]


def test_a_die_that_seems_larger_may_lie_on_another() -> None:
    assert kinds(replace(TWO[0], stand=Stand(0.0, 1.18)), TWO[1]) == [ProblemKind.DIE_STACKED]


@pytest.mark.parametrize(
    "doubt",
    [
        LEANS,
        replace(TWO[0], stand=Stand(0.0, 1.18)),
        replace(TWO[0], network=FaceReading(chances(2), TWO[0].corners)),
    ],
)
def test_a_die_that_leans_is_stacked_or_is_hard_to_read_is_doubtful_and_the_other_is_not(doubt: Face) -> None:
    assert [die.doubtful for die in seen_dice([doubt, TWO[1]], PAIR)] == [True, False]


def test_a_die_whose_colour_is_not_sure_is_doubtful() -> None:
    alike = Assignment((RED, BLUE), (0.79, 0.8), True)
    assert [die.doubtful for die in seen_dice(TWO, alike)] == [True, False]


def test_where_there_are_too_many_of_a_colour_each_of_them_is_doubtful() -> None:
    colours = Assignment((RED, BLUE, RED), (0.99,) * 3, True)
    dice = seen_dice([*TWO, face(1, 300.0)], colours, Play((RED, BLUE)))
    assert [die.doubtful for die in dice] == [True, False, True]


def test_one_more_die_perhaps_is_a_problem() -> None:
    assert kinds(*TWO, doubtful=(face(1, 300.0),)) == [ProblemKind.DIE_EXTRA]


def test_colours_that_look_alike_are_asked_about_together() -> None:
    alike = Assignment((RED, BLUE), (0.6, 0.6), True)
    (problem,) = problems_of(TWO, (), alike, Play((RED, BLUE)))
    assert problem == Problem(ProblemKind.COLOUR_DOUBTFUL, (RED, BLUE))


@pytest.mark.parametrize(
    ("seen", "first"),
    [
        ((RED, DieColour.GREEN), Problem(ProblemKind.DIE_NOT_IN_PLAY, (DieColour.GREEN,))),
        ((RED, RED), Problem(ProblemKind.DIE_EXTRA, (RED,))),
        ((RED, BLUE, BLUE), Problem(ProblemKind.DIE_EXTRA, (BLUE,))),
        ((RED,), Problem(ProblemKind.DIE_MISSING, (BLUE,))),
    ],
)
def test_dice_that_are_not_the_expected_ones_are_named_first(
    seen: tuple[DieColour, ...], first: Problem
) -> None:
    colours = Assignment(seen, (0.99,) * len(seen), False)
    assert problems_of([face()] * len(seen), (), colours, Play((RED, BLUE)))[0] == first


def test_a_face_on_another_dies_side_is_no_die() -> None:
    side = replace(face(3, 125.0), score=0.6)
    assert apart([TWO[0], side]) == [TWO[0]]
    beside = face(3, 141.0)
    assert len(apart([TWO[0], beside])) == 2


def test_the_top_and_the_side_of_one_die_are_one_die() -> None:
    """The side's face is more than a die's breadth off, but both have the same body behind them."""
    top = replace(face(4), lean=Lean(0.02, (0.5, 0.0), 0.05))
    side = replace(face(3, 146.0), score=0.6, lean=Lean(0.5, (-0.8, 0.0), 0.1))
    assert apart([side, top]) == [top]
    other = replace(side, lean=Lean(0.02, (0.5, 0.0), 0.05))
    assert len(apart([other, top])) == 2


def test_a_plain_die_measured_small_stays_and_a_small_print_goes() -> None:
    dice = [face(n, 100.0 * n) for n in range(1, 5)]
    small = replace(face(3, 700.0), stand=Stand(0.0, 0.82))
    assert of_one_size([*dice, small], 4) == [*dice, small]
    faint = replace(small, score=0.6, spots=NO_SPOTS)
    assert of_one_size([*dice, faint], 4) == dice


def test_a_die_measured_small_stays_where_one_is_wanted() -> None:
    dice = [face(n, 100.0 * n) for n in range(1, 5)]
    veiled = replace(face(3, 700.0), score=0.6, spots=NO_SPOTS, stand=Stand(0.0, 0.84))
    tiny = replace(veiled, stand=Stand(0.0, 0.7))
    assert of_one_size([*dice, veiled, tiny], 6) == [*dice, veiled]


def test_faces_of_another_size_are_no_dice_of_the_set() -> None:
    dice = [face(n, 100.0 * n) for n in range(1, 5)]
    printed = replace(face(3, 700.0), stand=Stand(0.0, 1.4))
    assert of_one_size([*dice, printed], 5) == dice


def test_a_print_of_about_the_dices_size_goes_where_all_dice_are_there_without_it() -> None:
    dice = [face(n, 100.0 * n) for n in range(1, 5)]
    without_sides = replace(face(3, 700.0), stand=Stand(0.3, 1.17), lean=Lean(0.2, (0.1, 0.0), 0.06))
    assert of_one_size([*dice, without_sides], 4) == dice
    assert of_one_size([*dice, without_sides], 5) == [*dice, without_sides]
    larger_die = replace(without_sides, stand=Stand(0.05, 1.17), lean=Lean(0.2, (0.3, 0.0), 0.06))
    from_above = replace(without_sides, stand=Stand(0.1, 1.17), lean=Lean(0.2, (0.0, 0.0), 0.06))
    may_lean = replace(without_sides, lean=Lean(0.8, (0.1, 0.0), 0.06))
    as_large = replace(without_sides, stand=Stand(0.3, 1.02))
    for other in (larger_die, from_above, may_lean, as_large):
        assert of_one_size([*dice, other], 4) == [*dice, other]


def test_a_doubtful_die_is_asked_for_where_one_is_wanted() -> None:
    faint = replace(face(3, 300.0), score=0.2, spots=NO_SPOTS)
    certain, perhaps = counted([*TWO, faint], 3)
    assert len(certain) == 3
    assert perhaps == []
    certain, perhaps = counted([*TWO, faint], 2)
    assert len(certain) == 2
    assert perhaps == [faint]


def test_a_die_whose_number_glare_hides_is_no_print_beside_a_print_that_is_read() -> None:
    """A lid's print may look like the die that is wanted, while a lamp gleams in that one's face."""
    glared = replace(face(3, 300.0), score=0.6, network=replace(TWO[0].network, chances=chances(0, 0.3)))
    glared = replace(glared, votes=(0.2,) * 6, spots=NO_SPOTS)
    assert 0.55 < glared.is_die < 0.75
    assert glared.confidence < SURE
    printed = replace(face(3, 400.0), score=0.7)
    certain, perhaps = counted([*TWO, printed, glared], 3)
    assert len(certain) + len(perhaps) == 4


def test_a_die_more_than_wanted_is_counted() -> None:
    certain, _ = counted([*TWO, face(5, 300.0)], 2)
    assert len(certain) == 3
