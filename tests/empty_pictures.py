"""Pictures in which there is nothing: no lid and no die."""

import numpy as np
import pytest

from vision.image.arrays import Image

_NOTHING: dict[str, Image] = {
    "grey": np.full((480, 640, 3), 128, np.uint8),
    "one pixel": np.zeros((1, 1, 3), np.uint8),
    "a strip": np.zeros((2000, 3, 3), np.uint8),
    "noise": np.random.default_rng(1).integers(0, 255, (480, 640, 3)).astype(np.uint8),
}
in_empty_pictures = pytest.mark.parametrize("image", _NOTHING.values(), ids=_NOTHING.keys())
