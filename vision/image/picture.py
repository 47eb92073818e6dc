"""Opens a picture file of any kind and size without filling memory. Knows no dice."""

import struct
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from boxlid.errors import BoxlidError, StatementKind
from vision.image.arrays import Image

LONGEST = 1600  # pixels: more shows no more of a die
MOST_PIXELS = 120_000_000  # decoding more than that would take too much memory
MOST_BYTES = 200_000_000
LEAST = 16  # pixels: a smaller picture shows nothing


class PictureFault(StatementKind):
    """What is wrong with a picture."""

    UNREADABLE = "picture.unreadable"
    TOO_LARGE_FILE = "picture.too-large-file"
    TOO_MANY_PIXELS = "picture.too-many-pixels"
    NONE = "picture.none"
    ODD_COLOURS = "picture.odd-colours"
    TOO_SMALL = "picture.too-small"


class PictureError(BoxlidError):
    """A picture cannot be read."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A decoded picture, BGR, and how many of the file's pixels one of its pixels is."""

    image: Image
    scale: float = 1.0


def open_picture(path: Path) -> Picture:
    """The picture in a file, upright as its EXIF says, large ones made smaller."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise PictureError(PictureFault.TOO_LARGE_FILE, name=path.name)
        content = path.read_bytes()
    except OSError as error:
        why = (error.strerror or "not readable").lower()
        raise PictureError(PictureFault.UNREADABLE, name=path.name, why=why) from error
    return decoded(content, path.name)


def decoded(content: bytes, name: str = "picture") -> Picture:
    """The picture in these bytes."""
    size = size_in_header(content)
    if size is not None and size[0] * size[1] > MOST_PIXELS:
        raise PictureError(PictureFault.TOO_MANY_PIXELS, name=name, width=size[0], height=size[1])
    flag, factor = _how_to_decode(size)
    try:
        image = cv2.imdecode(np.frombuffer(content, np.uint8), flag) if content else None
    except cv2.error:
        image = None
    if image is None:
        raise PictureError(PictureFault.NONE, name=name)
    if image.ndim != 3 or image.dtype != np.uint8:
        raise PictureError(PictureFault.ODD_COLOURS, name=name)
    if min(image.shape[:2]) < LEAST:
        height, width = image.shape[:2]
        raise PictureError(PictureFault.TOO_SMALL, name=name, width=width, height=height)
    return fitted(image.astype(np.uint8, copy=False), factor)


def fitted(image: Image, scale: float = 1.0) -> Picture:
    """The picture made small enough to read fast."""
    longest = max(image.shape[:2])
    if longest <= LONGEST:
        return Picture(image, scale)
    shrink = longest / LONGEST
    size = (max(LEAST, round(image.shape[1] / shrink)), max(LEAST, round(image.shape[0] / shrink)))
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    return Picture(small.astype(np.uint8, copy=False), scale * shrink)


def _how_to_decode(size: tuple[int, int] | None) -> tuple[int, float]:
    """The decoder's flag, and by how much it makes the picture smaller."""
    longest = max(size) if size is not None else 0
    for factor, flag in (
        (8, cv2.IMREAD_REDUCED_COLOR_8),
        (4, cv2.IMREAD_REDUCED_COLOR_4),
        (2, cv2.IMREAD_REDUCED_COLOR_2),
    ):
        if longest >= factor * LONGEST:
            return flag, float(factor)
    return cv2.IMREAD_COLOR, 1.0


def size_in_header(content: bytes) -> tuple[int, int] | None:
    """Width and height as a PNG's or JPEG's header says, None for anything else."""
    if content[:8] == b"\x89PNG\r\n\x1a\n" and len(content) >= 24:
        width, height = struct.unpack(">II", content[16:24])
        return int(width), int(height)
    return _jpeg_size(content) if content[:2] == b"\xff\xd8" else None


def _jpeg_size(content: bytes) -> tuple[int, int] | None:
    at = 2
    while at + 9 <= len(content):
        if content[at] != 0xFF:
            return None
        kind = content[at + 1]
        if kind in range(0xC0, 0xD0) and kind not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", content[at + 5 : at + 9])
            return int(width), int(height)
        if kind in (0x01, 0xFF) or kind in range(0xD0, 0xD9):
            at += 1 if kind == 0xFF else 2
        else:
            at += 2 + int(struct.unpack(">H", content[at + 2 : at + 4])[0])
    return None
