"""Dice come first, their place second: trays of any shape, a mat, a bare table, and dice that lie apart.

The pictures are drawn by `python -m vision.training.worlds`, a renderer that is neither ours nor Blender.
"""

import json
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.image.arrays import Image
from vision.place.ground import groups_of
from vision.reader import read_dice
from vision.reading import ALL_SIX, DieColour, ProblemKind, Reading

FOLDER = Path(__file__).parent / "pictures" / "places"
TRUTHS = {
    truth["preset"]: truth for truth in map(json.loads, (FOLDER / "truth.jsonl").read_text().splitlines())
}
WALLED = ("round", "hexagon", "octagon", "wood", "mat")


@dataclass(frozen=True)
class Seen:
    image: Image
    reading: Reading


def picture(kind: str) -> Image:
    image = cv2.imread(str(FOLDER / TRUTHS[kind]["file"]))
    assert image is not None
    return image.astype(np.uint8, copy=False)


@pytest.fixture(scope="module")
def seen() -> dict[str, Seen]:
    return {kind: Seen(picture(kind), read_dice(picture(kind))) for kind in TRUTHS}


@pytest.mark.parametrize("kind", TRUTHS)
def test_dice_are_read_whatever_they_lie_in(kind: str, seen: dict[str, Seen]) -> None:
    reading = seen[kind].reading
    inside = [die for die in TRUTHS[kind]["dice"] if die["in_lid"]]
    assert reading.certain
    assert sorted((str(die.colour), die.pips) for die in reading.dice) == sorted(
        (die["colour"], die["true_pips"]) for die in inside
    )


@pytest.mark.parametrize("kind", WALLED)
def test_the_outline_round_the_dice_is_told(kind: str, seen: dict[str, Seen]) -> None:
    place = seen[kind].reading.place
    assert place is not None
    told, true = (np.array(ring, np.float32) for ring in (place, TRUTHS[kind]["place"]))
    shared, _ = cv2.intersectConvexConvex(cv2.convexHull(told), cv2.convexHull(true))
    # from a slant the near wall hides a part of the floor, and the far one is seen above it
    assert shared / (cv2.contourArea(told) + cv2.contourArea(true) - shared) > 0.75
    assert (seen[kind].reading.lid is not None) == (kind == "wood")


def test_on_a_bare_table_there_is_no_place(seen: dict[str, Seen]) -> None:
    assert seen["bare"].reading.place is None


def test_a_die_on_another_ground_than_the_rest_is_asked_about(seen: dict[str, Seen]) -> None:
    """As one that fell on a sheet of paper, or beside a tray that was not recognised."""
    aside = seen["bare"].reading.dice[2]
    image = seen["bare"].image.copy()
    paper, die = np.zeros(image.shape[:2], np.uint8), np.zeros(image.shape[:2], np.uint8)
    cv2.circle(paper, (round(aside.x), round(aside.y)), round(2.1 * aside.size), 255, cv2.FILLED)
    cv2.circle(die, (round(aside.x), round(aside.y)), round(0.9 * aside.size), 255, cv2.FILLED)
    image[(paper > 0) & (die == 0)] = (150, 60, 190)
    groups = groups_of(image, [np.array(die.outline, np.float32) for die in seen["bare"].reading.dice])
    assert groups == [[0, 1, 3, 4, 5], [2]]
    reading = read_dice(image)
    assert not reading.certain
    assert reading.problems[0].kind in {ProblemKind.DIE_APART, ProblemKind.DIE_MISSING}
    near = [d for d in reading.dice if np.hypot(d.x - aside.x, d.y - aside.y) < aside.size]
    assert all(d.doubtful for d in near)


@pytest.mark.parametrize("kind", ["round", "octagon"])
def test_a_die_beside_the_place_does_not_stand_in_for_one_that_is_missing(
    kind: str, seen: dict[str, Seen]
) -> None:
    """It may have fallen out; nobody is sure that it counts, and it is marked."""
    outside = [die for die in TRUTHS[kind]["dice"] if not die["in_lid"]]
    gone = seen[kind].reading.dice[0]
    image = seen[kind].image.copy()
    floor = np.median(
        image[round(gone.y) - 40 : round(gone.y) + 40, round(gone.x) - 40 : round(gone.x) + 40], (0, 1)
    )
    cv2.circle(image, (round(gone.x), round(gone.y)), round(1.3 * gone.size), floor.tolist(), cv2.FILLED)
    others = [die.colour for die in seen[kind].reading.dice if die is not gone]
    for die in outside:
        if die["colour"] not in {str(colour) for colour in DieColour}:
            continue
        reading = read_dice(image, [*others, DieColour(die["colour"])])
        assert not reading.certain
        near = [d for d in reading.dice if np.hypot(d.x - die["x"], d.y - die["y"]) < d.size]
        assert all(d.doubtful for d in near)


def test_where_neither_dice_nor_a_place_are_seen_one_sentence_says_so() -> None:
    grain = np.random.default_rng(5).normal(120, 12, (480, 640, 3))
    reading = read_dice(np.clip(grain, 0, 255).astype(np.uint8), ALL_SIX)
    assert [problem.kind for problem in reading.problems] == [ProblemKind.NO_LID]
