"""Where the dice lie: the outline of a lid's or tray's floor, from one picture. Knows no dice."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations, product
from math import dist
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.image.arrays import Floats, Image, Numbers
from vision.image.sizes import HALF, halved, resized, scaling
from vision.networks.network import network
from vision.networks.planes import STRIDE, LidPlane, even_out
from vision.reading import Outline

Points = Numbers

PIXELS: Final = 256 * 192  # of the picture the network sees, whatever its shape
STEP: Final = 32  # its sides are multiples of this
NEAR_SIZE: Final = np.array([256, 192])  # of the second view
FILL: Final = 0.8  # of it that the floor takes
REACH: Final = 2.5  # cells beside a side in which its line is looked for
BESIDE: Final = np.linspace(-REACH, REACH, 21)
ALONG: Final = np.linspace(0.1, 0.9, 24)  # of a side: near its corners another one is seen
NOT_FOUR: Final = (
    0.06  # of the floor that its own outline explains better than four corners: it is no rectangle
)
SMOOTH: Final = 0.006  # of the outline's length: smaller steps are the network's cells
LEAST_PEAK: Final = 0.1
MOST_PEAKS: Final = 9
LEAST_FLOOR: Final = 0.01  # of the picture: a smaller lid shows no dice
LEAST_SCORE: Final = 0.5
FAINT_SCORE: Final = 0.25  # from afar; it counts if it is plain from near by
NEAR_SCORE: Final = 0.6
PARTS: Final = (0.0, 0.25, 0.5)  # where they begin


@dataclass(frozen=True, slots=True)
class Lid:
    """The floor that dice lie on: its corners going round, in pixels, and how sure (0 to 1).

    Four corners are a rectangle's; more are those of a round tray, a hexagon, a mat.
    """

    corners: Outline
    score: float = 1.0

    def contains(self, x: float, y: float, margin: float = 0.0) -> bool:
        """Whether a point is on the floor, or at most `margin` pixels beside it."""
        outline = np.array(self.corners, np.float32)
        return bool(cv2.pointPolygonTest(outline, (float(x), float(y)), True) >= -margin)

    @property
    def points(self) -> Points:
        return np.array(self.corners, np.float64)

    @property
    def frame(self) -> Points:
        """Four corners, a rectangle from straight above: its own, or the smallest one round it."""
        if len(self.corners) == 4:
            return self.points
        return np.asarray(cv2.boxPoints(cv2.minAreaRect(self.points.astype(np.float32))), np.float64)

    @property
    def sides(self) -> tuple[float, float]:
        """Mean length of the frame's first and third side, and of the other two."""
        points = self.frame
        lengths = np.linalg.norm(np.roll(points, -1, axis=0) - points, axis=1)
        return float(lengths[0::2].mean()), float(lengths[1::2].mean())


def find_lid(image: Image) -> Lid | None:
    """The lid in the picture, or None: first from afar, then once more near by for the corners."""
    view, matrix = _whole(image)
    lid = _look(view, matrix)
    if lid is None or lid.score < FAINT_SCORE:
        return None
    view, matrix = _near(image, lid.points)
    closer = _look(view, matrix)
    if lid.score < LEAST_SCORE:
        return closer if closer is not None and closer.score >= NEAR_SCORE else None
    if closer is None or closer.score < LEAST_SCORE:
        return lid
    return replace(closer, score=min(lid.score, closer.score))


def search_lid(image: Image) -> Lid | None:
    """The lid in a picture of which somebody says that it shows one, None if there is none even so.

    One that nobody sees from afar, as a white one like paper, may be plain in a part of the picture.
    """
    found = find_lid(image)
    if found is not None:
        return found
    closer = (_look(*_near(image, seen.points)) for seen in _in_parts(image))
    likely = [lid for lid in closer if lid is not None and lid.score >= NEAR_SCORE]
    return max(likely, key=lambda lid: lid.score, default=None)


def _in_parts(image: Image) -> Iterator[Lid]:
    """What looks like a lid in parts of the picture half as long, each half beside the next."""
    size = np.array([image.shape[1], image.shape[0]], np.float64)
    for across, down in product(PARTS, PARTS):
        low = size * (across, down)
        lid = _look(*_near(image, np.array([low, low + size / 2]), fill=1.0))
        if lid is not None and lid.score >= FAINT_SCORE:
            yield lid


def _whole(image: Image) -> tuple[Image, Numbers]:
    """The picture at the network's size, its shape kept as far as the network's steps allow."""
    height, width = image.shape[:2]
    scale = (PIXELS / (height * width)) ** 0.5
    size = (max(1, round(width * scale / STEP)) * STEP, max(1, round(height * scale / STEP)) * STEP)
    return resized(image, size), scaling(size[0] / width, size[1] / height)


def _near(image: Image, corners: Points, fill: float = FILL) -> tuple[Image, Numbers]:
    """The lid's surroundings, so that its floor fills most of what the network sees."""
    low, high = corners.min(0), corners.max(0)
    scale = fill * float(np.min(NEAR_SIZE / np.maximum(high - low, 1.0)))
    matrix = scaling(scale, scale)
    matrix[:2, 2] = (NEAR_SIZE - 1) / 2 - scale * (low + high) / 2
    image, onto = halved(image, matrix) if scale <= HALF else (image, matrix)
    size = (int(NEAR_SIZE[0]), int(NEAR_SIZE[1]))
    view = cv2.warpAffine(image, onto[:2], size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return view.astype(np.uint8, copy=False), matrix


def _look(view: Image, matrix: Numbers) -> Lid | None:
    """What the network sees in a view; `matrix` leads from the picture to the view."""
    planes = network("lid.onnx").planes(even_out(view))[0]
    floor = _sure(planes[LidPlane.FLOOR])
    if (floor > 0.5).mean() < LEAST_FLOOR:
        return None
    best = _best_ring(floor, *_peaks(planes))
    hull = _hull(floor)
    likeness = _overlap(floor, hull)
    if best is not None and _overlap(floor, best[0]) > likeness - NOT_FOUR:
        ring, score = best
        cells = (ring + _by_sides(floor, ring)) / 2
    else:
        cells, score = hull, likeness**2
    pixels = (cells + 0.5) * STRIDE - 0.5
    carried = cv2.perspectiveTransform(pixels[:, None], np.linalg.inv(matrix))[:, 0]
    return Lid(tuple((float(x), float(y)) for x, y in carried), score)


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
    likely = [*heights.tolist(), *(0.05 for _ in apart)]
    best: tuple[Points, float] | None = None
    for chosen in combinations(range(min(len(points), MOST_PEAKS + 4)), 4):
        peaked = 0.6 + 0.4 * sum(likely[i] for i in chosen) / 4
        if best is not None and peaked <= best[1]:
            continue  # whatever its shape and however well it covers the floor
        ring = _round(points[list(chosen)])
        if not cv2.isContourConvex(ring.astype(np.float32)):
            continue
        most = peaked * _rectangular(ring)
        if best is not None and most <= best[1]:
            continue
        score = _overlap(floor, ring) * most
        if best is None or score > best[1]:
            best = ring, score
    return best


def _rectangular(ring: Points) -> float:
    """Near 1 where opposite sides are nearly equal, as a rectangle's are even from a tilted camera."""
    side = float(np.linalg.norm(np.roll(ring, -1, axis=0) - ring, axis=1).mean())
    skew = float(np.linalg.norm(ring[0] - ring[1] + ring[2] - ring[3])) / max(side, 1e-6)
    return float(np.exp(-((skew / 0.5) ** 2)))


def _by_sides(floor: Floats, ring: Points) -> Points:
    """The corners again, where straight lines along the floor's border meet."""
    lines = [_side(floor, ring[k], ring[(k + 1) % 4], ring[(k + 2) % 4]) for k in range(4)]
    met = [_meet(lines[k - 1], lines[k]) for k in range(4)]
    return np.array(
        [there if dist(there, was) <= REACH else was for there, was in zip(met, ring, strict=True)]
    )


def _side(floor: Floats, a: Points, b: Points, inside: Points) -> tuple[Points, Points]:
    """The line along which the floor ends near the side from a to b: a point and a direction."""
    along = (b - a) / max(1e-6, dist(a, b))
    outward = np.array([along[1], -along[0]])
    if (inside - a) @ outward > 0:
        outward = -outward
    feet = a + ALONG[:, None] * (b - a)
    grid = (feet[:, None] + BESIDE[None, :, None] * outward).astype(np.float32)
    across = cv2.remap(floor, grid[..., 0], grid[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    clear = (across[:, 0] > 0.6) & (across[:, -1] < 0.4)
    if clear.sum() < 6:
        return a, along
    width = BESIDE[1] - BESIDE[0]
    ends = across.sum(axis=1) - (across[:, 0] + across[:, -1]) / 2
    border = feet + (-REACH + ends * width)[:, None] * outward
    vx, vy, x, y = cv2.fitLine(border[clear].astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
    return np.array([x, y], np.float64), np.array([vx, vy], np.float64)


def _meet(one: tuple[Points, Points], other: tuple[Points, Points]) -> Points:
    (p, u), (q, v) = one, other
    turn = u[0] * v[1] - u[1] * v[0]
    if abs(turn) < 0.2:
        return np.full(2, np.inf)
    off = q - p
    return np.asarray(p + (off[0] * v[1] - off[1] * v[0]) / turn * u)


def _hull(floor: Floats) -> Points:
    """The outline of the largest patch of floor, without dents: dice and their shadows make some."""
    hull = _largest(floor)
    smooth = cv2.approxPolyDP(hull, SMOOTH * cv2.arcLength(hull, True), True)
    return np.asarray((smooth if len(smooth) > 2 else hull)[:, 0], np.float64)


def _largest(floor: Floats) -> NDArray[np.int32]:
    found, _ = cv2.findContours((floor > 0.5).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return np.asarray(cv2.convexHull(max(found, key=cv2.contourArea)), np.int32)


def _outline(floor: Floats) -> Points:
    """Four corners of the largest patch of floor."""
    hull = _largest(floor)
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
