"""Cameras of every kind open, give pictures in time, and say in one sentence why they do not."""

import math
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import cast

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.calibration import CameraLock
from vision.camera import Camera, CameraError, Frame, Image
from vision.cameras import AnyCamera, CameraKind, CameraSetting, camera_for, open_camera, watch
from vision.cameras.folder import FolderCamera
from vision.cameras.picamera import PiCamera, glance_size
from vision.cameras.usb import AUTO_EXPOSURE, MANUAL_EXPOSURE, UsbCamera
from vision.cameras.watch import CameraState, Sight, WatchedCamera, small_grey
from vision.clock import StepClock
from vision.simulated import Fault, SimulatedCamera, SimulatedTable

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


@pytest.mark.parametrize("form", ["YUV420", "NV12", "RGB888", "BGR888", "XBGR8888"])
@pytest.mark.parametrize("padding", [0, 32])
def test_whatever_format_the_driver_really_gives_becomes_the_same_picture(form: str, padding: int) -> None:
    camera, _ = pi_camera(form=form, padding=padding)
    camera.open()
    frame = camera.frame()
    assert frame.image.shape == (48, 64, 3)
    assert np.abs(frame.image.astype(int) - scene().astype(int)).mean() < 4


def test_a_format_nobody_knows_is_refused_and_the_camera_let_go() -> None:
    camera, instances = pi_camera(form="MJPEG")
    with pytest.raises(CameraError, match="MJPEG"):
        camera.open()
    assert instances[0].closed


@pytest.mark.parametrize("has_lores", [True, False])
def test_a_glance_is_small_and_grey_where_the_camera_can(has_lores: bool) -> None:
    camera, _ = pi_camera(has_lores=has_lores)
    camera.open()
    assert camera.glance().shape == ((240, 320) if has_lores else (48, 64))


def test_a_capture_that_hangs_ends_in_time_and_says_so() -> None:
    camera, instances = pi_camera()
    camera.open()
    instances[0].hangs = True
    with pytest.raises(CameraError, match=r"no picture for 0\.5 s: check its cable"):
        camera.frame(timeout=0.5)


def test_a_driver_that_hangs_while_closing_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.cameras.picamera.CLOSING_SECONDS", 0.05)
    camera, instances = pi_camera()
    camera.open()
    never = threading.Event()
    monkeypatch.setattr(instances[0], "stop", lambda: never.wait(20))
    with pytest.raises(CameraError, match="restart the companion"):
        camera.close()
    never.set()


def test_exposure_white_balance_and_focus_are_held_also_after_reopening() -> None:
    camera, instances = pi_camera()
    camera.open()
    assert instances[0].controls_set["AfMode"] == 2
    settings = camera.settings()
    assert settings == CameraLock(9000, 1.5, 2.0, 1.6, 2.9)
    camera.lock(settings)
    camera.close()
    assert instances[0].closed
    camera.open()
    held = instances[1].controls_set
    assert (held["AeEnable"], held["AwbEnable"], held["AfMode"]) == (False, False, 0)
    assert (held["ExposureTime"], held["ColourGains"], held["LensPosition"]) == (9000, (2.0, 1.6), 2.9)
    camera.lock(None)
    assert (held["AeEnable"], held["AwbEnable"], held["AfMode"]) == (True, True, 2)


def test_a_camera_without_autofocus_is_asked_for_none() -> None:
    camera, instances = pi_camera(autofocus=False)
    camera.open()
    camera.lock(CameraLock(9000, 1.5, 2.0, 1.6, 2.9))
    assert "AfMode" not in instances[0].controls_set


def test_a_missing_pi_camera_says_what_to_do() -> None:
    def no_module() -> ModuleType:
        raise ImportError("No module named 'picamera2'")

    with pytest.raises(CameraError, match="install python3-picamera2"):
        PiCamera(load=no_module).open()
    module = cast(ModuleType, SimpleNamespace(Picamera2=FakePicamera2))
    with pytest.raises(CameraError, match="ribbon cable"):
        PiCamera(3, load=lambda: module).open()
    with pytest.raises(CameraError, match="closed"):
        PiCamera().frame()


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


def test_a_usb_camera_gives_its_newest_picture_and_never_the_same_twice() -> None:
    capture = FakeCapture()
    camera = usb_camera(capture)
    camera.open()
    capture.go()
    assert camera.frame(5).number == 1
    with pytest.raises(CameraError, match="no picture"):
        camera.frame(timeout=0.05)
    capture.go(3)
    assert camera.frame(5).number >= 2
    capture.go(10)
    camera.close()
    assert capture.released.is_set()


def test_a_usb_camera_pulled_out_says_so() -> None:
    capture = FakeCapture()
    camera = usb_camera(capture)
    camera.open()
    capture.plugged = False
    capture.go(20)
    with pytest.raises(CameraError, match="unplugged"):
        camera.frame(5)
    assert capture.released.wait(5)


def test_no_usb_camera_says_so() -> None:
    with pytest.raises(CameraError, match="plug one in"):
        usb_camera(FakeCapture(opens=False)).open()


def test_a_usb_read_that_hangs_stops_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.cameras.usb.CLOSING_SECONDS", 0.05)
    capture = FakeCapture()
    camera = usb_camera(capture)
    camera.open()
    with pytest.raises(CameraError, match="no picture"):
        camera.frame(timeout=0.05)
    camera.close()
    with pytest.raises(CameraError, match="still hangs"):
        camera.open()
    capture.go(2)


def test_a_usb_camera_tells_and_holds_its_exposure_also_after_reopening() -> None:
    captures = [FakeCapture(), FakeCapture()]
    captures[0].properties = {cv2.CAP_PROP_EXPOSURE: 120.0, cv2.CAP_PROP_WB_TEMPERATURE: 4000.0}
    opened = iter(captures)
    camera = UsbCamera(make=lambda _: next(opened), clock=StepClock())
    camera.open()
    captures[0].flow()
    settings = camera.settings(5)
    assert settings == CameraLock(12000, 0.0, 1.0, 1.0, kelvin=4000.0)
    camera.lock(settings)
    for capture in captures:
        capture.flow()
        assert capture.held.wait(5)
        assert capture.properties[cv2.CAP_PROP_AUTO_WB] == 0
        camera.close()
        if capture is captures[0]:
            camera.open()
    assert captures[1].properties[cv2.CAP_PROP_EXPOSURE] == 120
    assert captures[1].properties[cv2.CAP_PROP_WB_TEMPERATURE] == 4000


def test_a_usb_camera_that_was_held_is_automatic_again_when_it_is_let_go() -> None:
    capture = FakeCapture()
    camera = usb_camera(capture)
    camera.open()
    capture.flow()
    camera.lock(CameraLock(12000, 0.0, 1.0, 1.0, kelvin=4000.0))
    assert capture.held.wait(5)
    assert capture.properties[cv2.CAP_PROP_AUTO_EXPOSURE] == MANUAL_EXPOSURE
    camera.lock(None)
    camera.settings(5)  # two rounds of its thread
    camera.settings(5)
    assert capture.properties[cv2.CAP_PROP_AUTO_EXPOSURE] == AUTO_EXPOSURE
    assert capture.properties[cv2.CAP_PROP_AUTO_WB] == 1
    camera.close()


def test_a_usb_camera_that_tells_no_exposure_has_no_settings() -> None:
    capture = FakeCapture()
    camera = usb_camera(capture)
    camera.open()
    capture.flow()
    assert camera.settings(5) is None
    camera.close()


# a folder


def test_a_folder_shows_its_pictures_by_name_over_and_over(tmp_path: Path) -> None:
    for name, grey in (("b.png", 200), ("a.png", 100)):
        cv2.imwrite(str(tmp_path / name), np.full((8, 8, 3), grey, np.uint8))
    (tmp_path / "notes.txt").write_text("no picture")
    camera = FolderCamera(tmp_path, clock=StepClock())
    camera.open()
    assert [int(camera.frame().image[0, 0, 0]) for _ in range(3)] == [100, 200, 100]


def test_a_folder_without_pictures_says_so(tmp_path: Path) -> None:
    with pytest.raises(CameraError, match="put JPEG or PNG files there"):
        FolderCamera(tmp_path).open()
    with pytest.raises(CameraError, match="No such file"):
        FolderCamera(tmp_path / "none").open()
    (tmp_path / "a.jpg").write_bytes(b"no picture")
    camera = FolderCamera(tmp_path, clock=StepClock())
    camera.open()
    with pytest.raises(CameraError, match="is no picture"):
        camera.frame()


# settings


@pytest.mark.parametrize(
    "text", ["auto", "picamera", "picamera:1", "usb:2", "folder:/some/place", "simulated"]
)
def test_a_setting_is_read_and_written_the_same(text: str) -> None:
    setting = CameraSetting.parse(text)
    assert str(setting) == text
    assert camera_for(setting).name


@pytest.mark.parametrize(
    ("text", "says"), [("webcam", "none of auto"), ("usb:x", "a number"), ("folder", "the folder")]
)
def test_a_bad_setting_says_what_is_allowed(text: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        CameraSetting.parse(text)


def test_the_first_camera_that_opens_is_taken(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), scene())
    missing, there = pi_camera(hangs=True)[0], FolderCamera(tmp_path, clock=StepClock())
    none = FolderCamera(tmp_path / "none")
    found = AnyCamera((lambda: none, lambda: there, lambda: missing))
    found.open()
    assert found.name.startswith("pictures in")
    assert found.frame().number == 1
    with pytest.raises(CameraError, match="no camera found: cannot look into"):
        AnyCamera((lambda: none,)).open()


def test_the_simulated_camera_opens_by_its_setting() -> None:
    camera = open_camera(CameraSetting(CameraKind.SIMULATED, size=(640, 360)))
    assert camera.frame().image.shape == (360, 640, 3)


# the watch


class Watched:
    """A watched simulated camera on a clock that only moves when somebody waits."""

    def __init__(self) -> None:
        self.clock = StepClock()
        self.table = SimulatedTable(clock=self.clock, size=(256, 192))
        self.states: list[CameraState] = []
        self.camera = WatchedCamera(lambda: SimulatedCamera(self.table), self.clock, self.states.append)
        self.camera.frame()

    def until(self, sight: Sight) -> float:
        """Seconds until the state is told."""
        start = self.clock.now()
        while self.camera.state.sight is not sight:
            assert self.clock.now() - start < 10, f"never {sight}"
            self.camera.step()
        return self.clock.now() - start


@pytest.mark.parametrize(
    ("fault", "sight", "says"),
    [
        (Fault.UNPLUGGED, Sight.MISSING, "unplugged"),
        (Fault.BLACK, Sight.BLACK, "uncover the lens"),
        (Fault.BLINDED, Sight.BLINDED, "turn the lamp away"),
        (Fault.FROZEN, Sight.FROZEN, "same picture"),
    ],
)
def test_a_camera_that_fails_is_noticed_within_three_seconds_and_found_again(
    fault: Fault, sight: Sight, says: str
) -> None:
    watched = Watched()
    assert watched.camera.state.is_good
    watched.table.begin(fault)
    assert watched.until(sight) <= 3
    assert says in watched.states[-1].text
    with pytest.raises(CameraError, match=says):
        watched.camera.frame(0.5)
    watched.table.end(fault)
    assert watched.until(Sight.GOOD) <= 3
    assert watched.camera.frame().image.mean() > 20


def test_a_short_flash_or_a_long_still_life_is_no_fault() -> None:
    watched = Watched()
    watched.table.begin(Fault.BLINDED)
    for _ in range(5):
        watched.camera.step()
    watched.table.end(Fault.BLINDED)
    for _ in range(200):
        watched.camera.step()
    assert [state.sight for state in watched.states] == [Sight.GOOD]


def test_a_picture_is_never_older_than_the_wish_for_it() -> None:
    watched = Watched()
    asked = watched.clock.now()
    assert watched.camera.frame().taken >= asked
    assert watched.camera.glance().taken >= asked
    assert watched.camera.glance().image.ndim == 2


def test_a_camera_that_cannot_be_closed_asks_for_a_new_process(monkeypatch: pytest.MonkeyPatch) -> None:
    watched = Watched()

    def hangs(_: SimulatedCamera) -> None:
        raise CameraError("it hangs: restart the companion")

    monkeypatch.setattr(SimulatedCamera, "close", hangs)
    watched.table.begin(Fault.UNPLUGGED)
    watched.until(Sight.MISSING)
    assert watched.camera.state.stuck
    assert "restart" in watched.camera.state.text


def test_what_was_locked_is_locked_again_when_the_camera_comes_back() -> None:
    instances: list[FakePicamera2] = []
    fake = type("Fake", (FakePicamera2,), {"instances": instances})
    module = cast(ModuleType, SimpleNamespace(Picamera2=fake))
    clock = StepClock()

    def make() -> Camera:
        return PiCamera(0, (64, 48), load=lambda: module, clock=clock)

    watched = WatchedCamera(make, clock)
    watched.step()
    watched.hold(LOCK)
    instances[0].hangs = True
    watched.step()
    clock.wait(2)
    watched.step()
    assert [fake.controls_set.get("ExposureTime") for fake in instances] == [9000, 9000]
    assert watched.settings() == CameraLock(9000, 1.5, 2.0, 1.6, 2.9)


def test_in_its_thread_the_watch_finds_a_camera_that_comes_late() -> None:
    plugged = threading.Event()
    asked = threading.Event()
    table = SimulatedTable(size=(256, 192))

    def make() -> Camera:
        asked.set()
        if not plugged.is_set():
            raise CameraError("no camera yet: plug one in")
        return SimulatedCamera(table)

    good = threading.Event()
    watched = WatchedCamera(make, on_change=lambda state: good.set() if state.is_good else None)
    watched.open()
    assert asked.wait(5)
    plugged.set()
    assert good.wait(10)
    assert isinstance(watched.frame(5), Frame)
    watched.close()


def test_a_wish_for_a_picture_wakes_a_watch_that_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "IDLE_PACE", 60.0)
    table = SimulatedTable(size=(256, 192))
    watched = WatchedCamera(lambda: SimulatedCamera(table))
    watched.open()
    assert watched.glance(10).image.ndim == 2
    first = watched.frame(5)
    assert watched.frame(5, math.nextafter(first.taken, math.inf)).number > first.number
    watched.close()


def test_a_picture_at_hand_is_given_again_if_it_is_new_enough() -> None:
    watched = Watched()
    first = watched.camera.frame()
    assert watched.camera.frame(since=first.taken) is first
    assert watched.camera.newest is not None
    assert watched.camera.newest.taken == first.taken


def test_glances_of_a_camera_with_small_pictures_never_come_from_its_full_ones() -> None:
    """Scaled otherwise, one after the other would look as if something had moved."""
    clock = StepClock()
    camera, _ = pi_camera()
    camera._clock = clock
    watched = WatchedCamera(lambda: camera, clock)
    before = watched.glance()
    watched.frame()
    assert watched.newest is before
    assert watched.glance().image.shape == before.image.shape


def test_a_glance_has_the_shape_of_the_picture() -> None:
    assert glance_size(1280, 720) == (320, 180)
    assert glance_size(1024, 768) == (320, 240)


def test_a_glance_is_small() -> None:
    assert small_grey(scene(size=(1280, 720))).shape == (180, 320)
    assert small_grey(scene(size=(64, 48))).shape == (48, 64)
