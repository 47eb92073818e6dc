"""Runs the small networks through OpenCV. Owns loading and threads; knows no dice and no lid."""

import threading
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.halves import whole

Floats = NDArray[np.float32]

WEIGHTS = Path(__file__).parent / "weights"


class Network:
    """One ONNX file. Each thread has its own copy, for OpenCV's networks must not be shared."""

    def __init__(self, name: str) -> None:
        self._path = WEIGHTS / name
        self._own = threading.local()

    def planes(self, pictures: Floats) -> Floats:
        """What the network says of pictures (batch, 3, height, width)."""
        net = getattr(self._own, "net", None)
        if net is None:
            if not self._path.exists():
                raise FileNotFoundError(f"no weights at {self._path}: install Boxlid anew")
            model = np.frombuffer(whole(self._path.read_bytes()), np.uint8)
            net = self._own.net = cv2.dnn.readNetFromONNX(model)
        net.setInput(pictures)
        return np.asarray(net.forward(), np.float32)


@cache
def network(name: str) -> Network:
    """The network of that file, loaded once."""
    return Network(name)
