"""From faces that were looked at to an answer: certain, or what to do, in words. Sees no pixels."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, hypot, log

import numpy as np

from vision.colour import Assignment
from vision.leaning import Lean
from vision.pips import Array, FaceReading
from vision.reading import Corners, DieColour, Problem, ProblemKind, SeenDie
from vision.spots import SpotReading
from vision.standing import Stand, Top

SURE = 0.9  # a die below it is asked for
COLOUR_SURE = 0.8
SPOTS_SURE = 0.15  # spots that lie this well in a pattern count as a full vote
A_DIE = 0.5  # chance above which a place holds a die
PERHAPS_A_DIE = 0.25  # above it, the lid may hold a die more than was counted
FLAT = 0.5
# what the signs count in the odds that a die leans, and the constant: fitted by vision/training/odds.py, then
# the fifth set so that a louder sign never counts for less, the constant so that few leaning dice are missed
LEANING = (3.67, 1.41, 6.36, -3.0, -1.4, -5.0)
LOUD = 0.9  # foot and sides both say so
SHORTENED, MAY_LEAN = 0.9, 0.1  # a die at the wall shows two faces, each of them narrow
FEW_PIXELS, FAR, HARDLY_SEEN = 22.0, 0.25, 0.09  # a foot seen badly and so far off: it may well lean
WRONG_WAY = 0.05  # edges by which a foot is seen against the way it must be: then the face is a die's side
ALIKE = 0.03  # logarithm of sizes that are measured alike
NOT_TOLD, LEAST_SPREAD = 1.4, 0.04  # feet stray more than their network says
FACE_COUNTS, SPOTS_COUNT = 1.0, 1.5  # for a die being there, in logarithms of odds
SPOTS_WEIGH = 4  # for the number: of dice seen through, where networks take the pips below for theirs
PLAIN_SPOTS, PLAIN_CONTRAST = 0.6, 12.0  # spots nobody would overlook
NO_OTHER, AGREED = 0.93, 0.93
DENIED = 0.03  # a vote that small is a denial
BOTH_SURE = 0.97  # where spots are plain too, a denial does not count
ALONE_SURE = 0.955  # what both networks need where spots say nothing
NO_DOUBT, NEARLY_SURE, LIKELY = 0.99, 0.92, 0.7  # the face network's, and the finder's beside it
PLAINLY_READ = 0.97
CLOSER_SURE, ALSO_SURE, HALF_SURE, ALSO_FLAT = 0.8, 0.8, 0.55, 0.6
BOTH_TOLD = 0.65  # two networks' chances multiplied, where spots say nothing
ONE_SURE, ONE_CLOSER = 0.95, 0.9  # for ones
LEAST_VOTE, TORN, FAINT_SPOTS = 0.2, 0.3, 0.05
LEAST_CHANCE = 1e-3
STRONG, FAINT = 0.85, 0.75
HARDLY_A_DIE = 0.12  # below it, it is none
SMALLEST, ODD_SIZE = 0.86, 1.2  # all dice are one size: one so much larger is none of them
SMALLEST_PLAIN, PLAIN = 0.75, 0.95  # where glare hides its rim, a plain die is measured too small
ON_ANOTHER = 1.13  # and one so much larger lies on another
SIDES_DUE = 0.15  # edges: so far off a foot must be seen to say that a face has none
ENOUGH = 3  # dice that tell the size
NEAREST = 0.8  # edges between the middles of two dice
ONE_DIE = 0.74  # edges between the middles of bodies, below which two faces are a die's top and its side

FLAT_STAND = Stand(0.0, 1.0)
NO_LEAN = Lean(0.02, (0.0, 0.0))

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def odds_of(chance: float) -> float:
    """The logarithm of the odds, of chances near 0 and 1 as far as they can be told."""
    chance = min(max(chance, 1e-4), 1 - 1e-4)
    return log(chance / (1 - chance))


def weighed(signs: Sequence[float], weights: Sequence[float]) -> float:
    """Odds from signs, each times its weight, and a constant that stands last."""
    *counts, constant = weights
    return sum(sign * count for sign, count in zip(signs, counts, strict=True)) + constant


@dataclass(frozen=True, slots=True)
class Face:
    """One place that may hold a die: what the finder said, where the face is, and both readings of it."""

    x: float
    y: float
    size: float
    corners: Array
    score: float  # the finder's chance that a die is here
    votes: tuple[float, ...]  # the finder's own chances of one to six
    flat: float  # the finder's chance that it lies flat
    network: FaceReading
    spots: SpotReading
    lean: Lean = NO_LEAN
    stand: Stand = FLAT_STAND
    closer: FaceReading | None = None  # the larger network's, where the others left a doubt
    dimmed: FaceReading | None = None  # and the small one's without glare

    @property
    def pips(self) -> int:
        """The likeliest number: plain spots outweigh networks that waver, and no network that is sure."""
        chances = np.array(self.network.chances[:6]) * np.maximum(np.array(self.votes), 0.02)
        if self.closer is not None:
            chances = np.maximum(chances, LEAST_CHANCE) * np.array(self.closer.chances[:6])
        if self.spots.pips:
            chances[self.spots.pips - 1] *= (1 + 8 * self.spots.confidence) ** SPOTS_WEIGH
        return int(np.argmax(chances)) + 1

    @property
    def top(self) -> Top:
        """The face as how it stands is judged by."""
        return Top((self.x, self.y), self.size, self.lean.foot, self.is_die, self.lean.stray)

    @property
    def whole(self) -> Array:
        """Its corners as large as the other dice say: glare hides a rim, and dice are of one size."""
        if self.stand.size > SMALLEST:
            return self.corners
        middle = self.corners.mean(0)
        return np.asarray(middle + (self.corners - middle) / max(self.stand.size, 0.5), np.float32)

    @property
    def is_die(self) -> float:
        """The chance that a die lies here, whatever it shows: the finder's, and how like a face it is."""
        sure = min(max(self.score, 1e-3), 1 - 1e-3)
        odds = log(sure / (1 - sure)) + 2 * FACE_COUNTS * (0.5 - self.network.chances[6])
        if self.spots.confidence > SPOTS_SURE and self.spots.pips == self.network.pips:
            odds += SPOTS_COUNT
        return 1 / (1 + exp(-odds))

    @property
    def lies_flat(self) -> float:
        """The chance that it lies flat: the finder's, or the feet's if that is smaller."""
        return min(self.flat, self.stands_flat)

    @property
    def stands_flat(self) -> float:
        """The same by where its foot is seen, how its sides look, its size."""
        odds = weighed(self.signs_of_leaning, LEANING)
        narrow = self.stand.size < SHORTENED and self.lean.chance > MAY_LEAN
        unclear = self.size < FEW_PIXELS and self.stand.stray > FAR and self.lean.stray > HARDLY_SEEN
        loud = self.stand.stray > FAR and self.lean.chance > LOUD  # on something that nobody looks for
        if loud or self.stand.against > WRONG_WAY or ((narrow or unclear) and self.stand.free < 1):
            odds = max(odds, 0.5)
        return 1 / (1 + exp(odds))

    @property
    def signs_of_leaning(self) -> tuple[float, ...]:
        """How far its foot is off, how its sides look, how small its face is, that it can lean on nothing.

        The last: what foot and sides both say, which is told by either and counts once.
        """
        spread = hypot(NOT_TOLD * self.lean.stray, LEAST_SPREAD)
        stray = log(1 + (self.stand.stray / spread) ** 2)
        small = max(0.0, -log(max(self.stand.size, 0.1)) - ALIKE)
        sides = odds_of(self.lean.chance)
        return stray, sides, small, self.stand.free, min(stray, max(sides, 0.0))

    @property
    def is_printed(self) -> bool:
        """Whether it is larger than the dice and no side is seen where one is due: painted on the floor.

        Its foot is nearer to its middle than to where a die's foot would be.
        """
        due = max(SIDES_DUE, 2 * self.lean.stray, hypot(*self.lean.foot))
        return self.stand.size > ON_ANOTHER and self.stand.stray > due and self.lean.chance < FLAT

    @staticmethod
    def _least_network(pips: int) -> float:
        """A pip of a two that lies in the middle of a face seen amiss is a one to all but the network."""
        return ONE_SURE if pips == 1 else 0.0

    def _agreed(self, pips: int) -> float:
        """How sure it is where spots are plain and no network reads another number."""
        network, finder = self.network.chances[pips - 1], self.votes[pips - 1]
        plain = self.spots.confidence > PLAIN_SPOTS and self.spots.contrast > PLAIN_CONTRAST
        if not plain or network < max(0.5, self._least_network(pips)) or finder < 0.4:
            return 0.0
        alone = _among(self.network, pips) > NO_OTHER
        return float(max(1 - (1 - network) * (1 - finder), AGREED if alone else 0.0))

    @property
    def is_doubtful(self) -> bool:
        """Whether it may be a die and its number is worth a closer look."""
        return self.closer is None and self.confidence < PLAINLY_READ and self.is_die > HARDLY_A_DIE

    @property
    def confidence(self) -> float:
        """How sure its number is; a closer look can settle a doubt, and raise one."""
        first = self._at_first
        if self.closer is None:
            return first
        pips = self.pips
        if self.closer.chances[pips - 1] < TORN:
            return min(first, 0.5)
        return max(first, self._closely(pips, self.closer.chances[pips - 1]))

    def _closely(self, pips: int, closer: float) -> float:
        """How sure the larger network makes it, beside spots or without them."""
        spots, finder = self.spots, self.votes[pips - 1]
        if spots.pips not in {0, pips} and spots.confidence > FAINT_SPOTS:
            return 0.0
        looks = [look for look in (self.network, self.dimmed) if look is not None]
        among = max(_among(look, pips) for look in looks)
        if self._is_spotted(pips):
            one = pips == 1
            told = among > HALF_SURE or (finder > LIKELY and not one)
            sure = told and closer > (ONE_CLOSER if one else CLOSER_SURE)
        else:
            read = {look.pips for look in looks} - {0}
            told = closer > CLOSER_SURE and finder > LEAST_VOTE and not read
            both = among * closer > BOTH_TOLD and finder > DENIED and read == {pips}
            sure = (told or both) and among > ALSO_SURE and self.lies_flat > ALSO_FLAT and pips > 1
        return max(SURE, min(float(closer), AGREED)) if sure else 0.0

    def _is_spotted(self, pips: int) -> bool:
        """Whether spots say so: without them nobody is sure of a one.

        A lamp mirrored in a face may leave one pip of three or five.
        """
        return self.spots.pips == pips and self.spots.confidence > SPOTS_SURE

    @property
    def _at_first(self) -> float:
        """The weakest link of the two readings, the finder's vote only where it denies what both say."""
        pips = self.pips
        network, finder = self.network.chances[pips - 1], self.votes[pips - 1]
        if pips == 1 and not self._is_spotted(pips):
            return float(min(network, finder, 0.6))
        if self.spots.pips == pips:
            agreed = self._agreed(pips)
            if agreed > 0:
                return max(agreed, float(network))
            spots = min(1.0, 0.8 + 0.2 * self.spots.confidence / SPOTS_SURE)
            if network > NO_DOUBT and finder > LIKELY:  # a faint trace of spots, and two that are sure
                spots = max(spots, AGREED)
            both_sure = network > BOTH_SURE and self.spots.confidence > 0.5
            believed = (finder > DENIED or both_sure) and network > self._least_network(pips)
            return float(min(network, spots) if believed else min(network, spots, 0.85))
        if self.spots.pips == 0:  # glare or a shadow spoils spots: two networks stand in for them
            sure = min(network, finder) > ALONE_SURE or (network > NO_DOUBT and finder > NEARLY_SURE)
            return float(min(network, finder, 0.95 if sure else 0.6))
        return float(min(network, finder, 0.5))


def _among(reading: FaceReading, pips: int) -> float:
    """The chance of a number if it is a face that can be read."""
    return reading.chances[pips - 1] / max(sum(reading.chances[:6]), 1e-6)


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


def of_one_size(faces: Sequence[Face], wanted: int) -> list[Face]:
    """The faces without those that are much larger or smaller: dice printed on the floor, or a die's side.

    Where too few would be left, the likeliest of the small ones stay: glare hides a rim, and a die is wanted.
    Prints of about the dice's size go where all that are wanted are there without them.
    """
    fit = [f for f in faces if _least_size(f) < f.stand.size < ODD_SIZE]
    solid = [f for f in fit if not f.is_printed]
    fit = solid if sum(f.is_die > STRONG for f in solid) >= wanted else fit
    likely = sum(f.is_die > A_DIE for f in fit)
    if likely < ENOUGH:
        return list(faces)
    small = [f for f in faces if SMALLEST_PLAIN < f.stand.size <= SMALLEST and A_DIE < f.is_die < PLAIN]
    small.sort(key=lambda f: -f.is_die)
    return fit + small[: max(0, wanted - likely)]


def _least_size(face: Face) -> float:
    return SMALLEST if face.is_die < PLAIN else SMALLEST_PLAIN


def counted(faces: Sequence[Face], wanted: int) -> tuple[list[Face], list[Face]]:
    """The faces that are dice, and those that might be one die more.

    Where a die is wanted and only a doubtful one is left, that one is asked for: glare hides pips, not dice.
    """
    ordered = sorted(faces, key=lambda f: -f.is_die * (1 + f.lies_flat))
    found, more = ordered[:wanted], ordered[wanted:]
    if len(found) == wanted and all(f.is_die > STRONG for f in found):
        # beside so many plain dice, what is faint and cannot be read is a print on the floor
        more = [f for f in more if max(f.is_die, f.confidence) > FAINT]
    found = [f for f in found if f.is_die > HARDLY_A_DIE]
    extra = [f for f in more if f.is_die > A_DIE]
    return found + extra, [f for f in more if PERHAPS_A_DIE < f.is_die <= A_DIE]


def seen_dice(faces: Sequence[Face], colours: Assignment) -> tuple[SeenDie, ...]:
    return tuple(
        SeenDie(
            colour,
            face.pips,
            face.x,
            face.y,
            face.size,
            round(min(face.confidence, chance, face.lies_flat if face.lies_flat < FLAT else 1.0), 4),
            _corners(face.corners),
        )
        for face, colour, chance in zip(faces, colours.colours, colours.chances, strict=True)
    )


def _corners(corners: Array) -> Corners:
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    return a, b, c, d


def problems_of(
    faces: Sequence[Face], doubtful: Sequence[Face], colours: Assignment, expected: Sequence[DieColour]
) -> tuple[Problem, ...]:
    """Everything that keeps the reading from being certain, the gravest first; empty if nothing does."""
    problems = [*_counted(colours, expected)]
    if not problems and doubtful:
        text = "Look at the lid: something in it may be one more die."
        problems.append(Problem(ProblemKind.DIE_EXTRA, text))
    problems += _lying(faces, colours)
    problems += _read(faces, colours)
    if not problems:
        problems += _coloured(colours)
    return tuple(problems)


def named(colour: DieColour, count: int = 1) -> str:
    return f"{NUMBERS[min(count, 10)]} {colour} {'die' if count == 1 else 'dice'}"


def _counted(colours: Assignment, expected: Sequence[DieColour]) -> list[Problem]:
    found, wanted = Counter(colours.colours), Counter(expected)
    problems = []
    for colour in sorted(found - wanted):
        if wanted[colour] == 0:
            text = f"Take the {colour} die out of the lid: {colour} is not in play."
            problems.append(Problem(ProblemKind.DIE_NOT_IN_PLAY, text, colour))
        else:
            text = f"Take a {colour} die out of the lid: {named(colour, wanted[colour])} expected,"
            text += f" {NUMBERS[min(found[colour], 10)]} seen."
            problems.append(Problem(ProblemKind.DIE_EXTRA, text, colour))
    for colour in sorted(wanted - found):
        text = f"Look for the {colour} die: {named(colour, wanted[colour])} expected,"
        text += f" {NUMBERS[found[colour]] if found[colour] else 'none'} seen in the lid."
        problems.append(Problem(ProblemKind.DIE_MISSING, text, colour))
    return problems


def _lying(faces: Sequence[Face], colours: Assignment) -> list[Problem]:
    problems = []
    for face, colour in zip(faces, colours.colours, strict=True):
        if face.lies_flat < FLAT:
            text = f"Lay the {colour} die flat: it seems to lean."
            problems.append(Problem(ProblemKind.DIE_LEANS, text, colour))
        elif face.stand.size > ON_ANOTHER:
            text = f"Look at the {colour} die: it may lie on another one."
            problems.append(Problem(ProblemKind.DIE_STACKED, text, colour))
    return problems


def _read(faces: Sequence[Face], colours: Assignment) -> list[Problem]:
    problems = []
    for face, colour in zip(faces, colours.colours, strict=True):
        if face.lies_flat >= FLAT and face.confidence < SURE:
            text = f"Tap the number of the {colour} die: it shows {_perhaps(face)}, but that is not sure."
            problems.append(Problem(ProblemKind.PIPS_DOUBTFUL, text, colour))
    return problems


def _perhaps(face: Face) -> str:
    chances = np.array(face.network.chances[:6]) + np.array(face.votes)
    if face.spots.pips:
        chances[face.spots.pips - 1] += 1
    first, second = (int(i) + 1 for i in np.argsort(-chances)[:2])
    return f"{first} or {second}" if chances[second - 1] > 0.15 * chances[first - 1] else f"perhaps {first}"


def _coloured(colours: Assignment) -> list[Problem]:
    doubtful = [c for c, chance in zip(colours.colours, colours.chances, strict=True) if chance < COLOUR_SURE]
    if not doubtful:
        return []
    names = list(dict.fromkeys(str(c) for c in doubtful))
    listed = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    text = f"Say which die is which: {listed} cannot be told apart for sure in this light."
    return [Problem(ProblemKind.COLOUR_DOUBTFUL, text, doubtful[0])]
