"""A table to set up, for tests: a simulated lid into which tests lay dice by hand, as people do."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from companion.game import HouseRules, Phase, Setup
from companion.host import Host, Options
from companion.host.set_up import SettingUp
from companion.host.set_up.cameras import Previews
from companion.host.set_up.means import Means
from companion.host.set_up.panel_trial import PanelTrial
from companion.host.set_up.progress import FOLDER, Progress, load
from companion.journal.journal import Journal
from companion.settings.config import Config
from companion.settings.state_folder import CALIBRATION
from companion.table.seats import Mark, SeatTaken
from companion.table.snapshot import GameStarted
from companion.table.table import Command, Table
from companion.view.setting_up import (
    AcceptCamera,
    FindLid,
    JudgeRoll,
    KeepCorners,
    ReadRoll,
    SetUpView,
    SetUpWish,
    TakeDice,
    TakeEmpty,
)
from hardware.panel import Press
from hardware.pins import Pins
from hardware.simulated import SimulatedPanel
from tests.waiting import PATIENCE
from vision.cameras.camera import Camera
from vision.cameras.clock import HurriedClock, RealClock
from vision.cameras.watch import WatchedCamera
from vision.memory.calibration import Calibration
from vision.simulation.table import SimulatedCamera, SimulatedTable

PAGE = "page"
MOST_TRIES = 40
HURRY = 4.0  # a simulated table does not let tests wait as it lets people


@dataclass
class FakeEyes:
    """What looks for the game: remembers what it was told."""

    calibration: Calibration | None = None
    is_busy: bool = False
    told: list[str] = field(default_factory=list)

    def pause(self) -> None:
        self.told.append("pause")

    def resume(self) -> None:
        self.told.append("resume")

    def use(self, calibration: Calibration | None) -> None:
        self.calibration = calibration
        self.told.append("use")


@dataclass
class Clock:
    """Moves when told; for pages that are forgotten."""

    now: float = 100.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Bench:
    """A set-up, and what it borrows. The lid's table is not the companion's own: nobody lays dice for it."""

    set_up: SettingUp
    lid: SimulatedTable
    eyes: FakeEyes
    panel: SimulatedPanel
    table: Table
    home: Path
    clock: Clock
    means: Means

    def do(self, wish: SetUpWish, page: str = PAGE) -> SetUpView:
        return self.set_up.do(page, wish)

    def kinds(self, view: SetUpView) -> list[str]:
        return [trouble.kind for trouble in view.troubles]

    def with_corners(self) -> SetUpView:
        found = until_done(self.do, FindLid())
        return self.do(KeepCorners(found.corners, moved=False))

    def with_empty_lid(self) -> SetUpView:
        self.with_corners()
        return until_done(self.do, TakeEmpty())


@contextmanager
def bench(
    folder: Path, camera: Camera | None = None, *, seed: int = 3, hurry: float = HURRY, **means: object
) -> Iterator[Bench]:
    clock_of_lid = HurriedClock(hurry) if camera is None else RealClock()
    lid = SimulatedTable(seed, clock=clock_of_lid)
    made = camera or SimulatedCamera(lid)
    watched = WatchedCamera(lambda: made, clock_of_lid)
    eyes, panel, clock = FakeEyes(), SimulatedPanel(), Clock()
    home = folder / "home"
    journal = Journal(folder / "journal")
    table = Table(journal, clock=time.monotonic)
    given = Means(
        home=home,
        state=folder,
        table=table,
        camera=watched,
        eyes=eyes,
        trial=PanelTrial(panel, Pins()),
        simulated=None,
        lock_exposure=True,
        cameras=None,
        previews=Previews(lambda _: SimulatedCamera(lid)),
        change_camera=lambda _: None,
        given_back=lambda: None,
    )
    given = replace(given, **means)  # type: ignore[arg-type]
    watched.open()
    try:
        set_up = SettingUp(given, load(home / FOLDER) if home.exists() else Progress(), clock)
        set_up.here(PAGE, take=True)
        if camera is None:
            watched.frame(timeout=PATIENCE)  # it is awake
        yield Bench(set_up, lid, eyes, panel, table, home, clock, given)
    finally:
        watched.close()
        journal.close()


# --- on a running companion ----------------------------------------------------------------------


def learnt(host: Host) -> None:
    """The steps until the dice are learnt, on the simulated table."""
    do(host, AcceptCamera())
    at_host = partial(do, host)
    found = until_done(at_host, FindLid())
    for wish in (KeepCorners(found.corners, moved=False), TakeEmpty(), TakeDice()):
        until_done(at_host, wish)


def until_done(do: Callable[[SetUpWish], SetUpView], wish: SetUpWish) -> SetUpView:
    """What comes of it; a busy machine may look while a hand is in the picture, and people look again."""
    for _ in range(MOST_TRIES):
        view = do(wish)
        if view.troubles == () and (view.corners_found or not isinstance(wish, FindLid)):
            return view
    raise AssertionError(f"{wish}: {view.troubles}")


def do(host: Host, wish: SetUpWish) -> SetUpView:
    return host.setting_up.do(PAGE, wish)


def confirm(host: Host, rolls: int) -> SetUpView:
    """Roll until so many more rolls were read for sure, and say that they are right."""
    wanted = host.setting_up.view().right + rolls
    for _ in range(MOST_TRIES):
        view = do(host, ReadRoll())
        assert view.roll is not None
        if view.roll.certain:
            view = do(host, JudgeRoll(view.roll.id, right=True))
        if view.right >= wanted:
            return view
    raise AssertionError(f"no {rolls} of {MOST_TRIES} rolls were read for sure")


def running(folder: Path) -> Host:
    return Host(Config(), Options(folder, simulate=True, seed=3, hurry=HURRY))


def in_force(host: Host) -> bool:
    return (host.home / CALIBRATION).exists()


def start_a_game(host: Host) -> None:
    for name, mark in (("Anna", Mark.CIRCLE), ("Max", Mark.STAR)):
        host.table.play(Command(SeatTaken(name, mark, None)))
    host.table.play(Command(GameStarted(Setup(("Anna", "Max"), house=HouseRules(patience=0)))))


def read_in_the_game(host: Host) -> Host:
    """Press until a throw is a roll of the game."""
    for _ in range(MOST_TRIES):
        host.buttons.pressed(Press.ROLLED)
        while host.looker.is_busy:
            host.table.wait(host.table.snapshot.version, 0.1)
        game = host.table.snapshot.game
        if game is not None and game.phase is not Phase.ROLL:
            return host
    raise AssertionError("no throw was read for sure")
