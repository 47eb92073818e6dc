"""What dice are thrown into at the simulated table, by name. Knows no millimetres."""

from enum import StrEnum


class Shape(StrEnum):
    """The places there are; a bare table is none at all."""

    LID = "lid"
    ROUND = "round"
    HEXAGON = "hexagon"
    OCTAGON = "octagon"
    WOOD = "wood"
    MAT = "mat"
    BARE = "bare"
