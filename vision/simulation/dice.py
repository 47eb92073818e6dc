"""Dice as a camera sees them: rounded cubes with dimples, met ray by ray. Knows where they stand, not why."""

from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.image.arrays import Image
from vision.reading import DieColour
from vision.simulation.geometry import Array, dot, largest, length, smallest
from vision.simulation.scene import StillScene, to_screen
from vision.simulation.style import Style
from vision.simulation.trays import lamp_over_walls

NDArrayInt = NDArray[np.int32]

# (axis, sign) of the face that shows each number; opposite faces add up to seven
FACES = {1: (2, 1), 6: (2, -1), 2: (0, 1), 5: (0, -1), 3: (1, 1), 4: (1, -1)}
SITES = {
    1: ((0.0, 0.0),),
    2: ((-0.5, -0.5), (0.5, 0.5)),
    3: ((-0.5, -0.5), (0.0, 0.0), (0.5, 0.5)),
    4: ((-0.5, -0.5), (-0.5, 0.5), (0.5, -0.5), (0.5, 0.5)),
    5: ((-0.5, -0.5), (-0.5, 0.5), (0.0, 0.0), (0.5, -0.5), (0.5, 0.5)),
    6: ((-0.5, -0.5), (-0.5, 0.0), (-0.5, 0.5), (0.5, -0.5), (0.5, 0.0), (0.5, 0.5)),
}


@dataclass(frozen=True, eq=False, slots=True)
class PosedDie:
    """A die at one moment: its colour, centre, how it is turned (columns are its axes), and its way while
    the shutter is open."""

    colour: DieColour
    centre: Array
    turned: Array
    sweep: Array | None = None


def face_axis(pips: int, left_handed: bool) -> tuple[int, int]:
    """Axis and sign of the face with that number; left-handed dice have 3 and 4 the other way round."""
    axis, sign = FACES[pips]
    return axis, -sign if left_handed and axis == 1 else sign


def top_face(stand: PosedDie, left_handed: bool) -> tuple[int, Array]:
    """The number on the most upward face and that face's direction."""
    best = max(
        FACES,
        key=lambda pips: stand.turned[2, face_axis(pips, left_handed)[0]] * face_axis(pips, left_handed)[1],
    )
    axis, sign = face_axis(best, left_handed)
    return best, stand.turned[:, axis] * sign


def cube_corners(stand: PosedDie, edge: float) -> Array:
    """The eight corners of the sharp-edged cube."""
    signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float32)
    return cast(Array, stand.centre + signs @ stand.turned.T * (edge / 2))


def face_corners(stand: PosedDie, edge: float, left_handed: bool) -> Array:
    """The corners of the most upward face, in order round it."""
    _, up = top_face(stand, left_handed)
    sides = [stand.turned[:, axis] for axis in range(3) if abs(stand.turned[:, axis] @ up) < 0.5]
    one, two = sides
    signs = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    return np.stack([stand.centre + (up + a * one + b * two) * (edge / 2) for a, b in signs])


def draw(image: Image, scene: StillScene, style: Style, dice: list[PosedDie], fine: int = 1) -> None:
    """Put dice and their shadows into the picture; `fine` rays a pixel each way."""
    _draw_shadows(image, scene, style, dice)
    for die in sorted(dice, key=lambda die: -float(np.linalg.norm(die.centre - scene.view.centre))):
        others = [other for other in dice if other is not die] if fine > 1 else []
        _draw_die(image, scene, style, die, others, fine)


def _draw_shadows(image: Image, scene: StillScene, style: Style, dice: list[PosedDie]) -> None:
    """Soft shadows on the floor, and the darker line where a die touches it."""
    points = [_shadow(die, scene, style) for die in dice]
    everything = np.concatenate([np.concatenate(pair) for pair in points]) if points else np.zeros((0, 2))
    if not len(everything):
        return
    left, top = np.maximum(np.floor(everything.min(axis=0)).astype(int) - 12, 0)
    right, bottom = np.minimum(np.ceil(everything.max(axis=0)).astype(int) + 12, image.shape[1::-1])
    if right <= left or bottom <= top:
        return
    soft = np.zeros((bottom - top, right - left), np.uint8)
    touch = np.zeros_like(soft)
    for cast_shadow, foot in points:
        cv2.fillConvexPoly(soft, _fixed(cast_shadow - (left, top)), 255, cv2.LINE_AA, 4)
        cv2.fillConvexPoly(touch, _fixed(foot - (left, top)), 255, cv2.LINE_AA, 4)
    scale = scene.view.focal / float(scene.view.centre[2]) * style.dice.edge
    soft = cv2.GaussianBlur(soft, (0, 0), max(0.8, scale * 0.09 * style.lamp.radius / 50))
    touch = cv2.GaussianBlur(touch, (0, 0), max(0.8, scale * 0.16))
    direct = scene.direct[top:bottom, left:right].astype(np.float32) / 255
    left_over = (1 - direct * (soft.astype(np.float32) / 255)) * (1 - 0.45 * (touch.astype(np.float32) / 255))
    part = image[top:bottom, left:right]
    darker = cv2.merge([np.power(np.maximum(left_over, 0.02), 1 / 2.2)] * 3)
    part[:] = cv2.multiply(part, darker, dtype=cv2.CV_8U)


def _fixed(points: Array) -> NDArrayInt:
    return np.round(points * 16).astype(np.int32)


def _shadow(die: PosedDie, scene: StillScene, style: Style) -> tuple[Array, Array]:
    """Outlines in the picture of the shadow on the floor and of what stands on it."""
    corners = cube_corners(die, style.dice.edge * 0.97)
    lamp = np.array([scene.lamp.x, scene.lamp.y, scene.lamp.z], np.float32)
    down = corners[:, 2:3] / (corners[:, 2:3] - lamp[2])
    fallen = corners + (lamp - corners) * down
    low = corners.copy()
    low[:, 2] = 0
    height = max(0.0, float(corners[:, 2].min()))
    if height > 1:  # in the air: nothing touches
        low = low[:1]
    if style.tray.has_walls and style.tray.within(die.centre) > 0:
        fallen[:, :2] = style.tray.kept_in(fallen[:, :2], 0)
    return _outline(scene, fallen), _outline(scene, low)


def _outline(scene: StillScene, points: Array) -> Array:
    """The convex outline of points in the picture."""
    pixels = scene.view.project(points).astype(np.float32)
    return cast(Array, cv2.convexHull(pixels)[:, 0])


def _draw_die(
    image: Image, scene: StillScene, style: Style, die: PosedDie, others: list[PosedDie], fine: int
) -> None:
    pixels = scene.view.project(cube_corners(die, style.dice.edge))
    smear = _smear(scene, die)
    margin = 2 if smear is None else 2 + len(smear) // 2
    left, top = np.maximum(np.floor(pixels.min(axis=0)).astype(int) - margin, 0)
    right, bottom = np.minimum(np.ceil(pixels.max(axis=0)).astype(int) + margin, image.shape[1::-1])
    if right <= left or bottom <= top:
        return
    step = np.float32(1 / fine)
    xs = np.arange(left * fine, right * fine, dtype=np.float32) * step + (step - 1) / 2
    ys = np.arange(top * fine, bottom * fine, dtype=np.float32) * step + (step - 1) / 2
    rays = scene.view.rays(*np.meshgrid(xs, ys))
    shape = rays.shape[:2]
    hit, points, normals = _meet(scene, style, die, rays.reshape(-1, 3))
    colours = np.zeros((shape[0] * shape[1], 4), np.float32)
    if hit.any():
        colours[hit, :3] = to_screen(_shade(scene, style, die, others, points, normals))
        colours[hit, 3] = 1
    small = cv2.resize(colours.reshape(*shape, 4), (right - left, bottom - top), interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(small, (0, 0), style.blur)
    if smear is not None:
        small = cv2.filter2D(small, -1, smear, borderType=cv2.BORDER_CONSTANT)
    part = image[top:bottom, left:right]
    part[:] = np.clip(part * (1 - small[..., 3:]) + small[..., :3], 0, 255).astype(np.uint8)


def _smear(scene: StillScene, die: PosedDie) -> Array | None:
    """The kernel that blurs a moving die along its way."""
    if die.sweep is None:
        return None
    ends = scene.view.project(np.stack([die.centre, die.centre + die.sweep]))
    x, y = (ends[1] - ends[0]) / 2
    reach = min(31, int(np.ceil(np.hypot(x, y))))
    if reach < 1:
        return None
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.uint8)
    middle = np.array([reach, reach])
    one, other = (np.round((middle + way) * 16).astype(int) for way in ((x, y), (-x, -y)))
    cv2.line(kernel, (int(one[0]), int(one[1])), (int(other[0]), int(other[1])), 255, 1, cv2.LINE_AA, 4)
    return cast(Array, kernel.astype(np.float32) / max(1, int(kernel.sum())))


def _meet(scene: StillScene, style: Style, die: PosedDie, rays: Array) -> tuple[Array, Array, Array]:
    """Which rays meet the rounded cube, where, and how it faces there (die coordinates)."""
    half = style.dice.edge / 2
    rounding = style.dice.rounding * half
    start = ((scene.view.centre - die.centre) @ die.turned).astype(np.float32)
    ways = rays @ die.turned
    safe = np.where(np.abs(ways) < 1e-6, 1e-6, ways)
    one, other = (-half - start) / safe, (half - start) / safe
    enters = largest(np.minimum(one, other))
    near = np.flatnonzero(enters <= smallest(np.maximum(one, other)))
    away, way = enters[near], ways[near]
    for _ in range(7):
        beyond = np.abs(start + way * away[:, None]) - (half - rounding)
        gap = length(np.maximum(beyond, 0)) + np.minimum(largest(beyond), 0) - rounding
        away = away + gap
    met = gap < 0.02 * half
    points = start + way[met] * away[met, None]
    normals = np.sign(points) * np.maximum(np.abs(points) - (half - rounding), 0)
    normals /= np.maximum(length(normals), 1e-6)[:, None]
    hit = np.zeros(len(rays), bool)
    hit[near[met]] = True
    return cast(Array, hit), points, normals


def _pips(style: Style, points: Array, normals: Array) -> tuple[Array, Array]:
    """How much pip there is at each point (0 to 1), and the normals bent into the dimples."""
    half = style.dice.edge / 2
    share = np.zeros(len(points), np.float32)
    bent = normals.copy()
    for pips in FACES:
        axis, sign = face_axis(pips, style.dice.left_handed)
        on = np.flatnonzero(normals[:, axis] * sign > 0.9)
        if not len(on):
            continue
        others = np.array([a for a in range(3) if a != axis])
        flat = points[np.ix_(on, others)] / half
        for site in SITES[pips]:
            offset = (flat - np.array(site, np.float32)) / style.dice.pip
            distance = length(offset)
            inside = np.flatnonzero(distance < 1.15)
            share[on[inside]] = np.maximum(share[on[inside]], np.clip((1.08 - distance[inside]) / 0.16, 0, 1))
            deep = inside[distance[inside] < 1]
            bent[np.ix_(on[deep], others)] -= 0.75 * offset[deep]
    bent /= length(bent)[:, None]
    return share, bent


def _shade(
    scene: StillScene, style: Style, die: PosedDie, others: list[PosedDie], points: Array, normals: Array
) -> Array:
    """Linear light from each point of a die."""
    share, bent = _pips(style, points, normals)
    body = np.array(style.dice.body(die.colour), np.float32)
    pip = np.array(style.dice.pips(die.colour), np.float32)
    albedo = body + (pip - body) * share[:, None]
    place = points @ die.turned.T + die.centre
    facing = bent @ die.turned.T
    to_lamp = np.array([scene.lamp.x, scene.lamp.y, scene.lamp.z], np.float32) - place
    far = length(to_lamp)
    to_lamp /= far[:, None]
    seen = _lamp_seen(scene, style, place, others)
    strength = seen * (scene.lamp.z / far) ** 2 * style.light
    falls = np.maximum(dot(facing, to_lamp), 0) * strength
    low = np.clip(place[:, 2] / style.dice.edge, 0, 1)
    room = (0.19 + 0.11 * facing[:, 2]) * (0.6 + 0.4 * low)
    bounce = (
        0.16
        * (1 - facing[:, 2])[:, None]
        * np.array(style.floor_colour, np.float32)
        * (0.35 + 0.65 * seen[:, None])
    )
    to_eye = scene.view.centre - place
    to_eye /= length(to_eye)[:, None]
    between = to_lamp + to_eye
    between /= length(between)[:, None]
    shine = np.maximum(dot(facing, between), 0) ** 260 * 0.16 * seen
    if not scene.direct.any():  # the lamp is off
        return cast(Array, albedo * room[:, None] * 0.012)
    colour = np.array(style.lamp_colour, np.float32)
    around = np.array(style.room_colour, np.float32)
    return cast(
        Array, albedo * (falls[:, None] * colour + room[:, None] * around + bounce) + shine[:, None] * colour
    )


def _lamp_seen(scene: StillScene, style: Style, place: Array, others: list[PosedDie]) -> Array:
    """How much of the lamp each point sees past walls and other dice."""
    seen = np.ones(len(place), np.float32)
    if style.tray.has_walls:
        inside = style.tray.within(place) > 0
        seen = np.where(inside, lamp_over_walls(place, scene.lamp, style.tray, 4), seen).astype(np.float32)
    middle = place.mean(axis=0)
    half = style.dice.edge / 2
    lights = scene.lamp.points(4)
    for other in others:
        if float(np.linalg.norm(other.centre - middle)) > 3.2 * style.dice.edge:
            continue
        start = (place - other.centre) @ other.turned
        shade = np.zeros(len(place), np.float32)
        for light in lights:
            way = (light - place) @ other.turned
            safe = np.where(np.abs(way) < 1e-6, 1e-6, way)
            one, two = (-half - start) / safe, (half - start) / safe
            enters, leaves = largest(np.minimum(one, two)), smallest(np.maximum(one, two))
            shade += (leaves > np.maximum(enters, 0.0)) / len(lights)
        seen *= 1 - shade
    return seen
