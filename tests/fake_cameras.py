"""Cameras without a camera: a picamera2 and an OpenCV capture that act like real ones, and may hang."""

import threading
from collections.abc import Callable, Mapping
from types import ModuleType, SimpleNamespace
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cameras.clock import StepClock
from vision.cameras.picamera import PiCamera
from vision.cameras.usb import UsbCamera
from vision.image.arrays import Image
from vision.memory.calibration import CameraLock

LOCK = CameraLock(9000, 1.5, 2.0, 1.6)


def scene(seed: int = 1, size: tuple[int, int] = (64, 48)) -> Image:
    """A smooth coloured picture: chroma at half resolution keeps it."""
    random = np.random.default_rng(seed)
    small = random.integers(60, 200, (4, 4, 3)).astype(np.uint8)
    return cast(Image, cv2.resize(small, size, interpolation=cv2.INTER_CUBIC))


# a picamera2 that behaves like the real one: it changes formats, pads rows, and may hang


class FakePicamera2:
    """What picamera2.Picamera2 does, as far as it is used."""

    form = "YUV420"
    padding = 0
    has_lores = True
    hangs = False
    autofocus = True
    instances: list["FakePicamera2"]

    def __init__(self, number: int) -> None:
        if number > 0:
            raise IndexError("list index out of range")
        self.controls_set: dict[str, object] = {}
        self.streams: dict[str, Mapping[str, object] | None] = {}
        self.started = self.closed = False
        type(self).instances.append(self)

    @property
    def camera_controls(self) -> Mapping[str, object]:
        known = ["AeEnable", "AwbEnable", "ExposureTime", "AnalogueGain", "ColourGains"]
        return dict.fromkeys(known + ["LensPosition", "AfMode"] * self.autofocus, (0, 15, 1))

    @property
    def sensor_modes(self) -> object:
        raise AssertionError("reading sensor_modes fails on some boards")

    def create_video_configuration(self, **wanted: object) -> Mapping[str, object]:
        assert wanted["raw"] is None
        assert wanted["buffer_count"] in {2, 3}
        return wanted

    def configure(self, configuration: Mapping[str, Mapping[str, object]]) -> None:
        if "lores" in configuration and not self.has_lores:
            raise RuntimeError("lores stream not supported")
        self.streams = {"main": {"size": configuration["main"]["size"], "format": self.form}}
        if "lores" in configuration:
            self.streams["lores"] = {"size": configuration["lores"]["size"], "format": "YUV420"}

    def camera_configuration(self) -> Mapping[str, Mapping[str, object] | None]:
        return {"lores": None, **self.streams, "raw": None}

    def start(self) -> None:
        self.started = True

    def set_controls(self, controls: Mapping[str, object]) -> None:
        for name in controls:
            if name not in self.camera_controls:
                raise RuntimeError(f"Control {name} is not advertised by libcamera")
        self.controls_set |= controls

    def capture_array(self, name: str, *, wait: bool) -> Callable[[], object]:
        assert not wait
        values = self.streams[name]
        assert values is not None
        size = cast(tuple[int, int], values["size"])
        return lambda: memory(scene(size=size), str(values["format"]), self.padding)

    def capture_metadata(self, *, wait: bool) -> Callable[[], object]:
        assert not wait
        return lambda: {
            "ExposureTime": 9000,
            "AnalogueGain": 1.5,
            "ColourGains": (2.0, 1.6),
            "LensPosition": 2.9,
        }

    def wait(self, job: Callable[[], object], timeout: float) -> object:
        if self.hangs:
            raise TimeoutError
        return job()

    def stop(self) -> None:
        self.started = False

    def close(self) -> None:
        self.closed = True


def memory(picture: Image, form: str, padding: int) -> NDArray[np.uint8]:
    """A picture as libcamera lays it out in memory."""
    if form == "RGB888":
        return picture
    if form == "XBGR8888":
        return cast(Image, cv2.cvtColor(picture, cv2.COLOR_BGR2RGBA))
    if form == "BGR888":
        return cast(Image, cv2.cvtColor(picture, cv2.COLOR_BGR2RGB))
    planar = cast(Image, cv2.cvtColor(picture, cv2.COLOR_BGR2YUV_I420))
    height, width = picture.shape[:2]
    luma, chroma = planar[:height], planar[height:].reshape(2, height // 2, width // 2)
    wide = width + padding
    out = np.zeros((height * 3 // 2, wide), np.uint8)
    out[:height, :width] = luma
    if form == "NV12":
        out[height:, :width] = np.stack([chroma[0], chroma[1]], axis=-1).reshape(height // 2, width)
    else:
        planes = np.zeros((2, height // 2, wide // 2), np.uint8)
        planes[:, :, : width // 2] = chroma
        out[height:] = planes.reshape(height // 2, wide)
    return out


def pi_camera(**behaviour: object) -> tuple[PiCamera, list[FakePicamera2]]:
    instances: list[FakePicamera2] = []
    fake = type("Fake", (FakePicamera2,), {**behaviour, "instances": instances})
    module = cast(ModuleType, SimpleNamespace(Picamera2=fake))
    camera = PiCamera(0, (64, 48), load=lambda: module, clock=StepClock())
    return camera, instances


# a USB camera


class FakeCapture:
    """A cv2.VideoCapture whose reads are released one by one, or flow without end."""

    def __init__(self, opens: bool = True) -> None:
        self.opens = opens
        self.reads = threading.Semaphore(0)
        self.flows = False
        self.plugged = True
        self.ended = False
        self.properties: dict[int, float] = {}
        self.held = threading.Event()
        self.released = threading.Event()

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        return self.opens

    def read(self) -> tuple[bool, Image | None]:
        if not self.flows:
            self.reads.acquire()
        return (True, scene()) if self.plugged else (False, None)

    def get(self, prop: int) -> float:
        return self.properties.get(prop, 0.0)

    def set(self, prop: int, value: float) -> bool:
        self.properties[prop] = value
        if prop == cv2.CAP_PROP_WB_TEMPERATURE:
            self.held.set()
        return True

    def release(self) -> None:
        self.released.set()

    def go(self, count: int = 1) -> None:
        self.reads.release(count)

    def flow(self) -> None:
        """As a real one: a picture whenever somebody reads, however often that is."""
        self.flows = True
        self.reads.release()  # for a reader that waits already


def usb_camera(capture: FakeCapture) -> UsbCamera:
    return UsbCamera(make=lambda _: capture, clock=StepClock())
