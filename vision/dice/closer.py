"""Second looks, by the larger network: at dice that may lean, and at numbers in doubt."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.dice.face import SURE, Face
from vision.dice.leaning import look_at_lean
from vision.dice.looks import elsewhere, look_at, moved, placed, scaled, small_enough
from vision.dice.overlapping import NEAREST
from vision.dice.pips import CLOSER, read_faces, together, without_glare
from vision.image.arrays import Image

UNDECIDED = 0.1  # chance of leaning, or of lying flat, above which a closer look is taken
LARGE = 1.08  # against the other dice: so large a face may lie on another die, or is seen badly
SLIPPED = 0.55  # edges: a second look so far beside the first sees something else


def looked_at_closely(image: Image, faces: list[Face]) -> list[Face]:
    """The faces, those that may lean or lie on another looked at from more sides; the same list if none may.

    Small steps of a face's corners count for that, so they are taken from the larger network.
    """
    doubtful = [i for i, face in enumerate(faces) if _is_undecided(face)]
    if not doubtful:
        return faces
    looked = list(faces)
    small, places = small_enough(image, [faces[i].corners for i in doubtful], CLOSER.face)
    for i, place, seen in zip(doubtful, places, read_faces(small, places, eye=CLOSER), strict=True):
        if seen.pips:
            looked[i] = placed(faces[i], scaled(moved(place, seen.corners), small, image))
    small, places = small_enough(image, [looked[i].corners for i in doubtful])
    for i, lean in zip(doubtful, look_at_lean(small, places, closely=True), strict=True):
        looked[i] = replace(looked[i], lean=lean)
    return looked


def _is_undecided(face: Face) -> bool:
    return UNDECIDED < face.lies_flat < 1 - UNDECIDED or face.stand.size > LARGE


def read_closely(image: Image, faces: list[Face]) -> list[Face]:
    """The faces, the doubtful ones read by the larger network too.

    Where doubt stays, they are read once more at the place where that network sees them.
    """
    read = _by_closer(image, faces, [i for i, face in enumerate(faces) if face.is_doubtful])
    torn = [i for i, face in enumerate(read) if face.closer is not None and face.confidence < SURE]
    again = _seen_there(image, [read[i] for i in torn])
    for i, face in zip(torn, _by_closer(image, again, range(len(again))), strict=True):
        others = [*read[:i], *read[i + 1 :]]
        if face.confidence > read[i].confidence and _is_same_face(face, read[i], others):
            read[i] = face
    return read


def _is_same_face(again: Face, first: Face, others: Sequence[Face]) -> bool:
    """Whether a second look did not slip to a neighbour, and the larger network read nothing else before."""
    away = float(np.hypot(again.x - first.x, again.y - first.y)) / first.size
    alone = all(np.hypot(again.x - o.x, again.y - o.y) > NEAREST * again.size for o in others)
    before = first.closer.pips if first.closer is not None else 0
    return away < SLIPPED and alone and before in {0, again.pips}


def _by_closer(image: Image, faces: list[Face], which: Sequence[int]) -> list[Face]:
    """The faces, some of them read by the larger network too, as they are and without glare."""
    read = list(faces)
    small, places = small_enough(image, [faces[i].corners for i in which], CLOSER.face)
    for i, place, plain in zip(which, places, read_faces(small, places, eye=CLOSER), strict=True):
        there = scaled(moved(place, plain.corners), small, image)
        dark = without_glare(small, place)
        (dimmed,) = read_faces(dark, [place], eye=CLOSER)
        read[i] = replace(faces[i], closer=replace(together(plain, dimmed), corners=there))
    return read


def _seen_there(image: Image, faces: Sequence[Face]) -> list[Face]:
    """The faces where the larger network sees them; what the finder said holds, and how each stands."""
    places = [face.corners if face.closer is None else face.closer.corners for face in faces]
    seen = look_at(image, [elsewhere(*pair) for pair in zip(faces, places, strict=True)])
    return [
        replace(there, votes=face.votes, lean=face.lean, stand=face.stand)
        for there, face in zip(seen, faces, strict=True)
    ]
