"""Arrays as all of vision hands them on, and their middle."""

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]  # a picture: rows, columns, and blue, green, red or grey alone
Floats = NDArray[np.float32]
Numbers = NDArray[np.float64]


def median(values: Floats) -> Floats:
    """Along the first axis; of some hundred values numpy's own takes ten times as long."""
    ordered, half = np.sort(values, axis=0), len(values) // 2
    return np.asarray(ordered[half] if len(values) % 2 else (ordered[half - 1] + ordered[half]) / 2)
