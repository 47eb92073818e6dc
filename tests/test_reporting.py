"""The last look at the lid: shown whole, never mixed with another, and written down only when asked."""

import json
import zipfile
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.host import Host, Options
from companion.host.reporting import MOST_REPORTS, REPORTS, Circumstances, LastLook, Sources
from companion.host.seeing import Look
from companion.settings.config import Config
from companion.table.eyes import Notice
from companion.view.sighting import ReportError
from vision.image.arrays import Image
from vision.reading import ALL_SIX, DieColour, Problem, ProblemKind, Reading, SeenDie

CORNERS = ((5.0, 5.0), (90.0, 5.0), (90.0, 60.0), (5.0, 60.0))
READING = Reading(
    certain=False,
    dice=(
        SeenDie(DieColour.RED, 4, 30, 30, 12, 0.987),
        SeenDie(DieColour.WHITE, 3, 60, 30, 12, 0.93, doubtful=True),
    ),
    problems=(Problem(ProblemKind.PIPS_DOUBTFUL, (DieColour.WHITE,)),),
    place=CORNERS,
    milliseconds=81.6,
)
PICTURE: Image = np.random.default_rng(1).integers(0, 255, (80, 120, 3)).astype(np.uint8)


@dataclass
class Camera:
    """A table whose last look a test sets."""

    folder: Path
    look: Look | None = None
    now: float = 1_800_000_000.0
    found: LastLook = field(init=False)

    def __post_init__(self) -> None:
        around = Circumstances("1.2", "usb", simulated=False, roll="W3 W4 R2 Y5 G6 B1")
        sources = Sources(
            lambda: self.look,
            lambda: around,
            self.folder / "calibration.toml",
            self.folder,
            lambda: 2,
            lambda: None,
            lambda: self.now,
        )
        self.found = LastLook(sources)

    def sees(self, reading: Reading = READING) -> str:
        self.look = Look(PICTURE, reading, ALL_SIX)
        seen = self.found.last()
        assert seen is not None
        return seen.id


@pytest.fixture
def camera(tmp_path: Path) -> Camera:
    return Camera(tmp_path)


def unpacked(content: bytes | None) -> zipfile.ZipFile:
    assert content is not None
    return zipfile.ZipFile(BytesIO(content))


def test_before_the_first_roll_nothing_was_seen(camera: Camera) -> None:
    assert camera.found.last() is None
    assert (camera.found.picture("1", {}), camera.found.report("0")) == (None, None)


def test_each_die_is_told_as_it_was_read_with_how_sure_that_is(camera: Camera) -> None:
    camera.sees()
    seen = camera.found.last()
    assert seen is not None
    assert [(die.colour, die.pips, die.percent, die.doubtful) for die in seen.dice] == [
        ("red", 4, 98, False),
        ("white", 3, 93, True),
    ]
    assert seen.problems == (Notice("pips-doubtful", ("white",)),)
    assert (seen.certain, seen.milliseconds, seen.width, seen.height) == (False, 82, 120, 80)


def test_the_picture_shows_the_lid_and_the_page_knows_its_shape(camera: Camera) -> None:
    identity = camera.sees()
    seen, content = camera.found.last(), camera.found.picture(identity, {"red": "R"})
    assert seen is not None
    assert content is not None
    assert (seen.near_width, seen.near_height) == (98, 68)
    picture = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    assert picture.shape[1] / picture.shape[0] == pytest.approx(98 / 68, abs=0.01)


def test_pictures_of_one_look_are_gone_with_the_next(camera: Camera) -> None:
    first = camera.sees()
    name = "1"
    for content in (camera.found.picture(first, {}), camera.found.die(first, name)):
        assert content is not None
        assert content.startswith(b"\xff\xd8")
    second = camera.sees(Reading(certain=True))
    assert second != first
    assert camera.found.picture(first, {}) is None
    assert camera.found.die(first, name) is None
    assert camera.found.report(first) is None
    assert camera.found.keep(first) is None
    assert camera.found.die(second, name) is None


def test_a_report_holds_the_picture_without_loss_and_the_reading_and_no_name(camera: Camera) -> None:
    packed = unpacked(camera.found.report(camera.sees()))
    assert set(packed.namelist()) == {"picture.png", "overlay.jpg", "reading.json"}
    picture = cv2.imdecode(np.frombuffer(packed.read("picture.png"), np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    assert np.array_equal(picture, PICTURE)
    told = json.loads(packed.read("reading.json"))
    assert (told["version"], told["camera"], told["in_the_game"]) == ("1.2", "usb", "W3 W4 R2 Y5 G6 B1")
    assert told["dice"][1] == {
        "colour": "white",
        "pips": 3,
        "x": 60,
        "y": 30,
        "size": 12,
        "confidence": 0.93,
        "doubtful": True,
    }
    assert set(told) == {
        *("version", "camera", "simulated", "expected", "certain", "problems", "lid", "place"),
        *("milliseconds", "dice", "in_the_game"),
    }


def test_a_report_of_a_table_that_was_set_up_holds_what_was_learnt(camera: Camera) -> None:
    (camera.folder / "calibration.toml").write_text("learnt = 1\n", encoding="utf-8")
    identity = camera.sees()
    seen = camera.found.last()
    assert seen is not None
    assert seen.learnt
    assert unpacked(camera.found.report(identity)).read("calibration.toml") == b"learnt = 1\n"


def test_only_keeping_writes_to_disk_and_it_says_where(camera: Camera) -> None:
    identity = camera.sees()
    camera.found.picture(identity, {})
    camera.found.report(identity)
    assert list(camera.folder.iterdir()) == []
    kept = camera.found.keep(identity)
    assert kept == "reports/report-20270115-080000.zip"
    assert [path.name for path in (camera.folder / REPORTS).iterdir()] == ["report-20270115-080000.zip"]
    assert "picture.png" in zipfile.ZipFile(camera.folder / kept).namelist()


def test_reports_have_an_end_and_a_full_disk_is_said(camera: Camera) -> None:
    identity = camera.sees()
    for second in range(MOST_REPORTS):
        camera.now = 1_800_000_000.0 + second
        assert camera.found.keep(identity)
    camera.now += 1
    with pytest.raises(ReportError) as caught:
        camera.found.keep(identity)
    assert caught.value.kind == "too-many-reports"


def test_a_place_that_cannot_be_written_is_said(camera: Camera) -> None:
    (camera.folder / REPORTS).touch()
    with pytest.raises(ReportError) as caught:
        camera.found.keep(camera.sees())
    assert caught.value.kind == "disk-full"


def test_the_companion_says_what_kind_of_table_it_is_and_nothing_of_the_players(tmp_path: Path) -> None:
    with Host(Config(), Options(tmp_path, simulate=True)) as host:
        around = host.shown.circumstances()
    assert (around.simulated, around.camera, around.roll) == (True, "auto", "")
