"""Whether a die lies flat: the odds from where its foot is seen, how its sides look and its size."""

from collections.abc import Sequence
from math import exp, hypot, log

from vision.leaning import Lean
from vision.standing import Stand

FLAT = 0.5
# what the signs count in the odds that a die leans, and the constant: fitted by vision/training/odds.py, then
# the fifth set so that a louder sign never counts for less, the constant so that few leaning dice are missed
LEANING = (3.67, 1.41, 6.36, -3.0, -1.4, -5.0)
LOUD = 0.9  # foot and sides both say so
SHORTENED, MAY_LEAN = 0.9, 0.1  # a die at the wall shows two faces, each of them narrow
FEW_PIXELS, FAR, HARDLY_SEEN = 22.0, 0.25, 0.09  # a foot seen badly and so far off: it may well lean
WRONG_WAY = 0.05  # edges by which a foot is seen against the way it must be: then the face is a die's side
SLANT, FOOT_PLAIN, FOOT_RIGHT = 0.25, 0.06, 0.12  # edges: a foot so far, seen so surely, so near to its place
SIDES_AT_MOST = 0.7  # there
SIDES_AT_LEAST = 0.075  # anywhere: sides that look surely flat do not outweigh a foot that strays far
ALIKE = 0.03  # logarithm of sizes that are measured alike
NOT_TOLD, LEAST_SPREAD = 1.4, 0.04  # feet stray more than their network says


def stands_flat(stand: Stand, lean: Lean, size: float) -> float:
    """The chance that a die lies flat; `size` is its face's edge in pixels."""
    odds = weighed(signs_of_leaning(stand, lean), LEANING)
    narrow = stand.size < SHORTENED and lean.chance > MAY_LEAN
    unclear = size < FEW_PIXELS and stand.stray > FAR and lean.stray > HARDLY_SEEN
    loud = stand.stray > FAR and lean.chance > LOUD  # on something that nobody looks for
    if loud or stand.against > WRONG_WAY or ((narrow or unclear) and stand.free < 1):
        odds = max(odds, 0.5)
    return 1 / (1 + exp(odds))


def signs_of_leaning(stand: Stand, lean: Lean) -> tuple[float, ...]:
    """How far its foot is off, how its sides look, how small its face is, that it can lean on nothing.

    The last: what foot and sides both say, which is told by either and counts once.
    """
    spread = hypot(NOT_TOLD * lean.stray, LEAST_SPREAD)
    stray = log(1 + (stand.stray / spread) ** 2)
    small = max(0.0, -log(max(stand.size, 0.1)) - ALIKE)
    most = SIDES_AT_MOST if _is_plain(stand, lean) else 1.0
    sides = odds_of(min(max(lean.chance, SIDES_AT_LEAST), most))
    return stray, sides, small, stand.free, min(stray, max(sides, 0.0))


def _is_plain(stand: Stand, lean: Lean) -> bool:
    """From a slant flat dice show sides too: where the foot is plainly in its place, they tell little."""
    seen = lean.stray < FOOT_PLAIN and not stand.hidden
    return seen and hypot(*lean.foot) > SLANT and stand.stray < FOOT_RIGHT


def odds_of(chance: float) -> float:
    """The logarithm of the odds, of chances near 0 and 1 as far as they can be told."""
    chance = min(max(chance, 1e-4), 1 - 1e-4)
    return log(chance / (1 - chance))


def weighed(signs: Sequence[float], weights: Sequence[float]) -> float:
    """Odds from signs, each times its weight, and a constant that stands last."""
    *counts, constant = weights
    return sum(sign * count for sign, count in zip(signs, counts, strict=True)) + constant
