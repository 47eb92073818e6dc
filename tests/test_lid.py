"""The lid is found where it is, and nowhere else."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.empty_pictures import in_empty_pictures
from vision.dice.finder import BESIDE_FLOOR
from vision.place.lid import Lid, find_lid, search_lid
from vision.scoring.truth import Points, TrueScene, load

LIDS = load(Path(__file__).parent / "pictures" / "lids")
FARTHEST, USUAL = 0.55, 0.26  # edges of a die: of the worst lid, of half of them
Image = NDArray[np.uint8]


def corner_error(seen: Points, true: Points) -> float:
    turns = [np.roll(way, k, axis=0) for way in (seen, seen[::-1]) for k in range(4)]
    return float(min(np.linalg.norm(turn - true, axis=1).max() for turn in turns))


def farthest_corner(scene: TrueScene) -> float:
    """How far the worst corner is off, in edges of a die."""
    lid = find_lid(scene.picture())
    assert lid is not None
    assert scene.lid is not None
    edge = float(np.median([die.size for die in scene.dice if die.in_lid]))
    return corner_error(lid.points, scene.lid) / edge


def test_rendered_lids_are_found_nearer_than_dice_beside_them_could_lie() -> None:
    off = sorted(farthest_corner(scene) for scene in LIDS)
    assert off[-1] < FARTHEST < BESIDE_FLOOR
    assert off[len(off) // 2] < USUAL


@pytest.mark.parametrize("turn", [cv2.ROTATE_90_CLOCKWISE, cv2.ROTATE_180])
def test_a_turned_picture_shows_the_same_lid_turned(turn: int) -> None:
    image = LIDS[0].picture()
    turned = cv2.rotate(image, turn).astype(np.uint8)
    upright, lid = find_lid(image), find_lid(turned)
    assert upright is not None
    assert lid is not None
    long, short = sorted(upright.sides, reverse=True)
    assert sorted(lid.sides, reverse=True) == pytest.approx([long, short], rel=0.04)


def test_size_of_the_picture_does_not_matter() -> None:
    image = LIDS[1].picture()
    doubled = cv2.resize(image, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC).astype(np.uint8)
    small, large = find_lid(image), find_lid(doubled)
    assert small is not None
    assert large is not None
    assert corner_error(large.points / 2, small.points) < 4


@pytest.mark.parametrize("name", ["cocked", "crowded"])
def test_a_lid_that_is_faint_from_afar_is_found_from_near_by(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = next(scene for scene in LIDS if scene.path.stem.startswith(name))
    image = scene.picture()
    small = cv2.resize(image, None, fx=0.4, fy=0.4, interpolation=cv2.INTER_AREA)
    beside, (height, width) = image.shape[0] // 3, small.shape[:2]
    far = np.empty((height + 2 * beside, width + 2 * beside, 3), np.uint8)
    far[:] = np.median(image[:20].reshape(-1, 3), axis=0)  # table all round
    far[beside:-beside, beside:-beside] = small
    lid = find_lid(far)
    assert lid is not None
    assert scene.lid is not None
    edge = float(np.median([die.size for die in scene.dice if die.in_lid]))
    assert corner_error((lid.points - beside) / 0.4, scene.lid) < FARTHEST * edge
    monkeypatch.setattr("vision.place.lid.NEAR_SCORE", 1.0)
    assert find_lid(far) is None  # so it was the second look


@pytest.mark.parametrize("name", ["cocked", "hard-shadow", "crowded"])
def test_a_lid_too_small_to_be_seen_from_afar_is_found_where_somebody_says_that_there_is_one(
    name: str,
) -> None:
    scene = next(scene for scene in LIDS if scene.path.stem.startswith(name))
    assert scene.lid is not None
    edge = float(np.median([die.size for die in scene.dice if die.in_lid]))
    missed = 0
    for scale in (0.27, 0.3, 0.35):
        far, beside = _on_a_large_table(scene.picture(), scale)
        missed += find_lid(far) is None
        lid = search_lid(far)
        assert lid is not None
        assert corner_error((lid.points - beside) / scale, scene.lid) < 2 * FARTHEST * edge
    assert missed


def test_where_nothing_is_like_a_lid_none_is_found_whatever_somebody_says() -> None:
    grain = np.random.default_rng(5).normal(120, 12, (480, 640, 3))
    assert search_lid(np.clip(grain, 0, 255).astype(np.uint8)) is None


def _on_a_large_table(image: Image, scale: float) -> tuple[Image, Points]:
    """The picture made smaller, a third of the way into a table as large as the picture."""
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    far = np.empty_like(image)
    far[:] = np.median(image[:20].reshape(-1, 3), axis=0)
    (down, across), (height, width) = (n // 3 for n in image.shape[:2]), small.shape[:2]
    far[down : down + height, across : across + width] = small
    return far, np.array([across, down], np.float64)


@in_empty_pictures
def test_no_lid_is_found_where_none_is(image: Image) -> None:
    assert find_lid(image) is None


def test_a_lid_contains_its_floor_and_a_margin_if_asked() -> None:
    lid = Lid(((10, 10), (110, 10), (110, 60), (10, 60)))
    assert lid.contains(50, 30)
    assert not lid.contains(115, 30)
    assert lid.contains(115, 30, margin=6)
    assert lid.sides == (100, 50)
