"""Which dice lean: a die that stands flat shows its foot where the camera's place says. Sees no pixels.

From straight above a die hides its foot; beside the camera the foot shows towards the point below the camera,
the farther away the more. All flat dice agree on that point; a leaning die points elsewhere.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

FOCAL = 0.86  # of the picture's long side: usual lenses lie between 0.77 and 0.98
LENSES = (0.88, 1.0, 1.14)  # of it
TILT = 0.3  # of a usual camera, as tangent: how far the point below it lies from the picture's middle
STRAY = 0.07  # of a foot seen by the network, in edges
ROUNDS = 8


def strays(
    middles: Sequence[tuple[float, float]], feet: Sequence[tuple[float, float]], shape: tuple[int, int]
) -> Numbers:
    """For each die how far its foot is from where it would be if it stood flat, in edges."""
    if not len(middles):
        return np.zeros(0)
    height, width = shape
    places = np.array(middles) - (width / 2, height / 2)
    shown = np.array(feet)
    best: tuple[float, Numbers] | None = None
    for lens in LENSES:
        away = places / (FOCAL * lens * max(width, height)) + shown  # where each die believes the camera is
        cost, off = _agreed(away)
        if best is None or cost < best[0]:
            best = cost, off
    return best[1] if best is not None else np.zeros(len(places))


def _agreed(points: Numbers) -> tuple[float, Numbers]:
    """How badly points agree, strays counting little, and how far each is from what they agree on."""
    weights = np.ones(len(points))
    prior = (STRAY / TILT) ** 2
    off = np.zeros(len(points))
    for _ in range(ROUNDS):
        middle = (points * weights[:, None]).sum(0) / (weights.sum() + prior)
        off = np.linalg.norm(points - middle, axis=1)
        weights = 1 / (1 + (off / (2 * STRAY)) ** 2) ** 2
    cost = float(np.log1p((off / (2 * STRAY)) ** 2).sum()) + float((middle**2).sum()) / TILT**2
    return cost, off
