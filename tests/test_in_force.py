"""A new calibration takes the place of the one before, which is still there and can be put back."""

import shutil
from dataclasses import replace
from pathlib import Path

from companion.settings.state_folder import CALIBRATION
from companion.sight.in_force import CALIBRATION_BEFORE, put_in_force
from tests.test_calibration import TABLE, picture
from tests.wording import refused
from vision.memory.calibration import Calibration, CalibrationError, CalibrationFault, load

SMALL, LARGE, LARGEST = (replace(TABLE, die_edge=edge) for edge in (20.0, 40.0, 60.0))


def is_there(path: Path, wanted: Calibration, seed: int) -> bool:
    known = load(path)
    empty = known.empty_lid()
    return known.die_edge == wanted.die_edge and empty is not None and bool((empty == picture(seed)).all())


def test_the_first_one_has_none_before_it(tmp_path: Path) -> None:
    kept = put_in_force(SMALL, picture(1), tmp_path)
    assert kept.calibration == load(tmp_path / CALIBRATION)
    assert (kept.before, kept.lost) == (None, None)
    assert not (tmp_path / CALIBRATION_BEFORE).exists()


def test_of_many_the_newest_counts_and_the_one_before_is_beside_it(tmp_path: Path) -> None:
    for seed, each in enumerate((SMALL, LARGE, LARGEST)):
        kept = put_in_force(each, picture(seed), tmp_path)
    assert is_there(tmp_path / CALIBRATION, LARGEST, 2)
    assert kept.before == tmp_path / CALIBRATION_BEFORE
    assert is_there(kept.before, LARGE, 1)
    assert len(list(tmp_path.iterdir())) == 4


def test_the_one_before_is_put_back_by_a_copy(tmp_path: Path) -> None:
    put_in_force(SMALL, picture(1), tmp_path)
    put_in_force(LARGE, picture(2), tmp_path)
    shutil.copy(tmp_path / CALIBRATION_BEFORE, tmp_path / CALIBRATION)
    assert is_there(tmp_path / CALIBRATION, SMALL, 1)
    put_in_force(LARGEST, picture(3), tmp_path)
    assert is_there(tmp_path / CALIBRATION, LARGEST, 3)
    assert is_there(tmp_path / CALIBRATION_BEFORE, SMALL, 1)


def test_a_damaged_one_is_no_hindrance_and_it_is_said_why_it_is_lost(tmp_path: Path) -> None:
    (tmp_path / CALIBRATION).write_text("cheese", encoding="utf-8")
    kept = put_in_force(SMALL, picture(1), tmp_path)
    assert kept.before is None
    assert kept.lost is not None
    assert kept.lost.kind is CalibrationFault.DAMAGED
    assert kept.calibration.reference is not None
    kept.calibration.reference.write_bytes(b"no picture")
    lost = put_in_force(LARGE, picture(2), tmp_path).lost
    assert lost is not None
    assert lost.kind is CalibrationFault.NO_EMPTY_LID
    assert is_there(tmp_path / CALIBRATION, LARGE, 2)


def test_where_the_one_before_cannot_be_kept_nothing_is_replaced(tmp_path: Path) -> None:
    put_in_force(SMALL, picture(1), tmp_path)
    (tmp_path / CALIBRATION_BEFORE).mkdir()
    with refused(CalibrationError, match=CALIBRATION_BEFORE):
        put_in_force(LARGE, picture(2), tmp_path)
    assert is_there(tmp_path / CALIBRATION, SMALL, 1)
