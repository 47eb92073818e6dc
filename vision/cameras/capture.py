"""A camera through OpenCV, read in a thread of its own: what hangs there stops nobody else."""

import threading
from dataclasses import dataclass
from typing import Protocol, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from boxlid.errors import Statement, Value
from vision.cameras.camera import CameraError, CameraSays, Frame
from vision.cameras.clock import Clock, RealClock
from vision.image.arrays import Image

CLOSING_SECONDS = 2.0
PAUSE_SECONDS = 0.05  # after a read that brought nothing
FFMPEG_OPTIONS = "OPENCV_FFMPEG_CAPTURE_OPTIONS"  # of the environment: FFmpeg is told in no other way
SILENT = 0  # of OpenCV's log levels


class Capture(Protocol):
    """What is used of cv2.VideoCapture."""

    def isOpened(self) -> bool: ...  # noqa: N802 - OpenCV's name
    def read(self) -> tuple[bool, NDArray[np.uint8] | None]: ...
    def get(self, prop: int) -> float: ...
    def set(self, prop: int, value: float) -> bool: ...
    def release(self) -> None: ...


@dataclass(frozen=True, slots=True)
class CaptureKind:
    """What all cameras of one kind have in common: how long they may take, and what is said of them."""

    opening_seconds: float
    bad_reads: int  # in a row: the camera is gone
    hangs: CameraSays  # an earlier read never came back
    dumb: CameraSays  # it does not open
    silent: CameraSays  # no picture for a while
    gone: CameraSays  # it gave pictures, and does no more


class CaptureCamera:
    """Keeps the newest picture of a capture; `frame` waits for one not yet handed out."""

    kind: CaptureKind

    def __init__(self, name: Statement, clock: Clock | None = None) -> None:
        self._name = name
        self._clock = clock or RealClock()
        self._arrived = threading.Condition()
        self._newest: Frame | None = None
        self._handed_out = 0
        self._trouble: Statement | None = None
        self._is_open = False
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def name(self) -> Statement:
        return self._name

    # --- what differs from kind to kind: all of it is called in the thread that reads ---------------------

    def _capture(self) -> Capture:
        raise NotImplementedError

    def _missing(self) -> CameraError:
        """Why it did not open."""
        raise NotImplementedError

    def _begin(self, capture: Capture) -> None:
        """It is open: how its pictures are wanted."""

    def _before_read(self, capture: Capture) -> None:
        """What others asked for is done here: a capture must not be used by two threads."""

    def _frame_of(self, image: Image, number: int, capture: Capture) -> Frame | None:  # noqa: ARG002
        """None for a picture that is not to be shown; CameraError if none after it will be."""
        return Frame(image, number, self._clock.now())

    # --- from other threads -------------------------------------------------------------------------------

    def open(self) -> None:
        if self._thread is not None and self._thread.is_alive():
            raise self._error(self.kind.hangs)
        self._stop, self._trouble, self._newest, self._is_open = threading.Event(), None, None, False
        self._handed_out = 0
        self._thread = threading.Thread(target=self._read, args=(self._stop,), name="capture", daemon=True)
        self._thread.start()
        with self._arrived:
            done = self._arrived.wait_for(lambda: self._is_open or self._trouble, self.kind.opening_seconds)
        if self._trouble or not done:
            self._stop.set()
            raise self._broken() or self._error(self.kind.dumb)

    def frame(self, timeout: float = 3.0) -> Frame:
        with self._arrived:
            self._arrived.wait_for(lambda: self._trouble or self._has_newer(), timeout)
            if broken := self._broken():
                raise broken
            if self._newest is None or not self._has_newer():
                raise self._error(self.kind.silent, seconds=timeout)
            self._handed_out = self._newest.number
            return self._newest

    def close(self) -> None:
        self._stop.set()
        if self._thread is not None:
            self._thread.join(CLOSING_SECONDS)

    def _error(self, what: CameraSays, **values: Value) -> CameraError:
        return CameraError(what, name=self.name, **values)

    def _broken(self) -> CameraError | None:
        """What the thread that reads has told; an error of this thread's own."""
        told = self._trouble
        return None if told is None else CameraError(told.kind, **told.values)

    def _has_newer(self) -> bool:
        return self._newest is not None and self._newest.number > self._handed_out

    # --- the thread ---------------------------------------------------------------------------------------

    def _read(self, stop: threading.Event) -> None:
        try:
            capture = self._capture()
        except CameraError as error:
            self._tell(error.statement)
            return
        try:
            if not capture.isOpened():
                raise self._missing()
            self._begin(capture)
            self._tell(None)
            self._keep_newest(capture, stop)
        except CameraError as error:
            self._tell(error.statement)
        finally:
            capture.release()

    def _keep_newest(self, capture: Capture, stop: threading.Event) -> None:
        number, bad = 0, 0
        while not stop.is_set():
            self._before_read(capture)
            good, image = capture.read()
            if not good or image is None:
                bad += 1
                if bad >= self.kind.bad_reads:
                    raise self._error(self.kind.gone)
                stop.wait(PAUSE_SECONDS)
                continue
            bad, number = 0, number + 1
            frame = self._frame_of(_as_bgr(image), number, capture)
            if frame is None:
                continue
            with self._arrived:
                self._newest = frame
                self._arrived.notify_all()

    def _tell(self, trouble: Statement | None) -> None:
        with self._arrived:
            self._is_open, self._trouble = trouble is None, trouble
            self._arrived.notify_all()


def quietly_opened(*what: object) -> Capture:
    """What goes wrong is told in sentences of ours; OpenCV would add lines of its own, then and later."""
    for place in (cv2, getattr(cv2.utils, "logging", None)):  # OpenCV 4 has it at the top, 5 among its tools
        change = getattr(place, "setLogLevel", None)
        if change is not None:
            change(SILENT)
            break
    return cast(Capture, cv2.VideoCapture(*what))  # type: ignore[call-overload, unused-ignore]


def _as_bgr(image: NDArray[np.uint8]) -> Image:
    """Grey cameras give one channel."""
    if image.ndim == 2 or image.shape[2] == 1:
        return cast(Image, cv2.cvtColor(image, cv2.COLOR_GRAY2BGR))
    return image
