"""The door `boxlid read`: what it prints, in which order, and its exit codes."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli import main
from companion.words import catalogues
from tests.lids import FOLDER, true_lids
from vision.image.arrays import Image
from vision.reader import read_dice
from vision.reading import Leaning, Reading

LIDS = true_lids()
EASY = next(lid.path for lid in LIDS if lid.group == "easy")
KEYS = ["photo", "certain", "problems", "lid", "place", "milliseconds", "dice"]
DIE_KEYS = ["colour", "pips", "x", "y", "size", "confidence", "doubtful"]

Answer = dict[str, object]


def answers(capsys: pytest.CaptureFixture[str]) -> list[Answer]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_an_answer_has_exactly_the_promised_keys(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", "--json", str(EASY)]) == 0
    (answer,) = answers(capsys)
    assert list(answer) == KEYS
    assert answer["photo"] == str(EASY)
    assert isinstance(answer["certain"], bool)
    lid, dice = answer["lid"], answer["dice"]
    assert isinstance(lid, list)
    assert [len(corner) for corner in lid] == [2, 2, 2, 2]
    assert isinstance(dice, list)
    assert len(dice) == 6
    for die in dice:
        assert list(die) == DIE_KEYS
        assert die["pips"] in range(1, 7)
        assert 0 <= die["confidence"] <= 1
        assert die["doubtful"] is False


def test_without_json_there_is_one_line_a_photo(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", str(EASY), str(LIDS[0].path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(": ")[0] for line in lines] == [str(EASY), str(LIDS[0].path)]


def test_forty_photos_are_answered_in_the_order_asked_and_bad_ones_do_not_stop_the_rest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = tmp_path / "bad.jpg"
    bad.write_bytes(b"no picture at all")
    photos = [lid.path for lid in LIDS for _ in range(2)][:38]
    photos = [tmp_path / "missing.jpg", *photos[:20], bad, *photos[20:]]
    assert main(["read", "--json", *map(str, photos)]) == 1
    found = answers(capsys)
    assert [a["photo"] for a in found] == [str(p) for p in photos]
    for index in (0, 21):
        assert found[index]["certain"] is False
        assert found[index]["problems"]
        assert found[index]["lid"] is None
        assert found[index]["dice"] == []


def test_the_same_photo_gets_the_same_answer_each_time(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", "--json", str(EASY), str(EASY)]) == 0
    first, second = answers(capsys)
    assert first["dice"] == second["dice"]


def test_a_photo_that_is_not_certain_is_no_failure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    photo = tmp_path / "grey.png"
    assert cv2.imwrite(str(photo), np.full((300, 400, 3), 128, np.uint8))
    assert main(["read", "--json", str(photo)]) == 0
    (answer,) = answers(capsys)
    assert answer["certain"] is False


@pytest.mark.parametrize(
    ("expect", "said"),
    [
        ("white,purple", '"purple"'),
        ("red,red", "2 red dice, a set has 1"),
        ("white,white,white", "3 white dice, a set has 2"),
        ("", '""'),
        ("red,,blue", '""'),
    ],
)
def test_a_wrong_expect_is_one_line_and_code_two(
    expect: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["read", "--expect", expect, str(EASY)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    (line,) = captured.err.splitlines()
    assert said in line


def test_expect_and_any_exclude_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["read", "--any", "--expect", "red", str(EASY)])
    assert stopped.value.code == 2


def test_a_locked_colour_is_not_expected(capsys: pytest.CaptureFixture[str]) -> None:
    locked = next(lid for lid in LIDS if lid.group == "locked")
    assert main(["read", "--json", "--expect", ",".join(locked.expected), str(locked.path)]) == 0
    (answer,) = answers(capsys)
    dice = answer["dice"]
    assert isinstance(dice, list)
    assert {d["colour"] for d in dice} == set(locked.expected)


def test_any_reads_dice_outside_the_lid_too_and_knows_no_lid(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", "--json", "--any", str(FOLDER / "stacked-or-missing_1075.jpg")]) == 0
    (answer,) = answers(capsys)
    assert answer["lid"] is None
    dice = answer["dice"]
    assert isinstance(dice, list)
    assert len(dice) >= 5


def test_a_missing_calibration_is_one_line_and_code_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", "--calibration", "/nowhere/table.toml", str(EASY)]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert "boxlid calibrate" in line


def test_an_overlay_is_drawn_for_every_photo(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "seen"
    assert main(["read", "--overlay", str(folder), str(EASY), str(EASY)]) == 0
    pictures = sorted(folder.iterdir())
    assert len(pictures) == 2
    drawn, photo = cv2.imread(str(pictures[0])), cv2.imread(str(EASY))
    assert drawn is not None
    assert photo is not None
    assert drawn.shape[1] == photo.shape[1]
    assert np.abs(drawn[: photo.shape[0]].astype(int) - photo).max() > 100


def test_places_are_in_pixels_of_the_picture_as_it_was_given(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    large = tmp_path / "large.png"
    image = cv2.imread(str(EASY))
    assert image is not None
    assert cv2.imwrite(str(large), cv2.resize(image, None, fx=4, fy=4, interpolation=cv2.INTER_CUBIC))
    assert main(["read", "--json", str(EASY), str(large)]) == 0
    small_answer, large_answer = answers(capsys)
    small_dice, large_dice = small_answer["dice"], large_answer["dice"]
    assert isinstance(small_dice, list)
    assert isinstance(large_dice, list)
    for die in small_dice:
        near = min(np.hypot(4 * die["x"] - d["x"], 4 * die["y"] - d["y"]) for d in large_dice)
        assert near < die["size"]


def test_problems_are_told_in_the_words_of_the_pages(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["read", str(EASY), "--expect", "white,white,red,yellow,blue"]
    words = catalogues()["en"].problem("die-not-in-play", ("green",))
    assert main(asked) == 0
    assert capsys.readouterr().out.rstrip().endswith(words)
    assert main([*asked, "--json"]) == 0
    (answer,) = answers(capsys)
    assert answer["problems"] == [words]


@pytest.mark.parametrize("rule", list(Leaning))
def test_the_rule_of_the_house_for_dice_that_lean_reaches_the_reader(
    rule: Leaning, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[Leaning] = []

    def read(image: Image, expected: object, calibration: object, leaning: Leaning) -> Reading:
        asked.append(leaning)
        return read_dice(image, leaning=leaning)

    monkeypatch.setattr("companion.commands.reading.read_dice", read)
    assert main(["read", "--json", "--leaning", rule.value, str(EASY)]) == 0
    assert asked == [rule]
    assert answers(capsys)[0]["certain"]
