"""Which camera is meant: the settings, and what was chosen when the table was set up. Opens none."""

from dataclasses import replace

from companion.config import CameraConfig, CameraKind
from vision.cameras import CameraKind as VisionKind
from vision.cameras import CameraSetting


def setting_of(camera: CameraConfig, chosen: str = "") -> CameraSetting:
    """The camera that the settings mean; `chosen` counts where they leave it open."""
    which = camera.folder if camera.kind is CameraKind.FOLDER else str(camera.device)
    setting = CameraSetting(VisionKind(camera.kind.value), which, (camera.width, camera.height))
    if camera.kind is CameraKind.AUTO and chosen:
        found = CameraSetting.parse(chosen)
        return replace(setting, kind=found.kind, which=found.which)
    return setting
