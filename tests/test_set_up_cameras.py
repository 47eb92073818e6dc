"""The cameras to choose from in the set-up: a picture of each, one by its address, the choice kept."""

import json
import stat
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from companion.host import Host, Options
from companion.host.set_up.cameras import FRESH_SECONDS, Previews
from companion.host.set_up.progress import FILE, FOLDER
from companion.settings.config import CameraConfig, Config
from companion.settings.state_folder import CAMERA_CREDENTIALS
from companion.view.setting_up import ChooseCamera, ChooseLanguage, SetUpFault, SetUpRefused, UseAddress
from tests import wording
from tests.setting_up import PAGE, Bench, bench, do
from tests.streams import mjpeg_server
from tests.waiting import until
from vision.cameras.address import StreamAddress
from vision.cameras.camera import CameraError, CameraSays, Frame
from vision.cameras.choice import CameraSetting, camera_for
from vision.cameras.found import FoundCamera
from vision.cameras.kinds import CameraKind
from vision.cameras.network import NetworkCamera, title_of

TYPED = "rtsp://anna:s3cret@192.168.1.20:8554/live?token=hidden"
FOUND = (FoundCamera("picamera:0", "imx708"), FoundCamera("usb:0", "A webcam"))


class OneAfterTheOther:
    """Cameras that are counted while they are open."""

    def __init__(self) -> None:
        self.opened: list[str] = []
        self.open_now = 0
        self.most = 0

    def make(self, setting: CameraSetting) -> "Counted":
        return Counted(self, str(setting))


class Counted:
    def __init__(self, all_of_them: OneAfterTheOther, name: str) -> None:
        self._all = all_of_them
        self.name = name

    def open(self) -> None:
        self._all.opened.append(self.name)
        self._all.open_now += 1
        self._all.most = max(self._all.most, self._all.open_now)
        if self.name == "usb:9":
            raise CameraError(CameraSays.NO_USB_CAMERA, number=9)

    def frame(self, timeout: float = 3.0) -> Frame:
        return Frame(np.full((72, 128, 3), 90, np.uint8), 1, 0.0)

    def close(self) -> None:
        self._all.open_now -= 1


def kept(at: Bench) -> str:
    return str(json.loads((at.home / FOLDER / FILE).read_text())["camera"])


def test_each_camera_shows_its_picture_and_is_opened_for_it_now_and_then_only() -> None:
    cameras, now = OneAfterTheOther(), [0.0]
    previews = Previews(cameras.make, lambda: now[0])
    for _ in range(3):
        assert previews.of("usb:0") is not None
        assert previews.of("usb:9") is None
    assert cameras.opened == ["usb:0", "usb:9"]
    assert (cameras.most, cameras.open_now) == (1, 0)
    now[0] += FRESH_SECONDS + 1
    previews.of("usb:0")
    assert cameras.opened[2:] == ["usb:0"]


def test_only_cameras_that_are_offered_are_looked_through_and_only_by_who_holds_the_table(
    tmp_path: Path,
) -> None:
    cameras = OneAfterTheOther()
    with bench(tmp_path, cameras=lambda: FOUND, previews=Previews(cameras.make)) as at:
        assert (at.set_up.camera_picture("usb:0") or b"").startswith(b"\xff\xd8")
        for other in ("usb:7", "folder:/etc", "network:http://192.168.1.1/", "network"):
            assert at.set_up.camera_picture(other) is None
        at.set_up.leave(PAGE)
        assert at.set_up.camera_picture("usb:0") is None
    assert cameras.opened == ["usb:0"]


def test_an_address_is_kept_without_its_password_which_lies_in_a_file_of_its_own(tmp_path: Path) -> None:
    changed: list[str] = []
    with bench(tmp_path, cameras=lambda: FOUND, change_camera=changed.append) as at:
        view = at.do(UseAddress(f" {TYPED} "))
        assert changed == [kept(at)] == ["network:rtsp://192.168.1.20:8554/live?token=hidden"]
        file = tmp_path / CAMERA_CREDENTIALS
        assert file.read_text() == "anna:s3cret\n"
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert stat.S_IMODE((at.home / FOLDER / FILE).stat().st_mode) == 0o600
        assert [(each.name, each.chosen) for each in view.cameras][2:] == [
            ("network camera 192.168.1.20:8554", True)
        ]
        assert "hidden" not in repr(view)
        assert "s3cret" not in repr(UseAddress(TYPED))
        at.do(ChooseCamera("network"))  # it is chosen already
        at.do(UseAddress("http://192.168.1.21/video"))
        assert not file.exists()
        view = at.do(ChooseCamera("usb:0"))
        assert [each.setting for each in view.cameras if each.chosen] == ["usb:0"]
        assert len(view.cameras) == 2
        assert len(changed) == 3


@pytest.mark.parametrize("typed", ["", "aunt's phone", "file:///etc/passwd", "ftp://anna:s3cret@cam/"])
def test_what_is_no_address_is_refused_and_changes_nothing(typed: str, tmp_path: Path) -> None:
    with bench(tmp_path, cameras=lambda: FOUND) as at:
        with pytest.raises(SetUpRefused) as refused:
            at.do(UseAddress(typed))
        assert refused.value.fault is SetUpFault.ADDRESS
        assert "s3cret" not in str(refused.value)
        assert not (tmp_path / CAMERA_CREDENTIALS).exists()
    with bench(tmp_path / "fixed") as at, pytest.raises(SetUpRefused):
        at.do(UseAddress(TYPED))  # the settings name another


class Missing(Counted):
    """A camera in the network that is switched off."""

    def open(self) -> None:
        raise CameraError(
            CameraSays.NETWORK_ABSENT,
            name=title_of(StreamAddress.parse("http://cam.local/v")),
            why="timed out",
        )


def test_why_a_camera_gives_no_picture_is_said_in_the_tables_language(tmp_path: Path) -> None:
    with bench(tmp_path, Missing(OneAfterTheOther(), "cam.local"), cameras=lambda: FOUND) as at:
        at.do(ChooseLanguage("de"))
        said = "Netzwerkkamera cam.local ist nicht da (timed out): Adresse, Strom und Netz prüfen"
        assert until(lambda: at.set_up.view().camera_says == said)


def test_an_address_typed_in_counts_at_the_next_start_unless_the_settings_name_a_camera(
    tmp_path: Path,
) -> None:
    left_open = Config(camera=CameraConfig(kind=CameraKind.AUTO, device=63))
    with mjpeg_server() as url:
        with Host(left_open, Options(tmp_path)) as host:
            assert host.simulated_table is not None
            host.setting_up.here(PAGE, take=True)
            do(host, UseAddress(url.replace("//", "//anna:s3cret@")))
        with Host(left_open, Options(tmp_path)) as host:
            assert host.simulated_table is None
            assert until(lambda: host.camera.state.is_good)
            assert (
                wording.said(host.camera.name)
                == f"network camera {url.removeprefix('http://').partition('/')[0]}"
            )
            setting = host.camera_in_use.setting
            assert setting.credentials == tmp_path / CAMERA_CREDENTIALS
            made = camera_for(setting)
            assert isinstance(made, NetworkCamera)
            assert made.delay == left_open.camera.delay
    named = replace(left_open.camera, kind=CameraKind.USB)
    with Host(Config(camera=named), Options(tmp_path)) as host:
        assert str(host.camera_in_use.setting) == "usb:63"
        host.setting_up.here(PAGE, take=True)
        view = host.setting_up.view(PAGE)
        assert view.camera_fixed
        assert view.cameras == ()
