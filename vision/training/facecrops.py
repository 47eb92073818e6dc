"""Crops to train the face network on: shifted, turned, wiped, in all lights. Knows patches, no network."""

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from vision.dice.pips import Eye, dimming, normalised
from vision.training.facedata import EDGE, NOT_A_FACE, wiped

WIPED = 0.08  # of the faces lose pips, so that a blank or spoilt face is known as such
STRAIGHT = 0.85  # of the crops whose corners are known
NEAREST, FARTHEST = 0.36, 0.95  # how far beside, in edges
PARTLY, HOLLOW = 0.65, 0.6  # of the lamps fill a part of the face; of them, are mirrored less in pips
PIP, BESIDE_PIP = (0.07, 0.13), 0.16  # radius, and a place on the body, in edges
READABLE = 0.08  # of full light
PLACES = 7  # shift right and down, log size, cos and sin of four times the turn, right and down to the foot


@dataclass(frozen=True)
class Sample:
    """One crop, what it shows, and where the face and its foot are in it (NaN where unknown)."""

    crop: np.ndarray
    label: int
    place: np.ndarray
    ring: np.ndarray  # the face's corners, as far as they are known
    pips: np.ndarray  # middles of its pips, n x 2, empty if unknown


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
    pips = _carried(patch.pips, view) if label < NOT_A_FACE else patch.pips[:0]
    return Sample(crop, label, place, _carried(patch.corners, view), pips)


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
        crop[:] = _blurred(_veiled(crop, one, rng) if veil else _lit(crop, rng), rng)
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


def _veiled(crop, one, rng):
    """A lamp mirrored in the flat face, in all of it or in a part; hollow pips mirror less of it."""
    size, edge = len(crop), np.sqrt(abs(cv2.contourArea(np.float32(one.ring)))) + 1e-6
    mask = np.zeros((size, size), np.float32)
    inner = one.ring.mean(0) + (one.ring - one.ring.mean(0)) * rng.uniform(0.8, 1.0)
    _fill(mask, inner)
    if rng.random() < PARTLY:
        mask *= _lamp(size, rng)
    if len(one.pips) and rng.random() < HOLLOW:
        hollow = np.zeros_like(mask)
        for x, y in one.pips:
            place = (round(8 * float(x)), round(8 * float(y)))
            cv2.circle(hollow, place, round(8 * edge * rng.uniform(*PIP)), 1.0, -1, cv2.LINE_AA, 3)
        mask *= 1 - np.float32(rng.uniform(0.4, 1.0)) * hollow
    mask = cv2.GaussianBlur(mask, (0, 0), rng.uniform(0.4, 2.0))
    lamp = np.float32(rng.uniform(0.75, 1.05)) * rng.uniform(0.9, 1.0, 3).astype(np.float32)
    if not len(one.pips) or rng.random() < 0.5:
        return crop + (lamp - crop) * mask[..., None] * np.float32(rng.uniform(0.3, 0.88))
    brighter = np.clip(crop + lamp * mask[..., None] * np.float32(rng.uniform(0.2, 1.0)), 0, 1)
    return brighter if _readable(brighter, one.pips, edge) else crop


def _readable(crop, pips, edge):
    """Whether each pip differs from the body to one side of it at least."""
    sides = np.array([(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)]) * BESIDE_PIP * edge
    at = np.clip(np.round(pips[:, None] + sides), 0, len(crop) - 1).astype(int)
    seen = crop[at[..., 1], at[..., 0]]
    away = np.linalg.norm(seen[:, 1:] - seen[:, :1], axis=2).max(1)
    return float(away.min()) > READABLE


def _lamp(size, rng):
    """The part of a crop in which a lamp is mirrored: to one side of a line, or what its own outline is."""
    right, down = _grid(size)
    if rng.random() < 0.6:
        a = rng.uniform(0, 2 * np.pi)
        across = right * np.cos(a) + down * np.sin(a) - rng.normal(0, 0.2)
        return 1 / (1 + np.exp(-across * rng.uniform(3, 40)))
    mask = np.zeros((size, size), np.float32)
    around = rng.uniform(0, 2 * np.pi, int(rng.integers(3, 6)))
    ways = np.stack([np.cos(np.sort(around)), np.sin(np.sort(around))], 1)
    middle = size / 2 + rng.normal(0, 0.12, 2) * size
    _fill(mask, middle + ways * rng.uniform(0.08, 0.4) * size * np.exp(rng.normal(0, 0.3, (len(ways), 1))))
    return cv2.GaussianBlur(mask, (0, 0), rng.uniform(0.3, 2.5))


def _fill(mask, ring):
    cv2.fillConvexPoly(mask, np.round(ring * 8).astype(np.int32), 1.0, cv2.LINE_AA, 3)


def _lit(crop, rng):
    """Now and then the edge of a shadow, a veil of glare, or a small gleam."""
    kind = rng.random()
    right, down = _grid(crop.shape[0])
    a, r = rng.uniform(0, 2 * np.pi), rng.uniform(-0.8, 0.8)
    across = right * np.cos(a) + down * np.sin(a) - r
    if kind < 0.15:
        return crop * (1 - rng.uniform(0.2, 0.8) / (1 + np.exp(-across * rng.uniform(4, 40))))[..., None]
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
