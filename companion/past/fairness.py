"""Whether dice look loaded, from how often each face came up. Plain numbers in, a word and its certainty out.

Each die: Pearson's chi-square of its six counts against equal chances, five degrees of freedom. Several dice
are looked at, so each chance is corrected after Holm: were all dice fair, the chance that any one of them is
called loaded would be at most LOADED.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

FACES = 6
FEWEST = 60  # throws of a die; from ten a face on, the chi-square's tail is right to a few percent
LOADED = 0.01
UNEVEN = 0.05
_STANDS_OUT = 2.0  # standard deviations of a single face
_POWER = 23.0  # noncentrality at which four of five such dice are called loaded (five degrees, 0.01 / 5)


class Verdict(StrEnum):
    """The plain word for a die."""

    TOO_FEW = "too-few"
    FAIR = "fair"  # nothing speaks against it
    UNEVEN = "uneven"  # as fair dice are now and then
    LOADED = "loaded"


@dataclass(frozen=True, slots=True)
class DieVerdict:
    """One die, or the white pair: its counts of the faces 1 to 6, and what they say."""

    die: str
    counts: tuple[int, ...]
    verdict: Verdict
    chance: float | None  # that fair dice give something as uneven among those looked at
    often: tuple[int, ...]  # faces that came up too often, if it looks uneven
    seldom: tuple[int, ...]
    noticed: float | None  # a face that comes up with this chance would probably be noticed by now

    @property
    def total(self) -> int:
        return sum(self.counts)


def judge(counts: Mapping[str, Sequence[int]]) -> tuple[DieVerdict, ...]:
    """A word for each die, all of them together held to the promised rate of false alarms."""
    enough = {die: chance_of(found) for die, found in counts.items() if sum(found) >= FEWEST}
    chances = holm(enough)
    return tuple(_judged(die, tuple(found), chances.get(die)) for die, found in counts.items())


def _judged(die: str, counts: tuple[int, ...], chance: float | None) -> DieVerdict:
    if chance is None:
        return DieVerdict(die, counts, Verdict.TOO_FEW, None, (), (), None)
    verdict = Verdict.LOADED if chance < LOADED else Verdict.UNEVEN if chance < UNEVEN else Verdict.FAIR
    total = sum(counts)
    expected, spread = total / FACES, math.sqrt(total * (1 / FACES) * (1 - 1 / FACES))
    off = [(count - expected) / spread if verdict is not Verdict.FAIR else 0.0 for count in counts]
    often = tuple(face for face, by in enumerate(off, 1) if by >= _STANDS_OUT)
    seldom = tuple(face for face, by in enumerate(off, 1) if by <= -_STANDS_OUT)
    return DieVerdict(die, counts, verdict, chance, often, seldom, noticeable(total))


def chance_of(counts: Sequence[int]) -> float:
    """The chance that a fair die gives counts at least as uneven."""
    expected = sum(counts) / FACES
    return beyond(sum((count - expected) ** 2 for count in counts) / expected)


def beyond(chi_square: float) -> float:
    """How likely a chi-square of five degrees of freedom is that large or larger; exact."""
    x = chi_square
    return math.erfc(math.sqrt(x / 2)) + math.sqrt(2 * x / math.pi) * math.exp(-x / 2) * (1 + x / 3)


def holm(chances: Mapping[str, float]) -> dict[str, float]:
    """Holm's correction: the smallest of n chances counts n times, the next n - 1 times, and so on."""
    corrected, highest = dict[str, float](), 0.0
    for place, (name, chance) in enumerate(sorted(chances.items(), key=lambda each: each[1])):
        highest = max(highest, min(1.0, chance * (len(chances) - place)))
        corrected[name] = highest
    return corrected


def noticeable(total: int) -> float:
    """The chance of a single face, the others alike, that so many throws would show four times of five."""
    each = 1 / FACES
    return each + math.sqrt(_POWER / (total * FACES * (1 + 1 / (FACES - 1))))
