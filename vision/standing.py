"""Which dice lean: a die that stands flat shows its foot where the camera's place says. Sees no pixels.

From straight above a die hides its foot; beside the camera the foot shows towards the point below the camera,
the farther away the more. All flat dice agree on how the camera is tilted; a leaning die tells another story.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.reading import Point

Numbers = NDArray[np.float64]

FOCAL = 0.86  # of the picture's long side: usual lenses lie between 0.77 and 0.98
LENSES = (0.88, 1.0, 1.14)  # of it
TILT = 0.25  # of a usual camera, as sine
STEEPEST = 0.8
STRAY = 0.05  # of a foot seen by the network, in edges
FOOT_STRAY = 0.08  # of all feet together: the network sees them a little short
SIZE_STRAY = 0.08  # of a face's size, in logarithms
ROUNDS = 8


@dataclass(frozen=True, slots=True)
class Stand:
    """How a die stands among the others."""

    stray: float  # how far its foot is from where it would be if it stood flat, in edges
    size: float  # its face against the others', the way it is seen taken out: above 1, it lies higher


@dataclass(frozen=True, slots=True)
class _Agreement:
    cost: float
    off: Numbers
    nearness: Numbers  # how much larger the tilt makes each face seem


@dataclass(frozen=True, slots=True)
class Top:
    """The top face of what may be a die, in pixels, the way to its foot in edges, how likely it is one."""

    middle: Point
    size: float
    foot: Point
    chance: float = 1.0


def stands(tops: Sequence[Top], shape: tuple[int, int]) -> tuple[Stand, ...]:
    """How each die stands among those that are likely to be dice."""
    if not tops:
        return ()
    height, width = shape
    places = np.array([t.middle for t in tops], float) - (width / 2, height / 2)
    edges, feet = np.array([t.size for t in tops]), np.array([t.foot for t in tops], float)
    trust = np.maximum(np.array([t.chance for t in tops]), 1e-3)
    best: _Agreement | None = None
    for lens in LENSES:
        focal = FOCAL * max(width, height) * lens
        found = _agreed(places / focal, edges / focal, feet, trust)
        if best is None or found.cost < best.cost:
            best = found
    if best is None:
        return ()
    level = edges / best.nearness
    level /= _middle(level, trust)
    return tuple(Stand(float(off), float(size)) for off, size in zip(best.off, level, strict=True))


def _middle(values: Numbers, weights: Numbers) -> float:
    """The median of values that count by their weights."""
    order = np.argsort(values)
    below = np.cumsum(weights[order])
    return float(values[order[int(np.searchsorted(below, below[-1] / 2))]])


def _told_by_sizes(
    places: Numbers, edges: Numbers, weights: Numbers, upright: float, tilt: Numbers
) -> tuple[Numbers, Numbers]:
    """What the sizes of the faces say of the tilt, as they grow towards the camera, and how surely."""
    total = weights.sum()
    slope = 1.5 * (places - (places * weights[:, None]).sum(0) / total) / upright
    logs = np.log(edges)
    logs = np.clip(logs - float((logs * weights).sum()) / total, -0.5, 0.5)
    odd = np.abs(logs - slope @ tilt) / (2 * SIZE_STRAY)
    counted = weights / (1 + odd**2) ** 2 / SIZE_STRAY**2
    return (slope * (logs * counted)[:, None]).sum(0), (slope * counted[:, None]).T @ slope


def _agreed(places: Numbers, edges: Numbers, feet: Numbers, trust: Numbers) -> _Agreement:
    """How badly the dice agree on a tilt, strays counting little, and how far each foot is off.

    The tilt is the sine of the camera's lean, as the way in the picture to the point below it. `places` and
    `edges` are in focal lengths.
    """
    tilt, weights = np.zeros(2), trust
    off, slant = np.zeros(len(places)), np.ones(len(places))
    for _ in range(ROUNDS):
        upright = float(np.sqrt(max(1 - float(tilt @ tilt), 0.1)))
        slant = np.maximum(upright + places @ tilt, 0.2)
        shortened = np.sqrt(slant)  # a face seen at a slant is small
        deeper = 1 + edges / shortened * upright  # the foot is farther away than the face
        told = feet * (shortened * deeper)[:, None] + places * upright
        by_feet = (told * weights[:, None]).sum(0) / FOOT_STRAY**2
        by_sizes, sureness = _told_by_sizes(places, edges, weights, upright, tilt)
        known = np.eye(2) * (weights.sum() / FOOT_STRAY**2 + 1 / TILT**2) + sureness
        tilt = np.linalg.solve(known, by_feet + by_sizes)
        tilt *= min(1.0, STEEPEST / max(float(np.hypot(*tilt)), 1e-9))
        off = np.linalg.norm(told - tilt, axis=1)
        weights = trust / (1 + (off / (2 * STRAY)) ** 2) ** 2
    cost = float((trust * np.log1p((off / (2 * STRAY)) ** 2)).sum()) + float(tilt @ tilt) / TILT**2
    return _Agreement(cost, off, slant**1.5)
