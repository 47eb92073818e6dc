"""A lamp that is mirrored in the top of a die: no pip of it can be seen. Knows no throws."""

import cv2
import numpy as np

from vision.image.arrays import Image
from vision.simulation.dice import PosedDie, face_corners
from vision.simulation.geometry import Pinhole
from vision.simulation.style import DiceStyle

WHITE = 252.0
REACH, SOFT = 0.62, 0.12  # of the face's width: how far the light goes, and how it fades


def shine(image: Image, view: Pinhole, dice: DiceStyle, stand: PosedDie) -> None:
    """Draw it on that die: its face is white from edge to edge, and a little beyond."""
    corners = view.project(face_corners(stand, dice.edge, dice.left_handed))
    width = float(np.linalg.norm(corners[0] - corners[2])) / 2**0.5
    x, y = (round(float(v)) for v in corners.mean(axis=0))
    spot = np.zeros(image.shape[:2], np.float32)
    cv2.circle(spot, (x, y), round(REACH * width), 1.0, cv2.FILLED, cv2.LINE_AA)
    light = cv2.GaussianBlur(spot, (0, 0), max(1.0, SOFT * width))[..., None]
    image[:] = (image + (WHITE - image) * light).round().astype(np.uint8)
