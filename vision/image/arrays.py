"""Arrays as all of vision hands them on. Does nothing with them."""

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]  # a picture: rows, columns, and blue, green, red or grey alone
Floats = NDArray[np.float32]
Numbers = NDArray[np.float64]
