"""A USB camera: how large its pictures are to be, and its exposure held."""

from collections.abc import Callable

import cv2

from boxlid.errors import Statement
from vision.cameras.camera import CameraError, CameraSays, CameraTitle
from vision.cameras.capture import Capture, CaptureCamera, CaptureKind, quietly_opened
from vision.cameras.clock import Clock
from vision.memory.calibration import CameraLock

MANUAL_EXPOSURE, AUTO_EXPOSURE = 1.0, 3.0  # V4L2's numbers for them
MICROSECONDS_A_STEP = 100  # V4L2 counts exposure in tenths of a millisecond


class UsbCamera(CaptureCamera):
    """The USB camera of that number; what it is asked to hold it holds also once opened again."""

    kind = CaptureKind(
        opening_seconds=8.0,  # some webcams take that long to wake up
        bad_reads=5,
        hangs=CameraSays.USB_HANGS,
        dumb=CameraSays.USB_DUMB,
        silent=CameraSays.SILENT,
        gone=CameraSays.USB_GONE,
    )

    def __init__(
        self,
        number: int = 0,
        size: tuple[int, int] = (1280, 720),
        make: Callable[[int], Capture] = quietly_opened,
        clock: Clock | None = None,
    ) -> None:
        super().__init__(Statement(CameraTitle.USB, {"number": number}), clock)
        self._which = number
        self._size = size
        self._make = make
        self._lock: CameraLock | None = None
        self._lock_set = False
        self._freed = False
        self._asked = False
        self._settings: CameraLock | None = None

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

    def open(self) -> None:
        self._lock_set = False
        super().open()

    # --- in the thread that reads -------------------------------------------------------------------------

    def _capture(self) -> Capture:
        return self._make(self._which)

    def _missing(self) -> CameraError:
        return CameraError(CameraSays.NO_USB_CAMERA, number=self._which)

    def _begin(self, capture: Capture) -> None:
        for prop, value in (
            (cv2.CAP_PROP_FRAME_WIDTH, self._size[0]),
            (cv2.CAP_PROP_FRAME_HEIGHT, self._size[1]),
            (cv2.CAP_PROP_BUFFERSIZE, 1),
        ):
            capture.set(prop, value)

    def _before_read(self, capture: Capture) -> None:
        with self._arrived:
            lock = None if self._lock_set else self._lock
            freed, self._freed = self._freed, False
            self._lock_set, asked = True, self._asked
        if freed:
            capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, AUTO_EXPOSURE)
            capture.set(cv2.CAP_PROP_AUTO_WB, 1.0)
        if lock is not None:
            _hold(capture, lock)
        if asked:
            found = _settings_of(capture)
            with self._arrived:
                self._settings, self._asked = found, False
                self._arrived.notify_all()


def _hold(capture: Capture, lock: CameraLock) -> None:
    for prop, value in (
        (cv2.CAP_PROP_AUTO_EXPOSURE, MANUAL_EXPOSURE),
        (cv2.CAP_PROP_EXPOSURE, lock.exposure_microseconds / MICROSECONDS_A_STEP),
        (cv2.CAP_PROP_GAIN, lock.gain),
        (cv2.CAP_PROP_AUTO_WB, 0.0),
        (cv2.CAP_PROP_WB_TEMPERATURE, lock.kelvin or 0.0),
    ):
        if value or prop == cv2.CAP_PROP_AUTO_WB:  # zero is what a camera without it tells
            capture.set(prop, value)


def _settings_of(capture: Capture) -> CameraLock | None:
    exposure, gain, kelvin = (
        capture.get(prop) for prop in (cv2.CAP_PROP_EXPOSURE, cv2.CAP_PROP_GAIN, cv2.CAP_PROP_WB_TEMPERATURE)
    )
    if exposure <= 0:
        return None
    return CameraLock(
        round(exposure * MICROSECONDS_A_STEP), max(0.0, gain), 1.0, 1.0, kelvin=kelvin if kelvin > 0 else None
    )
