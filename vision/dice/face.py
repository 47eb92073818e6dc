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
SPOTS_SURE = 0.15  # spots that lie this well in a pattern count as a full vote
FACE_COUNTS, SPOTS_COUNT = 1.0, 1.5  # for a die being there, in logarithms of odds
SPOTS_WEIGH = 4  # for the number: of dice seen through, where networks take the pips below for theirs
PLAIN_SPOTS, PLAIN_CONTRAST = 0.6, 12.0  # spots nobody would overlook
NO_OTHER, AGREED = 0.93, 0.93
DENIED = 0.03  # a vote that small is a denial
BOTH_SURE = 0.97  # where spots are plain too, a denial does not count
ALONE_SURE = 0.955  # what both networks need where spots say nothing
NO_DOUBT, NEARLY_SURE, LIKELY = 0.99, 0.92, 0.7  # the face network's, and the finder's beside it
PLAINLY_READ = 0.97
CLOSER_SURE, HALF_SURE, ALSO_LIKELY = 0.8, 0.55, 0.6
ONE_SURE, ONE_CLOSER = 0.95, 0.9  # for ones
SMEARED = 0.25  # evenness of edges; of 2,800 faces read right in steady pictures two in a thousand are below
SEEN_BADLY = 0.6  # no face is surer that is smeared, or of which a part is hidden
LEAST_VOTE, TORN, FAINT_SPOTS = 0.2, 0.3, 0.05
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
        """The chance that people read it as it lies: the finder's, or the foot's if that is smaller."""
        return min(self.flat, stands_flat(self.stand, self.lean))

    def leans(self, rule: Leaning) -> bool:
        """Whether it leans too far for the rule of the house."""
        return min(self.flat, stands_flat(self.stand, self.lean, rule)) < FLAT

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
        """How sure its number is; a closer look can settle a doubt, and raise one.

        All dice are of one size: of a face that seems smaller something hides a part, and pips with it. One
        without spots whose edges all go one way was smeared: a four looks like a six then.
        """
        is_seen_badly = self.stand.size < SMALLEST or self.spots.evenness < SMEARED
        return min(self._read, SEEN_BADLY) if is_seen_badly else self._read

    @property
    def _read(self) -> float:
        """How sure its number is if all of the face is seen."""
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
            others = max(vote for i, vote in enumerate(self.votes, 1) if i != pips)
            told = read <= {pips} and finder > (DENIED if read else LEAST_VOTE) and others < LIKELY
            sure = (
                told
                and min(closer, among) > CLOSER_SURE
                and min(self.lies_flat, self.is_die) > ALSO_LIKELY
                and pips > 1
            )
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


def may_be_die(score: float, network: FaceReading) -> float:
    """The chance of a die without what spots say."""
    return 1 / (1 + exp(-_die_odds(score, network)))


def _die_odds(score: float, network: FaceReading) -> float:
    sure = min(max(score, 1e-3), 1 - 1e-3)
    return log(sure / (1 - sure)) + 2 * FACE_COUNTS * (0.5 - network.chances[6])


def _among(reading: FaceReading, pips: int) -> float:
    """The chance of a number if it is a face that can be read."""
    return reading.chances[pips - 1] / max(sum(reading.chances[:6]), 1e-6)
