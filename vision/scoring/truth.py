"""Labelled pictures, for scoring, tests and training: what lies in each. Knows files and no network.

A person reads a die that leans by up to 15 degrees like a flat one. Beyond 15 both its number and a question
are right; beyond 35, and where dice are stacked, hidden or missing, only a question is.
"""

import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.image.arrays import Image
from vision.reading import ALL_SIX, DieColour

Points = NDArray[np.float64]

READABLE_CONTRAST = 8.0  # CIELAB distance of the faintest pip below which nobody can read a face
SEEN_ENOUGH = 0.75  # of a face, below which nobody can either
PLAIN, UNREADABLE = 15.0, 35.0  # degrees by which a die leans
HELD_BACK_EVERY = 10


def held_back(seed: int) -> bool:
    """Whether a rendered or drawn scene is kept apart, to score what was learnt."""
    return seed % HELD_BACK_EVERY == 0


@dataclass(frozen=True, slots=True)
class TrueDie:
    """One labelled die. Photographs have no corners, and their place and size are approximate."""

    x: float
    y: float
    size: float
    pips: int | None
    colour: str | None
    corners: Points | None = None
    state: str = "flat"
    visible: float = 1.0
    contrast: float = 99.0
    in_lid: bool = True
    in_frame: bool = True
    upward: int | None = None  # the number of the most upward face, of a die that leans
    lean: float = 0.0  # degrees

    @property
    def flat(self) -> bool:
        return self.state in {"flat", "outside", "stacked"}

    @property
    def readable(self) -> bool:
        """A person could read this face."""
        return self.flat and self.pips is not None and self.is_seen

    @property
    def is_seen(self) -> bool:
        """Whether enough of its face is seen, and plainly enough."""
        return self.visible >= SEEN_ENOUGH and self.contrast >= READABLE_CONTRAST

    @property
    def number(self) -> int | None:
        """What a person reads; None where nobody can, 0 where the truth does not say."""
        if self.state == "flat":
            return self.pips
        if self.state == "cocked" and self.lean <= UNREADABLE:
            return self.upward or self.pips or 0
        return None


@dataclass(frozen=True, slots=True)
class TrueScene:
    """One labelled picture; `exact` where places and corners are true to the pixel."""

    path: Path
    dice: tuple[TrueDie, ...]
    lid: Points | None = None
    exact: bool = True
    group: str = ""  # preset of a render, its table, view of a photograph
    source: str = ""  # what to hold out by
    held_back: bool = False
    expected: tuple[DieColour, ...] = ALL_SIX
    kind: str = ""  # of a table's pictures: empty, calibrate, throw

    @property
    def inside(self) -> tuple[TrueDie, ...]:
        """The dice that count."""
        return tuple(die for die in self.dice if die.in_lid)

    @property
    def is_readable(self) -> bool:
        """Whether exactly the dice in play lie there, and each shows a number."""
        colours = Counter(die.colour for die in self.inside)
        complete = colours == Counter(str(colour) for colour in self.expected)
        return complete and all(die.number is not None for die in self.inside)

    @property
    def is_plain(self) -> bool:
        """Whether everybody reads it at a glance: then a question is one too many."""
        return self.is_readable and all(die.is_seen and die.lean < PLAIN for die in self.inside)

    def picture(self) -> Image:
        """All its pixels, upright."""
        image = cv2.imread(str(self.path), cv2.IMREAD_COLOR)
        if image is None:
            raise FileNotFoundError(f"no readable picture at {self.path}")
        return image.astype(np.uint8, copy=False)


def load(folder: Path) -> list[TrueScene]:
    """All labelled pictures of a folder: rendered (truth.jsonl) or photographed (labels.json)."""
    if (folder / "truth.jsonl").exists():
        return list(_renders(folder))
    if (folder / "labels.json").exists():
        return list(_photographs(folder))
    tables = sorted(folder.glob("*/truth.jsonl"))
    if not tables:
        raise FileNotFoundError(f"wanted truth.jsonl or labels.json in {folder}, found neither")
    return [scene for table in tables for scene in _renders(table.parent)]


def rendered_lines(folder: Path) -> Iterator[dict[str, Any]]:
    """The lines of a truth file whose pictures are there, as the renderer wrote them."""
    for line in (folder / "truth.jsonl").read_text(encoding="utf-8").splitlines():
        if line.strip():
            truth = json.loads(line)
            if (folder / truth["file"]).exists():
                yield truth


def _renders(folder: Path) -> Iterator[TrueScene]:
    for truth in rendered_lines(folder):
        if truth.get("dice") is not None:  # else a frame of a filmed throw
            yield rendered_scene(folder, truth)


def rendered_scene(folder: Path, truth: dict[str, Any]) -> TrueScene:
    """The picture of one line, which names its dice."""
    corners, dice = truth.get("lid_corners"), tuple(_rendered_die(d) for d in truth["dice"])
    return TrueScene(
        folder / truth["file"],
        dice,
        None if corners is None else np.array(corners, np.float64),
        exact=all(die.corners is not None for die in dice),
        group=folder.name if folder.name.startswith("table") else truth.get("preset", folder.name),
        source=folder.name,
        held_back=held_back(truth.get("seed", 1)),
        expected=expected_dice(truth.get("tags", ())),
        kind=truth.get("kind", ""),
    )


def expected_dice(tags: Iterable[str]) -> tuple[DieColour, ...]:
    """All six, less the locked ones."""
    locked = {c for tag in tags if tag.startswith("locked:") for c in tag[7:].split(",")}
    return tuple(colour for colour in ALL_SIX if colour not in locked)


def _rendered_die(label: dict[str, Any]) -> TrueDie:
    corners = np.array(label["corners"], np.float64) if "corners" in label else None
    state = label.get("state", "flat")
    contrast = label.get("contrast")
    upward = label.get("true_pips")
    return TrueDie(
        x=label.get("x", math.nan),
        y=label.get("y", math.nan),
        size=math.nan if corners is None else _edge_of(corners),
        pips=label.get("pips", upward),
        colour=label["colour"],
        corners=corners,
        state=state,
        visible=label.get("visible", 1.0),
        contrast=99.0 if contrast is None else contrast,
        in_lid=label.get("in_lid", True),
        in_frame=label.get("in_frame", True),
        upward=upward,
        lean=float(label.get("tilt_deg") or 0.0) if state == "cocked" else 0.0,
    )


def _edge_of(corners: Points) -> float:
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    return float(np.sqrt(sides[0::2].mean() * sides[1::2].mean()))


def _photographs(folder: Path) -> Iterator[TrueScene]:
    for entry in json.loads((folder / "labels.json").read_text(encoding="utf-8")):
        path = folder / entry["file"]
        if not path.exists():
            continue
        dice = tuple(_photographed_die(d) for d in entry["dice"])
        yield TrueScene(path, dice, exact=False, group=entry.get("view", "?"), source=entry.get("repo", ""))


def _photographed_die(label: dict[str, Any]) -> TrueDie:
    known = isinstance(label["pips"], int)
    return TrueDie(
        x=float(label["x"]),
        y=float(label["y"]),
        size=float(label["size"]),
        pips=label["pips"] if known else None,
        colour=label["colour"],
        state="flat" if known else "unclear",
    )
