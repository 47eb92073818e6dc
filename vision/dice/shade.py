"""Whether a die's pips are lighter or darker than its body. Knows no colour's name.

White dice have dark pips and most coloured ones light pips, in every light: that tells them apart where a
lamp gives all of them one hue.
"""

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.pips import Array, rectified
from vision.dice.spots import PATTERNS, USUAL_PITCH, Spot
from vision.image.arrays import Image, median

CROP, SPAN = 24, 0.92
PIP, AROUND_PIP = 0.075, 0.12  # edges from a pip's middle that are surely pip, and from which on surely body
FACE_ENDS = 0.42

Mask = NDArray[np.bool_]
Lengths = NDArray[np.float64]


def lighter_pips(image: Image, corners: Array, pips: int) -> float:
    """How much lighter the pips are than the body, in CIELAB; darker ones are below 0."""
    crop, _ = rectified(image, corners, CROP, SPAN)
    lab = np.asarray(cv2.cvtColor(crop.astype(np.float32) / 255, cv2.COLOR_BGR2Lab), np.float32)
    lightness = lab[..., 0]
    between, sites = _masks()
    body = float(median(lightness[between]))
    seen = [float(median(lightness[mask])) - body for mask in sites.get(pips, ())]
    return max(seen, key=abs, default=0.0)


@lru_cache(maxsize=1)
def _masks() -> tuple[Mask, dict[int, list[Mask]]]:
    """Where no number has a pip, and for each number where its pips are, either way round."""
    axis = (np.arange(CROP) - (CROP - 1) / 2) / CROP * SPAN
    u, v = np.meshgrid(axis, axis)
    away: dict[Spot, Lengths] = {
        (x, y): np.hypot(u - x * USUAL_PITCH, v - y * USUAL_PITCH) for x in (-1, 0, 1) for y in (-1, 0, 1)
    }
    between = np.min(list(away.values()), axis=0) > AROUND_PIP
    between &= np.maximum(np.abs(u), np.abs(v)) < FACE_ENDS
    sites: dict[int, list[Mask]] = {}
    for pips, spots in PATTERNS:
        sites.setdefault(pips, []).append(np.min([away[spot] for spot in spots], axis=0) < PIP)
    return between, sites
