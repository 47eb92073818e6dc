"""How often dice are rolled in an endurance run: all phones of a table keep to one pace. Knows no game."""

import threading
import time
from collections.abc import Callable


class Pace:
    """At most so many rolls a minute, whoever rolls."""

    def __init__(self, rolls: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._between = 60 / rolls
        self._clock = clock
        self._mutex = threading.Lock()
        self._next = clock()

    def wait(self, over: threading.Event) -> None:
        """Until it is time for another roll, or the run is over."""
        with self._mutex:
            at = max(self._next, self._clock())
            self._next = at + self._between
        over.wait(at - self._clock())
