"""A USB camera gives its newest picture, holds its exposure, and stops nobody when it hangs."""

import cv2
import pytest

from tests.fake_cameras import FakeCapture, usb_camera
from tests.waiting import PATIENCE
from tests.wording import refused
from vision.cameras.camera import CameraError
from vision.cameras.clock import StepClock
from vision.cameras.usb import AUTO_EXPOSURE, MANUAL_EXPOSURE, UsbCamera
from vision.memory.calibration import CameraLock


def test_a_usb_camera_gives_its_newest_picture_and_never_the_same_twice() -> None:
    capture = FakeCapture()
    camera = usb_camera(capture)
    camera.open()
    capture.go()
    assert camera.frame(5).number == 1
    with refused(CameraError, match="no picture"):
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
    with refused(CameraError, match="unplugged"):
        camera.frame(5)
    assert capture.released.wait(PATIENCE)


def test_no_usb_camera_says_so() -> None:
    with refused(CameraError, match="plug one in"):
        usb_camera(FakeCapture(opens=False)).open()


def test_a_usb_read_that_hangs_stops_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.cameras.capture.CLOSING_SECONDS", 0.05)
    capture = FakeCapture()
    camera = usb_camera(capture)
    camera.open()
    with refused(CameraError, match="no picture"):
        camera.frame(timeout=0.05)
    camera.close()
    with refused(CameraError, match="still hangs"):
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
        assert capture.held.wait(PATIENCE)
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
    assert capture.held.wait(PATIENCE)
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
