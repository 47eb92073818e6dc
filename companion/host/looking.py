"""From a press of the button to a roll on the table: wait until still, read, vote, answer or ask."""

import queue
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, cast

import cv2

from companion.eyes import AskedDie, Eyes, EyesState, Notice
from companion.game import DiceCorrected, Event, Phase, Rolled, Source
from companion.journal import JournalError
from companion.rules import COLOURS, Colour, Roll, RuleError
from companion.snapshot import Snapshot
from companion.table import Command, Table
from vision.calibration import Calibration
from vision.camera import CameraError, Frame, Image
from vision.cameras.watch import CameraState, Glance
from vision.reader import read_dice, vote
from vision.reading import DieColour, Problem, ProblemKind, Reading, SeenDie
from vision.steady import Steady, Throws, wait_until_still

LOOKS = 2  # frames that must agree
MOST_LOOKS = 3
SURE = 0.5
IDLE_SECONDS = 0.25
# Problems of the camera or the lid, which a tap on a phone does not mend.
TROUBLE = {
    ProblemKind.NO_PICTURE,
    ProblemKind.NO_LID,
    ProblemKind.CAMERA,
    ProblemKind.TOO_DARK,
    ProblemKind.BLINDED,
}
SET_UP = Notice("set-up", "The table is being set up: the game goes on afterwards.")
Read = Callable[[Image, Sequence[DieColour], Calibration | None], Reading]


class Eye(Protocol):
    """The watched camera, as far as looking needs it."""

    @property
    def state(self) -> CameraState: ...

    def frame(self, timeout: float = 3.0) -> Frame: ...

    def glance(self, timeout: float = 3.0) -> Glance: ...


@dataclass(frozen=True, slots=True)
class Manner:
    """How this table looks at its lid."""

    simulated: bool = False
    watching: bool = False  # a throw is noticed without the button
    before_reading: Callable[[bool], None] | None = None  # told whether the last dice were refused
    read: Read = read_dice


@dataclass(frozen=True, slots=True)
class Look:
    """The picture a reading was made of, kept for the pages that show it."""

    image: Image
    reading: Reading
    expected: tuple[DieColour, ...]


class Looker:
    """One thread that looks when asked. A request while it looks is refused, never queued twice."""

    def __init__(
        self, table: Table, camera: Eye, calibration: Calibration | None = None, manner: Manner | None = None
    ) -> None:
        self._table = table
        self._camera = camera
        self.calibration = calibration
        self._manner = manner or Manner()
        self._requests: queue.Queue[bool] = queue.Queue(maxsize=1)
        self._busy = threading.Event()
        self._paused = threading.Event()  # the table is being set up: nobody looks for the game
        self._outdated = threading.Event()  # another calibration counts: watch the lid anew
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="looking", daemon=True)
        self._refused = False  # the last reading was no roll: the dice were not as they must be
        self._begin_watching()
        self.last: Look | None = None
        self.alive_at = time.monotonic()

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._stop.set()
        self._thread.join(timeout=5)

    # --- asking ----------------------------------------------------------------------------------------

    def ask(self, *, again: bool = False) -> bool:
        """Ask for a reading; False if one is under way, or if there is nothing to roll for now."""
        game = self._table.snapshot.game
        if game is None or game.phase is Phase.OVER or (game.phase is not Phase.ROLL and not again):
            return False
        if self._busy.is_set() or self._paused.is_set():
            return False
        try:
            self._requests.put_nowait(again)
        except queue.Full:
            return False
        return True

    # --- being set up ----------------------------------------------------------------------------------

    def pause(self) -> None:
        """From now on nothing is read for the game, and the table is told why."""
        self._paused.set()
        self._table.tell(Eyes(EyesState.TROUBLE, (SET_UP,), (), self._manner.simulated))

    def resume(self) -> None:
        """Look for the game again, at whatever lies in the lid now."""
        if self._paused.is_set():
            self._outdated.set()
            self._paused.clear()
            self.camera_changed(self._camera.state)

    def use(self, calibration: Calibration | None) -> None:
        """The table as it is known from now on, in force with the next look."""
        self.calibration = calibration
        self._outdated.set()

    @property
    def is_busy(self) -> bool:
        """Whether a look is under way or asked for."""
        return self._busy.is_set() or not self._requests.empty()

    def camera_changed(self, state: CameraState) -> None:
        """Called by the camera's watch: good again, or in trouble, in one sentence."""
        if self._busy.is_set() or self._paused.is_set():
            return
        if state.is_good:
            self._tell(EyesState.READY)
        elif not state.text.endswith("starting"):
            self._tell(EyesState.TROUBLE, (Notice(ProblemKind.CAMERA, state.text),))

    # --- the thread ------------------------------------------------------------------------------------

    def _run(self) -> None:
        while not self._stop.is_set():
            self.alive_at = time.monotonic()
            try:
                again = self._requests.get(timeout=IDLE_SECONDS)
            except queue.Empty:
                if not self._noticed():
                    continue
                again = False
            self._busy.set()
            try:
                self._look(again=again)
            finally:
                self._busy.clear()

    def _begin_watching(self) -> None:
        known = self.calibration
        self._steady = Steady() if known is None else Steady(known.lid, (known.width, known.height))
        self._throws = Throws(self._steady)

    def _renew(self) -> None:
        if self._outdated.is_set():
            self._outdated.clear()
            self._begin_watching()

    def _noticed(self) -> bool:
        """Keep an eye on the lid between presses, so that a press finds dice known to lie still.

        True if dice were thrown without a press, for tables that want it so.
        """
        game = self._table.snapshot.game
        if self._paused.is_set():
            return False
        if game is None or game.phase is not Phase.ROLL or not self._camera.state.is_good:
            return False
        self._renew()
        try:
            return self.take_in(self._camera.glance()) and self._manner.watching
        except CameraError:
            return False  # the camera's watch has told the table already

    def take_in(self, glance: Glance) -> bool:
        """Whether this glance shows that dice were thrown and lie still now; true once for each throw."""
        return self._throws.look(glance)

    def _look(self, *, again: bool) -> None:
        self._tell(EyesState.READING)
        self._renew()
        if self._manner.before_reading is not None and not again:
            self._manner.before_reading(self._refused)
            self._begin_watching()
        try:
            look = self._read()
        except CameraError as error:
            self._refused = True
            self._tell(EyesState.TROUBLE, (Notice(ProblemKind.CAMERA, str(error)),))
            return
        self._refused = not look.reading.certain
        self.last = look
        self._answer(look, again=again)

    def _read(self) -> Look:
        """Wait until the dice lie still, then read frames until enough of them agree."""
        expected = expected_dice(self._table.snapshot)
        moving = wait_until_still(self._camera, self._steady, time.monotonic)
        readings: list[Reading] = []
        frame: Frame | None = None
        while len(readings) < MOST_LOOKS:
            frame = self._camera.frame()
            readings.append(self._manner.read(frame.image, expected, self.calibration))
            if moving is not None or _agree(readings):
                break
        reading = vote(readings)
        if moving is not None:
            reading = replace(reading, certain=False, problems=(moving, *reading.problems))
        return Look(cast(Frame, frame).image, reading, expected)

    def _answer(self, look: Look, *, again: bool) -> None:
        dice = _asked(look.reading.dice)
        notices = tuple(_notice(problem) for problem in look.reading.problems)
        if not look.reading.certain:
            trouble = any(problem.kind in TROUBLE for problem in look.reading.problems)
            self._tell(EyesState.TROUBLE if trouble else EyesState.ASK, notices, dice)
            return
        event = self._event(roll_of(look.reading), again=again)
        try:
            if event is not None:
                self._table.play(Command(event))
        except (RuleError, JournalError) as error:
            self._tell(EyesState.ASK, (Notice("refused", str(error)),), dice)
            return
        self._tell(EyesState.READY, (), dice)

    def _event(self, roll: Roll, *, again: bool) -> Event | None:
        """A new roll; or, when looked at again within a turn, a correction if the dice differ."""
        game = self._table.snapshot.game
        if game is None or game.phase is Phase.ROLL or game.turn is None:
            return Rolled(roll, Source.CAMERA)
        same = (
            Counter(game.turn.roll.white) == Counter(roll.white) and game.turn.roll.coloured == roll.coloured
        )
        return DiceCorrected(game.active, roll) if again and not same else None

    def _tell(
        self, state: EyesState, notices: tuple[Notice, ...] = (), dice: tuple[AskedDie, ...] = ()
    ) -> None:
        if not self._paused.is_set():
            self._table.tell(Eyes(state, notices, dice, self._manner.simulated))

    # --- pictures --------------------------------------------------------------------------------------

    def crop(self, name: str) -> bytes | None:
        """One die of the last reading as JPEG, by the name its AskedDie gave."""
        look = self.last
        if look is None or not name.isdecimal() or int(name) >= len(look.reading.dice):
            return None
        die = look.reading.dice[int(name)]
        half = max(8, round(die.size))
        height, width = look.image.shape[:2]
        x, y = round(die.x), round(die.y)
        cut = look.image[max(0, y - half) : min(height, y + half), max(0, x - half) : min(width, x + half)]
        return jpeg(cut)


def expected_dice(snapshot: Snapshot) -> tuple[DieColour, ...]:
    """The dice in play: two white ones, and one of each open colour."""
    game = snapshot.game
    open_colours = COLOURS if game is None else [colour for colour in COLOURS if colour in game.dice_in_play]
    return (DieColour.WHITE, DieColour.WHITE, *[DieColour(colour.value) for colour in open_colours])


def roll_of(reading: Reading) -> Roll:
    """The roll that a certain reading shows."""
    whites = [die.pips for die in reading.dice if die.colour is DieColour.WHITE]
    coloured = [
        (Colour(die.colour.value), die.pips) for die in reading.dice if die.colour is not DieColour.WHITE
    ]
    return Roll.of((whites[0], whites[1]), coloured)


def jpeg(image: Image) -> bytes | None:
    """The picture as JPEG; None for a picture without pixels."""
    if image.size == 0:
        return None
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 80])
    return data.tobytes() if done else None


def _agree(readings: Sequence[Reading]) -> bool:
    """Enough looks that are certain of the same, or enough that are not certain at all."""
    certain = [reading for reading in readings if reading.certain]
    return len(certain) >= LOOKS or len(readings) - len(certain) >= LOOKS


def _asked(dice: Sequence[SeenDie]) -> tuple[AskedDie, ...]:
    return tuple(
        AskedDie(die.colour, die.pips, die.confidence, die.confidence < SURE, str(number))
        for number, die in enumerate(dice)
    )


def _notice(problem: Problem) -> Notice:
    return Notice(problem.kind, problem.text, problem.colour)
