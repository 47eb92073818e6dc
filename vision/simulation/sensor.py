"""The noise of a camera's sensor, drawn by lot once and shifted from picture to picture."""

from typing import cast

import cv2
import numpy as np

from vision.image.arrays import Image

MARGIN = 64
USUAL_SIZE = (1024, 768)


def noise_of(random: np.random.Generator, strength: float, size: tuple[int, int]) -> Image:
    """Sensor noise round 128, larger than a picture: each frame takes another part of it.

    As much of it is drawn by lot for any size, so that a seed throws the same dice at any size.
    """
    width, height = (side + MARGIN for side in USUAL_SIZE)
    grey = random.standard_normal((height, width, 1)).astype(np.float32)
    colour = random.standard_normal((height, width, 3)).astype(np.float32)
    noise = np.clip(128 + strength * (0.8 * grey + 0.6 * colour), 0, 255).round().astype(np.uint8)
    across, down = (side + MARGIN for side in size)
    more = ((0, max(0, down - height)), (0, max(0, across - width)), (0, 0))
    return np.pad(noise, more, mode="wrap")[:down, :across].copy()


def with_noise(image: Image, noise: Image, number: int, strength: float) -> Image:
    """The picture of that number, as the sensor tells it."""
    height, width = image.shape[:2]
    x, y = (number * 37) % MARGIN, (number * 23) % MARGIN
    part = noise[y : y + height, x : x + width]
    return cast(Image, cv2.addWeighted(image, 1.0, part, strength, -128.0 * strength))
