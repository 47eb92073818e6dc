"""What can go wrong at the lid, through real pixels: the table says what to do, keeps its game, goes on."""

from pathlib import Path

import pytest

from companion.game import Phase, SheetCorrected
from companion.rules import Colour, Sheet
from companion.table.eyes import EyesState, Notice
from companion.table.snapshot import Snapshot
from companion.table.table import Command
from tests.lid_rig import LidRig, lid_rig
from vision.reading import ALL_SIX, DieColour
from vision.simulation.table import Fault
from vision.simulation.throwing import DieState


def kinds(snapshot: Snapshot) -> list[str]:
    return [notice.kind for notice in snapshot.eyes.notices]


def goes_on(rig: LidRig) -> None:
    """The next throw is read, as it lies there."""
    rig.throw()
    snapshot = rig.press()
    assert snapshot.eyes.state is EyesState.READY, snapshot.eyes
    assert rig.rolled() == rig.lying()


def still_waits(rig: LidRig, kept: int) -> None:
    """Nothing was rolled, nothing kept."""
    assert rig.game.phase is Phase.ROLL
    assert rig.journal.next_id == kept


def test_a_camera_unplugged_is_said_and_once_it_is_back_the_next_throw_is_read(tmp_path: Path) -> None:
    with lid_rig(tmp_path) as rig:
        kept = rig.journal.next_id
        rig.lid.begin(Fault.UNPLUGGED)
        rig.watch(1)
        trouble = rig.until(lambda now: now.eyes.state is EyesState.TROUBLE)
        assert kinds(trouble) == ["camera"]
        still_waits(rig, kept)
        rig.lid.end(Fault.UNPLUGGED)
        rig.watch(3)
        assert kinds(rig.until(lambda now: now.eyes.state is EyesState.READY)) == []
        goes_on(rig)


def test_a_camera_unplugged_in_the_middle_of_a_look_is_said_and_forgotten_once_it_is_back(
    tmp_path: Path,
) -> None:
    with lid_rig(tmp_path) as rig:
        rig.throw()
        rig.lid.begin(Fault.UNPLUGGED)  # the watch has not seen it yet
        assert kinds(rig.press()) == ["camera"]
        rig.lid.end(Fault.UNPLUGGED)
        rig.watch(3)
        rig.until(lambda now: now.eyes.state is EyesState.READY)
        goes_on(rig)


@pytest.mark.parametrize(
    ("fault", "kind"), [(Fault.BLACK, "black"), (Fault.BLINDED, "blinded"), (Fault.FROZEN, "frozen")]
)
def test_a_camera_that_shows_nothing_useful_is_said_with_what_to_do(
    fault: Fault, kind: str, tmp_path: Path
) -> None:
    with lid_rig(tmp_path) as rig:
        rig.lid.begin(fault)
        rig.watch(4)
        assert kinds(rig.until(lambda now: now.eyes.state is EyesState.TROUBLE)) == [kind]
        rig.lid.end(fault)
        rig.watch(3)
        rig.until(lambda now: now.eyes.state is EyesState.READY)
        goes_on(rig)


def test_in_the_dark_dice_are_read_right_or_a_light_is_asked_for(tmp_path: Path) -> None:
    with lid_rig(tmp_path) as rig:
        rig.throw()
        rig.lid.begin(Fault.LIGHT_OFF)
        rig.watch(3)
        snapshot = rig.press()
        if snapshot.eyes.state is EyesState.READY:
            assert rig.rolled() == rig.lying()
        else:
            assert rig.game.phase is Phase.ROLL
            assert kinds(snapshot)
            rig.lid.end(Fault.LIGHT_OFF)
            rig.watch(3)
            goes_on(rig)


def test_a_lid_that_was_bumped_is_read_where_it_lies_now(tmp_path: Path) -> None:
    with lid_rig(tmp_path) as rig:
        rig.throw()
        rig.lid.bump(12, 4)
        rig.clock.wait(1)
        assert rig.press().eyes.state is EyesState.READY
        assert rig.rolled() == rig.lying()


def test_under_a_hand_nothing_is_guessed(tmp_path: Path) -> None:
    with lid_rig(tmp_path) as rig:
        goes_on(rig)
        kept = rig.journal.next_id
        rig.lid.begin(Fault.HAND)
        rig.clock.wait(0.5)
        snapshot = rig.press(again=True)
        assert snapshot.eyes.state in (EyesState.ASK, EyesState.TROUBLE)
        assert kinds(snapshot)
        assert rig.journal.next_id == kept  # what was rolled stays as it is


@pytest.mark.parametrize("state", [DieState.COCKED, DieState.OUTSIDE])
def test_a_die_that_leans_or_fell_on_the_floor_is_never_guessed(state: DieState, tmp_path: Path) -> None:
    with lid_rig(tmp_path, seed=8) as rig:
        rig.lid.faults = 1.0
        rig.throw()
        while state not in {die.state for die in rig.lid.truth().dice}:
            rig.throw()
        kept = rig.journal.next_id
        snapshot = rig.press()
        assert snapshot.eyes.state is EyesState.ASK
        assert kinds(snapshot)
        still_waits(rig, kept)
        rig.lid.nudge()
        rig.clock.wait(3)
        rig.lid.faults = 0.0
        goes_on(rig)


def test_a_die_that_is_missing_is_named(tmp_path: Path) -> None:
    with lid_rig(tmp_path, dice=[die for die in ALL_SIX if die is not DieColour.BLUE]) as rig:
        rig.throw()
        snapshot = rig.press()
        assert snapshot.eyes.state is EyesState.ASK
        assert snapshot.eyes.notices[0] == Notice("die-missing", ("blue",))
        rig.lid.put_back()
        goes_on(rig)


def test_a_locked_die_still_in_the_lid_is_asked_out_first(tmp_path: Path) -> None:
    with lid_rig(tmp_path) as rig:
        rig.table.play(Command(SheetCorrected(0, 0, Sheet.parse("R2 R3 R4 R5 R6 R12"))))
        assert Colour.RED in rig.game.closed
        rig.throw()
        snapshot = rig.press()
        assert snapshot.eyes.state is EyesState.ASK
        assert snapshot.eyes.notices[0] == Notice("die-not-in-play", ("red",))
        rig.lid.take_out(DieColour.RED)
        goes_on(rig)


def test_a_seventh_die_is_asked_out(tmp_path: Path) -> None:
    with lid_rig(tmp_path, dice=(*ALL_SIX, DieColour.GREEN)) as rig:
        rig.throw()
        snapshot = rig.press()
        assert snapshot.eyes.state is EyesState.ASK
        assert snapshot.eyes.notices[0] == Notice("die-extra", ("green",))
        rig.lid.take_out(DieColour.GREEN)
        goes_on(rig)
