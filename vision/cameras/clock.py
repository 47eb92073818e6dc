"""Time as cameras and watchers need it: the real one, and one that only moves when somebody waits."""

import time
from typing import Protocol


class Clock(Protocol):
    """Seconds that only grow, and a way to let them pass."""

    def now(self) -> float: ...

    def wait(self, seconds: float) -> None: ...


class RealClock:
    """The clock of the machine."""

    def now(self) -> float:
        return time.monotonic()

    def wait(self, seconds: float) -> None:
        time.sleep(max(0.0, seconds))


class HurriedClock:
    """A clock by which everything goes some times as fast."""

    def __init__(self, times: float) -> None:
        self._times = times
        self._start = time.monotonic()

    def now(self) -> float:
        return self._start + (time.monotonic() - self._start) * self._times

    def wait(self, seconds: float) -> None:
        time.sleep(max(0.0, seconds) / self._times)


class StepClock:
    """Stands still until somebody waits: a minute of pictures passes as fast as they are drawn."""

    def __init__(self, start: float = 0.0) -> None:
        self._now = start

    def now(self) -> float:
        return self._now

    def wait(self, seconds: float) -> None:
        self._now += max(0.0, seconds)
