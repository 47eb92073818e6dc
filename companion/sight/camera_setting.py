"""Which camera is meant: the settings, and what was chosen when the table was set up. Opens none."""

from dataclasses import replace
from pathlib import Path

from companion.settings.config import CameraConfig
from companion.settings.state_folder import CAMERA_CREDENTIALS
from vision.cameras.choice import CameraSetting
from vision.cameras.kinds import CameraKind


def setting_of(camera: CameraConfig, chosen: str = "", state: Path | None = None) -> CameraSetting:
    """The camera meant; `chosen` counts where the settings leave it open, its password is in `state`."""
    setting = CameraSetting(
        camera.kind,
        _which(camera),
        (camera.width, camera.height),
        credentials=Path(camera.credentials) if camera.credentials else None,
        delay=camera.delay,
    )
    if camera.kind is not CameraKind.AUTO or not chosen:
        return setting
    found = CameraSetting.parse(chosen)
    held = state / CAMERA_CREDENTIALS if state is not None else None
    opens = held if held is not None and held.exists() else None
    return replace(setting, kind=found.kind, which=found.which, credentials=opens)


def _which(camera: CameraConfig) -> str:
    if camera.kind is CameraKind.FOLDER:
        return camera.folder
    if camera.kind is CameraKind.SIMULATED:
        return ""
    return camera.url if camera.kind is CameraKind.NETWORK else str(camera.device)
