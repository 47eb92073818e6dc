"""How sharp a picture is, as a number that rises while somebody turns the lens. Knows no dice."""

import cv2
import numpy as np

from vision.image.arrays import Image
from vision.image.conditions import LEAST_CONTRAST, SHARP, small_grey


def sharpness(image: Image) -> float:
    """The steepest edges over the contrast: 1 is just sharp enough to read dice, 2 a good lens; 0 is fog."""
    smooth = small_grey(image)
    low, high = (float(v) for v in np.percentile(smooth, (1, 99)))
    if high - low <= LEAST_CONTRAST:
        return 0.0
    across, down = cv2.Sobel(smooth, cv2.CV_32F, 1, 0), cv2.Sobel(smooth, cv2.CV_32F, 0, 1)
    return float(np.percentile(np.hypot(across, down), 99.7)) / 8 / (high - low) / SHARP
