"""The simulated table that settings and command line ask for. Throws nothing."""

from dataclasses import dataclass

from vision.cameras.clock import HurriedClock
from vision.simulation.shape import Shape
from vision.simulation.table import SimulatedTable


@dataclass(frozen=True, slots=True)
class Wanted:
    """What makes it the table it is, and how fast it goes."""

    seed: int
    shape: Shape
    size: tuple[int, int]
    throws: int | None
    hurry: float

    @property
    def name(self) -> str:
        """Of it and no other table: what is learnt of one says nothing of another."""
        width, height = self.size
        place = "" if self.shape is Shape.LID else f"-{self.shape}"
        return f"{self.seed}-{width}x{height}{place}"

    def table(self) -> SimulatedTable:
        clock = HurriedClock(self.hurry)
        return SimulatedTable(self.seed, clock=clock, size=self.size, throws=self.throws, shape=self.shape)
