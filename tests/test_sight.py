"""The figures are counted as the targets define them; the curve and its bound; pictures spoilt on purpose."""

import json
import signal
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from zlib import crc32

import cv2
import numpy as np
import pytest

from companion.cli import main
from tests.lids import true_lids
from vision.cameras.clock import StepClock
from vision.reader import read_dice
from vision.reading import ALL_SIX, DieColour, Problem, ProblemKind, Reading, SeenDie
from vision.scoring.curve import points_of, upper_bound
from vision.scoring.evaluation import Judged, JudgedPart
from vision.scoring.outcomes import (
    Claim,
    Outcome,
    claim_of,
    doubted_in_vain,
    match_photo,
    misled_by,
    outcome_of,
    taps_of,
)
from vision.scoring.report import Report
from vision.scoring.sources import Source, simulated, sources_in
from vision.scoring.spoiling import ANOTHER_VIEW, WAYS, outline_of, spoilt
from vision.scoring.truth import TrueDie, TrueScene, expected_dice
from vision.simulation.table import SimulatedCamera, SimulatedTable
from vision.simulation.throwing import DieState

PIPS = (4, 2, 5, 1, 3, 6)
PLACES = [(100.0 * i, 100.0) for i in range(6)]


def seen(pips: Sequence[int] = PIPS, certain: bool = True, doubtful: Sequence[int] = ()) -> Reading:
    dice = tuple(
        SeenDie(colour, n, *place, 30, 0.99, doubtful=i in doubtful)
        for i, (colour, n, place) in enumerate(zip(ALL_SIX, pips, PLACES, strict=True))
    )
    return Reading(certain, dice)


def truth(**changes: Any) -> TrueScene:
    dice = [
        TrueDie(*place, 30, n, str(colour), upward=n)
        for colour, n, place in zip(ALL_SIX, PIPS, PLACES, strict=True)
    ]
    dice[2] = replace(dice[2], **changes)
    return TrueScene(Path("x.jpg"), tuple(dice))


def leaning(degrees: float) -> TrueScene:
    return truth(state="cocked", pips=None, lean=degrees)


# ---------------------------------------------------------------- right, asked, wrong


def test_a_certain_answer_is_right_only_if_all_dice_are() -> None:
    assert outcome_of(truth(), seen()) is Outcome.RIGHT
    assert outcome_of(truth(), seen((4, 2, 6, 1, 3, 6))) is Outcome.WRONG
    assert outcome_of(truth(), seen((2, 4, 5, 1, 3, 6))) is Outcome.RIGHT


def test_asking_is_right_only_where_a_person_might_ask() -> None:
    assert outcome_of(truth(), seen(certain=False)) is Outcome.ASKED
    for scene in (leaning(20), truth(in_lid=False), truth(visible=0.5), truth(contrast=3.0)):
        assert outcome_of(scene, seen(certain=False)) is Outcome.RIGHT
    assert outcome_of(leaning(10), seen(certain=False)) is Outcome.ASKED


def test_a_leaning_die_is_read_up_to_35_degrees_and_no_farther() -> None:
    assert outcome_of(leaning(30), seen()) is Outcome.RIGHT
    assert outcome_of(leaning(30), seen((4, 2, 6, 1, 3, 6))) is Outcome.WRONG
    assert outcome_of(leaning(40), seen()) is Outcome.WRONG
    assert outcome_of(truth(state="stacked"), seen()) is Outcome.WRONG


def test_taps_are_one_and_one_more_for_each_die_listed_wrong() -> None:
    assert taps_of(truth(), seen()) == 0
    assert taps_of(truth(), seen(certain=False)) == 1
    assert taps_of(truth(), seen((4, 2, 6, 1, 3, 5), certain=False)) == 3
    assert taps_of(truth(), Reading(False)) == 7
    assert taps_of(leaning(40), seen(certain=False)) is None


def test_a_wrong_number_misleads_unless_it_is_marked() -> None:
    wrong = (4, 2, 6, 1, 3, 6)
    assert misled_by(truth(), seen(wrong, certain=False)) == 1
    assert misled_by(truth(), seen(wrong, certain=False, doubtful=[2])) == 0


def test_a_mark_at_a_die_that_is_listed_right_is_in_vain() -> None:
    assert doubted_in_vain(truth(), seen(certain=False, doubtful=[2])) == 1
    assert doubted_in_vain(truth(), seen((4, 2, 6, 1, 3, 6), certain=False, doubtful=[2])) == 0
    assert doubted_in_vain(leaning(30), seen(certain=False, doubtful=[2])) == 0


def test_locked_dice_are_not_expected() -> None:
    white, yellow, green = DieColour.WHITE, DieColour.YELLOW, DieColour.GREEN
    assert expected_dice(["bumped", "locked:red,blue"]) == (white, white, yellow, green)


# ---------------------------------------------------------------- the curve


def test_a_reading_claims_what_its_least_sure_die_does() -> None:
    reading = seen(certain=False)
    dice = (replace(reading.dice[0], confidence=0.7), *reading.dice[1:])
    doubt = Problem(ProblemKind.PIPS_DOUBTFUL, (DieColour.WHITE,))
    assert claim_of(truth(), replace(reading, dice=dice, problems=(doubt,))).sure == 0.7
    missing = Problem(ProblemKind.DIE_APART, (DieColour.WHITE,))
    assert claim_of(truth(), replace(reading, dice=dice, problems=(missing,))).sure == 0
    assert claim_of(truth(), Reading(False, dice[:5], (doubt,))).sure == 0


def test_a_higher_limit_asks_more_and_is_wrong_less() -> None:
    claims = [Claim(0.6, is_true=False), Claim(0.8, is_true=True), Claim(0.95, is_true=True)]
    low, high = points_of(claims, (0.5, 0.9))
    assert (low.asked, low.wrong) == (0, 1)
    assert (high.asked, high.wrong) == (2, 0)


@pytest.mark.parametrize(
    ("hits", "count", "share"), [(0, 100, 0.0295), (1, 100, 0.0466), (0, 10_000, 0.0003), (3, 3, 1.0)]
)
def test_the_bound_is_the_one_of_the_tables(hits: int, count: int, share: float) -> None:
    assert upper_bound(hits, count) == pytest.approx(share, abs=1e-4)


# ---------------------------------------------------------------- photographs


def test_photographs_are_matched_by_place_nearest_first() -> None:
    dice = (
        TrueDie(100, 100, 40, 3, "red"),
        TrueDie(150, 100, 40, 5, "purple"),
        TrueDie(300, 300, 40, None, "red"),
    )
    listed = (
        SeenDie(DieColour.RED, 3, 102, 99, 40, 1.0),
        SeenDie(DieColour.OTHER, 4, 148, 103, 40, 0.4, doubtful=True),
        SeenDie(DieColour.RED, 1, 310, 300, 40, 1.0),
        SeenDie(DieColour.RED, 1, 500, 500, 40, 1.0),
    )
    matched = match_photo(TrueScene(Path("x"), dice), listed)
    counts = matched.counts
    assert (counts["dice"], counts["found"], counts["pips right"], counts["misread"]) == (2, 2, 1, 1)
    assert (counts["coloured"], counts["colour right"], counts["extra"], counts["whole"]) == (1, 1, 1, 0)
    assert counts["misled"] == 0
    assert sorted((claim.sure, claim.is_true) for claim in matched.claims) == [
        (0.4, False),
        (1.0, False),
        (1.0, True),
    ]


# ---------------------------------------------------------------- spoilt on purpose


@pytest.mark.parametrize("seed", [4, 5, 6])
@pytest.mark.parametrize("way", WAYS)
def test_the_truth_follows_a_spoilt_picture(way: str, seed: int) -> None:
    scene = true_lids()[0]
    image = scene.picture()
    before = image.copy()
    worse, left = WAYS[way](image, scene, np.random.default_rng(seed))
    assert np.array_equal(image, before)
    assert worse.dtype == np.uint8
    assert worse.shape == image.shape or way in ANOTHER_VIEW
    height, width = worse.shape[:2]
    for die, was in zip(left.dice, scene.dice, strict=True):
        assert die.visible <= was.visible
        x, y = outline_of(die).mean(0)
        assert np.hypot(x - die.x, y - die.y) < 0.3 * die.size
        assert (0 < die.x < width and 0 < die.y < height) == die.in_frame


def test_a_die_cut_in_half_is_seen_by_half() -> None:
    scene = true_lids()[0]
    die = scene.inside[0]
    ring = outline_of(die) - (die.x, 0)  # the left half of it is outside the picture
    there = replace(scene, dice=(replace(die, x=0.0, corners=ring),))
    moved = WAYS["resized"](scene.picture(), there, np.random.default_rng(1))[1]
    assert moved.dice[0].visible == pytest.approx(0.5, abs=0.02)


def test_a_camera_that_stands_still_sees_the_same_view() -> None:
    scene = true_lids()[0]
    for seed in range(12):
        worse = spoilt(scene.picture(), scene, np.random.default_rng(seed), fixed=True)
        assert [(die.x, die.y) for die in worse.scene.dice] == [(die.x, die.y) for die in scene.dice]


def test_a_four_that_a_shaking_camera_smears_into_a_six_is_marked() -> None:
    shot = list(simulated(4, first=8).shots)[3]
    rng = np.random.default_rng(crc32(b"8-3 10"))
    worse = spoilt(shot.image, shot.scene, rng)
    assert worse.way == "shake"
    reading = read_dice(worse.image)
    assert not reading.certain
    assert misled_by(worse.scene, reading) == 0


# ---------------------------------------------------------------- the command


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
            "x": die.x,
            "y": die.y,
            "corners": die.corners,
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


def test_a_table_is_calibrated_before_its_throws_are_read(tables: Path, tmp_path: Path) -> None:
    (source,) = sources_in(tables, tmp_path)
    shots = list(source.shots)
    assert [shot.scene.path.name for shot in shots] == ["throw_00.jpg", "throw_01.jpg"]
    assert all(shot.known is not None for shot in shots)


def test_thrown_dice_are_told_as_they_lie() -> None:
    shots = list(simulated(4, first=3).shots)
    assert len({shot.image.tobytes() for shot in shots}) == 4
    for shot in shots:
        flat = [die for die in shot.scene.dice if die.state == "flat"]
        assert all(die.lean < 1 and die.number == die.pips for die in flat)


def test_the_command_tells_each_source_and_all_of_them(
    tables: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keep = tmp_path / "kept"
    asked = ["bench", "sight", str(tables), "--throws", "2", "--spoilt", "2", "--keep", str(keep)]
    asked += ["--places", "round", "--jobs", "2"]
    assert main(asked) == 0
    told = capsys.readouterr().out
    assert "simulated table, round: 2 pictures" in told
    assert "simulated table, round, spoilt: 4 pictures" in told
    assert f"{tables}: 2 pictures" in told
    assert "limit                0.30" in told
    assert "milliseconds, median/worst: all" in told
    assert "12 readings of throws: certain and wrong" in told
    assert keep.is_dir()


def test_the_command_tells_how_long_a_picture_takes_and_what_of_it(
    tables: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", "reading", str(tables)]) == 0
    told = capsys.readouterr().out
    assert "1024 pixels along, median" in told
    assert "of it place, median of" in told
    assert "12 megapixels, opened and read, median" in told


def test_each_place_is_told_apart_and_learnt_first_where_wanted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["bench", "sight", str(tmp_path), "--throws", "1", "--places", "mat,bare", "--learnt"]
    (tmp_path / "labels.json").write_text("[]")
    assert main(asked) == 0
    told = capsys.readouterr().out
    assert "simulated table, mat, learnt first: 1 pictures" in told
    assert "simulated table, bare, learnt first: 1 pictures" in told
    assert "2 readings of throws" in told


def counted(readings: int, wrong: int = 0) -> list[Judged]:
    right, bad = (Judged("x", "g", seen(), outcome, ()) for outcome in (Outcome.RIGHT, Outcome.WRONG))
    return [bad] * wrong + [right] * (readings - wrong)


def test_a_long_run_tells_how_it_stands_and_is_stopped_by_hand_without_loss(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done = 0

    def judged(_part: object, _photographs: bool, _spoilings: int) -> JudgedPart:
        nonlocal done
        done += 1
        if done == 3:
            signal.raise_signal(signal.SIGINT)
        return JudgedPart(counted(400, 1), counted(300))

    monkeypatch.setattr("vision.scoring.report.judged_part", judged)
    told = list(Report().lines([Source("endless", (tuple,) * 50)]))
    assert told[0].startswith("so far 1400 readings of throws: certain and wrong 2, at most 0.4")
    assert done == 3
    assert "endless: 1200 pictures" in told
    assert told[-3].startswith("stopped by hand")
    assert told[-2].startswith("2100 readings of throws: certain and wrong 3")


def test_processes_that_still_read_are_not_waited_for_when_it_is_stopped() -> None:
    endless = Source("endless", (signal.pause,) * 4)  # type: ignore[arg-type]
    told: list[str] = []
    for line in Report(jobs=2).lines([simulated(1, first=3), endless]):
        if not told:
            signal.raise_signal(signal.SIGINT)
        told.append(line)
    assert told[0] == "simulated table, lid: 1 pictures"
    assert told[-3].startswith("stopped by hand")
    assert told[-2].startswith("1 readings of throws: certain and wrong 0")


@pytest.mark.parametrize(
    ("option", "says"),
    [
        (["--jobs", "0"], "from 1 to 64"),
        (["--places", "oval"], "some of lid,round"),
        (["--jobs", "x"], "whole"),
    ],
)
def test_a_choice_that_is_none_is_refused(
    option: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as refused:
        main(["bench", "sight", *option])
    assert refused.value.code == 2
    assert says in capsys.readouterr().err


def test_a_word_that_is_no_part_and_no_folder_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "nowhere"]) == 2
    assert "a part is one of" in capsys.readouterr().err
    assert main(["bench", "sight", "nowhere"]) == 2
    assert "a folder of labelled pictures is wanted" in capsys.readouterr().err


def test_a_folder_without_labelled_pictures_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", "sight", str(tmp_path), "--throws", "0"]) == 0
    assert "holds no truth.jsonl and no labels.json" in capsys.readouterr().out
