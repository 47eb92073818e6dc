"""What is seen at places in a picture: both readings of each face. Knows no lid and no colours."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.dice.face import HARDLY_A_DIE, Face, may_be_die
from vision.dice.finder import Candidate
from vision.dice.leaning import look_at_lean
from vision.dice.pips import GLANCE, Array, FaceReading, edge_of, read_faces, shrunk
from vision.dice.spots import read_spots
from vision.image.arrays import Image

SHARP = 1.3  # pixels of the picture that the network is shown for each of its own
NO_VOTE = (0.0,) * 6  # what stands for the finder's reading of a face it did not see
MOVED = 0.4  # of an edge: a face that the network moves farther was none


def look_at(image: Image, candidates: Sequence[Candidate]) -> list[Face]:
    """Both readings of every candidate, at the place to which the network's first look moves it."""
    small, places = places_of(image, candidates)
    return _read(image, small, candidates, places, read_faces(small, places))


def look_for(image: Image, candidates: Sequence[Candidate]) -> list[Face]:
    """As `look_at`, without what is none to finder and network: nothing else could make a die of it."""
    small, places = places_of(image, candidates)
    networks = read_faces(small, places)
    pairs = zip(candidates, networks, strict=True)
    kept = [i for i, (c, n) in enumerate(pairs) if n.pips or may_be_die(c.score, n) > HARDLY_A_DIE]
    return _read(
        image, small, [candidates[i] for i in kept], [places[i] for i in kept], [networks[i] for i in kept]
    )


def _read(
    image: Image,
    small: Image,
    candidates: Sequence[Candidate],
    places: Sequence[Array],
    networks: Sequence[FaceReading],
) -> list[Face]:
    faces = []
    seen = zip(candidates, places, networks, look_at_lean(small, places), strict=True)
    for candidate, place, network, lean in seen:
        corners = scaled(moved(place, network.corners), small, image)
        x, y = (float(v) for v in corners.mean(0))
        spots = read_spots(image, corners)
        size = edge_of(corners)
        faces.append(Face(x, y, size, corners, candidate.score, candidate.pips, network, spots, lean))
    return faces


def places_of(image: Image, candidates: Sequence[Candidate]) -> tuple[Image, list[Array]]:
    """The picture as small as the networks need it, and the candidates' faces in it, after a first look."""
    small, places = small_enough(image, [np.array(c.corners, np.float32) for c in candidates])
    first = read_faces(small, places, turns=1)
    return small, [moved(p, f.corners) for p, f in zip(places, first, strict=True)]


def small_enough(image: Image, places: list[Array], pixels: float = GLANCE.face) -> tuple[Image, list[Array]]:
    """Where dice are large, the picture made smaller: the networks see no more of them."""
    usual = float(np.median([edge_of(place) for place in places])) if places else 1.0
    factor = SHARP * pixels / usual
    if factor >= 1:
        return image, places
    small, _ = shrunk(image, places[0], factor)
    return small, [scaled(place, image, small) for place in places]


def moved(place: Array, seen: Array) -> Array:
    """Where the network saw the face, unless that is somewhere else or of another size."""
    edge = edge_of(place)
    size = edge_of(seen) / edge
    away = float(np.hypot(*(seen.mean(0) - place.mean(0)))) / edge
    return seen if away < MOVED and 0.7 < size < 1.4 else place


def scaled(corners: Array, image: Image, other: Image) -> Array:
    """Corners in one picture as corners in the same picture at another size."""
    across, down = other.shape[1] / image.shape[1], other.shape[0] / image.shape[0]
    return np.asarray((corners + 0.5) * (across, down) - 0.5, np.float32)


def elsewhere(face: Face, place: Array) -> Candidate:
    """The face at a place of which the finder said nothing."""
    (x, y), (a, b, c, d) = place.mean(0), ((float(x), float(y)) for x, y in place)
    return Candidate(float(x), float(y), face.size, (a, b, c, d), face.score, NO_VOTE)


def placed(face: Face, corners: Array) -> Face:
    """The face with corners seen better; what was read on it stays."""
    x, y = (float(v) for v in corners.mean(0))
    return replace(face, x=x, y=y, size=edge_of(corners), corners=corners)
