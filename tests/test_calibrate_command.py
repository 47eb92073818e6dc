"""`boxlid calibrate` learns a table from two pictures or by camera; what stands in its way is one line."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli import main
from companion.commands import calibrate as command
from companion.host.set_up.progress import FILE, FOLDER, Progress, keep
from companion.journal.journal import Journal
from companion.settings.state_folder import CALIBRATION, default_state_folder
from companion.sight.in_force import CALIBRATION_BEFORE
from vision.cameras.camera import Camera, CameraError, CameraSays
from vision.cameras.choice import CameraSetting
from vision.cameras.clock import StepClock
from vision.image.arrays import Image
from vision.memory import calibration as calibrations
from vision.simulation.table import SimulatedCamera, SimulatedTable


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The empty lid and the six dice in it, as files."""
    folder = tmp_path_factory.mktemp("table")
    table = SimulatedTable(2, clock=StepClock())
    camera = SimulatedCamera(table)
    camera.open()
    empty, dice = folder / "empty.jpg", folder / "dice.jpg"
    cv2.imwrite(str(empty), camera.frame().image)
    table.lay_out()
    cv2.imwrite(str(dice), camera.frame().image)
    return empty, dice


def test_two_pictures_make_a_calibration(
    pictures: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    empty, dice = pictures
    out, overlay = tmp_path / "table.toml", tmp_path / "seen.png"
    call = ["calibrate", "--empty", str(empty), "--dice", str(dice), "--out", str(out)]
    assert main([*call, "--overlay", str(overlay)]) == 0
    assert "six dice of" in capsys.readouterr().out
    known = calibrations.load(out)
    assert len(known.samples) == 6
    assert known.empty_lid() is not None
    assert overlay.stat().st_size > 10_000


def test_without_a_place_it_is_kept_where_the_companion_looks_and_the_one_before_stays_beside_it(
    pictures: tuple[Path, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    state = default_state_folder()
    call = ["calibrate", "--empty", str(pictures[0]), "--dice", str(pictures[1])]
    assert main(call) == 0
    assert f"kept in {state / CALIBRATION}\n" in capsys.readouterr().out
    first = calibrations.load(state / CALIBRATION)
    assert main(call) == 0
    assert f"the one before is now {state / CALIBRATION_BEFORE}\n" in capsys.readouterr().out
    before = calibrations.load(state / CALIBRATION_BEFORE)
    assert replace(before, reference=first.reference) == first
    assert before.empty_lid() is not None
    assert main(call) == 0
    assert sum(each.suffix == ".toml" for each in state.iterdir()) == 2
    assert [each.name for each in tmp_path.iterdir()] == [state.name]


def test_a_damaged_calibration_is_replaced_and_a_running_companion_is_told_of(
    pictures: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / CALIBRATION).write_text("cheese", encoding="utf-8")
    call = ["calibrate", "--empty", str(pictures[0]), "--dice", str(pictures[1]), "--state", str(tmp_path)]
    with closing(Journal(tmp_path)):
        assert main(call) == 0
    said = capsys.readouterr().out
    assert "the one before is not kept: " in said
    assert "takes it up at its next start" in said
    assert len(calibrations.load(tmp_path / CALIBRATION).samples) == 6


def test_what_cannot_be_learnt_is_said_in_one_line_and_nothing_is_kept(
    pictures: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    empty, _ = pictures
    out = tmp_path / "table.toml"
    assert main(["calibrate", "--empty", str(empty), "--dice", str(empty), "--out", str(out)]) == 1
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert "the camera misses the blue die, the green die, the red die" in told
    assert not out.exists()


def test_half_a_call_is_wrong(pictures: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["calibrate", "--empty", str(pictures[0])]) == 2
    assert "--dice is missing" in capsys.readouterr().err
    assert main(["calibrate", "--camera", "webcam"]) == 2
    assert "none of auto" in capsys.readouterr().err


def test_a_file_that_is_no_picture_is_said(
    pictures: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = tmp_path / "bad.jpg"
    bad.write_bytes(b"no picture")
    assert main(["calibrate", "--empty", str(bad), "--dice", str(pictures[1])]) == 1
    assert "bad.jpg" in capsys.readouterr().err


class Staged:
    """A camera over a simulated table on which a person does what the command asks."""

    def __init__(self) -> None:
        self.table = SimulatedTable(2, clock=StepClock())
        self.camera = SimulatedCamera(self.table)
        self.asked: list[str] = []
        self.wanted: list[CameraSetting] = []

    def opened(self, setting: CameraSetting) -> Camera:
        self.wanted.append(setting)
        self.camera.open()
        return self.camera

    def answer(self, prompt: str) -> str:
        self.asked.append(prompt)
        if len(self.asked) == 2:
            self.table.lay_out()
        return ""


def test_with_the_camera_both_pictures_are_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    staged = Staged()
    monkeypatch.setattr(command, "open_camera", staged.opened)
    monkeypatch.setattr("builtins.input", staged.answer)
    assert main(["calibrate", "--out", str(tmp_path / "t.toml"), "--state", str(tmp_path)]) == 0
    assert "Take all dice out" in staged.asked[0]
    assert "Put the six dice" in staged.asked[1]
    assert len(calibrations.load(tmp_path / "t.toml").samples) == 6


def calibrated_with(monkeypatch: pytest.MonkeyPatch, folder: Path, *more: str) -> str:
    """The camera that the command opens, and its size."""
    staged = Staged()
    monkeypatch.setattr(command, "open_camera", staged.opened)
    monkeypatch.setattr("builtins.input", staged.answer)
    assert main(["calibrate", "--state", str(folder), *more]) == 0
    (wanted,) = staged.wanted
    return f"{wanted} {wanted.size[0]}x{wanted.size[1]}"


def test_the_camera_is_the_one_that_the_companion_would_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert calibrated_with(monkeypatch, tmp_path) == "auto:0 1280x720"
    keep(Progress(camera="usb:3"), tmp_path / FOLDER)
    assert calibrated_with(monkeypatch, tmp_path) == "usb:3 1280x720"
    config = tmp_path / "boxlid.toml"
    config.write_text(
        '[camera]\nkind = "picamera"\ndevice = 1\nwidth = 640\nheight = 480\n', encoding="utf-8"
    )
    given = ("--config", str(config))
    assert calibrated_with(monkeypatch, tmp_path, *given) == "picamera:1 640x480"
    assert calibrated_with(monkeypatch, tmp_path, *given, "--camera", "usb:2") == "usb:2 640x480"
    assert calibrated_with(monkeypatch, tmp_path, "--camera", "auto") == "auto 1280x720"


def test_a_set_up_that_cannot_be_read_is_said_and_any_camera_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / FILE).write_text("cheese", encoding="utf-8")
    assert calibrated_with(monkeypatch, tmp_path).startswith("auto")
    assert "but: the set-up kept in " in capsys.readouterr().out


def test_settings_with_a_simulated_camera_are_not_calibrated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "boxlid.toml"
    config.write_text('[camera]\nkind = "simulated"\n', encoding="utf-8")
    assert main(["calibrate", "--config", str(config), "--state", str(tmp_path)]) == 1
    assert "needs no calibration; give --camera" in capsys.readouterr().err
    config.write_text('[camera]\nkind = "cheese"\n', encoding="utf-8")
    assert main(["calibrate", "--config", str(config), "--state", str(tmp_path)]) == 2
    assert "camera.kind" in capsys.readouterr().err


def test_no_camera_or_no_keyboard_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def no_keyboard(_: str) -> str:
        raise EOFError

    monkeypatch.setattr(command, "open_camera", Staged().opened)
    monkeypatch.setattr("builtins.input", no_keyboard)
    assert main(["calibrate", "--state", str(tmp_path)]) == 1
    assert "--empty and --dice" in capsys.readouterr().err

    def none(_: CameraSetting) -> Camera:
        raise CameraError(CameraSays.NO_USB_CAMERA, number=0)

    monkeypatch.setattr(command, "open_camera", none)
    assert main(["calibrate", "--state", str(tmp_path)]) == 1
    assert "plug one in" in capsys.readouterr().err


def test_a_place_that_cannot_be_written_is_said(
    pictures: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("no folder")
    out = tmp_path / "file" / "table.toml"
    empty, dice = map(str, pictures)
    assert main(["calibrate", "--empty", empty, "--dice", dice, "--out", str(out)]) == 1
    assert "choose another place" in capsys.readouterr().err


def test_the_fixture_shows_a_lid(pictures: tuple[Path, Path]) -> None:
    image: Image = np.asarray(cv2.imread(str(pictures[0])), np.uint8)
    assert image.shape == (768, 1024, 3)
