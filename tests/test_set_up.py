"""Setting a table up: each step kept, nothing half in force, every mishap said, the game undisturbed."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from companion.host.set_up import lessons
from companion.host.set_up.places import Ground
from companion.host.set_up.progress import FILE, FOLDER, Progress, ProgressError, keep, load
from companion.settings.state_folder import CALIBRATION
from companion.sight.in_force import CALIBRATION_BEFORE
from companion.table.eyes import Place
from companion.view.setting_up import (
    ROLLS_WANTED,
    AcceptCamera,
    ChooseLanguage,
    FindLid,
    JudgeRoll,
    KeepCorners,
    ReadRoll,
    SetUpFault,
    SetUpRefused,
    Shape,
    Step,
    TakeDice,
    TakeEmpty,
)
from tests.fake_set_up import CORNERS
from tests.setting_up import (
    MOST_TRIES,
    PAGE,
    bench,
    confirm,
    do,
    in_force,
    learnt,
    read_in_the_game,
    running,
    start_a_game,
)
from tests.wording import refused
from vision.cameras.camera import CameraError, CameraSays, Frame
from vision.cameras.clock import RealClock
from vision.image.arrays import Image
from vision.memory import calibration
from vision.memory.calibration import CameraLock
from vision.reading import DieColour
from vision.simulation.table import Fault, SimulatedTable

SOON = 0.5  # seconds that are waited for a camera that will not answer

# --- from nothing to a calibrated reading ----------------------------------------------------------------


def test_a_simulated_table_is_set_up_from_nothing_to_a_calibrated_reading(tmp_path: Path) -> None:
    with running(tmp_path) as host:
        host.setting_up.here(PAGE, take=True)
        assert host.setting_up.view().step is Step.LANGUAGE
        do(host, ChooseLanguage("de"))
        learnt(host)
        assert not in_force(host)
        view = confirm(host, ROLLS_WANTED)
        assert view.in_force
        assert in_force(host)
        known = host.looker.calibration
        assert known is not None
        assert known.reference is not None
        assert known.reference.parent == host.home
        assert Step.ROLLS in view.done
        host.setting_up.leave(PAGE)
        assert not host.setting_up.is_on
        start_a_game(host)
        assert read_in_the_game(host).looker.calibration is known


def test_what_is_half_learnt_is_never_in_force_and_a_restart_goes_on_where_it_was(tmp_path: Path) -> None:
    with running(tmp_path) as host:
        host.setting_up.here(PAGE, take=True)
        learnt(host)
        confirm(host, ROLLS_WANTED - 1)
        assert not in_force(host)
    with running(tmp_path) as host:
        assert host.looker.calibration is None
        view = host.setting_up.here(PAGE, take=True)
        assert view.right == ROLLS_WANTED - 1
        assert view.step is Step.LANGUAGE  # the first that was left out
        assert {Step.DICE, Step.ROLLS} & set(view.done) == {Step.DICE}
        assert confirm(host, 1).in_force
    with running(tmp_path) as host:
        assert host.looker.calibration is not None


def test_a_new_table_replaces_the_old_one_only_once_it_is_confirmed_and_the_old_one_stays_beside(
    tmp_path: Path,
) -> None:
    with running(tmp_path) as host:
        host.setting_up.here(PAGE, take=True)
        learnt(host)
        assert confirm(host, ROLLS_WANTED).before == ""
        old = host.looker.calibration
        kept = (host.home / CALIBRATION).read_bytes()
        learnt(host)
        view = confirm(host, 1)
        assert view.right == 1
        assert host.looker.calibration is old
        assert (host.home / CALIBRATION).read_bytes() == kept
        assert old is not None
        assert old.empty_lid() is not None
        view = confirm(host, ROLLS_WANTED - 1)
        assert host.looker.calibration is not old
        assert view.before == str(host.home / CALIBRATION_BEFORE)
        assert replace(calibration.load(host.home / CALIBRATION_BEFORE), reference=old.reference) == old


def test_a_roll_read_wrongly_sends_back_to_the_dice(tmp_path: Path) -> None:
    with running(tmp_path) as host:
        host.setting_up.here(PAGE, take=True)
        learnt(host)
        view = confirm(host, 2)
        while view.roll is None or view.roll.judged or not view.roll.certain:
            view = do(host, ReadRoll())
        view = do(host, JudgeRoll(view.roll.id, right=False))
        assert Step.DICE not in view.done
        assert view.right == 0
        assert [each.kind for each in view.troubles] == ["read-wrong"]
        assert view.troubled is Step.DICE
        with pytest.raises(SetUpRefused) as refused:
            do(host, ReadRoll())
        assert refused.value.fault is SetUpFault.TOO_EARLY


# --- mishaps ---------------------------------------------------------------------------------------------


def test_a_missing_die_is_named_and_trying_again_helps(tmp_path: Path) -> None:
    with bench(tmp_path) as at:
        at.with_empty_lid()
        at.lid.take_out(DieColour.GREEN)
        at.lid.lay_out()
        view = at.do(TakeDice())
        assert [(each.kind, each.colours) for each in view.troubles] == [("die-missing", ("green",))]
        assert Step.DICE not in view.done
        assert len(view.dice) == 5
        assert view.troubled is Step.DICE
        at.lid.put_back()
        at.lid.lay_out()
        view = at.do(TakeDice())
        assert (at.kinds(view), Step.DICE in view.done) == ([], True)


def test_what_looks_like_dice_in_the_empty_lid_is_said_and_stops_nobody(tmp_path: Path) -> None:
    with bench(tmp_path) as at:
        at.with_corners()
        at.lid.lay_out()
        view = at.do(TakeEmpty())
        assert at.kinds(view) == ["like-a-die"]
        assert view.troubled is Step.EMPTY
        assert Step.EMPTY in view.done  # it may be printed on the lid


def test_dice_that_lay_in_the_empty_lid_are_not_learnt(tmp_path: Path) -> None:
    with bench(tmp_path) as at:
        at.with_corners()
        at.lid.lay_out()
        at.do(TakeEmpty())
        view = at.do(TakeDice())
        assert at.kinds(view) == ["die-missing", "lid-not-empty"]
        assert Step.DICE not in view.done


def test_after_a_die_that_lay_in_the_empty_lid_and_went_elsewhere_that_picture_is_to_be_taken_again(
    tmp_path: Path,
) -> None:
    with bench(tmp_path) as at:
        at.with_corners()
        at.lid.throw()
        at.do(TakeEmpty())
        assert Step.EMPTY in at.do(TakeEmpty()).done
        at.lid.lay_out()
        view = at.do(TakeDice())
        assert at.kinds(view) == ["die-was-left"]
        assert view.troubled is Step.EMPTY  # the page goes back there, and says why
        assert not {Step.EMPTY, Step.DICE} & set(view.done)


def test_a_hand_over_the_dice_is_noticed(tmp_path: Path) -> None:
    with bench(tmp_path, hurry=1) as at:  # it is told from how the empty lid looked a moment ago
        at.with_empty_lid()
        at.lid.lay_out()
        at.lid.begin(Fault.HAND)
        assert at.kinds(at.do(TakeDice())) == ["hand"]
        at.lid.end(Fault.HAND)
        assert at.kinds(at.do(TakeDice())) == []


def test_a_lid_pushed_between_the_pictures_is_noticed(tmp_path: Path) -> None:
    with bench(tmp_path) as at:
        at.with_empty_lid()
        at.lid.bump(millimetres=15, degrees=3)
        at.lid.lay_out()
        assert at.kinds(at.do(TakeDice())) == ["lid-moved"]


def test_an_unplugged_camera_is_said_and_goes_on_once_it_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lessons, "PICTURE_SECONDS", SOON)
    with bench(tmp_path) as at:
        at.with_corners()
        at.lid.begin(Fault.UNPLUGGED)
        view = at.do(TakeEmpty())
        assert at.kinds(view) == ["camera"]
        assert at.set_up.live() is None
        assert at.set_up.sight().light is None
        at.lid.end(Fault.UNPLUGGED)
        for _ in range(MOST_TRIES):
            view = at.do(TakeEmpty())
            if not view.troubles:
                break
        assert Step.EMPTY in view.done


class Blank:
    """A camera over a bare table."""

    name = "blank"

    def __init__(self, image: Image) -> None:
        self.image, self._number, self._clock = image, 0, RealClock()

    def open(self) -> None:
        pass

    def frame(self, timeout: float = 3.0) -> Frame:
        self._clock.wait(0.05)
        self._number += 1
        self.image = np.bitwise_xor(self.image, np.uint8(1))  # never twice the same: it is not frozen
        return Frame(self.image, self._number, self._clock.now())

    def close(self) -> None:
        pass


def bare_table() -> Image:
    picture = SimulatedTable(3).picture(1)
    return picture[:160, :200].repeat(4, axis=0).repeat(4, axis=1)


def test_a_camera_error_names_no_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lessons, "PICTURE_SECONDS", SOON)

    class Dead(Blank):
        def open(self) -> None:
            raise CameraError(CameraSays.NO_USB_CAMERA, number=0)

    with bench(tmp_path, Dead(bare_table())) as at:
        assert at.kinds(at.do(FindLid())) == ["camera"]
        assert at.set_up.picture("lid") is None


def test_where_no_lid_is_found_the_corners_can_be_put_by_hand(tmp_path: Path) -> None:
    with bench(tmp_path, Blank(bare_table())) as at:
        view = at.do(FindLid())
        assert not view.corners_found
        assert (view.shape, view.corners) == (Shape.WHOLE, ())
        assert len(view.troubles) == 1
        assert view.troubled is Step.LID
        assert Step.LID in at.do(KeepCorners(CORNERS, moved=True)).done


def test_corners_put_by_hand_are_those_of_the_learnt_table(tmp_path: Path) -> None:
    with bench(tmp_path) as at:
        found = at.do(FindLid())
        moved = tuple(Place(place.x + 0.004, place.y) for place in found.corners)
        at.do(KeepCorners(moved, moved=True))
        at.do(TakeEmpty())
        at.lid.lay_out()
        assert at.kinds(at.do(TakeDice())) == []
        known = calibration.load(at.home / FOLDER / CALIBRATION)
        assert known.lid is not None
        assert known.lid[0] == pytest.approx((moved[0].x * 1024 - 0.5, moved[0].y * 768 - 0.5), abs=0.01)


def test_what_cannot_be_kept_is_said_and_nothing_is_changed(tmp_path: Path) -> None:
    with bench(tmp_path) as at:
        shutil.rmtree(at.home, ignore_errors=True)
        at.home.write_text("a file where the folder should be")
        with pytest.raises(SetUpRefused) as refused:
            at.do(AcceptCamera())
        assert refused.value.fault is SetUpFault.DISK
        assert at.set_up.view().done == ()


def test_a_damaged_file_is_said_and_the_steps_begin_anew(tmp_path: Path) -> None:
    home = tmp_path / "simulated-3-1280x720"
    keep(Progress(done=frozenset({Step.LANGUAGE})), home / FOLDER)
    assert load(home / FOLDER).done == {Step.LANGUAGE}
    (home / FOLDER / FILE).write_text('{"format": 1, "done": ["language"], "camera": 3}')
    with refused(ProgressError, match="cannot be read"):
        load(home / FOLDER)
    with running(tmp_path) as host:
        assert any("its steps begin anew" in note for note in host.notes)
        assert host.setting_up.view().done == ()
        assert Step.CAMERA in do(host, AcceptCamera()).done  # and it can be kept again
    assert load(home / FOLDER).done == {Step.CAMERA}


def test_what_is_kept_is_read_back(tmp_path: Path) -> None:
    progress = Progress(
        frozenset({Step.LANGUAGE, Step.LID}),
        "de",
        "usb:2",
        Ground(corners=CORNERS),
        True,
        CameraLock(8000, 2.5, 1.7, 1.9, kelvin=4100.0),
        2,
        ("red",),
        ("seat 1",),
        ("Anna", "Jörg"),
    )
    keep(progress, tmp_path)
    assert load(tmp_path) == progress
    assert [path.name for path in tmp_path.iterdir()] == [FILE]
    broken = json.loads((tmp_path / FILE).read_text())
    (tmp_path / FILE).write_text(json.dumps(broken | {"camera": "webcam of aunt"}))
    with pytest.raises(ProgressError):
        load(tmp_path)
