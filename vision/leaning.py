"""Whether a die leans and where its foot is, seen by a small network of its own. Knows no pips."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.camera import Image
from vision.network import network
from vision.pips import Array, normalised, rectified

CROP, SPAN = 48, 2.4  # pixels, and edges of the face they show: a leaning die's side reaches that far
TURNS = 2


@dataclass(frozen=True, slots=True)
class Lean:
    """How likely a die leans, and the way to the middle of its lowest face in the picture, in edges."""

    chance: float
    foot: tuple[float, float]
    stray: float = 0.1  # how far off that may be


def look_at_lean(image: Image, faces: Sequence[Array]) -> tuple[Lean, ...]:
    """Each die with its surroundings, looked at from two sides."""
    if not faces:
        return ()
    crops, backs = [], []
    for corners in faces:
        for turn in range(TURNS):
            crop, matrix = rectified(image, corners, CROP, SPAN, turn)
            crops.append(crop)
            backs.append(np.linalg.inv(matrix[:2, :2].astype(np.float64)))
    out = network("leaning.onnx").planes(normalised(crops)).reshape(len(crops), -1)
    found = []
    for i, corners in enumerate(faces):
        mine = slice(i * TURNS, (i + 1) * TURNS)
        edge = float(np.sqrt(_area(corners))) + 1e-6
        ways = [back @ (o[:2] * CROP / SPAN) / edge for back, o in zip(backs[mine], out[mine], strict=True)]
        foot = np.mean(ways, axis=0)
        apart = float(np.linalg.norm(np.array(ways) - foot, axis=1).mean())
        stray = float(np.hypot(np.exp(np.clip(out[mine, 2], -5, 1)).mean(), apart))
        chance = 1 / (1 + np.exp(-float(out[mine, 3].mean())))
        found.append(Lean(float(chance), (float(foot[0]), float(foot[1])), stray))
    return tuple(found)


def _area(corners: Array) -> float:
    x, y = np.asarray(corners, np.float64).T
    return abs(float((x * np.roll(y, -1) - y * np.roll(x, -1)).sum())) / 2
