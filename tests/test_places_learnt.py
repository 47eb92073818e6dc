"""A table without a box lid is learnt too: found by itself, told by its corners, or all that is seen."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.cli import main
from vision.calibration.learning import calibrate
from vision.image.arrays import Image
from vision.memory import calibration as calibrations
from vision.memory.calibration import Calibration
from vision.place.aligning import align
from vision.place.lid import Lid
from vision.reader import read_dice
from vision.reading import ProblemKind

FOLDER = Path(__file__).parent / "pictures" / "places" / "table"
TRUTH = {truth["file"]: truth for truth in map(json.loads, (FOLDER / "truth.jsonl").read_text().splitlines())}
EMPTY, DICE, THROW = "empty.jpg", "calibrate.jpg", "throw_00.jpg"
PICTURES = ["calibrate", "--empty", str(FOLDER / EMPTY), "--dice", str(FOLDER / DICE)]
ROUND = " ".join(f"{x},{y}" for x, y in TRUTH[EMPTY]["place"][::8])


def picture(name: str, place: str = "table") -> Image:
    image = cv2.imread(str(FOLDER.parent / place / name))
    assert image is not None
    return image.astype(np.uint8, copy=False)


def thrown(place: str = "table") -> list[tuple[str, int]]:
    truths = map(json.loads, (FOLDER.parent / place / "truth.jsonl").read_text().splitlines())
    dice = next(truth["dice"] for truth in truths if truth["file"] == THROW)
    return sorted((die["colour"], die["true_pips"]) for die in dice)


@pytest.mark.parametrize(("place", "corners"), [("auto", True), ("whole", False), (ROUND, True)])
def test_a_round_tray_is_learnt_and_its_throws_are_read(
    place: str, corners: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "table.toml"
    assert main([*PICTURES, "--out", str(out), "--place", place]) == 0
    capsys.readouterr()
    known = calibrations.load(out)
    assert (known.lid is not None) == corners
    assert known.lid is None or len(known.lid) >= 8
    assert calibrations.load(out) == known
    assert main(["read", "--json", "--calibration", str(out), str(FOLDER / THROW)]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["certain"]
    assert answer["lid"] is None
    assert (answer["place"] is not None) == corners
    assert sorted((die["colour"], die["pips"]) for die in answer["dice"]) == thrown()


@pytest.mark.parametrize(
    ("place", "says"),
    [
        ("somewhere", "--place wants auto, whole or at least three corners"),
        ("1,2 3,4", "at least three corners"),
        ("1,2 3,4 5,nan", "at least three corners"),
        ("0,0 100,0 100,9000", "corners in the picture of 640 by 480 pixels"),
        ("0,0 400,400 400,0 0,400", "go round a place"),
        ("0,0 9,0 9,9", "go round a place"),
        (" ".join(f"{n},{n % 7}" for n in range(40)), "at most 24 corners, got 40"),
    ],
)
def test_a_place_that_is_none_is_refused_in_one_line(
    place: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*PICTURES, "--out", str(tmp_path / "table.toml"), "--place", place]) != 0
    (line,) = capsys.readouterr().err.splitlines()
    assert says in line
    assert not list(tmp_path.iterdir())


KNOCKS = [(2, 7, -5), (-3, 12, 9), (6, 20, -15)]  # degrees, pixels across and down
FREE = Lid(((228, 85), (300, 60), (455, 140), (452, 330), (318, 375), (280, 300), (215, 290)))  # bent inwards


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Calibration]:
    """A place of each shape, learnt."""
    folder = tmp_path_factory.mktemp("shapes")
    learnt = {}
    for name, place, taught, whole in (
        ("round", "table", None, False),
        ("hexagon", "hexagon", None, False),
        ("free", "hexagon", FREE, False),
        ("whole", "bare", None, True),
        ("whole with prints", "table", None, True),
    ):
        empty, dice = (picture(each, place) for each in (EMPTY, DICE))
        known = calibrate(empty, dice, None, taught, whole).calibration
        assert known is not None
        learnt[name] = calibrations.save(known, folder / f"{name}.toml", empty)
    return learnt


@pytest.mark.parametrize("knock", KNOCKS)
@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("round", "table"),
        ("hexagon", "hexagon"),
        ("free", "hexagon"),
        ("whole", "bare"),
        ("whole with prints", "table"),
    ],
)
def test_after_a_knock_at_the_camera_a_place_of_any_shape_is_found_and_read(
    name: str, place: str, knock: tuple[int, int, int], tables: dict[str, Calibration]
) -> None:
    """The whole picture moves: the place and what lies round it. What is printed there is no die."""
    known = tables[name]
    bumped, move = knocked(picture(THROW, place), knock)
    found = align(bumped, known)
    assert (found is None) == (known.lid is None)
    if found is not None and known.lid is not None:
        there = np.array(known.lid) @ move[:, :2].T + move[:, 2]
        assert np.abs(found.points - there).max() < 2
    reading = read_dice(bumped, calibration=known)
    assert reading.certain
    assert sorted((str(die.colour), die.pips) for die in reading.dice) == thrown(place)


@pytest.mark.parametrize("degrees", [-5, 4])
def test_a_round_tray_that_was_turned_where_it_stands_is_found_by_what_is_printed_in_it(
    degrees: int, tables: dict[str, Calibration]
) -> None:
    """Its edge is where it was; nothing else on the table has moved."""
    known = tables["round"]
    assert known.lid is not None
    image = picture(THROW, "table")
    middle = np.array(known.lid).mean(axis=0)
    turn = cv2.getRotationMatrix2D((float(middle[0]), float(middle[1])), degrees, 1.0)
    turned = cv2.warpAffine(image, turn, (640, 480), borderMode=cv2.BORDER_REPLICATE)
    tray = np.zeros(image.shape[:2], np.uint8)
    grown = middle + (np.array(known.lid) - middle) * 1.05
    cv2.fillPoly(tray, [np.round(grown).astype(np.int32)], 1)
    reading = read_dice(np.where(tray[..., None] > 0, turned, image).astype(np.uint8), calibration=known)
    assert reading.certain
    assert sorted((str(die.colour), die.pips) for die in reading.dice) == thrown("table")


def knocked(image: Image, knock: tuple[int, int, int]) -> tuple[Image, NDArray[np.float64]]:
    degrees, across, down = knock
    move = cv2.getRotationMatrix2D((320, 240), degrees, 1.0)
    move[:, 2] += (across, down)
    bumped = cv2.warpAffine(image, move, (640, 480), borderMode=cv2.BORDER_REPLICATE)
    return bumped.astype(np.uint8, copy=False), np.asarray(move, np.float64)


def test_a_place_taught_that_misses_dice_is_believed_and_they_are_missed() -> None:
    half = [(x, y) for x, y in TRUTH[EMPTY]["place"] if x < 330]
    place = " ".join(f"{x},{y}" for x, y in half[::6])
    assert len(place.split()) >= 3
    assert main([*PICTURES, "--out", "/nowhere/table.toml", "--place", place]) != 0


def test_an_outline_found_that_holds_no_dice_is_doubted_aloud(monkeypatch: pytest.MonkeyPatch) -> None:
    """A score pad, say: the dice on their one ground beside it are learnt, and that is said."""
    pad = Lid(((5.0, 5.0), (90.0, 5.0), (90.0, 70.0), (5.0, 70.0)), 0.9)
    monkeypatch.setattr("vision.calibration.learning.search_lid", lambda _: pad)
    learnt = calibrate(picture(EMPTY), picture(DICE))
    assert learnt.calibration is not None
    assert learnt.calibration.lid is None
    assert ProblemKind.DIE_APART in {warning.kind for warning in learnt.warnings}
