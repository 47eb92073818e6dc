"""Which camera a setting means; the cameras themselves are one module each."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from boxlid.errors import BoxlidError, Statement, StatementKind
from vision.cameras.address import StreamAddress
from vision.cameras.camera import Camera, CameraError, CameraName, CameraSays, CameraTitle, Frame
from vision.cameras.folder import FolderCamera
from vision.cameras.kinds import CameraKind
from vision.cameras.network import NetworkCamera
from vision.cameras.picamera import PiCamera
from vision.cameras.usb import UsbCamera
from vision.simulation.shape import Shape
from vision.simulation.table import SimulatedCamera, SimulatedTable


class SettingFault(StatementKind):
    """Why something names no camera."""

    KIND = "camera_setting.kind"
    NUMBER = "camera_setting.number"
    FOLDER = "camera_setting.folder"
    SHAPE = "camera_setting.shape"


class CameraSettingError(BoxlidError, ValueError):
    """This names no camera."""


@dataclass(frozen=True, slots=True)
class CameraSetting:
    """A camera by kind and which: `picamera`, `usb:1`, `network:http://…`, `folder:/a`, `simulated:round`.

    `credentials` is the file that opens a network camera, `delay` how long its pictures are on the way.
    """

    kind: CameraKind = CameraKind.AUTO
    which: str = ""
    size: tuple[int, int] = (1280, 720)
    lens_position: float | None = None
    credentials: Path | None = None
    delay: float = 0.0

    @classmethod
    def parse(cls, text: str) -> "CameraSetting":
        """Read the notation; CameraSettingError or AddressError says what is allowed."""
        kind, _, which = text.strip().partition(":")
        try:
            named = CameraKind(kind)
        except ValueError as error:
            allowed = ", ".join(CameraKind)
            raise CameraSettingError(SettingFault.KIND, kind=kind, allowed=allowed) from error
        if named in {CameraKind.PICAMERA, CameraKind.USB} and which and not which.isdecimal():
            raise CameraSettingError(SettingFault.NUMBER, text=text, kind=kind, which=which)
        if named is CameraKind.FOLDER and not which:
            raise CameraSettingError(SettingFault.FOLDER, text=text)
        if named is CameraKind.SIMULATED and which and which not in tuple(Shape):
            raise CameraSettingError(SettingFault.SHAPE, text=text, allowed=", ".join(Shape))
        if named is CameraKind.NETWORK:
            StreamAddress.parse(which)
        return cls(named, which)

    def __str__(self) -> str:
        return f"{self.kind}:{self.which}" if self.which else str(self.kind)

    @property
    def number(self) -> int:
        return int(self.which or 0)


class AnyCamera:
    """Whatever camera opens first; looked for anew at each opening."""

    def __init__(self, choices: tuple[Callable[[], Camera], ...]) -> None:
        self._choices = choices
        self._found: Camera | None = None

    @property
    def name(self) -> CameraName:
        return self._found.name if self._found else Statement(CameraTitle.ANY)

    @property
    def found(self) -> Camera | None:
        """The camera behind this one, once it is open."""
        return self._found

    def open(self) -> None:
        reasons: list[Statement] = []
        for make in self._choices:
            camera = make()
            try:
                camera.open()
            except CameraError as error:
                reasons.append(error.statement)
                continue
            self._found = camera
            return
        raise CameraError(CameraSays.NONE_FOUND, reasons=tuple(reasons))

    def frame(self, timeout: float = 3.0) -> Frame:
        if self._found is None:
            raise CameraError(CameraSays.CLOSED, name=self.name)
        return self._found.frame(timeout)

    def close(self) -> None:
        if self._found is not None:
            self._found.close()
        self._found = None


def camera_for(setting: CameraSetting) -> Camera:
    """The camera a setting means, not yet opened."""
    match setting.kind:
        case CameraKind.PICAMERA:
            return PiCamera(setting.number, setting.size, setting.lens_position)
        case CameraKind.USB:
            return UsbCamera(setting.number, setting.size)
        case CameraKind.NETWORK:
            address = StreamAddress.parse(setting.which)
            return NetworkCamera(address, setting.credentials, setting.size, setting.delay)
        case CameraKind.FOLDER:
            return FolderCamera(Path(setting.which))
        case CameraKind.SIMULATED:
            shape = Shape(setting.which) if setting.which else Shape.LID
            return SimulatedCamera(SimulatedTable(size=setting.size, shape=shape))
        case CameraKind.AUTO:
            return AnyCamera(
                (
                    lambda: PiCamera(0, setting.size, setting.lens_position),
                    lambda: UsbCamera(0, setting.size),
                )
            )


def open_camera(setting: CameraSetting | str = CameraKind.AUTO) -> Camera:
    """The camera a setting means, giving pictures; CameraError says why there is none."""
    wanted = CameraSetting.parse(setting) if isinstance(setting, str) else setting
    camera = camera_for(wanted)
    try:
        camera.open()
    except CameraError:
        camera.close()  # its thread may still be ending
        raise
    return camera
