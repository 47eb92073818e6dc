"""From a press to a roll: every way a look at the lid can end, with a fake eye and a fake reader."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from boxlid.errors import Statement
from companion.game import Crossed, Done, Phase, Rolled, Setup, Source, Stopped
from companion.host.answers import expected_dice, roll_of
from companion.host.looking import (
    BEHIND_SECONDS,
    FAILED,
    LONGEST_SECONDS,
    NO_THROW,
    SET_UP,
    TOO_LONG,
    Looker,
    Manner,
)
from companion.journal.journal import Journal
from companion.rules import Cell, Roll
from companion.table.eyes import EyesState, Notice
from companion.table.snapshot import GameStarted, Snapshot
from companion.table.table import Command, Table
from tests.looking import FakeEye, FakeReader, Lid, certain, doubtful
from tests.waiting import PATIENCE
from vision.cameras.camera import CameraSays
from vision.cameras.watch import GOOD, CameraState, Glance, Sight
from vision.reading import ALL_SIX, Problem, ProblemKind, Reading


@pytest.fixture
def lid(tmp_path: Path) -> Iterator[Lid]:
    made = Lid(tmp_path)
    yield made
    made.close()


def test_a_press_with_six_sure_dice_is_a_roll_at_the_table(lid: Lid) -> None:
    assert lid.looker.ask()
    snapshot = lid.until(EyesState.READY)
    assert snapshot.game is not None
    assert snapshot.game.phase is Phase.FIRST
    assert snapshot.game.turn is not None
    assert str(snapshot.game.turn.roll) == "W3 W4 R2 Y5 G6 B1"
    assert lid.reader.expected == ALL_SIX


def test_a_doubtful_die_is_asked_and_nothing_is_rolled(lid: Lid) -> None:
    lid.reader.readings = [doubtful()]
    assert lid.looker.ask()
    snapshot = lid.until(EyesState.ASK)
    assert snapshot.game is not None
    assert snapshot.game.phase is Phase.ROLL
    assert snapshot.eyes.notices == (Notice("pips-doubtful", ("blue",)),)
    assert [asked.doubtful for asked in snapshot.eyes.dice] == [False] * 5 + [True]
    assert lid.looker.crop(snapshot.eyes.dice[5].crop or "") is not None


def test_two_looks_that_differ_are_never_a_roll(lid: Lid) -> None:
    lid.reader.readings = [certain(), certain((3, 4, 2, 5, 6, 2)), certain()]
    assert lid.looker.ask()
    snapshot = lid.until(EyesState.ASK)
    assert [asked.doubtful for asked in snapshot.eyes.dice] == [False] * 5 + [True]
    assert snapshot.game is not None
    assert snapshot.game.phase is Phase.ROLL


def test_a_lid_that_is_not_seen_is_trouble_and_not_a_question(lid: Lid) -> None:
    lid.reader.readings = [Reading(False, (), (Problem(ProblemKind.NO_LID),))]
    assert lid.looker.ask()
    assert lid.until(EyesState.TROUBLE).eyes.notices[0].kind == "no-lid"


def test_a_camera_that_fails_while_looking_is_said_and_the_next_press_works(lid: Lid) -> None:
    lid.eye.broken = CameraSays.SIMULATED_ABSENT
    assert lid.looker.ask()
    assert lid.until(EyesState.TROUBLE).eyes.notices == (Notice("no-picture"),)
    lid.eye.broken = None
    while not lid.looker.ask():  # the thread may still be on its way back
        pass
    assert lid.until(EyesState.READY).game is not None


def test_a_press_while_the_camera_is_starting_is_read_once_it_gives_pictures(lid: Lid) -> None:
    lid.eye.state, lid.eye.late = CameraState(Sight.STARTING), 3
    assert lid.looker.ask()
    lid.look_ends()
    snapshot = lid.table.snapshot
    assert lid.eye.late == 0
    assert snapshot.eyes.state is EyesState.READY
    assert snapshot.game is not None
    assert snapshot.game.phase is Phase.FIRST


def test_a_press_while_a_reading_is_under_way_is_refused_and_not_queued(lid: Lid) -> None:
    lid.reader.go.clear()
    assert lid.looker.ask()
    assert lid.reader.begun.wait(PATIENCE)
    assert not lid.looker.ask()
    assert not lid.looker.ask(again=True)
    lid.reader.go.set()
    assert lid.until(EyesState.READY).game is not None
    assert lid.presses == [False]


def test_a_press_in_the_middle_of_a_turn_is_refused_but_a_long_one_looks_again(lid: Lid) -> None:
    assert lid.looker.ask()
    lid.until(EyesState.READY)
    lid.table.play(Command(Crossed(0, Cell.parse("R7")), seat=0))
    assert not lid.looker.ask()
    lid.reader.readings = [certain((3, 4, 2, 5, 6, 2))]
    before = lid.look_again()
    snapshot = lid.until(EyesState.READY, after=before + 1)
    assert snapshot.game is not None
    assert snapshot.game.turn is not None
    assert str(snapshot.game.turn.roll) == "W3 W4 R2 Y5 G6 B2"  # the blue die was misread at first
    assert snapshot.game.turn.choices[0] == Cell.parse("R7")


def test_without_a_game_there_is_nothing_to_read(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        looker = Looker(Table(journal), FakeEye(), None, Manner(read=FakeReader()))
        assert not looker.ask()
        assert looker.crop("0") is None


def test_dice_that_keep_moving_are_said_after_three_seconds_and_not_rolled(lid: Lid) -> None:
    lid.eye.moving = True
    assert lid.looker.ask()
    snapshot = lid.until(EyesState.ASK)
    assert snapshot.eyes.notices[0].kind in ("moving", "hand")
    assert all(asked.doubtful for asked in snapshot.eyes.dice)
    assert snapshot.game is not None
    assert snapshot.game.phase is Phase.ROLL


def test_hands_at_a_simulated_table_hear_whether_the_last_dice_were_refused(lid: Lid) -> None:
    lid.reader.readings = [doubtful(ProblemKind.DIE_LEANS), doubtful(), certain()]
    assert lid.looker.ask()
    lid.until(EyesState.ASK)
    while not lid.looker.ask():
        pass
    lid.until(EyesState.READY)
    assert lid.presses == [False, True]


def test_dice_that_were_tapped_in_are_thrown_and_not_put_right_in_the_next_turn(lid: Lid) -> None:
    lid.reader.readings = [doubtful(), doubtful(), certain()]
    assert lid.looker.ask()
    lid.until(EyesState.ASK)
    lid.look_ends()
    lid.table.play(Command(Rolled(Roll.parse("W3 W4 R2 Y5 G6 B1"), Source.HAND)))
    for seat in (0, 1, 0):
        lid.table.play(Command(Done(seat)))
    assert lid.looker.ask()
    lid.until(EyesState.READY)
    lid.look_ends()
    assert lid.presses == [False, False]


def test_the_camera_coming_and_going_is_shown(lid: Lid) -> None:
    lid.eye.become(CameraState(Sight.MISSING, Statement(CameraSays.SIMULATED_ABSENT)), lid.looker)
    assert lid.until(EyesState.TROUBLE).eyes.notices == (Notice("camera"),)
    lid.eye.become(GOOD, lid.looker)
    assert lid.until(EyesState.READY).eyes.notices == ()


def test_a_throw_is_noticed_without_the_button_if_the_table_wants_it_so(tmp_path: Path) -> None:
    lid = Lid(tmp_path)
    lid.looker.close()
    looker = Looker(lid.table, lid.eye, None, Manner(read=lid.reader, watching=True))
    seen = [lid.eye.glance() for _ in range(6)]
    assert not any(looker.seeing.take_in(glance) for glance in seen)  # nothing was thrown yet
    lid.eye.moving = True
    assert not any(looker.seeing.take_in(lid.eye.glance()) for _ in range(6))
    lid.eye.moving = False
    later = lid.eye.glance()
    lying = later.image.copy()
    lying[20:30, 20:30] = 200  # a die lies there now
    again = [Glance(lying, later.taken + 0.4 * n) for n in range(1, 8)]
    assert [looker.seeing.take_in(glance) for glance in again].count(True) == 1
    lid.journal.close()


def test_locked_dice_are_not_expected(lid: Lid) -> None:
    snapshot = lid.table.snapshot
    assert expected_dice(Snapshot()) == ALL_SIX
    assert expected_dice(snapshot) == ALL_SIX


def test_a_certain_reading_is_the_roll_it_shows() -> None:
    assert str(roll_of(certain())) == "W3 W4 R2 Y5 G6 B1"
    assert str(roll_of(certain((1, 1, 6)))) == "W1 W1 R6"


def test_a_player_who_is_done_does_not_stop_a_second_look(lid: Lid) -> None:
    assert lid.looker.ask()
    lid.until(EyesState.READY)
    lid.table.play(Command(Done(0), seat=0))
    before = lid.look_again()
    snapshot = lid.until(EyesState.READY, after=before + 1)
    assert snapshot.game is not None
    assert snapshot.game.deciding == (1,)  # the same dice: nothing was corrected


# --- nothing is left open ------------------------------------------------------------------------------


def test_a_reading_that_breaks_off_is_said_and_the_next_press_is_read(
    lid: Lid, monkeypatch: pytest.MonkeyPatch
) -> None:
    fallen: list[BaseException | None] = []
    monkeypatch.setattr(threading, "excepthook", lambda args: fallen.append(args.exc_value))
    lid.reader.fault = ArithmeticError("a picture nobody thought of")
    assert lid.looker.ask()
    assert lid.until(EyesState.TROUBLE).eyes.notices == (FAILED,)
    while not fallen:
        lid.table.wait(lid.table.snapshot.version, 0.01)
    lid.reader.fault = None
    while not lid.looker.ask():
        pass
    while lid.table.snapshot.eyes.state is not EyesState.READY:
        lid.looker.mind()  # as the host does four times a second
        lid.table.wait(lid.table.snapshot.version, 0.01)
    assert lid.table.snapshot.game is not None
    assert lid.table.snapshot.game.phase is Phase.FIRST


def test_a_look_that_never_ends_is_said_once_it_takes_too_long(lid: Lid) -> None:
    lid.reader.go.clear()
    assert lid.looker.ask()
    assert lid.reader.begun.wait(PATIENCE)
    lid.looker.mind()
    assert lid.table.snapshot.eyes.state is EyesState.READING
    lid.now += LONGEST_SECONDS + 1
    lid.looker.mind()
    assert lid.table.snapshot.eyes.notices == (TOO_LONG,)
    lid.reader.go.set()
    assert lid.until(EyesState.READY).game is not None  # it came after all


def test_dice_entered_by_hand_while_they_are_read_stay_as_entered(lid: Lid) -> None:
    lid.reader.go.clear()
    assert lid.looker.ask()
    assert lid.reader.begun.wait(PATIENCE)
    lid.table.play(Command(Rolled(Roll.parse("W1 W1 R1 Y1 G1 B1"), Source.HAND)))
    lid.reader.go.set()
    snapshot = lid.until(EyesState.READY)
    assert snapshot.game is not None
    assert snapshot.game.turn is not None
    assert str(snapshot.game.turn.roll) == "W1 W1 R1 Y1 G1 B1"


def test_a_roll_read_for_a_game_that_is_over_is_no_roll_of_the_next(lid: Lid) -> None:
    lid.reader.go.clear()
    assert lid.looker.ask()
    assert lid.reader.begun.wait(PATIENCE)
    lid.table.play(Command(Stopped(0)))
    lid.table.play(Command(GameStarted(Setup(("Anna", "Max")))))
    lid.reader.go.set()
    snapshot = lid.until(EyesState.READY)
    assert snapshot.game is not None
    assert snapshot.game.phase is Phase.ROLL


def test_dice_that_roll_while_the_button_is_pressed_are_shown_as_moving(lid: Lid) -> None:
    lid.eye.moving = True
    assert lid.looker.ask()
    lid.until(EyesState.MOVING)
    lid.eye.moving = False
    assert lid.until(EyesState.READY).game is not None


def test_a_camera_that_came_back_during_a_look_leaves_no_trouble_behind(lid: Lid) -> None:
    lid.eye.state = CameraState(Sight.MISSING, Statement(CameraSays.SIMULATED_ABSENT))
    lid.eye.broken = CameraSays.SIMULATED_ABSENT
    assert lid.looker.ask()
    lid.until(EyesState.TROUBLE)
    lid.eye.broken, lid.eye.state = None, GOOD  # without a word of the watch: the next round sees it
    assert lid.until(EyesState.READY).eyes.notices == ()


def test_while_the_table_is_set_up_nothing_is_read_and_afterwards_it_is(lid: Lid) -> None:
    lid.looker.pause()
    assert lid.table.snapshot.eyes.notices == (SET_UP,)
    assert not lid.looker.ask()
    lid.looker.resume()
    lid.until(EyesState.READY)
    while not lid.looker.ask():
        pass
    snapshot = lid.until(EyesState.READY, after=lid.table.snapshot.version)
    assert snapshot.game is not None


# --- a camera whose pictures are late ------------------------------------------------------------------


def next_turn(lid: Lid) -> None:
    lid.look_ends()
    for seat in (0, 1, 0):
        lid.table.play(Command(Done(seat)))


def test_dice_that_a_distant_camera_showed_for_the_last_roll_already_are_no_new_roll(lid: Lid) -> None:
    lid.eye.is_distant = True
    assert lid.looker.ask()
    lid.until(EyesState.READY)
    next_turn(lid)
    lid.reader.begun.clear()
    before = lid.table.snapshot.version
    assert lid.looker.ask()
    assert lid.reader.begun.wait(PATIENCE)
    lid.now += BEHIND_SECONDS + 1
    snapshot = lid.until(EyesState.ASK, before)
    assert snapshot.eyes.notices == (NO_THROW,)
    assert snapshot.game is not None
    assert snapshot.game.phase is Phase.ROLL


def test_a_throw_that_a_distant_camera_shows_late_is_the_roll(lid: Lid) -> None:
    lid.eye.is_distant = True
    assert lid.looker.ask()
    lid.until(EyesState.READY)
    next_turn(lid)
    lid.reader.begun.clear()
    before = lid.table.snapshot.version
    assert lid.looker.ask()
    assert lid.reader.begun.wait(PATIENCE)
    lid.eye.grey = 200
    snapshot = lid.until(EyesState.READY, before)
    assert snapshot.game is not None
    assert snapshot.game.phase is Phase.FIRST


def test_at_a_camera_of_its_own_a_table_may_roll_the_same_again(lid: Lid) -> None:
    assert lid.looker.ask()
    lid.until(EyesState.READY)
    next_turn(lid)
    before = lid.table.snapshot.version
    assert lid.looker.ask()
    assert lid.until(EyesState.READY, before).game is not None
