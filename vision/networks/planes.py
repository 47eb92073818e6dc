"""How the finder's networks see a picture and in what order their planes come. Knows no dice and no lid."""

from enum import IntEnum
from typing import Final

import cv2
import numpy as np

from vision.image.arrays import Floats, Image

STRIDE: Final = 4  # picture pixels per cell of a plane


class DicePlane(IntEnum):
    """Planes of the dice network. The six after the last are the pips' logits."""

    HEAT = 0  # logit: the middle of an upward face is in this cell
    DX = 1  # from the cell's middle to the face's, in cells
    DY = 2
    SIZE = 3  # log of the face's edge in cells
    STRETCH_X = 4  # log of how the square is stretched along x (less along y), and along the diagonal
    STRETCH_D = 5
    COS4 = 6  # four times the square's turn, before stretching
    SIN4 = 7
    LEAN = 8  # logit: this die leans


PIPS: Final = slice(9, 15)
DICE_PLANES: Final = 15


class LidPlane(IntEnum):
    """Planes of the lid network."""

    FLOOR = 0  # logit: the lid's floor (hidden parts included) covers this cell
    CORNER = 1  # logit: a corner of the floor is in this cell
    CORNER_DX = 2  # from the cell's middle to the corner, in cells
    CORNER_DY = 3


LID_PLANES: Final = 4


def even_out(image: Image) -> Floats:
    """A picture as the networks take it: mean removed, contrast one, so light and casts matter little."""
    mean, spread = cv2.meanStdDev(image)
    scale = 1.0 / (float(np.sqrt((spread**2).mean())) + 8.0)
    evened = cv2.dnn.blobFromImage(image, scale, mean=tuple(float(m) for m in mean.ravel()))
    return np.asarray(evened, np.float32)
