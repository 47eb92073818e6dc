"""What the set-up is lent by the host, and what its newest step showed. Owns no steps."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from companion.host.set_up.cameras import Previews
from companion.host.set_up.lessons import LearningEye, Lesson
from companion.host.set_up.panel_trial import PanelTrial
from companion.host.set_up.places import Ground
from companion.table.eyes import Notice
from companion.table.table import Table
from companion.view.setting_up import Doubt, RollShown, Step
from vision.cameras.camera import CameraName
from vision.cameras.found import FoundCamera
from vision.memory.calibration import Calibration
from vision.simulation.table import SimulatedTable


class GameEyes(Protocol):
    """What looks at the lid for the game, as far as the set-up stops it and teaches it."""

    @property
    def calibration(self) -> Calibration | None: ...

    @property
    def is_busy(self) -> bool: ...

    def pause(self) -> None: ...

    def resume(self) -> None: ...

    def use(self, calibration: Calibration | None) -> None: ...


class Watched(LearningEye, Protocol):
    """The watched camera, by its name."""

    @property
    def name(self) -> CameraName: ...


@dataclass(frozen=True)
class Means:
    """What the host lends to the set-up."""

    home: Path  # where the calibration in force is
    state: Path  # where the real table's choices are
    table: Table
    camera: Watched
    eyes: GameEyes
    trial: PanelTrial
    simulated: SimulatedTable | None
    lock_exposure: bool
    cameras: Callable[[], tuple[FoundCamera, ...]] | None  # None: the settings name the camera
    previews: Previews
    change_camera: Callable[[str], None]
    given_back: Callable[[], None]  # the game has its lamps and dice again


@dataclass(frozen=True, slots=True)
class Shown:
    """What the newest step brought, kept in memory only."""

    picture: int = 0  # of the lid
    ground: Ground | None = None  # None: the one that is kept
    found: bool = False
    doubt: Doubt | None = None
    empty: int = 0
    dice_picture: int = 0
    lesson: Lesson = field(default_factory=Lesson)
    roll: RollShown | None = None
    before: str = ""  # where the calibration before the one now in force is
    troubles: tuple[Notice, ...] = ()
    troubled: Step | None = None
