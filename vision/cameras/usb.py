"""A USB camera through OpenCV, read in a thread of its own: a driver that hangs stops nobody else."""

import threading
from collections.abc import Callable
from typing import Protocol, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.calibration.kept import CameraLock
from vision.cameras.camera import CameraError, Frame
from vision.cameras.clock import Clock, RealClock
from vision.image.arrays import Image

OPENING_SECONDS = 8.0  # some webcams take that long to wake up
CLOSING_SECONDS = 2.0
BAD_READS = 5  # in a row: the camera is gone
MANUAL_EXPOSURE, AUTO_EXPOSURE = 1.0, 3.0  # V4L2's numbers for them
SILENT = 0  # of OpenCV's log levels
MICROSECONDS_A_STEP = 100  # V4L2 counts exposure in tenths of a millisecond


class Capture(Protocol):
    """What is used of cv2.VideoCapture."""

    def isOpened(self) -> bool: ...  # noqa: N802 - OpenCV's name
    def read(self) -> tuple[bool, NDArray[np.uint8] | None]: ...
    def get(self, prop: int) -> float: ...
    def set(self, prop: int, value: float) -> bool: ...
    def release(self) -> None: ...


def _open_capture(number: int) -> Capture:
    """A missing camera is told in one sentence of ours; OpenCV would add lines of its own."""
    before = _set_log_level(SILENT)
    try:
        return cast(Capture, cv2.VideoCapture(number))
    finally:
        _set_log_level(before)


def _set_log_level(level: int) -> int:
    """The level before. OpenCV 4 has this at the top, OpenCV 5 among its tools."""
    for place in (cv2, getattr(cv2.utils, "logging", None)):
        change = getattr(place, "setLogLevel", None)
        if change is not None:
            return int(change(level))
    return level


class UsbCamera:
    """Keeps the newest picture of a USB camera; `frame` waits for one not yet handed out."""

    def __init__(
        self,
        number: int = 0,
        size: tuple[int, int] = (1280, 720),
        make: Callable[[int], Capture] = _open_capture,
        clock: Clock | None = None,
    ) -> None:
        self._which = number
        self._size = size
        self._make = make
        self._clock = clock or RealClock()
        self._arrived = threading.Condition()
        self._newest: Frame | None = None
        self._handed_out = 0
        self._trouble: str | None = None
        self._is_open = False
        self._stop = threading.Event()
        self._lock: CameraLock | None = None
        self._lock_set = False
        self._freed = False
        self._asked = False
        self._settings: CameraLock | None = None
        self._thread: threading.Thread | None = None

    @property
    def name(self) -> str:
        return f"USB camera {self._which}"

    def open(self) -> None:
        if self._thread is not None and self._thread.is_alive():
            raise CameraError(f"{self.name} still hangs in an earlier read: unplug it and plug it in again")
        self._stop, self._trouble, self._newest, self._is_open = threading.Event(), None, None, False
        self._lock_set, self._handed_out = False, 0
        self._thread = threading.Thread(target=self._read, args=(self._stop,), name=self.name, daemon=True)
        self._thread.start()
        with self._arrived:
            done = self._arrived.wait_for(lambda: self._is_open or self._trouble, OPENING_SECONDS)
        if self._trouble or not done:
            self._stop.set()
            raise CameraError(self._trouble or f"{self.name} does not open: unplug it and plug it in again")

    def frame(self, timeout: float = 3.0) -> Frame:
        with self._arrived:
            self._arrived.wait_for(lambda: self._trouble or self._has_newer(), timeout)
            if self._trouble:
                raise CameraError(self._trouble)
            if self._newest is None or not self._has_newer():
                raise CameraError(f"{self.name} gave no picture for {timeout:g} s: check its cable")
            self._handed_out = self._newest.number
            return self._newest

    def settings(self, timeout: float = 3.0) -> CameraLock | None:
        """Exposure and white balance as the camera has them now; None if it does not tell."""
        with self._arrived:
            self._settings, self._asked = None, True
            self._arrived.wait_for(lambda: self._trouble or not self._asked, timeout)
            return self._settings

    def lock(self, lock: CameraLock | None) -> None:
        """Hold exposure and white balance from the next picture on, also once opened again; None: automatic.

        The camera itself remembers what was held, so automatic has to be asked for.
        """
        with self._arrived:
            self._lock, self._lock_set, self._freed = lock, False, lock is None

    def close(self) -> None:
        self._stop.set()
        if self._thread is not None:
            self._thread.join(CLOSING_SECONDS)

    def _has_newer(self) -> bool:
        return self._newest is not None and self._newest.number > self._handed_out

    def _read(self, stop: threading.Event) -> None:
        capture = self._make(self._which)
        try:
            if not capture.isOpened():
                self._tell(f"no USB camera {self._which}: plug one in")
                return
            for prop, value in (
                (cv2.CAP_PROP_FRAME_WIDTH, self._size[0]),
                (cv2.CAP_PROP_FRAME_HEIGHT, self._size[1]),
                (cv2.CAP_PROP_BUFFERSIZE, 1),
            ):
                capture.set(prop, value)
            self._tell(None)
            self._keep_newest(capture, stop)
        finally:
            capture.release()

    def _keep_newest(self, capture: Capture, stop: threading.Event) -> None:
        number, bad = 0, 0
        while not stop.is_set():
            self._adjust(capture)
            good, image = capture.read()
            if not good or image is None:
                bad += 1
                if bad >= BAD_READS:
                    self._tell(f"{self.name} was unplugged: plug it in again")
                    return
                stop.wait(0.05)
                continue
            bad, number = 0, number + 1
            with self._arrived:
                self._newest = Frame(_as_bgr(image), number, self._clock.now())
                self._arrived.notify_all()

    def _adjust(self, capture: Capture) -> None:
        """What others asked for is done here: a capture must not be used by two threads."""
        with self._arrived:
            lock = None if self._lock_set else self._lock
            freed, self._freed = self._freed, False
            self._lock_set, asked = True, self._asked
        if freed:
            capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, AUTO_EXPOSURE)
            capture.set(cv2.CAP_PROP_AUTO_WB, 1.0)
        if lock is not None:
            for prop, value in (
                (cv2.CAP_PROP_AUTO_EXPOSURE, MANUAL_EXPOSURE),
                (cv2.CAP_PROP_EXPOSURE, lock.exposure_microseconds / MICROSECONDS_A_STEP),
                (cv2.CAP_PROP_GAIN, lock.gain),
                (cv2.CAP_PROP_AUTO_WB, 0.0),
                (cv2.CAP_PROP_WB_TEMPERATURE, lock.kelvin or 0.0),
            ):
                if value or prop == cv2.CAP_PROP_AUTO_WB:  # zero is what a camera without it tells
                    capture.set(prop, value)
        if asked:
            found = _settings_of(capture)
            with self._arrived:
                self._settings, self._asked = found, False
                self._arrived.notify_all()

    def _tell(self, trouble: str | None) -> None:
        with self._arrived:
            self._is_open, self._trouble = trouble is None, trouble
            self._arrived.notify_all()


def _settings_of(capture: Capture) -> CameraLock | None:
    exposure, gain, kelvin = (
        capture.get(prop) for prop in (cv2.CAP_PROP_EXPOSURE, cv2.CAP_PROP_GAIN, cv2.CAP_PROP_WB_TEMPERATURE)
    )
    if exposure <= 0:
        return None
    return CameraLock(
        round(exposure * MICROSECONDS_A_STEP), max(0.0, gain), 1.0, 1.0, kelvin=kelvin if kelvin > 0 else None
    )


def _as_bgr(image: NDArray[np.uint8]) -> Image:
    """Grey cameras give one channel."""
    if image.ndim == 2 or image.shape[2] == 1:
        return cast(Image, cv2.cvtColor(image, cv2.COLOR_GRAY2BGR))
    return image
