"""One look at the lid: wait until the dice lie still, read frames until enough agree. Knows no game."""

import math
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Protocol

import cv2

from vision.cameras.camera import Frame
from vision.cameras.steady import Motion, Steady, Throws, wait_until_still
from vision.cameras.watch import CameraState, Glance
from vision.image.arrays import Image
from vision.judgement.voting import in_motion, is_decided, vote
from vision.memory.calibration import Calibration
from vision.reader import read_dice
from vision.reading import DieColour, Problem, Reading, Stage

STILL_SECONDS = 3.0  # dice that roll longer than that were thrown again
LAST_START = 7.0  # no further frame is begun after so many seconds of one look
FRAME_SECONDS = 2.0
READ_AHEAD = "read before the press"  # a stage that takes no time
Read = Callable[[Image, Sequence[DieColour], Calibration | None], Reading]


class SeeingCamera(Protocol):
    """The watched camera, as far as looking needs it."""

    @property
    def state(self) -> CameraState: ...

    @property
    def newest(self) -> Glance | None: ...

    @property
    def is_distant(self) -> bool: ...

    def frame(self, timeout: float = 3.0, since: float | None = None) -> Frame: ...

    def glance(self, timeout: float = 3.0) -> Glance: ...


@dataclass(frozen=True, slots=True)
class Look:
    """The picture a reading was made of, kept for the pages that show it; and how long each step took."""

    image: Image
    reading: Reading
    expected: tuple[DieColour, ...]
    stages: tuple[Stage, ...] = ()
    photograph: bool = False  # a phone's, not the camera's


@dataclass(frozen=True, slots=True)
class _Ahead:
    """Dice read before anybody asked: good for as long as nothing moves and nothing else is expected."""

    look: Look
    seen: Glance
    calibration: Calibration | None


class Seeing:
    """Looks through one camera at one lid; it knows from one look to the next whether the dice lie still."""

    def __init__(
        self,
        camera: SeeingCamera,
        calibration: Calibration | None = None,
        read: Read = read_dice,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.calibration = calibration
        self._clock = clock
        self._camera = camera
        self._read = read
        self._rolled: Glance | None = None  # how the dice lay that were taken for a roll
        self._second = ThreadPoolExecutor(max_workers=1, thread_name_prefix="second look")
        self.begin_watching()

    def close(self) -> None:
        self._second.shutdown(wait=False, cancel_futures=True)

    def begin_watching(self) -> None:
        """Forget what was seen: a throw has begun."""
        known = self.calibration
        self._steady = Steady() if known is None else Steady(known.lid, (known.width, known.height))
        self._throws = Throws(self._steady)
        self._taken = -math.inf
        self.forget()

    def forget(self) -> None:
        """What was read ahead counts no more."""
        self._ahead: _Ahead | None = None

    def keep_watching(self) -> bool:
        """Between looks: take in the glance at hand, so that a press finds dice known to lie still.

        True once for each throw that has come to rest.
        """
        glance = self._camera.newest
        if glance is None or glance.taken <= self._taken:
            return False
        return self.take_in(glance)

    def take_in(self, glance: Glance) -> bool:
        self._taken = glance.taken
        threw = self._throws.look(glance)
        if not self._throws.is_still:
            self._ahead = None
        return threw

    def read_ahead(self, expected: tuple[DieColour, ...]) -> None:
        """Dice that have come to rest are read at once, the same way: a press then finds the answer."""
        seen = self._camera.newest
        if seen is None:
            return
        look = self.look(expected, lambda _: None)
        if look.reading.certain:
            self._ahead = _Ahead(look, seen, self.calibration)

    def has_read_ahead(self, expected: tuple[DieColour, ...]) -> bool:
        """Whether those dice were read before anybody asked: an answer at once, if nothing moves."""
        ahead = self._ahead
        return ahead is not None and ahead.look.expected == expected and ahead.calibration is self.calibration

    def taken_for_a_roll(self) -> None:
        """Remember how the dice lie: the next roll lies otherwise."""
        self._rolled = self._camera.newest

    def is_behind(self) -> bool:
        """Whether a distant camera still shows the dice of the last roll: its pictures may be late."""
        before, now = self._rolled, self._camera.newest
        if before is None or now is None or not self._camera.is_distant:
            return False
        return not self._steady.changed(before, now)

    def look(self, expected: tuple[DieColour, ...], on_motion: Callable[[Motion], None]) -> Look:
        """`on_motion` hears what moves, and that frames are read now. CameraError: there is no picture."""
        clock = _Stages()
        with clock.stage("still"):
            moving = self._wait(on_motion)
        ahead = self._ahead
        if ahead is not None and self.has_read_ahead(expected) and self._is_as_seen(ahead.seen):
            return replace(ahead.look, stages=(*clock.stages, Stage(READ_AHEAD, 0.0)))
        if moving is None:
            on_motion(Motion.STILL)
        newest = self._camera.newest
        since = newest.taken if newest is not None else None  # the picture in which they lay still
        with clock.stage("first frame"):
            frame = self._camera.frame(FRAME_SECONDS, since)
        if moving is None:
            frame, readings = self._read_frames(frame, expected, clock)
        else:
            readings = [self._read(frame.image, expected, self.calibration)]
        with clock.stage("vote"):
            reading = vote(readings) if moving is None else in_motion(readings[0], moving)
        if reading.certain:
            height, width = frame.image.shape[:2]
            self._steady.suppose(reading.place, (width, height))
        return Look(frame.image, reading, expected, tuple(clock.stages))

    def _wait(self, on_motion: Callable[[Motion], None]) -> Problem | None:
        """Until the dice lie still; what moved forgets what was read ahead."""

        def moves(seen: Motion) -> None:
            self._ahead = None
            on_motion(seen)

        return wait_until_still(self._camera, self._steady, self._clock, STILL_SECONDS, moves)

    def _is_as_seen(self, before: Glance) -> bool:
        now = self._camera.newest
        return now is not None and not self._steady.changed(before, now)

    def _read_frames(
        self, frame: Frame, expected: tuple[DieColour, ...], clock: "_Stages"
    ) -> tuple[Frame, list[Reading]]:
        """Two frames are read side by side; a third decides where they disagree."""
        with clock.stage("reading two frames"):
            first = self._second.submit(self._read, frame.image, expected, self.calibration)
            frame = self._camera.frame(FRAME_SECONDS, _after(frame))
            second = self._read(frame.image, expected, self.calibration)
            readings = [first.result(), second]
        while not is_decided(readings) and clock.seconds < LAST_START:
            with clock.stage("one more frame"):
                frame = self._camera.frame(FRAME_SECONDS, _after(frame))
                readings.append(self._read(frame.image, expected, self.calibration))
        return frame, readings


def _after(frame: Frame) -> float:
    return math.nextafter(frame.taken, math.inf)


def crop(look: Look | None, name: str) -> bytes | None:
    """One die of a look as JPEG, by its number among the dice that were seen."""
    if look is None or not name.isdecimal() or int(name) >= len(look.reading.dice):
        return None
    die = look.reading.dice[int(name)]
    half = max(8, round(die.size))
    height, width = look.image.shape[:2]
    x, y = round(die.x), round(die.y)
    return jpeg(look.image[max(0, y - half) : min(height, y + half), max(0, x - half) : min(width, x + half)])


def jpeg(image: Image) -> bytes | None:
    """The picture as JPEG; None for a picture without pixels."""
    if image.size == 0:
        return None
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 80])
    return data.tobytes() if done else None


class _Stages:
    def __init__(self) -> None:
        self._began = time.perf_counter()
        self.stages: list[Stage] = []

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self._began

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        begin = time.perf_counter()
        yield
        self.stages.append(Stage(name, 1000 * (time.perf_counter() - begin)))
