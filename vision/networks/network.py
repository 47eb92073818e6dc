"""Runs the small networks through OpenCV. Owns loading and threads; knows no dice and no lid."""

import threading
from functools import cache
from pathlib import Path

import cv2
import numpy as np

import vision
from vision.image.arrays import Floats

WEIGHTS = Path(vision.__file__).parent / "weights"
AT_ONCE = 2  # pictures: OpenCV keeps the room for the most it ever ran at a time; one is slower


class Network:
    """One ONNX file, one copy: it takes memory, and OpenCV's networks must not run twice at a time."""

    def __init__(self, name: str) -> None:
        self._path = WEIGHTS / name
        self._mutex = threading.Lock()
        self._net: cv2.dnn.Net | None = None

    def planes(self, pictures: Floats) -> Floats:
        """What the network says of pictures (batch, 3, height, width)."""
        with self._mutex:
            if self._net is None:
                self._net = self._load()
            parts = []
            for begin in range(0, len(pictures), AT_ONCE):
                self._net.setInput(pictures[begin : begin + AT_ONCE])
                parts.append(np.array(self._net.forward(), np.float32))
            return np.concatenate(parts)

    def _load(self) -> cv2.dnn.Net:
        if not self._path.exists():
            raise FileNotFoundError(f"no weights at {self._path}: install Boxlid anew")
        return cv2.dnn.readNetFromONNX(np.frombuffer(self._path.read_bytes(), np.uint8))


@cache
def network(name: str) -> Network:
    """The network of that file, loaded once."""
    return Network(name)
