"""A table to set up, for tests: a simulated lid into which tests lay dice by hand, as people do."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from companion.host.set_up import SettingUp
from companion.host.set_up.means import Means
from companion.host.set_up.panel_trial import PanelTrial
from companion.host.set_up.progress import FOLDER, Progress, load
from companion.journal import Journal
from companion.pins import Pins
from companion.table import Table
from hardware.simulated import SimulatedPanel
from vision.calibration import Calibration
from vision.camera import Camera
from vision.cameras.watch import WatchedCamera
from vision.simulated import SimulatedCamera, SimulatedTable
from web.setting_up import FindLid, KeepCorners, SetUpView, SetUpWish, TakeEmpty

PAGE = "page"


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
        found = self.do(FindLid())
        return self.do(KeepCorners(found.corners, moved=False))

    def with_empty_lid(self) -> SetUpView:
        self.with_corners()
        view = self.do(TakeEmpty())
        assert self.kinds(view) == []
        return view


@contextmanager
def bench(folder: Path, camera: Camera | None = None, *, seed: int = 3, **means: object) -> Iterator[Bench]:
    lid = SimulatedTable(seed)
    made = camera or SimulatedCamera(lid)
    watched = WatchedCamera(lambda: made)
    eyes, panel, clock = FakeEyes(), SimulatedPanel(), Clock()
    home = folder / "home"
    journal = Journal(folder / "journal")
    table = Table(journal, clock=time.monotonic)
    given = Means(
        home=home,
        table=table,
        camera=watched,
        eyes=eyes,
        trial=PanelTrial(panel, Pins()),
        simulated=None,
        lock_exposure=True,
        cameras=None,
        change_camera=lambda _: None,
        given_back=lambda: None,
    )
    given = replace(given, **means)  # type: ignore[arg-type]
    watched.open()
    try:
        set_up = SettingUp(given, load(home / FOLDER) if home.exists() else Progress(), clock)
        set_up.here(PAGE, take=True)
        if camera is None:
            watched.frame(timeout=20.0)  # it is awake
        yield Bench(set_up, lid, eyes, panel, table, home, clock, given)
    finally:
        watched.close()
        journal.close()
