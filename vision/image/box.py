"""A rectangle in a picture, and the one round the lid that people want to see. Draws nothing."""

from collections.abc import Iterable
from dataclasses import dataclass

from vision.image.arrays import Image
from vision.reading import Outline, Point, Reading

LEAST = 32  # pixels: a smaller part shows nothing, whatever was taken for a lid
ROUND_THE_LID = 0.1  # of the longer side: rim and some table, and room for what is written beside a die


@dataclass(frozen=True, slots=True)
class Box:
    """From the first pixel that belongs to it to the first that does not."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def width(self) -> int:
        return self.right - self.left

    @property
    def height(self) -> int:
        return self.bottom - self.top

    def of(self, image: Image) -> Image:
        """That part of the picture, without a copy."""
        return image[self.top : self.bottom, self.left : self.right]

    def shared_with(self, other: "Box") -> int:
        """How many pixels belong to both."""
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(0, across) * max(0, down)


def whole(image: Image) -> Box:
    return Box(0, 0, image.shape[1], image.shape[0])


def box_of(places: Iterable[Point], more: float = 0.0) -> Box:
    """The smallest that holds them all, with so much of its longer side added all round."""
    xs, ys = zip(*places, strict=True)
    beside = more * max(max(xs) - min(xs), max(ys) - min(ys))
    return Box(
        round(min(xs) - beside), round(min(ys) - beside), round(max(xs) + beside), round(max(ys) + beside)
    )


def box_of_lid(image: Image, lid: Outline | None) -> Box:
    """The lid with some table around it; the whole picture if there is no lid."""
    return whole(image) if lid is None else _within(image, box_of(lid, ROUND_THE_LID))


def box_of_reading(image: Image, reading: Reading) -> Box:
    """The lid and every die that was seen, in it or beside it; the whole picture if no lid was found."""
    if reading.place is None:
        return whole(image)
    dice = [point for die in reading.dice for point in die.outline]
    return _within(image, box_of((*reading.place, *dice), ROUND_THE_LID))


def _within(image: Image, box: Box) -> Box:
    """What of it is in the picture; the whole picture if that is next to nothing."""
    height, width = image.shape[:2]
    inside = Box(max(0, box.left), max(0, box.top), min(width, box.right), min(height, box.bottom))
    return inside if min(inside.width, inside.height) >= LEAST else whole(image)
