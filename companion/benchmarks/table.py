"""How long the simulated table takes for a frame of rolling dice, in processor time."""

import statistics
import time
from collections.abc import Iterator

from companion.benchmarks.figure import Figure, at_most
from vision.cameras.clock import StepClock
from vision.simulation.table import SimulatedCamera, SimulatedTable

FRAMES, SIZE = 20, (1024, 768)


def figures() -> Iterator[Figure]:
    table = SimulatedTable(seed=1, clock=StepClock(), size=SIZE)
    camera = SimulatedCamera(table)
    camera.open()
    camera.frame()
    table.throw()
    seconds = []
    for _ in range(FRAMES):
        start = time.process_time()
        camera.frame()
        seconds.append(time.process_time() - start)
    yield at_most("a simulated frame of rolling dice, median", 1000 * statistics.median(seconds), 40, "ms")
