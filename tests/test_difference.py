"""Dice are new in a lid that was empty; shadows, drifting light and what is printed on the floor are not."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.cameras.clock import StepClock
from vision.colour.bodies import linear, shown
from vision.dice.pips import square_corners
from vision.image.arrays import Image
from vision.memory.calibration import Calibration, save
from vision.place.difference import Difference
from vision.place.lid import Lid
from vision.simulation.table import SimulatedCamera, SimulatedTable


class Known:
    """A simulated table with its calibration and a throw in it."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.table = SimulatedTable(seed, clock=StepClock())
        camera = SimulatedCamera(self.table)
        camera.open()
        self.empty = camera.frame().image
        height, width = self.empty.shape[:2]
        plain = Calibration(width, height, self.table.truth().lid, 36.0, ())
        self.calibration = save(plain, folder / f"{seed}.toml", self.empty)
        self.table.throw()
        self.table.clock.wait(2)
        self.camera = camera

    def difference(self, image: Image | None = None) -> Difference:
        seen = self.camera.frame().image if image is None else image
        return Difference.at_table(seen, self.calibration, Lid(self.table.truth().lid))

    def free_places(self) -> list[np.ndarray[tuple[int, ...], np.dtype[np.float32]]]:
        """Squares of a die's size on the floor, far from every die."""
        truth = self.table.truth()
        lid = np.array(truth.lid)
        found = []
        for u in np.linspace(0.15, 0.85, 8):
            for v in np.linspace(0.15, 0.85, 6):
                x, y = (lid[0] * (1 - u) + lid[1] * u) * (1 - v) + (lid[3] * (1 - u) + lid[2] * u) * v
                if all(np.hypot(die.x - x, die.y - y) > 75 for die in truth.dice):
                    found.append(square_corners(float(x), float(y), 36.0))
        return found


@pytest.mark.parametrize("seed", [1, 3, 4, 11, 14])
def test_every_die_is_new_and_the_floor_between_is_not(tmp_path: Path, seed: int) -> None:
    known = Known(seed, tmp_path)
    new = known.difference()
    for die in known.table.truth().dice:
        assert new.shows(np.array(die.corners, np.float32)), die
    free = [new.shows(place) for place in known.free_places()]
    assert len(free) > 5
    assert not any(free)


def test_a_shadow_and_less_light_show_nothing_new(tmp_path: Path) -> None:
    known = Known(2, tmp_path)
    shade = np.full(known.empty.shape[:2], 0.75, np.float32)
    cv2.circle(shade, (500, 380), 200, 0.5, -1)
    shade = cv2.GaussianBlur(shade, (0, 0), 12).astype(np.float32)
    dark = (known.empty * shade[..., None]).astype(np.uint8)
    new = known.difference(dark)
    assert not any(new.shows(place) for place in known.free_places())


def test_white_printed_on_a_green_floor_is_not_new_in_a_person_s_shadow() -> None:
    lid = Lid(((100, 100), (900, 100), (900, 700), (100, 700)))
    empty: Image = np.full((768, 1024, 3), (20, 160, 40), np.uint8)
    places = [(240.0, 300.0), (500.0, 400.0), (700.0, 550.0)]
    for x, y in places:
        cv2.circle(empty, (int(x), int(y)), 20, (240, 240, 240), -1)
    light = linear(empty / 255) * np.linspace(0.15, 0.6, 1024)[None, :, None]
    dark = np.round(255 * shown(light)).astype(np.uint8)
    die = square_corners(420, 250, 36.0)
    cv2.fillConvexPoly(dark, np.round(die).astype(np.int32), (150, 40, 30))
    new = Difference.between(empty, dark, lid, 36.0)
    assert max(new.share(square_corners(x, y, 36.0)) for x, y in places) < 0.1
    assert new.share(die) > 0.9


def test_in_a_bumped_lid_dice_are_new_and_the_floor_is_not(tmp_path: Path) -> None:
    known = Known(6, tmp_path)
    known.table.bump(9, 3)
    new = known.difference()
    assert all(new.shows(np.array(die.corners, np.float32)) for die in known.table.truth().dice)
    assert not any(new.shows(place) for place in known.free_places())


def test_without_a_picture_of_the_empty_lid_everything_is_new(tmp_path: Path) -> None:
    known = Known(2, tmp_path)
    lid = known.calibration.lid
    assert lid is not None
    blind = Calibration(1024, 768, lid, 36.0, ())
    new = Difference.at_table(known.camera.frame().image, blind, Lid(lid))
    assert all(new.shows(np.array(die.corners, np.float32)) for die in known.table.truth().dice)


def test_what_is_plainly_a_die_counts_as_new_for_less_and_an_unchanged_floor_never(tmp_path: Path) -> None:
    known = Known(3, tmp_path)
    seen = known.difference()
    die = known.table.truth().dice[0]
    half_beside = square_corners(die.x + 24, die.y, 36.0)
    assert 0.2 < seen.share(half_beside) < 0.95
    shown = [seen.shows(half_beside, is_die) for is_die in (0.5, 0.99)]
    assert shown[1]
    assert shown == sorted(shown)
    assert not any(seen.shows(place, 0.99) for place in known.free_places())
