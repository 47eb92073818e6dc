"""What the finder's networks should say of a labelled view: planes and how much each cell counts."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.image.arrays import Floats
from vision.networks.planes import DICE_PLANES, LID_PLANES, STRIDE, DicePlane, LidPlane
from vision.scoring.truth import TrueDie

Points = NDArray[np.float64]

SMALLEST, LARGEST = 12.0, 60.0  # edges in pixels the dice network must find
IGNORED_BELOW, IGNORED_ABOVE = 8.0, 80.0  # between these and those it may say what it likes


@dataclass(frozen=True, slots=True)
class Target:
    """Planes, weights of the same shape, and the pips class per cell (-1: unknown)."""

    planes: Floats
    weights: Floats


@dataclass(frozen=True, slots=True)
class Shape:
    """A parallelogram as the network says it: edge, two stretches, four times its turn."""

    size: float
    stretch_x: float
    stretch_d: float
    cos4: float
    sin4: float


def shape_of(corners: Points) -> Shape:
    """The parallelogram nearest to four corners."""
    a, b, c, d = corners
    e1, e2 = (b - a + c - d) / 2, (d - a + c - b) / 2
    spread = np.outer(e1, e1) + np.outer(e2, e2)
    scale = math.sqrt(max(np.linalg.det(spread), 1e-12))
    values, axes = np.linalg.eigh(spread / scale)
    logs = axes @ np.diag(np.log(np.maximum(values, 1e-6))) @ axes.T
    back = axes @ np.diag(1 / np.sqrt(np.maximum(values, 1e-6))) @ axes.T
    u = back @ e1
    turn = 4 * math.atan2(u[1], u[0])
    return Shape(math.sqrt(scale), float(logs[0, 0]), float(logs[0, 1]), math.cos(turn), math.sin(turn))


def dice_target(dice: list[TrueDie], width: int, height: int, *, exact: bool) -> Target:
    """Planes for dice already carried into the view."""
    planes = np.zeros((DICE_PLANES, height // STRIDE, width // STRIDE), np.float32)
    weights = np.zeros_like(planes)
    weights[DicePlane.HEAT] = 1
    for die in dice:
        _mark_die(planes, weights, die, exact=exact)
    return Target(planes, weights)


def _mark_die(planes: Floats, weights: Floats, die: TrueDie, *, exact: bool) -> None:
    rows, columns = planes.shape[1:]
    cx, cy, edge = _cell(die.x), _cell(die.y), die.size / STRIDE
    if not (-edge < cx < columns + edge and -edge < cy < rows + edge):
        return
    y, x = np.mgrid[0:rows, 0:columns].astype(np.float32)
    away = (x - cx) ** 2 + (y - cy) ** 2
    if not IGNORED_BELOW <= die.size <= IGNORED_ABOVE:
        return
    hidden = die.visible < 0.6 or die.state in {"under", "unclear"}
    if hidden or not SMALLEST <= die.size <= LARGEST:
        weights[DicePlane.HEAT][away < (0.5 * edge) ** 2] = 0
        return
    if not (0 <= round(cx) < columns and 0 <= round(cy) < rows):
        return
    near = np.exp(-away / (2 * (0.55 + 0.06 * edge) ** 2))
    near[round(cy), round(cx)] = 1
    planes[DicePlane.HEAT] = np.maximum(planes[DicePlane.HEAT], near)
    own = (away < 2.5) & (near >= planes[DicePlane.HEAT] - 1e-6)
    weight = near * own
    _regress(planes, weights, DicePlane.DX, cx - x, weight)
    _regress(planes, weights, DicePlane.DY, cy - y, weight)
    _regress(planes, weights, DicePlane.LEAN, float(not die.flat), weight)
    if die.corners is not None and exact:
        shape = shape_of(die.corners)
        _regress(planes, weights, DicePlane.SIZE, math.log(shape.size / STRIDE), weight)
        _regress(planes, weights, DicePlane.STRETCH_X, shape.stretch_x, weight)
        _regress(planes, weights, DicePlane.STRETCH_D, shape.stretch_d, weight)
        _regress(planes, weights, DicePlane.COS4, shape.cos4, weight)
        _regress(planes, weights, DicePlane.SIN4, shape.sin4, weight)
    if die.pips is not None and die.flat and die.visible > 0.7 and die.contrast > 5:
        for plane in range(6):
            _regress(planes, weights, 9 + plane, float(plane + 1 == die.pips), weight)


def lid_target(corners: Points | None, width: int, height: int) -> Target:
    """Planes for a lid's floor already carried into the view."""
    rows, columns = height // STRIDE, width // STRIDE
    planes = np.zeros((LID_PLANES, rows, columns), np.float32)
    weights = np.zeros_like(planes)
    weights[LidPlane.FLOOR] = 1
    weights[LidPlane.CORNER] = 1
    if corners is None:
        return Target(planes, weights)
    y, x = np.mgrid[0:rows, 0:columns].astype(np.float32)
    cells = (corners + 0.5) / STRIDE - 0.5
    planes[LidPlane.FLOOR] = _inside(cells, x, y)
    for cx, cy in cells:
        away = (x - cx) ** 2 + (y - cy) ** 2
        near = np.exp(-away / (2 * 1.0**2))
        if 0 <= round(cx) < columns and 0 <= round(cy) < rows:
            near[round(cy), round(cx)] = 1
        planes[LidPlane.CORNER] = np.maximum(planes[LidPlane.CORNER], near)
        weight = near * (away < 6)
        _regress(planes, weights, LidPlane.CORNER_DX, cx - x, weight)
        _regress(planes, weights, LidPlane.CORNER_DY, cy - y, weight)
    return Target(planes, weights)


def _inside(corners: Points, x: Floats, y: Floats) -> Floats:
    """How much of each cell lies in the convex quadrilateral, from its distance to the nearest side."""
    least = np.full(x.shape, 1e9, np.float32)
    middle = corners.mean(0)
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        normal = np.array([a[1] - b[1], b[0] - a[0]]) / max(1e-6, np.linalg.norm(b - a))
        if (middle - a) @ normal < 0:
            normal = -normal
        least = np.minimum(least, (x - a[0]) * normal[0] + (y - a[1]) * normal[1])
    return np.clip(least + 0.5, 0, 1).astype(np.float32)


def _regress(planes: Floats, weights: Floats, plane: int, value: Floats | float, weight: Floats) -> None:
    better = weight > weights[plane]
    planes[plane] = np.where(better, value, planes[plane])
    weights[plane] = np.where(better, weight, weights[plane])


def _cell(pixel: float) -> float:
    return (pixel + 0.5) / STRIDE - 0.5
