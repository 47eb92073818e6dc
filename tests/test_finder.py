"""Dice are found where they lie, in the lid and without one, and nothing else is taken for a die."""

import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.empty_pictures import in_empty_pictures
from vision.dice import finder
from vision.dice.finder import Candidate, find_dice, find_more
from vision.place.lid import Lid
from vision.scoring.truth import TrueScene, load

LIDS = load(Path(__file__).parent / "pictures" / "lids")
SURE = 0.4
Image = NDArray[np.uint8]


def true_lid(scene: TrueScene) -> Lid:
    assert scene.lid is not None
    a, b, c, d = [(float(x), float(y)) for x, y in scene.lid]
    return Lid((a, b, c, d))


def nearest(found: tuple[Candidate, ...], x: float, y: float) -> Candidate:
    return min(found, key=lambda c: math.hypot(c.x - x, c.y - y))


def named(start: str) -> TrueScene:
    return next(scene for scene in LIDS if scene.path.stem.startswith(start))


@pytest.mark.parametrize("scene", LIDS, ids=lambda scene: scene.path.stem)
def test_every_readable_die_in_the_lid_is_found_with_place_size_and_corners(scene: TrueScene) -> None:
    found = find_dice(scene.picture(), true_lid(scene))
    for die in scene.dice:
        if not (die.in_lid and die.readable):
            continue
        seen = nearest(found, die.x, die.y)
        assert math.hypot(seen.x - die.x, seen.y - die.y) < 0.2 * die.size
        assert seen.score > SURE
        assert seen.size == pytest.approx(die.size, rel=0.15)
        assert die.corners is not None
        for x, y in seen.corners:
            assert np.linalg.norm(die.corners - (x, y), axis=1).min() < 0.3 * die.size


@pytest.mark.parametrize("scene", LIDS, ids=lambda scene: scene.path.stem)
def test_nothing_in_the_lid_but_dice_is_taken_for_a_die(scene: TrueScene) -> None:
    for seen in find_dice(scene.picture(), true_lid(scene)):
        near = min(math.hypot(seen.x - die.x, seen.y - die.y) / die.size for die in scene.dice if die.in_lid)
        assert seen.score < SURE or near < 0.5


def test_dice_beside_the_lid_do_not_count() -> None:
    scene = named("clutter")
    beside = [die for die in scene.dice if not die.in_lid]
    assert beside
    everywhere, inside = find_dice(scene.picture()), find_dice(scene.picture(), true_lid(scene))
    for die in beside:
        assert math.hypot(nearest(everywhere, die.x, die.y).x - die.x, 0) < die.size
        assert all(math.hypot(seen.x - die.x, seen.y - die.y) > die.size for seen in inside)


def test_dice_in_one_lid_are_of_one_size_seen_from_straight_above() -> None:
    scene = named("tilted")
    lid = true_lid(scene)
    across, down = lid.sides
    floor = np.array([(0, 0), (across, 0), (across, down), (0, down)], np.float32)
    matrix = cv2.getPerspectiveTransform(lid.points.astype(np.float32), floor)
    edges = []
    for seen in find_dice(scene.picture(), lid):
        if seen.score > SURE:
            ring = cv2.perspectiveTransform(np.array(seen.corners)[:, None], matrix.astype(np.float64))
            edges.append(math.sqrt(cv2.contourArea(ring.astype(np.float32))))
    assert len(edges) >= 5
    assert max(edges) < 1.02 * min(edges)


def test_two_upward_faces_are_never_nearer_than_touching_dice() -> None:
    for scene in LIDS:
        found = find_dice(scene.picture(), true_lid(scene))
        for index, one in enumerate(found):
            for other in found[:index]:
                assert math.hypot(one.x - other.x, one.y - other.y) > 0.7 * min(one.size, other.size)


def test_knowing_the_edge_finds_the_same_dice_as_knowing_the_lid() -> None:
    scene = named("white-lid")
    edge = float(np.median([die.size for die in scene.dice]))
    by_lid = find_dice(scene.picture(), true_lid(scene))
    by_edge = find_dice(scene.picture(), edge=edge)
    for seen in by_lid:
        other = nearest(by_edge, seen.x, seen.y)
        assert math.hypot(other.x - seen.x, other.y - seen.y) < 0.2 * edge


@pytest.mark.parametrize("scale", [0.7, 1.5, 3.0])
def test_without_lid_or_edge_dice_of_any_size_are_found(scale: float) -> None:
    scene = named("white-lid")
    image = scene.picture()
    height, width = image.shape[:2]
    picture = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC).astype(np.uint8)
    found = find_dice(picture[:height, :width] if scale > 2 else picture)
    for die in scene.dice:
        x, y = die.x * scale, die.y * scale
        if scale > 2 and not (
            die.size * 3 < x < width - die.size * 3 and die.size * 3 < y < height - die.size * 3
        ):
            continue
        seen = nearest(found, x, y)
        assert math.hypot(seen.x - x, seen.y - y) < 0.3 * die.size * scale


@pytest.mark.parametrize("scene", LIDS[::4], ids=lambda scene: scene.path.stem)
def test_a_die_that_was_missed_is_found_behind_the_others_when_dice_are_shown_larger(
    scene: TrueScene,
) -> None:
    image, lid = scene.picture(), true_lid(scene)
    missed, *others = find_dice(image, lid)
    again = find_more(image, lid, tuple(others))
    assert again[: len(others)] == tuple(others)
    found = nearest(again[len(others) :], missed.x, missed.y)
    assert math.hypot(found.x - missed.x, found.y - missed.y) < 0.2 * missed.size
    assert found.likeliest == missed.likeliest


def test_where_nothing_was_found_nobody_knows_how_much_larger() -> None:
    assert find_more(LIDS[0].picture(), true_lid(LIDS[0]), ()) == ()


def test_a_speck_among_what_was_found_does_not_make_the_second_look_a_long_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    image, lid = LIDS[0].picture(), true_lid(LIDS[0])
    seen = find_dice(image, lid)
    shown: list[int] = []
    look = finder._look

    def noted(view: Image) -> list[Candidate]:
        shown.append(max(view.shape))
        return look(view)

    monkeypatch.setattr(finder, "_look", noted)
    find_more(image, lid, (replace(seen[0], size=1.0),))
    assert shown[0] < 2.5 * finder.LID_EDGE


@in_empty_pictures
def test_no_die_is_found_where_none_is(image: Image) -> None:
    assert [seen for seen in find_dice(image) if seen.score > SURE] == []


def test_pips_are_probabilities_and_scores_lie_between_none_and_sure() -> None:
    for seen in find_dice(LIDS[0].picture()):
        assert sum(seen.pips) == pytest.approx(1, abs=1e-4)
        assert 0 <= seen.score <= 1
        assert 0 <= seen.flat <= 1
        assert seen.pips[seen.likeliest - 1] == max(seen.pips)


def test_several_threads_may_look_at_once() -> None:
    images = [scene.picture() for scene in LIDS[:4]]
    alone = [find_dice(image) for image in images]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(find_dice, images))
    for seen, same in zip(together, alone, strict=True):
        assert len(seen) == len(same)
        for one, other in zip(seen, same, strict=True):
            assert (one.x, one.y, one.score) == pytest.approx((other.x, other.y, other.score), abs=0.01)
