"""The calibration in force, and the one before it, which stays beside it. Learns nothing, asks nobody."""

from dataclasses import dataclass, replace
from pathlib import Path

from boxlid.errors import Statement
from companion.settings.state_folder import CALIBRATION
from vision.image.arrays import Image
from vision.memory.calibration import Calibration, CalibrationError, load, save

CALIBRATION_BEFORE = "calibration-before.toml"


@dataclass(frozen=True, slots=True)
class InForce:
    """A calibration in its place. `before` is where the earlier one is now; `lost`, why it is nowhere."""

    calibration: Calibration
    before: Path | None = None
    lost: Statement | None = None


def put_in_force(learnt: Calibration, empty: Image | None, home: Path) -> InForce:
    """The earlier one is put beside first, then replaced whole; CalibrationError if the disk refuses."""
    path, before, lost = home / CALIBRATION, None, None
    if path.exists():
        try:
            earlier = load(path)
            earlier_empty = earlier.empty_lid()
        except CalibrationError as error:
            lost = error.statement
        else:
            before = home / CALIBRATION_BEFORE
            save(replace(earlier, reference=None), before, earlier_empty)
    return InForce(save(replace(learnt, reference=None), path, empty), before, lost)
