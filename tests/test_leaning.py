"""The network of leaning dice tells a leaning die from a flat one and sees where its foot is."""

import cv2
import numpy as np
import pytest

from vision.cameras.clock import StepClock
from vision.dice.leaning import Lean, look_at_lean
from vision.dice.pips import square_corners
from vision.image.arrays import Image
from vision.simulation.table import ROLLING_SECONDS, SimulatedCamera, SimulatedTable
from vision.simulation.throwing import DieState
from vision.simulation.truth import LyingDie

SEEDS = range(301, 313)  # tables that it has not learnt from


Array = np.ndarray[tuple[int, ...], np.dtype[np.float32]]
Shown = tuple[Image, list[LyingDie], list[Array]]
Look = tuple[LyingDie, Lean]


@pytest.fixture(scope="module")
def shown() -> list[Shown]:
    """Every flat and leaning die of some spoilt throws, and where its face is."""
    shown = []
    for seed in SEEDS:
        table = SimulatedTable(seed, clock=StepClock(), size=(800, 600))
        table.faults = 1.0
        camera = SimulatedCamera(table)
        camera.open()
        for _ in range(3):
            table.throw()
            table.clock.wait(ROLLING_SECONDS)
            image = camera.frame().image
            dice = [d for d in table.truth().dice if d.state in {DieState.FLAT, DieState.COCKED}]
            faces = [_square(die) for die in dice]
            shown.append((image, dice, faces))
    return shown


@pytest.fixture(scope="module")
def looks(shown: list[Shown]) -> list[Look]:
    return [
        look for image, dice, faces in shown for look in zip(dice, look_at_lean(image, faces), strict=True)
    ]


def _square(die: LyingDie) -> Array:
    """The face as a finder sees it: a square, whichever way the die leans."""
    corners = np.array(die.corners)
    sides = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
    across = corners[1] - corners[0]
    return square_corners(
        die.x, die.y, float(sides.max()), float(np.degrees(np.arctan2(across[1], across[0])))
    )


def test_leaning_dice_seem_to_lean_more_than_flat_ones(looks: list[Look]) -> None:
    flat = np.array([lean.chance for die, lean in looks if die.state is DieState.FLAT])
    leaning = np.array([lean.chance for die, lean in looks if die.state is DieState.COCKED])
    assert len(flat) > 100
    assert len(leaning) > 10
    assert np.median(flat) < 0.15
    assert np.median(leaning) > 0.5
    assert (leaning[:, None] > flat[None]).mean() > 0.9


def test_a_leaning_die_shows_its_foot_far_from_where_a_flat_die_would(
    looks: list[Look],
) -> None:
    flat = np.array([np.hypot(*lean.foot) for die, lean in looks if die.state is DieState.FLAT])
    leaning = np.array([np.hypot(*lean.foot) for die, lean in looks if die.state is DieState.COCKED])
    assert np.median(leaning) > 0.3 > np.median(flat)


def test_nothing_to_look_at_is_nothing_seen() -> None:
    assert look_at_lean(np.zeros((60, 60, 3), np.uint8), []) == ()


def test_where_in_the_picture_a_die_lies_does_not_change_its_foot(shown: list[Shown]) -> None:
    """Seen aslant the far end of a face is shorter, and how much small steps count depends on the place."""
    aside, shorter = 900, np.array([(0.05, 0.0), (-0.05, 0.0), (0.0, 0.0), (0.0, 0.0)], np.float32)
    image, _, faces = shown[0]
    faces = [face + shorter * (face[1] - face[0])[0] for face in faces]
    wide = cv2.copyMakeBorder(image, aside, 0, aside, 0, cv2.BORDER_REPLICATE).astype(np.uint8)
    moved = look_at_lean(wide, [face + np.float32(aside) for face in faces])
    for one, other in zip(look_at_lean(image, faces), moved, strict=True):
        assert other.foot == pytest.approx(one.foot, abs=0.02)


def test_a_closer_look_sees_the_feet_of_flat_dice_no_worse_and_tells_leaning_ones(shown: list[Shown]) -> None:
    """Turned by a quarter and mirrored, a die has the same foot: views that differ are errors."""
    off: dict[bool, list[float]] = {False: [], True: []}
    chances: dict[DieState, list[float]] = {DieState.FLAT: [], DieState.COCKED: []}
    for image, dice, faces in shown:
        for closely in off:
            turned = [np.roll(corners, -1, axis=0) for corners in faces]
            one, other = (look_at_lean(image, places, closely) for places in (faces, turned))
            pairs = zip(one, other, strict=True)
            off[closely] += [float(np.hypot(*np.subtract(a.foot, b.foot))) for a, b in pairs]
            if closely:
                for die, lean in zip(dice, one, strict=True):
                    chances[die.state].append(lean.chance)
    assert np.mean(off[True]) < 0.2 * np.mean(off[False])
    assert np.median(chances[DieState.FLAT]) < 0.15
    assert np.median(chances[DieState.COCKED]) > 0.5
