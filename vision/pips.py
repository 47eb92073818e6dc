"""Two independent readings of one face: pips as spots on the nine sites, and a small network. Knows no lid.

A face is given by the corners of a die's top; both readings look at it rectified, a little margin round it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Image
from vision.network import network

Array = NDArray[np.float32]

CROP, SPAN = 36, 1.7  # the network's crops: pixels, and their width in face edges
SPOT_CROP, SPOT_SPAN = 44, 1.1  # the crop in which spots are looked for
TURNS = 4


@dataclass(frozen=True, slots=True)
class FaceReading:
    """What the network makes of a face: chances of one to six and of "no face, or nobody can tell"."""

    chances: tuple[float, ...]
    corners: Array  # where it believes the face lies, in picture pixels
    foot: tuple[float, float]  # the way it believes the die's side goes down in the picture, in face edges

    @property
    def pips(self) -> int:
        """The likeliest number, or 0 if it is not the top face of a die or nobody can tell."""
        best = int(np.argmax(self.chances))
        return 0 if best == 6 else best + 1

    @property
    def confidence(self) -> float:
        return float(max(self.chances))


@dataclass(frozen=True, slots=True)
class SpotReading:
    """What the spots say: a number whose pattern they lie in (0: none), and how well they do, 0 to 1."""

    pips: int
    confidence: float
    contrast: float = 0.0  # CIELAB distance of the faintest pip from the body


NO_SPOTS = SpotReading(0, 0.0)


def _pattern(*sites: tuple[int, int]) -> Array:
    return np.array(sites, np.float32)


_CORNERS = ((-1, -1), (1, -1), (1, 1), (-1, 1))
PATTERNS: tuple[tuple[int, Array], ...] = (
    (1, _pattern((0, 0))),
    (2, _pattern((-1, -1), (1, 1))),
    (2, _pattern((1, -1), (-1, 1))),
    (3, _pattern((-1, -1), (0, 0), (1, 1))),
    (3, _pattern((1, -1), (0, 0), (-1, 1))),
    (4, _pattern(*_CORNERS)),
    (5, _pattern(*_CORNERS, (0, 0))),
    (6, _pattern(*_CORNERS, (-1, 0), (1, 0))),
    (6, _pattern(*_CORNERS, (0, -1), (0, 1))),
)
PITCH = (0.17, 0.33)  # a pip's distance from the middle along an edge, in edges
STRETCH = 0.6  # a six may be a rectangle: its short pitch over its long one
LOOSE = 0.05  # how far a pip may lie off its site, in edges
OFF_CENTRE = 0.13  # how far the pattern may lie off the face's middle, in edges
TURNED = 0.3  # how far it may be turned against the face, in radians
PIP_AREA = (0.004, 0.075)  # of the face
BIG_ONE_AREA = 0.12
FAINTEST = 7.0  # CIELAB distance below which a spot is noise
PARTINGS = 3
_CROSS = np.array([[0, 1, 0], [1, 1, 1], [0, 1, 0]], np.uint8)
LEVELS = (0.25, 0.34, 0.43, 0.52, 0.61, 0.7, 0.8)  # of the greatest distance, at which spots are cut out


def square_corners(x: float, y: float, size: float, degrees: float = 0.0) -> Array:
    """The corners of an upright square face, in order round it."""
    angles = np.deg2rad(degrees + np.array([225.0, 315.0, 45.0, 135.0]))
    reach = size / np.sqrt(2.0)
    return np.stack([x + reach * np.cos(angles), y + reach * np.sin(angles)], 1).astype(np.float32)


def crop_square(size: int, span: float, turn: int = 0) -> Array:
    """Where a face's corners come to lie in its crop."""
    low, high = size / 2 * (1 - 1 / span) - 0.5, size / 2 * (1 + 1 / span) - 0.5
    return np.roll(np.array([(low, low), (high, low), (high, high), (low, high)], np.float32), turn, 0)


def rectified(image: Image, corners: Array, size: int, span: float, turn: int = 0) -> tuple[Image, Array]:
    """The face seen from straight above, and the matrix from picture to crop."""
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), crop_square(size, span, turn))
    edge = float(np.sqrt(abs(cv2.contourArea(corners.astype(np.float32)))))
    shrink = edge * span / size
    if shrink > 1.6:  # warping does not average: take the place and shrink it first
        return _rectified_small(image, corners, size, span, turn, 1 / shrink), matrix.astype(np.float32)
    crop = cv2.warpPerspective(
        image, matrix, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return crop.astype(np.uint8, copy=False), matrix.astype(np.float32)


def _rectified_small(image: Image, corners: Array, size: int, span: float, turn: int, factor: float) -> Image:
    height, width = image.shape[:2]
    reach = np.ptp(corners, axis=0).max() * span
    middle = corners.mean(0)
    left, top = np.clip(middle - reach, 0, (width - 2, height - 2)).astype(int)
    right, bottom = np.clip(middle + reach + 1, (left + 2, top + 2), (width, height)).astype(int)
    part = cv2.resize(image[top:bottom, left:right], None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    there = ((corners - (left, top)) * factor).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(there, crop_square(size, span, turn))
    crop = cv2.warpPerspective(
        part, matrix, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return crop.astype(np.uint8, copy=False)


# ---------------------------------------------------------------- the network


def normalised(crops: Sequence[Image]) -> Array:
    """Each crop less its mean and over its deviation: light and contrast do not matter to the network."""
    x = np.stack(crops).astype(np.float32) / 255
    mean = x.mean(axis=(1, 2, 3), keepdims=True)
    deviation = x.std(axis=(1, 2, 3), keepdims=True)
    return np.ascontiguousarray(((x - mean) / (deviation + 0.02)).transpose(0, 3, 1, 2).astype(np.float32))


def _answers(crops: Sequence[Image]) -> Array:
    return network("faces.onnx").planes(normalised(crops)).reshape(len(crops), -1)


def read_faces(image: Image, faces: Sequence[Array], turns: int = TURNS) -> tuple[FaceReading, ...]:
    """The network's reading of each face, averaged over turns of a quarter, and where it saw the face."""
    if not faces:
        return ()
    quarter = [round(i * TURNS / turns) for i in range(turns)]
    crops, matrices = [], []
    for corners in faces:
        for turn in quarter:
            crop, matrix = rectified(image, corners, CROP, SPAN, turn)
            crops.append(crop)
            matrices.append(matrix)
    out = _answers(crops)
    readings = []
    for i in range(len(faces)):
        mine = slice(i * turns, (i + 1) * turns)
        logits = out[mine, :7].mean(0)
        chances = np.exp(logits - logits.max())
        chances /= chances.sum()
        seen, foot = _seen(out[mine], matrices[mine], quarter)
        readings.append(FaceReading(tuple(float(c) for c in chances), seen, foot))
    return tuple(readings)


def _seen(out: Array, matrices: Sequence[Array], turns: Sequence[int]) -> tuple[Array, tuple[float, float]]:
    """Corners and foot in the picture, averaged over the turns."""
    places = [_where(o, m) for o, m in zip(out, matrices, strict=True)]
    corners = np.mean([np.roll(p[0], t, 0) for p, t in zip(places, turns, strict=True)], axis=0)
    foot = np.mean([p[1] for p in places], axis=0)
    return corners.astype(np.float32), (float(foot[0]), float(foot[1]))


def _where(out: Array, matrix: Array) -> tuple[Array, Array]:
    """The network's corners of the face and the way to its foot, from crop back to picture."""
    right, down, log_size = (float(v) for v in out[7:10])
    turn = float(np.arctan2(out[11], out[10])) / 4 if np.hypot(out[10], out[11]) > 0.3 else 0.0
    square = crop_square(CROP, SPAN) - (CROP - 1) / 2
    c, s = np.cos(turn), np.sin(turn)
    rotation = np.array([[c, s], [-s, c]], np.float32)
    scale = np.exp(np.clip(log_size, -0.4, 0.4))
    seen = square @ rotation * scale + (CROP - 1) / 2 + np.array([right, down], np.float32) * CROP / SPAN
    middle = seen.mean(0)
    foot = middle + out[12:14] * CROP / SPAN
    back = np.linalg.inv(matrix.astype(np.float64))
    points = np.vstack([seen, middle, foot])[None].astype(np.float64)
    there = cv2.perspectiveTransform(points, back)[0].astype(np.float32)
    edge = float(np.sqrt(abs(cv2.contourArea(there[:4])))) + 1e-6
    return there[:4], (there[5] - there[4]) / edge


# ---------------------------------------------------------------- spots on nine sites


def body_distances(crop: Image) -> tuple[Array, Array]:
    """How far each pixel's colour is from the body's, in CIELAB, for either guess of what the body is.

    The face's colours fall into two heaps, body and pips; a six in bright light has as much of each.
    """
    lab = cv2.cvtColor(crop.astype(np.float32) / 255, cv2.COLOR_BGR2Lab)
    inner = slice(round(SPOT_CROP * 0.13), round(SPOT_CROP * 0.87))
    colours = lab[inner, inner].reshape(-1, 3)
    spread = colours - colours.mean(0)
    direction = np.linalg.eigh(spread.T @ spread)[1][:, -1]
    along = spread @ direction
    low, high = float(along.min()), float(along.max())
    scaled = np.clip((along - low) / max(high - low, 1e-3) * 255, 0, 255).astype(np.uint8)
    split, _ = cv2.threshold(scaled, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    above = scaled > split
    heaps = sorted((colours[above], colours[~above]), key=len, reverse=True)
    smooth = cv2.GaussianBlur(lab, (3, 3), 0.7)
    bodies = [np.median(heap if len(heap) else colours, axis=0) for heap in heaps]
    first, second = (np.linalg.norm(smooth - body, axis=2).astype(np.float32) for body in bodies)
    return first, second


def read_spots(image: Image, corners: Array) -> SpotReading:
    """Round spots on a map of distance from the body colour, matched to the legal patterns."""
    crop, _ = rectified(image, corners, SPOT_CROP, SPOT_SPAN)
    first, second = body_distances(crop)
    reading = _read_map(first)
    return reading if reading.pips else _read_map(second)


def _read_map(distance: Array) -> SpotReading:
    edge = SPOT_CROP / SPOT_SPAN
    inner = slice(round(SPOT_CROP * 0.11), round(SPOT_CROP * 0.89))
    top = float(np.percentile(distance[inner, inner], 98.5))
    if top < FAINTEST:
        return NO_SPOTS
    votes: dict[int, list[SpotReading]] = {}
    for level in LEVELS:
        if top * level < FAINTEST * 0.5:
            continue
        spots = _spots(distance, top * level, edge)
        reading = _best_pattern(spots, distance, edge) if spots is not None else NO_SPOTS
        if reading.pips:
            votes.setdefault(reading.pips, []).append(reading)
    if not votes:
        return NO_SPOTS
    weights = {pips: sum(r.confidence for r in found) for pips, found in votes.items()}
    pips = max(weights, key=lambda p: weights[p])
    best = max(votes[pips], key=lambda r: r.confidence)
    agreed = weights[pips] / max(sum(weights.values()), 1e-6)
    steady = min(1.0, len(votes[pips]) / 3)
    return SpotReading(pips, best.confidence * agreed * steady, best.contrast)


def _spots(distance: Array, level: float, edge: float) -> Array | None:
    """Middles (in edges from the face's middle) and areas of the round spots above the level.

    None if something lies inside the face that is above the level and no spot.
    """
    mask = (distance > level).astype(np.uint8)
    for _ in range(PARTINGS):
        found = _spots_of(mask, edge)
        if found is not None:
            return found if 0 < len(found) <= 6 else None
        mask = cv2.erode(mask, _CROSS).astype(
            np.uint8
        )  # the pips of a six run into each other in bright light
    return None


def _spots_of(mask: NDArray[np.uint8], edge: float) -> Array | None:
    count, _, stats, middles = cv2.connectedComponentsWithStats(mask, connectivity=4)
    found = []
    for i in range(1, count):
        x, y, width, height, pixels = (int(v) for v in stats[i])
        area = pixels / edge**2
        across = (middles[i] - (SPOT_CROP - 1) / 2) / edge
        off = float(np.abs(across).max())
        touches = x == 0 or y == 0 or x + width == SPOT_CROP or y + height == SPOT_CROP
        if touches or off > 0.42 or area < PIP_AREA[0]:
            continue
        round_enough = max(width, height) <= 1.9 * min(width, height) + 1 and pixels > 0.5 * width * height
        small_enough = area <= (BIG_ONE_AREA if off < OFF_CENTRE else PIP_AREA[1])
        if not (round_enough and small_enough):
            return None
        found.append((across[0], across[1], area))
    return np.array(found, np.float32).reshape(-1, 3)


def _best_pattern(spots: Array, distance: Array, edge: float) -> SpotReading:
    best = NO_SPOTS
    if len(spots) > 1 and spots[:, 2].max() > 3.5 * spots[:, 2].min():
        return best
    for pips, sites in PATTERNS:
        if pips == len(spots):
            reading = _fit(pips, sites, spots[:, :2], distance, edge)
            if reading.confidence > best.confidence:
                best = reading
    return best


def _fit(pips: int, sites: Array, spots: Array, distance: Array, edge: float) -> SpotReading:
    """How well spots lie on a pattern that may be shifted, turned a little, and scaled along either axis."""
    middle = spots.mean(0)
    if np.abs(middle).max() > OFF_CENTRE:
        return NO_SPOTS
    placed, pitch, slant = np.zeros((1, 2), np.float32), 0.25, 0.0
    if pips > 1:
        turned = _turn_of(sites, spots - middle)
        if turned is None:
            return NO_SPOTS
        placed, pitch, slant = turned
    miss = float(np.sqrt(((placed + middle - spots_in_order(placed + middle, spots)) ** 2).sum(1).mean()))
    if miss > LOOSE:
        return NO_SPOTS
    lit, dark = _site_values(distance, edge, middle, pitch, sites)
    margin = (lit - dark) / max(lit, 1e-6)
    fit = float(np.exp(-((miss / LOOSE) ** 2) * 0.5) * np.exp(-((slant / TURNED) ** 2) * 0.3))
    fit *= float(np.exp(-((np.hypot(*middle) / OFF_CENTRE) ** 2) * 0.5))
    sharp = float(np.clip((margin - 0.05) / 0.4, 0.0, 1.0)) * float(np.clip((lit - 4) / 8, 0, 1))
    return SpotReading(pips, fit * sharp, lit)


def spots_in_order(places: Array, spots: Array) -> Array:
    """For each place the nearest spot."""
    nearest = ((places[:, None] - spots[None]) ** 2).sum(2).argmin(1)
    return np.asarray(spots[nearest], np.float32)


def _turn_of(sites: Array, spots: Array) -> tuple[Array, float, float] | None:
    """The pattern laid onto the spots: its places, its pitch and its turn; None if it cannot be."""
    rough = sites * 0.25
    order = ((rough[:, None] - spots[None]) ** 2).sum(2).argmin(1)
    if len(set(order.tolist())) < len(sites):
        return None
    matched = spots[order]
    cross = float((sites[:, 0] * matched[:, 1] - sites[:, 1] * matched[:, 0]).sum())
    turn = float(np.arctan2(cross, float((sites * matched).sum())))
    if abs(turn) > TURNED:
        return None
    c, s = np.cos(turn), np.sin(turn)
    rotation = np.array([[c, s], [-s, c]], np.float32)
    straight = matched @ rotation.T
    along = [_pitch(sites[:, k], straight[:, k]) for k in (0, 1)]
    if len(sites) <= 3:  # a diagonal: both pitches together
        along = [float(np.mean(along))] * 2
    ratio = min(along) / max(along) if max(along) > 0 else 0.0
    least = STRETCH if len(sites) == 6 else 0.75
    if not (PITCH[0] * least <= min(along) and PITCH[0] <= max(along) <= PITCH[1] and ratio >= least):
        return None
    placed = (sites * np.array(along, np.float32)) @ rotation
    return placed.astype(np.float32), float(max(along)), turn


def _pitch(sites: Array, spots: Array) -> float:
    return float((sites * spots).sum() / max(float((sites * sites).sum()), 1e-6))


_GRID = np.array([(x, y) for y in (-1, 0, 1) for x in (-1, 0, 1)], np.float32)


def _site_values(
    distance: Array, edge: float, middle: Array, pitch: float, sites: Array
) -> tuple[float, float]:
    """The least distance from the body over the pattern's sites, and the greatest over the other sites."""
    blurred = cv2.blur(distance, (3, 3))
    places = np.rint((_GRID * pitch + middle) * edge + (SPOT_CROP - 1) / 2).astype(int)
    places = np.clip(places, 0, SPOT_CROP - 1)
    values = blurred[places[:, 1], places[:, 0]]
    lit = np.array([(np.abs(_GRID - site).sum(1) < 0.1) for site in sites]).any(0)
    return float(values[lit].min()), float(values[~lit].max())


def edges_of(corners: Array) -> tuple[float, ...]:
    """The lengths of a face's four edges."""
    closed = [*corners, corners[0]]
    return tuple(float(np.hypot(*(b - a))) for a, b in pairwise(closed))
