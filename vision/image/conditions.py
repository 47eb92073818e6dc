"""What is wrong with a whole picture: too dark, blinded, out of focus. Knows no dice and no lid."""

import cv2
import numpy as np

from vision.image.arrays import Image
from vision.reading import Problem, ProblemKind

DARK, BRIGHT = 28.0, 250.0  # grey values: nothing brighter, or nearly everything brighter
LONGEST = 640  # pixels at which sharpness is judged
SHARP = 0.11  # the steepest edges over the contrast; sharp pictures of lids have 0.15 to 0.4
LEAST_CONTRAST = 8.0


def fault_of(image: Image) -> Problem | None:
    """What a person should do about the light or the lens, if either is bad."""
    grey = small_grey(image)
    low, dim, high = (float(v) for v in np.percentile(grey, (1, 10, 99)))
    if high < DARK:
        return Problem(ProblemKind.TOO_DARK)
    if dim > BRIGHT:
        return Problem(ProblemKind.BLINDED)
    across, down = cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1)
    steepest = float(np.percentile(cv2.magnitude(across, down), 99.7)) / 8
    if high - low > LEAST_CONTRAST and steepest / (high - low) < SHARP:
        return Problem(ProblemKind.OUT_OF_FOCUS)
    return None


def shows_something(image: Image) -> bool:
    """Whether it is more than one even colour."""
    low, high = (float(v) for v in np.percentile(small_grey(image), (1, 99)))
    return high - low > LEAST_CONTRAST


def small_grey(image: Image) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    shrink = LONGEST / max(image.shape[:2])
    if shrink < 1:
        size = (max(1, round(image.shape[1] * shrink)), max(1, round(image.shape[0] * shrink)))
        grey = cv2.resize(grey, size, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(grey.astype(np.float32), (0, 0), 0.8), np.float32)
