"""Pictures in a folder as a camera: one after the other, by name, over and over."""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import cv2

from boxlid.errors import Statement
from vision.cameras.camera import CameraError, CameraSays, CameraTitle, Frame
from vision.cameras.clock import Clock, RealClock
from vision.image.arrays import Image

ENDINGS = {".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff"}


def pictures_in(folder: Path) -> list[Path]:
    """The pictures of a folder, by name."""
    try:
        return sorted(path for path in folder.iterdir() if path.suffix.lower() in ENDINGS)
    except OSError as error:
        why = str(error.strerror)
        raise CameraError(CameraSays.FOLDER_UNREADABLE, folder=folder, why=why) from error


class FolderCamera:
    """Shows the pictures of a folder at a steady pace; a picture put in later is seen in the next round."""

    def __init__(self, folder: Path, pace: float = 0.2, clock: Clock | None = None) -> None:
        self._folder = folder
        self._pace = pace
        self._clock = clock or RealClock()
        self._number = 0
        self._last = -math.inf
        self._round: Iterator[Path] = iter(())

    @property
    def name(self) -> Statement:
        return Statement(CameraTitle.FOLDER, {"folder": self._folder.name})

    def open(self) -> None:
        if not pictures_in(self._folder):
            raise CameraError(CameraSays.FOLDER_EMPTY, folder=self._folder)
        self._round = iter(())

    def frame(self, timeout: float = 3.0) -> Frame:  # noqa: ARG002 - a disk answers at once or never
        self._clock.wait(self._last + self._pace - self._clock.now())
        self._last = self._clock.now()
        path = next(self._round, None)
        if path is None:
            self._round = iter(pictures_in(self._folder))
            path = next(self._round, None)
        if path is None:
            raise CameraError(CameraSays.FOLDER_EMPTIED, folder=self._folder)
        image = cv2.imread(str(path))
        if image is None:
            raise CameraError(CameraSays.NO_PICTURE, file=path.name, folder=self._folder)
        self._number += 1
        return Frame(cast(Image, image), self._number, self._last)

    def close(self) -> None:
        self._round = iter(())
