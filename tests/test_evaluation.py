"""The figures are counted as the targets define them, and the worst pictures can be looked at."""

import json
from pathlib import Path
from typing import Any

import cv2
import pytest

from vision.cameras.clock import StepClock
from vision.reading import ALL_SIX, DieColour, Reading, SeenDie
from vision.scoring.evaluation import (
    Outcome,
    contact_sheet,
    evaluate,
    expected_dice,
    main,
    match_photo,
    outcome_of,
    report,
)
from vision.simulation.table import SimulatedCamera, SimulatedTable
from vision.simulation.throwing import DieState

PIPS = (4, 2, 5, 1, 3, 6)


def seen(pips: tuple[int, ...] = PIPS, certain: bool = True) -> Reading:
    dice = (SeenDie(colour, n, 0, 0, 30, 0.99) for colour, n in zip(ALL_SIX, pips, strict=True))
    return Reading(certain, tuple(dice))


def truth(**changes: Any) -> dict[str, Any]:  # a line of a truth file is JSON
    dice = [
        {"colour": str(colour), "pips": n, "in_lid": True, "state": "flat", "visible": 1.0, "contrast": 50.0}
        for colour, n in zip(ALL_SIX, PIPS, strict=True)
    ]
    dice[2] |= changes
    return {"dice": dice, "tags": []}


def test_a_certain_answer_is_right_only_if_all_dice_are() -> None:
    assert outcome_of(truth(), seen()) is Outcome.RIGHT
    assert outcome_of(truth(), seen((4, 2, 6, 1, 3, 6))) is Outcome.WRONG
    assert outcome_of(truth(), seen((2, 4, 5, 1, 3, 6))) is Outcome.RIGHT


def test_asking_is_right_only_where_nobody_could_be_certain() -> None:
    assert outcome_of(truth(), seen(certain=False)) is Outcome.ASKED
    for change in ({"state": "cocked", "pips": None}, {"in_lid": False}, {"visible": 0.5}, {"contrast": 3.0}):
        assert outcome_of(truth(**change), seen(certain=False)) is Outcome.RIGHT
    assert outcome_of(truth(state="cocked", pips=None), seen()) is Outcome.WRONG


def test_locked_dice_are_not_expected() -> None:
    assert expected_dice({"tags": ["bumped", "locked:red,blue"]}) == (
        DieColour.WHITE,
        DieColour.WHITE,
        DieColour.YELLOW,
        DieColour.GREEN,
    )


def test_photographs_are_matched_by_place_nearest_first() -> None:
    entry = {
        "dice": [
            {"x": 100, "y": 100, "size": 40, "pips": 3, "colour": "red"},
            {"x": 150, "y": 100, "size": 40, "pips": 5, "colour": "purple"},
            {"x": 300, "y": 300, "size": 40, "pips": "unclear", "colour": "red"},
        ]
    }
    dice = (
        SeenDie(DieColour.RED, 3, 102, 99, 40, 1.0),
        SeenDie(DieColour.OTHER, 4, 148, 103, 40, 1.0),
        SeenDie(DieColour.RED, 1, 310, 300, 40, 1.0),
        SeenDie(DieColour.RED, 1, 500, 500, 40, 1.0),
    )
    counts = match_photo(entry, dice)
    assert (counts["dice"], counts["found"], counts["pips right"], counts["misread"]) == (2, 2, 1, 1)
    assert (counts["coloured"], counts["colour right"], counts["extra"], counts["whole"]) == (1, 1, 1, 0)


def written(table: SimulatedTable, folder: Path, name: str, kind: str) -> dict[str, Any]:
    """A picture and its line of truth, as the renders have them."""
    camera = SimulatedCamera(table)
    camera.open()
    cv2.imwrite(str(folder / name), camera.frame().image)
    dice = [
        {
            "colour": str(die.colour),
            "pips": die.pips,
            "in_lid": die.state is not DieState.OUTSIDE,
            "state": str(die.state),
        }
        for die in table.truth().dice
    ]
    return {"file": name, "kind": kind, "preset": "easy", "tags": [], "dice": dice}


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One fixed table with two throws, as files."""
    folder = tmp_path_factory.mktemp("tables")
    place = folder / "table_000"
    place.mkdir()
    table = SimulatedTable(2, clock=StepClock())
    lines = [written(table, place, "empty.jpg", "empty")]
    table.lay_out()
    lines.append(written(table, place, "calibrate.jpg", "calibrate"))
    for number in range(2):
        table.throw()
        table.clock.wait(2)
        lines.append(written(table, place, f"throw_{number:02d}.jpg", "throw"))
    (place / "truth.jsonl").write_text("\n".join(json.dumps(line) for line in lines))
    return folder


def test_a_table_is_calibrated_and_its_throws_are_judged(tables: Path, tmp_path: Path) -> None:
    found = evaluate(tables, tmp_path)
    assert [judged.path.name for judged in found.judged] == ["throw_00.jpg", "throw_01.jpg"]
    assert (tmp_path / "table_000.toml").exists()
    assert all(judged.outcome is not Outcome.WRONG for judged in found.judged)
    text = report([tables], tmp_path)
    assert "ALL                  right" in text
    assert "time total" in text
    assert "peak memory" in text


def test_single_lids_are_judged_by_their_preset(tables: Path, tmp_path: Path) -> None:
    text = report([tables / "table_000"], tmp_path)
    assert "4 pictures" in text
    assert "  table_000 " in text


def test_the_worst_pictures_are_drawn_side_by_side(tables: Path, tmp_path: Path) -> None:
    found = evaluate(tables, tmp_path)
    sheet = contact_sheet(found.judged, columns=2)
    assert sheet.shape[1] == 960


def test_a_folder_of_no_known_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"holds no truth\.jsonl"):
        evaluate(tmp_path, tmp_path)


def test_the_module_prints_its_tables(
    tables: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tables), "--work", str(tmp_path), "--sheet", str(tmp_path / "worst.png")]) == 0
    assert "WRONG 0" in capsys.readouterr().out
