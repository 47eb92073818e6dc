"""Where the dice are: top faces with place, edge, corners, a first reading. Knows lids, no colours."""

import math
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from vision.image.arrays import Floats, Image, Numbers
from vision.image.sizes import HALF, halved, scaling
from vision.networks.network import network
from vision.networks.planes import PIPS, STRIDE, DicePlane, even_out
from vision.place.lid import Lid
from vision.reading import Corners

BEST_EDGE: Final = 28.0  # pixels of a die's edge that the network likes best
GLANCED_EDGE: Final = 21.0  # with which it is shown a whole picture in half the time
LEAST_EDGE, MOST_EDGE = 11.0, 60.0  # what it can find at all
LID_EDGE: Final = 320.0  # the lid's long side in the straightened picture, when the dice's size is unknown
BESIDE: Final = 32  # pixels shown round the floor: tops of dice at the wall lie outside it
BESIDE_FLOOR: Final = 0.6  # edges: tops seem nearer to the camera than the floor; dice outside are 1.2 off
APART: Final = 0.82  # edges between the middles of two tops; dice that touch are 0.95 apart or more
SURE_SCORE: Final = 0.4
ALIKE: Final = 0.16  # difference of logarithms up to which edges count as measured wrong, not as different
LEAST_SCORE: Final = 0.2
AGAIN: Final = 0.85  # of the dice's edge: as if they were smaller, so that they are shown larger
MOST_ALONG: Final = 24.0  # dice along the lid's long side: smaller ones are specks
AGAIN_SCORE: Final = 0.28  # what is found at a second look only must be likelier
STEP: Final = 16  # the network's pictures have sides of a multiple of this
LEVELS: Final = (0.13, 0.32, 0.8)  # of a picture 1024 pixels long: dice of 18 pixels to half the picture
COARSE: Final = 0.32  # of them: shows dice plainly that are large enough
PLAIN_EDGE: Final = 14.0  # pixels in it
PLAIN_DICE: Final = 4
LONGEST: Final = 1024.0
LEAST_ANYWHERE: Final = 15.0  # edge in such a picture below which grain looks like dice


@dataclass(frozen=True, slots=True)
class Candidate:
    """The upward face of what may be a die, in pixels of the picture given."""

    x: float
    y: float
    size: float
    corners: Corners
    score: float
    pips: tuple[float, float, float, float, float, float]
    flat: float = 1.0  # learnt beside; where the foot is tells more

    @property
    def likeliest(self) -> int:
        """The network's own reading of the face."""
        return 1 + self.pips.index(max(self.pips))


def find_dice(image: Image, lid: Lid | None = None, edge: float | None = None) -> tuple[Candidate, ...]:
    """Upward faces, likeliest first: those in the lid if one is given, else all in the picture.

    `edge` is the die's edge in pixels where it is known; it spares the search through all sizes.
    """
    if lid is not None:
        found = _in_straightened(image, lid, edge)
        return tuple(c for c in found if lid.contains(c.x, c.y, BESIDE_FLOOR * c.size))
    if edge is not None:
        return tuple(_at_scale(image, BEST_EDGE / edge))
    return _at_all_scales(image)


def find_more(
    image: Image, lid: Lid, found: tuple[Candidate, ...], edge: float | None = None
) -> tuple[Candidate, ...]:
    """What was found in the lid, and behind it what else is seen when the dice are shown larger."""
    if edge is None:
        if not found:
            return found
        edge = float(np.median([c.size for c in found]))
    again = find_dice(image, lid, max(AGAIN * edge, max(lid.sides) / MOST_ALONG))
    likely = (c for c in again if c.score >= AGAIN_SCORE)
    return (*found, *(c for c in likely if all(_stand_apart(c, o) for o in found)))


def _in_straightened(image: Image, lid: Lid, edge: float | None) -> list[Candidate]:
    """Look at the lid's floor as if from straight above."""
    across, down = lid.sides
    scale = LID_EDGE / max(across, down) if edge is None else BEST_EDGE / edge
    floor = np.array([(0, 0), (across, 0), (across, down), (0, down)], np.float32) * np.float32(scale)
    floor += np.float32(BESIDE)
    size = (_whole(across * scale + 2 * BESIDE), _whole(down * scale + 2 * BESIDE))
    matrix = np.asarray(cv2.getPerspectiveTransform(lid.frame.astype(np.float32), floor), np.float64)
    seen, onto = halved(image, matrix) if scale <= HALF else (image, matrix)
    view = cv2.warpPerspective(seen, onto, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    back = np.asarray(np.linalg.inv(matrix), np.float64)
    return [_carried(c, back) for c in _of_one_size(_look(view.astype(np.uint8, copy=False)))]


def _of_one_size(found: list[Candidate]) -> list[Candidate]:
    """Tops of equal dice are equal from straight above: the usual edge is truer than each one's own."""
    sure = [c.size for c in found if c.score > SURE_SCORE]
    if len(sure) < 3:
        return found
    usual = float(np.median(sure))
    return [_scaled(c, usual / c.size) if abs(math.log(usual / c.size)) < ALIKE else c for c in found]


def _scaled(found: Candidate, by: float) -> Candidate:
    a, b, c, d = [(found.x + by * (x - found.x), found.y + by * (y - found.y)) for x, y in found.corners]
    return replace(found, size=found.size * by, corners=(a, b, c, d))


def _at_scale(image: Image, scale: float) -> list[Candidate]:
    """Look at the whole picture at one scale."""
    height, width = image.shape[:2]
    small = (max(8, round(width * scale)), max(8, round(height * scale)))
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR  # grain that is not averaged looks like dice
    view = cv2.resize(image, small, interpolation=how)
    right, below = _whole(small[0]) - small[0], _whole(small[1]) - small[1]
    wide = cv2.copyMakeBorder(view, 0, below, 0, right, cv2.BORDER_REPLICATE)
    back = scaling(width / small[0], height / small[1])
    return [_carried(c, back) for c in _look(wide.astype(np.uint8, copy=False))]


def find_of_size(image: Image, usual: float, shown: float = BEST_EDGE) -> tuple[Candidate, ...]:
    """Upward faces in the whole picture of about that edge, `shown` to the network with so many pixels."""
    fit = LONGEST / max(image.shape[:2])
    again = _at_scale(image, min(shown / usual, 1.6 * fit))
    return tuple(c for c in again if 0.5 < c.size / usual < 2 and c.size * fit > LEAST_ANYWHERE)


def _at_all_scales(image: Image) -> tuple[Candidate, ...]:
    """Find the size most dice have, then look once more at the scale that suits it.

    The finest level takes most of the time: where coarser ones show dice plainly, it tells nothing more.
    """
    fit = LONGEST / max(image.shape[:2])
    found: list[Candidate] = []
    usual = None
    for level in LEVELS:
        found += [c for c in _at_scale(image, level * fit) if c.size * fit > LEAST_ANYWHERE]
        alike = _alike(found)
        usual = float(np.median([c.size for c in alike])) if alike else None
        plain = sum(c.score > SURE_SCORE and c.size * level * fit > PLAIN_EDGE for c in alike)
        if level == COARSE and plain >= PLAIN_DICE:
            break
    return () if usual is None else find_of_size(image, usual)


def _alike(found: list[Candidate]) -> list[Candidate]:
    """The most likely candidates that agree on one edge, at most six."""
    likely = sorted((c for c in found if c.score > 0.3), key=lambda c: -c.score)[:60]
    likely = [c for c in likely if not any(_part(c, whole) for whole in likely)]
    alike = [[o for o in likely if 0.7 < o.size / c.size < 1.4][:6] for c in likely]
    return max(alike, key=lambda group: sum(c.score**3 for c in group), default=[])


def _part(small: Candidate, whole: Candidate) -> bool:
    """What looks like a little die is a pip or a corner of a large one."""
    near = math.hypot(small.x - whole.x, small.y - whole.y) < 0.6 * whole.size
    return near and small.size < 0.5 * whole.size and small.score < whole.score


def _look(view: Image) -> list[Candidate]:
    """What the network finds in a view, likeliest first."""
    planes = network("finder.onnx").planes(even_out(view))[0]
    heat = planes[DicePlane.HEAT]
    top = cv2.dilate(heat, np.ones((3, 3), np.uint8))
    least = math.log(LEAST_SCORE / (1 - LEAST_SCORE))
    rows, columns = np.nonzero((heat >= top) & (heat > least))
    found = [
        _candidate(planes[:, row, column], int(column), int(row))
        for row, column in zip(rows, columns, strict=True)
    ]
    return _apart([c for c in found if LEAST_EDGE <= c.size <= MOST_EDGE])


def _candidate(said: Floats, column: int, row: int) -> Candidate:
    x = (column + float(said[DicePlane.DX]) + 0.5) * STRIDE - 0.5
    y = (row + float(said[DicePlane.DY]) + 0.5) * STRIDE - 0.5
    size = math.exp(min(5.0, float(said[DicePlane.SIZE]))) * STRIDE
    scores = np.exp(said[PIPS] - said[PIPS].max())
    pips = [float(p) for p in scores / scores.sum()]
    return Candidate(
        x,
        y,
        size,
        _corners(said, x, y, size),
        _sure(float(said[DicePlane.HEAT])),
        (pips[0], pips[1], pips[2], pips[3], pips[4], pips[5]),
        1 - _sure(float(said[DicePlane.LEAN])),
    )


def _corners(said: Floats, x: float, y: float, size: float) -> Corners:
    """The square as stretched and turned."""
    p, q = float(said[DicePlane.STRETCH_X]), float(said[DicePlane.STRETCH_D])
    most = math.hypot(p, q)
    long, way = math.exp(min(most, 1) / 2), math.atan2(q, p) / 2  # a part longer that way, shorter across it
    turn = math.atan2(float(said[DicePlane.SIN4]), float(said[DicePlane.COS4])) / 4

    def place(a: int, b: int) -> tuple[float, float]:
        along, across = (
            a * math.cos(turn - way) - b * math.sin(turn - way),
            a * math.sin(turn - way) + b * math.cos(turn - way),
        )
        along, across = along * long * size / 2, across / long * size / 2
        return (
            x + along * math.cos(way) - across * math.sin(way),
            y + along * math.sin(way) + across * math.cos(way),
        )

    return place(-1, -1), place(1, -1), place(1, 1), place(-1, 1)


def _sure(logit: float) -> float:
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, logit))))


def _apart(found: list[Candidate]) -> list[Candidate]:
    """Of faces too near for both to be tops the likeliest, for the other is a side; likeliest first."""
    kept: list[Candidate] = []
    for one in sorted(found, key=lambda c: -c.score):
        if all(_stand_apart(one, other) for other in kept):
            kept.append(one)
    return kept


def _stand_apart(one: Candidate, other: Candidate) -> bool:
    return math.hypot(one.x - other.x, one.y - other.y) > APART * (one.size + other.size) / 2


def _carried(found: Candidate, matrix: Numbers) -> Candidate:
    """The candidate in the picture from which its view was made."""
    points = np.array([(found.x, found.y), *found.corners], np.float64)[:, None]
    moved = cv2.perspectiveTransform(points, matrix)[:, 0]
    ring = [(float(x), float(y)) for x, y in moved[1:]]
    sides = [math.dist(ring[i], ring[i - 1]) for i in range(4)]
    size = math.sqrt((sides[0] + sides[2]) * (sides[1] + sides[3])) / 2
    corners = (ring[0], ring[1], ring[2], ring[3])
    return replace(
        found,
        x=float(moved[0, 0]),
        y=float(moved[0, 1]),
        size=size,
        corners=corners,
    )


def _whole(length: float) -> int:
    return math.ceil(length / STEP) * STEP
