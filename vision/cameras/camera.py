"""The one small protocol behind which all cameras stand, and what is said of them, as kinds and values."""

from dataclasses import dataclass
from typing import Protocol

from boxlid.errors import BoxlidError, Statement, StatementKind
from vision.image.arrays import Image


class CameraTitle(StatementKind):
    """What a camera is called."""

    PI = "camera_title.pi"
    USB = "camera_title.usb"
    NETWORK = "camera_title.network"
    FOLDER = "camera_title.folder"
    SIMULATED = "camera_title.simulated"
    ANY = "camera_title.any"


class CameraSays(StatementKind):
    """What is said of a camera: how it is, and why it gives no picture."""

    NONE_FOUND = "camera.none-found"
    NO_PICAMERA2 = "camera.no-picamera2"
    NO_PI_CAMERA = "camera.no-pi-camera"
    NO_USB_CAMERA = "camera.no-usb-camera"
    SIMULATED_ABSENT = "camera.simulated-absent"
    SIMULATED_UNPLUGGED = "camera.simulated-unplugged"
    CLOSED = "camera.closed"
    REOPENING = "camera.reopening"
    STARTING = "camera.starting"
    WORKS = "camera.works"
    BLACK = "camera.black"
    BLINDED = "camera.blinded"
    FROZEN = "camera.frozen"
    NOT_SET_UP = "camera.not-set-up"
    NOT_CLOSED = "camera.not-closed"
    SILENT = "camera.silent"
    FAILED = "camera.failed"
    USB_HANGS = "camera.usb-hangs"
    USB_DUMB = "camera.usb-dumb"
    USB_GONE = "camera.usb-gone"
    NETWORK_HANGS = "camera.network-hangs"
    NETWORK_DUMB = "camera.network-dumb"
    NETWORK_SILENT = "camera.network-silent"
    NETWORK_GONE = "camera.network-gone"
    NETWORK_ABSENT = "camera.network-absent"
    NO_PICTURES = "camera.no-pictures"
    LATE = "camera.late"
    NOT_ASKED = "camera.not-asked"
    NO_FFMPEG = "camera.no-ffmpeg"
    FOLDER_EMPTY = "camera.folder-empty"
    FOLDER_EMPTIED = "camera.folder-emptied"
    FOLDER_UNREADABLE = "camera.folder-unreadable"
    NO_PICTURE = "camera.no-picture"
    BAD_PICTURE = "camera.bad-picture"
    FILM_EMPTY = "camera.film-empty"
    FILM_OF_ONE = "camera.film-of-one"
    FILM_CUT = "camera.film-cut"
    FILM_UNREADABLE = "camera.film-unreadable"
    FILM_NONE = "camera.film-none"
    FILM_TOO_SMALL = "camera.film-too-small"


class CameraError(BoxlidError):
    """The camera gives no picture."""


CameraName = Statement | str  # a text is what somebody else calls it


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture: BGR, its number since the camera was opened, and when it was taken (monotonic seconds)."""

    image: Image
    number: int
    taken: float


class Camera(Protocol):
    """A source of frames. `frame` waits for a newer picture and raises CameraError if none comes."""

    @property
    def name(self) -> CameraName: ...

    def open(self) -> None: ...

    def frame(self, timeout: float = 3.0) -> Frame: ...

    def close(self) -> None: ...
