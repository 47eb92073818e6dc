"""What the spots of a face say: round spots on the nine sites where dice have pips. Knows no network, no lid.

All lengths are in edges of the face, from its middle.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import atan2, cos, exp, hypot, sin

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.pips import Array, one_heap, rectified
from vision.image.arrays import Image, median

Spot = tuple[float, float]


@dataclass(frozen=True, slots=True)
class SpotReading:
    """A number whose pattern the spots lie in (0: none), and how well they do, 0 to 1."""

    pips: int
    confidence: float
    contrast: float = 0.0  # CIELAB distance of the faintest pip from the body
    evenness: float = (
        1.0  # of the edges' ways, where no spots are seen: near 0, a shaking camera smeared them
    )


NO_SPOTS = SpotReading(0, 0.0)

_CORNERS: tuple[Spot, ...] = ((-1, -1), (1, -1), (1, 1), (-1, 1))
PATTERNS: tuple[tuple[int, tuple[Spot, ...]], ...] = (
    (1, ((0, 0),)),
    (2, ((-1, -1), (1, 1))),
    (2, ((1, -1), (-1, 1))),
    (3, ((-1, -1), (0, 0), (1, 1))),
    (3, ((1, -1), (0, 0), (-1, 1))),
    (4, _CORNERS),
    (5, (*_CORNERS, (0, 0))),
    (6, (*_CORNERS, (-1, 0), (1, 0))),
    (6, (*_CORNERS, (0, -1), (0, 1))),
)
_GRID: tuple[Spot, ...] = tuple((x, y) for y in (-1, 0, 1) for x in (-1, 0, 1))

CROP, SPAN = 44, 1.1
EDGE = CROP / SPAN
PITCH = (0.17, 0.33)  # a corner pip's distance from the middle, along either edge
USUAL_PITCH = 0.25
STRETCH = 0.6  # the shorter pitch over the longer: a six may be a rectangle
LOOSE = 0.05  # how far a pip may lie off its site
OFF_CENTRE = 0.13  # how far the pattern may lie off the face's middle
TURNED = 0.3  # how far it may be turned against the face, in radians
PIP_AREA = (0.004, 0.075)
FACE_ENDS = 0.42
LEVELS = (0.48, 0.36, 0.6, 0.28, 0.7, 0.8)  # parts of the greatest distance at which spots are cut out
ENOUGH = 3  # levels that agree
VEILED, NOT_WHOLE = 0.24, 0.05  # of a pip's contrast: a trace of another; what the reading then counts
AROUND = 17  # pixels, of `EDGE`: wider than two pips, narrower than a face
LOCAL_COUNTS = 0.5  # what spots count that stand out from their surroundings only
PARTINGS = 3  # how often spots that run into each other are thinned
_CROSS = np.array([[0, 1, 0], [1, 1, 1], [0, 1, 0]], np.uint8)


def read_spots(image: Image, corners: Array) -> SpotReading:
    """Round spots on a map of distance from the body colour, matched to the legal patterns."""
    crop, _ = rectified(image, corners, CROP, SPAN)
    for distance in body_distances(crop):
        reading = _read_map(distance)
        if reading.pips:
            return reading
    reading = _read_map(local_distance(crop))
    if not reading.pips:
        return replace(reading, evenness=evenness_of(crop))
    return replace(reading, confidence=reading.confidence * LOCAL_COUNTS)


def evenness_of(crop: Image) -> float:
    """How evenly the edges inside the face go all ways: round pips have 1, stripes 0."""
    inner = slice(round(CROP * 0.11), round(CROP * 0.89))
    grey = cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY)[inner, inner].astype(np.float32)
    across, down = cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1)
    mixed = float((across * down).mean())
    weak, strong = np.linalg.eigvalsh([[(across**2).mean(), mixed], [mixed, (down**2).mean()]])
    return float(max(weak, 0.0) / max(strong, 1e-6))


def body_distances(crop: Image) -> Iterator[Array]:
    """How far each pixel's colour is from the body's, in CIELAB, for either guess of what the body is.

    The face's colours fall into two heaps, body and pips; a six in bright light has as much of each.
    """
    lab = np.asarray(cv2.cvtColor(crop.astype(np.float32) / 255, cv2.COLOR_BGR2Lab), np.float32)
    inner = slice(round(CROP * 0.13), round(CROP * 0.87))
    colours = lab[inner, inner].reshape(-1, 3)
    above = one_heap(colours)
    heaps = sorted((colours[above], colours[~above]), key=len, reverse=True)
    smooth = cv2.GaussianBlur(lab, (3, 3), 0.7)
    for heap in heaps:
        body = median(heap if len(heap) else colours)
        yield np.sqrt(((smooth - body) ** 2).sum(2)).astype(np.float32)


def local_distance(crop: Image) -> Array:
    """How far each pixel's colour is from those around it: glare and a shadow's edge do not count."""
    rim = AROUND // 2
    wide = cv2.copyMakeBorder(crop, rim, rim, rim, rim, cv2.BORDER_REFLECT_101)
    around = cv2.medianBlur(wide, AROUND)[rim:-rim, rim:-rim]
    seen, usual = (cv2.cvtColor(c.astype(np.float32) / 255, cv2.COLOR_BGR2Lab) for c in (crop, around))
    away = cv2.GaussianBlur(seen, (3, 3), 0.7) - usual
    return np.asarray(np.sqrt((away**2).sum(2)), np.float32)


def _read_map(distance: Array) -> SpotReading:
    inner = distance[round(CROP * 0.11) : round(CROP * 0.89), round(CROP * 0.11) : round(CROP * 0.89)]
    top = float(np.partition(inner.ravel(), -inner.size // 66)[-inner.size // 66])
    around = cv2.blur(distance, (3, 3)).astype(np.float32)
    votes: dict[int, list[SpotReading]] = {}
    for level in LEVELS:
        reading = _best_pattern(_spots(distance, top * level), around)
        if reading.confidence > 0:
            votes.setdefault(reading.pips, []).append(reading)
            if len(votes) == 1 and len(votes[reading.pips]) == ENOUGH:
                break
    return _voted(votes)


def _voted(votes: dict[int, list[SpotReading]]) -> SpotReading:
    """The number most levels agree on; its confidence falls with dissent and with few levels."""
    if not votes:
        return NO_SPOTS
    weights = {pips: sum(r.confidence for r in found) for pips, found in votes.items()}
    pips = max(weights, key=lambda p: weights[p])
    best = max(votes[pips], key=lambda r: r.confidence)
    agreed = weights[pips] / max(sum(weights.values()), 1e-6)
    return SpotReading(pips, best.confidence * agreed * min(1.0, len(votes[pips]) / ENOUGH), best.contrast)


def _spots(distance: Array, level: float) -> list[Spot]:
    """Middles of the round spots above the level; none if something else lies inside the face."""
    mask = (distance > level).astype(np.uint8)
    for _ in range(PARTINGS):
        found = _spots_of(mask)
        if found is not None:
            return found
        mask = cv2.erode(mask, _CROSS).astype(np.uint8)  # the pips of a six run together in bright light
    return []


def _spots_of(mask: NDArray[np.uint8]) -> list[Spot] | None:
    _, _, stats, middles = cv2.connectedComponentsWithStats(mask, connectivity=4)
    found = []
    for (x, y, width, height, pixels), (across, down) in zip(
        stats[1:].tolist(), middles[1:].tolist(), strict=True
    ):
        area = pixels / EDGE**2
        right, below = (across - (CROP - 1) / 2) / EDGE, (down - (CROP - 1) / 2) / EDGE
        off = max(abs(right), abs(below))
        touches = x == 0 or y == 0 or x + width == CROP or y + height == CROP
        if touches or off > FACE_ENDS or area < PIP_AREA[0]:
            continue
        is_round = max(width, height) <= 1.9 * min(width, height) + 1 and pixels > 0.5 * width * height
        if not is_round or area > PIP_AREA[1]:
            return None
        found.append((right, below))
    return found


def _best_pattern(spots: Sequence[Spot], around: Array) -> SpotReading:
    readings = [_fit(pips, sites, spots, around) for pips, sites in PATTERNS if pips == len(spots)]
    return max(readings, key=lambda r: r.confidence, default=NO_SPOTS)


@dataclass(frozen=True, slots=True)
class _Laid:
    """A pattern laid onto spots: middle, pitch along either edge, turn, and how far it misses them."""

    x: float
    y: float
    across: float
    down: float
    turn: float
    miss: float

    def place(self, site: Spot) -> Spot:
        right, below = site[0] * self.across, site[1] * self.down
        c, s = cos(self.turn), sin(self.turn)
        return self.x + c * right - s * below, self.y + s * right + c * below


def _fit(pips: int, sites: Sequence[Spot], spots: Sequence[Spot], around: Array) -> SpotReading:
    """How well spots lie on a pattern that may be shifted, turned a little, and scaled along either edge."""
    laid = _lay(sites, spots)
    if laid is None or laid.miss > LOOSE:
        return NO_SPOTS
    seen = _seen_at_sites(around, laid)
    lit = min(seen[site] for site in sites)
    dark = max([0.0, *(value for site, value in seen.items() if site not in sites)])
    off = hypot(laid.x, laid.y)
    fit = exp(
        -0.5 * (laid.miss / LOOSE) ** 2 - 0.3 * (laid.turn / TURNED) ** 2 - 0.5 * (off / OFF_CENTRE) ** 2
    )
    stands_out = min(1.0, max(0.0, ((lit - dark) / max(lit, 1e-6) - 0.05) / 0.4))
    bright = min(1.0, max(0.0, (lit - 4) / 8))
    whole = NOT_WHOLE if _veiled(seen, sites) > VEILED * lit else 1.0
    return SpotReading(pips, fit * stands_out * bright * whole, lit)


def _lay(sites: Sequence[Spot], spots: Sequence[Spot]) -> _Laid | None:
    n = len(sites)
    x, y = sum(s[0] for s in spots) / n, sum(s[1] for s in spots) / n
    if max(abs(x), abs(y)) > OFF_CENTRE:
        return None
    if n == 1:
        return _Laid(x, y, USUAL_PITCH, USUAL_PITCH, 0.0, 0.0)
    off = [(s[0] - x, s[1] - y) for s in spots]
    matched = _matched(sites, off)
    if matched is None:
        return None
    pairs = list(zip(sites, matched, strict=True))
    turn = atan2(
        sum(a[0] * b[1] - a[1] * b[0] for a, b in pairs), sum(a[0] * b[0] + a[1] * b[1] for a, b in pairs)
    )
    c, s = cos(turn), sin(turn)
    across = sum(a[0] * (c * b[0] + s * b[1]) for a, b in pairs) / sum(a[0] ** 2 for a in sites)
    down = sum(a[1] * (c * b[1] - s * b[0]) for a, b in pairs) / sum(a[1] ** 2 for a in sites)
    if n <= 3:  # a diagonal does not tell one pitch from the other
        across = down = (across + down) / 2
    if abs(turn) > TURNED or not _legal_pitch(across, down):
        return None
    laid = _Laid(x, y, across, down, turn, 0.0)
    misses = [hypot(p[0] - x - b[0], p[1] - y - b[1]) for (a, b) in pairs for p in (laid.place(a),)]
    return _Laid(x, y, across, down, turn, (sum(m * m for m in misses) / n) ** 0.5)


def _matched(sites: Sequence[Spot], spots: Sequence[Spot]) -> list[Spot] | None:
    """For each site the nearest spot; None if two sites would share one."""
    chosen = []
    for right, below in sites:
        x, y = right * USUAL_PITCH, below * USUAL_PITCH
        away = [(x - spot[0]) ** 2 + (y - spot[1]) ** 2 for spot in spots]
        chosen.append(away.index(min(away)))
    return [spots[i] for i in chosen] if len(set(chosen)) == len(sites) else None


def _legal_pitch(across: float, down: float) -> bool:
    low, high = min(across, down), max(across, down)
    return PITCH[0] <= high <= PITCH[1] and low >= STRETCH * high


def _veiled(seen: dict[Spot, float], sites: Sequence[Spot]) -> float:
    """How much is seen of pips that would make a larger number: a gleam leaves a trace of what it hides."""
    return max((min(seen[site] for site in more) for more in _larger_than(tuple(sites))), default=0.0)


@cache
def _larger_than(sites: tuple[Spot, ...]) -> tuple[tuple[Spot, ...], ...]:
    """What other patterns have beside these sites."""
    return tuple(tuple(set(others) - set(sites)) for _, others in PATTERNS if set(sites) < set(others))


def _seen_at_sites(around: Array, laid: _Laid) -> dict[Spot, float]:
    """The distance from the body at each of the nine sites."""
    c, s, middle = cos(laid.turn), sin(laid.turn), (CROP - 1) / 2
    seen = {}
    for site in _GRID:
        right, below = site[0] * laid.across, site[1] * laid.down
        column = round((laid.x + c * right - s * below) * EDGE + middle)
        row = round((laid.y + s * right + c * below) * EDGE + middle)
        seen[site] = float(around[min(max(row, 0), CROP - 1), min(max(column, 0), CROP - 1)])
    return seen
