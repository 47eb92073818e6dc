"""Places in a picture: fractions of it for pages, pixels for vision. Takes no pictures."""

from dataclasses import replace

import cv2
import numpy as np

from companion.host.answers import shown_dice
from companion.table.eyes import Place, ShownDie
from vision.image.arrays import Image
from vision.reading import Corners, DieColour, SeenDie

LEAST_LID = 0.02  # of the picture: in a smaller lid no dice are seen
ASIDE = (Place(0.2, 0.2), Place(0.8, 0.2), Place(0.8, 0.8), Place(0.2, 0.8))  # where no lid was found


def outline(corners: tuple[Place, ...]) -> bool:
    """Whether the corners go round a lid: inside the picture, not crossed, not bent inwards, not tiny."""
    if len(corners) != 4 or not all(0 <= v <= 1 for place in corners for v in (place.x, place.y)):
        return False
    ring = np.array([(place.x, place.y) for place in corners], np.float32)
    return bool(cv2.isContourConvex(ring)) and float(cv2.contourArea(ring)) >= LEAST_LID


def places_of(points: Corners, image: Image) -> tuple[Place, ...]:
    height, width = image.shape[:2]
    return tuple(
        Place(
            round(min(1.0, max(0.0, (x + 0.5) / width)), 5), round(min(1.0, max(0.0, (y + 0.5) / height)), 5)
        )
        for x, y in points
    )


def pixels_of(places: tuple[Place, ...], image: Image) -> Corners:
    height, width = image.shape[:2]
    a, b, c, d = ((place.x * width - 0.5, place.y * height - 0.5) for place in places)
    return a, b, c, d


def placed_dice(dice: tuple[SeenDie, ...], image: Image) -> tuple[ShownDie, ...]:
    """In the order in which dice are always named, each with its place in the picture."""
    order = list(DieColour)
    ordered = sorted(dice, key=lambda die: order.index(die.colour))
    shown = zip(shown_dice(ordered), ordered, strict=True)
    return tuple(replace(one, crop=None, corners=places_of(die.outline, image)) for one, die in shown)
