"""The pictures of a video or of a folder, one after the other, with the time that each was taken in it."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from math import isfinite
from pathlib import Path

import cv2

from vision.cameras.camera import CameraError, CameraSays
from vision.cameras.capture import FFMPEG_OPTIONS, Capture, quietly_opened
from vision.cameras.folder import pictures_in
from vision.image.arrays import Image
from vision.image.picture import LEAST, Picture, PictureError, open_picture

FOLDER_RATE = 5.0  # pictures a second, unless somebody says otherwise
LOWEST_RATE, HIGHEST_RATE = 0.1, 1000.0
USUAL_RATE = 25.0  # of a file that does not tell
MOST_COUNTED = 10_000_000  # of a file without a count a number beyond belief is told
LEFT_OUT = 0.1  # of the pictures that a file names: fewer missing ones are a count that was only estimated

# The decoder has sentences of its own for what we say in one; it reads this when the first film is opened.
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")


@dataclass(frozen=True, slots=True)
class Filmed:
    """One picture, and how many seconds after the first it was taken."""

    picture: Picture
    taken: float


def film_in(path: Path, rate: float | None = None) -> Iterator[Filmed]:
    """The pictures of a video, or of a folder by name, `rate` a second; CameraError where there are none.

    Without a rate the video itself tells the time of each picture.
    """
    film = _of_folder(path, rate or FOLDER_RATE) if path.is_dir() else _of_video(path, rate)
    first, second = next(film, None), next(film, None)
    if first is None:
        raise CameraError(CameraSays.FILM_EMPTY, file=path.name)
    if second is None:
        raise CameraError(CameraSays.FILM_OF_ONE, file=path.name)
    yield first
    yield second
    yield from film


def _of_folder(folder: Path, rate: float) -> Iterator[Filmed]:
    for number, path in enumerate(pictures_in(folder)):
        try:
            yield Filmed(open_picture(path), number / rate)
        except PictureError as error:
            why = error.statement
            raise CameraError(CameraSays.BAD_PICTURE, reason=why, folder=folder.name) from error


def _of_video(path: Path, rate: float | None) -> Iterator[Filmed]:
    capture = _opened(path)
    times = _Times(1 / (rate or _rate_of(capture)), told=rate is None)
    try:
        while True:
            grabbed, image = capture.read()
            if not grabbed or image is None:
                break
            taken = times.next(capture.get(cv2.CAP_PROP_POS_MSEC) / 1000)
            yield Filmed(Picture(_large_enough(image, path)), taken)
        announced = capture.get(cv2.CAP_PROP_FRAME_COUNT)
    finally:
        capture.release()
    if times.count < (1 - LEFT_OUT) * announced < MOST_COUNTED:
        count, whole = times.count, round(announced)
        raise CameraError(CameraSays.FILM_CUT, file=path.name, n=count, announced=whole)


class _Times:
    """When each picture was taken: as the file tells it, or one step after the other."""

    def __init__(self, step: float, *, told: bool) -> None:
        self.count = 0
        self._step, self._told = step, told
        self._begin = self._last = 0.0

    def next(self, told: float) -> float:
        if not self.count:
            self._begin, taken = told, 0.0
        else:
            taken = told - self._begin
            if not self._told or not isfinite(taken) or taken <= self._last:  # no times, or wrong ones
                taken = self._last + self._step
        self.count, self._last = self.count + 1, taken
        return taken


def _opened(path: Path) -> Capture:
    """What cannot be opened is told in one sentence of ours; the decoder would add lines of its own."""
    try:
        path.open("rb").close()
    except OSError as error:
        why = (error.strerror or "not readable").lower()
        raise CameraError(CameraSays.FILM_UNREADABLE, file=path.name, why=why) from error
    os.environ.pop(FFMPEG_OPTIONS, None)  # what a stream of this process wanted drops pictures of a file
    capture = quietly_opened(str(path), cv2.CAP_FFMPEG)
    if not capture.isOpened():
        raise CameraError(CameraSays.FILM_NONE, file=path.name)
    return capture


def _rate_of(capture: Capture) -> float:
    rate = capture.get(cv2.CAP_PROP_FPS)
    return rate if LOWEST_RATE <= rate <= HIGHEST_RATE else USUAL_RATE


def _large_enough(image: Image, path: Path) -> Image:
    height, width = image.shape[:2]
    if min(width, height) < LEAST:
        raise CameraError(CameraSays.FILM_TOO_SMALL, file=path.name, width=width, height=height)
    return image
