"""The doctor: each check on machines that are well and machines that are not."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from boxlid.errors import Statement
from companion import cli
from companion.checks import State
from companion.checks.machine import Machine, machine_checks
from companion.checks.parts import Parts, check_known, check_lid, is_running, part_checks
from companion.commands.doctor import checks
from companion.findings.check import Line
from companion.host.set_up.progress import FILE, FOLDER, Progress, keep
from companion.journal.lock import FolderLock
from companion.settings.config import CameraConfig, Config, VoiceConfig, WebConfig, parse
from companion.settings.state_folder import CALIBRATION
from hardware.panel import Panel, PinsFault
from hardware.pins import PanelKind, Pins
from hardware.simulated import SimulatedPanel
from tests.wording import line, lines
from vision.cameras.camera import Camera, CameraError, CameraSays, Frame
from vision.cameras.choice import CameraSetting
from vision.cameras.clock import StepClock
from vision.cameras.kinds import CameraKind
from vision.image.arrays import Image
from vision.memory.calibration import Calibration, save
from vision.simulation.table import SimulatedCamera, SimulatedTable

CHRISTMAS = 1_798_138_800.0  # 2026
PI = "Raspberry Pi Zero 2 W Rev 1.0\0"
CONFIG = Config(web=WebConfig(names=("lid.local",)), voice=VoiceConfig(on=False))


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """A Pi on which all is well."""
    made = Machine(
        root=tmp_path / "root",
        now=lambda: CHRISTMAS,
        hostname=lambda: "lid",
        resolve=lambda name: "192.168.1.7",
        readable=lambda path: True,
    )
    put(made, "proc/device-tree/model", PI)
    put(made, "proc/meminfo", "MemTotal:         424016 kB\nMemAvailable:     230000 kB\n")
    put(made, "sys/class/thermal/thermal_zone0/temp", "48312\n")
    put(made, "sys/devices/platform/soc/soc:firmware/get_throttled", "0\n")
    put(made, "sys/class/hwmon/hwmon1/name", "rpi_volt\n")
    put(made, "sys/class/hwmon/hwmon1/in0_lcrit_alarm", "0\n")
    put(made, "run/systemd/timesync/synchronized", "")
    put(made, "dev/gpiochip0", "")
    return made


def put(machine: Machine, path: str, text: str) -> None:
    place = machine.root / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, encoding="utf-8")


@pytest.fixture
def state(tmp_path: Path) -> Path:
    folder = tmp_path / "state"
    folder.mkdir(mode=0o700)
    return folder


def check(machine: Machine, state: Path, what: str, config: Config = CONFIG) -> Line:
    return next(each for each in lines(machine_checks(machine, config, state)) if each.what == what)


def test_a_machine_on_which_all_is_well_gets_no_complaint(machine: Machine, state: Path) -> None:
    found = list(machine_checks(machine, CONFIG, state))
    assert [each for each in found if each.state is not State.OK] == []
    assert len(found) == 9


@pytest.mark.parametrize(
    ("path", "text", "what", "said"),
    [
        ("sys/devices/platform/soc/soc:firmware/get_throttled", "50005", "power", "too low now"),
        ("sys/devices/platform/soc/soc:firmware/get_throttled", "50000", "power", "since the start"),
        ("sys/class/hwmon/hwmon1/in0_lcrit_alarm", "1", "power", "is or was too low"),
        ("sys/class/thermal/thermal_zone0/temp", "82000", "temperature", "82 °C: the Pi slows itself down"),
        ("proc/meminfo", "MemAvailable: 30000 kB", "memory", "30 MB are free"),
    ],
)
def test_what_is_wrong_with_the_machine_is_told_with_what_to_do(
    machine: Machine, state: Path, path: str, text: str, what: str, said: str
) -> None:
    put(machine, path, text)
    found = check(machine, state, what)
    assert found.state is State.WRONG
    assert said in found.text
    assert found.todo


@pytest.mark.parametrize(
    ("path", "text", "what"),
    [
        ("sys/class/thermal/thermal_zone0/temp", "71000", "temperature"),
        ("proc/meminfo", "MemAvailable: 100000 kB", "memory"),
    ],
)
def test_what_could_be_better_is_only_noted(
    machine: Machine, state: Path, path: str, text: str, what: str
) -> None:
    put(machine, path, text)
    assert check(machine, state, what).state is State.NOTE


def test_a_clock_that_was_never_set_is_wrong(machine: Machine, state: Path) -> None:
    assert check(replace(machine, now=lambda: 3600.0), state, "clock").state is State.WRONG
    (machine.root / "run/systemd/timesync/synchronized").unlink()
    assert check(machine, state, "clock").state is State.NOTE


def test_a_name_that_phones_may_not_use_is_wrong(machine: Machine, state: Path) -> None:
    found = check(replace(machine, hostname=lambda: "Dice"), state, "network name")
    assert found.state is State.WRONG
    assert 'names = ["lid.local", "dice.local"]' in found.todo


def test_a_name_that_nobody_announces_is_noted(machine: Machine, state: Path) -> None:
    def unknown(name: str) -> str:
        raise OSError("Name or service not known")

    assert check(replace(machine, resolve=unknown), state, "network name").state is State.NOTE


def test_devices_that_may_not_be_opened_are_named(machine: Machine, state: Path) -> None:
    found = check(replace(machine, readable=lambda path: False), state, "permissions")
    assert found.state is State.WRONG
    assert "may not open gpiochip0" in found.text
    assert "usermod -aG video,gpio" in found.todo


def test_a_state_folder_that_others_can_see_is_noted(machine: Machine, state: Path) -> None:
    state.chmod(0o755)
    assert check(machine, state, "state folder").state is State.NOTE
    assert "will be made" in check(machine, state / "new", "state folder").text


# --- parts -----------------------------------------------------------------------------------------------


class Still:
    """A camera that always shows the same picture, or none."""

    name = "still camera"

    def __init__(self, image: Image | None) -> None:
        self._image = image
        self.is_open = False

    def open(self) -> None:
        self.is_open = True

    def frame(self, timeout: float = 3.0) -> Frame:
        if self._image is None:
            raise CameraError(CameraSays.SILENT, name="still camera", seconds=3.0)
        return Frame(self._image, 1, 0.0)

    def close(self) -> None:
        self.is_open = False


def parts(camera: Camera, notice: Statement | None = None) -> Parts:
    panel: Panel = SimulatedPanel(notice)
    return Parts(lambda setting: camera, lambda config: panel, StepClock())


def found(machine: Machine, state: Path, given: Parts, config: Config = CONFIG) -> dict[str, Line]:
    return {each.what: each for each in lines(part_checks(given, machine, config, state))}


def test_a_camera_over_a_lit_lid_is_well(machine: Machine, state: Path) -> None:
    seen = found(machine, state, parts(SimulatedCamera(SimulatedTable())))
    assert seen["camera"].text.startswith("simulated camera gives pictures of ")
    assert [seen[what].state for what in ("camera", "light", "lid")] == [State.OK] * 3


@pytest.mark.parametrize(("level", "said"), [(10, "dark (10 of 255)"), (250, "glaring (250 of 255)")])
def test_bad_light_and_a_missing_lid_are_told(machine: Machine, state: Path, level: int, said: str) -> None:
    seen = found(machine, state, parts(Still(np.full((720, 1280, 3), level, np.uint8))))
    assert said in seen["light"].text
    assert seen["light"].state is State.WRONG
    assert seen["lid"].text == "no box lid is seen"


def test_a_camera_without_pictures_is_told_and_let_go(machine: Machine, state: Path) -> None:
    camera = Still(None)
    assert found(machine, state, parts(camera))["camera"].state is State.WRONG
    assert not camera.is_open


def test_a_running_companion_keeps_its_camera_and_pins(machine: Machine, state: Path) -> None:
    assert not is_running(state)
    lock = FolderLock(state)
    assert is_running(state)
    camera = Still(None)
    seen = found(machine, state, parts(camera))
    assert seen["camera"].state is seen["panel"].state is State.NOTE
    assert "sudo systemctl stop boxlid" in seen["camera"].todo
    lock.release()
    assert not is_running(state)


def test_a_pi_without_its_pins_is_wrong_and_another_machine_is_not(machine: Machine, state: Path) -> None:
    taken = Statement(PinsFault.PIN_TAKEN, {"key": "buzzer", "pins": "GPIO25", "why": "GPIO busy"})
    given = parts(Still(None), taken)
    panel = found(machine, state, given)["panel"]
    assert panel.state is State.WRONG
    assert panel.text.startswith("panel.buzzer: GPIO25 cannot be had (GPIO busy)")
    put(machine, "proc/device-tree/model", "Some other computer")
    assert found(machine, state, given)["panel"].state is State.NOTE


def test_what_the_settings_want_simulated_is_well(machine: Machine, state: Path) -> None:
    config = replace(CONFIG, camera=CameraConfig(CameraKind.SIMULATED), panel=Pins(kind=PanelKind.SIMULATED))
    seen = found(machine, state, Parts(), config)
    assert {each.state for each in seen.values()} == {State.OK}


def test_a_calibration_for_another_picture_is_wrong(machine: Machine, state: Path) -> None:
    assert found(machine, state, parts(Still(None)))["calibration"].state is State.NOTE
    lid = ((10.0, 10.0), (600.0, 10.0), (600.0, 400.0), (10.0, 400.0))
    save(Calibration(640, 480, lid, 40.0, ()), state / CALIBRATION)
    assert found(machine, state, parts(Still(None)))["calibration"].state is State.WRONG
    save(Calibration(640, 360, lid, 40.0, ()), state / CALIBRATION)
    assert found(machine, state, parts(Still(None)))["calibration"].state is State.OK
    (state / CALIBRATION).write_text("cheese", encoding="utf-8")
    assert found(machine, state, parts(Still(None)))["calibration"].state is State.WRONG


@pytest.mark.parametrize(
    ("kind", "opened"), [(CameraKind.AUTO, "usb:3"), (CameraKind.PICAMERA, "picamera:1")]
)
def test_the_camera_of_the_set_up_is_looked_at_if_the_settings_leave_it_open(
    kind: CameraKind, opened: str, machine: Machine, state: Path, tmp_path: Path
) -> None:
    keep(Progress(camera="usb:3"), state / FOLDER)
    path = tmp_path / "boxlid.toml"
    path.write_text(f'[camera]\nkind = "{kind}"\ndevice = 1\nwidth = 640\nheight = 480\n', encoding="utf-8")
    asked: list[CameraSetting] = []

    def camera(setting: CameraSetting) -> Camera:
        asked.append(setting)
        return Still(None)

    list(checks(path, state, machine, replace(parts(Still(None)), camera=camera)))
    assert [(str(each), each.size) for each in asked] == [(opened, (640, 480))]


def test_a_set_up_that_cannot_be_read_is_told_and_the_first_camera_is_looked_at(
    machine: Machine, state: Path
) -> None:
    (state / FOLDER).mkdir()
    (state / FOLDER / FILE).write_text("cheese", encoding="utf-8")
    seen = {each.what: each for each in lines(checks(None, state, machine, parts(Still(None))))}
    assert seen["set-up"].state is State.WRONG
    assert "/setup" in seen["set-up"].todo
    assert "still camera" in seen["camera"].text


# --- the command -------------------------------------------------------------------------------------------


def test_every_bad_setting_has_its_line(machine: Machine, state: Path, tmp_path: Path) -> None:
    path = tmp_path / "boxlid.toml"
    path.write_text("[voice]\nvolume = 200\n[web]\nport = 0\n", encoding="utf-8")
    told = lines(checks(path, state, machine, parts(Still(None))))
    assert [each.state for each in told if each.what == "settings"] == [State.WRONG, State.WRONG]


def settings(folder: Path) -> Path:
    path = folder / "boxlid.toml"
    path.write_text('[camera]\nkind = "simulated"\n[panel]\nkind = "simulated"\n', encoding="utf-8")
    assert parse(path.read_text(encoding="utf-8")).panel.kind is PanelKind.SIMULATED
    return path


def test_the_exit_code_says_whether_something_is_wrong(
    state: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = cli.main(["doctor", "--config", str(settings(tmp_path)), "--state", str(state), "--json"])
    told = [json.loads(each) for each in capsys.readouterr().out.splitlines()]
    assert set(told[0]) == {"what", "state", "text", "todo"}
    assert code == int(any(each["state"] == "wrong" for each in told))
    assert cli.main(["doctor", "--config", str(tmp_path / "none.toml"), "--state", str(state)]) == 1
    assert "wrong  settings      no such file" in capsys.readouterr().out


def test_a_line_says_what_is_wrong_and_what_to_do() -> None:
    told = str(Line("disk", State.WRONG, "3 MB are free", "make room"))
    assert told == "wrong  disk          3 MB are free - make room"


def test_a_missing_camera_is_told_in_one_line_and_nothing_else(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    cli.main(["doctor", "--state", str(tmp_path)])
    said, error = capfd.readouterr()
    assert "camera" in said
    assert error == ""


def test_a_calibrated_lid_is_seen_where_it_was_though_a_fresh_look_does_not_find_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = SimulatedTable(2, clock=StepClock())
    camera = SimulatedCamera(table)
    camera.open()
    image = camera.frame().image
    height, width = image.shape[:2]
    known = save(Calibration(width, height, table.truth().lid, 36.0, ()), tmp_path / "table.toml", image)
    monkeypatch.setattr("companion.checks.parts.find_lid", lambda _: None)
    assert line(check_lid(image)).text == "no box lid is seen"
    assert line(check_lid(image, known)).text == "the whole lid is seen"


def test_a_damaged_picture_of_the_empty_lid_is_told_and_the_lid_looked_for_anew(tmp_path: Path) -> None:
    camera = SimulatedCamera(SimulatedTable(2, clock=StepClock()))
    camera.open()
    image = camera.frame().image
    corners = ((9.0, 9.0), (90.0, 9.0), (90.0, 90.0), (9.0, 90.0))
    plain = Calibration(image.shape[1], image.shape[0], corners, 36.0, ())
    known = save(plain, tmp_path / "table.toml", image)
    assert known.reference is not None
    known.reference.write_bytes(b"no picture")
    assert check_known(known).state is State.WRONG
    assert "no picture of the empty lid" in line(check_known(known)).text
    assert line(check_lid(image, known)).text == "the whole lid is seen"
