"""A bumped lid is found again; a lid at rest stays where calibration put it, whatever light or hands do."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.cameras.clock import StepClock
from vision.memory.calibration import Calibration, save
from vision.place.aligning import align, has_moved
from vision.simulation.table import Fault, SimulatedCamera, SimulatedTable


class Known:
    """A simulated table with its calibration."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.table = SimulatedTable(seed, clock=StepClock())
        self.camera = SimulatedCamera(self.table)
        self.camera.open()
        self.empty = self.camera.frame().image
        height, width = self.empty.shape[:2]
        plain = Calibration(width, height, self.table.truth().lid, 36.0, ())
        self.calibration = save(plain, folder / f"{seed}.toml", self.empty)

    def off(self) -> float:
        """How far the found lid's worst corner is from the true one, in die edges."""
        lid = align(self.camera.frame().image, self.calibration)
        assert lid is not None
        away = np.linalg.norm(lid.points - np.array(self.table.truth().lid), axis=1)
        return float(away.max()) / self.calibration.die_edge


@pytest.mark.parametrize("seed", [1, 2, 5])
@pytest.mark.parametrize(("millimetres", "degrees"), [(4, 1), (9, 3), (15, 4)])
def test_a_bumped_lid_is_found_again(tmp_path: Path, seed: int, millimetres: float, degrees: float) -> None:
    known = Known(seed, tmp_path)
    known.table.throw()
    known.table.clock.wait(2)
    known.table.bump(millimetres, degrees)
    assert known.off() < 0.25


@pytest.mark.parametrize("seed", [1, 2, 5, 7])
def test_a_lid_at_rest_stays_exactly_where_it_was(tmp_path: Path, seed: int) -> None:
    known = Known(seed, tmp_path)
    for _ in range(3):
        known.table.throw()
        known.table.clock.wait(2)
        assert known.off() == 0


def test_a_hand_over_the_lid_does_not_move_it(tmp_path: Path) -> None:
    known = Known(2, tmp_path)
    known.table.begin(Fault.HAND)
    known.table.clock.wait(1)
    assert known.off() < 0.25


def test_the_same_lid_in_half_the_light_is_at_rest(tmp_path: Path) -> None:
    known = Known(2, tmp_path)
    dim = (known.empty * 0.5).astype(np.uint8)
    lid = align(dim, known.calibration)
    assert lid is not None
    assert lid.corners == known.calibration.lid


def test_another_picture_size_shows_the_same_lid(tmp_path: Path) -> None:
    known = Known(2, tmp_path)
    half = cv2.resize(known.empty, (512, 384), interpolation=cv2.INTER_AREA).astype(np.uint8)
    lid = align(half, known.calibration)
    assert lid is not None
    assert np.abs(lid.points * 2 - np.array(known.calibration.lid)).max() < 1


def test_a_picture_of_another_place_has_lost_the_lid(tmp_path: Path) -> None:
    known = Known(2, tmp_path)
    noise = np.random.default_rng(1).integers(90, 110, known.empty.shape).astype(np.uint8)
    assert align(noise, known.calibration) is None
    assert align(np.zeros_like(noise), known.calibration) is None


def test_two_pictures_tell_whether_the_lid_was_pushed(tmp_path: Path) -> None:
    known = Known(2, tmp_path)
    known.table.throw()
    known.table.clock.wait(2)
    lid = known.calibration.lid
    assert lid is not None
    assert not has_moved(known.empty, known.camera.frame().image, lid)
    known.table.bump(8, 2)
    assert has_moved(known.empty, known.camera.frame().image, lid)
