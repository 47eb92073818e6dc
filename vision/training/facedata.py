"""Patches of dice with their truth, from rendered lids and photographs of a tray; knows no network.

A patch is a square of the picture, `PATCH` pixels wide, in which a top face's edge is `EDGE` pixels. Crops
for training are taken from it turned, shifted and scaled at will.
"""

import json
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.dice.finder import find_dice
from vision.scoring.truth import held_back, rendered_lines

PATCH, EDGE = 120, 32.0
NOT_A_FACE = 6
TRAY = "tray"
BOX_TO_EDGE = 0.79  # the tray's labels box the whole die; its top face is that much smaller
READABLE_CONTRAST, UNREADABLE_CONTRAST = 9.0, 5.0  # of a rendered face's pips; between them nobody can say
STEEP = 33.0  # a die that leans more shows no top face
SHOWN, HIDDEN = 0.8, 0.65  # part of the top face that is seen


@dataclass(frozen=True)
class Patch:
    """One place of a picture: the label of the face in its middle and that face's corners in patch pixels."""

    image: np.ndarray
    label: int  # pips less one; NOT_A_FACE; -1 = nobody can say, to be left out
    corners: np.ndarray  # 4 x 2
    others: np.ndarray  # middles of other top faces in the patch, n x 2
    foot: (
        np.ndarray
    )  # from the middle of the face to below it on the floor, as the picture shows it; NaN: unknown
    pips: np.ndarray  # middles of the pips, n x 2, empty if unknown; corner pips first
    exact: bool  # are the corners true, or only a square at the labelled place
    held_back: bool
    source: str = "renders"


def square(x, y, edge, angle):
    a = np.deg2rad(angle + np.array([45, 135, 225, 315]))
    return np.stack([x + edge * np.cos(a) / np.sqrt(2), y + edge * np.sin(a) / np.sqrt(2)], 1)


def edge_of(corners):
    return float(np.sqrt(abs(cv2.contourArea(np.float32(corners)))))


def cut(image, x, y, edge):
    """The patch round (x, y) and the matrix from picture to patch."""
    scale = EDGE / edge
    matrix = np.array([[scale, 0, PATCH / 2 - scale * x], [0, scale, PATCH / 2 - scale * y]])
    reach = PATCH / 2 / scale * 1.05 + 2
    top, left = max(0, int(y - reach)), max(0, int(x - reach))
    part = image[top : int(y + reach) + 1, left : int(x + reach) + 1]
    shifted = matrix.copy()
    shifted[:, 2] += matrix[:, :2] @ (left, top)
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    if scale < 0.75:  # warpAffine does not average: shrink first
        part = cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        shifted = np.array([[1, 0, PATCH / 2 - scale * (x - left)], [0, 1, PATCH / 2 - scale * (y - top)]])
        how = cv2.INTER_LINEAR
    border = cv2.BORDER_REPLICATE
    return cv2.warpAffine(part, shifted, (PATCH, PATCH), flags=how, borderMode=border), matrix


def moved(points, matrix):
    return np.asarray(points, float) @ matrix[:, :2].T + matrix[:, 2]


def wiped(patch, rng):
    """The patch with all its pips painted over, or one at a corner: no legal face is left either way."""
    off = np.linalg.norm(patch.pips - patch.corners.mean(0), axis=1)
    corner = int(np.argmax(off))
    gone = patch.pips if len(patch.pips) == 1 or rng.random() < 0.5 else patch.pips[corner : corner + 1]
    mask = np.zeros((PATCH, PATCH), np.uint8)
    for x, y in gone:
        cv2.circle(mask, (round(x), round(y)), round(0.16 * EDGE), 255, -1)
    return cv2.inpaint(patch.image, mask, 2, cv2.INPAINT_TELEA)


def render_label(die):
    shown, contrast = die.get("visible", 1.0), die.get("contrast")
    if die["state"] == "under" or shown < HIDDEN or die["tilt_deg"] > STEEP:
        return NOT_A_FACE
    if die["state"] == "cocked":  # its number can be read; that it leans is told by its foot
        return -1
    if contrast is not None and contrast < UNREADABLE_CONTRAST:
        return NOT_A_FACE
    if shown < SHOWN or (contrast is not None and contrast < READABLE_CONTRAST):
        return -1
    return die["pips"] - 1


class Eye:
    """The camera of a rendered picture, from the lid's floor whose corners and size are known."""

    def __init__(self, truth):
        lid, camera = truth["lid"], truth["camera"]
        a, b = lid["length_mm"] / 2, lid["width_mm"] / 2
        f, w, h = camera["f_px"], truth["width"], truth["height"]
        self.matrix = np.array([[f, 0, w / 2 - 0.5], [0, f, h / 2 - 0.5], [0, 0, 1]])
        self.bend = np.array([camera["k1"], camera["k2"], 0.0, 0.0])
        corners = np.array(truth["lid_corners"])
        found = []
        for turned in (1, -1):
            floor = np.array([[-a, -b, 0], [a, -b, 0], [a, b, 0], [-a, b, 0]]) * [1, turned, 1]
            _, r, t = cv2.solvePnP(floor, corners, self.matrix, self.bend)
            seen, _ = cv2.projectPoints(floor, r, t, self.matrix, self.bend)
            found.append((np.abs(seen[:, 0] - corners).max(), r, t))
        _, self.r, self.t = min(found, key=lambda f: f[0])
        self.turn = cv2.Rodrigues(self.r)[0]
        self.place = (-self.turn.T @ self.t).ravel()
        self.up = np.sign(self.place[2])

    def foot(self, x, y, size):
        """The way from a point on a flat die's top to the point of the floor below it, in pixels."""
        ray = cv2.undistortPoints(np.array([[[x, y]]]), self.matrix, self.bend).ravel()
        ray = self.turn.T @ np.array([*ray, 1.0])
        top = self.place + ray * (self.up * size - self.place[2]) / ray[2]
        below = (top - (0, 0, self.up * size))[None]
        seen, _ = cv2.projectPoints(below, self.r, self.t, self.matrix, self.bend)
        return seen.ravel() - (x, y)


NOWHERE = np.full(2, np.nan)
NO_PIPS = np.zeros((0, 2))


def render_patches(folder):
    """All dice of rendered lids and a few places without a die in each; each tenth is held back."""
    rng = np.random.default_rng(1)
    patches = []
    for truth in rendered_lines(folder):
        image = cv2.imread(str(folder / truth["file"]))
        if image is None:
            continue
        dice = [d for d in truth["dice"] if d["in_frame"]]
        faces = np.array([(d["x"], d["y"]) for d in dice])
        apart = held_back(truth["seed"])
        edges = [edge_of(d["corners"]) for d in dice]
        eye = Eye(truth)
        for die, edge in zip(dice, edges, strict=True):
            patch, matrix = cut(image, die["x"], die["y"], edge)
            near = moved([f for f in faces if tuple(f) != (die["x"], die["y"])] or [(-9e4, -9e4)], matrix)
            standing = die["state"] == "flat"
            foot = eye.foot(die["x"], die["y"], die["size_mm"]) * matrix[0, 0] if standing else NOWHERE
            corners = moved(die["corners"], matrix)
            pips = moved(die.get("pips_xy") or np.zeros((0, 2)), matrix)
            patches.append(Patch(patch, render_label(die), corners, near, foot, pips, True, apart))
        lid = np.array(truth["lid_corners"])
        for _ in range(4):
            u, v = rng.uniform(-0.15, 1.15, 2)
            x, y = (lid[0] * (1 - u) + lid[1] * u) * (1 - v) + (lid[3] * (1 - u) + lid[2] * u) * v
            edge = float(np.median(edges))
            if np.hypot(*(faces - (x, y)).T).min() > edge:
                patch, matrix = cut(image, x, y, edge)
                corners = moved(square(x, y, edge, rng.uniform(0, 90)), matrix)
                near = moved(faces, matrix)
                patches.append(Patch(patch, NOT_A_FACE, corners, near, NOWHERE, NO_PIPS, False, apart))
    return patches


def tray_patches(folder, every=6):
    """All dice of the tray photographs; whole hours are held back, as dice stay the same within one.

    Labels box the whole die. Where the finder sees a face in the box that shows the labelled pips, that
    face's corners are taken.
    """
    patches = []
    for entry in json.loads((folder / "labels.json").read_text()):
        image = cv2.imread(str(folder / entry["file"]))
        found = find_dice(image)
        dice = [d for d in entry["dice"] if isinstance(d["pips"], int)]
        corners = [_face_in(d, found) for d in dice]
        middles = np.array([c[0].mean(0) for c in corners]).reshape(-1, 2)
        apart = sum(map(ord, entry["file"].split("_")[-1][:4])) % every == 0  # the hour and minute
        for die, (ring, exact), middle in zip(dice, corners, middles, strict=True):
            patch, matrix = cut(image, *middle, edge_of(ring))
            others = [m for m in middles if m is not middle and np.hypot(*(m - middle)) > 1]
            near = moved(others or [(-9e4, -9e4)], matrix)
            there = moved(ring, matrix)
            patches.append(Patch(patch, die["pips"] - 1, there, near, NOWHERE, NO_PIPS, exact, apart, TRAY))
    return patches


def _face_in(die, found):
    """The corners of a labelled die's face, and whether they are more than a guess."""
    for seen in found:
        near = np.hypot(seen.x - die["x"], seen.y - die["y"]) < 0.35 * die["size"]
        if near and 0.4 < seen.size / die["size"] < 1.0 and seen.likeliest == die["pips"]:
            return np.array(seen.corners), True
    return square(die["x"], die["y"], die["size"] * BOX_TO_EDGE, 0), False


def load(renders, tray):
    return [
        *(p for folder in renders for p in render_patches(Path(folder))),
        *(tray_patches(Path(tray)) if tray else []),
    ]
