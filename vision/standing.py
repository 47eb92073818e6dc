"""Which dice lean: a die that stands flat shows its foot where the camera's place says. Sees no pixels.

From straight above a die hides its foot; beside the camera the foot shows towards the point below the camera,
the farther away the more. All flat dice agree on how the camera is tilted; a leaning die tells another story.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.reading import Point

Numbers = NDArray[np.float64]

FOCAL = 0.86  # of the picture's long side: usual lenses lie between 0.77 and 0.98
LENSES = (0.88, 1.0, 1.14)  # of it
TILT = 0.25  # of a usual camera, as sine
STEEPEST = 0.8
STRAY = 0.05  # of a foot seen by the network, in edges
ROUNDS = 8


def strays(
    middles: Sequence[Point], sizes: Sequence[float], feet: Sequence[Point], shape: tuple[int, int]
) -> Numbers:
    """For each die how far its foot is from where it would be if it stood flat, in edges."""
    height, width = shape
    places = np.array(middles, float).reshape(-1, 2) - (width / 2, height / 2)
    shown = np.array(feet, float).reshape(-1, 2)
    edges = np.array(sizes, float)
    focal = FOCAL * max(width, height)
    fits = [_agreed(places / (focal * lens), edges / (focal * lens), shown) for lens in LENSES]
    return min(fits, key=lambda fit: fit[0])[1]


def _agreed(places: Numbers, edges: Numbers, feet: Numbers) -> tuple[float, Numbers]:
    """How badly the dice agree on a tilt, strays counting little, and how far each foot is off.

    The tilt is the sine of the camera's lean, as the way in the picture to the point below it. `places` and
    `edges` are in focal lengths.
    """
    tilt, weights = np.zeros(2), np.ones(len(places))
    prior = (STRAY / TILT) ** 2
    off = np.zeros(len(places))
    for _ in range(ROUNDS):
        upright = float(np.sqrt(max(1 - tilt @ tilt, 0.1)))
        shortened = np.sqrt(np.maximum(upright + places @ tilt, 0.2))  # a face seen at a slant is small
        deeper = 1 + edges / shortened * upright  # the foot is farther away than the face
        told = feet * (shortened * deeper)[:, None] + places * upright
        tilt = (told * weights[:, None]).sum(0) / (weights.sum() + prior)
        tilt *= min(1.0, STEEPEST / max(float(np.hypot(*tilt)), 1e-9))
        off = np.linalg.norm(told - tilt, axis=1)
        weights = 1 / (1 + (off / (2 * STRAY)) ** 2) ** 2
    cost = float(np.log1p((off / (2 * STRAY)) ** 2).sum()) + float(tilt @ tilt) / TILT**2
    return cost, off
