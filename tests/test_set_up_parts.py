"""What the set-up stands on: cameras found unopened, sharpness as a number, a camera exchanged."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

import web
from companion.checks import State
from companion.checks.machine import Machine
from companion.host import Host, Options, health
from companion.host.changeable import Changeable
from companion.host.health import Health
from companion.host.set_up.joining import LOOK_AGAIN_SECONDS, Remembered
from companion.host.set_up.panel_trial import DARK
from companion.host.set_up.places import placed_dice
from companion.host.set_up.progress import FOLDER, Progress, keep, load
from companion.host.set_up.sight import sight_of
from companion.journal.files import WAL
from companion.journal.journal import Doubt, DoubtKind, JournalFullError
from companion.settings.config import CameraConfig, Config
from companion.table.eyes import Place
from companion.table.seats import Mark, SeatLeft, SeatTaken
from companion.table.table import Command
from companion.view.setting_up import Focus, Light, Step
from hardware.panel import Press
from hardware.parts import button_parts, lamp_parts
from hardware.pins import Pins
from tests.journals import no_file_longer_than
from tests.setting_up import Clock
from vision.cameras.camera import Camera
from vision.cameras.clock import StepClock
from vision.cameras.found import FoundCamera, found_cameras
from vision.cameras.kinds import CameraKind
from vision.cameras.watch import WatchedCamera
from vision.image.conditions import fault_of
from vision.image.sharpness import sharpness
from vision.reading import DieColour, SeenDie
from vision.simulation.table import Fault, SimulatedCamera, SimulatedTable


def video_device(root: Path, number: int, name: str, place: str, index: int = 0) -> None:
    device = root / "sys" / "devices" / place / f"video{number}"
    device.mkdir(parents=True)
    (device / "name").write_text(f"{name}\n")
    (device / "index").write_text(f"{index}\n")
    folder = root / "sys/class/video4linux"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"video{number}").symlink_to(device)


def test_usb_cameras_are_found_by_their_first_device_and_codecs_are_none(tmp_path: Path) -> None:
    video_device(tmp_path, 10, "bcm2835-codec-decode", "platform/soc/codec")
    video_device(tmp_path, 2, "HD Webcam", "platform/soc/usb1/1-1", 0)
    video_device(tmp_path, 3, "HD Webcam", "platform/soc/usb1/1-1-data", 1)
    video_device(tmp_path, 0, "Old Cam", "pci0000/usb2/2-1")
    assert found_cameras(tmp_path, lambda: ("imx708",)) == (
        FoundCamera("picamera:0", "imx708"),
        FoundCamera("usb:0", "Old Cam"),
        FoundCamera("usb:2", "HD Webcam"),
    )
    assert found_cameras(tmp_path / "nothing", lambda: ()) == ()


def test_cameras_are_looked_for_now_and_then_only() -> None:
    clock, looks = Clock(), list[int]()

    def find() -> tuple[FoundCamera, ...]:
        looks.append(1)
        return (FoundCamera("usb:0", f"look {len(looks)}"),)

    cameras = Remembered(find, clock)
    assert cameras() == cameras() == (FoundCamera("usb:0", "look 1"),)
    clock.now += LOOK_AGAIN_SECONDS + 1
    assert cameras() == (FoundCamera("usb:0", "look 2"),)


def test_sharpness_falls_as_the_lens_is_turned_and_agrees_with_the_readers_judgement() -> None:
    for seed in (1, 2, 4):
        picture = SimulatedTable(seed).picture(1)
        blurred = [cv2.GaussianBlur(picture, (0, 0), sigma) for sigma in (1.0, 2.0, 3.0, 5.0, 8.0)]
        measured = [sharpness(each.astype(picture.dtype)) for each in blurred]
        assert measured == sorted(measured, reverse=True)
        assert sharpness(picture) > measured[0]
        for each, sharp in zip(blurred, measured, strict=True):
            if abs(sharp - 1) > 0.03:
                assert (fault_of(each.astype(picture.dtype)) is not None) == (sharp < 1)
    assert sharpness(picture * 0) == 0


def test_a_look_is_put_in_words() -> None:
    table = SimulatedTable(2)
    seen = sight_of(table.picture(1))
    assert (seen.light, seen.focus, seen.lid, seen.troubles) == (Light.GOOD, Focus.SHARP, True, ())
    dark = (table.picture(1) * 0.1).astype("uint8")
    assert sight_of(dark).light is Light.DARK
    assert sight_of(dark).troubles


def test_an_exchanged_camera_is_closed_and_the_next_one_opened() -> None:
    made: list[SimulatedCamera] = []
    clock = StepClock()

    def make() -> Camera:
        made.append(SimulatedCamera(SimulatedTable(3, clock=clock)))
        return made[-1]

    cameras = Changeable(make)
    watched = WatchedCamera(cameras.make, clock)
    watched.frame()
    assert len(made) == 1
    cameras.change()
    made[0].table.begin(Fault.UNPLUGGED)  # the old one is not asked any more
    for _ in range(5):
        watched.step()
    assert len(made) == 2
    assert watched.state.is_good


def test_only_what_is_built_in_is_tried() -> None:
    pins = Pins(seat_lamps=(), buzzer=None, lid_light=None, second_button=None)
    names = [part.name for part in lamp_parts(pins, DARK, simulated=False)]
    assert names[:4] == ["red", "yellow", "green", "blue"]
    assert "buzzer" not in names
    assert [part.press for part in button_parts(pins, simulated=False)] == [
        Press.ROLLED,
        Press.READ_AGAIN,
        Press.OFF,
    ]
    assert Press.OFF not in [part.press for part in button_parts(Pins(), simulated=True)]
    assert len(list(lamp_parts(Pins(), DARK, simulated=True))) == 14


def test_the_chosen_camera_is_opened_at_the_next_start_if_the_settings_leave_it_open(tmp_path: Path) -> None:
    keep(Progress(camera="usb:61"), tmp_path / FOLDER)
    for kind, wanted in ((CameraKind.AUTO, "usb:61"), (CameraKind.USB, "usb:7")):
        config = Config(camera=CameraConfig(kind=kind, device=7))
        with Host(config, Options(tmp_path)) as host:
            assert str(host.camera_in_use.setting) == wanted


def test_a_camera_chosen_while_none_was_there_is_opened_at_the_next_start(tmp_path: Path) -> None:
    config = Config(camera=CameraConfig(kind=CameraKind.AUTO, device=63))
    keep(Progress(done=frozenset({Step.LANGUAGE}), language="de"), tmp_path / FOLDER)
    with Host(config, Options(tmp_path)) as host:
        assert host.simulated_table is not None
        host.camera_in_use.change("usb:62")
        assert str(host.camera_in_use.setting) == "usb:62"
    assert load(tmp_path / FOLDER).language == "de"
    with Host(config, Options(tmp_path)) as host:
        assert str(host.camera_in_use.setting) == "usb:62"


# --- health ----------------------------------------------------------------------------------------------


def test_the_running_companion_tells_of_its_own_camera_and_panel_in_both_languages(tmp_path: Path) -> None:
    with Host(Config(), Options(tmp_path, simulate=True, seed=2)) as host:
        host.camera.frame(20.0)  # it is awake
        health = Health(replace(host.inspected(), machine=Machine(root=tmp_path)))
        english, german = health.facts("en"), health.facts("de")
        names = [fact.name for fact in english]
        for wanted in ("camera", "light", "lid", "calibration", "panel", "disk", "memory", "uptime"):
            assert wanted in names
        assert {"temperature", "version", "clock", "power"} <= set(names)
        facts = {fact.name: fact for fact in german}
        assert facts["Deckel"].text == "der ganze Deckel ist zu sehen"
        assert facts["Kamera"].state is State.OK
        assert [fact.state for fact in english] == [fact.state for fact in german]


def test_a_journal_that_refuses_is_told_until_it_keeps_again(tmp_path: Path) -> None:
    def told() -> web.Fact:
        return next(fact for fact in Health(host.inspected()).facts("de") if fact.name == "Aufzeichnung")

    with Host(Config(), Options(tmp_path, simulate=True, seed=2)) as host:
        host.camera.frame(20.0)
        host.table.play(Command(SeatTaken("Anna", Mark.CIRCLE, None)))
        assert told().state is State.OK
        with no_file_longer_than((tmp_path / WAL).stat().st_size), pytest.raises(JournalFullError):
            host.table.play(Command(SeatLeft(0)))
        assert told().state is State.WRONG
        assert told().text.startswith("das neueste Ereignis ließ sich nicht speichern (")
        host.table.play(Command(SeatLeft(0)))
        host.backing_up.trouble = "no backup was made"
        assert (told().state, told().text) == (State.WRONG, "no backup was made")
        host.backing_up.trouble = None
        assert told().state is State.OK
        for kind, text in (
            (DoubtKind.LOST, "die neuesten 3 Ereignisse fehlen"),
            (DoubtKind.OTHER, "das ist nicht die Aufzeichnung"),
            (DoubtKind.UNKNOWN, "journal.lock fehlte"),
        ):
            host.journal.doubt = Doubt(kind, 3)
            assert told().state is State.WRONG
            assert told().text.startswith(text)


def test_a_missing_camera_is_wrong_and_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "PICTURE_SECONDS", 0.5)
    with Host(Config(), Options(tmp_path, simulate=True, seed=2)) as host:
        assert host.simulated_table is not None
        host.camera.frame(20.0)
        host.simulated_table.begin(Fault.UNPLUGGED)
        while host.camera.state.is_good:
            host.table.wait(host.table.snapshot.version, 0.1)
        found = {fact.name: fact for fact in Health(host.inspected()).facts("en")}
        assert found["camera"].state is State.WRONG
        assert "unplugged" in found["camera"].text
        assert found["camera"].todo
        assert "lid" not in found


def test_a_doubtful_die_is_doubtful_in_the_set_up_too() -> None:
    sure = SeenDie(DieColour.BLUE, 4, 60, 30, 20, 0.98)
    dice = placed_dice(
        (sure, replace(sure, colour=DieColour.RED, doubtful=True)), np.zeros((60, 120, 3), np.uint8)
    )
    assert [(die.colour, die.doubtful) for die in dice] == [("red", True), ("blue", False)]
    assert dice[0].corners[0] == Place(0.42083, 0.34167)
