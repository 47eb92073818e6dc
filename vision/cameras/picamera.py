"""A Raspberry Pi camera through picamera2, loaded only when it is opened; every capture ends in time."""

import importlib
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Protocol, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from boxlid.errors import Statement
from vision.cameras.camera import CameraError, CameraSays, CameraTitle, Frame
from vision.cameras.clock import Clock, RealClock
from vision.image.arrays import Image
from vision.memory.calibration import CameraLock

BUFFERS = 3
GLANCE_WIDTH = 320
FRAME_MICROSECONDS = (66_000, 200_000)  # at most 15 pictures a second, down to 5 in the dark
CLOSING_SECONDS = 3.0
MANUAL_FOCUS, CONTINUOUS_FOCUS = 0, 2  # libcamera's AfMode
FAULTS = (RuntimeError, ValueError, OSError, IndexError, KeyError)  # what picamera2 raises for a bad camera

# what turns a format into BGR; libcamera names them by the word, so RGB888 lies in memory as B, G, R
CONVERSIONS: dict[str, int | None] = {
    "RGB888": None,
    "BGR888": cv2.COLOR_RGB2BGR,
    "XRGB8888": cv2.COLOR_BGRA2BGR,
    "XBGR8888": cv2.COLOR_RGBA2BGR,
    "YUV420": cv2.COLOR_YUV2BGR_I420,
    "YVU420": cv2.COLOR_YUV2BGR_YV12,
    "NV12": cv2.COLOR_YUV2BGR_NV12,
    "NV21": cv2.COLOR_YUV2BGR_NV21,
    "YUYV": cv2.COLOR_YUV2BGR_YUYV,
}
PLANAR = {"YUV420", "YVU420", "NV12", "NV21"}


class Driver(Protocol):
    """What is used of picamera2.Picamera2. Never its sensor_modes: reading them fails on some boards."""

    @property
    def camera_controls(self) -> Mapping[str, object]: ...
    def create_video_configuration(self, **wanted: object) -> object: ...
    def configure(self, configuration: object) -> None: ...
    def camera_configuration(self) -> Mapping[str, Mapping[str, object] | None]: ...
    def start(self) -> None: ...
    def set_controls(self, controls: Mapping[str, object]) -> None: ...
    def capture_array(self, name: str, *, wait: bool) -> object: ...
    def capture_metadata(self, *, wait: bool) -> object: ...
    def wait(self, job: object, timeout: float) -> object: ...
    def stop(self) -> None: ...
    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Stream:
    """A stream as the driver really set it up, whatever was asked."""

    form: str
    width: int
    height: int

    def picture(self, array: NDArray[np.uint8]) -> Image:
        """The driver's array as a BGR picture; rows may be longer than the picture is wide."""
        conversion = CONVERSIONS[self.form]
        if self.form in PLANAR:
            array = np.ascontiguousarray(array.reshape(self.height * 3 // 2, -1))
        picture = array if conversion is None else cast(Image, cv2.cvtColor(array, conversion))
        return np.ascontiguousarray(picture[: self.height, : self.width])

    def grey(self, array: NDArray[np.uint8]) -> Image:
        """The same in grey: the first plane as it is, where there is one."""
        if self.form in PLANAR:
            return np.ascontiguousarray(array[: self.height, : self.width])
        return cast(Image, cv2.cvtColor(self.picture(array), cv2.COLOR_BGR2GRAY))


def load_picamera2() -> ModuleType:
    """picamera2, then cv2, in this order and before a camera opens: otherwise no picture may ever arrive."""
    module = importlib.import_module("picamera2")
    importlib.import_module("cv2")
    return module


class PiCamera:
    """The camera on a Pi's ribbon cable."""

    def __init__(
        self,
        number: int = 0,
        size: tuple[int, int] = (1280, 720),
        lens_position: float | None = None,
        load: Callable[[], ModuleType] = load_picamera2,
        clock: Clock | None = None,
    ) -> None:
        self._which = number
        self._size = size
        self._lens_position = lens_position
        self._load = load
        self._clock = clock or RealClock()
        self._lock: CameraLock | None = None
        self._driver: Driver | None = None
        self._streams: dict[str, Stream] = {}
        self._number = 0

    @property
    def name(self) -> Statement:
        return Statement(CameraTitle.PI, {"number": self._which})

    def open(self) -> None:
        try:
            module = self._load()
        except ImportError as error:
            raise CameraError(CameraSays.NO_PICAMERA2, why=str(error)) from error
        try:
            self._driver = cast(Driver, module.Picamera2(self._which))
        except FAULTS as error:
            why = _short(error)
            raise CameraError(CameraSays.NO_PI_CAMERA, number=self._which, why=why) from error
        try:
            self._configure(self._driver)
        except FAULTS as error:
            self.close()
            raise CameraError(CameraSays.NOT_SET_UP, name=self.name, why=_short(error)) from error

    def _configure(self, driver: Driver) -> None:
        main: dict[str, object] = {"size": self._size, "format": "YUV420"}
        common = {"main": main, "raw": None, "buffer_count": BUFFERS}
        common["controls"] = {"FrameDurationLimits": FRAME_MICROSECONDS}
        try:
            lores = {"size": glance_size(*self._size), "format": "YUV420"}
            driver.configure(driver.create_video_configuration(lores=lores, **common))
        except FAULTS:  # some cameras have one stream only
            common.pop("controls")
            driver.configure(driver.create_video_configuration(**common))
        got = driver.camera_configuration()
        self._streams = {name: _stream(values) for name in ("main", "lores") if (values := got.get(name))}
        driver.start()
        focus = self._focus(driver)
        if focus:
            driver.set_controls(focus)
        if self._lock is not None:
            self.lock(self._lock)

    def _focus(self, driver: Driver) -> Mapping[str, object]:
        if "LensPosition" not in driver.camera_controls:
            return {}
        if self._lens_position is None:
            return {"AfMode": CONTINUOUS_FOCUS}
        return {"AfMode": MANUAL_FOCUS, "LensPosition": self._lens_position}

    def frame(self, timeout: float = 3.0) -> Frame:
        array = self._capture("main", timeout)
        self._number += 1
        return Frame(self._streams["main"].picture(array), self._number, self._clock.now())

    def glance(self, timeout: float = 3.0) -> Image:
        """A small grey picture to watch for motion; costs next to nothing."""
        name = "lores" if "lores" in self._streams else "main"
        return self._streams[name].grey(self._capture(name, timeout))

    def settings(self, timeout: float = 3.0) -> CameraLock | None:
        """Exposure and white balance as the camera has them now."""
        driver = self._opened()
        found = self._wait(driver.capture_metadata(wait=False), timeout)
        values = cast(Mapping[str, object], found)
        gains = values.get("ColourGains")
        exposure, gain = values.get("ExposureTime"), values.get("AnalogueGain")
        if not isinstance(gains, tuple | list) or not isinstance(exposure, int | float):
            return None
        lens = values.get("LensPosition")
        return CameraLock(
            int(exposure),
            float(gain) if isinstance(gain, int | float) else 1.0,
            float(gains[0]),
            float(gains[1]),
            float(lens) if isinstance(lens, int | float) else None,
        )

    def lock(self, lock: CameraLock | None) -> None:
        """Hold exposure and white balance, kept when the camera is opened again; None: automatic again."""
        self._lock = lock
        if self._driver is None:
            return
        controls: dict[str, object]
        if lock is None:
            controls = {"AeEnable": True, "AwbEnable": True, **self._focus(self._driver)}
        else:
            controls = {
                "AeEnable": False,
                "AwbEnable": False,
                "ExposureTime": lock.exposure_microseconds,
                "AnalogueGain": lock.gain,
                "ColourGains": (lock.red_gain, lock.blue_gain),
            }
        if lock is not None and lock.lens_position is not None:
            controls |= {"AfMode": MANUAL_FOCUS, "LensPosition": lock.lens_position}
        known = self._driver.camera_controls  # a camera refuses all if one is not its own
        self._driver.set_controls({name: value for name, value in controls.items() if name in known})

    def close(self) -> None:
        """Let go of the camera; a driver that hangs in `stop` is left behind after three seconds."""
        driver, self._driver = self._driver, None
        if driver is None:
            return
        thread = threading.Thread(target=_shut, args=(driver,), name="closing the camera", daemon=True)
        thread.start()
        thread.join(CLOSING_SECONDS)
        if thread.is_alive():
            raise CameraError(CameraSays.NOT_CLOSED, name=self.name)

    def _opened(self) -> Driver:
        if self._driver is None:
            raise CameraError(CameraSays.CLOSED, name=self.name)
        return self._driver

    def _capture(self, name: str, timeout: float) -> NDArray[np.uint8]:
        job = self._opened().capture_array(name, wait=False)
        return cast(NDArray[np.uint8], self._wait(job, timeout))

    def _wait(self, job: object, timeout: float) -> object:
        try:
            return self._opened().wait(job, timeout=timeout)
        except TimeoutError as error:
            raise CameraError(CameraSays.SILENT, name=self.name, seconds=timeout) from error
        except FAULTS as error:
            raise CameraError(CameraSays.FAILED, name=self.name, why=_short(error)) from error


def _stream(values: Mapping[str, object]) -> Stream:
    """The stream as it was really set up; RuntimeError for a format nobody can turn into a picture."""
    form, size = str(values["format"]), cast(tuple[int, int], values["size"])
    if form not in CONVERSIONS:
        raise RuntimeError(f"it gives {form} pictures, known are {', '.join(CONVERSIONS)}")
    return Stream(form, int(size[0]), int(size[1]))


def glance_size(width: int, height: int) -> tuple[int, int]:
    """Small, and of the same shape as the picture: the lid is at the same place in both."""
    return GLANCE_WIDTH, GLANCE_WIDTH * height // width // 2 * 2


def _shut(driver: Driver) -> None:
    try:
        driver.stop()
        driver.close()
    except FAULTS:
        return  # it is gone: there is nothing left to close


def _short(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:100]
