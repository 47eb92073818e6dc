"""Whether a die leans too far to be read: from where its foot is seen and how its sides look."""

from math import exp, log

from vision.dice.leaning import Lean
from vision.dice.standing import Stand
from vision.reading import Leaning

FLAT = 0.5
# edges: how far its foot is seen from where a flat die has it, less what the foot may be off, where a die is
# asked about; a die leaning by 15 degrees shows it a quarter of an edge away, one by 35 three fifths
LIMITS = {Leaning.AS_IT_LIES: 0.30, Leaning.ROLLED_AGAIN: 0.15}
STRAY_COUNTS, SIDES_COUNT = 12.0, 0.6  # in the odds
SIDES = (-1.5, 3.0)  # odds: a camera that looks along a leaning die's top sees no sides
UNCLEAR = 0.21  # feet told so badly: the worse the sooner where one strays or sides say that it leans
WRONG_WAY = 0.05  # edges by which a foot is seen against the way it must be: then the face is a die's side


def stands_flat(stand: Stand, lean: Lean, rule: Leaning = Leaning.AS_IT_LIES) -> float:
    """The chance that people read the die as it lies."""
    sides = min(max(odds_of(lean.chance), SIDES[0]), SIDES[1])
    odds = STRAY_COUNTS * (stand.stray - lean.stray - LIMITS[rule]) + SIDES_COUNT * sides
    unclear = lean.stray + stand.stray / 4 + lean.chance / 20 > UNCLEAR
    if unclear or stand.against > WRONG_WAY:
        odds = max(odds, 0.5)
    return 1 / (1 + exp(odds))


def odds_of(chance: float) -> float:
    """The logarithm of the odds, of chances near 0 and 1 as far as they can be told."""
    chance = min(max(chance, 1e-4), 1 - 1e-4)
    return log(chance / (1 - chance))
