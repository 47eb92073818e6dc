"""The cameras to choose from: a picture of each beside the one in use, and one typed in as an address."""

import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from boxlid.errors import Statement
from companion.journal.files import put_in_place
from companion.settings.state_folder import CAMERA_CREDENTIALS
from companion.view.setting_up import SetUpFault, SetUpRefused
from companion.words import english
from vision.cameras.address import AddressError, StreamAddress, credentials_apart
from vision.cameras.camera import Camera, CameraError
from vision.cameras.choice import CameraSetting
from vision.cameras.kinds import CameraKind
from vision.cameras.network import title_of
from vision.image.arrays import Image

NETWORK = str(CameraKind.NETWORK)  # what pages call the one that was typed in: its address is not theirs
FRESH_SECONDS = 30.0
FIRST_PICTURES = 3  # exposure needs some to settle
PICTURE_SECONDS = 4.0


@dataclass(frozen=True, slots=True)
class _Taken:
    image: Image | None
    at: float


class Previews:
    """Opens a camera for a moment, one at a time; what was seen counts for a while."""

    def __init__(
        self, make: Callable[[CameraSetting], Camera], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._make = make
        self._clock = clock
        self._mutex = threading.Lock()
        self._taken: dict[str, _Taken] = {}

    def of(self, setting: str) -> Image | None:
        """None for a camera that gives no picture."""
        with self._mutex:
            kept = self._taken.get(setting)
            if kept is None or self._clock() - kept.at > FRESH_SECONDS:
                kept = self._taken[setting] = _Taken(self._look(setting), self._clock())
            return kept.image

    def _look(self, setting: str) -> Image | None:
        camera = self._make(CameraSetting.parse(setting))
        try:
            camera.open()
            for _ in range(FIRST_PICTURES):
                frame = camera.frame(PICTURE_SECONDS)
        except CameraError:
            return None
        finally:
            camera.close()
        return frame.image


def setting_for(typed: str, state: Path) -> str:
    """The setting for an address as it was typed; name and password go into a file of their own."""
    plain, credentials = credentials_apart(typed.strip())
    try:
        StreamAddress.parse(plain)
    except AddressError as error:
        raise SetUpRefused(SetUpFault.ADDRESS, english(error)) from None
    file = state / CAMERA_CREDENTIALS
    if credentials:
        _keep_private(credentials, file)
    else:
        file.unlink(missing_ok=True)
    return str(CameraSetting(CameraKind.NETWORK, plain))


def _keep_private(text: str, file: Path) -> None:
    """Whole or not at all, for its owner's eyes only."""
    made = file.with_name(f".{file.name}.{os.getpid()}.new")
    made.unlink(missing_ok=True)
    with os.fdopen(os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as new:
        new.write(f"{text}\n")
    put_in_place(made, file)


def name_of(setting: str) -> Statement:
    """What pages call a camera that was typed in: its machine, and no more of its address."""
    return title_of(StreamAddress.parse(CameraSetting.parse(setting).which))


def is_network(setting: str) -> bool:
    return setting.startswith(f"{NETWORK}:")
