"""Rendered lids with their truth, and a photograph that lies on its side."""

import struct
from pathlib import Path

import cv2
import numpy as np

from vision.image.arrays import Image
from vision.scoring.truth import TrueScene, load

FOLDER = Path(__file__).parent / "pictures" / "reading"


def true_lids(folder: Path = FOLDER) -> list[TrueScene]:
    return load(folder)


def numbers(lid: TrueScene) -> list[int]:
    """What everybody reads in it."""
    assert lid.is_readable
    return sorted(die.number or 0 for die in lid.inside)


def turned_by_exif(image: Image) -> bytes:
    """A JPEG that lies on its side and says so, as phones write them."""
    done, data = cv2.imencode(".jpg", np.ascontiguousarray(np.rot90(image)))
    assert done
    content = data.tobytes()
    tiff = b"MM\x00*\x00\x00\x00\x08\x00\x01" + struct.pack(">HHIHH", 0x0112, 3, 1, 6, 0) + bytes(4)
    exif = b"Exif\x00\x00" + tiff
    return content[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + content[2:]
