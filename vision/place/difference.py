"""What lies in a calibrated lid that the empty lid did not show; shadows and drifting light do not count."""

from dataclasses import dataclass
from functools import lru_cache
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.colour.bodies import linear, shown
from vision.dice.pips import Array
from vision.image.arrays import Image, Numbers
from vision.memory.calibration import Calibration
from vision.place.aligning import camera_moved
from vision.place.lid import Lid

Grey = NDArray[np.float32]

EDGE = 14.0  # pixels of a die's edge in the small pictures that are compared
DARKEST = 12.0  # grey levels added before logarithms: dark noise is no structure
CHROMA = 14.0  # CIELAB: another colour that different is another thing
FAINTEST = 0.002  # of the brightest light: what is darker is not told from black
STRUCTURE = 0.16  # natural logarithm per pixel: the edge of a pip or of a die
MISPLACED = 0.6  # pixels by which printed lines may have moved
SURE_CHANGE = 0.5
PLAIN, HARDLY_NEW = 0.95, 0.2  # what so surely is a die needs to show that much, white on white
NOTHING_NEW = 0.42  # of a face: less is floor that looks like a die; dice are above 0.55


@dataclass(frozen=True, slots=True)
class Window:
    """The part of a picture round the lid that is compared, and how much smaller it is made."""

    left: int
    top: int
    right: int
    bottom: int
    scale: float

    @classmethod
    def around(cls, lid: Lid | None, edge: float, shape: tuple[int, ...]) -> "Window":
        if lid is None:
            return cls(0, 0, shape[1], shape[0], min(1.0, EDGE / edge))
        low, high = lid.points.min(axis=0) - edge, lid.points.max(axis=0) + edge
        left, top = (max(0, int(v)) for v in low)
        right, bottom = (min(size, int(v) + 1) for v, size in zip(high, (shape[1], shape[0]), strict=True))
        return cls(left, top, max(right, left + 1), max(bottom, top + 1), min(1.0, EDGE / edge))

    def lab(self, image: Image) -> Grey:
        part = image[self.top : self.bottom, self.left : self.right]
        small = cv2.resize(part, None, fx=self.scale, fy=self.scale, interpolation=cv2.INTER_AREA)
        return cast(Grey, cv2.cvtColor(small.astype(np.float32) / 255, cv2.COLOR_BGR2Lab))

    def place(self, points: Array | NDArray[np.float64]) -> Array:
        """Points of the picture in the small one."""
        off = np.array([self.left, self.top])
        return np.asarray((points - off + 0.5) * self.scale - 0.5, np.float32)


class Difference:
    """The picture against the empty lid; `share` tells how much of a face is new."""

    def __init__(self, before: Grey, now: Grey, lid: Lid | None, window: Window) -> None:
        """Both pictures in CIELAB, as seen through the window."""
        self._window = window
        floor = np.ones(now.shape[:2], np.uint8)
        if lid is not None:
            floor[:] = 0
            cv2.fillPoly(floor, [np.round(window.place(lid.points)).astype(np.int32)], 1)
        self._map = _changes(before, now, floor > 0)

    @classmethod
    def at_table(cls, image: Image, known: Calibration, lid: Lid | None) -> "Difference":
        """`known` is at the picture's size; `lid` lies where it is now. Without a reference all is new."""
        window = Window.around(lid, known.die_edge, image.shape)
        now = window.lab(image)
        before = _empty(known, lid, window) if known.lid is not None else _all_round(image, known, window)
        return cls(np.zeros_like(now) if before is None else before, now, lid, window)

    @classmethod
    def between(cls, empty: Image, image: Image, lid: Lid | None, edge: float) -> "Difference":
        """Two pictures of a lid that has not moved."""
        window = Window.around(lid, edge, image.shape)
        return cls(window.lab(empty), window.lab(image), lid, window)

    def share(self, corners: Array) -> float:
        """How much of a face differs from the empty lid, 0 to 1."""
        mask = np.zeros(self._map.shape, np.uint8)
        cv2.fillConvexPoly(
            mask, np.round(self._window.place(corners) * 16).astype(np.int32), 1, cv2.LINE_8, 4
        )
        inside = self._map[mask > 0]
        return float((inside > SURE_CHANGE).mean()) if inside.size else 0.0

    def shows(self, corners: Array, is_die: float = 0.0) -> bool:
        """Whether something lies there that was not there before; a plain die shows it by less."""
        return self.share(corners) >= (NOTHING_NEW if is_die < PLAIN else HARDLY_NEW)


@lru_cache(maxsize=2)
def _at_rest(known: Calibration, window: Window) -> Grey | None:
    empty = known.empty_lid()
    return None if empty is None else window.lab(empty)


def _empty(known: Calibration, lid: Lid | None, window: Window) -> Grey | None:
    """The empty lid where the lid lies now."""
    if lid is None or known.lid is None or lid.corners == known.lid:
        return _at_rest(known, window)
    empty = known.empty_lid()
    if empty is None:
        return None
    if len(lid.corners) != len(known.lid):  # another place: nothing there is known
        return None
    move = _carrying(np.array(known.lid, np.float32), lid.points.astype(np.float32))
    size = (empty.shape[1], empty.shape[0])
    moved = cv2.warpPerspective(empty, move, size, borderMode=cv2.BORDER_REPLICATE)
    return window.lab(cast(Image, moved))


def _all_round(image: Image, known: Calibration, window: Window) -> Grey | None:
    """The empty place as the camera sees it now, which somebody may have knocked."""
    move, empty = camera_moved(image, known), known.empty_lid()
    if move is None or empty is None:
        return _at_rest(known, window)
    size = (empty.shape[1], empty.shape[0])
    return window.lab(cast(Image, cv2.warpAffine(empty, move, size, borderMode=cv2.BORDER_REPLICATE)))


def _carrying(before: Array, now: Array) -> NDArray[np.float64]:
    """What leads the corners to where they are now."""
    if len(before) == 4:
        return np.asarray(cv2.getPerspectiveTransform(before, now), np.float64)
    move, _ = cv2.estimateAffinePartial2D(before, now)
    return np.vstack([move, (0, 0, 1)])


def _changes(before: Grey, now: Grey, floor: NDArray[np.bool_]) -> Grey:
    """Another hue, or edges that were not there: what a shadow does not bring."""
    drifted = now[..., 1:] - before[..., 1:]
    if floor.any():
        drifted = drifted - np.median(drifted[floor], axis=0)
    shaded = now[..., 1:] - _as_bright_as(before, now)[..., 1:]
    hue = np.minimum(np.linalg.norm(drifted, axis=-1), np.linalg.norm(shaded, axis=-1)) / CHROMA
    one, other = (np.log(picture[..., 0] + DARKEST) for picture in (before, now))
    ratio = cv2.GaussianBlur((other - one).astype(np.float32), (0, 0), 0.7)
    edges = _slope(ratio)
    printed = cv2.dilate(_slope(cast(Grey, one)), np.ones((3, 3), np.uint8))
    new = np.maximum(edges - MISPLACED * printed, 0) / STRUCTURE
    # a face is new as a whole, its pips are edges in it: spread them over their surroundings
    spread = cv2.dilate(new.astype(np.float32), np.ones((5, 5), np.uint8))
    return cast(Grey, np.minimum(1, np.maximum(hue, spread)).astype(np.float32))


def _as_bright_as(before: Grey, now: Grey) -> Grey:
    """The empty lid if more or less of the same light fell on each place: in a shadow strong colours pale."""
    light = linear(np.clip(cv2.cvtColor(before, cv2.COLOR_Lab2BGR), 0, 1))
    by = (_brightness(now) + FAINTEST) / (_brightness(before) + FAINTEST)
    return cast(Grey, cv2.cvtColor(shown(light * by[..., None]).astype(np.float32), cv2.COLOR_BGR2Lab))


def _brightness(lab: Grey) -> Numbers:
    """CIELAB's lightness as light, 1 for white."""
    up = (np.asarray(lab[..., 0], np.float64) + 16) / 116
    return np.where(up > 6 / 29, up**3, (up - 4 / 29) * 3 * (6 / 29) ** 2)


def _slope(grey: Grey) -> Grey:
    grey = grey.astype(np.float32)
    across, down = (
        cv2.Sobel(grey, cv2.CV_32F, 1, 0, scale=0.125),
        cv2.Sobel(grey, cv2.CV_32F, 0, 1, scale=0.125),
    )
    return cast(Grey, cv2.magnitude(across, down))
