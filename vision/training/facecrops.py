"""Crops to train the face network on: shifted, turned, wiped, in all lights. Knows patches, no network."""

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from vision.pips import Eye, dimming, normalised
from vision.training.facedata import EDGE, NOT_A_FACE, wiped

WIPED = 0.08  # of the faces lose pips, so that a blank or spoilt face is known as such
STRAIGHT = 0.85  # of the crops whose corners are known
NEAREST, FARTHEST = 0.36, 0.95  # how far beside, in edges
PLACES = 7  # shift right and down, log size, cos and sin of four times the turn, right and down to the foot


@dataclass(frozen=True)
class Sample:
    """One crop, what it shows, and where the face and its foot are in it (NaN where unknown)."""

    crop: np.ndarray
    label: int
    place: np.ndarray
    ring: np.ndarray  # the face's corners, as far as they are known


@dataclass(frozen=True)
class View:
    """How a crop is taken: the middle and size it believes in, and how it is turned and stretched."""

    eye: Eye
    at: np.ndarray
    scale: float
    linear: np.ndarray

    @property
    def matrix(self):
        return np.hstack(
            [self.linear, (np.full(2, (self.eye.crop - 1) / 2) - self.linear @ self.at)[:, None]]
        )


def sample(patch, rng, eye, beside_share):
    """A crop of the patch for that eye; None where it would lie on another die by chance."""
    beside = rng.random() < beside_share
    view = _view(patch, eye, beside, rng)
    if beside and abs(np.log(view.scale)) < 0.4 and _on_another(patch, view):
        return None
    image, label = patch.image, NOT_A_FACE if beside else patch.label
    if label != NOT_A_FACE and len(patch.pips) and rng.random() < WIPED:
        image, label = wiped(patch, rng), NOT_A_FACE
    size = (eye.crop, eye.crop)
    crop = cv2.warpAffine(image, view.matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    known = patch.exact and not beside and label != NOT_A_FACE
    place = _place(patch, view) if known else np.full(PLACES, np.nan, np.float32)
    return Sample(crop, label, place, _carried(patch.corners, view))


def _on_another(patch, view):
    return len(patch.others) > 0 and np.hypot(*(patch.others - view.at).T).min() < NEAREST * EDGE


def _view(patch, eye, beside, rng):
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
    linear = stretch @ _rotation(turn - base) @ rectify * (eye.face / EDGE / scale)
    if rng.random() < 0.5:
        linear = np.diag([-1.0, 1.0]) @ linear
    return View(eye, patch.corners.mean(0) + shift * EDGE, scale, linear)


def _rotation(angle):
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def _rectification(patch, base):
    """What makes the face a square of the same turn."""
    sides = np.stack([patch.corners[1] - patch.corners[0], patch.corners[3] - patch.corners[0]], 1)
    straight = _rotation(base) @ (np.linalg.inv(sides) * EDGE)
    return straight if np.linalg.det(straight) > 0 else np.eye(2)


def _carried(points, view):
    return points @ view.linear.T + view.matrix[:, 2]


def _place(patch, view):
    seen, face = _carried(patch.corners, view), view.eye.face
    middle = (seen.mean(0) - (view.eye.crop - 1) / 2) / face
    side = seen[1] - seen[0]
    angle = 4 * np.arctan2(side[1], side[0])
    size = np.log(np.sqrt(abs(cv2.contourArea(np.float32(seen)))) / face)
    foot = view.linear @ patch.foot / face
    return np.array([*middle, size, np.cos(angle), np.sin(angle), *foot], np.float32)


def batch(patches, rng, size, chances, eye, beside_share):
    """That many samples: some of their crops lie beside a face, or are too near or too far."""
    made = []
    while len(made) < size:
        chosen = rng.choice(len(patches), size - len(made), p=chances)
        made += [s for s in (sample(patches[i], rng, eye, beside_share) for i in chosen) if s is not None]
    return made


def disturbed(samples, rng, veils=0.0, dimmed=0.0):
    """Colours mixed and inverted, light, glare, shadow, blur, noise, dimming; then each crop normalised."""
    x = _mixed(np.stack([s.crop for s in samples]).astype(np.float32) / 255, rng)
    x = np.power(np.clip(x, 0, 1), np.exp(rng.normal(0, 0.25, (len(x), 1, 1, 1))).astype(np.float32))
    veiled = rng.random(len(x)) < veils
    for crop, one, veil in zip(x, samples, veiled, strict=True):
        crop[:] = _blurred(_veiled(crop, one.ring, rng) if veil else _lit(crop, rng), rng)
    x = np.clip(x, 0, 1)
    strength = rng.choice([0, 0.01, 0.03], (len(x), 1, 1, 1)).astype(np.float32)
    x += rng.normal(0, 1, x.shape).astype(np.float32) * strength
    darkened = rng.random(len(x)) < dimmed
    for at in np.flatnonzero(darkened):
        x[at] = np.clip(x[at], 0, 1) ** dimming(_middle(x[at]))
    inverted = (rng.random(len(x)) < 0.5) & ~veiled & ~darkened
    x[inverted] = 1 - x[inverted]
    return normalised(x * 255)


def _mixed(x, rng):
    """Every channel a mixture of all: the network learns no colours."""
    mix = rng.dirichlet([0.35, 0.35, 0.35], (len(x), 3)).astype(np.float32)
    kept = rng.random(len(x)) < 0.35
    orders = rng.permuted(np.tile(np.arange(3), (int(kept.sum()), 1)), axis=1)
    mix[kept] = np.eye(3, dtype=np.float32)[orders]
    return np.einsum("nhwc,nkc->nhwk", x, mix)


def _middle(crop):
    """The usual tone in the middle of the face."""
    low = round(0.37 * len(crop))
    return float(np.median(crop[low:-low, low:-low]))


@cache
def _grid(size):
    """Right and down over a crop, from -1 to 1."""
    return np.meshgrid(*[np.linspace(-1, 1, size, dtype=np.float32)] * 2)


def _veiled(crop, ring, rng):
    """A lamp mirrored in the flat face: in all of it, or from one side, nearly white."""
    mask = np.zeros(crop.shape[:2], np.float32)
    inner = ring.mean(0) + (ring - ring.mean(0)) * rng.uniform(0.8, 1.0)
    cv2.fillConvexPoly(mask, np.round(inner * 8).astype(np.int32), 1.0, cv2.LINE_AA, 3)
    mask = cv2.GaussianBlur(mask, (0, 0), rng.uniform(0.6, 2.0)) * np.float32(rng.uniform(0.3, 0.88))
    if rng.random() < 0.6:
        right, down = _grid(crop.shape[0])
        a = rng.uniform(0, 2 * np.pi)
        across = right * np.cos(a) + down * np.sin(a) - rng.normal(0, 0.2)
        mask = mask / (1 + np.exp(-across * rng.uniform(3, 25)))
    lamp = np.float32(rng.uniform(0.75, 1.05)) * rng.uniform(0.9, 1.0, 3).astype(np.float32)
    return crop + (lamp - crop) * mask[..., None]


def _lit(crop, rng):
    """Now and then the edge of a shadow, a veil of glare, or a small gleam."""
    kind = rng.random()
    right, down = _grid(crop.shape[0])
    a, r = rng.uniform(0, 2 * np.pi), rng.uniform(-0.8, 0.8)
    across = right * np.cos(a) + down * np.sin(a) - r
    if kind < 0.15:
        return crop * (1 - rng.uniform(0.2, 0.6) / (1 + np.exp(-across * rng.uniform(4, 30))))[..., None]
    if kind < 0.3:
        return crop + rng.uniform(0.1, 0.45) * np.exp(-((across / rng.uniform(0.2, 0.8)) ** 2))[..., None]
    if kind < 0.42:
        x, y, width = rng.uniform(-0.6, 0.6), rng.uniform(-0.6, 0.6), rng.uniform(0.04, 0.14)
        gleam = np.exp(-((right - x) ** 2 + (down - y) ** 2) / width**2)
        return crop + rng.uniform(0.2, 0.8) * gleam[..., None]
    return crop


def _blurred(crop, rng):
    if rng.random() < 0.35:
        crop = cv2.GaussianBlur(np.ascontiguousarray(crop, np.float32), (0, 0), rng.uniform(0.4, 1.2))
    if rng.random() < 0.2:
        size = len(crop)
        small = int(rng.integers(round(0.5 * size), round(0.85 * size)))
        shrunk = cv2.resize(
            np.ascontiguousarray(crop, np.float32), (small, small), interpolation=cv2.INTER_AREA
        )
        crop = cv2.resize(shrunk, (size, size))
    return crop
