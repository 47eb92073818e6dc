"""Pictures one after the other in, what goes on in them out: empty, moving, a hand, dice at rest and read."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from math import inf

from vision.cameras.steady import Motion, Steady
from vision.cameras.video import Filmed
from vision.cameras.watch import Glance, small_grey
from vision.image.arrays import Image
from vision.image.picture import fitted
from vision.judgement.voting import is_decided, vote
from vision.reading import Reading

HAND_LINGERS = 0.3  # seconds: a hand that grips dice looks like dice that move for a moment


class State(StrEnum):
    """What goes on where the dice are thrown."""

    EMPTY = "empty"
    MOVING = "moving"
    HAND = "hand"
    REST = "rest"


@dataclass(frozen=True, slots=True)
class Change:
    """What is so from that moment on, as it may turn out a little later; `reading` at rest."""

    at: float
    state: State
    reading: Reading | None = None


class Watching:
    """Takes in pictures and tells each change once. Dice at rest are read until two looks agree."""

    def __init__(self, read: Callable[[Image], Reading], steady: Steady) -> None:
        self._read = read
        self._steady = steady
        self._state: State | None = None  # not known yet
        self._readings: list[Reading] = []  # of the rest that is being read
        self._rest_since = 0.0
        self._last_told = -inf
        self._hand_seen = 0.0

    def take_in(self, filmed: Filmed) -> Change | None:
        """The change that this picture shows, if it shows one."""
        first = not self._steady.has_begun
        seen = self._steady.look(Glance(small_grey(filmed.picture.image), filmed.taken))
        if first:
            return self._begin(filmed)
        if seen is Motion.STILL:
            return None if self._is_told else self._look(filmed)
        if seen is Motion.MOVING and self._steady.is_quiet:  # it may be at rest: wait and see
            return None
        self._readings = []
        return self._become(self._moves(seen, filmed.taken), filmed.taken)

    def end(self) -> Change | None:
        """No more pictures: what was read of a rest so far counts."""
        return self._at_rest() if self._readings else None

    @property
    def _is_told(self) -> bool:
        return self._state in {State.REST, State.EMPTY}

    def _begin(self, filmed: Filmed) -> Change | None:
        """One picture tells whether there are dice, but not whether they move."""
        if self._reading_of(filmed).dice:
            return None
        return self._become(State.EMPTY, filmed.taken)

    def _moves(self, seen: Motion, taken: float) -> State:
        if seen is Motion.HAND:
            self._hand_seen = taken
            return State.HAND
        lingers = self._state is State.HAND and taken - self._hand_seen < HAND_LINGERS
        return State.HAND if lingers else State.MOVING

    def _look(self, filmed: Filmed) -> Change | None:
        if not self._readings:  # so it was before it was sure, unless something else was told meanwhile
            since = self._steady.unchanged_since
            self._rest_since = since if since > self._last_told else filmed.taken
        self._readings.append(self._reading_of(filmed))
        return self._at_rest() if is_decided(self._readings) else None

    def _at_rest(self) -> Change | None:
        reading, self._readings = vote(self._readings), []
        if not reading.dice:
            return self._become(State.EMPTY, self._rest_since)
        return self._become(State.REST, self._rest_since, reading)

    def _become(self, state: State, at: float, reading: Reading | None = None) -> Change | None:
        if state is self._state:
            return None
        self._state, self._last_told = state, at
        return Change(at, state, reading)

    def _reading_of(self, filmed: Filmed) -> Reading:
        small = fitted(filmed.picture.image, filmed.picture.scale)
        reading = self._read(small.image)
        height, width = small.image.shape[:2]
        self._steady.suppose(reading.place, (width, height))
        return reading.enlarged(small.scale)
