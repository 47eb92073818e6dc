"""A network camera: real servers of MJPEG and RTSP, cut and slowed; and what it keeps to itself."""

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import pytest

from tests.fake_cameras import FakeCapture
from tests.streams import Line, mjpeg_server, network_camera, rtsp_server
from tests.waiting import PATIENCE, until
from tests.wording import refused, said
from vision.cameras import network
from vision.cameras.address import (
    AddressError,
    CredentialsError,
    StreamAddress,
    credentials_apart,
    read_credentials,
)
from vision.cameras.camera import CameraError
from vision.cameras.choice import CameraSetting, CameraSettingError, camera_for
from vision.cameras.clock import StepClock
from vision.cameras.network import LATE_SECONDS, Lateness, NetworkCamera
from vision.cameras.watch import Sight, WatchedCamera

NAME, PASSWORD = "anna", "p@ss:w/r%d?"


@pytest.fixture
def credentials(tmp_path: Path) -> Path:
    file = tmp_path / "camera"
    file.write_text(f"{NAME}:{PASSWORD}\n")
    file.chmod(0o600)
    return file


@contextmanager
def watched(url: str) -> Iterator[WatchedCamera]:
    watch = WatchedCamera(lambda: network_camera(url))
    watch.open()
    try:
        yield watch
    finally:
        watch.close()


def frame_in_time(watch: WatchedCamera) -> tuple[int, ...]:
    """The shape of its next picture, however often it has to be opened until then."""
    found: list[tuple[int, ...]] = []

    def asked() -> bool:
        try:
            found.append(watch.frame(1.0).image.shape)
        except CameraError:
            return False
        return True

    assert until(asked)
    return found[0]


# --- real servers ------------------------------------------------------------------------------------------


def test_the_pictures_of_an_mjpeg_server_come_made_smaller_to_what_is_wanted() -> None:
    with mjpeg_server() as url:
        camera = NetworkCamera(StreamAddress.parse(url), size=(320, 320))
        with watched_as(camera) as watch:
            height, width, _ = frame_in_time(watch)
    assert camera.sends is not None
    assert max(width, height) == 320
    assert width * camera.sends[1] == pytest.approx(height * camera.sends[0], rel=0.01)


@contextmanager
def watched_as(camera: NetworkCamera) -> Iterator[WatchedCamera]:
    watch = WatchedCamera(lambda: camera)
    watch.open()
    try:
        yield watch
    finally:
        watch.close()


@pytest.mark.parametrize("server", [mjpeg_server, rtsp_server])
def test_a_camera_whose_line_was_cut_is_missed_in_a_sentence_and_comes_back_by_itself(server: object) -> None:
    make = mjpeg_server if server is mjpeg_server else rtsp_server
    with make() as url, Line(url) as line, watched(line.url) as watch:
        assert frame_in_time(watch)
        line.cut()
        assert until(lambda: watch.state.sight is Sight.MISSING)
        assert "network camera 127.0.0.1" in said(watch.state.says)
        line.mend()
        assert frame_in_time(watch)
        assert watch.is_distant


def test_a_camera_whose_pictures_queue_up_on_a_slow_line_is_said_to_be_behind() -> None:
    told: list[str] = []
    with rtsp_server() as url, Line(url) as line:
        watch = WatchedCamera(
            lambda: network_camera(line.url), on_change=lambda state: told.append(said(state.says))
        )
        watch.open()
        try:
            assert frame_in_time(watch)
            line.slow(6000)
            assert until(lambda: any("behind" in text or "no picture" in text for text in told))
            line.mend()
            assert frame_in_time(watch)
        finally:
            watch.close()


def test_name_and_password_come_from_a_file_and_open_the_camera(credentials: Path) -> None:
    with rtsp_server(credentials=f"{NAME}:{PASSWORD}") as url:
        setting = CameraSetting.parse(f"network:{url}")
        with watched_as(network_camera(url, credentials)) as watch:
            assert frame_in_time(watch)
        shut = camera_for(setting)
        with refused(CameraError, match="shows no pictures: check the whole address, name and password"):
            shut.open()


def test_neither_password_nor_address_is_told_by_the_doctor_or_by_the_libraries_below(
    credentials: Path, tmp_path: Path
) -> None:
    with rtsp_server(credentials="anna:something else") as url:
        settings = tmp_path / "boxlid.toml"
        settings.write_text(
            f'[camera]\nkind = "network"\nurl = "{url}?token=hidden"\ncredentials = "{credentials}"\n'
        )
        command = [sys.executable, "-m", "companion.cli", "doctor", "--config", str(settings)]
        command += ["--state", str(tmp_path / "state")]
        told = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert "network camera 127.0.0.1" in told.stdout
    for secret in (PASSWORD, "token", "hidden", "p%40ss", "/live"):
        assert secret not in told.stdout + told.stderr
    assert told.stderr == ""


# --- what answers wrongly, or not at all -------------------------------------------------------------------


def test_where_nothing_is_it_says_so() -> None:
    with socket.create_server(("127.0.0.1", 0)) as held:
        port = held.getsockname()[1]
    with refused(CameraError, match=rf"network camera 127.0.0.1:{port} is not there \(connection refused\)"):
        network_camera(f"http://127.0.0.1:{port}/video").open()


def test_what_accepts_and_says_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(network, "OPEN_SECONDS", 0.2)
    with (
        socket.create_server(("127.0.0.1", 0)) as mute,
        refused(CameraError, match="shows no pictures"),
    ):
        network_camera(f"http://127.0.0.1:{mute.getsockname()[1]}/video").open()


def test_an_opencv_that_cannot_open_streams_is_told_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(network, "has_ffmpeg", lambda: False)
    with refused(CameraError, match="this OpenCV has no FFmpeg") as told:
        network_camera("http://127.0.0.1:1/video").open()
    assert "\n" not in str(told.value)


def test_the_opencv_installed_here_opens_streams() -> None:
    assert network.has_ffmpeg()


def test_a_stream_that_ends_is_told_once_and_the_camera_opens_anew() -> None:
    captures = [FakeCapture(), FakeCapture()]
    opened = iter(captures)
    camera = NetworkCamera(
        StreamAddress.parse("http://cam.local/v"), make=lambda _: next(opened), clock=StepClock()
    )
    camera.open()
    captures[0].plugged = False
    captures[0].go()
    with refused(CameraError, match=r"network camera cam.local ended its pictures"):
        camera.frame(PATIENCE)
    camera.close()
    camera.open()
    captures[1].flow()
    assert camera.frame(PATIENCE).number >= 1
    camera.close()


def test_a_picture_counts_as_old_as_the_settings_say() -> None:
    capture, clock = FakeCapture(), StepClock(100.0)
    camera = NetworkCamera(
        StreamAddress.parse("http://cam.local/v"), delay=0.5, make=lambda _: capture, clock=clock
    )
    camera.open()
    capture.flow()
    assert camera.frame(PATIENCE).taken == 99.5
    camera.close()


# --- pictures with times -----------------------------------------------------------------------------------


def test_pictures_that_waited_to_be_fetched_are_not_shown_and_later_ones_are() -> None:
    late = Lateness()
    assert [late.of(0.1 * n, 2.0 + 0.01 * n) for n in range(20)] == [None] * 20  # the backlog of the opening
    assert late.of(2.0, 2.29) == pytest.approx(0.0, abs=0.001)


def test_pictures_that_come_later_and_later_are_counted_from_the_quickest() -> None:
    late = Lateness()
    late.of(0.0, 10.0)
    assert late.of(0.1, 10.1) == pytest.approx(0.0, abs=0.001)
    assert late.of(0.2, 11.5) == pytest.approx(1.3, abs=0.01)


def test_a_camera_whose_clock_goes_wrong_a_little_is_never_behind() -> None:
    late = Lateness()
    found = [late.of(n * 0.9995, float(n)) for n in range(10_000)]
    assert max(each or 0.0 for each in found) < LATE_SECONDS / 10


def test_a_stream_that_falls_behind_is_told_with_how_much() -> None:
    capture, clock = FakeCapture(), StepClock(100.0)
    camera = NetworkCamera(StreamAddress.parse("rtsp://cam.local/v"), make=lambda _: capture, clock=clock)
    camera.open()
    capture.properties[cv2.CAP_PROP_POS_MSEC] = 0.0
    capture.go(2)
    assert camera.frame(PATIENCE).number == 2  # nobody knows of the first whether it had waited
    clock.wait(3.0)
    capture.go()
    with refused(CameraError, match=r"network camera cam.local is 3 s behind"):
        camera.frame(PATIENCE)


# --- addresses and secrets ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "",
        "cam.local/video",
        "ftp://cam.local/",
        "http:///video",
        "http://cam.local:port/",
        "file:///etc/passwd",
        "http://cam local/",
        "http://[::1/",
        "rtsp://anna:secret@cam.local/live",
        "http://cam.local/\n",
        "x" * 600,
    ],
)
def test_what_is_no_address_is_refused_and_not_repeated(text: str) -> None:
    with refused(AddressError, match=r"address") as told:
        StreamAddress.parse(text)
    assert "secret" not in str(told.value)
    assert "cam" not in str(told.value).replace("camera", "")


def test_an_address_names_the_machine_and_no_more() -> None:
    for text, host in (
        ("http://192.168.1.20:8080/video?token=hidden", "192.168.1.20:8080"),
        ("rtsp://cam.local/live", "cam.local"),
        ("rtsp://[fe80::1]:8554/live", "[fe80::1]:8554"),
    ):
        address = StreamAddress.parse(text)
        assert str(address) == host
        assert "hidden" not in repr(address)


def test_typed_credentials_are_taken_out_of_an_address_and_open_it_again() -> None:
    plain, held = credentials_apart("rtsp://anna:s3:cret@cam.local/live@1")
    assert (plain, held) == ("rtsp://cam.local/live@1", "anna:s3:cret")
    assert StreamAddress.parse(plain).opened_by(held) == "rtsp://anna:s3%3Acret@cam.local/live@1"
    assert credentials_apart("http://cam.local/a@b") == ("http://cam.local/a@b", "")


def test_a_file_of_credentials_has_one_line_and_is_closed_to_others(credentials: Path) -> None:
    assert read_credentials(credentials) == f"{NAME}:{PASSWORD}"
    credentials.chmod(0o644)
    with refused(CredentialsError, match="is open to everybody: chmod 640 closes it"):
        read_credentials(credentials)
    credentials.chmod(0o600)
    for content in (b"", b"anna\n", b"a:b\nc:d\n", b"a:" + b"x" * 2000):
        credentials.write_bytes(content)
        with refused(CredentialsError, match="one line name:password is wanted") as told:
            read_credentials(credentials)
        assert "anna:" not in str(told.value)
    with refused(CredentialsError, match="cannot be read"):
        read_credentials(credentials.with_name("nothing"))


def test_a_camera_whose_credentials_cannot_be_read_is_not_asked(tmp_path: Path) -> None:
    with refused(CameraError, match=r"network camera cam.local is not asked: .* cannot be read"):
        network_camera("rtsp://cam.local/live", tmp_path / "nothing").open()


def test_an_address_without_its_kind_is_refused_and_its_password_not_repeated() -> None:
    with refused(CameraSettingError, match=r"'rtsp' is none of auto, picamera, usb, network") as told:
        CameraSetting.parse("rtsp://anna:secret@cam.local/live")
    assert "secret" not in str(told.value)
