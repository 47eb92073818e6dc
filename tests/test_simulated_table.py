"""The simulated table looks and misbehaves like a table, and only its picture tells what lies there."""

import threading
from collections import Counter
from itertools import pairwise

import cv2
import numpy as np
import pytest

from tests.waiting import PATIENCE
from tests.wording import refused
from vision.cameras.camera import CameraError
from vision.cameras.clock import StepClock
from vision.image.arrays import Image
from vision.reading import ALL_SIX, DieColour
from vision.simulation.geometry import LidPlace
from vision.simulation.scene import Painter, StillScene, _Drawing
from vision.simulation.style import style_of, view_of
from vision.simulation.table import ROLLING_SECONDS, Fault, SimulatedCamera, SimulatedTable
from vision.simulation.throwing import DieState
from vision.simulation.truth import LyingDie

SMALL = (512, 384)


def table(seed: int = 1, faults: float = 0.0, size: tuple[int, int] = SMALL) -> SimulatedTable:
    over = SimulatedTable(seed, clock=StepClock(), size=size)
    over.faults = faults
    return over


def opened(over: SimulatedTable) -> SimulatedCamera:
    camera = SimulatedCamera(over)
    camera.open()
    return camera


def thrown(seed: int = 1, faults: float = 0.0) -> tuple[SimulatedTable, SimulatedCamera]:
    over = table(seed, faults)
    over.throw()
    over.clock.wait(ROLLING_SECONDS + 0.1)
    return over, opened(over)


def difference(one: Image, other: Image) -> float:
    """How much of the picture changed by more than noise."""
    return float((cv2.absdiff(one, other).max(axis=2) > 40).mean())


def test_a_seed_gives_the_same_pictures_again() -> None:
    pictures = [thrown(5)[1].frame().image for _ in range(2)]
    assert (pictures[0] == pictures[1]).all()
    assert difference(pictures[0], thrown(6)[1].frame().image) > 0.1


def test_a_scene_is_drawn_the_same_again() -> None:
    """From nothing: other tests are given scenes that were drawn before."""
    drawn = []
    for _ in range(2):
        random = np.random.default_rng(5)
        style = style_of(random)
        drawn.append(_Drawing(style, view_of(random, style.tray, *SMALL), LidPlace()).scene(dark=False))
    assert (drawn[0].image == drawn[1].image).all()
    assert (drawn[0].direct == drawn[1].direct).all()


@pytest.mark.parametrize("size", [(320, 240), (1280, 720), (1600, 1200)])
def test_a_seed_throws_the_same_dice_at_any_size(size: tuple[int, int]) -> None:
    usual, other = SimulatedTable(8, clock=StepClock()), table(8, size=size)
    for each in (usual, other):
        each.throw()
    assert other.picture(63).shape == (size[1], size[0], 3)
    lying = [[(die.colour, die.pips) for die in each.truth().dice] for each in (usual, other)]
    assert lying[0] == lying[1]


def test_frames_of_dice_at_rest_differ_by_noise_only() -> None:
    _, camera = thrown()
    one, other = camera.frame(), camera.frame()
    assert other.number == one.number + 1
    assert other.taken > one.taken
    assert (one.image != other.image).any()
    assert difference(one.image, other.image) == 0


def test_thrown_dice_move_for_a_second_and_then_lie_still() -> None:
    over = table()
    camera = opened(over)
    over.throw()
    frames = [camera.frame() for _ in range(30)]
    moves = [difference(a.image, b.image) > 0 for a, b in pairwise(frames)]
    last = max(i for i, moved in enumerate(moves) if moved)
    assert 1.0 < frames[last + 1].taken - frames[0].taken <= ROLLING_SECONDS + 1 / 12
    assert sum(moves) > 10
    assert not over.rolling


def test_every_throw_lies_apart_in_the_lid_and_all_numbers_come() -> None:
    over = table()
    seen: Counter[int | None] = Counter()
    for _ in range(60):
        over.throw()
        truth = over.truth()
        assert Counter(die.colour for die in truth.dice) == Counter(ALL_SIX)
        lid = np.array(truth.lid, np.float32)
        for die in truth.dice:
            assert die.state is DieState.FLAT
            assert cv2.pointPolygonTest(lid, (die.x, die.y), False) > 0
            seen[die.pips] += 1
        centres = np.array([(die.x, die.y) for die in truth.dice])
        edge = np.linalg.norm(np.subtract(truth.dice[0].corners[0], truth.dice[0].corners[1]))
        apart = np.linalg.norm(centres[:, None] - centres[None], axis=2) + np.eye(6) * 1e3
        assert apart.min() > edge * 0.95
    assert set(seen) == {1, 2, 3, 4, 5, 6}
    assert min(seen.values()) > 30


def hue(image: Image, die: LyingDie) -> str:
    """The body colour in the picture, by the rule of thumb: which channels are strong."""
    mask = np.zeros(image.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(np.array(die.corners)).astype(np.int32), 255)
    face = image[mask > 0].astype(float)
    blue, green, red = np.median(face, axis=0)
    if min(blue, green, red) > 0.75 * max(blue, green, red):
        return "white"
    if red > 1.3 * blue and green > 1.3 * blue:
        return "yellow"
    return ("blue", "green", "red")[int(np.argmax((blue, green, red)))]


@pytest.mark.parametrize("seed", [2, 3, 5, 8])
def test_the_picture_shows_each_die_where_the_truth_says(seed: int) -> None:
    over = table(seed, size=(1024, 768))
    over.lay_out()
    image = opened(over).frame().image
    for die in over.truth().dice:
        assert hue(image, die) == die.colour


def test_a_spoilt_throw_has_one_die_that_does_not_lie_flat() -> None:
    over = table(3, faults=1.0)
    states: Counter[DieState] = Counter()
    for _ in range(40):
        over.throw()
        dice = over.truth().dice
        wrong = [die for die in dice if die.state not in {DieState.FLAT, DieState.UNDER}]
        assert len(wrong) == 1
        states[wrong[0].state] += 1
        assert all(die.pips is None for die in dice if die.state is DieState.UNDER)
        assert all(die.pips is not None or die.state in {DieState.COCKED, DieState.UNDER} for die in dice)
    assert set(states) == {DieState.COCKED, DieState.STACKED, DieState.OUTSIDE}


def test_a_nudge_lays_every_die_flat_in_the_lid() -> None:
    over = table(3, faults=1.0)
    camera = opened(over)
    for _ in range(15):
        over.throw()
        over.clock.wait(ROLLING_SECONDS)
        before = camera.frame().image
        over.nudge()
        over.clock.wait(1.0)
        truth = over.truth()
        lid = np.array(truth.lid, np.float32)
        assert all(die.state is DieState.FLAT and die.pips for die in truth.dice)
        assert all(cv2.pointPolygonTest(lid, (die.x, die.y), False) > 0 for die in truth.dice)
        assert difference(before, camera.frame().image) > 0


def test_a_die_taken_out_lies_beside_the_lid_and_is_thrown_no_more() -> None:
    over, camera = thrown()
    whole = camera.frame().image
    over.take_out(DieColour.RED)
    assert difference(whole, camera.frame().image) > 0.002
    assert DieColour.RED not in {die.colour for die in over.truth().dice}
    over.throw()
    assert Counter(die.colour for die in over.truth().dice) == Counter(over.dice)
    assert over.dice.count(DieColour.RED) == 0
    with pytest.raises(ValueError, match="no red die"):
        over.take_out(DieColour.RED)
    over.put_back()
    assert over.dice == ALL_SIX


def test_a_bumped_lid_takes_its_dice_along() -> None:
    over, camera = thrown()
    before, seen = over.truth(), camera.frame().image
    over.bump(millimetres=8, degrees=2)
    after = over.truth()
    moved = np.linalg.norm(np.subtract(after.lid, before.lid), axis=1)
    assert moved.min() > 5
    for was, now in zip(before.dice, after.dice, strict=True):
        assert np.hypot(now.x - was.x, now.y - was.y) == pytest.approx(moved.mean(), rel=0.8)
    assert difference(seen, camera.frame().image) > 0.01
    over.put_lid_back()
    assert over.truth() == before


@pytest.mark.parametrize("change", ["bump", "dark"])
def test_pictures_flow_while_the_lid_or_the_light_is_drawn_anew(
    change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    over, camera = thrown()
    before = camera.frame().image
    begun, seen = threading.Event(), threading.Event()
    paint = Painter.scene

    def slow(painter: Painter, place: LidPlace, dark: bool = False) -> StillScene:
        begun.set()
        assert seen.wait(PATIENCE), "no picture came while the scene was drawn"
        return paint(painter, place, dark)

    monkeypatch.setattr(Painter, "scene", slow)
    somebody = threading.Thread(target=over.bump if change == "bump" else lambda: over.begin(Fault.LIGHT_OFF))
    somebody.start()
    assert begun.wait(PATIENCE)
    assert difference(before, camera.frame().image) == 0  # as it was, until it is drawn
    seen.set()
    somebody.join(PATIENCE)
    assert difference(before, camera.frame().image) > 0.01


def test_an_unplugged_camera_says_so_until_it_is_plugged_in_and_opened() -> None:
    over, camera = thrown()
    over.begin(Fault.UNPLUGGED)
    with refused(CameraError, match="unplugged"):
        camera.frame()
    with refused(CameraError, match="unplugged"):
        camera.open()
    over.end(Fault.UNPLUGGED)
    with refused(CameraError, match="open it first"):
        camera.frame()
    camera.open()
    assert camera.frame().image.mean() > 20


def test_black_blinded_and_dark_pictures_pass() -> None:
    over, camera = thrown()
    good = camera.frame().image.mean()
    means = {}
    for fault in (Fault.BLACK, Fault.BLINDED, Fault.LIGHT_OFF):
        over.begin(fault)
        means[fault] = camera.frame().image.mean()
        over.end(fault)
        assert camera.frame().image.mean() == pytest.approx(good, abs=1)
    assert means[Fault.BLACK] == 0
    assert means[Fault.BLINDED] == 255
    assert means[Fault.LIGHT_OFF] < good / 4


def test_a_frozen_camera_repeats_the_same_picture_to_the_last_bit() -> None:
    over, camera = thrown()
    one = camera.frame()
    over.begin(Fault.FROZEN)
    over.throw()
    over.clock.wait(1)
    assert (camera.frame().image == one.image).all()
    over.end(Fault.FROZEN)
    assert (camera.frame().image != one.image).any()


def test_a_hand_reaches_in_and_leaves() -> None:
    over, camera = thrown()
    before = camera.frame().image
    over.begin(Fault.HAND)
    over.clock.wait(0.5)
    assert difference(before, camera.frame().image) > 0.05
    over.end(Fault.HAND)
    assert difference(before, camera.frame().image) == 0


def test_the_camera_keeps_its_pace() -> None:
    _, camera = thrown()
    taken = [camera.frame().taken for _ in range(5)]
    assert np.diff(taken) == pytest.approx([1 / 12] * 4, rel=1e-6)
