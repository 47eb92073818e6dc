"""The watch over a camera: what fails is noticed, said, and found again; its pictures are in time."""

import math
import threading
from types import ModuleType, SimpleNamespace
from typing import cast

import pytest

from tests.fake_cameras import LOCK, FakePicamera2, pi_camera, scene
from tests.waiting import PATIENCE
from tests.wording import refused, said
from vision.cameras import watch
from vision.cameras.camera import Camera, CameraError, CameraSays, Frame
from vision.cameras.clock import StepClock
from vision.cameras.picamera import PiCamera, glance_size
from vision.cameras.watch import CameraState, Sight, WatchedCamera, small_grey
from vision.memory.calibration import CameraLock
from vision.simulation.table import Fault, SimulatedCamera, SimulatedTable


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
    assert says in said(watched.states[-1].says)
    with refused(CameraError, match=says):
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
        raise CameraError(CameraSays.NOT_CLOSED, name="it")

    monkeypatch.setattr(SimulatedCamera, "close", hangs)
    watched.table.begin(Fault.UNPLUGGED)
    watched.until(Sight.MISSING)
    assert watched.camera.state.stuck
    assert "restart" in said(watched.camera.state.says)


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
            raise CameraError(CameraSays.NO_USB_CAMERA, number=0)
        return SimulatedCamera(table)

    good = threading.Event()
    watched = WatchedCamera(make, on_change=lambda state: good.set() if state.is_good else None)
    watched.open()
    assert asked.wait(PATIENCE)
    plugged.set()
    assert good.wait(PATIENCE)
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


class StillStream:
    """A camera in the network whose encoder repeats the picture of a table on which nothing moves."""

    name, delay, sends = "network camera cam.local", 0.5, None

    def __init__(self, clock: StepClock) -> None:
        self._clock = clock

    def open(self) -> None: ...

    def frame(self, timeout: float = 3.0) -> Frame:
        self._clock.wait(0.5)
        return Frame(scene(), 1, self._clock.now())

    def close(self) -> None: ...


def test_a_stream_in_which_nothing_moves_is_frozen_only_after_what_an_encoder_may_repeat() -> None:
    clock = StepClock()
    watched = WatchedCamera(lambda: StillStream(clock), clock)
    while clock.now() < watch.STILL_STREAM - 1:
        watched.step()
        assert watched.state.sight is not Sight.FROZEN
    while clock.now() < watch.STILL_STREAM + 3:
        watched.step()
    assert watched.state.sight is Sight.FROZEN
