"""What lies in a calibrated lid that the empty lid did not show; shadows and drifting light do not count."""

from functools import lru_cache
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.calibration import Calibration
from vision.camera import Image
from vision.lid import Lid
from vision.pips import Array

Grey = NDArray[np.float32]

EDGE = 14.0  # pixels of a die's edge in the small pictures that are compared
DARKEST = 12.0  # grey levels added before logarithms: dark noise is no structure
CHROMA = 14.0  # CIELAB: another colour that different is another thing
STRUCTURE = 0.16  # natural logarithm per pixel: the edge of a pip or of a die
MISPLACED = 0.6  # pixels by which printed lines may have moved
SURE_CHANGE = 0.5
NOTHING_NEW = 0.42  # of a face: less is floor that looks like a die; dice are above 0.55


class Difference:
    """The picture against the empty lid; `share` tells how much of a face is new."""

    def __init__(self, before: Grey, now: Grey, floor: NDArray[np.bool_], scale: float) -> None:
        """Both pictures in CIELAB, made small by `scale`; `floor` is the lid's floor in them."""
        self._scale = scale
        self._map = _changes(before, now, floor)

    @classmethod
    def at_table(cls, image: Image, known: Calibration, lid: Lid) -> "Difference":
        """`known` is at the picture's size; `lid` lies where it is now. Without a reference all is new."""
        scale = min(1.0, EDGE / known.die_edge)
        now = _lab(image, scale)
        empty = _reference(known, scale)
        before = _at(empty, known, lid, scale, now.shape) if empty is not None else np.zeros_like(now)
        return cls(before, now, _floor(lid, scale, now.shape), scale)

    @classmethod
    def between(cls, empty: Image, image: Image, lid: Lid, edge: float) -> "Difference":
        """Two pictures of a lid that has not moved."""
        scale = min(1.0, EDGE / edge)
        now = _lab(image, scale)
        return cls(_lab(empty, scale), now, _floor(lid, scale, now.shape), scale)

    def share(self, corners: Array) -> float:
        """How much of a face differs from the empty lid, 0 to 1."""
        mask = np.zeros(self._map.shape, np.uint8)
        points = (np.asarray(corners, np.float32) + 0.5) * self._scale - 0.5
        cv2.fillConvexPoly(mask, np.round(points * 16).astype(np.int32), 1, cv2.LINE_8, 4)
        inside = self._map[mask > 0]
        return float((inside > SURE_CHANGE).mean()) if inside.size else 0.0

    def shows(self, corners: Array) -> bool:
        """Whether something lies there that was not there when the lid was empty."""
        return self.share(corners) >= NOTHING_NEW


def _lab(image: Image, scale: float) -> Grey:
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return cast(Grey, cv2.cvtColor(small.astype(np.float32) / 255, cv2.COLOR_BGR2Lab))


@lru_cache(maxsize=2)
def _reference(known: Calibration, scale: float) -> Grey | None:
    empty = known.empty_lid()
    return None if empty is None else _lab(empty, scale)


def _at(empty: Grey, known: Calibration, lid: Lid, scale: float, shape: tuple[int, ...]) -> Grey:
    """The empty lid where the lid lies now."""
    if lid.corners == known.lid:
        return empty
    one = ((np.array(known.lid) + 0.5) * scale - 0.5).astype(np.float32)
    other = ((lid.points + 0.5) * scale - 0.5).astype(np.float32)
    move = cv2.getPerspectiveTransform(one, other)
    size = (shape[1], shape[0])
    return cast(Grey, cv2.warpPerspective(empty, move, size, borderMode=cv2.BORDER_REPLICATE))


def _floor(lid: Lid, scale: float, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    mask = np.zeros(shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round((lid.points + 0.5) * scale - 0.5).astype(np.int32), 1)
    return mask > 0


def _changes(before: Grey, now: Grey, floor: NDArray[np.bool_]) -> Grey:
    """Another hue, or edges that were not there: what a shadow does not bring."""
    colour = now[..., 1:] - before[..., 1:]
    if floor.any():
        colour = colour - np.median(colour[floor], axis=0)
    hue = np.linalg.norm(colour, axis=-1) / CHROMA
    one, other = (np.log(picture[..., 0] + DARKEST) for picture in (before, now))
    ratio = cv2.GaussianBlur((other - one).astype(np.float32), (0, 0), 0.7)
    edges = _slope(ratio)
    printed = cv2.dilate(_slope(cast(Grey, one)), np.ones((3, 3), np.uint8))
    new = np.maximum(edges - MISPLACED * printed, 0) / STRUCTURE
    # a face is new as a whole, its pips are edges in it: spread them over their surroundings
    spread = cv2.dilate(new.astype(np.float32), np.ones((5, 5), np.uint8))
    return cast(Grey, np.minimum(1, np.maximum(hue, spread)).astype(np.float32))


def _slope(grey: Grey) -> Grey:
    grey = grey.astype(np.float32)
    across, down = (
        cv2.Sobel(grey, cv2.CV_32F, 1, 0, scale=0.125),
        cv2.Sobel(grey, cv2.CV_32F, 0, 1, scale=0.125),
    )
    return cast(Grey, cv2.magnitude(across, down))
