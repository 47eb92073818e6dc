"""Several looks at dice that lie still: whether they agree, and what they say together. Sees no pixels."""

from collections.abc import Sequence
from dataclasses import replace
from math import hypot

from vision.reading import Problem, ProblemKind, Reading, SeenDie

LOOKS = 2  # that must agree
SAME_PLACE = 0.5  # edges between the middles of one die in two looks


def is_decided(readings: Sequence[Reading]) -> bool:
    """Enough looks that are certain, or enough that are not: the third decides at the latest."""
    certain = sum(reading.certain for reading in readings)
    return max(certain, len(readings) - certain) >= LOOKS


def vote(readings: Sequence[Reading]) -> Reading:
    """Several frames of dice lying still: certain only if most are and none of those denies another."""
    if not readings:
        return Reading(False, (), (Problem(ProblemKind.NO_PICTURE),))
    certain = [r for r in readings if r.certain]
    answers = {tuple(sorted((d.colour, d.pips) for d in r.dice)) for r in certain}
    if len(answers) > 1:
        return _denied(_asked(certain[-1], readings))
    unsure = [r for r in readings if not r.certain]
    if len(certain) > len(unsure):
        return max(certain, key=lambda r: min((d.confidence for d in r.dice), default=0.0))
    least = min(unsure, key=lambda r: (len(r.problems), -sum(d.confidence for d in r.dice)))
    return _asked(least, readings)


def _asked(reading: Reading, looks: Sequence[Reading]) -> Reading:
    """A question: what another look saw otherwise in the same place is doubtful too."""
    others = [die for look in looks for die in look.dice]
    dice = [replace(die, doubtful=die.doubtful or _is_denied(die, others)) for die in reading.dice]
    return replace(reading, certain=False, dice=tuple(dice))


def _denied(reading: Reading) -> Reading:
    """Looks that were certain of different answers; if no one place tells which die it is, it may be any."""
    dice = reading.dice if any(die.doubtful for die in reading.dice) else _all_doubtful(reading.dice)
    problems = [Problem(ProblemKind.PIPS_DOUBTFUL, (die.colour,)) for die in dice if die.doubtful]
    return replace(reading, dice=dice, problems=tuple(problems))


def _all_doubtful(dice: Sequence[SeenDie]) -> tuple[SeenDie, ...]:
    return tuple(replace(die, doubtful=True) for die in dice)


def _is_denied(die: SeenDie, others: Sequence[SeenDie]) -> bool:
    here = [other for other in others if hypot(other.x - die.x, other.y - die.y) < SAME_PLACE * die.size]
    return any((other.colour, other.pips) != (die.colour, die.pips) for other in here)


def in_motion(reading: Reading, moving: Problem) -> Reading:
    """A frame in which something moves: each of its dice may show another number in a moment."""
    problems = (moving, *reading.problems)
    return replace(reading, certain=False, dice=_all_doubtful(reading.dice), problems=problems)
