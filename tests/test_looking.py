"""From a press to a roll: every way a look at the lid can end, with a fake eye and a fake reader."""

import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from companion.eyes import EyesState
from companion.game import Crossed, Done, Phase, Rolled, Setup, Source, Stopped
from companion.host.answers import expected_dice, roll_of
from companion.host.looking import FAILED, LONGEST_SECONDS, SET_UP, TOO_LONG, Looker, Manner
from companion.journal import Journal
from companion.rules import Cell, Roll
from companion.seats import Mark, SeatTaken
from companion.snapshot import GameStarted, Snapshot
from companion.table import Command, Table
from tests.waiting import PATIENCE
from vision.calibration import Calibration
from vision.camera import CameraError, Frame, Image
from vision.cameras.watch import GOOD, CameraState, Glance, Sight
from vision.reading import ALL_SIX, DieColour, Problem, ProblemKind, Reading, SeenDie

PIPS = (3, 4, 2, 5, 6, 1)


class FakeEye:
    """A lid in which nothing moves unless told to; the time in its pictures goes on by itself."""

    def __init__(self) -> None:
        self.state = GOOD
        self.moving = False
        self.broken: str | None = None
        self._number = 0

    @property
    def newest(self) -> Glance | None:
        return None if self.broken is not None else self.glance()

    def frame(self, timeout: float = 3.0, since: float | None = None) -> Frame:
        return Frame(np.zeros((48, 64, 3), np.uint8), self._next(), self._number * 0.4)

    def glance(self, timeout: float = 3.0) -> Glance:
        picture = np.full((48, 64), 90, np.uint8)
        if self.moving:
            picture[10:30, self._number % 40 : self._number % 40 + 15] = 255
        return Glance(picture, self._next() * 0.4)

    def become(self, state: CameraState, looker: Looker) -> None:
        """As the watch does: the state first, then the news of it."""
        self.state = state
        looker.camera_changed(state)

    def _next(self) -> int:
        if self.broken is not None:
            raise CameraError(self.broken)
        self._number += 1
        return self._number


class FakeReader:
    """Gives the readings it was told, the last one again and again; waits for `go` before each."""

    def __init__(self) -> None:
        self.readings = [certain()]
        self.expected: tuple[DieColour, ...] = ()
        self.go = threading.Event()
        self.go.set()
        self.begun = threading.Event()
        self.fault: Exception | None = None

    def __call__(self, image: Image, expected: Sequence[DieColour], known: Calibration | None) -> Reading:
        self.begun.set()
        assert self.go.wait(PATIENCE)
        if self.fault is not None:
            raise self.fault
        self.expected = tuple(expected)
        return self.readings.pop(0) if len(self.readings) > 1 else self.readings[0]


def die(colour: DieColour, pips: int, confidence: float = 0.99) -> SeenDie:
    return SeenDie(colour, pips, 20 + 4 * pips, 20, 12, confidence)


def certain(pips: tuple[int, ...] = PIPS) -> Reading:
    dice = tuple(die(colour, n) for colour, n in zip(ALL_SIX, pips, strict=False))
    return Reading(True, dice)


def doubtful(kind: ProblemKind = ProblemKind.PIPS_DOUBTFUL) -> Reading:
    dice = (*certain().dice[:5], die(DieColour.BLUE, 1, 0.2))
    return Reading(False, dice, (Problem(kind, "tap the blue die", DieColour.BLUE),))


class Lid:
    """A table of two with a looker over it."""

    def __init__(self, folder: Path) -> None:
        self.journal = Journal(folder)
        self.table = Table(self.journal)
        for name, mark in (("Anna", Mark.CIRCLE), ("Max", Mark.STAR)):
            self.table.play(Command(SeatTaken(name, mark, None)))
        self.table.play(Command(GameStarted(Setup(("Anna", "Max")))))
        self.eye, self.reader = FakeEye(), FakeReader()
        self.presses: list[bool] = []
        self.manner = Manner(read=self.reader, before_reading=self.presses.append)
        self.now = 0.0  # added to the clock of those who wait
        clock = lambda: time.monotonic() + self.now  # noqa: E731
        self.looker = Looker(self.table, self.eye, None, self.manner, clock)
        self.looker.start()

    def until(self, state: EyesState, after: int = 0) -> Snapshot:
        """The newest snapshot once its version is above `after` and the eyes are in that state."""
        snapshot = self.table.snapshot
        while snapshot.eyes.state is not state or snapshot.version <= after:
            newer = self.table.wait(snapshot.version, PATIENCE)
            assert newer.version > snapshot.version, f"eyes stayed {snapshot.eyes}"
            snapshot = newer
        return snapshot

    def look_again(self) -> int:
        """A long press, as soon as it is taken; the version before it. It shows `reading`, then the end."""
        before = self.table.snapshot.version
        while not self.looker.ask(again=True):  # the thread may still be on its way back
            pass
        return before

    def close(self) -> None:
        self.looker.close()
        self.journal.close()


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
    assert [notice.text for notice in snapshot.eyes.notices] == ["tap the blue die"]
    assert [asked.doubtful for asked in snapshot.eyes.dice] == [False] * 5 + [True]
    assert lid.looker.crop(snapshot.eyes.dice[5].crop or "") is not None


def test_two_looks_that_differ_are_never_a_roll(lid: Lid) -> None:
    lid.reader.readings = [certain(), certain((3, 4, 2, 5, 6, 2)), certain()]
    assert lid.looker.ask()
    snapshot = lid.until(EyesState.ASK)
    assert snapshot.game is not None
    assert snapshot.game.phase is Phase.ROLL


def test_a_lid_that_is_not_seen_is_trouble_and_not_a_question(lid: Lid) -> None:
    lid.reader.readings = [Reading(False, (), (Problem(ProblemKind.NO_LID, "point the camera at the lid"),))]
    assert lid.looker.ask()
    assert lid.until(EyesState.TROUBLE).eyes.notices[0].kind == "no-lid"


def test_a_camera_that_fails_while_looking_is_said_and_the_next_press_works(lid: Lid) -> None:
    lid.eye.broken = "the camera gave no picture for 3 s: check its cable"
    assert lid.looker.ask()
    notice = lid.until(EyesState.TROUBLE).eyes.notices[0]
    assert notice.text == "Press again: the camera gave no picture for 3 s: check its cable"
    lid.eye.broken = None
    while not lid.looker.ask():  # the thread may still be on its way back
        pass
    assert lid.until(EyesState.READY).game is not None


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


def test_the_camera_coming_and_going_is_shown(lid: Lid) -> None:
    lid.eye.become(CameraState(Sight.MISSING, "no camera found: plug it in"), lid.looker)
    assert lid.until(EyesState.TROUBLE).eyes.notices[0].text == "no camera found: plug it in"
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
    lid.eye.state = CameraState(Sight.MISSING, "no camera found: plug it in")
    lid.eye.broken = "no camera found: plug it in"
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
