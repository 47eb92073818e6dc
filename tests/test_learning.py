"""Two pictures teach a table: the empty lid and six dice; what is wrong with them is said in words."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.calibration.learning import calibrate, like_dice, measure_colours, warnings_about
from vision.cameras.clock import StepClock
from vision.image.arrays import Image
from vision.memory.calibration import Calibration, CameraLock, DieSample, Lab, is_complete, save
from vision.place.lid import Lid, search_lid
from vision.reader import read_dice
from vision.reading import ALL_SIX, DieColour, Problem, ProblemKind, Reading
from vision.simulation.table import SimulatedCamera, SimulatedTable
from vision.simulation.truth import Truth

Pair = tuple[Image, Image, Truth]


@pytest.fixture(scope="module")
def pictures() -> Callable[[int], Pair]:
    """The empty lid, the six dice in it, and where they are, for a seed."""
    kept: dict[int, Pair] = {}

    def taken(seed: int) -> Pair:
        if seed not in kept:
            table = SimulatedTable(seed, clock=StepClock())
            camera = SimulatedCamera(table)
            camera.open()
            empty = camera.frame().image
            table.lay_out()
            kept[seed] = empty, camera.frame().image, table.truth()
        return kept[seed]

    return taken


@pytest.mark.parametrize("seed", [1, 2, 7])
def test_a_table_is_learnt_as_it_is(pictures: Callable[[int], Pair], seed: int) -> None:
    empty, dice, truth = pictures(seed)
    learnt = calibrate(empty, dice)
    assert learnt.problems == ()
    known = learnt.calibration
    assert known is not None
    assert is_complete(known.samples)
    edges = [np.linalg.norm(np.subtract(die.corners[0], die.corners[1])) for die in truth.dice]
    assert known.die_edge == pytest.approx(np.mean(edges), rel=0.12)
    lid = np.array(truth.lid)
    assert known.lid is not None
    for corner in known.lid:
        assert np.linalg.norm(lid - corner, axis=1).min() < 0.6 * known.die_edge


def test_colours_are_measured_between_the_pips(pictures: Callable[[int], Pair]) -> None:
    _, dice, truth = pictures(2)
    by_colour = {die.colour: measure_colours(dice, np.array(die.corners, np.float32)) for die in truth.dice}
    body, pip = by_colour[DieColour.WHITE]
    assert body.lightness > 70
    assert pip.lightness < 40
    assert by_colour[DieColour.RED][0].a > 30
    assert by_colour[DieColour.YELLOW][0].b > 40
    assert by_colour[DieColour.GREEN][0].a < -15
    assert by_colour[DieColour.BLUE][0].b < -15
    for colour in (DieColour.RED, DieColour.GREEN, DieColour.BLUE):
        body, pip = by_colour[colour]
        assert pip.lightness > body.lightness + 20


def test_what_the_camera_held_is_kept(pictures: Callable[[int], Pair]) -> None:
    empty, dice, _ = pictures(2)
    lock = CameraLock(9000, 1.5, 2.0, 1.6)
    known = calibrate(empty, dice, lock).calibration
    assert known is not None
    assert known.lock == lock


def test_corners_that_a_person_put_right_are_believed(pictures: Callable[[int], Pair]) -> None:
    empty, dice, truth = pictures(1)
    a, b, c, d = ((x + 4, y - 3) for x, y in truth.lid)
    learnt = calibrate(empty, dice, None, Lid((a, b, c, d)))
    assert learnt.calibration is not None
    assert learnt.calibration.lid == (a, b, c, d)


def test_dice_in_the_first_picture_are_refused(pictures: Callable[[int], Pair]) -> None:
    _, dice, _ = pictures(2)
    learnt = calibrate(dice, dice)
    assert learnt.calibration is None
    assert learnt.problems[-1] == Problem(ProblemKind.LID_NOT_EMPTY)


@pytest.mark.parametrize("middle", [(0.5, 0.5), (0.3, 0.4)])
def test_a_die_printed_on_the_lid_does_not_keep_a_table_from_being_learnt(
    pictures: Callable[[int], Pair], tmp_path: Path, middle: tuple[float, float]
) -> None:
    empty, dice, truth = pictures(2)
    place = _free_place(truth, middle)
    printed, with_dice = (_with_print(image, dice, truth, place) for image in (empty, dice))
    assert like_dice(printed, search_lid(printed))
    learnt = calibrate(printed, with_dice)
    assert learnt.problems == ()
    known = learnt.calibration
    assert known is not None
    reading = read_dice(with_dice, ALL_SIX, save(known, tmp_path / "table.toml", printed))
    assert reading.certain
    assert _names(reading) == sorted((str(die.colour), die.pips or 0) for die in truth.dice)


def _names(reading: Reading) -> list[tuple[str, int]]:
    return sorted((str(die.colour), die.pips) for die in reading.dice)


def test_a_print_under_a_die_or_beside_one_is_no_die_that_was_left(pictures: Callable[[int], Pair]) -> None:
    empty, dice, truth = pictures(2)
    white = next(die for die in truth.dice if die.colour is DieColour.WHITE)
    printed = _with_print(empty, dice, truth, (white.x + 8, white.y))
    assert like_dice(printed, search_lid(printed))
    assert calibrate(printed, dice).problems == ()


@pytest.mark.parametrize("edges", [0.3, 0.6, 1.0, 1.5])
def test_a_die_that_lay_in_the_empty_lid_and_was_pushed_a_little_is_noticed(
    pictures: Callable[[int], Pair], edges: float
) -> None:
    empty, dice, truth = pictures(2)
    red = next(die for die in truth.dice if die.colour is DieColour.RED)
    edge = float(np.linalg.norm(np.subtract(red.corners[0], red.corners[1])))
    learnt = calibrate(_with_print(empty, dice, truth, (red.x + edges * edge, red.y)), dice)
    assert learnt.calibration is None
    assert ProblemKind.LID_NOT_EMPTY in {problem.kind for problem in learnt.problems}


def test_a_print_hides_no_other_problem(pictures: Callable[[int], Pair]) -> None:
    empty, dice, truth = pictures(2)
    place = _free_place(truth, (0.5, 0.5))
    green = np.array(next(die for die in truth.dice if die.colour is DieColour.GREEN).corners)
    without = dice.copy()
    low, high = (green.min(0) - 25).astype(int), (green.max(0) + 25).astype(int)
    without[low[1] : high[1], low[0] : high[0]] = empty[low[1] : high[1], low[0] : high[0]]
    first, second = (_with_print(image, dice, truth, place) for image in (empty, without))
    learnt = calibrate(first, second)
    assert learnt.problems[0] == Problem(ProblemKind.DIE_MISSING, (DieColour.GREEN,))
    moved = np.roll(_with_print(dice, dice, truth, place), 60, axis=1)
    assert calibrate(first, moved).problems[0].kind is ProblemKind.LID_MOVED


def test_a_die_that_lay_in_the_empty_lid_and_went_elsewhere_is_noticed(
    pictures: Callable[[int], Pair],
) -> None:
    empty, dice, truth = pictures(2)
    left = _with_print(empty, dice, truth, _free_place(truth, (0.5, 0.5)))
    learnt = calibrate(left, dice)
    assert learnt.calibration is None
    assert learnt.problems[0].kind is ProblemKind.LID_NOT_EMPTY


def _free_place(truth: Truth, wanted: tuple[float, float]) -> tuple[float, float]:
    """The place on the floor nearest to the wanted one, in shares of its sides, with no die near."""
    lid = np.array(truth.lid, float)
    shares = [(u, v) for u in np.linspace(0.2, 0.8, 13) for v in np.linspace(0.2, 0.8, 13)]
    places = [lid[0] + u * (lid[1] - lid[0]) + v * (lid[3] - lid[0]) for u, v in shares]
    middles = np.array([np.mean(die.corners, axis=0) for die in truth.dice])
    edge = float(np.linalg.norm(np.subtract(truth.dice[0].corners[0], truth.dice[0].corners[1])))
    free = [
        (float(np.hypot(u - wanted[0], v - wanted[1])), (float(x), float(y)))
        for (u, v), (x, y) in zip(shares, places, strict=True)
        if np.linalg.norm(middles - (x, y), axis=1).min() > 2.5 * edge
    ]
    return min(free)[1]


def _with_print(image: Image, dice: Image, truth: Truth, place: tuple[float, float]) -> Image:
    """The picture with the top of a red die painted at a place."""
    corners = next(die.corners for die in truth.dice if die.colour is DieColour.RED)
    x, y = np.mean(corners, axis=0)
    move = np.array([[1, 0, place[0] - x], [0, 1, place[1] - y]])
    size = (image.shape[1], image.shape[0])
    face = cv2.fillConvexPoly(np.zeros(image.shape[:2], np.uint8), np.round(corners).astype(np.int32), 255)
    there, mask = cv2.warpAffine(dice, move, size), cv2.warpAffine(face, move, size)
    return np.where(mask[..., None] > 127, there, image).astype(np.uint8)


def test_no_dice_in_the_second_picture_are_refused(pictures: Callable[[int], Pair]) -> None:
    empty, _, _ = pictures(2)
    learnt = calibrate(empty, empty)
    assert learnt.calibration is None
    assert learnt.problems == (Problem(ProblemKind.DIE_MISSING, tuple(sorted(ALL_SIX))),)


def test_a_die_too_few_is_named() -> None:
    table = SimulatedTable(2, dice=ALL_SIX[:5], clock=StepClock())
    camera = SimulatedCamera(table)
    camera.open()
    empty = camera.frame().image
    table.lay_out()
    learnt = calibrate(empty, camera.frame().image)
    assert learnt.calibration is None
    assert learnt.problems == (Problem(ProblemKind.DIE_MISSING, (DieColour.BLUE,)),)


def test_a_picture_of_nothing_is_taken_again(pictures: Callable[[int], Pair]) -> None:
    empty, dice, _ = pictures(2)
    learnt = calibrate(np.full_like(empty, 128), dice)
    assert learnt.problems == (Problem(ProblemKind.NO_PICTURE),)
    assert calibrate(empty[:400], dice).problems == (Problem(ProblemKind.SIZES_DIFFER),)


def test_a_lid_pushed_between_the_pictures_is_noticed() -> None:
    table = SimulatedTable(2, clock=StepClock())
    camera = SimulatedCamera(table)
    camera.open()
    empty = camera.frame().image
    table.lay_out()
    table.bump(9, 3)
    learnt = calibrate(empty, camera.frame().image)
    assert learnt.calibration is None
    assert learnt.problems[0].kind is ProblemKind.LID_MOVED


def test_colours_that_look_alike_are_warned_about() -> None:
    pip = Lab(10, 0, 0)
    samples = (
        DieSample(DieColour.WHITE, Lab(80, 2, 20), pip),
        DieSample(DieColour.WHITE, Lab(79, 2, 21), pip),
        DieSample(DieColour.RED, Lab(45, 60, 40), pip),
        DieSample(DieColour.YELLOW, Lab(80, 3, 22), pip),
        DieSample(DieColour.GREEN, Lab(40, -30, 20), pip),
        DieSample(DieColour.BLUE, Lab(30, 5, -40), pip),
    )
    (warning,) = warnings_about(samples)
    assert warning == Problem(ProblemKind.COLOURS_ALIKE, (DieColour.WHITE, DieColour.YELLOW))
    assert warnings_about((*samples[:3], replace(samples[3], body=Lab(80, 3, 60)), *samples[4:])) == ()


def test_a_table_learnt_and_kept_reads_its_throws(pictures: Callable[[int], Pair], tmp_path: Path) -> None:
    empty, dice, truth = pictures(2)
    known = calibrate(empty, dice).calibration
    assert isinstance(known, Calibration)
    reading = read_dice(dice, ALL_SIX, save(known, tmp_path / "table.toml", empty))
    assert sorted((d.colour, d.pips) for d in reading.dice) == sorted(
        (d.colour, d.pips or 0) for d in truth.dice
    )
