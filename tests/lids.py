"""Rendered lids with their truth, and how an answer to one is judged: right, asked, or wrong."""

import json
import struct
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.image.arrays import Image
from vision.reading import ALL_SIX, DieColour, Reading

PLAIN, UNREADABLE = 15, 35  # degrees by which a die leans
FOLDER = Path(__file__).parent / "pictures" / "reading"


class Outcome(StrEnum):
    RIGHT = "right"
    ASKED = "asked"
    WRONG = "wrong"


@dataclass(frozen=True)
class TrueLid:
    """One picture: which dice are expected, which lie in the lid (None: they cannot be read)."""

    path: Path
    preset: str
    expected: tuple[DieColour, ...]
    dice: Counter[tuple[DieColour, int]] | None
    doubtful: bool

    def picture(self) -> Image:
        image = cv2.imread(str(self.path))
        assert image is not None
        return image.astype(np.uint8, copy=False)

    def outcome(self, reading: Reading) -> Outcome:
        if not reading.certain:
            return Outcome.RIGHT if self.dice is None or self.doubtful else Outcome.ASKED
        seen = Counter((die.colour, die.pips) for die in reading.dice)
        return Outcome.RIGHT if self.dice is not None and seen == self.dice else Outcome.WRONG


def true_lids(folder: Path = FOLDER) -> list[TrueLid]:
    return [_lid(folder, line) for line in (folder / "truth.jsonl").read_text().splitlines()]


def _is_read(die: dict[str, Any]) -> bool:
    """Whether a person may read its number: up to 35 degrees it is the most upward face's."""
    state, tilt = str(die["state"]), float(die["tilt_deg"])
    return state == "flat" or (state == "cocked" and tilt <= UNREADABLE)


def _may_be_asked(die: dict[str, Any]) -> bool:
    return bool(die["state"] == "cocked") and float(die["tilt_deg"]) >= PLAIN


def _lid(folder: Path, line: str) -> TrueLid:
    truth = json.loads(line)
    locked = {c for tag in truth["tags"] if tag.startswith("locked:") for c in tag[7:].split(",")}
    expected = tuple(c for c in ALL_SIX if c.value not in locked)
    inside = [d for d in truth["dice"] if d["in_lid"]]
    complete = Counter(d["colour"] for d in inside) == Counter(c.value for c in expected)
    readable = complete and all(_is_read(d) for d in inside)
    dice = Counter((DieColour(d["colour"]), int(d["true_pips"])) for d in inside) if readable else None
    doubtful = any(
        _may_be_asked(d) or d["visible"] < 0.75 or (d["contrast"] is not None and d["contrast"] < 8)
        for d in inside
    )
    return TrueLid(folder / truth["file"], truth["preset"], expected, dice, doubtful)


def turned_by_exif(image: Image) -> bytes:
    """A JPEG that lies on its side and says so, as phones write them."""
    done, data = cv2.imencode(".jpg", np.ascontiguousarray(np.rot90(image)))
    assert done
    content = data.tobytes()
    tiff = b"MM\x00*\x00\x00\x00\x08\x00\x01" + struct.pack(">HHIHH", 0x0112, 3, 1, 6, 0) + bytes(4)
    exif = b"Exif\x00\x00" + tiff
    return content[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + content[2:]
