"""One show: a table, a lid and a camera of its own, in a folder that goes with it. Knows no real game."""

import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import cast

import cv2

from companion.host.demo.director import Director
from companion.host.demo.evening import SEED, VISITOR, opening
from companion.host.demo.pace import CurtainError, ScenePace
from companion.host.hands import SimulatedHands
from companion.host.looking import Looker, Manner
from companion.host.seeing import Look, jpeg
from companion.journal.journal import Journal, JournalError
from companion.table.snapshot import Snapshot
from companion.table.table import Command, Table
from companion.view.panel import Lamp
from companion.view.stage import Caption, Ending, Order, Says, Scene
from vision.cameras.camera import CameraError
from vision.cameras.clock import HurriedClock
from vision.cameras.watch import WatchedCamera
from vision.image.arrays import Image
from vision.image.box import Box, box_of_lid
from vision.overlay import draw_close_up
from vision.place.lid import find_lid
from vision.simulation.table import SimulatedCamera, SimulatedTable

FRAMES_PER_SECOND = 8.0  # enough to see dice roll, and half the work of the table's own camera
MOST_HURRY = 3.0  # dice that fall faster are seen by too few frames
PICTURE_WIDTH = 640
FIRST_PICTURE_SECONDS = 30.0  # the table is drawn for the first time, which takes a small computer a while


class Show:
    """A show in a thread of its own, from `start` to its ending."""

    def __init__(
        self,
        number: int,
        interruption: Callable[[], Ending | None],
        lamps: Callable[[Snapshot], tuple[Lamp, ...]],
        factor: float = 1.0,
    ) -> None:
        self._number, self._lamps, self._factor = number, lamps, factor
        self.pace = ScenePace(interruption, factor)
        self._closing = ExitStack()
        folder = self._closing.enter_context(tempfile.TemporaryDirectory(prefix="boxlid-demo-"))
        try:
            journal = Journal(Path(folder))
            self._closing.callback(journal.close)
            self.table = Table(journal)
            for what in opening():
                self.table.play(Command(what))
        except BaseException:
            self._closing.close()
            raise
        self._mutex = threading.Lock()
        self._caption, self._turns = Caption(Says.SETS_UP), 0
        self._ending: Ending | None = None
        self._camera: WatchedCamera | None = None
        self._looker: Looker | None = None
        self._last: Look | None = None
        self._near: Box
        self._thread = threading.Thread(target=self._run, name="demo", daemon=True)
        self.seen_at = time.monotonic()

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """End it if it is still on, and wait until nothing of it is left."""
        self.pace.end(Ending.STOPPED)
        self._thread.join(timeout=10)

    @property
    def ending(self) -> Ending | None:
        return self._ending

    def scene(self) -> Scene:
        self.seen_at = time.monotonic()
        with self._mutex:
            caption, turns, ending = self._caption, self._turns, self._ending
        snapshot = self.table.snapshot
        return Scene(
            show=self._number,
            sequence=snapshot.version + turns,
            caption=caption,
            paused=self.pace.paused,
            fast=self.pace.fast,
            ended=ending,
            snapshot=snapshot,
            visitor=VISITOR,
            lamps=self._lamps(snapshot),
            pictured=self._camera is not None or self._last is not None,
        )

    def order(self, what: Order) -> None:
        if what is Order.STOP:
            self.pace.end(Ending.STOPPED)
        elif what in (Order.PAUSE, Order.GO_ON):
            self.pace.pause(what is Order.PAUSE)
        elif what in (Order.FASTER, Order.SLOWER):
            self.pace.hurry(what is Order.FASTER)
        with self._mutex:
            self._turns += 1

    def picture(self, letters: Mapping[str, str]) -> bytes | None:
        """The dice as they roll; then the picture they were read from, with what was read drawn on it."""
        camera, looker = self._camera, self._looker
        look = looker.last if looker is not None else self._last
        try:
            if camera is not None and (look is None or (looker is not None and looker.is_busy)):
                return _small(self._near.of(camera.frame(timeout=2.0).image))
        except CameraError:
            return None
        if look is None:
            return None
        return _small(draw_close_up(look.image, look.reading, letters, self._near))

    # --- the thread ------------------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            with self._closing:
                ending = self._play()
        except CurtainError as curtain:
            ending = curtain.ending
        except (CameraError, JournalError):
            ending = Ending.TROUBLE
        with self._mutex:
            self._ending = ending
            self._turns += 1

    def _play(self) -> Ending:
        clock = HurriedClock(min(self._factor, MOST_HURRY))
        lid = SimulatedTable(SEED, clock=clock)
        hands = SimulatedHands(lid)
        camera = WatchedCamera(lambda: SimulatedCamera(lid, FRAMES_PER_SECOND), clock)
        manner = Manner(simulated=True, before_reading=lambda refused: hands.pressed(refused=refused))
        looker = Looker(self.table, camera, None, manner)
        camera.open()
        self._closing.callback(camera.close)
        looker.start()
        self._closing.callback(self._leave_lid)
        self._closing.callback(looker.close)
        self._near = _around(camera.frame(FIRST_PICTURE_SECONDS).image)
        self._camera, self._looker = camera, looker
        return Director(self.table, looker, hands, self.pace, self._say).lead()

    def _leave_lid(self) -> None:
        """The last picture stays to be looked at; camera and looker go."""
        if self._looker is not None:
            self._last = self._looker.last
        self._camera = self._looker = None

    def _say(self, caption: Caption) -> None:
        with self._mutex:
            self._caption = caption
            self._turns += 1


def _around(image: Image) -> Box:
    lid = find_lid(image)
    return box_of_lid(image, None if lid is None else lid.corners)


def _small(image: Image) -> bytes | None:
    """Small enough for a phone."""
    height = round(image.shape[0] * PICTURE_WIDTH / image.shape[1])
    return jpeg(cast(Image, cv2.resize(image, (PICTURE_WIDTH, height), interpolation=cv2.INTER_AREA)))
