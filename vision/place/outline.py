"""Outlines that people draw: what is none, and the few handles that a found one needs. Knows no pictures."""

from enum import StrEnum
from math import isfinite

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading import Outline

Ring = NDArray[np.float32]

LEAST_CORNERS, MOST_CORNERS = 3, 24
LEAST_AREA = 0.01  # of the picture: in a smaller place no dice are seen
FEW_HANDLES = 8  # an outline that needs more is drawn as an ellipse, or as well as so many corners can
BETTER = 0.02  # of the outline: by so much a few corners must explain it better than an ellipse
ROUND_POINTS = 24  # of an ellipse; the first and the one a quarter round it end its two half axes
COARSER = np.linspace(0.004, 0.06, 15)  # of the outline's length: how far corners may be left out


class OutlineFault(StrEnum):
    """Why corners are no outline."""

    FEW = "few"
    MANY = "many"
    OUTSIDE = "outside"  # the picture, or no number at all
    CROSSED = "crossed"
    SMALL = "small"


def fault_of_outline(corners: Outline, width: float, height: float) -> OutlineFault | None:
    """What is wrong with corners in a picture whose pixels' edges go from 0 to its width and height."""
    if len(corners) < LEAST_CORNERS:
        return OutlineFault.FEW
    if len(corners) > MOST_CORNERS:
        return OutlineFault.MANY
    if not all(isfinite(x) and isfinite(y) and 0 <= x <= width and 0 <= y <= height for x, y in corners):
        return OutlineFault.OUTSIDE
    if _crosses(np.array(corners, np.float64) / (width, height)):
        return OutlineFault.CROSSED
    if cv2.contourArea(np.array(corners, np.float32)) < LEAST_AREA * width * height:
        return OutlineFault.SMALL
    return None


def _crosses(ring: NDArray[np.float64]) -> bool:
    """Whether two sides that are no neighbours meet; corners on a straight line are fine."""
    count = len(ring)
    ends = np.roll(ring, -1, axis=0)
    for one in range(count):
        for other in range(one + 2, count):
            if (other + 1) % count != one and _meet(ring[one], ends[one], ring[other], ends[other]):
                return True
    return False


def _meet(
    a: NDArray[np.float64], b: NDArray[np.float64], c: NDArray[np.float64], d: NDArray[np.float64]
) -> bool:
    def turn(p: NDArray[np.float64], q: NDArray[np.float64], r: NDArray[np.float64]) -> float:
        return float((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]))

    return turn(a, b, c) * turn(a, b, d) < 0 and turn(c, d, a) * turn(c, d, b) < 0


def going_round(corners: Outline) -> Outline:
    """The corners in the way round that found ones have: the order of a clock's hours."""
    ring = np.array(corners, np.float64)
    after = np.roll(ring, -1, axis=0)
    turned = float((ring[:, 0] * after[:, 1] - after[:, 0] * ring[:, 1]).sum())
    return corners if turned > 0 else corners[::-1]


def drawn_round(outline: Outline) -> Outline | None:
    """The ellipse that explains an outline about as well as a few corners do; None if corners do better."""
    if len(outline) <= FEW_HANDLES // 2:
        return None
    ring = np.array(outline, np.float32)
    ellipse = _ellipse(ring)
    corners = np.array(with_few_corners(outline), np.float32)
    return _points(ellipse) if _likeness(ring, ellipse) > _likeness(ring, corners) - BETTER else None


def with_few_corners(outline: Outline) -> Outline:
    """The same outline with no more corners than a finger can tell apart."""
    ring = np.array(outline, np.float32)
    length = cv2.arcLength(ring, True)
    for share in COARSER:
        fewer = cv2.approxPolyDP(ring, float(share) * length, True)[:, 0]
        if len(fewer) <= FEW_HANDLES:
            return _points(fewer) if len(fewer) >= LEAST_CORNERS else outline
    return outline


def _ellipse(ring: Ring) -> Ring:
    (x, y), (across, down), degrees = cv2.fitEllipse(ring)
    angles = np.arange(ROUND_POINTS) * 2 * np.pi / ROUND_POINTS
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    along, aside = across / 2 * np.cos(angles), down / 2 * np.sin(angles)
    return np.stack([x + along * c - aside * s, y + along * s + aside * c], 1).astype(np.float32)


def _likeness(one: Ring, other: Ring) -> float:
    """Shared part of both (intersection over union)."""
    shared, _ = cv2.intersectConvexConvex(cv2.convexHull(one), cv2.convexHull(other))
    return float(shared / (cv2.contourArea(one) + cv2.contourArea(other) - shared))


def _points(ring: NDArray[np.floating | np.integer]) -> Outline:
    return tuple((float(x), float(y)) for x, y in ring)
