"""How cameras are held over a lid, drawn: in a hand, on a glass, on an arm. Reads no dice."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import cv2

from vision.image.arrays import Image
from vision.image.picture import decoded, fitted
from vision.scoring.sources import Drawn, Part, Shot, Source, sources_in, throws_at
from vision.simulation.style import Mount

# Degrees along the long side: of phones by their usual 26 mm, of others by their makers.
PHONE, MODULE_2, MODULE_3_WIDE, WEBCAM = 67.0, 62.0, 102.0, 70.0
PHOTOGRAPH, VIDEO = (1600, 1200), (1280, 720)
QUALITY = 85  # of the JPEG that a phone's page sends
HANDS = {
    "in a hand, tilted by 0 to 10 degrees": Mount((280, 380), (0, 10), PHONE),
    "10 to 20 degrees": Mount((280, 380), (10, 20), PHONE),
    "20 to 30 degrees": Mount((280, 380), (20, 30), PHONE),
    "30 to 40 degrees": Mount((280, 380), (30, 40), PHONE),
    "40 to 50 degrees": Mount((280, 380), (40, 50), PHONE),
    "50 to 60 degrees": Mount((280, 380), (50, 60), PHONE),
}
STANDS = {
    "phone on a glass, 15 cm": Mount((145, 155), (0, 3), PHONE),
    "phone on a vase, 22 cm": Mount((215, 225), (0, 3), PHONE),
    "phone on books, 30 cm": Mount((290, 310), (0, 5), PHONE),
    "phone leaning aside, 30 cm, 30 degrees": Mount((290, 310), (27, 33), PHONE),
    "webcam on an arm, 30 cm": Mount((290, 310), (0, 7), WEBCAM),
    "Camera Module 2, 30 cm": Mount((290, 310), (0, 5), MODULE_2),
    "Camera Module 3 Wide, 15 cm": Mount((145, 155), (0, 5), MODULE_3_WIDE),
}


def stands(throws: int, first: int) -> list[Source]:
    """Each camera on its stand, as its video is read, without a calibration."""
    return [
        Source(name, throws_at(throws, first, Drawn(mount=mount, size=VIDEO)))
        for name, mount in STANDS.items()
    ]


def photographs(throws: int, first: int, folders: Iterable[Path], work: Path) -> list[Source]:
    """Phones in hands, drawn; then photographs of anybody's. All as a phone's page sends them."""
    found = [
        Source(name, throws_at(throws, first, Drawn(mount=mount, size=PHOTOGRAPH)))
        for name, mount in (HANDS if throws else {}).items()
    ]
    found += [source for folder in folders for source in sources_in(folder, work)]
    return [replace(source, parts=tuple(partial(_sent, part) for part in source.parts)) for source in found]


def _sent(part: Part) -> Iterator[Shot]:
    for shot in part():
        picture = fitted(shot.image)
        there = decoded(as_sent(picture.image))
        yield replace(shot, image=there.image, known=None, scale=shot.scale * picture.scale * there.scale)


def as_sent(image: Image) -> bytes:
    """The bytes that a phone's page makes of a picture that is small enough."""
    done, content = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    if not done:
        raise ValueError("a picture of three colours is wanted")
    return content.tobytes()
