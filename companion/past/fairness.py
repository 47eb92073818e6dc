"""Whether dice look loaded, from how often each face came up. Plain numbers in, a word and its certainty out.

Two questions, two tests. How uneven is a die, looked at once: Pearson's chi-square of its six counts against
equal chances, five degrees of freedom, corrected after Holm for all dice looked at. Is it loaded, though
people look after every game: the odds of the throws, biased dice against a fair one, reach n to 1 only by a
chance of 1 in n if it is fair, however often one looks (Ville's inequality). A die is called loaded once they
are the number of dice to LOADED.
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
_BIAS = 20.0  # how biased dice are thought to be: faces off by a fifth of their chance, give or take
_MOSTLY = 0.84  # standard deviations below the mean: not reached in one case of five


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
    chance: float | None  # that fair dice, looked at once, show something at least as uneven
    ever: float | None  # at most that fair dice ever show so much, however often one looks
    often: tuple[int, ...]  # faces that came up too often, if it looks uneven
    seldom: tuple[int, ...]
    noticed: float | None  # a face that comes up with this chance would probably be noticed by now

    @property
    def total(self) -> int:
        return sum(self.counts)


def judge(counts: Mapping[str, Sequence[int]]) -> tuple[DieVerdict, ...]:
    """A word for each die; of fair ones, fewer than LOADED of all tables ever hear that any is loaded."""
    enough = {die: chance_of(found) for die, found in counts.items() if sum(found) >= FEWEST}
    chances = holm(enough)
    return tuple(_judged(die, tuple(found), chances.get(die), len(counts)) for die, found in counts.items())


def _judged(die: str, counts: tuple[int, ...], chance: float | None, dice: int) -> DieVerdict:
    if chance is None:
        return DieVerdict(die, counts, Verdict.TOO_FEW, None, None, (), (), None)
    ever = min(1.0, dice * math.exp(-log_odds(counts)))
    verdict = Verdict.LOADED if ever <= LOADED else Verdict.UNEVEN if chance < UNEVEN else Verdict.FAIR
    total = sum(counts)
    expected, spread = total / FACES, math.sqrt(total * (1 / FACES) * (1 - 1 / FACES))
    off = [(count - expected) / spread if verdict is not Verdict.FAIR else 0.0 for count in counts]
    often = tuple(face for face, by in enumerate(off, 1) if by >= _STANDS_OUT)
    seldom = tuple(face for face, by in enumerate(off, 1) if by <= -_STANDS_OUT)
    return DieVerdict(die, counts, verdict, chance, ever, often, seldom, noticeable(total, dice))


# --- looked at once ------------------------------------------------------------------------------------


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


# --- looked at for ever --------------------------------------------------------------------------------


def log_odds(counts: Sequence[float]) -> float:
    """The logarithm of the odds of these throws: dice biased as by _BIAS (Dirichlet) to a fair one."""
    total = sum(counts)
    biased = math.lgamma(FACES * _BIAS) - math.lgamma(FACES * _BIAS + total)
    biased += sum(math.lgamma(_BIAS + count) - math.lgamma(_BIAS) for count in counts)
    return biased + total * math.log(FACES)


def noticeable(total: int, dice: int) -> float:
    """The chance of a single face, the others alike, that so many throws would show four times of five."""
    mark = math.log(dice / LOADED)
    low, high = 1 / FACES, 1.0
    while high - low > 1e-4:
        middle = (low + high) / 2
        low, high = (low, middle) if _meagre_odds(total, middle) >= mark else (middle, high)
    return high


def _meagre_odds(total: int, chance: float) -> float:
    """The odds where the face stays behind as it does in one case of five, and the others scatter as ever."""
    face = max(0.0, total * chance - _MOSTLY * math.sqrt(total * chance * (1 - chance)))
    others = (total - face) / (FACES - 1)
    scatter = (FACES - 2) / 2 * total / (total + FACES * _BIAS)
    return log_odds([face, *[others] * (FACES - 1)]) + scatter
