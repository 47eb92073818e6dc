"""Pictures made smaller, quickly. Knows no dice."""

import cv2
import numpy as np

from vision.image.arrays import Image, Numbers

HALF = 0.55  # a picture made as small as that is halved first: that averages and is quick, the rest is little


def resized(image: Image, size: tuple[int, int]) -> Image:
    """The picture in so many columns and rows."""
    while max(size) <= HALF * max(image.shape[:2]) and min(image.shape[:2]) > 1:
        image = _half(image)
    return cv2.resize(image, size, interpolation=cv2.INTER_LINEAR).astype(np.uint8, copy=False)


def halved(image: Image, matrix: Numbers) -> tuple[Image, Numbers]:
    """Half the picture, and what leads from it where the matrix leads from the picture."""
    half = _half(image)
    return half, matrix @ scaling(image.shape[1] / half.shape[1], image.shape[0] / half.shape[0])


def scaling(x: float, y: float) -> Numbers:
    """Scaling that keeps the picture's outer edges, not the middle of its first pixel."""
    return np.array([(x, 0, x / 2 - 0.5), (0, y, y / 2 - 0.5), (0, 0, 1)], np.float64)


def _half(image: Image) -> Image:
    half = cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    return half.astype(np.uint8, copy=False)
