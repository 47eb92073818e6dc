"""Which camera a setting means: each kind is named, opened, and says in one sentence why it does not."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.fake_cameras import pi_camera, scene
from tests.wording import refused
from vision.cameras.camera import CameraError
from vision.cameras.choice import AnyCamera, CameraSetting, CameraSettingError, camera_for, open_camera
from vision.cameras.clock import StepClock
from vision.cameras.folder import FolderCamera
from vision.cameras.kinds import CameraKind

# a folder


def test_a_folder_shows_its_pictures_by_name_over_and_over(tmp_path: Path) -> None:
    for name, grey in (("b.png", 200), ("a.png", 100)):
        cv2.imwrite(str(tmp_path / name), np.full((8, 8, 3), grey, np.uint8))
    (tmp_path / "notes.txt").write_text("no picture")
    camera = FolderCamera(tmp_path, clock=StepClock())
    camera.open()
    assert [int(camera.frame().image[0, 0, 0]) for _ in range(3)] == [100, 200, 100]


def test_a_folder_without_pictures_says_so(tmp_path: Path) -> None:
    with refused(CameraError, match="put JPEG or PNG files there"):
        FolderCamera(tmp_path).open()
    with refused(CameraError, match="No such file"):
        FolderCamera(tmp_path / "none").open()
    (tmp_path / "a.jpg").write_bytes(b"no picture")
    camera = FolderCamera(tmp_path, clock=StepClock())
    camera.open()
    with refused(CameraError, match="is no picture"):
        camera.frame()


# settings


@pytest.mark.parametrize(
    "text", ["auto", "picamera", "picamera:1", "usb:2", "folder:/some/place", "simulated", "simulated:round"]
)
def test_a_setting_is_read_and_written_the_same(text: str) -> None:
    setting = CameraSetting.parse(text)
    assert str(setting) == text
    assert camera_for(setting).name


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("webcam", "none of auto"),
        ("usb:x", "a number"),
        ("folder", "the folder"),
        ("simulated:oval", "lid, round, hexagon"),
    ],
)
def test_a_bad_setting_says_what_is_allowed(text: str, says: str) -> None:
    with refused(CameraSettingError, match=says):
        CameraSetting.parse(text)


def test_the_first_camera_that_opens_is_taken(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), scene())
    missing, there = pi_camera(hangs=True)[0], FolderCamera(tmp_path, clock=StepClock())
    none = FolderCamera(tmp_path / "none")
    found = AnyCamera((lambda: none, lambda: there, lambda: missing))
    found.open()
    assert str(found.name).startswith("camera_title.folder")
    assert found.frame().number == 1
    with refused(CameraError, match="no camera found: cannot look into"):
        AnyCamera((lambda: none,)).open()


def test_the_simulated_camera_opens_by_its_setting() -> None:
    camera = open_camera(CameraSetting(CameraKind.SIMULATED, size=(640, 360)))
    assert camera.frame().image.shape == (360, 640, 3)
