"""Which camera is used: that of the settings, one chosen on a page, or a simulated table without any."""

from collections.abc import Callable
from pathlib import Path

from companion.host.changeable import Changeable
from companion.host.set_up.joining import remember_camera
from companion.settings.config import CameraConfig
from companion.sight.camera_setting import setting_of
from vision.cameras.camera import Camera, CameraError
from vision.cameras.choice import CameraSetting, camera_for
from vision.cameras.kinds import CameraKind
from vision.simulation.table import SimulatedCamera, SimulatedTable

NO_CAMERA = (
    'No camera was found: roll real dice and tap "Photograph the dice" on a phone. '
    "For who has none, the table is simulated."
)


class CameraInUse:
    """One camera at a time; another one may be chosen while the companion runs."""

    def __init__(
        self,
        settings: CameraConfig,
        state: Path,
        chosen: str,
        simulated: Callable[[], SimulatedTable],
        *,
        simulate: bool,
    ) -> None:
        self._settings = settings
        self._state = state
        self._chosen = chosen
        wanted = simulate or settings.kind is CameraKind.SIMULATED
        self.is_lacking = not wanted and not self._is_there()  # the table is simulated for want of a camera
        self.table = simulated() if wanted or self.is_lacking else None
        self._cameras = Changeable(self._made)
        self.make = self._cameras.make

    @property
    def setting(self) -> CameraSetting:
        return setting_of(self._settings, self._chosen, self._state)

    def change(self, chosen: str) -> None:
        """That camera from now on; a simulated table stays one until the next start."""
        self._chosen = chosen
        if self.table is None:
            self._cameras.change()
        else:
            remember_camera(self._state, chosen)

    def _made(self) -> Camera:
        return SimulatedCamera(self.table) if self.table else camera_for(self.setting)

    def _is_there(self) -> bool:
        """One that was named is waited for; else whether there is a camera at all."""
        setting = self.setting
        return setting.kind is not CameraKind.AUTO or _opens(setting)


def _opens(setting: CameraSetting) -> bool:
    camera = camera_for(setting)
    try:
        camera.open()
    except CameraError:
        return False
    camera.close()
    return True
