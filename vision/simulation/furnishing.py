"""Places that are no lid, furnished from a seed: trays of leather and of wood, mats, the bare table."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from vision.simulation.shape import Shape
from vision.simulation.style import LID_FLOORS, WOODS, Colour, Floor, Style, style_of, vary
from vision.simulation.trays import Disc, Regular, Walls

LEATHERS: tuple[Colour, ...] = (
    (0.055, 0.026, 0.013),
    (0.16, 0.065, 0.024),
    (0.018, 0.018, 0.019),
    (0.085, 0.012, 0.016),
    (0.02, 0.03, 0.055),
)
FELTS = LID_FLOORS[Floor.FELT]
HEM = 1.2  # millimetres by which the edge of a mat stands up


def style_in(random: np.random.Generator, shape: Shape) -> Style:
    """A table drawn by lot, with such a place on it; lamp, dice and table top are those of any other."""
    style = style_of(random)
    own = np.random.default_rng((style.texture_seed, list(Shape).index(shape)))
    return FURNISHED[shape](own, style)


def _lid(random: np.random.Generator, style: Style) -> Style:  # noqa: ARG001 - as it was drawn
    return style


def _soft(random: np.random.Generator, style: Style) -> Style:
    """Walls of leather round felt or leather."""
    hide = LEATHERS[int(random.integers(len(LEATHERS)))]
    tints = FELTS if random.random() < 0.7 else LEATHERS
    return replace(
        style,
        floor=Floor.FELT if tints is FELTS else Floor.LEATHER,
        floor_colour=vary(random, tints[int(random.integers(len(tints)))], 0.1),
        wall_colour=vary(random, hide, 0.1),
        rim_colour=vary(random, hide, 0.3),
    )


def _round(random: np.random.Generator, style: Style) -> Style:
    tray = Disc.of(random.uniform(180, 250), random.uniform(22, 36), random.uniform(2.5, 5))
    return replace(_soft(random, style), tray=tray)


def _cornered(sides: int) -> Callable[[np.random.Generator, Style], Style]:
    def furnished(random: np.random.Generator, style: Style) -> Style:
        tray = Regular.of(sides, random.uniform(175, 230), random.uniform(20, 32), random.uniform(2, 4))
        return replace(_soft(random, style), tray=tray)

    return furnished


def _wooden(random: np.random.Generator, style: Style) -> Style:
    first, second = WOODS[int(random.integers(len(WOODS)))]
    grain = (vary(random, first, 0.15), vary(random, second, 0.15))
    lined = random.random() < 0.6
    colour = vary(random, FELTS[int(random.integers(len(FELTS)))], 0.1) if lined else grain[0]
    return replace(
        style,
        tray=Walls(
            random.uniform(190, 250), random.uniform(140, 190), random.uniform(18, 40), random.uniform(6, 12)
        ),
        floor=Floor.FELT if lined else Floor.WOOD,
        floor_colour=colour,
        grain=grain,
    )


def _mat(random: np.random.Generator, style: Style) -> Style:
    """Cloth with a hem, and no walls."""
    tints = (*FELTS, *LID_FLOORS[Floor.GREY])
    colour = vary(random, tints[int(random.integers(len(tints)))], 0.1)
    hem = (
        vary(random, (0.02, 0.02, 0.02), 0.3) if random.random() < 0.6 else vary(random, (0.5, 0.4, 0.2), 0.3)
    )
    return replace(
        style,
        tray=Walls(random.uniform(200, 260), random.uniform(150, 200), HEM, random.uniform(2.5, 5)),
        floor=Floor.FELT,
        floor_colour=colour,
        wall_colour=hem,
        rim_colour=hem,
    )


def _bare(random: np.random.Generator, style: Style) -> Style:
    """Dice lie on the table itself, about as far apart as in a lid."""
    return replace(
        style,
        tray=Walls(random.uniform(190, 240), random.uniform(140, 180), 0.0, 0.0),
        floor_colour=style.top_colour,
        is_bare=True,
    )


FURNISHED: dict[Shape, Callable[[np.random.Generator, Style], Style]] = {
    Shape.LID: _lid,
    Shape.ROUND: _round,
    Shape.HEXAGON: _cornered(6),
    Shape.OCTAGON: _cornered(8),
    Shape.WOOD: _wooden,
    Shape.MAT: _mat,
    Shape.BARE: _bare,
}
