"""How a reading compares with what lies there: right, asked or wrong, and what it costs the players."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import hypot

from vision.reading import ALL_SIX, ProblemKind, Reading, SeenDie
from vision.scoring.truth import TrueDie, TrueScene

SAME_PLACE, NEAR_UNCLEAR = 0.6, 0.8  # of a die's size
# questions about single dice: a number, a colour, a lean; whoever is sure of each die passes over them
DOUBTS = frozenset({ProblemKind.PIPS_DOUBTFUL, ProblemKind.COLOUR_DOUBTFUL, ProblemKind.DIE_LEANS})


class Outcome(StrEnum):
    """How an answer compares with what lies there."""

    RIGHT = "right"
    ASKED = "asked"
    WRONG = "WRONG"


@dataclass(frozen=True, slots=True)
class Claim:
    """One answer as the curve counts it: how sure it is, whether true, and whether plain to people."""

    sure: float
    is_true: bool
    is_plain: bool = True


def outcome_of(scene: TrueScene, reading: Reading) -> Outcome:
    """Right is certain and exactly so, or asked where a person might ask too."""
    if not reading.certain:
        return Outcome.ASKED if scene.is_plain else Outcome.RIGHT
    return Outcome.RIGHT if _is_true(scene, reading) else Outcome.WRONG


def claim_of(scene: TrueScene, reading: Reading) -> Claim:
    """How sure a reading is of all its dice; 0 where something else than the dice's looks is in its way."""
    exactly = Counter(die.colour for die in reading.dice) == Counter(scene.expected)
    lifted = all(problem.kind in DOUBTS for problem in reading.problems)
    sure = min((die.confidence for die in reading.dice), default=0.0) if exactly and lifted else 0.0
    return Claim(sure, _is_true(scene, reading), scene.is_plain)


def _is_true(scene: TrueScene, reading: Reading) -> bool:
    return scene.is_readable and not unmatched(scene.inside, reading.dice)


def unmatched(dice: Sequence[TrueDie], seen: Sequence[SeenDie]) -> int:
    """Dice that lie there and are not listed, or more listed than lie there, whichever is more.

    A number that the truth does not tell matches any.
    """
    left = [(str(die.colour), die.pips) for die in seen]
    missing = 0
    for die in sorted(dice, key=lambda d: d.number == 0):
        hit = next((s for s in left if s[0] == die.colour and die.number in (0, s[1])), None)
        if hit is None:
            missing += 1
        else:
            left.remove(hit)
    return max(missing, len(left))


def taps_of(scene: TrueScene, reading: Reading) -> int | None:
    """Taps until the roll is right, where a person could read it; None where not."""
    if not scene.is_readable:
        return None
    if reading.certain:
        return 0
    return 1 + min(len(scene.inside), unmatched(scene.inside, reading.dice))


def misled_by(scene: TrueScene, reading: Reading) -> int:
    """Dice of a reading that asked which are listed with a wrong number and not marked as doubtful."""
    if reading.certain:
        return 0
    plain = [die for die in reading.dice if not die.doubtful]
    return sum(near.number not in {None, 0, die.pips} for die, near in _beside(scene, plain))


def doubted_in_vain(scene: TrueScene, reading: Reading) -> int:
    """Dice marked as doubtful that were listed as they lie, in a picture that everybody reads."""
    if reading.certain or not scene.is_plain:
        return 0
    marked = [die for die in reading.dice if die.doubtful]
    return sum((d.pips, str(d.colour)) == (near.number, near.colour) for d, near in _beside(scene, marked))


def _beside(scene: TrueScene, seen: Sequence[SeenDie]) -> Iterator[tuple[SeenDie, TrueDie]]:
    """Each listed die with the true one at its place, if there is one."""
    for die in seen:
        near = (d for d in scene.inside if hypot(d.x - die.x, d.y - die.y) < SAME_PLACE * die.size)
        found = next(near, None)
        if found is not None:
            yield die, found


# ---------------------------------------------------------------- photographs


@dataclass(frozen=True, slots=True)
class Matched:
    """A photograph's dice by place: counts of them, and a claim for each that was listed."""

    counts: Counter[str]
    claims: tuple[Claim, ...]


def match_photo(scene: TrueScene, seen: Sequence[SeenDie]) -> Matched:
    """Nearest first; dice labelled unclear count neither way."""
    known = [die for die in scene.dice if die.pips is not None]
    unclear = [die for die in scene.dice if die.pips is None]
    pairs = sorted(
        (hypot(die.x - s.x, die.y - s.y) / die.size, i, j)
        for i, die in enumerate(known)
        for j, s in enumerate(seen)
    )
    taken: dict[int, int] = {}
    for distance, i, j in pairs:
        if distance < SAME_PLACE and i not in taken and j not in taken.values():
            taken[i] = j
    counts = Counter({"photos": 1, "dice": len(known), "found": len(taken)})
    claims = []
    for i, j in taken.items():
        is_true = seen[j].pips == known[i].pips
        claims.append(Claim(seen[j].confidence, is_true))
        counts["pips right" if is_true else "misread"] += 1
        counts["misled"] += not is_true and not seen[j].doubtful
        if known[i].colour in set(map(str, ALL_SIX)):
            counts["coloured"] += 1
            counts["colour right"] += str(seen[j].colour) == known[i].colour
    for j, s in enumerate(seen):
        near = any(hypot(die.x - s.x, die.y - s.y) < NEAR_UNCLEAR * die.size for die in unclear)
        if j not in taken.values() and not near:
            counts["extra"] += 1
            claims.append(Claim(s.confidence, is_true=False, is_plain=False))
    counts["whole"] = int(counts["pips right"] == counts["dice"] and not counts["extra"])
    return Matched(counts, tuple(claims))
