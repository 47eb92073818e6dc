"""A table under a simulated camera whose time stands still until somebody looks; one thread and no more."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from companion.game import Game, HouseRules, Setup
from companion.host.looking import Looker
from companion.journal.journal import Journal
from companion.table.eyes import EyesState
from companion.table.seats import Mark, SeatTaken
from companion.table.snapshot import GameStarted, Snapshot
from companion.table.table import Command, Table
from tests.waiting import PATIENCE
from vision.cameras.clock import StepClock
from vision.cameras.watch import CameraState, WatchedCamera
from vision.reading import ALL_SIX, DieColour
from vision.simulation.table import SimulatedCamera, SimulatedTable

AT_REST = 3.0
SIZE = (640, 480)
NAMES = ("Anna", "Max")


class CreepingClock(StepClock):
    """Nobody waits in vain for a moment that comes after this one."""

    def now(self) -> float:
        self.wait(0.0001)
        return super().now()


class LidRig:
    """Two players, a lid with drawn dice, the real reader, and the thread that looks."""

    def __init__(self, folder: Path, seed: int, dice: Sequence[DieColour]) -> None:
        self.clock = CreepingClock()
        self.lid = SimulatedTable(seed, dice, clock=self.clock, size=SIZE)
        self.journal = Journal(folder)
        self.table = Table(self.journal)
        for name, mark in zip(NAMES, Mark, strict=False):
            self.table.play(Command(SeatTaken(name, mark, None)))
        self.table.play(Command(GameStarted(Setup(NAMES, house=HouseRules(patience=0)))))
        self.camera = WatchedCamera(
            lambda: SimulatedCamera(self.lid),
            self.clock,
            on_change=self._camera_changed,
        )
        self.looker = Looker(self.table, self.camera, clock=self.clock.now)
        self.camera.frame()
        self.looker.start()
        self.until(lambda now: now.eyes.state is EyesState.READY)

    def _camera_changed(self, state: CameraState) -> None:
        self.looker.camera_changed(state)

    @property
    def game(self) -> Game:
        game = self.table.snapshot.game
        assert game is not None
        return game

    def throw(self) -> None:
        self.lid.throw()
        self.clock.wait(AT_REST)

    def press(self, *, again: bool = False) -> Snapshot:
        """A press, and the table once it is answered."""
        assert self.looker.ask(again=again)
        done = threading.Event()
        while self.looker.is_busy:
            done.wait(0.002)
        return self.table.snapshot

    def until(self, holds: Callable[[Snapshot], bool]) -> Snapshot:
        """The newest snapshot, once it is so."""
        snapshot = self.table.snapshot
        while not holds(snapshot):
            newer = self.table.wait(snapshot.version, PATIENCE)
            assert newer.version > snapshot.version, f"it stayed {snapshot.moment}, {snapshot.eyes}"
            snapshot = newer
        return snapshot

    def watch(self, seconds: float) -> None:
        """The camera's watch goes on for a while, with nobody looking."""
        ends = self.clock.now() + seconds
        while self.clock.now() < ends:
            self.camera.step()

    def lying(self) -> list[tuple[str, int | None]]:
        return sorted((die.colour.value, die.pips) for die in self.lid.truth().dice if die.state == "flat")

    def rolled(self) -> list[tuple[str, int | None]]:
        assert self.game.turn is not None
        roll = self.game.turn.roll
        white: list[tuple[str, int | None]] = [("white", pips) for pips in roll.white]
        return sorted(white + [(colour.value, pips) for colour, pips in roll.coloured])

    def close(self) -> None:
        self.looker.close()
        self.camera.close()
        self.journal.close()


@contextmanager
def lid_rig(folder: Path, seed: int = 3, dice: Sequence[DieColour] = ALL_SIX) -> Iterator[LidRig]:
    made = LidRig(folder, seed, dice)
    try:
        yield made
    finally:
        made.close()
