"""Which of the faces that lie over each other are dice: never two where there is room for one. No pixels."""

from collections.abc import Sequence
from math import hypot

from vision.dice.face import Face

A_DIE = 0.5  # chance above which a place holds a die
NEAREST = 0.8  # edges between the middles of two dice
ONE_DIE = 0.74  # edges between the middles of bodies, below which two faces are a die's top and its side


def apart(faces: Sequence[Face]) -> list[Face]:
    """Of faces nearer to each other than two dice can lie, the likelier: a die's side is not another die."""
    kept: list[Face] = []
    for face in sorted(faces, key=lambda f: -f.is_die * (1 - 0.5 * f.network.chances[6])):
        if not any(_too_near(face, other) for other in kept):
            kept.append(face)
    return kept


def _too_near(face: Face, other: Face) -> bool:
    """Whether two faces are nearer than those of two dice, or the dice behind them are one."""
    size = min(face.size, other.size)
    return hypot(face.x - other.x, face.y - other.y) < NEAREST * size or of_one_die(face, other)


def of_one_die(face: Face, other: Face) -> bool:
    """Whether the dice behind two faces are one: from top and side the way leads to the same middle."""
    one, same = face.top.middle_of_die, other.top.middle_of_die
    return hypot(one[0] - same[0], one[1] - same[1]) < ONE_DIE * min(face.size, other.size)
