"""Faces as the networks may have seen them, for tests of what is made of them."""

from dataclasses import replace

from vision.colour.bodies import Assignment
from vision.dice.face import Face
from vision.dice.pips import FaceReading, square_corners
from vision.dice.spots import SpotReading
from vision.judgement.judge import Play, problems_of
from vision.reading import DieColour, Leaning, ProblemKind

RED, BLUE = DieColour.RED, DieColour.BLUE


PAIR = Assignment((RED, BLUE), (0.99, 0.99), True)


def chances(pips: int, chance: float = 0.995) -> tuple[float, ...]:
    """A network's chances of a number (0: no face)."""
    rest = (1 - chance) / 6
    values = [rest] * 7
    values[pips - 1 if pips else 6] = chance
    return tuple(values)


def face(pips: int = 4, x: float = 100.0, y: float = 100.0) -> Face:
    corners = square_corners(x, y, 40.0)
    network = FaceReading(chances(pips), corners)
    return Face(
        x,
        y,
        40.0,
        corners,
        0.95,
        chances(pips)[:6],
        network,
        SpotReading(pips, 0.9, 40.0),
    )


TWO = (face(4), face(2, 200.0))


def kinds(
    *faces: Face,
    colours: Assignment = PAIR,
    doubtful: tuple[Face, ...] = (),
    leaning: Leaning = Leaning.AS_IT_LIES,
) -> list[ProblemKind]:
    return [p.kind for p in problems_of(faces, doubtful, colours, Play((RED, BLUE), leaning))]


def looked_at(face: Face, pips: int, chance: float) -> Face:
    """The face after the larger network's look."""
    return replace(face, closer=FaceReading(chances(pips, chance), face.corners))
