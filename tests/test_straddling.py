"""Faces taken half on a die's top and half on its side, in lids that were seen from a slant."""

from dataclasses import replace

import numpy as np
import pytest

from tests.lids import TrueLid, true_lids
from vision.finder import Candidate, find_dice
from vision.judge import Face
from vision.lid import find_lid
from vision.pips import Array
from vision.reader import NO_FACE, look_at, put_right

TILTED = [lid for lid in true_lids() if lid.preset == "tilted"]
DOWN = 0.5  # edges


def plain_faces(lid: TrueLid) -> list[Face]:
    floor = find_lid(lid.picture())
    assert floor is not None
    faces = look_at(lid.picture(), find_dice(lid.picture(), floor))
    return [face for face in faces if face.network.chances[6] < 0.1 and face.score > 0.5]


def usual_way(faces: list[Face]) -> Array:
    return np.asarray(np.median([face.lean.foot for face in faces], axis=0), np.float32)


def moved_down(face: Face, way: Array) -> Candidate:
    """What a finder says that sees the face and the side below it as one."""
    place = face.corners + np.float32(DOWN * face.size / np.hypot(*way)) * way
    (x, y), (a, b, c, d) = place.mean(0), ((float(x), float(y)) for x, y in place)
    return Candidate(float(x), float(y), face.size, (a, b, c, d), 0.5, (0.0, 0.0, 0.0, 0.3, 0.0, 0.7), 0.9)


@pytest.fixture(scope="module")
def straddling() -> list[tuple[TrueLid, list[Face], Face, Face]]:
    """Lids, their other faces, a face as it is, and taken half on the side."""
    found = []
    for lid in TILTED:
        faces = plain_faces(lid)
        for i, face in enumerate(faces):
            (seen,) = look_at(lid.picture(), [moved_down(face, usual_way(faces))])
            if seen.network.chances[6] > NO_FACE:
                found.append((lid, [*faces[:i], *faces[i + 1 :]], face, seen))
    return found


def test_a_face_half_on_a_side_is_moved_up_to_the_top(
    straddling: list[tuple[TrueLid, list[Face], Face, Face]],
) -> None:
    """And what the finder read there does not count."""
    pairs = [
        (face, seen, put_right(lid.picture(), [*others, seen])[-1]) for lid, others, face, seen in straddling
    ]
    moved = [(face, put) for face, seen, put in pairs if put is not seen]
    assert len(moved) >= 0.8 * len(pairs) > 3
    for face, put in moved:
        assert np.hypot(put.x - face.x, put.y - face.y) < 0.15 * face.size
        assert put.network.pips == face.network.pips
        assert len(set(put.votes)) == 1


def test_a_side_is_not_moved_onto_the_top_that_was_found(
    straddling: list[tuple[TrueLid, list[Face], Face, Face]],
) -> None:
    for lid, others, face, seen in straddling:
        *_, put = put_right(lid.picture(), [*others, face, seen])
        assert put is seen


def test_from_straight_above_nothing_is_moved(
    straddling: list[tuple[TrueLid, list[Face], Face, Face]],
) -> None:
    for lid, others, _, seen in straddling:
        above = [replace(other, lean=replace(other.lean, foot=(0.02, -0.03))) for other in others]
        *_, put = put_right(lid.picture(), [*above, seen])
        assert put is seen
