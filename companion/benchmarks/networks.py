"""The small networks alone, on one core in processor time: it depends on the OpenCV that runs them.

The sizes are those of a usual lid; faces go through two at a time.
"""

import statistics
import time
from collections.abc import Iterator

import cv2
from numpy.random import default_rng

from companion.benchmarks.figure import Figure, plain
from vision.image.arrays import Floats
from vision.networks.network import Network

USUAL = (
    ("dice in a lid", "finder.onnx", (1, 3, 304, 384)),
    ("a lid", "lid.onnx", (1, 3, 192, 256)),
    ("two faces", "faces.onnx", (2, 3, 40, 40)),
    ("how two faces lie", "leaning.onnx", (2, 3, 48, 48)),
    ("two faces, closer", "closer.onnx", (2, 3, 56, 56)),
)
TIMES = 25


def figures() -> Iterator[Figure]:
    cv2.setNumThreads(1)
    for name, weights, shape in USUAL:
        pictures = default_rng(1).random(shape, "float32")
        yield plain(
            f"{name}, OpenCV {cv2.__version__}, median", _milliseconds(Network(weights), pictures), "ms"
        )


def _milliseconds(network: Network, pictures: Floats) -> float:
    network.planes(pictures)  # loads it
    seconds = []
    for _ in range(TIMES):
        start = time.process_time()
        network.planes(pictures)
        seconds.append(time.process_time() - start)
    return 1000 * statistics.median(seconds)
