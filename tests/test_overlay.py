"""The overlay shows what was seen where it was seen: all of it with reasons, or the lid close up."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.image.arrays import Image
from vision.overlay import DOUBT, LID_TINT, TINTS, draw_close_up, draw_overlay
from vision.reading import Corners, DieColour, Problem, ProblemKind, Reading, SeenDie

GREY: Image = np.full((768, 1024, 3), 90, np.uint8)
RED = SeenDie(DieColour.RED, 4, 500.0, 400.0, 40.0, 0.98, ((480, 380), (520, 380), (520, 420), (480, 420)))
LID = ((420.0, 320.0), (620.0, 320.0), (620.0, 480.0), (420.0, 480.0))
LEANS = Problem(ProblemKind.DIE_LEANS, (DieColour.RED,))
WORDS = "The red die leans: lay it flat."


SMOOTHED = 40  # steps: the edges of lines and letters, of which thin ones hold nothing else


def of_tint(picture: Image, tint: tuple[int, int, int]) -> NDArray[np.bool_]:
    return np.asarray((np.abs(picture.astype(int) - tint) < SMOOTHED).all(axis=2))


def has(picture: Image, tint: tuple[int, int, int]) -> bool:
    return bool(of_tint(picture, tint).any())


def where(picture: Image, tint: tuple[int, int, int]) -> tuple[int, int, int, int]:
    """The box of that tint: left, top, right, bottom."""
    rows, columns = np.nonzero(of_tint(picture, tint))
    return int(columns.min()), int(rows.min()), int(columns.max()), int(rows.max())


def test_a_die_is_outlined_in_its_colour_where_it_lies() -> None:
    picture = draw_overlay(GREY, Reading(True, (RED,)))
    around = picture[375:426, 475:526]
    assert has(around, TINTS[DieColour.RED])
    assert not has(picture[500:700], TINTS[DieColour.RED])
    assert (GREY == 90).all()


def test_the_lid_is_outlined() -> None:
    lid = ((100.0, 100.0), (900.0, 100.0), (900.0, 700.0), (100.0, 700.0))
    with_lid = draw_overlay(GREY, Reading(False, place=lid))
    assert (with_lid[95:106, 300] != 90).any()
    assert (draw_overlay(GREY, Reading(False))[95:106, 300] == 90).all()


def test_every_problem_has_its_line_below() -> None:
    none = draw_overlay(GREY, Reading(True, (RED,)))
    two = draw_overlay(GREY, Reading(False, (RED,), (LEANS, LEANS)), (WORDS, WORDS))
    assert none.shape[1] == two.shape[1] == 1024
    assert two.shape[0] > none.shape[0] > 768


def test_a_doubtful_die_is_marked() -> None:
    doubtful = replace(RED, doubtful=True)
    for draw in (draw_overlay, lambda image, reading: draw_close_up(image, reading, {"red": "R"})):
        assert has(draw(GREY, Reading(True, (doubtful,))), DOUBT)
        assert not has(draw(GREY, Reading(True, (RED,))), DOUBT)


def test_how_sure_a_die_is_does_not_mark_it() -> None:
    assert not has(draw_overlay(GREY, Reading(True, (replace(RED, confidence=0.1),))), DOUBT)


@pytest.mark.parametrize("shape", [(16, 16), (40, 600), (1200, 1600)])
def test_pictures_of_any_size_get_words_that_can_be_read(shape: tuple[int, int]) -> None:
    die = SeenDie(DieColour.OTHER, 1, 2, 2, 9, 0.5)
    picture = draw_overlay(np.zeros((*shape, 3), np.uint8), Reading(False, (die,), (LEANS,)), (WORDS,))
    assert min(picture.shape[:2]) >= 700


def test_the_close_up_is_the_lid_with_some_table_around_and_no_words_below() -> None:
    picture = draw_close_up(GREY, Reading(False, (RED,), (LEANS,), LID), {})
    height, width = picture.shape[:2]
    assert width / height == pytest.approx(240 / 200, abs=0.01)
    left, top, right, bottom = where(picture, LID_TINT)
    assert (right - left) / width == pytest.approx(200 / 240, abs=0.02)
    assert left == pytest.approx(width - right, abs=4)
    assert top == pytest.approx(height - bottom, abs=4)
    assert (GREY == 90).all()


def test_dice_are_where_they_lie_in_the_close_up_too() -> None:
    picture = draw_close_up(GREY, Reading(True, (RED,), (), LID), {})
    scale = picture.shape[1] / 240
    left, _, right, bottom = where(picture[round(100 * scale) :], TINTS[DieColour.RED])
    assert (left + right) / 2 == pytest.approx((500 - 400) * scale, abs=4)
    assert bottom == pytest.approx((420 - 300 - 100) * scale, abs=4)


def test_a_die_beside_the_lid_is_in_the_close_up() -> None:
    beside = replace(RED, x=800.0, corners=None)
    picture = draw_close_up(GREY, Reading(False, (beside,), (), LID), {})
    assert has(picture, TINTS[DieColour.RED])


@pytest.mark.parametrize("lid", [None, ((0.0, 0.0), (5.0, 0.0), (5.0, 5.0), (0.0, 5.0))])
def test_without_a_lid_the_close_up_is_the_whole_picture(lid: Corners | None) -> None:
    picture = draw_close_up(GREY, Reading(False, (), (), lid), {})
    assert picture.shape == GREY.shape


def test_the_close_up_calls_dice_what_its_page_calls_them() -> None:
    reading = Reading(True, (RED,), (), LID)
    drawn = {name: draw_close_up(GREY, reading, {"red": name}) for name in ("", "R", "Rot", "крас")}
    assert not np.array_equal(drawn["R"], drawn["Rot"])
    assert not np.array_equal(drawn["R"], drawn[""])
    assert np.array_equal(drawn["крас"], drawn[""])  # OpenCV has no letters for it: the number alone


def test_a_label_hides_no_other_die_where_there_is_room() -> None:
    above = replace(RED, colour=DieColour.GREEN, y=350.0, corners=None)
    both = draw_close_up(GREY, Reading(True, (RED, above), (), LID), {"red": "R", "green": "G"})
    alone = draw_close_up(GREY, Reading(True, (above,), (), LID), {"green": "G"})
    scale = both.shape[1] / 240
    die = (slice(round(32 * scale), round(68 * scale)), slice(round(82 * scale), round(118 * scale)))
    assert np.array_equal(both[die], alone[die])


def test_labels_stay_in_the_picture() -> None:
    corners = [(16.0, 16.0), (1008.0, 16.0), (16.0, 752.0), (1008.0, 752.0)]
    for x, y in corners:
        die = SeenDie(DieColour.BLUE, 3, x, y, 30.0, 0.4, doubtful=True)
        picture = draw_overlay(GREY, Reading(False, (die,)))[:768]
        left, top, right, bottom = where(picture, DOUBT)
        assert left > 2
        assert top > 2
        assert right < 1021
        assert bottom < 765
