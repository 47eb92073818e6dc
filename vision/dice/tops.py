"""Faces taken on a die's side, or half on it, moved up to its top."""

from collections.abc import Sequence
from math import hypot

import numpy as np

from vision.dice.face import Face
from vision.dice.finder import BESIDE_FLOOR, Candidate
from vision.dice.flatness import WRONG_WAY
from vision.dice.looks import elsewhere, look_at
from vision.dice.overlapping import A_DIE, NEAREST, of_one_die
from vision.dice.pips import Array
from vision.dice.standing import LONG
from vision.image.arrays import Image
from vision.place.lid import Lid
from vision.reading import Point

NO_FACE, A_FACE = 0.3, 0.1  # chance that a place shows none: so much asks for another place, so little is one
SEVERAL, SLANTED = 2, 0.12  # dice whose sides are seen, so many edges of them
MAY_BE_ONE = 0.3  # the finder's chance
ITS_TOP = 0.45  # edges between a top and where a side says that it is
UP, LEAST_UP = (0.3, 0.6, 0.9), 0.15  # edges: where a top is looked for, and how far up it is at least
MOST_UP, MOST_UP_A_SIDE = 0.85, 1.15  # at most, from half a side and from a whole one


def put_right(image: Image, lid: Lid | None, faces: list[Face]) -> list[Face]:
    """The faces, those taken half on a die's top and half on its side, or on its side, moved up to the top.

    From a slant all dice show their sides the same way, so the top lies the other way.
    """
    plain = [face for face in faces if not _may_straddle(face)]
    way = np.median([face.lean.foot for face in plain], axis=0) if len(plain) >= SEVERAL else np.zeros(2)
    steep = float(np.hypot(*way))
    if steep < SLANTED:
        return faces
    up = np.asarray(-way / steep, np.float32)
    sides = [steep > LONG and float(np.dot(face.lean.foot, up)) > WRONG_WAY for face in faces]
    tops = [face for face, side in zip(faces, sides, strict=True) if not side and not _may_straddle(face)]
    put = []
    for face, side in zip(faces, sides, strict=True):
        if side and any(top.is_die > A_DIE and of_one_die(top, face) for top in tops):
            continue  # its top was found too
        doubtful = face.score > MAY_BE_ONE and (side or _may_straddle(face))
        farthest = MOST_UP_A_SIDE if side else MOST_UP
        put.append((_top_above(image, lid, face, up, tops, farthest) if doubtful else None) or face)
    return put


def without_sides(faces: list[Face], above: tuple[Point, float] | None) -> list[Face]:
    """Without the sides of dice whose tops were found too; only a view from above tells where those are.

    A top is seen half an edge beyond the side, and what the die's height adds to that.
    """
    if above is None:
        return faces
    (x, y), focal = above

    def is_side(face: Face) -> bool:
        away = np.array((face.x - x, face.y - y))
        long = float(np.hypot(*away))
        step = away / max(long, 1e-6) * face.size * (1 + long / focal) / 2
        its_top = (face.x + float(step[0]), face.y + float(step[1]))
        return face.stand.against > WRONG_WAY and any(
            top.stand.against <= WRONG_WAY
            and hypot(top.x - its_top[0], top.y - its_top[1]) < ITS_TOP * top.size
            for top in faces
        )

    return [face for face in faces if not is_side(face)]


def _top_above(
    image: Image, lid: Lid | None, face: Face, up: Array, others: Sequence[Face], farthest: float
) -> Face | None:
    """The top of the die whose side was taken for it, if it is seen."""
    steps = [step for step in UP if step < farthest]
    tried = look_at(image, [_higher(face, step * up) for step in steps])
    best = min(tried, key=lambda top: top.network.chances[6])
    plain = best.network.chances[6] < A_FACE
    return best if plain and _may_be_its_top(best, face, up, lid, others, farthest) else None


def _may_straddle(face: Face) -> bool:
    return face.network.chances[6] > NO_FACE


def _higher(face: Face, step: Array) -> Candidate:
    """The finder's vote was for a face that is none."""
    return elsewhere(face, face.corners + np.float32(face.size) * step)


def _may_be_its_top(
    top: Face, face: Face, up: Array, lid: Lid | None, others: Sequence[Face], farthest: float
) -> bool:
    """Whether it lies above the face, in the lid, and is nobody else's top."""
    alone = all(np.hypot(top.x - other.x, top.y - other.y) > NEAREST * top.size for other in others)
    inside = lid is None or lid.contains(top.x, top.y, BESIDE_FLOOR * top.size)
    return alone and _is_above(top, face, up, farthest) and inside


def _is_above(top: Face, face: Face, up: Array, farthest: float) -> bool:
    higher = float(np.dot((top.x - face.x, top.y - face.y), up)) / face.size
    return higher > LEAST_UP and float(np.hypot(top.x - face.x, top.y - face.y)) / face.size < farthest
