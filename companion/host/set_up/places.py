"""Places in a picture: fractions of it for pages, pixels for vision. Takes no pictures."""

from dataclasses import dataclass, replace

from companion.host.answers import shown_dice
from companion.table.eyes import Place, ShownDie
from companion.view.setting_up import Shape
from vision.image.arrays import Image
from vision.place.lid import Lid
from vision.place.outline import (
    OutlineFault,
    drawn_round,
    fault_of_outline,
    going_round,
    with_few_corners,
)
from vision.reading import DieColour, Outline, SeenDie


@dataclass(frozen=True, slots=True)
class Ground:
    """Where the dice lie, as people see and draw it; without corners where the whole picture counts."""

    shape: Shape = Shape.CORNERS
    corners: tuple[Place, ...] = ()

    @property
    def fault(self) -> OutlineFault | None:
        """Why this cannot be learnt."""
        if self.shape is Shape.WHOLE:
            return None
        return fault_of_outline(tuple((place.x, place.y) for place in self.corners), 1, 1)

    def place(self, image: Image) -> Lid | None:
        """In the pixels of that picture; None for the whole of it."""
        if self.shape is Shape.WHOLE:
            return None
        height, width = image.shape[:2]
        return Lid(
            going_round(tuple((place.x * width - 0.5, place.y * height - 0.5) for place in self.corners))
        )


WHOLE = Ground(Shape.WHOLE)


def ground_of(lid: Lid, image: Image) -> Ground:
    """A place that was found, with as few handles as it takes to put it right."""
    if len(lid.corners) == 4:
        return Ground(Shape.CORNERS, places_of(lid.corners, image))
    ellipse = drawn_round(lid.corners)
    if ellipse is not None:
        return Ground(Shape.ROUND, places_of(ellipse, image))
    return Ground(Shape.CORNERS, places_of(with_few_corners(lid.corners), image))


def places_of(points: Outline, image: Image) -> tuple[Place, ...]:
    height, width = image.shape[:2]
    return tuple(
        Place(
            round(min(1.0, max(0.0, (x + 0.5) / width)), 5), round(min(1.0, max(0.0, (y + 0.5) / height)), 5)
        )
        for x, y in points
    )


def placed_dice(dice: tuple[SeenDie, ...], image: Image) -> tuple[ShownDie, ...]:
    """In the order in which dice are always named, each with its place in the picture."""
    order = list(DieColour)
    ordered = sorted(dice, key=lambda die: order.index(die.colour))
    shown = zip(shown_dice(ordered), ordered, strict=True)
    return tuple(replace(one, crop=None, corners=places_of(die.outline, image)) for one, die in shown)
