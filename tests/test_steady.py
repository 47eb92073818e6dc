"""A reading waits until the dice lie still and no hand is over the lid, and then says what moves."""

import json
from pathlib import Path
from typing import cast

import cv2
import pytest

from vision.cameras.clock import StepClock
from vision.cameras.steady import Motion, Steady, Throws, wait_until_still
from vision.cameras.watch import Glance, small_grey
from vision.image.arrays import Image
from vision.reading import Corners, ProblemKind
from vision.simulation.table import Fault, SimulatedCamera, SimulatedTable

SEQUENCES = Path(__file__).parent / "pictures" / "sequences"
SIZE = (512, 384)


class Table:
    """A simulated table whose camera gives glances, on a clock of its own."""

    def __init__(self, seed: int = 1, know_lid: bool = True) -> None:
        self.clock = StepClock()
        self.table = SimulatedTable(seed, clock=self.clock, size=SIZE)
        self._camera = SimulatedCamera(self.table)
        self._camera.open()
        self.lid = self.table.truth().lid if know_lid else None
        self.steady = Steady(self.lid, SIZE)

    def glance(self, timeout: float = 3.0) -> Glance:
        frame = self._camera.frame(timeout)
        return Glance(small_grey(frame.image), frame.taken)

    def look(self, seconds: float) -> list[Motion]:
        ends = self.clock.now() + seconds
        seen = []
        while self.clock.now() < ends:
            seen.append(self.steady.look(self.glance()))
        return seen


@pytest.mark.parametrize("know_lid", [True, False])
@pytest.mark.parametrize("seed", [1, 4])
def test_rolling_dice_are_moving_and_then_still(seed: int, know_lid: bool) -> None:
    table = Table(seed, know_lid)
    assert table.look(1.0)[-1] is Motion.STILL
    for _ in range(3):
        table.table.throw()
        rolling = table.look(1.6)
        assert Motion.STILL not in rolling[1:]
        assert table.look(1.0)[-1] is Motion.STILL


@pytest.mark.parametrize("which", ["0", "5"])
def test_a_filmed_throw_is_still_only_once_the_dice_lie(which: str) -> None:
    lines = (SEQUENCES / which / "truth.jsonl").read_text().splitlines()
    truths = [json.loads(line) for line in lines]
    lid = cast(Corners, tuple((x, y) for x, y in truths[0]["lid"]))
    steady = Steady(lid, (320, 240))
    seen = []
    for truth in truths:
        image = cast(Image, cv2.imread(str(SEQUENCES / which / truth["file"])))
        seen.append(steady.look(Glance(small_grey(image), truth["t"])))
    last_moving = max(i for i, truth in enumerate(truths) if truth["state"] == "moving")
    assert Motion.STILL not in seen[1 : last_moving + 2]
    assert seen[-1] is Motion.STILL


def test_a_hand_that_rests_in_the_lid_is_told_from_dice() -> None:
    table = Table()
    table.table.throw()
    table.look(3.0)
    table.table.begin(Fault.HAND)
    assert Motion.STILL not in table.look(3.0)
    assert table.look(0.2)[-1] is Motion.HAND
    table.table.end(Fault.HAND)
    assert table.look(1.0)[-1] is Motion.STILL


def test_something_put_down_for_good_is_a_hand_no_longer() -> None:
    table = Table()
    table.table.throw()
    table.look(3.0)
    table.table.begin(Fault.HAND)
    assert table.look(12.0)[-1] is Motion.STILL


def test_a_lamp_switched_off_or_a_bumped_lid_comes_to_rest() -> None:
    table = Table(3)
    table.table.throw()
    table.look(3.0)
    table.table.bump(6)
    assert table.look(1.0)[-1] is Motion.STILL
    table.table.begin(Fault.LIGHT_OFF)
    assert table.look(1.0)[-1] is Motion.STILL


def test_the_button_may_be_pressed_early() -> None:
    table = Table()
    table.look(1.0)
    table.table.throw()
    pressed = table.clock.now()
    assert wait_until_still(table, table.steady, table.clock.now) is None
    assert 1.4 < table.clock.now() - pressed < 2.6


def test_after_three_seconds_the_problem_says_what_moves() -> None:
    table = Table()
    table.look(1.0)
    table.table.begin(Fault.HAND)
    pressed = table.clock.now()
    problem = wait_until_still(table, table.steady, table.clock.now)
    assert problem is not None
    assert problem.kind is ProblemKind.HAND
    assert table.clock.now() - pressed == pytest.approx(3.0, abs=0.1)


def test_throws_are_noticed_without_the_button_once_each() -> None:
    table = Table()
    throws = Throws(table.steady)

    def noticed(seconds: float) -> int:
        ends = table.clock.now() + seconds
        count = 0
        while table.clock.now() < ends:
            count += throws.look(table.glance())
        return count

    assert noticed(1.5) == 0
    for _ in range(3):
        table.table.throw()
        assert noticed(3.0) == 1
    table.table.begin(Fault.HAND)
    assert noticed(1.0) == 0
    table.table.end(Fault.HAND)
    assert noticed(2.0) == 0


def test_a_camera_of_another_size_is_no_throw_and_no_end_of_watching() -> None:
    """A camera found anew may have other pictures than the one before."""
    table = Table()
    throws = Throws(table.steady)
    for _ in range(12):
        throws.look(table.glance())
    smaller = [table.glance() for _ in range(12)]
    seen = [throws.look(Glance(glance.image[::2, ::2], glance.taken)) for glance in smaller]
    assert not any(seen)
    assert throws.is_still


def test_a_place_that_is_only_supposed_tells_a_hand_and_what_moves_beside_it_still_counts() -> None:
    table = Table(know_lid=False)
    table.table.throw()
    table.look(3.0)
    table.table.begin(Fault.HAND)
    assert table.look(3.0)[-1] is Motion.STILL  # as large a thing as the picture would be no surprise
    table.table.end(Fault.HAND)
    table.look(1.0)
    table.steady.suppose(table.table.truth().lid, SIZE)
    table.table.begin(Fault.HAND)
    assert table.look(3.0)[-1] is Motion.HAND
    table.table.end(Fault.HAND)
    assert table.look(1.0)[-1] is Motion.STILL
    glance = table.glance()
    beside = glance.image.copy()
    beside[:40, :40] = 255 - beside[:40, :40]
    assert table.steady.look(Glance(beside, glance.taken)) is not Motion.STILL


def test_a_place_that_is_supposed_takes_nothing_from_a_lid_that_is_known() -> None:
    table, other = Table(), Table()
    other.steady.suppose(((0, 0), (20, 0), (20, 20)), SIZE)
    table.table.throw()
    other.table.throw()
    assert table.look(3.0) == other.look(3.0)
