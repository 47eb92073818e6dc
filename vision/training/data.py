"""Labelled pictures for training and scoring: rendered lids and photographs. Knows files, no network."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.image.arrays import Image

Points = NDArray[np.float64]

READABLE_CONTRAST = 8.0  # CIELAB distance of the faintest pip below which nobody can read a face
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

    @property
    def flat(self) -> bool:
        return self.state in {"flat", "outside", "stacked"}

    @property
    def readable(self) -> bool:
        """A person could read this face."""
        return (
            self.flat
            and self.pips is not None
            and self.visible >= 0.75
            and self.contrast >= READABLE_CONTRAST
        )


@dataclass(frozen=True, slots=True)
class TrueScene:
    """One labelled picture; `exact` where places and corners are true to the pixel."""

    path: Path
    dice: tuple[TrueDie, ...]
    lid: Points | None = None
    exact: bool = True
    group: str = ""  # preset of a render, view of a photograph
    source: str = ""  # what to hold out by
    held_back: bool = False

    def picture(self) -> Image:
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


def _renders(folder: Path) -> Iterator[TrueScene]:
    for line in (folder / "truth.jsonl").read_text().splitlines():
        truth = json.loads(line)
        path = folder / truth["file"]
        if not path.exists():
            continue
        dice = tuple(_rendered_die(d) for d in truth["dice"])
        lid = np.array(truth["lid_corners"], np.float64)
        group, apart = truth.get("preset", folder.name), held_back(truth["seed"])
        yield TrueScene(path, dice, lid, group=group, source=folder.name, held_back=apart)


def _rendered_die(label: dict[str, Any]) -> TrueDie:
    corners = np.array(label["corners"], np.float64)
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    return TrueDie(
        x=label["x"],
        y=label["y"],
        size=float(np.sqrt(sides[0::2].mean() * sides[1::2].mean())),
        pips=label["pips"],
        colour=label["colour"],
        corners=corners,
        state=label.get("state", "flat"),
        visible=label.get("visible", 1.0),
        contrast=label.get("contrast", 99.0) if label.get("contrast") is not None else 99.0,
        in_lid=label["in_lid"],
        in_frame=label.get("in_frame", True),
    )


def _photographs(folder: Path) -> Iterator[TrueScene]:
    for entry in json.loads((folder / "labels.json").read_text()):
        path = folder / entry["file"]
        if not path.exists():
            continue
        dice = tuple(_photographed_die(d) for d in entry["dice"])
        yield TrueScene(path, dice, exact=False, group=entry.get("view", "?"), source=entry["repo"])


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
