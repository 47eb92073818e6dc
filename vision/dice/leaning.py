"""Whether a die leans and where its foot is, seen by a small network of its own. Knows no pips."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.dice.pips import QUARTERS, Array, edge_of, normalised, rectified, steps_at
from vision.image.arrays import Image
from vision.networks.network import network

CROP, SPAN = 48, 2.4  # pixels, and edges of the face they show: a leaning die's side reaches that far
TURNS, ALL_TURNS = 2, 4


@dataclass(frozen=True, slots=True)
class Lean:
    """How likely a die leans, and the way to the middle of its lowest face in the picture, in edges."""

    chance: float
    foot: tuple[float, float]
    stray: float = 0.1  # how far off that may be


@dataclass(frozen=True, slots=True)
class _View:
    """A crop, and the matrix that leads a way in it back to the picture."""

    crop: Image
    back: Array


def look_at_lean(image: Image, faces: Sequence[Array], closely: bool = False) -> tuple[Lean, ...]:
    """Each die with its surroundings, looked at from two sides; closely: from all four, mirrored too."""
    if not faces:
        return ()
    views = [view for corners in faces for view in _views(image, corners, closely)]
    out = network("leaning.onnx").planes(normalised([view.crop for view in views])).reshape(len(views), -1)
    count = len(views) // len(faces)
    parts = [slice(i * count, (i + 1) * count) for i in range(len(faces))]
    return tuple(
        _averaged(views[mine], out[mine], corners) for mine, corners in zip(parts, faces, strict=True)
    )


def _views(image: Image, corners: Array, closely: bool) -> list[_View]:
    crop, matrix = rectified(image, corners, CROP, SPAN)
    middle = (CROP - 1) / 2
    straight = steps_at(np.linalg.inv(matrix.astype(np.float64)), middle, middle).astype(np.float32)
    views = []
    for turn in range(ALL_TURNS if closely else TURNS):
        back = straight @ QUARTERS[turn]
        views.append(_View(np.rot90(crop, turn), back))
        if closely:
            views.append(_View(np.rot90(crop, turn)[:, ::-1], back * np.array([-1, 1], np.float32)))
    return views


def _averaged(views: Sequence[_View], out: Array, corners: Array) -> Lean:
    """What the network says of one die; views that differ make it less sure."""
    backs = np.array([view.back for view in views]) * (CROP / SPAN / edge_of(corners))
    ways = (backs @ out[:, :2, None])[..., 0]
    foot = np.median(ways, axis=0)
    apart = float(np.linalg.norm(ways - foot, axis=1).mean())
    stray = float(np.hypot(np.exp(np.clip(out[:, 2], -5, 1)).mean(), apart))
    chance = 1 / (1 + np.exp(-float(out[:, 3].mean())))
    return Lean(float(chance), (float(foot[0]), float(foot[1])), stray)
