"""From a press of the button to a roll on the table, or to words that say what to do instead."""

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace

from companion.host.answers import (
    event_of,
    expected_dice,
    is_same_turn,
    is_wanted,
    notice_of,
    roll_of,
    shown_dice,
)
from companion.host.confirmed import Lessons
from companion.host.one_look import OneLook, Request
from companion.host.photographs import notice_of_photograph
from companion.host.seeing import Look, Read, Seeing, SeeingCamera, crop
from companion.journal.journal import JournalError
from companion.rules import Roll, RuleError
from companion.table.eyes import Eyes, EyesState, Notice, ShownDie
from companion.table.snapshot import Snapshot
from companion.table.table import Command, StaleError, Table
from vision.cameras.camera import CameraError
from vision.cameras.steady import Motion, problem_of
from vision.cameras.watch import CameraState, Sight
from vision.image.arrays import Image
from vision.memory.calibration import Calibration
from vision.reader import read_dice
from vision.reading import DieColour, ProblemKind, Stage

IDLE_SECONDS = 0.25
BEHIND_SECONDS = 5.0  # so long a distant camera may take to show the throw
LONGEST_SECONDS = 12.0  # of one look; its waits and readings take less, on a Pi Zero too
# Problems of the camera or the lid, which a tap on a phone does not mend.
TROUBLE = {
    ProblemKind.NO_PICTURE,
    ProblemKind.NO_LID,
    ProblemKind.CAMERA,
    ProblemKind.TOO_DARK,
    ProblemKind.BLINDED,
}
KINDS = {Sight.BLACK: "black", Sight.BLINDED: "blinded", Sight.FROZEN: "frozen"}  # of notices; else: camera
SET_UP = Notice("set-up")
TOO_LONG = Notice("too-long")
FAILED = Notice("failed")
NO_THROW = Notice("no-throw")
REFUSED = Notice("refused")
DISK_FULL = Notice("disk-full")


@dataclass(frozen=True, slots=True)
class Manner:
    """How this table looks at its lid."""

    simulated: bool = False
    watching: bool = False  # a throw is noticed without the button
    before_reading: Callable[[bool], None] | None = None  # told whether the last dice were refused
    read: Read = read_dice
    lessons: Lessons | None = None  # what rolls teach of a calibrated table


class Looker:
    """One thread that looks when asked, and alone says how the eyes are; a look that hangs is said for it."""

    def __init__(
        self,
        table: Table,
        camera: SeeingCamera,
        calibration: Calibration | None = None,
        manner: Manner | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._table = table
        self._camera = camera
        self._manner = manner or Manner()
        self.seeing = Seeing(camera, calibration, self._manner.read, clock)
        self._open = OneLook(clock)
        self._clock = clock
        self._telling = threading.Lock()
        self._paused = threading.Event()  # the table is being set up: nobody looks for the game
        self._outdated = threading.Event()  # it was set up: watch lid and camera anew
        self._stop = threading.Event()
        self._thread = self._new_thread()
        self._refused: Snapshot | None = None  # where the last reading was no roll: the dice lay wrong
        self._told = CameraState()  # how the camera was when the table last heard of it
        self.last: Look | None = None
        self.stages: tuple[Stage, ...] = ()  # of the last press, and how long each took
        self.alive_at = clock()

    @property
    def calibration(self) -> Calibration | None:
        return self.seeing.calibration

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._stop.set()
        self._open.nudge()
        self._thread.join(timeout=5)
        self.seeing.close()

    # --- from other threads ----------------------------------------------------------------------------

    def ask(self, *, again: bool = False) -> bool:
        """Ask for a reading; False if one is under way, or if there is nothing to roll for now."""
        if self._paused.is_set() or not is_wanted(self._table.snapshot, again=again):
            return False
        return self._open.ask(again=again) is not None

    def read_photograph(self, image: Image) -> bool:
        """One look at a phone's photograph instead of the lid, until it is answered; False as with `ask`."""
        if self._paused.is_set() or not is_wanted(self._table.snapshot, again=False):
            return False
        request = self._open.ask(photograph=image)
        if request is None:
            return False
        self._open.wait_until_answered(request, LONGEST_SECONDS)
        return True

    def camera_changed(self, _: CameraState) -> None:
        """The camera's watch has news: the thread that looks says it between two looks."""
        self._open.nudge()

    @property
    def is_busy(self) -> bool:
        """Whether a look is under way or asked for."""
        return self._open.is_open

    def pause(self) -> None:
        """From now on nothing is read for the game, and the table is told why."""
        with self._telling:
            self._paused.set()
            self._table.tell(self._eyes(EyesState.TROUBLE, (SET_UP,)))

    def resume(self) -> None:
        """Look for the game again, at whatever lies in the lid now."""
        if self._paused.is_set():
            self._outdated.set()
            self._paused.clear()
            self._open.nudge()

    def use(self, calibration: Calibration | None) -> None:
        """The table as it is known from now on, in force with the next look."""
        with self._telling:
            self.seeing.calibration = calibration
        self._outdated.set()

    @property
    def rolls_that_taught(self) -> int:
        known = self.seeing.calibration
        return 0 if known is None else len(known.taught)

    def forget_taught(self) -> None:
        """Only the calibration counts again; CalibrationError if the disk refuses."""
        with self._telling:
            if self._manner.lessons is not None:
                self._manner.lessons.forget()
            if self.seeing.calibration is not None:
                self.seeing.calibration = replace(self.seeing.calibration, taught=())

    def mind(self) -> None:
        """Called now and then: no look stays open for ever, and a thread that broke down is replaced."""
        if self._open.seconds > LONGEST_SECONDS:
            self._tell(EyesState.TROUBLE, (TOO_LONG,))
        if self._thread.ident is not None and not self._thread.is_alive() and not self._stop.is_set():
            self._thread = self._new_thread()
            self._thread.start()

    def _new_thread(self) -> threading.Thread:
        return threading.Thread(target=self._run, name="looking", daemon=True)

    # --- the thread ------------------------------------------------------------------------------------

    def _run(self) -> None:
        done = False
        try:
            while not self._stop.is_set():
                self._round()
            done = True
        finally:
            if not done:  # a fault of ours: `mind` begins anew, and nobody waits for an answer meanwhile
                self._tell(EyesState.TROUBLE, (FAILED,))
                self._open.answered()

    def _round(self) -> None:
        self.alive_at = self._clock()
        request = self._open.wait(IDLE_SECONDS)
        if self._outdated.is_set() and not self._paused.is_set():
            self._outdated.clear()
            self.seeing.begin_watching()
            self._told = CameraState()
        self._learn()
        if request is None and self._paused.is_set():
            return
        if request is None:
            self._follow_camera()
            request = self._open.begin() if self._threw() else None
        if request is not None:
            if request.photograph is None:
                self._look(request)
            else:
                self._look_at_photograph(request.photograph)
            self._open.answered()

    def _learn(self) -> None:
        """A turn that is over tells what its dice were."""
        with self._telling:
            known = self.seeing.calibration
            if self._manner.lessons is not None:
                self.seeing.calibration = self._manner.lessons.after(self._table.snapshot, known) or known

    def _follow_camera(self) -> None:
        """The camera is good again, or in trouble: in one sentence."""
        state = self._camera.state
        if state == self._told or state.sight is Sight.STARTING:
            return
        self._told = state
        if not state.is_good:
            kind = KINDS.get(state.sight, "camera")
            self._tell(EyesState.TROUBLE, (Notice(kind),))
        elif self._table.snapshot.eyes.state is not EyesState.ASK:
            self._tell(EyesState.READY)

    def _threw(self) -> bool:
        """Keep an eye on the lid between presses. True if dice were thrown, for tables that need no press."""
        now = self._table.snapshot
        if not is_wanted(now, again=False) or not self._camera.state.is_good:
            return False
        if not self.seeing.keep_watching():
            return False
        if not self._manner.watching:
            with suppress(CameraError):  # the watch over the camera says it
                self.seeing.read_ahead(expected_dice(now))
        return self._manner.watching

    def _look(self, request: Request) -> None:
        before = self._table.snapshot
        if not is_wanted(before, again=request.again):  # somebody entered the dice by hand meanwhile
            return
        waited = Stage("press to thread", 1000 * (self._clock() - request.at))
        if self._manner.before_reading is not None and not request.again:
            refused = self._refused is not None and is_same_turn(before, self._refused)
            self._manner.before_reading(refused)
            self.seeing.begin_watching()
        expected = expected_dice(before)
        if not self.seeing.has_read_ahead(expected):  # else the answer is there at once
            self._tell(EyesState.READING)
        try:
            look = self._look_in_time(request, expected)
        except CameraError:
            self._refused = before
            self._without_picture()
            return
        if self._paused.is_set():
            return
        if look is None:
            self._tell(EyesState.ASK, (NO_THROW,))
            return
        self._refused = None if look.reading.certain else before
        self.last = look  # phones want its pictures as soon as they hear of it
        if self._manner.lessons is not None:
            self._manner.lessons.looked(look, before)
        begin = self._clock()
        if self._answer(look, before, again=request.again):
            self.seeing.taken_for_a_roll()
        self.stages = (waited, *look.stages, Stage("journal", 1000 * (self._clock() - begin)))

    def _look_at_photograph(self, image: Image) -> None:
        """The picture whole, whatever the table's own lid is like; no camera is needed."""
        before = self._table.snapshot
        if not is_wanted(before, again=False):
            return
        self._say(Eyes(EyesState.READING))
        expected = expected_dice(before)
        reading = self._manner.read(image, expected, None)
        if self._paused.is_set():
            return
        self.last = Look(image, reading, expected, photograph=True)
        self._answer(self.last, before, again=False)
        if reading.certain:
            self._told = CameraState()  # a camera in trouble is so for the next roll: it is said again

    def _look_in_time(self, request: Request, expected: tuple[DieColour, ...]) -> Look | None:
        """None if a distant camera still shows the dice of the roll before, though it was given time."""
        while True:
            look = self._look_once_started(expected)
            if request.again or not look.reading.certain or not self.seeing.is_behind():
                return look
            if self._open.seconds > BEHIND_SECONDS or self._stop.is_set():
                return None
            self.seeing.forget()

    def _look_once_started(self, expected: tuple[DieColour, ...]) -> Look:
        """A camera that is just starting is waited for: a press counts from the first moment on."""
        while True:
            try:
                return self.seeing.look(expected, self._moving)
            except CameraError:
                starting = self._camera.state.sight is Sight.STARTING and not self._paused.is_set()
                if not starting or self._stop.is_set() or self._open.seconds > LONGEST_SECONDS:
                    raise

    def _moving(self, seen: Motion) -> None:
        if seen is Motion.STILL:
            self._tell(EyesState.READING)
            return
        problem = problem_of(seen)
        notices = (notice_of(problem),) if seen is Motion.HAND else ()
        self._tell(EyesState.MOVING, notices)

    def _without_picture(self) -> None:
        """The camera's own trouble lasts until it is good again; a picture that came late, until a press."""
        self._told = CameraState()
        if self._camera.state.is_good:
            self._told = self._camera.state
            self._tell(EyesState.TROUBLE, (Notice(ProblemKind.NO_PICTURE),))
        else:
            self._follow_camera()

    # --- the answer ------------------------------------------------------------------------------------

    def _answer(self, look: Look, before: Snapshot, *, again: bool) -> bool:
        """True once it is played, or was meanwhile."""
        reading, eyes = look.reading, self._eyes_after(look)
        if not reading.certain:
            self._say(eyes)
            return False
        try:
            self._play(roll_of(reading), before, eyes, again=again)
        except RuleError:
            self._say(replace(eyes, state=EyesState.ASK, notices=(REFUSED,)))
        except JournalError:
            self._say(replace(eyes, state=EyesState.TROUBLE, notices=(DISK_FULL,), dice=()))
        else:  # no news where the roll brought it along
            self._say(eyes)
            return True
        return False

    def _eyes_after(self, look: Look) -> Eyes:
        """A photograph is no trouble of the camera, whatever is wrong with it: another is taken."""
        reading, dice = look.reading, shown_dice(look.reading.dice)
        if look.photograph:
            state = EyesState.READY if reading.certain else EyesState.ASK
            return Eyes(state, tuple(map(notice_of_photograph, reading.problems)), dice)
        trouble = any(problem.kind in TROUBLE for problem in reading.problems)
        asking = EyesState.TROUBLE if trouble else EyesState.ASK
        state = EyesState.READY if reading.certain else asking
        return self._eyes(state, tuple(map(notice_of, reading.problems)), dice)

    def _play(self, roll: Roll, before: Snapshot, eyes: Eyes, *, again: bool) -> None:
        """A roll belongs to the turn it was asked for: what has moved on meanwhile is left as it is."""
        while is_same_turn(now := self._table.snapshot, before):
            event = event_of(now, roll, eyes, again=again)
            if event is None:
                return
            try:
                with self._telling:
                    if not self._paused.is_set():
                        self._table.play(Command(event, moment=now.moment, eyes=eyes))
            except StaleError:  # somebody was quicker: look what it is about now
                continue
            return

    def _tell(
        self, state: EyesState, notices: tuple[Notice, ...] = (), dice: tuple[ShownDie, ...] = ()
    ) -> None:
        self._say(self._eyes(state, notices, dice))

    def _say(self, eyes: Eyes) -> None:
        with self._telling:
            if not self._paused.is_set():
                self._table.tell(eyes)

    def _eyes(
        self, state: EyesState, notices: tuple[Notice, ...] = (), dice: tuple[ShownDie, ...] = ()
    ) -> Eyes:
        return Eyes(state, notices, dice, self._manner.simulated)

    def crop(self, name: str) -> bytes | None:
        """One die of the last reading as JPEG, by the name its ShownDie gave."""
        return crop(self.last, name)
