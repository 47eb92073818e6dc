"""How one simulated table looks: lid, dice, lamp, table top, camera; everything follows from a seed.

Places that are no lid are furnished in `furnishing.py`.
"""

import math
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from vision.reading import DieColour
from vision.simulation.geometry import Optics, Pinhole, RoundLamp, look_down
from vision.simulation.trays import Tray, Walls

Colour = tuple[float, float, float]  # linear red, green, blue


class Floor(StrEnum):
    """What the dice lie on."""

    WHITE = "white"
    GREY = "grey"
    KRAFT = "kraft"
    FELT = "felt"
    LEATHER = "leather"
    WOOD = "wood"


class TableTop(StrEnum):
    """What the lid stands on."""

    WOOD = "wood"
    CLOTH = "cloth"
    PLAIN = "plain"


@dataclass(frozen=True, slots=True)
class DiceStyle:
    """One set of dice: the edge in millimetres, rounding, and colours of bodies and pips."""

    edge: float
    rounding: float
    pip: float  # radius over half an edge
    bodies: dict[DieColour, Colour]
    dark_pip: Colour
    light_pip: Colour
    dark_pips_on_yellow: bool
    left_handed: bool

    def body(self, colour: DieColour) -> Colour:
        return self.bodies[colour]

    def pips(self, colour: DieColour) -> Colour:
        dark = colour is DieColour.WHITE or (colour is DieColour.YELLOW and self.dark_pips_on_yellow)
        return self.dark_pip if dark else self.light_pip


@dataclass(frozen=True, slots=True)
class Style:
    """One installation, as an owner has it once the camera is mounted."""

    tray: Tray
    floor: Floor
    floor_colour: Colour
    wall_colour: Colour
    rim_colour: Colour
    top: TableTop
    top_colour: Colour
    second_colour: Colour
    lamp: RoundLamp
    lamp_colour: Colour
    room_colour: Colour
    dice: DiceStyle
    noise: float
    blur: float
    texture_seed: int
    grain: tuple[Colour, Colour] | None = None  # of walls of wood
    is_bare: bool = False  # no place at all: `tray` is where the dice come to lie

    @property
    def light(self) -> float:
        """The lamp's strength at which a white card under it is nearly white in the picture."""
        return 0.76


LID_FLOORS: dict[Floor, tuple[Colour, ...]] = {
    Floor.WHITE: ((0.78, 0.77, 0.74),),
    Floor.GREY: ((0.33, 0.32, 0.30), (0.20, 0.20, 0.20)),
    Floor.KRAFT: ((0.47, 0.30, 0.16),),
    Floor.FELT: ((0.012, 0.11, 0.045), (0.15, 0.018, 0.03), (0.025, 0.045, 0.16), (0.05, 0.05, 0.055)),
}
RIMS: tuple[Colour, ...] = (
    (0.55, 0.03, 0.03),
    (0.02, 0.08, 0.35),
    (0.03, 0.03, 0.03),
    (0.7, 0.68, 0.62),
    (0.6, 0.35, 0.02),
)
WOODS: tuple[tuple[Colour, Colour], ...] = (
    ((0.36, 0.18, 0.075), (0.19, 0.085, 0.032)),
    ((0.52, 0.32, 0.15), (0.36, 0.20, 0.085)),
    ((0.13, 0.065, 0.035), (0.06, 0.03, 0.017)),
)
CLOTHS: tuple[tuple[Colour, Colour], ...] = (
    ((0.62, 0.62, 0.60), (0.07, 0.14, 0.33)),
    ((0.62, 0.61, 0.55), (0.36, 0.06, 0.06)),
    ((0.60, 0.62, 0.55), (0.12, 0.27, 0.10)),
)
PLAINS: tuple[tuple[Colour, Colour], ...] = (
    ((0.30, 0.34, 0.30), (0.27, 0.31, 0.27)),
    ((0.07, 0.075, 0.085), (0.06, 0.065, 0.075)),
    ((0.45, 0.43, 0.40), (0.41, 0.39, 0.36)),
)
TOPS = {TableTop.WOOD: WOODS, TableTop.CLOTH: CLOTHS, TableTop.PLAIN: PLAINS}


def vary(random: np.random.Generator, colour: Colour, by: float) -> Colour:
    tone = random.uniform(1 - by, 1 + by)
    red, green, blue = (
        float(np.clip(c * tone * random.uniform(1 - by / 4, 1 + by / 4), 0.004, 0.9)) for c in colour
    )
    return red, green, blue


def dice_style(random: np.random.Generator) -> DiceStyle:
    """A set of six dice: 12 to 16 mm, real ones differ a little from maker to maker."""
    bodies: dict[DieColour, Colour] = {
        DieColour.WHITE: vary(random, (0.80, 0.79, 0.74), 0.03),
        DieColour.RED: vary(random, (0.50, 0.015, 0.018), 0.2),
        DieColour.YELLOW: vary(random, (0.80, 0.52, 0.012), 0.10),
        DieColour.GREEN: vary(random, (0.010, 0.19, 0.05), 0.2),
        DieColour.BLUE: vary(random, (0.012, 0.05, 0.34), 0.2),
    }
    return DiceStyle(
        edge=float(random.choice([12.0, 14.0, 16.0])),
        rounding=random.uniform(0.14, 0.26),
        pip=random.uniform(0.17, 0.21),
        bodies=bodies,
        dark_pip=(0.008, 0.008, 0.009),
        light_pip=(0.86, 0.85, 0.82),
        dark_pips_on_yellow=bool(random.random() < 0.8),
        left_handed=bool(random.random() < 0.5),
    )


def style_of(random: np.random.Generator) -> Style:
    """A table drawn by lot; a white floor never stands under a light too bright to see white dice on it."""
    floor = list(LID_FLOORS)[int(random.integers(len(LID_FLOORS)))]
    top = list(TableTop)[int(random.integers(len(TableTop)))]
    first, second = TOPS[top][int(random.integers(len(TOPS[top])))]
    tints = LID_FLOORS[floor]
    warmth = random.uniform(-0.06, 0.16)
    around = random.uniform(0, 2 * math.pi)
    away = random.uniform(120, 330)
    rim = RIMS[int(random.integers(len(RIMS)))]
    outside_floor = floor is Floor.FELT and random.random() < 0.5
    floor_colour = vary(random, tints[int(random.integers(len(tints)))], 0.06)
    return Style(
        tray=Walls(
            random.uniform(170, 215), random.uniform(130, 165), random.uniform(22, 36), random.uniform(1.5, 3)
        ),
        floor=floor,
        floor_colour=floor_colour,
        wall_colour=floor_colour if outside_floor else vary(random, (0.55, 0.54, 0.50), 0.2),
        rim_colour=vary(random, rim, 0.15),
        top=top,
        top_colour=vary(random, first, 0.1),
        second_colour=vary(random, second, 0.1),
        lamp=RoundLamp(
            away * math.cos(around), away * math.sin(around), random.uniform(520, 760), random.uniform(35, 90)
        ),
        lamp_colour=(1.0 + warmth, 1.0, 1.0 - 1.4 * warmth),
        room_colour=(0.98, 1.0, 1.03),
        dice=dice_style(random),
        noise=random.uniform(1.2, 2.6),
        blur=random.uniform(0.45, 0.8),
        texture_seed=int(random.integers(2**31)),
    )


@dataclass(frozen=True, slots=True)
class Mount:
    """How a camera is held, each from least to most: millimetres over the table, degrees it leans and sees.

    What it sees is counted along the picture's long side.
    """

    height: tuple[float, float]
    tilt: tuple[float, float]
    sees: float


def view_from(random: np.random.Generator, mount: Mount, width: int, height: int) -> Pinhole:
    """A camera held so, turned anyhow, that looks at about the lid's middle."""
    focal = max(width, height) / (2 * math.tan(math.radians(mount.sees) / 2))
    roll = random.uniform(-0.35, 0.35) + (math.pi if random.random() < 0.5 else 0.0)
    aim = (random.uniform(-8, 8), random.uniform(-8, 8))
    above, tilt = random.uniform(*mount.height), math.radians(random.uniform(*mount.tilt))
    return look_down(above, tilt, random.uniform(0, 6.28), aim, Optics(width, height, focal, roll))


def view_of(random: np.random.Generator, tray: Tray, width: int, height: int) -> Pinhole:
    """A camera mounted by hand: about over the place, leaning a little, all of it well in the picture."""
    focal = width / (2 * math.tan(math.radians(random.uniform(54, 64)) / 2))
    roll = random.uniform(-0.35, 0.35) + (math.pi if random.random() < 0.5 else 0.0)
    across, down = tray.spread(roll)
    fill = random.uniform(0.60, 0.74)
    above = focal * max(across / width, down / height) / fill + tray.wall * 0.5
    aim = (random.uniform(-12, 12), random.uniform(-10, 10))
    optics = Optics(width, height, focal, roll)
    return look_down(above, math.radians(random.uniform(0, 7)), random.uniform(0, 6.28), aim, optics)
