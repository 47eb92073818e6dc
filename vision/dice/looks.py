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
BESIDE = 0.1  # of an edge by which a corner is seen elsewhere
MOVED = 0.4  # of an edge: a face that the network moves farther was none


def look_at(image: Image, candidates: Sequence[Candidate]) -> list[Face]:
    """Both readings of every candidate, at the place where the network sees it."""
    return _read(image, candidates, least=0.0)


def look_for(image: Image, candidates: Sequence[Candidate]) -> list[Face]:
    """As `look_at`, without what is none to finder and network: nothing else could make a die of it."""
    return _read(image, candidates, least=HARDLY_A_DIE)


def _read(image: Image, candidates: Sequence[Candidate], least: float) -> list[Face]:
    small, found = _first_looks(image, candidates)
    seen = [
        (candidate, *there)
        for candidate, there in zip(candidates, found, strict=True)
        if there[1].pips or may_be_die(candidate.score, there[1]) > least
    ]
    leans = look_at_lean(small, [place for _, place, _ in seen])
    faces = []
    for (candidate, place, network), lean in zip(seen, leans, strict=True):
        corners = scaled(moved(place, network.corners), small, image)
        x, y = (float(v) for v in corners.mean(0))
        size, spots = edge_of(corners), read_spots(image, corners)
        faces.append(Face(x, y, size, corners, candidate.score, candidate.pips, network, spots, lean))
    return faces


def places_of(image: Image, candidates: Sequence[Candidate]) -> tuple[Image, list[Array]]:
    """The picture as small as the networks need it, and the candidates' faces in it, after a first look."""
    small, found = _first_looks(image, candidates)
    return small, [place for place, _ in found]


def _first_looks(
    image: Image, candidates: Sequence[Candidate]
) -> tuple[Image, list[tuple[Array, FaceReading]]]:
    small, places = small_enough(image, [np.array(c.corners, np.float32) for c in candidates])
    return small, _where_seen(small, places)


def _where_seen(image: Image, places: Sequence[Array]) -> list[tuple[Array, FaceReading]]:
    """Each place with what the network reads there; where it sees a face beside it, it looks again there."""
    seen = list(zip(places, read_faces(image, places), strict=True))
    beside = [i for i, (place, reading) in enumerate(seen) if _is_beside(place, reading.corners)]
    there = [moved(places[i], seen[i][1].corners) for i in beside]
    for i, place, reading in zip(beside, there, read_faces(image, there), strict=True):
        seen[i] = place, reading
    return seen


def _is_beside(place: Array, seen: Array) -> bool:
    return float(np.abs(moved(place, seen) - place).max()) > BESIDE * edge_of(place)


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
