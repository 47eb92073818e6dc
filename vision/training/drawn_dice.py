"""Dice of any look, drawn into a picture by projection. Knows no lid and no ground."""

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vision.image.arrays import Floats

Vectors = NDArray[np.float64]

SITES = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
AXES = np.array([(0, 0, 1), (1, 0, 0), (0, 1, 0), (-1, 0, 0), (0, -1, 0), (0, 0, -1)], np.float64)


@dataclass(frozen=True, slots=True)
class View:
    """A pin-hole camera above the table; lengths in die edges, z up from the ground the dice lie on."""

    rotation: Vectors
    place: Vectors
    focal: float
    centre: tuple[float, float]

    def project(self, points: Vectors) -> Vectors:
        seen = (np.atleast_2d(points) - self.place) @ self.rotation.T
        return seen[:, :2] / np.maximum(seen[:, 2:], 0.05) * self.focal + self.centre


@dataclass(frozen=True, slots=True)
class Style:
    """How one die looks."""

    body: Floats
    pip: Floats
    radius: float
    offset: float
    big_one: float
    corner: float
    marbled: bool
    glossy: float


@dataclass(frozen=True, slots=True)
class Placed:
    """One die in the world: centre, turn (columns: its axes), pips of its faces in AXES' order."""

    middle: Vectors
    turn: Vectors
    faces: tuple[int, ...]
    style: Style
    leans: bool


@dataclass(frozen=True, slots=True)
class Light:
    """One lamp far away and light from all around."""

    toward: Vectors
    ambient: float
    shadow: float

    def on(self, normal: Vectors) -> float:
        return self.ambient + (1 - self.ambient) * max(0.0, float(normal @ self.toward))


def face(die: Placed, index: int) -> Vectors:
    """The four corners of a face, going round."""
    normal = AXES[index]
    u = AXES[1] if abs(normal[0]) < 0.5 else AXES[2]
    v = np.cross(normal, u)
    ring = np.array([normal - u - v, normal + u - v, normal + u + v, normal - u + v]) / 2
    return die.middle + ring @ die.turn.T


def draw_die(rng: Generator, canvas: Floats, view: View, die: Placed, light: Light) -> None:
    style = die.style
    signs = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float64)
    inner = die.middle + signs * (0.5 - style.corner) @ die.turn.T
    edge = view.focal / np.linalg.norm(die.middle - view.place)
    circle = np.array([(math.cos(t), math.sin(t)) for t in np.linspace(0, 2 * math.pi, 12, endpoint=False)])
    rim = (view.project(inner)[:, None] + circle * style.corner * edge).reshape(-1, 2)
    _polygon(canvas, rim, style.body * light.on(np.array([0, 0, 0.75])))
    for index in range(6):
        normal = AXES[index] @ die.turn.T
        corners = face(die, index)
        if normal @ (view.place - corners.mean(0)) <= 0.02:
            continue
        shade = light.on(normal)
        look, alpha = _face_look(rng, style, die.faces[index], max(20, round(edge * 1.25)))
        if style.glossy > 0 and rng.random() < 0.5:
            _glare(rng, look, style.glossy)
        _paste(canvas, look * shade, alpha, view.project(corners))


def _face_look(rng: Generator, style: Style, pips: int, size: int) -> tuple[Floats, Floats]:
    look = np.empty((size, size, 3), np.float32)
    look[:] = style.body
    if style.marbled:
        spots = cv2.resize(rng.random((5, 5)).astype(np.float32), (size, size), interpolation=cv2.INTER_CUBIC)
        look += (spots[..., None] - 0.5) * rng.uniform(60, 200, 3).astype(np.float32) * rng.choice((-1, 1))
    radius = style.radius * (style.big_one if pips == 1 else 1)
    lean = rng.uniform(0, 2 * math.pi)
    sunk = rng.uniform(0, 0.5)
    flip = rng.random() < 0.5
    for px, py in SITES[pips]:
        x, y = (-py, px) if flip else (px, py)
        centre = ((0.5 + x * style.offset) * size - 0.5, (0.5 + y * style.offset) * size - 0.5)
        _disc(look, centre, radius * size, style.pip)
        shift = (
            centre[0] + math.cos(lean) * radius * size * 0.3,
            centre[1] + math.sin(lean) * radius * size * 0.3,
        )
        _disc(look, shift, radius * size * 0.6, style.pip * (1 - sunk) + sunk * style.body * 0.5)
    alpha = np.zeros((size, size), np.float32)
    round_by = min(0.5, style.corner * rng.uniform(1.2, 3.0)) * size
    ring = [(s, t) for s in (round_by, size - 1 - round_by) for t in (round_by, size - 1 - round_by)]
    circle = np.array([(math.cos(t), math.sin(t)) for t in np.linspace(0, 2 * math.pi, 16, endpoint=False)])
    points = (np.array(ring)[:, None] + circle * (round_by - style.corner * 0.4 * size)).reshape(-1, 2)
    hull = cv2.convexHull(points.astype(np.float32))[:, 0]
    cv2.fillConvexPoly(alpha, np.round(hull * 16).astype(np.int32), 1.0, cv2.LINE_AA, 4)
    return look, alpha


def _disc(look: Floats, centre: tuple[float, float], radius: float, colour: Floats) -> None:
    place = (round(centre[0] * 16), round(centre[1] * 16))
    cv2.circle(look, place, max(1, round(radius * 16)), colour.tolist(), -1, cv2.LINE_AA, 4)


def _glare(rng: Generator, look: Floats, strength: float) -> None:
    size = look.shape[0]
    mask = np.zeros((size, size), np.float32)
    place = tuple(int(v) for v in rng.integers(0, size, 2))
    axes = tuple(int(v) for v in rng.integers(2, max(3, size // 2), 2))
    cv2.ellipse(mask, place, axes, float(rng.uniform(0, 180)), 0, 360, 1.0, -1)
    mask = cv2.GaussianBlur(mask, (0, 0), max(0.5, size * rng.uniform(0.02, 0.2)))
    look += mask[..., None] * 255 * strength


def _paste(canvas: Floats, look: Floats, alpha: Floats, quad: Vectors) -> None:
    size = look.shape[0]
    height, width = canvas.shape[:2]
    low = np.maximum(np.floor(quad.min(0)).astype(int) - 1, 0)
    high = np.minimum(np.ceil(quad.max(0)).astype(int) + 2, (width, height))
    if (high - low < 1).any():
        return
    end = size - 0.5
    square = np.array([(-0.5, -0.5), (end, -0.5), (end, end), (-0.5, end)], np.float32)
    matrix = cv2.getPerspectiveTransform(square, (quad - low).astype(np.float32))
    extent = (int(high[0] - low[0]), int(high[1] - low[1]))
    seen = cv2.warpPerspective(look, matrix, extent, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    mask = cv2.warpPerspective(alpha, matrix, extent, flags=cv2.INTER_LINEAR)[..., None]
    patch = canvas[low[1] : high[1], low[0] : high[0]]
    patch += mask * (seen - patch)


def _polygon(canvas: Floats, points: Vectors, colour: Floats) -> None:
    hull = cv2.convexHull(np.clip(points, -2000, 4000).astype(np.float32))[:, 0]
    cv2.fillConvexPoly(canvas, np.round(hull * 16).astype(np.int32), colour.tolist(), cv2.LINE_AA, 4)


def placed(rng: Generator, x: float, y: float, yaw: float, style: Style) -> Placed:
    c, s = math.cos(yaw), math.sin(yaw)
    turn = np.array([(c, -s, 0), (s, c, 0), (0, 0, 1.0)])
    leans = bool(rng.random() < 0.12)
    up = 0.5
    if leans:
        axis = rng.uniform(0, 2 * math.pi)
        angle = math.radians(rng.uniform(16, 43))
        lean, _ = cv2.Rodrigues(np.array([math.cos(axis), math.sin(axis), 0]) * angle)
        turn = lean @ turn
        up = float(np.abs(turn[2]).sum() / 2)
    top = int(rng.integers(1, 7))
    ring = [n for n in range(1, 7) if n not in {top, 7 - top}]
    start = int(rng.integers(4))
    first = ring[start]
    second = ring[(start + 1) % 4] if ring[(start + 1) % 4] != 7 - first else ring[(start + 2) % 4]
    faces = (top, first, second, 7 - first, 7 - second, 7 - top)
    return Placed(np.array([x, y, up]), turn, faces, style, leans)


def style_of(rng: Generator, make: Style | None = None) -> Style:
    body = _colour(rng)
    pale = body @ np.array([0.11, 0.59, 0.3], np.float32)
    pip = np.float32([235, 240, 240]) if pale < rng.uniform(90, 200) else np.float32([20, 20, 20])
    if rng.random() < 0.15:
        pip = _colour(rng)
    if abs((pip - body) @ np.array([0.11, 0.59, 0.3])) < 45:
        pip = np.where(pale > 128, 0.15 * body, 255 - 0.2 * (255 - body)).astype(np.float32)
    if make is not None:
        shape = (make.radius, make.offset, make.big_one, make.corner)
    else:
        big = rng.uniform(1.2, 1.7) if rng.random() < 0.15 else 1.0
        corner = rng.uniform(0.03, 0.22)
        shape = (rng.uniform(0.075, 0.125), rng.uniform(0.2, 0.29), big, corner)
    glossy = float(rng.uniform(0.2, 1.0)) if rng.random() < 0.3 else 0.0
    return Style(body, pip, *shape, marbled=bool(rng.random() < 0.08), glossy=glossy)


def _colour(rng: Generator) -> Floats:
    """A body's colour, BGR: white and cream most often, else anything saturated, now and then black."""
    kind = rng.random()
    if kind < 0.35:
        hsv = (rng.uniform(0, 179), rng.uniform(0, 50) if rng.random() < 0.5 else 8, rng.uniform(190, 250))
    elif kind < 0.43:
        hsv = (rng.uniform(0, 179), rng.uniform(0, 60), rng.uniform(10, 60))
    else:
        hsv = (rng.uniform(0, 179), rng.uniform(130, 250), rng.uniform(70, 245))
    pixel = np.array([[hsv]], np.float32).astype(np.uint8)
    return cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0].astype(np.float32)
