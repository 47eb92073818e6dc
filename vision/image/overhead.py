"""A picture taken from aside, shown as a camera straight above would see the table. Knows no dice."""

import math
from dataclasses import dataclass

import cv2
import numpy as np

from vision.image.arrays import Image, Numbers
from vision.reading import Point

FOCAL = 0.77  # of the picture's long side, as phones have it; another lens tells of another lean, that is all
LEAST_UPRIGHT = 0.25  # cosine: what is seen nearer to the horizon cannot be shown from above
HALF = 0.6  # a picture made as small as that is halved first: warping does not average


@dataclass(frozen=True, slots=True)
class Overhead:
    """The way from a picture to the table as seen from above."""

    matrix: Numbers
    size: tuple[int, int]
    below: Point  # the camera, in the view
    focal: float  # in its pixels

    def of(self, image: Image) -> Image:
        """The table from above; beside the picture its rim goes on."""
        onto: Numbers = self.matrix
        seen = image
        if self._scale() < HALF:
            small = cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
            across, down = image.shape[1] / small.shape[1], image.shape[0] / small.shape[0]
            grown: Numbers = np.array(
                [(across, 0, across / 2 - 0.5), (0, down, down / 2 - 0.5), (0, 0, 1)], np.float64
            )
            onto = np.asarray(onto @ grown)
            seen = small.astype(np.uint8, copy=False)
        view = cv2.warpPerspective(
            seen, onto, self.size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        return view.astype(np.uint8, copy=False)

    def back(self, points: Numbers) -> Numbers:
        """Points of the view as points of the picture."""
        return carried(points, np.asarray(np.linalg.inv(self.matrix), np.float64))

    def _scale(self) -> float:
        """How long a pixel of the picture is in the middle of the view."""
        middle = np.array([(self.size[0] / 2, self.size[1] / 2)])
        return _scale_at(self.matrix, self.back(middle)[0])


def overhead(
    shape: tuple[int, ...], lean: Point, points: Numbers, pixels: tuple[float, float], around: float
) -> Overhead | None:
    """The view round these points of a picture whose camera leans so; None where the horizon is too near.

    `lean` is its sine, as the way in the picture to the point below the camera. `pixels`: what is so long
    in the picture, and how long it is to be in the view; so many times that is shown `around` the points.
    """
    height, width = shape[:2]
    focal, middle = FOCAL * max(width, height), np.array((width / 2, height / 2))
    turned = _turned(lean)
    rays = np.concatenate([(points - middle) / focal, np.ones((len(points), 1))], axis=1)
    if ((rays @ turned.T)[:, 2] / np.linalg.norm(rays, axis=1)).min() < LEAST_UPRIGHT:
        return None
    lens = np.array([(focal, 0, middle[0]), (0, focal, middle[1]), (0, 0, 1)])
    straight = lens @ turned @ np.linalg.inv(lens)
    there = carried(points, straight)
    scale = pixels[1] / pixels[0] / _scale_at(straight, points.mean(0))
    low, high = scale * there.min(0) - around * pixels[1], scale * there.max(0) + around * pixels[1]
    shift = np.array([(scale, 0, -low[0]), (0, scale, -low[1]), (0, 0, 1)])
    size = (math.ceil(float(high[0] - low[0])), math.ceil(float(high[1] - low[1])))
    below = carried(middle[None], shift)[0]
    return Overhead(shift @ straight, size, (float(below[0]), float(below[1])), focal * scale)


def carried(points: Numbers, matrix: Numbers) -> Numbers:
    """Points through a perspective."""
    return np.asarray(cv2.perspectiveTransform(np.asarray(points, np.float64)[:, None], matrix)[:, 0])


def _turned(lean: Point) -> Numbers:
    """The turn of a camera that leans so to one that looks straight down."""
    sine = math.hypot(*lean)
    if sine < 1e-9:
        return np.eye(3)
    axis = np.array((lean[1], -lean[0], 0.0)) / sine
    return np.asarray(cv2.Rodrigues(axis * math.asin(min(sine, 1.0)))[0], np.float64)


def _scale_at(matrix: Numbers, point: Numbers) -> float:
    """The length of what was one pixel long, by its area."""
    origin, right, down = carried(point + np.array([(0, 0), (1, 0), (0, 1)]), matrix)
    (a, b), (c, d) = right - origin, down - origin
    return math.sqrt(abs(float(a * d - b * c))) + 1e-9
