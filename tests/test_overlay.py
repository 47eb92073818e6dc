"""The overlay shows what was seen where it was seen, and every reason in words."""

import numpy as np
import pytest

from vision.camera import Image
from vision.overlay import DOUBT, TINTS, draw_overlay
from vision.reading import DieColour, Problem, ProblemKind, Reading, SeenDie

GREY: Image = np.full((768, 1024, 3), 90, np.uint8)
RED = SeenDie(DieColour.RED, 4, 500.0, 400.0, 40.0, 0.98, ((480, 380), (520, 380), (520, 420), (480, 420)))
LEANS = Problem(ProblemKind.DIE_LEANS, "Lay the red die flat: it seems to lean.", DieColour.RED)


def has(picture: Image, tint: tuple[int, int, int]) -> bool:
    return bool((picture == np.array(tint, np.uint8)).all(axis=2).any())


def test_a_die_is_outlined_in_its_colour_where_it_lies() -> None:
    picture = draw_overlay(GREY, Reading(True, (RED,)))
    around = picture[375:426, 475:526]
    assert has(around, TINTS[DieColour.RED])
    assert not has(picture[500:700], TINTS[DieColour.RED])
    assert (GREY == 90).all()


def test_the_lid_is_outlined() -> None:
    lid = ((100.0, 100.0), (900.0, 100.0), (900.0, 700.0), (100.0, 700.0))
    with_lid = draw_overlay(GREY, Reading(False, lid=lid))
    assert (with_lid[95:106, 300] != 90).any()
    assert (draw_overlay(GREY, Reading(False))[95:106, 300] == 90).all()


def test_every_problem_has_its_line_below() -> None:
    none = draw_overlay(GREY, Reading(True, (RED,)))
    two = draw_overlay(GREY, Reading(False, (RED,), (LEANS, LEANS)))
    assert none.shape[1] == two.shape[1] == 1024
    assert two.shape[0] > none.shape[0] > 768


def test_a_doubtful_die_is_marked() -> None:
    doubtful = SeenDie(DieColour.BLUE, 3, 500, 400, 40, 0.4)
    assert has(draw_overlay(GREY, Reading(True, (doubtful,))), DOUBT)
    assert not has(draw_overlay(GREY, Reading(True, (RED,))), DOUBT)


@pytest.mark.parametrize("shape", [(16, 16), (40, 600), (1200, 1600)])
def test_pictures_of_any_size_get_words_that_can_be_read(shape: tuple[int, int]) -> None:
    die = SeenDie(DieColour.OTHER, 1, 2, 2, 9, 0.5)
    picture = draw_overlay(np.zeros((*shape, 3), np.uint8), Reading(False, (die,), (LEANS,)))
    assert min(picture.shape[:2]) >= 700
