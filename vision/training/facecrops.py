"""Crops to train the face network on: shifted, turned, wiped, in all lights. Knows patches, no network."""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.pips import CROP, SPAN, normalised
from vision.training.facedata import EDGE, NOT_A_FACE, wiped

FACE = CROP / SPAN  # a face's edge in a crop
WIPED = 0.08  # of the faces lose pips, so that a blank or spoilt face is known as such
STRAIGHT = 0.85  # of the crops whose corners are known
BESIDE = 0.25  # of the crops lie beside a face, or are too near or too far
NEAREST, FARTHEST = 0.36, 0.95  # how far beside, in edges
PLACES = 7  # shift right and down, log size, cos and sin of four times the turn, right and down to the foot


@dataclass(frozen=True)
class Sample:
    """One crop, what it shows, and where the face and its foot are in it (NaN where unknown)."""

    crop: np.ndarray
    label: int
    place: np.ndarray


@dataclass(frozen=True)
class View:
    """How a crop is taken: the middle and size it believes in, and how it is turned and stretched."""

    at: np.ndarray
    scale: float
    linear: np.ndarray

    @property
    def matrix(self):
        return np.hstack([self.linear, (np.full(2, (CROP - 1) / 2) - self.linear @ self.at)[:, None]])


def sample(patch, rng):
    """A crop of the patch; None where it would lie on another die by chance."""
    beside = rng.random() < BESIDE
    view = _view(patch, beside, rng)
    if beside and abs(np.log(view.scale)) < 0.4 and _on_another(patch, view):
        return None
    image, label = patch.image, NOT_A_FACE if beside else patch.label
    if label != NOT_A_FACE and len(patch.pips) and rng.random() < WIPED:
        image, label = wiped(patch, rng), NOT_A_FACE
    crop = cv2.warpAffine(
        image, view.matrix, (CROP, CROP), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    known = patch.exact and not beside and label != NOT_A_FACE
    place = _place(patch, view) if known else np.full(PLACES, np.nan, np.float32)
    return Sample(crop, label, place)


def _on_another(patch, view):
    return len(patch.others) > 0 and np.hypot(*(patch.others - view.at).T).min() < NEAREST * EDGE


def _view(patch, beside, rng):
    """Mostly straight, as a finder gives the face and a first look corrects it; now and then at any turn."""
    exact = patch.exact
    side = patch.corners[1] - patch.corners[0]
    base = np.arctan2(side[1], side[0]) if exact else 0.0
    straight = exact and rng.random() < STRAIGHT
    turn = np.deg2rad(90 * rng.integers(4) + rng.normal(0, 5) if straight else rng.uniform(0, 360))
    rough = 0.03 if exact and rng.random() < 0.5 else 0.08
    scale = float(np.exp(rng.normal(0, rough)))
    shift = rng.normal(0, rough, 2)
    if beside and rng.random() < 0.8:
        a, r = rng.uniform(0, 2 * np.pi), rng.uniform(NEAREST, FARTHEST)
        shift = r * np.array([np.cos(a), np.sin(a)])
    elif beside:
        scale = float(rng.choice([rng.uniform(0.45, 0.6), rng.uniform(1.6, 1.9)]))
    rectify = _rectification(patch, base) if exact and rng.random() < 0.6 else np.eye(2)
    stretch = np.diag(np.exp(rng.normal(0, 0.03, 2)))
    linear = stretch @ _rotation(turn - base) @ rectify * (FACE / EDGE / scale)
    if rng.random() < 0.5:
        linear = np.diag([-1.0, 1.0]) @ linear
    return View(patch.corners.mean(0) + shift * EDGE, scale, linear)


def _rotation(angle):
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def _rectification(patch, base):
    """What makes the face a square of the same turn."""
    sides = np.stack([patch.corners[1] - patch.corners[0], patch.corners[3] - patch.corners[0]], 1)
    straight = _rotation(base) @ (np.linalg.inv(sides) * EDGE)
    return straight if np.linalg.det(straight) > 0 else np.eye(2)


def _place(patch, view):
    seen = patch.corners @ view.linear.T + view.matrix[:, 2]
    middle = (seen.mean(0) - (CROP - 1) / 2) / FACE
    side = seen[1] - seen[0]
    angle = 4 * np.arctan2(side[1], side[0])
    size = np.log(np.sqrt(abs(cv2.contourArea(np.float32(seen)))) / FACE)
    foot = view.linear @ patch.foot / FACE
    return np.array([*middle, size, np.cos(angle), np.sin(angle), *foot], np.float32)


def batch(patches, rng, size, weights):
    """That many samples, as crops, labels and places."""
    made = []
    while len(made) < size:
        chosen = rng.choice(len(patches), size - len(made), p=weights)
        made += [s for s in (sample(patches[i], rng) for i in chosen) if s is not None]
    return (
        np.stack([s.crop for s in made]),
        np.array([s.label for s in made]),
        np.stack([s.place for s in made]),
    )


def disturbed(crops, rng):
    """Colours mixed and inverted, light, glare, shadow, blur, noise; then each crop normalised."""
    x = _mixed(crops.astype(np.float32) / 255, rng)
    x = np.power(np.clip(x, 0, 1), np.exp(rng.normal(0, 0.25, (len(x), 1, 1, 1))).astype(np.float32))
    for crop in x:
        crop[:] = _blurred(_lit(crop, rng), rng)
    x = np.clip(x, 0, 1)
    strength = rng.choice([0, 0.01, 0.03], (len(x), 1, 1, 1)).astype(np.float32)
    x += rng.normal(0, 1, x.shape).astype(np.float32) * strength
    inverted = rng.random(len(x)) < 0.5
    x[inverted] = 1 - x[inverted]
    return normalised(x * 255)


def _mixed(x, rng):
    """Every channel a mixture of all: the network learns no colours."""
    mix = rng.dirichlet([0.35, 0.35, 0.35], (len(x), 3)).astype(np.float32)
    kept = rng.random(len(x)) < 0.35
    orders = rng.permuted(np.tile(np.arange(3), (int(kept.sum()), 1)), axis=1)
    mix[kept] = np.eye(3, dtype=np.float32)[orders]
    return np.einsum("nhwc,nkc->nhwk", x, mix)


_GX, _GY = np.meshgrid(*[np.linspace(-1, 1, CROP, dtype=np.float32)] * 2)


def _lit(crop, rng):
    """Now and then the edge of a shadow, a veil of glare, or a small gleam."""
    kind = rng.random()
    a, r = rng.uniform(0, 2 * np.pi), rng.uniform(-0.8, 0.8)
    across = _GX * np.cos(a) + _GY * np.sin(a) - r
    if kind < 0.15:
        return crop * (1 - rng.uniform(0.2, 0.6) / (1 + np.exp(-across * rng.uniform(4, 30))))[..., None]
    if kind < 0.3:
        return crop + rng.uniform(0.1, 0.45) * np.exp(-((across / rng.uniform(0.2, 0.8)) ** 2))[..., None]
    if kind < 0.42:
        x, y, width = rng.uniform(-0.6, 0.6), rng.uniform(-0.6, 0.6), rng.uniform(0.04, 0.14)
        gleam = np.exp(-((_GX - x) ** 2 + (_GY - y) ** 2) / width**2)
        return crop + rng.uniform(0.2, 0.8) * gleam[..., None]
    return crop


def _blurred(crop, rng):
    if rng.random() < 0.35:
        crop = cv2.GaussianBlur(np.ascontiguousarray(crop, np.float32), (0, 0), rng.uniform(0.4, 1.2))
    if rng.random() < 0.2:
        small = int(rng.integers(round(0.5 * CROP), round(0.85 * CROP)))
        shrunk = cv2.resize(
            np.ascontiguousarray(crop, np.float32), (small, small), interpolation=cv2.INTER_AREA
        )
        crop = cv2.resize(shrunk, (CROP, CROP))
    return crop
