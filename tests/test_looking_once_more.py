"""Faces of which the finder gave the place badly: what the networks saw beside it is looked at once more."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest

from tests.lids import true_lids
from vision.dice import closer
from vision.dice.closer import looked_at_closely, read_closely
from vision.dice.face import SURE, Face
from vision.dice.finder import find_dice
from vision.dice.looks import look_at
from vision.dice.pips import read_faces
from vision.dice.spots import read_spots
from vision.dice.standing import Stand
from vision.image.arrays import Image
from vision.place.lid import find_lid

BESIDE = 0.25  # edges
WAYS = ((1, 0), (-1, 0), (0, 1), (0, -1))
LIDS = 3


@dataclass(frozen=True)
class Misplaced:
    """A plain face, and what is read where it was thought to be."""

    image: Image
    face: Face
    beside: Face

    def read(self) -> Face:
        return read_closely(self.image, [self.beside])[0]


def misplaced(image: Image, face: Face, way: tuple[int, int]) -> Misplaced:
    corners = face.corners + np.float32(BESIDE * face.size) * np.array(way, np.float32)
    x, y = (float(v) for v in corners.mean(0))
    (network,) = read_faces(image, [corners])
    spots = read_spots(image, corners)
    return Misplaced(image, face, replace(face, x=x, y=y, corners=corners, network=network, spots=spots))


@pytest.fixture(scope="module")
def doubtful() -> list[Misplaced]:
    """Those of which a quarter of an edge leaves no sure reading."""
    found = []
    for lid in true_lids()[:LIDS]:
        image, floor = lid.picture(), find_lid(lid.picture())
        assert floor is not None
        plain = [face for face in look_at(image, find_dice(image, floor)) if face.confidence > 0.98]
        found += [misplaced(image, face, way) for face in plain for way in WAYS]
    unsure = [each for each in found if each.beside.confidence < SURE]
    assert len(unsure) >= 20
    return unsure


def test_a_face_is_read_where_the_networks_see_it(doubtful: list[Misplaced]) -> None:
    read = [(each, each.read()) for each in doubtful]
    sure = [(each, seen) for each, seen in read if seen.confidence >= SURE]
    assert len(sure) >= 0.9 * len(read)
    assert all(seen.pips == each.face.pips for each, seen in sure)
    moved = [(each.face, seen) for each, seen in sure if (seen.x, seen.y) != (each.beside.x, each.beside.y)]
    assert len(moved) >= 0.25 * len(sure)
    assert all(np.hypot(seen.x - face.x, seen.y - face.y) < 0.1 * face.size for face, seen in moved)


def test_how_a_die_stands_is_not_asked_again(doubtful: list[Misplaced]) -> None:
    """That follows from all dice together, and was looked at from more sides."""
    for each in doubtful[:5]:
        leaning = replace(each.beside, lean=replace(each.beside.lean, chance=0.77))
        (seen,) = read_closely(each.image, [leaning])
        assert (seen.lean, seen.stand) == (leaning.lean, leaning.stand)


def test_what_may_lean_is_taken_where_the_larger_network_sees_it(doubtful: list[Misplaced]) -> None:
    undecided = [(each, replace(each.beside, stand=Stand(0.0, 1.1))) for each in doubtful[:20]]
    looked = [(each.face, looked_at_closely(each.image, [face])[0]) for each, face in undecided]
    right = [np.hypot(seen.x - face.x, seen.y - face.y) < 0.1 * face.size for face, seen in looked]
    assert sum(right) >= 0.9 * len(looked)
    assert all(seen.size == pytest.approx(face.size, rel=0.12) for face, seen in looked)


def test_a_second_look_that_slips_to_a_neighbour_does_not_count(doubtful: list[Misplaced]) -> None:
    """The true face, found as well, is the neighbour's here: its number would be counted twice."""
    for each in doubtful[:10]:
        seen, _ = read_closely(each.image, [each.beside, each.face])
        assert (seen.x, seen.y) == (each.beside.x, each.beside.y)


def test_a_second_look_does_not_settle_what_the_larger_network_read_otherwise(
    doubtful: list[Misplaced], monkeypatch: pytest.MonkeyPatch
) -> None:
    moved = [each for each in doubtful if each.read().x != each.beside.x][:5]
    assert len(moved) == 5
    real = closer._by_closer
    looks = 0

    def otherwise(image: Image, faces: list[Face], which: Sequence[int]) -> list[Face]:
        nonlocal looks
        looks += 1
        read = real(image, faces, which)
        return [denied(face) for face in read] if looks % 2 else read

    monkeypatch.setattr(closer, "_by_closer", otherwise)
    assert all(each.read().x == each.beside.x for each in moved)


def denied(face: Face) -> Face:
    """The same face, another number read on it at the first closer look."""
    assert face.closer is not None
    chances = [0.01] * 7
    chances[face.pips % 6] = 0.94
    return replace(face, closer=replace(face.closer, chances=tuple(chances)))
