"""How a camera held far aside leans: from above, tops are squares of one size. Knows no lid and no colours.

The networks know dice from above and from a slant up to some 40 degrees; farther aside they take sides for
tops, or see nothing. So the table is shown to them as from above, as it would look if the camera leant this
way or that, and where they find the best dice it leans.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.dice.face import Face
from vision.dice.finder import Candidate, find_of_size
from vision.dice.overlapping import A_DIE
from vision.image.arrays import Image, Numbers
from vision.image.overhead import overhead
from vision.reading import Point

ASLANT = 0.3  # edges: the way to the feet of dice, or of their sides, from some 20 degrees on
ONE_WAY = 2.5  # so much longer they are along one way than across it
AT_FIRST = 42.0  # degrees
STEPS = (
    (-14.0, 24.0),
    (7.0, 12.0),
    (4.0, 6.0),
)  # degrees more or less steep, and round the table, ever smaller
SHOWN = 22.0  # pixels of a die's edge
AROUND = 1.6  # edges shown round the faces
ONE_SIZE = 0.15  # logarithm: how far faces of one size stray
LIKELY = 0.4  # of a face that the view must show
LARGEST = 640  # pixels: dice that lie so far apart are not looked for
LIKELIER = 1.3  # so much better dice look from the side where the camera is; where not, both are looked at
PLAINLY, BETTER = 1.08, 1.03  # and so much better at last, and than they do in the picture


@dataclass(frozen=True, slots=True)
class Aside:
    """How the camera leans, how well dice are seen so, and what was found of them in the picture."""

    lean: Point
    score: float
    edge: float  # of a top in the picture, as long as its area is large
    places: Numbers


def lean_of(image: Image, faces: Sequence[Face], wanted: int) -> Aside | None:
    """How the camera leans that saw these faces, tops or sides; None if it leans little, or who knows."""
    way = _way_of_feet([face for face in faces if face.is_die > A_DIE])
    if way is None:
        return None
    edge = float(np.median([face.size for face in faces]))
    seen = Aside((0.0, 0.0), 0.0, edge, np.array([(face.x, face.y) for face in faces]))
    plain = _looked(image, seen, 0.0, way, wanted)
    both = [(_looked(image, seen, AT_FIRST, at, wanted), at) for at in (way, way + math.pi)]
    tried = [(look, at) for look, at in both if look is not None]
    most = max((look.score for look, _ in tried), default=0.0)
    likely = [(look, at) for look, at in tried if look.score * LIKELIER > most]
    found = sorted((_refined(image, look, (AT_FIRST, at), wanted) for look, at in likely), key=_score)
    if not found or (plain is not None and found[-1].score < BETTER * plain.score):
        return None
    return None if len(found) > 1 and found[-1].score < PLAINLY * found[0].score else found[-1]


def _score(look: Aside) -> float:
    return look.score


def _refined(image: Image, best: Aside, lean: tuple[float, float], wanted: int) -> Aside:
    """The same with a lean ever truer: first how steep, then which way."""
    degrees, way = lean
    for steeper, around in STEPS:
        for one_way in ((steeper, 0.0), (0.0, around)):
            for more, turn in (one_way, (-one_way[0], -one_way[1])):
                tried = _looked(image, best, degrees + more, way + math.radians(turn), wanted)
                if tried is not None and tried.score > best.score:
                    best, degrees, way = tried, degrees + more, way + math.radians(turn)
                    break
    return best


def _looked(image: Image, seen: Aside, degrees: float, way: float, wanted: int) -> Aside | None:
    """How well dice are seen if the camera leans by so many degrees, that way."""
    sine = math.sin(math.radians(degrees))
    lean = (sine * math.cos(way), sine * math.sin(way))
    view = overhead(image.shape, lean, seen.places, (seen.edge, SHOWN), AROUND)
    if view is None or max(view.size) > LARGEST:
        return None
    score, edge, places = _best_of_one_size(find_of_size(view.of(image), SHOWN, SHOWN), wanted)
    if score == 0:
        return Aside(lean, 0.0, seen.edge, seen.places)
    everywhere = np.concatenate([seen.places, view.back(places)]) if len(places) else seen.places
    return Aside(lean, score, seen.edge * edge / SHOWN, everywhere)


def _best_of_one_size(found: Sequence[Candidate], wanted: int) -> tuple[float, float, Numbers]:
    """How good the best faces of one size are, as many as are wanted; that size, and where they are."""
    best, usual, places = 0.0, SHOWN, np.zeros((0, 2))
    for one in found:
        fits = [c.score * math.exp(-((math.log(c.size / one.size) / ONE_SIZE) ** 2)) for c in found]
        taken = np.argsort(fits)[-wanted:]
        score = float(np.sum(np.array(fits)[taken]))
        if score > best:
            best, usual = score, one.size
            places = np.array([(found[i].x, found[i].y) for i in taken if fits[i] > LIKELY])
    return best, usual, places


def _way_of_feet(faces: Sequence[Face]) -> float | None:
    """The way along which feet are seen, whichever end is theirs: those of sides lie the other way."""
    if len(faces) < 2:
        return None
    feet = np.array([face.lean.foot for face in faces])
    (across, along), ways = np.linalg.eigh(feet.T @ feet / len(feet))
    if math.sqrt(max(along, 0.0)) < ASLANT or along < ONE_WAY * across:
        return None
    return math.atan2(ways[1, 1], ways[0, 1])
