"""A hand and forearm that reach into the picture; knows nothing of dice."""

from functools import lru_cache
from typing import cast

import cv2
import numpy as np

from vision.image.arrays import Image
from vision.simulation.geometry import Array

BAND = 64  # so many rows are painted at once
SIZE = 420  # pixels of the drawn hand, wrist to finger tips about 300
SKIN = np.array([126, 158, 205], np.float32)  # blue, green, red
REACH = 0.62  # where the palm's middle is in the drawn picture, from the top

# from, to (fractions of SIZE) and thickness of forearm, palm, fingers, thumb
PARTS = (
    ((0.50, -0.10), (0.50, 0.40), 0.20),
    ((0.46, 0.42), (0.46, 0.56), 0.22),
    ((0.54, 0.42), (0.54, 0.56), 0.22),
    ((0.375, 0.58), (0.335, 0.86), 0.082),
    ((0.46, 0.60), (0.445, 0.93), 0.088),
    ((0.545, 0.60), (0.555, 0.91), 0.088),
    ((0.625, 0.57), (0.66, 0.81), 0.076),
    ((0.40, 0.46), (0.235, 0.66), 0.092),
)


@lru_cache(maxsize=1)
def _hand() -> tuple[Image, Image]:
    """The hand's colours and its mask, up to 255."""
    mask = np.zeros((SIZE, SIZE), np.uint8)
    height: Array = np.zeros((SIZE, SIZE), np.float32)
    for start, end, thickness in PARTS:
        part = np.zeros_like(mask)
        ends = [(round(x * SIZE), round(y * SIZE)) for x, y in (start, end)]
        cv2.line(part, ends[0], ends[1], 255, round(thickness * SIZE), cv2.LINE_AA)
        depth = cv2.distanceTransform((part > 127).astype(np.uint8), cv2.DIST_L2, 5)
        half = thickness * SIZE / 2
        height = np.maximum(height, np.sqrt(np.maximum(0, half**2 - (half - np.minimum(depth, half)) ** 2)))
        mask = np.maximum(mask, part)
    across, down = np.gradient(cv2.GaussianBlur(height, (0, 0), 3))[::-1]
    normal = np.stack([-across, -down, np.ones_like(across)], axis=-1)
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
    shade = 0.42 + 0.62 * np.clip(normal @ np.array([-0.3, -0.35, 0.88], np.float32), 0, 1)
    noise = cv2.GaussianBlur(
        np.random.default_rng(5).standard_normal((SIZE, SIZE)).astype(np.float32), (0, 0), 4
    )
    colours = SKIN * shade[..., None] * (1 + 0.2 * noise[..., None])
    return cast(Image, np.rint(colours.clip(0, 255, out=colours), out=colours).astype(np.uint8)), mask


def reach_in(image: Image, aim: tuple[float, float], pixels: float, reach: float) -> None:
    """Draw a hand from the picture's top edge: `pixels` long, `reach` 0 (outside) to 1 (over `aim`)."""
    colours, mask = _hand()
    scale = pixels / (SIZE * 0.75)
    x = aim[0] - 0.5 * SIZE * scale
    y = aim[1] - REACH * SIZE * scale - (1 - reach) * (aim[1] + 0.4 * SIZE * scale)
    left, right = max(0, int(x - 20 * scale)), min(image.shape[1], int(x + SIZE * scale + 20 * scale))
    bottom = min(image.shape[0], int(y + SIZE * scale + 30 * scale))
    if bottom <= 0 or right <= left:
        return
    part = image[:bottom, left:right]
    size = (part.shape[1], part.shape[0])
    move = np.array([[scale, 0, x - left], [0, scale, y]], np.float32)
    drawn = cv2.warpAffine(
        mask, move, size, borderMode=cv2.BORDER_REPLICATE
    )  # the forearm goes on to the edge
    skin = cv2.warpAffine(colours, move, size, borderMode=cv2.BORDER_REPLICATE)
    moved = np.array([[1, 0, 10 * scale], [0, 1, 14 * scale]], np.float32)
    shade = cv2.GaussianBlur(cv2.warpAffine(drawn, moved, size), (0, 0), 7 * scale)
    for begin in range(0, bottom, BAND):
        rows = slice(begin, begin + BAND)
        under = part[rows] * (1 - np.float32(0.35 / 255) * shade[rows, :, None])
        covers = drawn[rows, :, None] * np.float32(1 / 255)
        part[rows] = np.clip(under + (skin[rows] - under) * covers, 0, 255).astype(np.uint8)
