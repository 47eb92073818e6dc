"""Joins the set-up to the running companion: whose camera, lamps and dice it borrows, where it is kept."""

from pathlib import Path
from typing import TYPE_CHECKING

from companion.config import CameraKind
from companion.host.set_up.means import Means
from companion.host.set_up.panel_trial import PanelTrial
from companion.host.set_up.progress import FOLDER, Progress, ProgressError, load
from companion.host.set_up.service import SettingUp
from vision.cameras.found import found_cameras

if TYPE_CHECKING:
    from companion.host.joined import Host


def home_of(state: Path, simulated_seed: int | None) -> Path:
    """Where a table's calibration is. A simulated table has a place of its own: its lid is another one."""
    return state if simulated_seed is None else state / f"simulated-{simulated_seed}"


def progress_in(home: Path, notes: list[str]) -> Progress:
    """How far the set-up came; with a note, and from the beginning, if that cannot be read."""
    try:
        return load(home / FOLDER)
    except ProgressError as error:
        notes.append(f"{error}.")
        return Progress()


def setting_up_of(host: "Host") -> SettingUp:
    chooses = host.config.camera.kind is CameraKind.AUTO and not host.options.simulate
    means = Means(
        home=host.home,
        table=host.table,
        camera=host.camera,
        eyes=host.looker,
        trial=PanelTrial(host.panel, host.config.panel),
        simulated=host.simulated_table,
        lock_exposure=host.config.camera.lock_exposure,
        cameras=found_cameras if chooses else None,
        change_camera=host.change_camera,
        given_back=host.show_again,
    )
    return SettingUp(means, host.progress)
