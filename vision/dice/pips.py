"""What small networks read on faces, each given by the corners of a die's top. Knows no lid and no colours.

The other reading of a face, which knows nothing of this one, is in vision/dice/spots.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.image.arrays import Image
from vision.image.sizes import resized
from vision.networks.network import network

Array = NDArray[np.float32]

SPAN = 1.9  # the width of the networks' crops, in face edges
TURNS = 4
PLAIN = 0.98  # what two turns that agree say so surely is not looked at again
QUARTERS = np.array([((1, 0), (0, 1)), ((0, -1), (1, 0)), ((-1, 0), (0, -1)), ((0, 1), (-1, 0))], np.float32)
CLASSES = 7  # one to six, and none
MIDDLE_GREY, STRONGEST_DIMMING = 0.4, 8.0
LEAST_CHANCE = 1e-5
SHARPEST = 1.9  # how many pixels of a picture one pixel of a crop may stand for, unless averaged


@dataclass(frozen=True, slots=True)
class Eye:
    """A network that reads faces, and how many pixels wide the crops are that it is shown."""

    weights: str
    crop: int

    @property
    def face(self) -> float:
        """A face's edge in a crop."""
        return self.crop / SPAN


GLANCE = Eye("faces.onnx", 40)  # looks at everything
CLOSER = Eye("closer.onnx", 56)  # takes three times as long: for what is doubtful


@dataclass(frozen=True, slots=True)
class FaceReading:
    """What a network makes of a face: chances of one to six and of "no face, or nobody can tell"."""

    chances: tuple[float, ...]
    corners: Array  # where it believes the face lies, in picture pixels

    @property
    def pips(self) -> int:
        """The likeliest number, or 0 if it is not the top face of a die or nobody can tell."""
        best = self.chances.index(max(self.chances))
        return 0 if best == 6 else best + 1

    @property
    def confidence(self) -> float:
        return float(max(self.chances))


def square_corners(x: float, y: float, size: float, degrees: float = 0.0) -> Array:
    """The corners of an upright square face, in order round it."""
    angles = np.deg2rad(degrees + np.array([225.0, 315.0, 45.0, 135.0]))
    reach = size / np.sqrt(2.0)
    return np.stack([x + reach * np.cos(angles), y + reach * np.sin(angles)], 1).astype(np.float32)


def crop_square(size: int, span: float) -> Array:
    """Where a face's corners come to lie in its crop."""
    low, high = size / 2 * (1 - 1 / span) - 0.5, size / 2 * (1 + 1 / span) - 0.5
    return np.array([(low, low), (high, low), (high, high), (low, high)], np.float32)


def steps_at(matrix: NDArray[np.floating], x: float, y: float) -> NDArray[np.float64]:
    """How a perspective leads small steps beside a point; its first four numbers alone say so nowhere."""
    there = np.asarray(matrix, np.float64) @ (x, y, 1)
    return np.asarray((matrix[:2, :2] - np.outer(there[:2] / there[2], matrix[2, :2])) / there[2], np.float64)


def edge_of(corners: Array) -> float:
    """The edge of a square of the same area."""
    return float(np.sqrt(abs(cv2.contourArea(corners.astype(np.float32))))) + 1e-6


def rectified(image: Image, corners: Array, size: int, span: float) -> tuple[Image, Array]:
    """The face seen from straight above, and the matrix from picture to crop."""
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), crop_square(size, span))
    shrink = edge_of(corners) * span / size
    if shrink > SHARPEST:  # warping does not average: take the place and shrink it first
        return _rectified_small(image, corners, size, span), matrix.astype(np.float32)
    crop = cv2.warpPerspective(
        image, matrix, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return crop.astype(np.uint8, copy=False), matrix.astype(np.float32)


def _rectified_small(image: Image, corners: Array, size: int, span: float) -> Image:
    height, width = image.shape[:2]
    reach = np.ptp(corners, axis=0).max() * span
    middle = corners.mean(0)
    left, top = np.clip(middle - reach, 0, (width - 2, height - 2)).astype(int)
    right, bottom = np.clip(middle + reach + 1, (left + 2, top + 2), (width, height)).astype(int)
    part, there = shrunk(image[top:bottom, left:right], corners - (left, top), size / span / edge_of(corners))
    matrix = cv2.getPerspectiveTransform(there, crop_square(size, span))
    crop = cv2.warpPerspective(
        part, matrix, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return crop.astype(np.uint8, copy=False)


def shrunk(image: Image, corners: Array, factor: float) -> tuple[Image, Array]:
    """A picture made smaller, and where corners lie in it."""
    height, width = image.shape[:2]
    size = (max(1, round(width * factor)), max(1, round(height * factor)))
    scale = np.array([size[0] / width, size[1] / height])
    return resized(image, size), ((corners + 0.5) * scale - 0.5).astype(np.float32)


# ---------------------------------------------------------------- the networks


def normalised(crops: Sequence[Image]) -> Array:
    """Each crop less its mean and over its deviation: light and contrast do not matter to the network."""
    x = np.stack(crops).astype(np.float32) / 255
    x -= x.mean(axis=(1, 2, 3), keepdims=True)
    deviation = np.sqrt((x * x).mean(axis=(1, 2, 3), keepdims=True))
    return np.ascontiguousarray((x / (deviation + 0.02)).transpose(0, 3, 1, 2))


def read_faces(
    image: Image, faces: Sequence[Array], turns: int = TURNS, eye: Eye = GLANCE
) -> tuple[FaceReading, ...]:
    """A network's reading of each face, averaged over turns of a quarter, and where it saw the face.

    What is plain after two turns that agree is not turned any further.
    """
    if not faces:
        return ()
    taken = [rectified(image, corners, eye.crop, SPAN) for corners in faces]
    begun = min(turns, 2)
    crops, matrices = [crop for crop, _ in taken], np.array([matrix for _, matrix in taken], np.float64)
    said = _said(eye, crops, range(begun))
    readings = _averaged(said, matrices, eye)
    agree = (said[:, 1:, :CLASSES].argmax(2) == said[:, :1, :CLASSES].argmax(2)).all(1)
    torn = [i for i, reading in enumerate(readings) if not (agree[i] and reading.confidence >= PLAIN)]
    if turns > begun and torn:
        more = _said(eye, [crops[i] for i in torn], range(begun, turns))
        turned = _averaged(np.concatenate([said[torn], more], axis=1), matrices[torn], eye)
        for i, reading in zip(torn, turned, strict=True):
            readings[i] = reading
    return tuple(readings)


def _said(eye: Eye, crops: Sequence[Image], steps: Sequence[int]) -> Array:
    """What the network says of each crop at each turn."""
    turned = [np.rot90(crop, step) for crop in crops for step in steps]
    return network(eye.weights).planes(normalised(turned)).reshape(len(crops), len(steps), -1)


def _averaged(said: Array, matrices: NDArray[np.float64], eye: Eye) -> list[FaceReading]:
    """One reading of the first turns of each crop."""
    logits = said[..., :CLASSES].mean(1)
    chances = np.exp(logits - logits.max(1, keepdims=True))
    chances /= chances.sum(1, keepdims=True)
    corners = _where(_unturned(said[..., CLASSES:]).mean(1), matrices, eye)
    return [
        FaceReading(tuple(float(c) for c in of_one), place)
        for of_one, place in zip(chances, corners, strict=True)
    ]


def _unturned(places: Array) -> Array:
    """What crops turned by quarters to the left say of places, for the crops as they were."""
    shifts = np.einsum("kij,nkj->nki", QUARTERS[: places.shape[1]], places[..., :2])
    return np.concatenate([shifts, places[..., 2:]], axis=2)


def _where(places: Array, matrices: NDArray[np.float64], eye: Eye) -> Array:
    """The corners of each face, from crops back to the picture; the way to its foot is only learnt beside."""
    right, down, log_size, cos4, sin4, *_ = places.astype(np.float64).T
    turn = np.where(np.hypot(cos4, sin4) > 0.3, np.arctan2(sin4, cos4) / 4, 0.0)
    edge, half = eye.face, (eye.crop - 1) / 2
    size, c, s = np.exp(np.clip(log_size, -0.4, 0.4)), np.cos(turn), np.sin(turn)
    square = (crop_square(eye.crop, SPAN) - half) * size[:, None, None]
    middle = half + np.stack([right, down], 1) * edge
    seen = square @ np.array([(c, s), (-s, c)]).transpose(2, 0, 1) + middle[:, None]
    flat = np.concatenate([seen, np.ones_like(seen[..., :1])], axis=2)
    there = flat @ np.linalg.inv(matrices).swapaxes(1, 2)
    return np.asarray(there[..., :2] / there[..., 2:], np.float32)


def without_glare(image: Image, corners: Array) -> Image:
    """The picture darkened until the face is of a middle grey: then a lamp's veil shows what is behind it."""
    (left, top), (right, bottom) = corners.min(0), corners.max(0)
    across, down = (right - left) / 4, (bottom - top) / 4
    inner = image[
        max(0, int(top + down)) : max(1, int(bottom - down) + 1),
        max(0, int(left + across)) : max(1, int(right - across) + 1),
    ]
    power = dimming(float(np.median(inner)) / 255 if inner.size else 0.0)
    tones = (255 * (np.arange(256) / 255) ** power).astype(np.uint8)
    return cv2.LUT(image, tones).astype(np.uint8, copy=False)


def dimming(tone: float) -> float:
    """The power that makes a middle grey of so bright a tone (0 to 1); dark ones stay as they are."""
    return float(
        np.clip(np.log(MIDDLE_GREY) / np.log(np.clip(tone, 1 / 255, 254 / 255)), 1.0, STRONGEST_DIMMING)
    )


def together(one: FaceReading, other: FaceReading) -> FaceReading:
    """Two readings of one face by the same network as one; the place is the first one's."""
    chances = np.sqrt(np.maximum(one.chances, LEAST_CHANCE) * np.maximum(other.chances, LEAST_CHANCE))
    return replace(one, chances=tuple(float(c) for c in chances / chances.sum()))


def one_heap(colours: Array) -> NDArray[np.bool_]:
    """Parts a face's colours (n x 3) into two heaps, pips and body; which is which nobody knows yet."""
    off = colours - colours.mean(0)
    _, _, axes = cv2.eigen(off.T @ off)
    along = off @ np.asarray(axes, np.float32)[0]
    low, high = float(along.min()), float(along.max())
    scaled = ((along - low) * (255 / max(high - low, 1e-3))).astype(np.uint8)
    split, _ = cv2.threshold(scaled, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    return np.asarray(scaled > split)
