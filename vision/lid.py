"""Where the lid is: the four corners of its floor, from one picture. Knows no dice."""

from dataclasses import dataclass
from itertools import combinations
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.network import network
from vision.planes import STRIDE, LidPlane, even_out
from vision.reading import Corners

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
Points = NDArray[np.float64]

PIXELS: Final = 256 * 192  # of the picture the network sees, whatever its shape
STEP: Final = 32  # its sides are multiples of this
LEAST_PEAK: Final = 0.1
MOST_PEAKS: Final = 9
LEAST_FLOOR: Final = 0.01  # of the picture: a smaller lid shows no dice
LEAST_SCORE: Final = 0.5


@dataclass(frozen=True, slots=True)
class Lid:
    """The inner floor of the lid: its corners going round, in pixels, and how sure (0 to 1)."""

    corners: Corners
    score: float = 1.0

    def contains(self, x: float, y: float, margin: float = 0.0) -> bool:
        """Whether a point is on the floor, or at most `margin` pixels beside it."""
        outline = np.array(self.corners, np.float32)
        return bool(cv2.pointPolygonTest(outline, (float(x), float(y)), True) >= -margin)

    @property
    def points(self) -> Points:
        return np.array(self.corners, np.float64)

    @property
    def sides(self) -> tuple[float, float]:
        """Mean length of the first and third side, and of the other two."""
        points = self.points
        lengths = np.linalg.norm(np.roll(points, -1, axis=0) - points, axis=1)
        return float(lengths[0::2].mean()), float(lengths[1::2].mean())


def find_lid(image: Image) -> Lid | None:
    """The lid in the picture, or None."""
    height, width = image.shape[:2]
    seen = _small(image)
    planes = network("lid.onnx").planes(even_out(seen))[0]
    floor = _sure(planes[LidPlane.FLOOR])
    if (floor > 0.5).mean() < LEAST_FLOOR:
        return None
    peaks, heights = _peaks(planes)
    best = _best_ring(floor, peaks, heights)
    if best is None:
        return None
    corners, score = best
    if score < LEAST_SCORE:
        return None
    scale = np.array([width / seen.shape[1], height / seen.shape[0]])
    pixels = ((corners + 0.5) * STRIDE) * scale - 0.5
    ring = [(float(x), float(y)) for x, y in pixels]
    return Lid((ring[0], ring[1], ring[2], ring[3]), score)


def _small(image: Image) -> Image:
    """The picture at the network's size, its shape kept as far as the network's steps allow."""
    height, width = image.shape[:2]
    scale = (PIXELS / (height * width)) ** 0.5
    size = (max(1, round(width * scale / STEP)) * STEP, max(1, round(height * scale / STEP)) * STEP)
    return cv2.resize(image, size, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)


def _sure(logits: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-logits)), np.float32)


def _peaks(planes: Floats) -> tuple[Points, Points]:
    """Where corners may be, in cells, likeliest first, and how likely."""
    heat = _sure(planes[LidPlane.CORNER])
    top = cv2.dilate(heat, np.ones((5, 5), np.uint8))
    rows, columns = np.nonzero((heat >= top) & (heat > LEAST_PEAK))
    order = np.argsort(-heat[rows, columns])[:MOST_PEAKS]
    rows, columns = rows[order], columns[order]
    x = columns + planes[LidPlane.CORNER_DX, rows, columns]
    y = rows + planes[LidPlane.CORNER_DY, rows, columns]
    return np.stack([x, y], 1).astype(np.float64), heat[rows, columns].astype(np.float64)


def _best_ring(floor: Floats, peaks: Points, heights: Points) -> tuple[Points, float] | None:
    """Four corners whose outline covers the floor best; its own outline stands in for missing ones."""
    spare = _outline(floor)
    apart = [p for p in spare if not len(peaks) or np.linalg.norm(peaks - p, axis=1).min() > 3]
    points = np.vstack([peaks, *[p[None] for p in apart]]) if apart else peaks
    likely = np.concatenate([heights, np.full(len(apart), 0.05)])
    best: tuple[Points, float] | None = None
    for chosen in combinations(range(min(len(points), MOST_PEAKS + 4)), 4):
        ring = _round(points[list(chosen)])
        if not cv2.isContourConvex(ring.astype(np.float32)):
            continue
        score = _overlap(floor, ring) * (0.6 + 0.4 * float(likely[list(chosen)].mean()))
        if best is None or score > best[1]:
            best = ring, score
    return best


def _outline(floor: Floats) -> Points:
    """Four corners of the largest patch of floor."""
    found, _ = cv2.findContours((floor > 0.5).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    hull = cv2.convexHull(max(found, key=cv2.contourArea))
    for tolerance in np.linspace(0.02, 0.12, 11):
        ring = cv2.approxPolyDP(hull, float(tolerance) * cv2.arcLength(hull, True), True)
        if len(ring) <= 4:
            break
    return np.asarray(ring[:, 0], np.float64)


def _round(points: Points) -> Points:
    """The points in order round their middle."""
    off = points - points.mean(0)
    return np.asarray(points[np.argsort(np.arctan2(off[:, 1], off[:, 0]))])


def _overlap(floor: Floats, ring: Points) -> float:
    """Shared part of the floor as seen and the outline (intersection over union)."""
    mask = np.zeros(floor.shape, np.uint8)
    cv2.fillConvexPoly(mask, np.round(ring * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    outline = mask.astype(np.float32) / 255
    return float(np.minimum(outline, floor).sum() / max(1.0, float(np.maximum(outline, floor).sum())))
