"""Pictures drawn in milliseconds: dice of any look on any ground, with or without a lid, with exact truth.

Meant to be more varied than real, not prettier: what a network learns here must hold for dice,
boxes and tables nobody has shown it. Knows no network.
"""

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vision.image.arrays import Floats
from vision.scoring.truth import TrueDie
from vision.training.drawn_dice import AXES, Light, Placed, View, draw_die, face, placed, style_of
from vision.training.grounds import clutter, ground, light_field

Vectors = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Drawn:
    """A drawn picture and what is in it."""

    image: NDArray[np.uint8]
    dice: tuple[TrueDie, ...]
    lid: Vectors | None


def draw(rng: Generator, width: int = 640, height: int = 480) -> Drawn:
    """One picture: a lid with dice, or dice on a bare ground."""
    light = _light(rng)
    canvas = ground(rng, width, height)
    if rng.random() < 0.6:
        clutter(rng, canvas, int(rng.integers(1, 14)))
    if rng.random() < 0.5:
        return _lid_scene(rng, canvas, light)
    return _open_scene(rng, canvas, light)


def _open_scene(rng: Generator, canvas: Floats, light: Light) -> Drawn:
    height, width = canvas.shape[:2]
    edge = math.exp(rng.uniform(math.log(14), math.log(130)))
    view = _view(rng, width, height, edge, math.radians(rng.triangular(0, 3, 45)))
    reach = (width / edge / 2 * 1.05, height / edge / 2 * 1.05)
    dice = _throw(rng, reach, min(int(rng.integers(1, 13)), int(width * height / edge**2 / 3) + 1))
    return _finish(rng, canvas, view, dice, light, None)


def _lid_scene(rng: Generator, canvas: Floats, light: Light) -> Drawn:
    height, width = canvas.shape[:2]
    half = np.array([rng.uniform(4, 8.5), 0.0])
    half[1] = half[0] * rng.uniform(0.55, 1.0)
    tilt = math.radians(rng.triangular(0, 3, 32))
    edge = min(width / half[0], height / half[1]) / 2 * rng.uniform(0.4, 0.92)
    view = _view(rng, width, height, edge, tilt)
    box = Box(half, rng.uniform(0.7, 3.0), rng.uniform(0.02, 0.2), rng.uniform(-0.02, 0.15))
    reach = (half[0] - 0.72, half[1] - 0.72)
    dice = _throw(rng, reach, int(rng.integers(0, 8)))
    floor = box.ring(0, 0)
    _draw_box(rng, canvas, view, box, light)
    drawn = _finish(rng, canvas, view, dice, light, view.project(floor))
    image = drawn.image.astype(np.float32)
    _draw_front(rng, image, view, box, light)
    return Drawn(np.clip(image, 0, 255).astype(np.uint8), drawn.dice, drawn.lid)


@dataclass(frozen=True, slots=True)
class Box:
    """An open box: half sides of its floor, wall height, wall thickness, outward draft per height."""

    half: Vectors
    wall: float
    thick: float
    draft: float

    def ring(self, up: float, out: float) -> Vectors:
        grow = self.draft * up + out
        x, y = self.half + grow
        return np.array([(-x, -y, up), (x, -y, up), (x, y, up), (-x, y, up)])


def _draw_box(rng: Generator, canvas: Floats, view: View, box: Box, light: Light) -> None:
    height, width = canvas.shape[:2]
    outer_low, outer_high = box.ring(0, box.thick), box.ring(box.wall, box.thick)
    shift = -light.toward[:2] / max(0.3, light.toward[2]) * box.wall
    fallen = outer_high.copy()
    fallen[:, :2] += shift
    fallen[:, 2] = 0
    _shadow(canvas, view.project(np.vstack([outer_low, fallen])), light.shadow, rng.uniform(1, 12))
    floor_look = ground(rng, width, height)
    if rng.random() < 0.25:
        clutter(rng, floor_look, int(rng.integers(1, 6)))
    plain = rng.random() < 0.5
    skin = floor_look if rng.random() < 0.5 else ground(rng, width, height)
    outside = skin if rng.random() < 0.5 else ground(rng, width, height)
    if plain:
        tone = rng.uniform(0.85, 1.05)
        floor_look = floor_look * 0.15 + floor_look.mean((0, 1)) * 0.85 * tone
    _fill(canvas, outside, view.project(outer_low), rng.uniform(0.4, 1.0))
    _walls(canvas, outside, view, (outer_low, outer_high), light, inward=False)
    low, high = box.ring(0, 0), box.ring(box.wall, 0)
    _fill(canvas, floor_look, view.project(low), light.on(AXES[0]) * rng.uniform(0.9, 1.1))
    inside_shadow = low.copy()
    inside_shadow[:, :2] += shift * 0.9
    _inner_shadow(canvas, view, low, inside_shadow, light, rng.uniform(1, 10))
    _walls(canvas, skin, view, (low, high), light, inward=True)
    rim = ground(rng, width, height)
    shade = rng.uniform(0.7, 1.25)
    for a in range(4):
        b = (a + 1) % 4
        quad = view.project(np.array([high[a], high[b], outer_high[b], outer_high[a]]))
        _fill(canvas, rim, quad, shade)


def _draw_front(rng: Generator, canvas: Floats, view: View, box: Box, light: Light) -> None:
    """Outer walls nearest the camera hide what lies behind them."""
    low, high = box.ring(0, box.thick), box.ring(box.wall, box.thick)
    for a in range(4):
        b = (a + 1) % 4
        middle = (low[a] + low[b]) / 2
        if (view.place - middle) @ np.array([*middle[:2], 0]) > 0 and _outside(view, low[a], low[b]):
            quad = view.project(np.array([low[a], low[b], high[b], high[a]]))
            tone = np.full_like(canvas, rng.uniform(30, 220))
            _fill(canvas, tone, quad, light.on(middle / np.linalg.norm(middle)))


def _outside(view: View, a: Vectors, b: Vectors) -> bool:
    """The camera stands beyond this wall's plane."""
    middle = (a + b) / 2
    return bool((view.place[:2] - middle[:2]) @ middle[:2] > 0)


def _walls(
    canvas: Floats, skin: Floats, view: View, rings: tuple[Vectors, Vectors], light: Light, *, inward: bool
) -> None:
    low, high = rings
    for a in range(4):
        b = (a + 1) % 4
        normal = np.cross(low[b] - low[a], high[a] - low[a])
        normal /= np.linalg.norm(normal)
        if normal @ ((low[a] + low[b]) / 2) > 0:
            normal = -normal  # now toward the middle of the box
        if not inward:
            normal = -normal
        if normal @ (view.place - low[a]) <= 0:
            continue
        quad = view.project(np.array([low[a], low[b], high[b], high[a]]))
        _fill(canvas, skin, quad, light.on(normal) * 0.95)


def _finish(
    rng: Generator, canvas: Floats, view: View, dice: list[Placed], light: Light, lid: Vectors | None
) -> Drawn:
    soft = rng.uniform(0.3, 5)
    for die in dice:
        _die_shadow(canvas, view, die, light, soft)
    away = [float(np.linalg.norm(die.middle - view.place)) for die in dice]
    for index in np.argsort(away)[::-1]:
        draw_die(rng, canvas, view, dice[index], light)
    canvas *= light_field(rng, canvas.shape[1], canvas.shape[0])
    image = np.clip(canvas * rng.uniform(0.7, 1.15), 0, 255).astype(np.uint8)
    return Drawn(image, tuple(_truth(view, die, image.shape) for die in dice), lid)


def _truth(view: View, die: Placed, shape: tuple[int, ...]) -> TrueDie:
    top = int(np.argmax((AXES @ die.turn.T)[:, 2]))
    corners = view.project(face(die, top))
    centre = view.project(die.middle + AXES[top] @ die.turn.T / 2)[0]
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    size = float(np.sqrt(sides[0::2].mean() * sides[1::2].mean()))
    seen = np.clip(corners, 0, (shape[1] - 1, shape[0] - 1))
    area = [float(cv2.contourArea(ring.astype(np.float32))) for ring in (seen, corners)]
    inside = area[0] / max(area[1], 1e-6)
    return TrueDie(
        float(centre[0]),
        float(centre[1]),
        size,
        None if die.leans else die.faces[top],
        None,
        corners,
        state="cocked" if die.leans else "flat",
        visible=inside,
        in_frame=inside > 0.99,
    )


def _die_shadow(canvas: Floats, view: View, die: Placed, light: Light, soft: float) -> None:
    signs = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float64) * 0.47
    points = die.middle + signs @ die.turn.T
    fallen = points - light.toward * (np.maximum(points[:, 2:], 0) / max(0.25, light.toward[2]))
    _shadow(canvas, view.project(fallen), light.shadow, soft)


def _inner_shadow(canvas: Floats, view: View, low: Vectors, lit: Vectors, light: Light, soft: float) -> None:
    """The walls' shadow on the floor: all of the floor that the lamp does not see through the opening."""
    floor = _mask(canvas, view.project(low), 1.0)
    shade = np.clip(floor - _mask(canvas, view.project(lit), soft), 0, 1) * floor
    canvas *= (1 - light.shadow * shade)[..., None]


def _shadow(canvas: Floats, points: Vectors, depth: float, soft: float) -> None:
    canvas *= (1 - depth * _mask(canvas, points, soft))[..., None]


def _mask(canvas: Floats, points: Vectors, soft: float) -> Floats:
    """The hull of the points, softened; drawn at half size for speed."""
    mask = np.zeros((canvas.shape[0] // 2, canvas.shape[1] // 2), np.float32)
    hull = cv2.convexHull(np.clip(points / 2, -2000, 2000).astype(np.float32))[:, 0]
    cv2.fillConvexPoly(mask, np.round(hull * 16).astype(np.int32), 1.0, cv2.LINE_AA, 4)
    mask = cv2.GaussianBlur(mask, (0, 0), max(0.3, soft / 2))
    return cv2.resize(mask, (canvas.shape[1], canvas.shape[0]), interpolation=cv2.INTER_LINEAR)


def _fill(canvas: Floats, look: Floats, quad: Vectors, shade: float) -> None:
    mask = np.zeros(canvas.shape[:2], np.uint8)
    corners = np.round(np.clip(quad, -4000, 6000) * 16).astype(np.int32)
    cv2.fillConvexPoly(mask, corners, 255, cv2.LINE_AA, 4)
    x, y, w, h = cv2.boundingRect(mask)
    if w == 0:
        return
    part = (mask[y : y + h, x : x + w].astype(np.float32) / 255)[..., None]
    patch = canvas[y : y + h, x : x + w]
    patch += part * (look[y : y + h, x : x + w] * shade - patch)


def _view(rng: Generator, width: int, height: int, edge: float, tilt: float) -> View:
    focal = max(width, height) * rng.uniform(0.7, 1.8)
    away = focal / edge + 0.5
    turn = rng.uniform(0, 2 * math.pi)
    back = np.array([math.sin(tilt) * math.cos(turn), math.sin(tilt) * math.sin(turn), math.cos(tilt)])
    roll = rng.uniform(0, 2 * math.pi)
    side = np.cross(back, [math.cos(roll), math.sin(roll), 0.1])
    side /= np.linalg.norm(side)
    rotation = np.array([side, np.cross(-back, side), -back])
    aim = np.array([*rng.normal(0, 0.06, 2) * width / edge, 0.0])
    return View(rotation, aim + back * away, focal, ((width - 1) / 2, (height - 1) / 2))


def _light(rng: Generator) -> Light:
    toward = np.array([*rng.normal(0, 0.5, 2), 1.0])
    return Light(toward / np.linalg.norm(toward), rng.uniform(0.3, 0.8), rng.uniform(0.05, 0.75))


def _throw(rng: Generator, reach: tuple[float, float], count: int) -> list[Placed]:
    """Dice that do not overlap; some touch each other. In one picture they are mostly of one make."""
    make = style_of(rng)
    one_make, one_colour = rng.random() < 0.75, rng.random() < 0.25
    dice: list[Placed] = []
    for _ in range(count * 6):
        if len(dice) == count:
            break
        x, y = rng.uniform(-1, 1) * reach[0], rng.uniform(-1, 1) * reach[1]
        yaw = rng.uniform(0, 2 * math.pi)
        if dice and rng.random() < 0.35:
            other = dice[int(rng.integers(len(dice)))]
            phi = math.atan2(other.turn[1, 0], other.turn[0, 0]) + math.pi / 2 * int(rng.integers(4))
            yaw = phi + rng.normal(0, 0.02)
            side = rng.uniform(-0.7, 0.7)
            x = other.middle[0] + math.cos(phi) * 1.02 - math.sin(phi) * side
            y = other.middle[1] + math.sin(phi) * 1.02 + math.cos(phi) * side
        if abs(x) > reach[0] or abs(y) > reach[1] or any(_touch(d, x, y, yaw) for d in dice):
            continue
        style = make if one_colour else style_of(rng, make if one_make else None)
        dice.append(placed(rng, x, y, yaw, style))
    return dice


def _touch(die: Placed, x: float, y: float, yaw: float) -> bool:
    apart = np.array([x, y]) - die.middle[:2]
    if np.hypot(*apart) > 1.45:
        return False
    own = math.atan2(die.turn[1, 0], die.turn[0, 0])
    for angle in (own, yaw):
        for turn in (angle, angle + math.pi / 2):
            between = abs(apart @ (math.cos(turn), math.sin(turn)))
            other = yaw if angle == own else own
            reach = 0.5 + (abs(math.cos(other - turn)) + abs(math.sin(other - turn))) / 2
            if between >= reach:
                return False
    return True
