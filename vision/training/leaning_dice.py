"""Dice that stand and lean, to learn their feet from: drawn by the simulated table's painter, and rendered.

A patch is a square of the picture round one die, in which its top face's edge is `EDGE` pixels.
"""

import math
from dataclasses import dataclass

import cv2
import numpy as np

from vision.dice.finder import find_dice
from vision.dice.looks import places_of, scaled
from vision.dice.pips import edge_of
from vision.place.lid import Lid
from vision.reading import ALL_SIX
from vision.scoring.truth import held_back, rendered_lines
from vision.simulation.dice import FACES, PosedDie, draw, face_axis
from vision.simulation.geometry import LidPlace, Optics, look_down, turn, turn_z
from vision.simulation.scene import Painter
from vision.simulation.style import style_of, view_of
from vision.training.facedata import Eye

PATCH, EDGE = 104, 26.0  # pixels kept round a die, and of its edge in them
LEANS_FROM = 9.0  # degrees
MOST_LOOKED_AT = 20  # places in a picture


@dataclass
class Patch:
    image: np.ndarray
    corners: np.ndarray  # of the face, in the patch
    foot: np.ndarray  # way to the opposite face's middle, in patch pixels (NaN if unknown)
    leans: bool
    held_back: bool
    matrix: np.ndarray  # from the picture
    rendered: bool = False
    found: np.ndarray | None = None  # where the reader sees that face, in the patch


def cut(image, corners, foot, leans):
    corners = np.asarray(corners, float)
    x, y = corners.mean(0)
    # the longest side: a face seen aslant is short one way
    edge = max(float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).max()), 1.0)
    scale = EDGE / edge
    matrix = np.array([[scale, 0, PATCH / 2 - 0.5 - scale * x], [0, scale, PATCH / 2 - 0.5 - scale * y]])
    if scale < 0.7:
        blurred = cv2.GaussianBlur(image, (0, 0), 0.45 / scale)
        patch = cv2.warpAffine(blurred, matrix, (PATCH, PATCH), borderMode=cv2.BORDER_REPLICATE)
    else:
        patch = cv2.warpAffine(image, matrix, (PATCH, PATCH), borderMode=cv2.BORDER_REPLICATE)
    there = corners @ matrix[:, :2].T + matrix[:, 2]
    return Patch(patch, there, np.asarray(foot) * scale, leans, False, matrix)


def look_for(image, lid, patches):
    """Tells each patch of a picture where the reader, shown the lid, sees its face."""
    ring = [(float(x), float(y)) for x, y in lid]
    lid = Lid((ring[0], ring[1], ring[2], ring[3]))
    small, places = places_of(image, find_dice(image, lid)[:MOST_LOOKED_AT])
    seen = [scaled(place, small, image) for place in places]
    for patch in patches:
        for corners in seen:
            there = corners @ patch.matrix[:, :2].T + patch.matrix[:, 2]
            away = np.linalg.norm(there.mean(0) - patch.corners.mean(0)) / EDGE
            if away < 0.35 and 0.7 < edge_of(there) / edge_of(patch.corners) < 1.4:
                patch.found = there


# ---------------------------------------------------------------- dice drawn here


def drawn_patches(tables, pictures, first_seed):
    """Dice standing and leaning at any angle, in lids of any kind; each tenth table is held back."""
    patches = []
    for seed in range(first_seed, first_seed + tables):
        rng = np.random.default_rng(seed)
        style = style_of(rng)
        size = [(1024, 768), (640, 480), (800, 600)][seed % 3]
        scene = Painter(style, anyhow_seen(rng, style, size)).scene(LidPlace())
        for _ in range(pictures):
            image = scene.image.copy()
            stands, tilts = thrown_anyhow(rng, style)
            draw(image, scene, style, stands, 2)
            noise = rng.normal(0, style.noise, image.shape)
            image = np.clip(image + noise, 0, 255).astype(np.uint8)
            new = [seen_patch(rng, image, (scene, style), *die) for die in zip(stands, tilts, strict=True)]
            look_for(image, scene.view.project(style.tray.floor()), new)
            for patch in new:
                patch.held_back = held_back(seed)
            patches += new
    return patches


def anyhow_seen(rng, style, size):
    """A camera mounted as usual, or leaning as far as anybody would mount it."""
    usual = view_of(rng, style.tray, *size)
    if rng.random() < 0.6:
        return usual
    optics = Optics(*size, usual.focal, rng.uniform(0, 2 * math.pi))
    lean, way = math.radians(rng.uniform(7, 30)), rng.uniform(0, 2 * math.pi)
    return look_down(float(usual.centre[2]) * rng.uniform(0.9, 1.1), lean, way, (0.0, 0.0), optics)


def thrown_anyhow(rng, style):
    """Six dice, each flat or leaning by 10 to 45 degrees about any axis; many stand side by side."""
    edge = style.dice.edge
    stands, tilts, yaws = [], [], []
    for colour in ALL_SIX:
        yaw, tilt = rng.uniform(0, 2 * math.pi), 0.0
        if rng.random() < 0.42:
            tilt = math.radians(rng.uniform(10, 45))
        beside = int(rng.integers(len(stands))) if stands and rng.random() < 0.5 else None
        if beside is not None:
            yaw = yaws[beside] + rng.integers(4) * math.pi / 2 + rng.normal(0, 0.05)
        place = place_for(rng, style, [stand.centre for stand in stands], beside, yaw)
        around = rng.uniform(0, 2 * math.pi)
        if rng.random() < 0.7:  # one edge stays on the floor
            around = rng.integers(4) * math.pi / 2
        lean = turn(np.array([math.cos(around), math.sin(around), 0]), tilt)
        # it leans about its own sides, then it is turned on the floor
        turned = (turn_z(yaw) @ lean @ with_top(rng, style)).astype(np.float32)
        height = float(np.abs(turned[2]).sum()) * edge / 2
        stands.append(PosedDie(colour, np.array([*place, height], np.float32), turned))
        tilts.append(math.degrees(tilt))
        yaws.append(yaw)
    return stands, tilts


def place_for(rng, style, others, beside, yaw):
    """Somewhere in the lid away from the others, or at one of the four sides of another die."""
    edge, box = style.dice.edge, style.tray
    room = np.array([box.length, box.width]) / 2 - 0.62 * edge
    for trial in range(300):
        place = rng.uniform(-room, room)
        nearest = 1.45
        if beside is not None and trial < 12:
            way = yaw + rng.integers(4) * math.pi / 2
            along = rng.normal(0, 0.25)
            off = np.array([math.cos(way), math.sin(way)]) * rng.uniform(1.03, 1.3)
            off += np.array([-math.sin(way), math.cos(way)]) * along
            place, nearest = others[beside][:2] + off * edge, 1.0
            if (np.abs(place) > room).any():
                continue
        if all(math.dist(place, other[:2]) > nearest * edge for other in others):
            break
    return place


def with_top(rng, style):
    """A cube turned so that one of its faces is up, any of the four ways."""
    axis, sign = face_axis(int(rng.integers(1, 7)), style.dice.left_handed)
    quarter = turn_z(rng.integers(4) * math.pi / 2)
    if axis == 2:
        return quarter if sign > 0 else quarter @ turn(np.array([1.0, 0, 0]), math.pi)
    to_top = np.zeros(3)
    to_top[axis] = sign
    return quarter @ turn(np.cross(to_top, [0, 0, 1]), math.pi / 2)


def seen_patch(rng, image, drawn, stand, tilt):
    """A patch of one die, now and then centred on its second face, as a finder may take it."""
    scene, style = drawn
    half = style.dice.edge / 2
    ups = sorted(FACES, key=lambda p: -up_of(stand, style, p)[2])
    up = up_of(stand, style, ups[1] if tilt > 28 and rng.random() < 0.3 else ups[0])
    sides = [stand.turned[:, a] for a in range(3) if abs(stand.turned[:, a] @ up) < 0.5]
    around = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    corners = [stand.centre + (up + a * sides[0] + b * sides[1]) * half for a, b in around]
    middle, below = scene.view.project(np.array([stand.centre + up * half, stand.centre - up * half]))
    return cut(image, scene.view.project(np.array(corners)), below - middle, tilt > LEANS_FROM)


def up_of(stand, style, pips):
    axis, sign = face_axis(pips, style.dice.left_handed)
    return stand.turned[:, axis] * sign


# ---------------------------------------------------------------- rendered lids


def render_patches(folder):
    """Dice of rendered lids; a leaning die's foot follows from its face's corners."""
    patches = []
    for truth in rendered_lines(folder):
        image = cv2.imread(str(folder / truth["file"]))
        if image is None:
            continue
        eye, new = Eye(truth), []
        for die in truth["dice"]:
            if not die["in_frame"] or die["state"] not in {"flat", "cocked"} or die.get("visible", 1) < 0.75:
                continue
            leans = die["state"] == "cocked" and die["tilt_deg"] > LEANS_FROM
            foot = leaning_foot(eye, die) if leans else eye.foot(die["x"], die["y"], die["size_mm"])
            patch = cut(image, die["corners"], foot, leans)
            patch.held_back, patch.rendered = held_back(truth["seed"]), True
            new.append(patch)
        look_for(image, truth["lid_corners"], new)
        patches += new
    return patches


def leaning_foot(eye, die):
    """The opposite face's middle, from the pose of the seen face."""
    half = die["size_mm"] / 2
    face = np.array([[-half, half, 0], [half, half, 0], [half, -half, 0], [-half, -half, 0]])
    corners = np.array(die["corners"], float)
    if cv2.contourArea(corners.astype(np.float32), oriented=True) < 0:
        corners = corners[::-1]
    count, turns, shifts, _ = cv2.solvePnPGeneric(
        face, corners, eye.matrix, eye.bend, flags=cv2.SOLVEPNP_IPPE_SQUARE
    )
    best, way = math.inf, np.full(2, np.nan)
    for turned, shift in zip(turns[:count], shifts[:count], strict=True):
        normal = eye.turn.T @ cv2.Rodrigues(turned)[0][:, 2] * eye.up
        tilt = math.degrees(math.acos(float(np.clip(abs(normal[2]), 0, 1))))
        inward = -np.sign(float(cv2.Rodrigues(turned)[0][:, 2] @ shift.ravel()))
        deep = np.array([[0, 0, 0], [0, 0, -inward * die["size_mm"]]])
        seen, _ = cv2.projectPoints(deep, turned, shift, eye.matrix, eye.bend)
        if abs(tilt - die["tilt_deg"]) < best:
            best, way = abs(tilt - die["tilt_deg"]), seen[1, 0] - seen[0, 0]
    return way
