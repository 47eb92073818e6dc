"""Whole pictures read: right or asked, never wrong; and frames that vote."""

from collections import Counter
from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.lids import numbers, true_lids
from vision.image.conditions import fault_of
from vision.judgement.voting import in_motion, vote
from vision.reader import read_any, read_dice
from vision.reading import ALL_SIX, DieColour, Problem, ProblemKind, Reading, SeenDie
from vision.scoring.outcomes import Outcome, outcome_of
from vision.scoring.spoiling import outline_of
from vision.scoring.truth import TrueScene

LIDS = true_lids()
READINGS = {lid.path.name: read_dice(lid.picture(), lid.expected) for lid in LIDS}


@pytest.mark.parametrize("lid", LIDS, ids=lambda lid: lid.path.stem)
def test_no_reading_is_certain_and_wrong(lid: TrueScene) -> None:
    assert outcome_of(lid, READINGS[lid.path.name]) is not Outcome.WRONG


def test_most_lids_are_read_without_asking() -> None:
    outcomes = Counter(outcome_of(lid, READINGS[lid.path.name]) for lid in LIDS)
    assert outcomes[Outcome.RIGHT] >= 0.85 * len(LIDS)


@pytest.mark.parametrize("lid", LIDS, ids=lambda lid: lid.path.stem)
def test_a_reading_is_certain_exactly_when_it_names_no_problem(lid: TrueScene) -> None:
    reading = READINGS[lid.path.name]
    assert reading.certain == (not reading.problems)
    if reading.certain:
        assert sorted(die.colour for die in reading.dice) == sorted(lid.expected)


def test_every_stage_of_a_reading_is_timed() -> None:
    reading = READINGS[LIDS[0].path.name]
    assert [stage.name for stage in reading.stages] == ["place", "candidates", "pips", "colour"]
    assert sum(stage.milliseconds for stage in reading.stages) <= reading.milliseconds


def easy() -> TrueScene:
    return next(lid for lid in LIDS if lid.group == "easy")


def test_a_die_that_is_locked_but_in_the_lid_is_named_first() -> None:
    lid = easy()
    expected = tuple(c for c in ALL_SIX if c is not DieColour.GREEN)
    reading = read_dice(lid.picture(), expected)
    assert not reading.certain
    assert reading.problems[0] == Problem(ProblemKind.DIE_NOT_IN_PLAY, (DieColour.GREEN,))


def test_a_die_that_is_painted_out_is_missed() -> None:
    lid = easy()
    image = lid.picture()
    die = READINGS[lid.path.name].dice[0]
    assert die.corners is not None
    x, y, reach = round(die.x), round(die.y), round(die.size)
    around = np.median(image[y - 2 * reach : y + 2 * reach, x - 2 * reach : x + 2 * reach], axis=(0, 1))
    image[y - reach : y + reach, x - reach : x + reach] = around.astype(np.uint8)
    reading = read_dice(image, lid.expected)
    assert not reading.certain
    assert ProblemKind.DIE_MISSING in {problem.kind for problem in reading.problems}


PINK = (120, 20, 255)


@pytest.mark.parametrize("group", ["easy", "clutter", "tilted"])
def test_a_white_die_with_a_pink_card_over_one_side_is_not_taken_for_a_coloured_one(group: str) -> None:
    lid = next(lid for lid in LIDS if lid.group == group)
    a, b, c, d = next(outline_of(die) for die in lid.inside if die.colour == "white")
    strip = np.array([a, b, b + 0.22 * (c - b), a + 0.22 * (d - a)])
    image = lid.picture()
    cv2.fillConvexPoly(image, np.round(strip).astype(np.int32), PINK)
    assert outcome_of(lid, read_dice(image, lid.expected)) is not Outcome.WRONG


def test_a_picture_of_nothing_says_so() -> None:
    reading = read_dice(np.full((480, 640, 3), 128, np.uint8))
    assert not reading.certain
    assert reading.place is None
    assert reading.problems[0].kind is ProblemKind.NO_LID


def test_a_dark_picture_says_so() -> None:
    reading = read_dice(np.zeros((480, 640, 3), np.uint8))
    assert reading.problems[0].kind is ProblemKind.TOO_DARK


def test_a_blinded_camera_says_so() -> None:
    reading = read_dice(np.full((480, 640, 3), 255, np.uint8))
    assert reading.problems[0].kind is ProblemKind.BLINDED


def test_a_picture_out_of_focus_says_so() -> None:
    lid = easy()
    blurred = cv2.GaussianBlur(lid.picture(), (0, 0), 9).astype(np.uint8)
    reading = read_dice(blurred, lid.expected)
    assert not reading.certain
    assert reading.problems[0].kind is ProblemKind.OUT_OF_FOCUS


@pytest.mark.parametrize("lid", LIDS, ids=lambda lid: lid.path.stem)
def test_no_fault_is_found_with_a_good_picture(lid: TrueScene) -> None:
    assert fault_of(lid.picture()) is None


def test_any_dice_are_read_without_a_lid() -> None:
    lid = easy()
    reading = read_any(lid.picture())
    assert Counter(die.pips for die in reading.dice) >= Counter(numbers(lid))


def die(colour: DieColour, pips: int, x: float, confidence: float = 0.99) -> SeenDie:
    return SeenDie(colour, pips, x, 50.0, 30.0, confidence)


RED_AND_BLUE = Reading(True, (die(DieColour.RED, 3, 100), die(DieColour.BLUE, 5, 200)))
DOUBT = Problem(ProblemKind.PIPS_DOUBTFUL, (DieColour.RED,))


def test_frames_that_agree_are_certain_though_one_could_not_tell() -> None:
    unsure = replace(RED_AND_BLUE, certain=False, problems=(DOUBT,))
    assert vote([RED_AND_BLUE, unsure, RED_AND_BLUE]).certain


def test_frames_that_contradict_each_other_are_never_certain() -> None:
    other = Reading(True, (die(DieColour.RED, 2, 100), die(DieColour.BLUE, 5, 200)))
    reading = vote([RED_AND_BLUE, other, RED_AND_BLUE])
    assert not reading.certain
    assert reading.problems == (DOUBT,)


def test_where_no_place_tells_which_die_two_looks_saw_otherwise_each_is_doubtful() -> None:
    elsewhere = Reading(True, (die(DieColour.RED, 2, 400), die(DieColour.BLUE, 5, 500)))
    reading = vote([RED_AND_BLUE, elsewhere])
    assert not reading.certain
    assert all(each.doubtful for each in reading.dice)
    assert len(reading.problems) == 2


def test_one_certain_frame_among_many_unsure_ones_is_not_enough() -> None:
    unsure = replace(RED_AND_BLUE, certain=False, problems=(DOUBT,))
    reading = vote([unsure, unsure, unsure, RED_AND_BLUE])
    assert not reading.certain
    assert reading.problems == (DOUBT,)


def test_one_certain_look_and_one_that_is_not_are_a_question() -> None:
    unsure = replace(RED_AND_BLUE, certain=False, problems=(DOUBT,))
    for looks in ([RED_AND_BLUE, unsure], [unsure, RED_AND_BLUE]):
        assert vote(looks) == unsure


def test_a_die_that_another_look_saw_otherwise_is_doubtful_and_no_other_is() -> None:
    other = Reading(True, (die(DieColour.RED, 2, 100), die(DieColour.BLUE, 5, 200)))
    for looks in ([RED_AND_BLUE, other], [RED_AND_BLUE, replace(other, certain=False, problems=(DOUBT,))]):
        assert [(each.colour, each.doubtful) for each in vote(looks).dice] == [("red", True), ("blue", False)]


def test_dice_that_agree_in_a_question_are_not_asked_for() -> None:
    unsure = replace(RED_AND_BLUE, certain=False, problems=(DOUBT,))
    assert not any(each.doubtful for each in vote([RED_AND_BLUE, unsure]).dice)


def test_all_that_is_read_while_something_moves_is_doubtful() -> None:
    moving = Problem(ProblemKind.MOVING)
    reading = in_motion(RED_AND_BLUE, moving)
    assert (reading.certain, reading.problems) == (False, (moving,))
    assert all(each.doubtful for each in reading.dice)


@pytest.mark.parametrize("lid", LIDS, ids=lambda lid: lid.path.stem)
def test_no_die_of_a_certain_reading_is_doubtful(lid: TrueScene) -> None:
    reading = read_dice(lid.picture(), lid.expected)
    assert not (reading.certain and any(each.doubtful for each in reading.dice))


def test_one_frame_votes_for_itself() -> None:
    assert vote([RED_AND_BLUE]) == RED_AND_BLUE


def test_no_frames_are_no_reading() -> None:
    assert vote([]).problems[0].kind is ProblemKind.NO_PICTURE
