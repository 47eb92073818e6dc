"""A table without a box lid is learnt too: found by itself, told by its corners, or all that is seen."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

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


def picture(name: str) -> Image:
    image = cv2.imread(str(FOLDER / name))
    assert image is not None
    return image.astype(np.uint8, copy=False)


def thrown() -> list[tuple[str, int]]:
    return sorted((die["colour"], die["true_pips"]) for die in TRUTH[THROW]["dice"])


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


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Calibration:
    learnt = calibrate(picture(EMPTY), picture(DICE)).calibration
    assert learnt is not None
    return calibrations.save(learnt, tmp_path_factory.mktemp("round") / "table.toml", picture(EMPTY))


def test_a_round_tray_that_was_bumped_is_found_where_it_is(known: Calibration) -> None:
    """The whole picture moves: the tray and what lies round it."""
    move = cv2.getRotationMatrix2D((320, 240), 2.0, 1.0)
    move[:, 2] += (7, -5)
    bumped = cv2.warpAffine(picture(THROW), move, (640, 480), borderMode=cv2.BORDER_REPLICATE)
    place = align(bumped.astype(np.uint8, copy=False), known)
    assert place is not None
    assert known.lid is not None
    there = np.array(known.lid) @ move[:, :2].T + move[:, 2]
    assert np.abs(place.points - there).max() < 3
    reading = read_dice(bumped.astype(np.uint8, copy=False), calibration=known)
    assert reading.certain
    assert sorted((str(die.colour), die.pips) for die in reading.dice) == thrown()


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
