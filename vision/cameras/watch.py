"""Watches over a camera: notices within three seconds that it shows nothing useful, and finds it again."""

import math
import threading
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, TypeVar, cast, runtime_checkable

import cv2
import numpy as np

from boxlid.errors import Statement
from vision.cameras.camera import Camera, CameraError, CameraName, CameraSays, CameraTitle, Frame
from vision.cameras.clock import Clock, RealClock
from vision.image.arrays import Image
from vision.memory.calibration import CameraLock

T = TypeVar("T")

GLANCE_WIDTH = 320
PATIENCE = 2.0  # seconds without a picture, or with the same one
STILL_STREAM = 20.0  # an encoder repeats a picture in which nothing moves until its next whole one
DOUBT = 1.0  # seconds of black or white: a lamp may just be switched on, exposure may be settling
RETRY = 1.0
IDLE_PACE = 0.25  # between looks when nobody asks for pictures
BLACK_BELOW = 14
WHITE_ABOVE = 248
WHITE_SHARE = 0.85


class Sight(StrEnum):
    """What the camera is good for at this moment."""

    GOOD = "good"
    STARTING = "starting"
    MISSING = "missing"
    BLACK = "black"
    BLINDED = "blinded"
    FROZEN = "frozen"


STARTING = Statement(CameraSays.STARTING)


@dataclass(frozen=True, slots=True)
class CameraState:
    """How the camera is, and what is said of it to the people at the table; `stuck` needs a new process."""

    sight: Sight = Sight.STARTING
    says: Statement = STARTING
    stuck: bool = False

    @property
    def is_good(self) -> bool:
        return self.sight is Sight.GOOD


GOOD = CameraState(Sight.GOOD, Statement(CameraSays.WORKS))


@dataclass(frozen=True, slots=True)
class Glance:
    """A small grey picture for watching motion, and when it was taken."""

    image: Image
    taken: float


@runtime_checkable
class Glancing(Protocol):
    """A camera with a cheap small picture beside the full one."""

    def glance(self, timeout: float = 3.0) -> Image: ...


@runtime_checkable
class Adjustable(Protocol):
    """A camera whose exposure and white balance can be read and held."""

    def settings(self, timeout: float = 3.0) -> CameraLock | None: ...

    def lock(self, lock: CameraLock | None) -> None:
        """None: it finds them itself again."""


@runtime_checkable
class Distant(Protocol):
    """A camera whose pictures are on the way for a while, and nobody knows how long."""

    delay: float
    sends: tuple[int, int] | None


def adjustable(camera: object) -> Adjustable | None:
    """The camera if its exposure can be held, also one that was found among several."""
    inner = _inner(camera)
    return inner if isinstance(inner, Adjustable) else None


def _inner(camera: object) -> object:
    """The camera itself, where it stands for one that was found."""
    return getattr(camera, "found", camera)


class PictureHealth:
    """Judges pictures one by one: black, blinded or frozen only once it lasts."""

    def __init__(self, frozen_after: float = PATIENCE) -> None:
        self._frozen_after = frozen_after
        self._last: Image | None = None
        self._changed = -math.inf
        self._since: tuple[Sight, float] = (Sight.GOOD, -math.inf)

    def judge(self, image: Image, now: float) -> CameraState:
        sample = image[::2, ::2]
        if self._last is None or self._last.shape != sample.shape or not np.array_equal(self._last, sample):
            self._last, self._changed = sample.copy(), now
        sight = _brightness(sample)
        if sight is not self._since[0]:
            self._since = (sight, now)
        if sight is not Sight.GOOD and now - self._since[1] >= DOUBT:
            return CameraState(sight, Statement(SAID[sight]))
        if now - self._changed >= self._frozen_after:
            return CameraState(Sight.FROZEN, Statement(SAID[Sight.FROZEN]))
        return GOOD


SAID = {
    Sight.BLACK: CameraSays.BLACK,
    Sight.BLINDED: CameraSays.BLINDED,
    Sight.FROZEN: CameraSays.FROZEN,
}


def _brightness(sample: Image) -> Sight:
    if float(np.percentile(sample, 99)) < BLACK_BELOW:
        return Sight.BLACK
    if float((sample >= WHITE_ABOVE).mean()) > WHITE_SHARE:
        return Sight.BLINDED
    return Sight.GOOD


class WatchedCamera:
    """A camera that may come and go. Without its thread, `step` looks once; `frame` then steps by itself."""

    def __init__(
        self,
        make: Callable[[], Camera],
        clock: Clock | None = None,
        on_change: Callable[[CameraState], None] | None = None,
        frozen_after: float = PATIENCE,
    ) -> None:
        self._make = make
        self._clock = clock or RealClock()
        self._on_change = on_change
        self._frozen_after = frozen_after
        self._camera: Camera | None = None
        self._health = PictureHealth(frozen_after)
        self._state = CameraState()
        self._retry_at = -math.inf
        self._arrived = threading.Condition()
        self._frame: Frame | None = None
        self._glance: Glance | None = None
        self._lock: CameraLock | None = None
        self._count = 0
        self._frames_asked = 0  # how many wait for a full picture
        self._asked = threading.Event()  # somebody waits: no pause now
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self.alive_at = self._clock.now()  # a camera's call that never returns stops this

    @property
    def name(self) -> CameraName:
        return self._camera.name if self._camera else Statement(CameraTitle.ANY)

    @property
    def state(self) -> CameraState:
        return self._state

    @property
    def is_distant(self) -> bool:
        """Whether its pictures may show how the table was some time ago."""
        return isinstance(_inner(self._camera), Distant)

    def open(self) -> None:
        """Begin to watch in a thread; the camera may be missing for now."""
        if self._thread is None:
            self._stop.clear()
            self._thread = threading.Thread(target=self._watch, name="camera", daemon=True)
            self._thread.start()

    def close(self) -> None:
        self._stop.set()
        self._asked.set()
        if self._thread is not None:
            self._thread.join(PATIENCE + RETRY)
            self._thread = None
        self._let_go()

    @property
    def newest(self) -> Glance | None:
        """The glance at hand, however old."""
        return self._glance

    def frame(self, timeout: float = 3.0, since: float | None = None) -> Frame:
        """A picture taken since that moment; if none is named, since this call began."""
        asked = self._clock.now() if since is None else since

        def fresh() -> Frame | None:
            return self._frame if self._frame is not None and self._frame.taken >= asked else None

        with self._arrived:
            self._frames_asked += 1
        try:
            return self._wait(fresh, timeout)
        finally:
            with self._arrived:
                self._frames_asked -= 1

    def glance(self, timeout: float = 3.0) -> Glance:
        """A small grey picture taken after this call began."""
        asked = self._clock.now()

        def fresh() -> Glance | None:
            return self._glance if self._glance is not None and self._glance.taken >= asked else None

        return self._wait(fresh, timeout)

    def settings(self) -> CameraLock | None:
        """Exposure and white balance now; None for a camera that does not tell."""
        camera = adjustable(self._camera)
        return camera.settings() if camera else None

    def hold(self, lock: CameraLock | None) -> None:
        """Hold exposure and white balance from now on, also after the camera was lost and found.

        None lets go of what was held; a camera that nobody held is left as its owner set it.
        """
        held, self._lock = self._lock, lock
        adjusts = adjustable(self._camera)
        if lock is None and held is not None and adjusts is not None:
            adjusts.lock(None)
        self._lock_it(self._camera)

    def _lock_it(self, camera: Camera | None) -> None:
        adjusts = adjustable(camera)
        if adjusts is not None and self._lock is not None:
            adjusts.lock(self._lock)

    def step(self) -> None:
        """Look once: open the camera if there is none, else take a picture and judge it."""
        self.alive_at = self._clock.now()
        try:
            if self._camera is None:
                self._find()
            else:
                self._look(self._camera)
        except CameraError as error:
            self._lost(error.statement)

    def _wait(self, fresh: Callable[[], T | None], timeout: float) -> T:
        ends = self._clock.now() + timeout
        self._asked.set()
        if self._thread is None:
            while fresh() is None and self._clock.now() < ends:
                self.step()
        else:
            with self._arrived:
                self._arrived.wait_for(lambda: fresh() is not None, timeout)
        found = fresh()
        if not self._state.is_good and self._state.sight is not Sight.STARTING:
            raise CameraError(self._state.says.kind, **self._state.says.values)
        if found is None:
            raise CameraError(CameraSays.SILENT, name=self.name, seconds=timeout)
        return found

    def _watch(self) -> None:
        while not self._stop.is_set():
            self.step()
            if self._camera is not None:  # no picture is fetched that nobody waits for
                self._asked.wait(IDLE_PACE)
            self._asked.clear()

    def _find(self) -> None:
        now = self._clock.now()
        if now < self._retry_at:
            self._pause(self._retry_at - now)
            return
        self._retry_at = now + RETRY
        camera = self._make()
        camera.open()
        self._lock_it(camera)
        patience = STILL_STREAM if isinstance(_inner(camera), Distant) else self._frozen_after
        self._camera, self._health = camera, PictureHealth(patience)

    def _pause(self, seconds: float) -> None:
        if self._thread is None:
            self._clock.wait(seconds)
        else:
            self._stop.wait(seconds)

    def _look(self, camera: Camera) -> None:
        cheap = _inner(camera)
        glancing = cheap if isinstance(cheap, Glancing) else None
        if glancing is not None and not self._frames_asked:
            image = glancing.glance(PATIENCE)
            self._keep(None, Glance(small_grey(image), self._clock.now()), image)
            return
        frame = camera.frame(PATIENCE)
        self._count += 1
        # a glance made otherwise than those before would look as if something had moved
        glance = None if glancing is not None else Glance(small_grey(frame.image), frame.taken)
        self._keep(Frame(frame.image, self._count, frame.taken), glance, frame.image)

    def _keep(self, frame: Frame | None, glance: Glance | None, image: Image) -> None:
        self._become(self._health.judge(image, self._clock.now()))
        with self._arrived:
            self._frame = frame or self._frame
            self._glance = glance or self._glance
            self._arrived.notify_all()

    def _lost(self, why: Statement) -> None:
        stuck = self._let_go()
        self._become(CameraState(Sight.MISSING, stuck or why, stuck is not None))

    def _let_go(self) -> Statement | None:
        """Close the camera; what is to be said if even that fails."""
        camera, self._camera = self._camera, None
        try:
            if camera is not None:
                camera.close()
        except CameraError as error:
            return error.statement
        return None

    def _become(self, state: CameraState) -> None:
        if state == self._state:
            return
        with self._arrived:
            self._state = state
            self._arrived.notify_all()
        if self._on_change is not None:
            self._on_change(state)


def small_grey(image: Image) -> Image:
    """A picture as a glance: grey, and no wider than needed to see dice move."""
    grey = image if image.ndim == 2 else cast(Image, cv2.cvtColor(image, cv2.COLOR_BGR2GRAY))
    scale = GLANCE_WIDTH / grey.shape[1]
    if scale >= 1:
        return grey
    return cast(Image, cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA))
