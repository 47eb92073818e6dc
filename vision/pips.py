"""What a small network reads on faces, each given by the corners of a die's top. Knows no lid and no colours.

The other reading of a face, which knows nothing of this one, is in vision/spots.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Image
from vision.network import network

Array = NDArray[np.float32]

CROP, SPAN = 36, 1.7  # the network's crops: pixels, and their width in face edges
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


def one_heap(colours: Array) -> NDArray[np.bool_]:
    """Parts a face's colours (n x 3) into two heaps, pips and body; which is which nobody knows yet."""
    off = colours - colours.mean(0)
    _, _, axes = cv2.eigen(off.T @ off)
    along = off @ np.asarray(axes, np.float32)[0]
    low, high = float(along.min()), float(along.max())
    scaled = ((along - low) * (255 / max(high - low, 1e-3))).astype(np.uint8)
    split, _ = cv2.threshold(scaled, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    return np.asarray(scaled > split)
