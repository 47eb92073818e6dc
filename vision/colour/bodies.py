"""The body colour of dice: measured on the top face, then all given their colours together. Knows no pips.

The two white dice show the light; every other colour is judged against them. Which dice are the white ones is
part of the same question, so all ways to give the dice their colours are weighed against each other. Whether
a die's pips are dark or light has a say too (vision/dice/shade.py measures it).
"""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import resources
from itertools import combinations, permutations
from math import ceil
from typing import Any, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.pips import Array, one_heap, rectified
from vision.image.arrays import Image, Numbers, median
from vision.reading import DieColour

CROP, SPAN = 24, 0.92
RIM_CROP, RIM_SPAN = 24, 1.1
RIM, ROUNDED, STRONGEST = (0.38, 0.48), 0.6, 0.25  # edges from the middle, and the share of it that is taken
HUED = (DieColour.RED, DieColour.YELLOW, DieColour.GREEN, DieColour.BLUE)
PALETTE = (DieColour.WHITE, *HUED)
WHITES = 2
DARKEST = 0.03  # of white: below it a channel says nothing
TAILS = 4.0  # of the t distributions: how much a die may stray
UNEXPECTED = 5.0  # what a colour that nobody expects costs, in natural logarithms
DARK, LIGHT, HARD_TO_SAY = 0, 1, 2  # shades of pips
DARK_PIPS, LIGHT_PIPS = -9.0, 5.0  # how much lighter than the body, in CIELAB; between them nobody can say
SHADED = 0.15  # of the dice another light falls on than on the white ones
SHADOW = 1.0  # by so much, in logarithms
STRANGE = -6.0  # less like its colour than 999 of 1,000 dice: something covers it, or it is of no such set
NO_CHANCE = 0.5  # of a colour then
SOFTNESS = 1.2  # of the chances: fitted on renders that the model has not seen


@dataclass(frozen=True, slots=True)
class Body:
    """The colour of a die's body in linear light: red, green, blue, 1 = as bright as a picture can be."""

    red: float
    green: float
    blue: float
    pips: float | None = None  # how much lighter the pips are, in CIELAB, if that was measured

    @property
    def numbers(self) -> Numbers:
        return np.array((self.red, self.green, self.blue))


@dataclass(frozen=True, slots=True)
class Assignment:
    """One colour for each die, how sure each is, and whether the whole is what was expected."""

    colours: tuple[DieColour, ...]
    chances: tuple[float, ...]
    expected: bool

    @property
    def chance(self) -> float:
        return min(self.chances, default=0.0)


# ---------------------------------------------------------------- measuring


@lru_cache(maxsize=1)
def _cells() -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """The face without its rounded rim, and those of its pixels where no pattern has a pip."""
    axis = (np.arange(CROP) - (CROP - 1) / 2) / CROP * SPAN
    u, v = np.meshgrid(axis, axis)
    face = (np.maximum(np.abs(u), np.abs(v)) < 0.44) & (np.hypot(u, v) < 0.53)
    sites = [(x * 0.25, y * 0.25) for x in (-1, 0, 1) for y in (-1, 0, 1)]
    free = np.min([np.hypot(u - x, v - y) for x, y in sites], axis=0) > 0.115
    return face, free[face]


def linear(values: NDArray[np.floating]) -> Numbers:
    """sRGB 0 to 1 as linear light."""
    v = np.asarray(values, np.float64)
    return np.where(v <= 0.04045, v / 12.92, ((v + 0.055) / 1.055) ** 2.4)


def shown(values: Numbers) -> Numbers:
    """Linear light as sRGB 0 to 1."""
    v = np.clip(values, 0, 1)
    return np.where(v <= 0.0031308, 12.92 * v, 1.055 * v ** (1 / 2.4) - 0.055)


def measure_body(image: Image, corners: Array) -> Body:
    """The median colour of the body: of the face's two heaps, the one that lies between the pips."""
    crop, _ = rectified(image, corners, CROP, SPAN)
    face, free = _cells()
    pixels = crop[face].astype(np.float32) / 255
    lab = np.asarray(cv2.cvtColor(pixels[None], cv2.COLOR_BGR2Lab)[0], np.float32)
    above = one_heap(lab)
    body = pixels[above == (float(above[free].mean()) > 0.5)]
    blue, green, red = (float(v) for v in linear(median(body)))
    return Body(red, green, blue)


@lru_cache(maxsize=1)
def _rim() -> NDArray[np.bool_]:
    """Just inside the face's edge, where no pip lies."""
    axis = (np.arange(RIM_CROP) - (RIM_CROP - 1) / 2) / RIM_CROP * RIM_SPAN
    u, v = np.meshgrid(axis, axis)
    off = np.maximum(np.abs(u), np.abs(v))
    return np.asarray((off > RIM[0]) & (off < RIM[1]) & (np.hypot(u, v) < ROUNDED))


def measure_rim(image: Image, corners: Array) -> Body:
    """The colour of the body along the face's edge, there where it is strongest.

    A lamp that gleams in a face makes its middle white; the rounded edge looks elsewhere, its colour stays.
    """
    crop, _ = rectified(image, corners, RIM_CROP, RIM_SPAN)
    pixels = crop[_rim()].astype(np.float32) / 255
    lab = np.asarray(cv2.cvtColor(pixels[None], cv2.COLOR_BGR2Lab)[0], np.float32)
    strength = np.hypot(lab[:, 1], lab[:, 2])
    weak = ceil((1 - STRONGEST) * (len(strength) - 1))
    strongest = pixels[strength >= np.partition(strength, weak)[weak]]
    blue, green, red = (float(v) for v in linear(median(strongest)))
    return Body(red, green, blue)


# ---------------------------------------------------------------- the model


@dataclass(frozen=True)
class Heap:
    """A cloud of logarithms of colour: its middle, the inverse of its covariance, and its scale."""

    middle: Numbers
    inverse: Numbers
    scale: float

    def likelihood(self, points: Numbers) -> Numbers:
        away = points - self.middle
        squared = np.einsum("...i,ij,...j->...", away, self.inverse, away)
        return np.asarray(-0.5 * (TAILS + 3) * np.log1p(squared / TAILS) - self.scale)


@dataclass(frozen=True)
class Shaded:
    """A heap, some of whose points a shadow's edge makes darker or brighter in all channels alike."""

    lit: Heap
    shaded: Heap

    def likelihood(self, points: Numbers) -> Numbers:
        lit, shaded = self.lit.likelihood(points), self.shaded.likelihood(points)
        return np.asarray(np.logaddexp(np.log(1 - SHADED) + lit, np.log(SHADED) + shaded))


def heap(middle: Sequence[float], spread: Numbers) -> Heap:
    inverse = np.asarray(np.linalg.inv(spread), np.float64)
    return Heap(np.array(middle, float), inverse, float(np.linalg.slogdet(spread)[1]) / 2)


@lru_cache(maxsize=1)
def _kept() -> dict[str, Any]:
    text = resources.files("vision").joinpath("weights/colours.json").read_text(encoding="utf-8")
    return cast("dict[str, Any]", json.loads(text))


def _kept_heap(name: str, shadow: float = 0.0) -> Heap:
    kept = _kept()["heaps"][name]
    return heap(kept["middle"], np.array(kept["covariance"]) + shadow)


@lru_cache(maxsize=1)
def _light() -> Heap:
    """What white is like in the lights of homes."""
    return _kept_heap("light")


@lru_cache(maxsize=8)
def _dice(name: str) -> Shaded:
    """How dice of a colour look beside white ones, or one white die beside the other: "pair"."""
    return Shaded(_kept_heap(name), _kept_heap(name, SHADOW))


@lru_cache(maxsize=1)
def _shades() -> Numbers:
    """How likely a die of each colour of the palette has each shade of pips, in logarithms."""
    return np.log([_kept()["pips"][colour.value] for colour in PALETTE])


def shade_of(lighter: float) -> int:
    """The shade of pips so much lighter than the body."""
    return DARK if lighter < DARK_PIPS else LIGHT if lighter > LIGHT_PIPS else HARD_TO_SAY


def _told_by_pips(bodies: Sequence[Body]) -> Numbers:
    """For each die and each colour of the palette, what its pips say for it."""
    shades = _shades()
    return np.array([shades[:, shade_of(b.pips)] if b.pips is not None else 0 * shades[:, 0] for b in bodies])


def against_white(bodies: Numbers, white: Numbers) -> Numbers:
    """Logarithms of colours as parts of white; what is darker than a camera can tell counts alike."""
    return np.asarray(np.log((bodies + DARKEST * white + 1e-4) / (white * (1 + DARKEST) + 1e-4)))


def light_of(white: Numbers) -> Numbers:
    """A white as what it says of the light: red and blue against green, and how bright."""
    red, green, blue = np.moveaxis(np.log(white + 1e-4), -1, 0)
    return np.stack([red - green, blue - green, green], -1)


def pair_of(one: Numbers, other: Numbers) -> Numbers:
    return np.asarray(np.log((one + 0.002) / (other + 0.002)))


@dataclass(frozen=True)
class Ways:
    """Ways to give dice their colours, one a row, colours as numbers in PALETTE, and how likely they are."""

    colours: NDArray[np.int64]
    likelihoods: Numbers


@lru_cache(maxsize=8)
def _orders(count: int) -> NDArray[np.int64]:
    """All ways to give that many dice different colours that are not white."""
    ways = list(permutations(range(len(HUED)), count))
    return np.array(ways, np.int64).reshape(len(ways), count)


def _ways(dice: Sequence[Body]) -> Ways:
    """All ways to give the dice colours of one full set."""
    n = len(dice)
    if n == 0:
        return Ways(np.zeros((0, 0), np.int64), np.zeros(0))
    bodies, told = np.array([die.numbers for die in dice]), _told_by_pips(dice)
    colours, likelihoods = [np.zeros((0, n), np.int64)], [np.zeros(0)]
    for whites in range(max(0, n - len(HUED)), min(WHITES, n) + 1):
        orders = _orders(n - whites)
        chosen, rest = _chosen(n, whites)
        white, likelihood = _white(bodies, chosen)
        features = against_white(bodies[rest], white[:, None])
        table = np.stack([_dice(c.value).likelihood(features) for c in HUED], -1)
        given = np.zeros((len(chosen), len(orders), n), np.int64)
        np.put_along_axis(given, rest[:, None], orders[None] + 1, axis=2)
        by_hue = table[:, np.arange(n - whites), orders].sum(2)
        by_pips = told[np.arange(n), given].sum(2)
        colours.append(given.reshape(-1, n))
        likelihoods.append((likelihood[:, None] + by_hue + by_pips).ravel())
    return Ways(np.concatenate(colours), np.concatenate(likelihoods))


@lru_cache(maxsize=32)
def _chosen(count: int, whites: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """All ways to take so many of that many dice, one a row, and what is left each time."""
    ways = list(combinations(range(count), whites))
    left = [[i for i in range(count) if i not in way] for way in ways]
    taken = np.array(ways, np.int64).reshape(len(ways), whites)
    return taken, np.array(left, np.int64).reshape(len(ways), count - whites)


def _white(bodies: Numbers, chosen: NDArray[np.int64]) -> tuple[Numbers, Numbers]:
    """What white is if the dice chosen in each row are the white ones, and how likely that is."""
    light, whites = _light(), bodies[chosen]
    if chosen.shape[1] == WHITES:
        one, other = whites[:, 0], whites[:, 1]
        white = np.sqrt(one * other) + 1e-4
        return white, _dice("pair").likelihood(pair_of(one, other)) + light.likelihood(light_of(white))
    if chosen.shape[1]:
        white = whites[:, 0] + 1e-4
        return white, light.likelihood(light_of(white))
    red, blue, _ = light.middle
    green = float(bodies.max(initial=0.05))
    return green * np.exp(np.array([[red, 0.0, blue]])), np.zeros(1)


def assign(bodies: Sequence[Body], expected: Sequence[DieColour]) -> Assignment:
    """The likeliest colours of all dice together, if they are at most a full set, expected or not."""
    found = weighed(_ways(bodies), expected, SOFTNESS)
    chances = [
        chance if like > STRANGE else min(chance, NO_CHANCE)
        for chance, like in zip(found.chances, _likeness(bodies, found.colours), strict=True)
    ]
    return replace(found, chances=tuple(chances))


def _likeness(bodies: Sequence[Body], colours: Sequence[DieColour]) -> list[float]:
    """How much each die looks like one of its colour beside the white ones, as a logarithm of likelihood."""
    whites = [die.numbers for die, colour in zip(bodies, colours, strict=True) if colour is DieColour.WHITE]
    if not whites:
        return [0.0] * len(bodies)
    white = np.exp(np.mean(np.log(np.array(whites) + 1e-9), axis=0)) + 1e-4
    pair = float(_dice("pair").likelihood(pair_of(whites[0], whites[-1])))
    return [
        pair
        if colour is DieColour.WHITE
        else float(_dice(colour.value).likelihood(against_white(die.numbers, white)))
        for die, colour in zip(bodies, colours, strict=True)
    ]


def weighed(ways: Ways, expected: Sequence[DieColour], softness: float) -> Assignment:
    """The likeliest of all ways, unexpected dice at a price, and the chance of each die's colour."""
    count, n = ways.colours.shape
    if count == 0:
        return Assignment((DieColour.OTHER,) * n, (0.0,) * n, n == 0 and not expected)
    wanted = Counter(expected)
    strange = np.zeros(count)
    for number, colour in enumerate(PALETTE):
        strange += np.maximum((ways.colours == number).sum(1) - wanted[colour], 0)
    scores = ways.likelihoods - UNEXPECTED * strange
    best = int(np.argmax(scores))
    weights = np.exp((scores - scores[best]) / softness)
    weights /= weights.sum()
    alike = ways.colours == ways.colours[best]
    chances = tuple(float(v) for v in weights @ alike)
    return Assignment(tuple(PALETTE[i] for i in ways.colours[best]), chances, bool(strange[best] == 0))


# ---------------------------------------------------------------- one die by itself

_HUES = (  # degrees of the colour circle, up to which
    (20.0, DieColour.RED),
    (36.0, DieColour.OTHER),
    (72.0, DieColour.YELLOW),
    (172.0, DieColour.GREEN),
    (190.0, DieColour.OTHER),
    (258.0, DieColour.BLUE),
    (335.0, DieColour.OTHER),
    (360.0, DieColour.RED),
)
_WARM = (15.0, 65.0)  # hues a white die takes under a lamp
_COOL = (170.0, 260.0)  # and under the sky, where pips tell it from a pale blue one
_LAMP = (22.0, 42.0)  # and under the warmest lamps: no yellow or orange die is so pale there
_PALE, _PALE_WHEN_CAST, _PALE_IN_LAMP = 0.24, 0.42, 0.5  # saturation below which a bright die is white
_DARK, _DARKEST_HUE = 0.3, 0.16  # a darker die is black unless a hue is left, and below the second anyhow


def name_alone(body: Body) -> DieColour:
    """The colour of a die of any set, judged by itself; `black` and `other` are possible."""
    shown = np.clip(body.numbers, 0, 1) ** (1 / 2.2)
    high, low = float(shown.max()), float(shown.min())
    saturation = (high - low) / max(high, 1e-3)
    hue = _hue(shown, high - low)
    if high < _DARK and (saturation < 0.4 or high < _DARKEST_HUE):
        return DieColour.BLACK
    if saturation < (_palest(hue, body.pips) if high > 0.6 else _PALE):
        return DieColour.WHITE if high > 0.45 else DieColour.BLACK
    return next(colour for limit, colour in _HUES if hue <= limit)


def _palest(hue: float, pips: float | None) -> float:
    """Up to which saturation a bright die is white that has the light's hue, not its own."""
    shade = HARD_TO_SAY if pips is None else shade_of(pips)
    if shade == LIGHT:  # pips of a white die are dark
        return _PALE
    if _LAMP[0] < hue < _LAMP[1] and shade == DARK:
        return _PALE_IN_LAMP
    cool = _COOL[0] < hue < _COOL[1] and shade == DARK
    return _PALE_WHEN_CAST if cool or _WARM[0] < hue < _WARM[1] else _PALE


def _hue(shown: Numbers, spread: float) -> float:
    """Degrees round the colour circle: 0 red, 120 green, 240 blue."""
    red, green, blue = (float(v) for v in shown)
    if spread < 1e-3:
        return 0.0
    if red >= max(green, blue):
        return 60 * ((green - blue) / spread) % 360
    return 60 * ((blue - red) / spread + 2) if green >= blue else 60 * ((red - green) / spread + 4)
