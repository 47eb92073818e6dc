"""Where the journal, the calibration and the key live unless somebody says otherwise."""

import os
from pathlib import Path

CALIBRATION = "calibration.toml"
CAMERA_CREDENTIALS = "camera-credentials"  # name and password of the network camera chosen in the set-up


def default_state_folder() -> Path:
    """The user's data folder; the one place that reads the environment for it."""
    base = os.environ.get("XDG_DATA_HOME") or ""
    folder = Path(base) if Path(base).is_absolute() else Path.home() / ".local" / "share"
    return folder / "boxlid"
