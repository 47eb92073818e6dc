"""How often dice are rolled in an endurance run: all phones of a table keep to one pace. Knows no game."""

import threading
import time
from collections.abc import Callable

MOST_BEHIND_SECONDS = 60.0  # older debts are forgotten


class Pace:
    """So many rolls a minute, whoever rolls; what a kill or a slow moment cost is caught up on."""

    def __init__(self, rolls: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._between = 60 / rolls
        self._clock = clock
        self._mutex = threading.Lock()
        self._next = clock()

    def wait(self, over: threading.Event) -> None:
        """Until it is time for another roll, or the run is over."""
        with self._mutex:
            at = max(self._next, self._clock() - MOST_BEHIND_SECONDS)
            self._next = at + self._between
        over.wait(at - self._clock())
