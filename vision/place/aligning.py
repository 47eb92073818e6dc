"""Finds a bumped lid again, where it now lies, held against the picture of the empty lid. Knows no dice."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.image.arrays import Image
from vision.memory.calibration import Calibration
from vision.place.lid import Lid, find_lid
from vision.reading import Outline

Grey = NDArray[np.float32]
Matrix = NDArray[np.float32]
Mask = NDArray[np.uint8]

WIDTH = 480  # pixels: a third of a millimetre is seen, and it is quick
RING = (0.86, 1.13)  # of the floor: its edge, the walls and the rim; neither dice nor table
AT_REST = 0.75  # edges agree that well with the reference: nothing moved
CLEAR = 0.65  # so well that no other move need be tried
FOUND = 0.40  # and that well once the lid is moved back: it is this lid
COARSE = 4  # the search over all moves looks at pictures this many times smaller
COARSE_REACH = 14  # pixels of those, each way
COARSE_TURNS = np.radians(np.arange(-6, 7))
BETTER = 0.10  # a move must explain the picture that much better than none
PRINTED = 40.0  # Sobel: an edge of the floor itself, as of a print or a plank, that noise does not make
BESIDE_PRINT = 5  # pixels round it that are looked at too
LEAST_PRINTED = 0.002  # of the small picture: less tells nothing
FARTHEST = 0.35  # of the lid's longer side: farther away it is another installation
AT_REST_THERE: Final = np.eye(2, 3, dtype=np.float32)
HALF = 127
STEPS = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 60, 1e-4)


def align(image: Image, calibration: Calibration) -> Lid | None:
    """The lid of this table in the picture: where it was, or where it was pushed to; None if it is lost."""
    height, width = image.shape[:2]
    known = calibration.scaled(width, height)
    if known.lid is None:
        return None
    before = _reference(known)
    if before is None:
        return find_lid(image)
    seen = _small(image)
    scale = seen.shape[1] / width
    corners = (np.array(known.lid, np.float32) + 0.5) * scale - 0.5
    marks = _marks(before, corners)
    rest = marks.agreement(before, seen, AT_REST_THERE)
    if rest >= AT_REST:
        return Lid(known.lid, 1.0)
    best = _search(image, before, seen, corners, scale)
    if best is None or best[1] < max(FOUND, rest + BETTER):
        held = agreement(before, seen, marks.ring, AT_REST_THERE)  # dice may hide what is printed
        return Lid(known.lid, 1.0) if held >= FOUND else None
    moved = _carried(corners, best[0])
    reach = float(np.linalg.norm(np.roll(corners, 1, axis=0) - corners, axis=1).max())
    if float(np.linalg.norm(moved - corners, axis=1).max()) > FARTHEST * reach:
        return None
    return Lid(_as_corners((moved + 0.5) / scale - 0.5), best[1])


def camera_moved(image: Image, calibration: Calibration) -> Matrix | None:
    """How the whole picture of the empty place lies in this one, where it has no edge; None: as it was."""
    height, width = image.shape[:2]
    known = calibration.scaled(width, height)
    before = _reference(known)
    if before is None:
        return None
    seen = _small(image)
    scale = seen.shape[1] / width
    frame = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32) * scale
    marks = _everywhere(known)
    if marks.floor is None:
        return None
    rest = marks.agreement(before, seen, AT_REST_THERE)
    if rest >= AT_REST:
        return None
    move = _refined(before, seen, marks.all, _coarse(before, seen, frame, marks))
    if marks.agreement(before, seen, move) < max(FOUND, rest + BETTER):
        return None
    moved = move.copy()
    moved[:, 2] = (move[:, 2] + 0.5 - move[:, :2] @ np.array([0.5, 0.5])) / scale
    moved[:, 2] += move[:, :2] @ np.array([0.5, 0.5]) - 0.5
    return moved


def has_moved(before: Image, after: Image, corners: Outline) -> bool:
    """Whether the lid with that floor lies elsewhere in the second picture."""
    one, other = _small(before), _small(after)
    places = (np.array(corners, np.float32) + 0.5) * (one.shape[1] / before.shape[1]) - 0.5
    rest = agreement(one, other, _ring(places, one.shape), np.eye(2, 3, dtype=np.float32))
    if rest >= AT_REST:
        return False
    scale = one.shape[1] / before.shape[1]
    best = _search(after, one, other, places, scale)
    return best is not None and best[1] >= max(FOUND, rest + BETTER)


def _search(
    image: Image, before: Grey, seen: Grey, corners: Matrix, scale: float
) -> tuple[Matrix, float] | None:
    """The best move of the lid, from where it was and from where a fresh look finds one."""
    marks = _marks(before, corners)
    best: tuple[Matrix, float] | None = None
    for start in _starts(image, before, seen, corners, scale):
        move = _refined(before, seen, marks.all, start)
        score = marks.agreement(before, seen, move)
        if best is None or score > best[1]:
            best = move, score
        if score >= CLEAR:
            break
    return best


def _starts(image: Image, before: Grey, seen: Grey, corners: Matrix, scale: float) -> Iterator[Matrix]:
    """Where to begin: the best of all moves on a small picture, no move, the lid as a fresh look finds it."""
    yield _coarse(before, seen, corners, _marks(before, corners))
    yield np.eye(2, 3, dtype=np.float32)
    found = find_lid(image)
    if found is not None and len(found.corners) == len(corners) == 4:
        there = (found.points.astype(np.float32) + 0.5) * scale - 0.5
        yield _rigid(corners, _in_order(there, corners))


def _coarse(before: Grey, seen: Grey, corners: Matrix, marks: "_Marks") -> Matrix:
    """The turn and shift whose edges agree best, tried out one and all on small pictures."""
    size = (before.shape[1] // COARSE, before.shape[0] // COARSE)
    one, other = (cast(Grey, cv2.resize(grey, size, interpolation=cv2.INTER_AREA)) for grey in (before, seen))
    small: Matrix = (corners / COARSE).astype(np.float32)
    middle = small.mean(axis=0)
    there = _ring(small, one.shape) > 0 if marks.ring.any() else np.zeros(one.shape, np.bool_)
    if marks.floor is not None:
        there |= cv2.resize(marks.floor, size, interpolation=cv2.INTER_AREA) > HALF
    wanted = _flattened(_edges(one)) * there[..., None]
    best, found = -np.inf, np.eye(2, 3, dtype=np.float32)
    for angle in COARSE_TURNS:
        c, s = float(np.cos(angle)), float(np.sin(angle))
        turn = np.array([[c, -s], [s, c]])
        move = np.column_stack([turn, middle - turn @ middle])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        back = cv2.warpAffine(other, move, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
        edges = np.pad(
            _flattened(_edges(cast(Grey, back))), ((COARSE_REACH,) * 2, (COARSE_REACH,) * 2, (0, 0))
        )
        fits = sum(
            cv2.matchTemplate(
                np.ascontiguousarray(edges[..., i]), np.ascontiguousarray(wanted[..., i]), cv2.TM_CCORR
            )
            for i in (0, 1)
        )
        _, score, _, place = cv2.minMaxLoc(np.asarray(fits))
        if score > best:
            shift = np.array(place) - COARSE_REACH
            best, found = score, np.column_stack([turn, (move[:, 2] + turn @ shift) * COARSE])
    return found.astype(np.float32)


@dataclass(frozen=True)
class _Marks:
    """What of a place shows whether it has moved: its edge, and what is printed on its floor, if anything."""

    ring: Mask
    floor: Mask | None = None

    @property
    def all(self) -> Mask:
        return self.ring if self.floor is None else cast(Mask, cv2.bitwise_or(self.ring, self.floor))

    def agreement(self, before: Grey, seen: Grey, move: Matrix) -> float:
        """Both must agree: a round tray that turns has the edge it had."""
        parts = [self.ring] if self.ring.any() else []
        parts += [] if self.floor is None else [self.floor]
        return min(agreement(before, seen, part, move) for part in parts)


def _marks(before: Grey, corners: Matrix) -> _Marks:
    """Four corners tell how a place is turned; others may not, so what is printed has to."""
    ring = _ring(corners, before.shape)
    if len(corners) == 4:
        return _Marks(ring)
    inside = np.zeros(before.shape, np.uint8)
    middle = corners.mean(axis=0)
    cv2.fillPoly(inside, [np.round(middle + (corners - middle) * RING[0]).astype(np.int32)], 255)
    return _Marks(ring, _printed(before, inside))


@lru_cache(maxsize=2)
def _everywhere(calibration: Calibration) -> _Marks:
    """What is printed on a place without an edge; kept between readings."""
    before = _reference(calibration)
    assert before is not None
    return _Marks(np.zeros(before.shape, np.uint8), _printed(before, np.full(before.shape, 255, np.uint8)))


def _printed(before: Grey, where: Mask) -> Mask | None:
    """The strong edges there, with a little round them; None if there are too few."""
    strong = (np.linalg.norm(_edges(before), axis=-1) > PRINTED) & (where > 0)
    if strong.mean() < LEAST_PRINTED:
        return None
    near = np.ones((2 * BESIDE_PRINT + 1,) * 2, np.uint8)
    return cast(Mask, cv2.bitwise_and(cv2.dilate(strong.astype(np.uint8) * 255, near), where))


def _small(image: Image) -> Grey:
    grey = image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    size = (WIDTH, max(1, round(WIDTH * image.shape[0] / image.shape[1])))
    return cast(Grey, cv2.resize(grey, size, interpolation=cv2.INTER_AREA).astype(np.float32))


@lru_cache(maxsize=2)
def _reference(calibration: Calibration) -> Grey | None:
    """The empty lid, made small; kept between readings."""
    empty = calibration.empty_lid()
    return None if empty is None else _small(empty)


def agreement(before: Grey, seen: Grey, ring: NDArray[np.uint8], move: Matrix) -> float:
    """How well the edges in the ring agree once the picture is moved back: 1 is the same, 0 chance."""
    size = (before.shape[1], before.shape[0])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    back = cv2.warpAffine(seen, move, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    one, other = _edges(before), _edges(cast(Grey, back))
    where = ring > 0
    a, b = one[where], other[where]
    a, b = _flattened(a), _flattened(b)
    return float((a * b).sum() / max(1e-6, float(np.sqrt((a * a).sum() * (b * b).sum()))))


def _edges(grey: Grey) -> NDArray[np.float32]:
    smooth = cv2.GaussianBlur(grey, (0, 0), 1.2)
    across, down = cv2.Sobel(smooth, cv2.CV_32F, 1, 0), cv2.Sobel(smooth, cv2.CV_32F, 0, 1)
    return cast(NDArray[np.float32], np.stack([across, down], axis=-1))


def _flattened(edges: NDArray[np.float32]) -> NDArray[np.float32]:
    """Strong edges count less than their strength: a shadow on one side must not outvote three others."""
    flat: NDArray[np.float32] = edges / np.sqrt(np.linalg.norm(edges, axis=-1, keepdims=True) + 1)
    return flat


def _ring(corners: Matrix, shape: tuple[int, ...]) -> NDArray[np.uint8]:
    """The floor's outline with walls and rim."""
    middle = corners.mean(axis=0)
    mask = np.zeros(shape[:2], np.uint8)
    for share, value in zip(reversed(RING), (255, 0), strict=True):
        grown = middle + (corners - middle) * share
        cv2.fillPoly(mask, [np.round(grown).astype(np.int32)], value)
    return mask


def _refined(before: Grey, seen: Grey, ring: NDArray[np.uint8], start: Matrix) -> Matrix:
    """The turn and shift that bring both pictures' edges together best."""
    one, other = (np.linalg.norm(_edges(grey), axis=-1).astype(np.float32) for grey in (before, seen))
    move = start.copy()
    try:
        _, found = cv2.findTransformECC(
            np.sqrt(one), np.sqrt(other), move, cv2.MOTION_EUCLIDEAN, STEPS, ring, 5
        )
    except cv2.error:  # it does not converge: the pictures have nothing in common there
        return start
    return cast(Matrix, found.astype(np.float32))


def _rigid(corners: Matrix, there: Matrix) -> Matrix:
    """The turn and shift that carry the corners nearest to where they are now."""
    one, other = corners - corners.mean(axis=0), there - there.mean(axis=0)
    angle = np.arctan2((one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0]).sum(), (one * other).sum())
    c, s = np.cos(angle), np.sin(angle)
    turned = np.array([[c, -s], [s, c]])
    shift = there.mean(axis=0) - turned @ corners.mean(axis=0)
    return np.column_stack([turned, shift]).astype(np.float32)


def _in_order(there: Matrix, corners: Matrix) -> Matrix:
    turned = [np.roll(ring, turn, axis=0) for ring in (there, there[::-1]) for turn in range(4)]
    return min(turned, key=lambda ring: float(np.abs(ring - corners).sum()))


def _carried(corners: Matrix, move: Matrix) -> Matrix:
    return cast(Matrix, corners @ move[:, :2].T + move[:, 2])


def _as_corners(points: Matrix) -> Outline:
    return tuple((float(x), float(y)) for x, y in points)
