"""Rendered lids with their truth, and how an answer to one is judged: right, asked, or wrong."""

import json
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import cv2
import numpy as np

from vision.camera import Image
from vision.reading import ALL_SIX, DieColour, Reading

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


def _lid(folder: Path, line: str) -> TrueLid:
    truth = json.loads(line)
    locked = {c for tag in truth["tags"] if tag.startswith("locked:") for c in tag[7:].split(",")}
    expected = tuple(c for c in ALL_SIX if c.value not in locked)
    inside = [d for d in truth["dice"] if d["in_lid"]]
    complete = Counter(d["colour"] for d in inside) == Counter(c.value for c in expected)
    readable = complete and all(d["state"] == "flat" and d["pips"] for d in inside)
    dice = Counter((DieColour(d["colour"]), int(d["pips"])) for d in inside) if readable else None
    doubtful = any(d["visible"] < 0.75 or (d["contrast"] is not None and d["contrast"] < 8) for d in inside)
    return TrueLid(folder / truth["file"], truth["preset"], expected, dice, doubtful)
