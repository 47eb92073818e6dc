"""A table of two with a looker over it, whose eye and reader do what a test tells them."""

import threading
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from companion.game import Setup
from companion.host.confirmed import Lessons
from companion.host.looking import Looker, Manner
from companion.journal.journal import Journal
from companion.table.eyes import EyesState
from companion.table.seats import Mark, SeatTaken
from companion.table.snapshot import GameStarted, Snapshot
from companion.table.table import Command, Table
from tests.waiting import PATIENCE
from vision.cameras.camera import CameraError, CameraSays, Frame
from vision.cameras.watch import GOOD, CameraState, Glance, Sight
from vision.image.arrays import Image
from vision.memory.calibration import Calibration
from vision.reading import ALL_SIX, DieColour, Problem, ProblemKind, Reading, SeenDie

PIPS = (3, 4, 2, 5, 6, 1)


class FakeEye:
    """A lid in which nothing moves unless told to; the time in its pictures goes on by itself."""

    def __init__(self) -> None:
        self.state = GOOD
        self.moving = False
        self.is_distant = False
        self.grey = 90  # of the die that lies there
        self.broken: CameraSays | None = None
        self.late = 0  # so often it is asked in vain while it starts
        self._number = 0

    @property
    def newest(self) -> Glance | None:
        return None if self.broken is not None else self.glance()

    def frame(self, timeout: float = 3.0, since: float | None = None) -> Frame:
        return Frame(np.zeros((48, 64, 3), np.uint8), self._next(), self._number * 0.4)

    def glance(self, timeout: float = 3.0) -> Glance:
        picture = np.full((48, 64), 90, np.uint8)
        picture[20:30, 30:42] = self.grey
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
        if self.late:
            self.late -= 1
            raise CameraError(CameraSays.SILENT, name="camera", seconds=3.0)
        if self.state.sight is Sight.STARTING:
            self.state = GOOD
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


def die(place: int, colour: DieColour, pips: int, *, doubtful: bool = False) -> SeenDie:
    return SeenDie(colour, pips, 12 + 8 * place, 20, 12, 0.95, doubtful=doubtful)


def certain(pips: tuple[int, ...] = PIPS) -> Reading:
    dice = tuple(die(place, *each) for place, each in enumerate(zip(ALL_SIX, pips, strict=False)))
    return Reading(True, dice)


def doubtful(kind: ProblemKind = ProblemKind.PIPS_DOUBTFUL) -> Reading:
    dice = (*certain().dice[:5], die(5, DieColour.BLUE, 1, doubtful=True))
    return Reading(False, dice, (Problem(kind, (DieColour.BLUE,)),))


class Lid:
    """A table of two with a looker over it."""

    def __init__(
        self, folder: Path, calibration: Calibration | None = None, lessons: Lessons | None = None
    ) -> None:
        self.journal = Journal(folder)
        self.table = Table(self.journal)
        for name, mark in (("Anna", Mark.CIRCLE), ("Max", Mark.STAR)):
            self.table.play(Command(SeatTaken(name, mark, None)))
        self.table.play(Command(GameStarted(Setup(("Anna", "Max")))))
        self.eye, self.reader = FakeEye(), FakeReader()
        self.presses: list[bool] = []
        self.manner = Manner(read=self.reader, before_reading=self.presses.append, lessons=lessons)
        self.now = 0.0  # added to the clock of those who wait
        clock = lambda: time.monotonic() + self.now  # noqa: E731
        self.looker = Looker(self.table, self.eye, calibration, self.manner, clock)
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

    def look_ends(self) -> None:
        done = threading.Event()
        while self.looker.is_busy:
            done.wait(0.002)

    def close(self) -> None:
        self.looker.close()
        self.journal.close()
