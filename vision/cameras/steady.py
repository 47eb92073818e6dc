"""Whether the dice lie still and no hand is over the lid, seen in small grey pictures. Knows no dice."""

from collections.abc import Callable
from enum import StrEnum
from typing import Protocol, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cameras.watch import Glance
from vision.reading import Outline, Problem, ProblemKind

Mask = NDArray[np.uint8]
Grey = NDArray[np.float32]

SETTLE_SECONDS = 0.3  # dice that rock on an edge stand still for a moment
SETTLE_LOOKS = 2
LEAST_CHANGE = 8.0  # grey levels; a die that rolls changes more, a flickering lamp less
NOISE_FACTOR = 7.0
LEAST_MOVING = 0.0004  # of the lid's area: a few pixels of a die that tips over
DIE_SHARE = 0.10  # a die's edge over the root of the lid's area
HAND_SHARE = 0.16  # a hand is thicker than a die and its shadow
HAND_MOST = 0.65  # more of the picture than that is no hand but a change of light
NEAR_LID, FAR_FROM_LID = 1.12, 1.4
HAND_FORGOTTEN = 10.0  # no hand lies that still: something was put down, or the lid was pushed far
PATIENCE = 3.0


class Motion(StrEnum):
    """What goes on in the lid."""

    STILL = "still"
    MOVING = "moving"
    HAND = "hand"


class GlancingCamera(Protocol):
    """A camera that gives small grey pictures."""

    def glance(self, timeout: float = 3.0) -> Glance: ...


class Steady:
    """Looks at one glance after the other and says what goes on in the lid; anywhere if no lid is known."""

    def __init__(self, lid: Outline | None = None, size: tuple[int, int] = (1, 1)) -> None:
        """`lid` is the outline of the floor that dice lie on, in a picture of that size."""
        self._lid = _as_parts(lid, size)
        self._is_sure = lid is not None
        self._last: Grey | None = None
        self.unchanged_since = 0.0  # when the first glance was taken that showed what the last one shows
        self._calm: Grey | None = None  # the last picture that was still and without a hand
        self._inside = self._near = self._far = np.zeros((1, 1), np.uint8)
        self._quiet_since: float | None = None
        self._quiet_looks = 0

    def suppose(self, place: Outline | None, size: tuple[int, int]) -> None:
        """What dice seem to lie in, where no lid is known: it tells a hand. What moves elsewhere counts."""
        if self._is_sure or place is None:
            return
        self._lid = _as_parts(place, size)
        if self._last is not None:
            self._mark_regions(self._last.shape)

    @property
    def has_begun(self) -> bool:
        """Whether it saw a picture that the next can be compared with."""
        return self._last is not None

    @property
    def is_quiet(self) -> bool:
        """Whether nothing moved in the last glance, be it for too short a time yet."""
        return self._quiet_looks > 0

    def look(self, glance: Glance) -> Motion:
        """Take in the next glance."""
        now = _smooth(glance)
        if self._last is None or self._last.shape != now.shape:
            self._begin(now)
            self.unchanged_since = glance.taken
            return Motion.MOVING
        changed = self._changes(self._last, now)
        self._last = now
        moved = changed & self._near
        if cv2.countNonZero(moved) > LEAST_MOVING * self._size:
            self._quiet_since, self._quiet_looks = None, 0
            self.unchanged_since = glance.taken
            return Motion.HAND if self._is_hand(changed) else Motion.MOVING
        self._quiet_looks += 1
        if self._quiet_since is None:
            self._quiet_since = glance.taken
        if self._quiet_looks < SETTLE_LOOKS or glance.taken - self._quiet_since < SETTLE_SECONDS:
            return Motion.MOVING
        return self._at_rest(now, glance.taken)

    def _at_rest(self, now: Grey, taken: float) -> Motion:
        """Nothing moves: is what lies there a hand?"""
        if self._calm is not None:
            stays = self._changes(self._calm, now)
            lasts = taken - cast(float, self._quiet_since)
            if lasts < HAND_FORGOTTEN and self._is_hand(stays):
                return Motion.HAND
        self._calm = now
        return Motion.STILL

    def _begin(self, now: Grey) -> None:
        self._last, self._calm, self._quiet_since, self._quiet_looks = now, None, None, 0
        self._mark_regions(now.shape)

    def _mark_regions(self, shape: tuple[int, ...]) -> None:
        height, width = shape
        self._inside = self._near = np.full((height, width), 255, np.uint8)
        self._far = np.zeros((height, width), np.uint8)
        if self._lid is not None:
            corners: Grey = (self._lid * np.array([width, height])).astype(np.float32)
            self._inside = _filled(corners, 1.0, (height, width))
            self._far = ~_filled(corners, FAR_FROM_LID, (height, width))
            if self._is_sure:
                self._near = _filled(corners, NEAR_LID, (height, width))
        self._far[[0, -1]] = 255
        self._far[:, [0, -1]] = 255

    @property
    def _size(self) -> float:
        return float(cv2.countNonZero(self._inside))

    def _changes(self, before: Grey, now: Grey) -> Mask:
        """Where the picture changed by more than noise and more than the light as a whole."""
        change = now - before
        change -= float(np.median(change))
        size = np.abs(change)
        noise = 1.4826 * float(np.median(size))
        mask: Mask = (size > max(LEAST_CHANGE, NOISE_FACTOR * noise)).astype(np.uint8) * np.uint8(255)
        return mask

    def changed(self, before: Glance, now: Glance) -> bool:
        """Whether something came into the lid or left it between two glances."""
        return before.image.shape != now.image.shape or self.differs(_smooth(before), _smooth(now))

    def differs(self, before: Grey, now: Grey) -> bool:
        """Whether something lies in the lid that did not, or is gone: at least a good part of a die."""
        if before.shape != now.shape:  # another camera: nothing can be compared
            return False
        changed = self._changes(before, now) & self._inside
        return cv2.countNonZero(changed) > 0.1 * DIE_SHARE**2 * self._size

    def _is_hand(self, changed: Mask) -> bool:
        """Something thicker than dice that reaches from outside into the lid, but not the whole picture."""
        width = max(3, round(HAND_SHARE * self._size**0.5) | 1)
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (width, width))
        closed = cv2.morphologyEx(changed, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
        thick = cv2.morphologyEx(closed, cv2.MORPH_OPEN, kernel)
        if cv2.countNonZero(thick) > HAND_MOST * thick.size:
            return False
        count, labels = cv2.connectedComponents(thick)
        inside, far = labels[self._inside > 0], labels[self._far > 0]
        least = HAND_SHARE**2 * self._size / 2
        in_lid = np.bincount(inside, minlength=count)
        outside = np.bincount(far, minlength=count)
        return bool(((in_lid > least) & (outside > 0))[1:].any())


def _as_parts(outline: Outline | None, size: tuple[int, int]) -> Grey | None:
    """The outline in parts of a picture of that size."""
    return None if outline is None else (np.array(outline) / np.array(size)).astype(np.float32)


def _smooth(glance: Glance) -> Grey:
    return cast(Grey, cv2.GaussianBlur(glance.image.astype(np.float32), (0, 0), 1.0))


def _filled(corners: Grey, grown: float, shape: tuple[int, int]) -> Mask:
    """The lid as a mask, grown round its middle."""
    middle = corners.mean(axis=0)
    corners = middle + (corners - middle) * grown
    mask = np.zeros(shape, np.uint8)
    cv2.fillPoly(mask, [np.round(corners).astype(np.int32)], 255)
    return mask


def wait_until_still(
    camera: GlancingCamera,
    steady: Steady,
    now: Callable[[], float],
    patience: float = PATIENCE,
    on_motion: Callable[[Motion], None] = lambda _: None,
) -> Problem | None:
    """Wait until the dice lie still; after `patience` seconds the problem says what moves."""
    ends = now() + patience
    while True:
        seen = steady.look(camera.glance())
        if seen is Motion.STILL:
            return None
        on_motion(seen)
        if now() >= ends:
            return problem_of(seen)


def problem_of(seen: Motion) -> Problem:
    return Problem(ProblemKind.HAND if seen is Motion.HAND else ProblemKind.MOVING)


class Throws:
    """Notices throws without a button: something moved, now it lies still, and the lid looks different."""

    def __init__(self, steady: Steady) -> None:
        self._steady = steady
        self._moved = False
        self._before: Grey | None = None
        self.is_still = False

    def look(self, glance: Glance) -> bool:
        """Take in the next glance; true once for each throw."""
        seen = self._steady.look(glance)
        self.is_still = seen is Motion.STILL
        if seen is not Motion.STILL:
            self._moved = True
            return False
        now = _smooth(glance)
        before, moved = self._before, self._moved
        self._before, self._moved = now, False
        if before is None or not moved:
            return False
        return self._steady.differs(before, now)
