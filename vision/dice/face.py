"""One place that may hold a die: whether it is one, lies flat, its number, and how sure all that is."""

from dataclasses import dataclass
from math import exp, hypot, log

import numpy as np

from vision.dice.flatness import FLAT, stands_flat
from vision.dice.leaning import Lean
from vision.dice.pips import Array, FaceReading
from vision.dice.spots import SpotReading
from vision.dice.standing import Stand, Top
from vision.reading import Leaning

SURE = 0.9  # a die below it is asked for
NEARLY_SURE = 0.95  # what the network needs for a one, and where the finder denies it
LIKELY, UNSURE = 0.8, 0.6
DENIED = 0.03  # a vote that small is a denial
SPOTS_SURE = 0.15  # spots that lie this well in a pattern count as a full vote
FACE_COUNTS, SPOTS_COUNT = 1.0, 1.5  # for a die being there, in logarithms of odds
SPOTS_WEIGH = 4  # for the number: of dice seen through, where networks take the pips below for theirs
SMEARED = 0.25  # evenness of edges; of 2,800 faces read right in steady pictures two in a thousand are below
LEAST_CHANCE = 1e-3
HARDLY_A_DIE = 0.12  # below it, it is none
SMALLEST = 0.86  # all dice are one size: where glare hides its rim, one is measured too small
ON_ANOTHER = 1.13  # and one so much larger lies on another
SIDES_DUE = 0.15  # edges: so far off a foot must be seen to say that a face has none

FLAT_STAND = Stand(0.0, 1.0)
NO_LEAN = Lean(0.02, (0.0, 0.0))


@dataclass(frozen=True, slots=True)
class Face:
    """One place that may hold a die: what the finder said, where the face is, and both readings of it."""

    x: float
    y: float
    size: float
    corners: Array
    score: float  # the finder's chance that a die is here
    votes: tuple[float, ...]  # the finder's own chances of one to six
    network: FaceReading
    spots: SpotReading
    lean: Lean = NO_LEAN
    stand: Stand = FLAT_STAND
    closer: FaceReading | None = None  # the larger network's, where the others left a doubt

    @property
    def pips(self) -> int:
        """The likeliest number: plain spots outweigh networks that waver, and no network that is sure."""
        chances = [
            chance * max(vote, 0.02) for chance, vote in zip(self.network.chances, self.votes, strict=False)
        ]
        if self.closer is not None:
            closer = self.closer.chances
            chances = [max(chance, LEAST_CHANCE) * closer[i] for i, chance in enumerate(chances)]
        if self.spots.pips:
            chances[self.spots.pips - 1] *= (1 + 8 * self.spots.confidence) ** SPOTS_WEIGH
        return chances.index(max(chances)) + 1

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
        odds = _die_odds(self.score, self.network)
        if self.spots.confidence > SPOTS_SURE and self.spots.pips == self.network.pips:
            odds += SPOTS_COUNT
        return 1 / (1 + exp(-odds))

    @property
    def lies_flat(self) -> float:
        """The chance that people read it as it lies."""
        return stands_flat(self.stand, self.lean)

    def leans(self, rule: Leaning) -> bool:
        """Whether it leans too far for the rule of the house."""
        return stands_flat(self.stand, self.lean, rule) < FLAT

    @property
    def is_printed(self) -> bool:
        """Whether it is larger than the dice and no side is seen where one is due: painted on the floor.

        Its foot is nearer to its middle than to where a die's foot would be.
        """
        due = max(SIDES_DUE, 2 * self.lean.stray, hypot(*self.lean.foot))
        return self.stand.size > ON_ANOTHER and self.stand.stray > due and self.lean.chance < FLAT

    @property
    def is_doubtful(self) -> bool:
        """Whether it may be a die and its number is worth a closer look."""
        return self.closer is None and self.confidence < SURE and self.is_die > HARDLY_A_DIE

    @property
    def confidence(self) -> float:
        """How sure its number is; a closer look can settle a doubt.

        All dice are of one size: of a face that seems smaller something hides a part, and pips with it. One
        without spots whose edges all go one way was smeared: a four looks like a six then.
        """
        is_seen_badly = self.stand.size < SMALLEST or self.spots.evenness < SMEARED
        read = max(self._at_first, self._closely)
        return min(read, UNSURE) if is_seen_badly else read

    @property
    def _is_spotted(self) -> bool:
        """Whether spots say its number: without them nobody is sure of a one.

        A lamp mirrored in a face may leave one pip of three or five.
        """
        return self.spots.pips == self.pips and self.spots.confidence > SPOTS_SURE

    @property
    def _at_first(self) -> float:
        """How sure spots and the network make it together, with the finder's vote beside them.

        A pip of a two that lies in the middle of a face seen amiss is a one to all but the network.
        """
        network, finder = self.network.chances[self.pips - 1], self.votes[self.pips - 1]
        if not self._is_spotted:
            return min(network, finder, UNSURE)
        if (self.pips == 1 or finder < DENIED) and network < NEARLY_SURE:
            return min(network, UNSURE)
        return 1 - (1 - network) * (1 - finder) if network > LIKELY else network

    @property
    def _closely(self) -> float:
        """How sure the larger network makes it, beside spots or without them."""
        pips, denied = self.pips, self.spots.pips != self.pips and self.spots.confidence > SPOTS_SURE
        if self.closer is None or denied:
            return 0.0
        closer, among, finder = (
            self.closer.chances[pips - 1],
            _among(self.network, pips),
            self.votes[pips - 1],
        )
        if self._is_spotted:
            least = SURE if pips == 1 else LIKELY
            sure = closer > least and (among > UNSURE or (finder > UNSURE and pips > 1))
        else:
            others = max(vote for i, vote in enumerate(self.votes, 1) if i != pips)
            told = self.network.pips in {0, pips} and finder > DENIED and others < LIKELY and pips > 1
            sure = told and min(closer, among) > LIKELY and min(self.lies_flat, self.is_die) > UNSURE
        return max(SURE, closer) if sure else 0.0


def may_be_die(score: float, network: FaceReading) -> float:
    """The chance of a die without what spots say."""
    return 1 / (1 + exp(-_die_odds(score, network)))


def _die_odds(score: float, network: FaceReading) -> float:
    sure = min(max(score, 1e-3), 1 - 1e-3)
    return log(sure / (1 - sure)) + 2 * FACE_COUNTS * (0.5 - network.chances[6])


def _among(reading: FaceReading, pips: int) -> float:
    """The chance of a number if it is a face that can be read."""
    return reading.chances[pips - 1] / max(sum(reading.chances[:6]), 1e-6)
