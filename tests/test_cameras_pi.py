"""A Pi camera, whatever its driver gives or does, and what it says where there is none."""

import threading
from types import ModuleType, SimpleNamespace
from typing import cast

import numpy as np
import pytest

from tests.fake_cameras import FakePicamera2, pi_camera, scene
from tests.wording import refused
from vision.cameras.camera import CameraError
from vision.cameras.picamera import PiCamera
from vision.memory.calibration import CameraLock


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
    with refused(CameraError, match="MJPEG"):
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
    with refused(CameraError, match=r"no picture for 0\.5 s: check its cable"):
        camera.frame(timeout=0.5)


def test_a_driver_that_hangs_while_closing_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.cameras.picamera.CLOSING_SECONDS", 0.05)
    camera, instances = pi_camera()
    camera.open()
    never = threading.Event()
    monkeypatch.setattr(instances[0], "stop", lambda: never.wait(20))
    with refused(CameraError, match="restart the companion"):
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

    with refused(CameraError, match="install python3-picamera2"):
        PiCamera(load=no_module).open()
    module = cast(ModuleType, SimpleNamespace(Picamera2=FakePicamera2))
    with refused(CameraError, match="ribbon cable"):
        PiCamera(3, load=lambda: module).open()
    with refused(CameraError, match="closed"):
        PiCamera().frame()
