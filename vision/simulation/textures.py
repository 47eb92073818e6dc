"""Surfaces: wood, cloth, felt, card, two pixels to the millimetre; bytes that stand for linear light."""

from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np

from vision.image.arrays import Image
from vision.simulation.geometry import Array
from vision.simulation.style import Colour, Floor, Style, TableTop

PER_MILLIMETRE = 2.0
BAND = 128  # so many rows are coloured at once: a whole table of floats is large
TABLE_MILLIMETRES = 900
FLOOR_MILLIMETRES = 240
# how much a floor's brightness differs from grain to grain and from patch to patch
ROUGH = {
    Floor.WHITE: (0.010, 0.008),
    Floor.GREY: (0.045, 0.02),
    Floor.KRAFT: (0.045, 0.03),
    Floor.FELT: (0.15, 0.07),
    Floor.LEATHER: (0.06, 0.05),
    Floor.WOOD: (0.03, 0.03),
}


def _cloud(random: np.random.Generator, size: int, across: float, along: float) -> Array:
    """Smooth noise of mean 0 and deviation 1; its lumps are `across` by `along` pixels."""
    small = (max(2, int(size / along)), max(2, int(size / across)))
    noise = random.standard_normal(small).astype(np.float32)
    cloud = np.asarray(cv2.resize(noise, (size, size), interpolation=cv2.INTER_CUBIC), np.float32)
    cloud -= cloud.mean()  # in place: a whole table of floats is large
    cloud /= cloud.std()
    return cloud


@dataclass(frozen=True, eq=False, slots=True)
class _Pattern:
    """How much of a surface's second colour is at each place, and how bright it is there."""

    share: Array
    bright: Array

    def painted(self, first: Colour, second: Colour) -> Image:
        one, two = np.array(first, np.float32), np.array(second, np.float32)
        painted = np.empty((*self.share.shape, 3), np.uint8)
        for top in range(0, len(painted), BAND):
            rows = slice(top, top + BAND)
            light = (one + (two - one) * self.share[rows, :, None]) * self.bright[rows, :, None]
            painted[rows] = _kept(light)
        return painted


def _kept(light: Array) -> Image:
    """Linear light as bytes; its root, so that dark surfaces keep their shades."""
    return cast(Image, np.rint(np.sqrt(np.clip(light, 0.002, 0.95)) * 255).astype(np.uint8))


def _wood(random: np.random.Generator, size: int) -> _Pattern:
    rings = _cloud(random, size, 90, 1400) * 2.2 + _cloud(random, size, 400, 900)
    grain = _cloud(random, size, 2.5, 120) * 0.38 + _cloud(random, size, 9, 500) * 0.30
    share = np.sin(rings * 2.4, out=rings)
    share *= 0.28
    share += 0.5
    share += grain * 0.45
    board = (np.arange(size) // int(150 * PER_MILLIMETRE)).astype(int)
    tone = random.uniform(-0.12, 0.12, board.max() + 1)[board].astype(np.float32)
    bright = np.ones((1, size), np.float32)
    for seam in np.flatnonzero(np.diff(board)):
        bright[:, seam : seam + 2] = 0.55
    share += tone[None, :]
    return _Pattern(np.clip(share, 0, 1, out=share), np.broadcast_to(bright, share.shape))


def _cloth(random: np.random.Generator, size: int) -> _Pattern:
    stripe = ((np.arange(size) // int(random.uniform(9, 15) * PER_MILLIMETRE)) % 2).astype(np.float32)
    share = (stripe[:, None] + stripe[None, :]) / 2
    weave = 1 + 0.06 * _cloud(random, size, 2, 2) + 0.05 * _cloud(random, size, 300, 300)
    return _Pattern(share, weave)


def _plain(random: np.random.Generator, size: int) -> _Pattern:
    share = 0.5 + 0.10 * _cloud(random, size, 90, 90) + 0.22 * _cloud(random, size, 3, 3)
    share = np.clip(share, 0, 1)
    return _Pattern(share, np.broadcast_to(np.float32(1), share.shape))


def table_texture(style: Style) -> Image:
    """What the lid stands on."""
    random = np.random.default_rng(style.texture_seed)
    size = int(TABLE_MILLIMETRES * PER_MILLIMETRE)
    draw = {TableTop.WOOD: _wood, TableTop.CLOTH: _cloth, TableTop.PLAIN: _plain}[style.top]
    return draw(random, size).painted(style.top_colour, style.second_colour)


def floor_texture(style: Style) -> Image:
    """What the dice lie on; large enough for any place."""
    if style.floor is Floor.WOOD and style.grain is not None:
        return grain_texture(style, style.grain)
    random = np.random.default_rng(style.texture_seed + 1)
    size = int(FLOOR_MILLIMETRES * PER_MILLIMETRE)
    grain, patches = ROUGH[style.floor]
    tone = 1 + grain * _cloud(random, size, 2, 2) + patches * _cloud(random, size, 40, 40)
    if style.floor is Floor.KRAFT:
        tone += 0.03 * _cloud(random, size, 2, 14)
    return _kept(np.array(style.floor_colour, np.float32) * tone[..., None])


def grain_texture(style: Style, colours: tuple[Colour, Colour]) -> Image:
    """Wood of one piece, for walls and floor."""
    random = np.random.default_rng(style.texture_seed + 3)
    size = int(FLOOR_MILLIMETRES * PER_MILLIMETRE)
    share = 0.5 + 0.3 * np.sin(_cloud(random, size, 60, 900) * 4) + 0.2 * _cloud(random, size, 3, 160)
    share = np.clip(share, 0, 1)
    return _Pattern(share, np.broadcast_to(np.float32(1), share.shape)).painted(*colours)


def look_up(texture: Image, points: Array) -> Array:
    """The texture's linear light at points in millimetres round its middle."""
    middle = texture.shape[0] / 2
    xs = np.ascontiguousarray(points[..., 0] * PER_MILLIMETRE + middle, np.float32)
    ys = np.ascontiguousarray(points[..., 1] * PER_MILLIMETRE + middle, np.float32)
    found = cv2.remap(texture, xs, ys, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    return cast(Array, np.square(found.astype(np.float32) / 255))
