"""Faces taken half on a die's top and half on its side, or all on its side, in lids seen from a slant."""

from dataclasses import dataclass, replace

import numpy as np
import pytest

from tests.lids import true_lids
from vision.dice.face import Face
from vision.dice.finder import Candidate, find_dice
from vision.dice.looks import look_at
from vision.dice.pips import Array
from vision.dice.tops import NO_FACE, put_right
from vision.image.arrays import Image
from vision.place.lid import Lid, find_lid
from vision.scoring.truth import TrueScene

STEEP, STEEPER, DOWN = 0.2, 0.25, 0.55  # edges


@dataclass(frozen=True)
class Straddling:
    """A die's face as it is, the same taken half on its side, and the other faces of its lid."""

    image: Image
    floor: Lid
    others: list[Face]
    top: Face
    seen: Face

    def put(self, *beside: Face) -> Face:
        return put_right(self.image, self.floor, [*(beside or self.others), self.seen])[-1]


def usual_way(faces: list[Face]) -> Array:
    return np.asarray(np.median([face.lean.foot for face in faces], axis=0), np.float32)


def moved_down(face: Face, way: Array) -> Candidate:
    """What a finder says that sees the face and the side below it as one."""
    place = face.corners + np.float32(DOWN * face.size / np.hypot(*way)) * way
    (x, y), (a, b, c, d) = place.mean(0), ((float(x), float(y)) for x, y in place)
    return Candidate(float(x), float(y), face.size, (a, b, c, d), 0.5, (0.0, 0.0, 0.0, 0.3, 0.0, 0.7), 0.9)


def straddling_in(lid: TrueScene) -> list[Straddling]:
    image, floor = lid.picture(), find_lid(lid.picture())
    if floor is None:
        return []
    seen = look_at(image, find_dice(image, floor))
    faces = [face for face in seen if face.network.chances[6] < 0.1 and face.score > 0.5]
    way = usual_way(faces)
    if np.hypot(*way) < STEEP:
        return []
    halves = look_at(image, [moved_down(face, way) for face in faces])
    return [
        Straddling(image, floor, [*faces[:i], *faces[i + 1 :]], faces[i], half)
        for i, half in enumerate(halves)
        if half.network.chances[6] > NO_FACE
    ]


@pytest.fixture(scope="module")
def straddling() -> list[Straddling]:
    found = [each for lid in true_lids() for each in straddling_in(lid)]
    assert len(found) >= 8
    return found


def test_a_face_half_on_a_side_is_moved_up_to_the_top(straddling: list[Straddling]) -> None:
    """And what the finder read there does not count."""
    moved = [(each.top, put) for each in straddling if (put := each.put()) is not each.seen]
    assert len(moved) >= 0.8 * len(straddling)
    for top, put in moved:
        assert np.hypot(put.x - top.x, put.y - top.y) < 0.15 * top.size
        assert put.network.pips == top.network.pips
        assert max(put.votes) == 0


def test_a_side_is_not_moved_onto_the_top_that_was_found(straddling: list[Straddling]) -> None:
    for each in straddling:
        put = each.put(*each.others, each.top)
        assert put is each.seen or put is each.top  # or it goes, if its foot lies the wrong way


def test_from_straight_above_nothing_is_moved(straddling: list[Straddling]) -> None:
    for each in straddling:
        above = [replace(other, lean=replace(other.lean, foot=(0.02, -0.03))) for other in each.others]
        assert each.put(*above) is each.seen


def test_a_top_outside_the_lid_is_not_taken(straddling: list[Straddling]) -> None:
    """A die that jumped over the far wall lies just where a top would be looked for."""
    for each in straddling:
        x, y = each.seen.x + 4 * each.seen.size, each.seen.y
        elsewhere = Lid(((x, y), (x + 9, y), (x + 9, y + 9), (x, y + 9)))
        assert replace(each, floor=elsewhere).put() is each.seen


def test_what_lies_below_is_not_taken_for_a_top(straddling: list[Straddling]) -> None:
    """With the camera on the other side, what is up is down: the top is there, and is not believed."""
    for each in straddling:
        turned = [
            replace(o, lean=replace(o.lean, foot=(-o.lean.foot[0], -o.lean.foot[1]))) for o in each.others
        ]
        put = each.put(*turned)
        assert put is each.seen or np.hypot(put.x - each.top.x, put.y - each.top.y) > 0.5 * each.top.size


def side_of(each: Straddling) -> Face:
    """The same die's side, read as if it were a top: its foot lies on the other side."""
    way = usual_way(each.others)
    steep = float(np.hypot(*way))
    by = np.float32((0.5 + steep / 2) * each.top.size / steep) * way
    right, down = (float(v) for v in way)
    lean = replace(each.top.lean, foot=(-right, -down))
    x, y = each.top.x + float(by[0]), each.top.y + float(by[1])
    return replace(each.top, x=x, y=y, corners=each.top.corners + by, lean=lean)


def test_a_side_is_moved_up_to_the_top(straddling: list[Straddling]) -> None:
    found = []
    for each in straddling:
        if np.hypot(*usual_way(each.others)) < STEEPER:
            continue
        put = put_right(each.image, each.floor, [*each.others, side_of(each)])[-1]
        found.append(np.hypot(put.x - each.top.x, put.y - each.top.y) < 0.15 * each.top.size)
    assert len(found) >= 4
    assert sum(found) >= 0.8 * len(found)


def test_a_side_whose_top_was_found_too_goes(straddling: list[Straddling]) -> None:
    went = []
    for each in straddling:
        faces = [*each.others, each.top, side_of(each)]
        if np.hypot(*usual_way(faces)) > STEEP:
            went.append(put_right(each.image, each.floor, faces) == faces[:-1])
    assert len(went) >= 8
    assert all(went)
