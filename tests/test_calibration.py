"""A calibration is kept whole or not at all, and a bad file is said in one line."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.wording import refused, said
from vision.memory.calibration import (
    Calibration,
    CalibrationError,
    CameraLock,
    DieSample,
    Lab,
    Lens,
    as_toml,
    closest_pair,
    is_complete,
    load,
    save,
)
from vision.reading import ALL_SIX, DieColour

BODIES = [(90, 0, 2), (88, 1, 3), (45, 55, 35), (80, -2, 70), (45, -35, 20), (35, 10, -45)]
SAMPLES = tuple(
    DieSample(colour, Lab(*body), Lab(10, 0, 0)) for colour, body in zip(ALL_SIX, BODIES, strict=True)
)
TABLE = Calibration(640, 480, ((100, 80), (500, 90), (490, 400), (90, 390)), 31.5, SAMPLES)
LOCK = CameraLock(12000, 1.5, 2.25, 1.75, 3.5, 4000.0)


def picture(seed: int = 1) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return np.random.default_rng(seed).integers(0, 255, (480, 640, 3), np.uint8)


def test_what_is_saved_is_loaded_again(tmp_path: Path) -> None:
    kept = save(
        replace(TABLE, lock=LOCK, tilt=(-0.125, 0.25), lens=Lens(0.8125, 0.125)),
        tmp_path / "table.toml",
        picture(),
    )
    assert load(tmp_path / "table.toml") == kept
    empty = kept.empty_lid()
    assert empty is not None
    assert (empty == picture()).all()


def test_a_new_calibration_replaces_the_old_one_and_its_picture(tmp_path: Path) -> None:
    save(TABLE, tmp_path / "table.toml", picture(1))
    save(TABLE, tmp_path / "table.toml", picture(2))
    empty = load(tmp_path / "table.toml").empty_lid()
    assert empty is not None
    assert (empty == picture(2)).all()
    assert len(list(tmp_path.iterdir())) == 2


def test_a_write_that_fails_leaves_the_old_calibration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "table.toml"
    save(TABLE, path)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("vision.memory.calibration.os.fsync", full)
    with refused(CalibrationError, match="No space left"):
        save(replace(TABLE, die_edge=44.0), path)
    assert load(path) == TABLE


@given(
    st.tuples(st.floats(0, 100), st.floats(-120, 120), st.floats(-120, 120)),
    st.floats(2, 400),
    st.none() | st.floats(0, 30),
)
def test_any_calibration_survives_the_round_trip(
    tmp_path_factory: pytest.TempPathFactory,
    body: tuple[float, float, float],
    edge: float,
    lens: float | None,
) -> None:
    path = tmp_path_factory.mktemp("round") / "c.toml"
    samples = (DieSample(DieColour.RED, Lab(*body), Lab(*body)),)
    lock = replace(LOCK, lens_position=lens)
    kept = save(replace(TABLE, die_edge=edge, samples=samples, lock=lock), path)
    again = load(path)
    assert again.samples[0].body.distance(kept.samples[0].body) < 0.02
    assert again.die_edge == pytest.approx(edge, abs=1e-3)
    assert as_toml(again) == as_toml(kept)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("format = 1", "format = 7", "format 7 instead of 1"),
        ("die_edge = 31.500", "die_edge = nan", "finite numbers"),
        ("die_edge = 31.500", "die_edge = 3000.0", "die of 3000"),
        ("lid = [[100.0, 80.0], ", "lid = [", "four corners"),
        ('colour = "red"', 'colour = "mauve"', "mauve"),
        ("size = [640, 480]", "size = 640", "2 numbers"),
        ("size = [640, 480]", "", "size is missing"),
        ("format = 1", "format = [", "is no calibration"),
        ("[[dice]]", "[dice]", "calibrate again"),
        ('colour = "red"', "", "colour is missing"),
    ],
)
def test_a_bad_file_is_said_in_one_line(tmp_path: Path, old: str, new: str, says: str) -> None:
    path = tmp_path / "table.toml"
    path.write_text(as_toml(TABLE).replace(old, new))
    with refused(CalibrationError, match=says) as caught:
        load(path)
    assert "\n" not in said(caught.value)


def test_a_calibration_from_before_tilts_were_kept_is_read(tmp_path: Path) -> None:
    assert "tilt" not in as_toml(TABLE)
    save(TABLE, tmp_path / "table.toml")
    assert load(tmp_path / "table.toml").tilt is None


def test_a_calibration_from_before_lenses_were_kept_is_read(tmp_path: Path) -> None:
    assert "lens =" not in as_toml(TABLE)
    save(TABLE, tmp_path / "table.toml")
    assert load(tmp_path / "table.toml").lens is None


@pytest.mark.parametrize("lens", ["[0, 0.1]", "[0.8, -1.0]", "[0.8]", '"wide"', "[nan, 0.1]"])
def test_a_lens_that_is_none_is_named(lens: str, tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text(as_toml(TABLE).replace("die_edge", f"lens = {lens}\ndie_edge", 1))
    with pytest.raises(CalibrationError, match=r"wants two numbers above 0|numbers wanted"):
        load(path)


def test_a_missing_file_says_what_to_do(tmp_path: Path) -> None:
    with refused(CalibrationError, match="run boxlid calibrate first"):
        load(tmp_path / "none.toml")


def test_bytes_that_are_no_text_are_no_calibration(tmp_path: Path) -> None:
    (tmp_path / "c.toml").write_bytes(b"\xff\xfe\x00")
    with refused(CalibrationError, match="is no calibration"):
        load(tmp_path / "c.toml")


def test_a_lost_or_broken_reference_picture_is_said(tmp_path: Path) -> None:
    kept = save(TABLE, tmp_path / "table.toml", picture())
    assert kept.reference is not None
    kept.reference.write_bytes(b"no picture")
    with refused(CalibrationError, match="calibrate again"):
        load(tmp_path / "table.toml").empty_lid()
    kept.reference.unlink()
    with refused(CalibrationError, match="is not there"):
        load(tmp_path / "table.toml")


def test_a_calibration_moved_with_its_picture_still_works(tmp_path: Path) -> None:
    save(TABLE, tmp_path / "here" / "table.toml", picture())
    (tmp_path / "here").rename(tmp_path / "there")
    assert load(tmp_path / "there" / "table.toml").empty_lid() is not None


def test_half_the_picture_has_half_the_die() -> None:
    half = TABLE.scaled(320, 240)
    assert half.die_edge == pytest.approx(TABLE.die_edge / 2)
    assert half.lid is not None
    assert half.lid[1] == (250, 45)


def test_both_white_dice_are_remembered() -> None:
    assert len(TABLE.bodies(DieColour.WHITE)) == len(TABLE.pips(DieColour.WHITE)) == 2
    assert TABLE.bodies(DieColour.BLACK) == ()
    assert is_complete(SAMPLES)
    assert not is_complete(SAMPLES[1:])


def test_the_hardest_pair_is_of_two_colours() -> None:
    near = (*SAMPLES[:3], replace(SAMPLES[3], body=Lab(88, 1, 5)), *SAMPLES[4:])
    distance, a, b = closest_pair(near)
    assert distance == pytest.approx(2.0)
    assert {a.colour, b.colour} == {DieColour.WHITE, DieColour.YELLOW}
