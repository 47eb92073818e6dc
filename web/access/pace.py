"""How fast one phone may change things: as fast as hands for a while, not as a machine for long. No table."""

import threading
from collections.abc import Callable

from web.serving.errors import Refused

AT_ONCE = 60
A_SECOND = 5.0
MOST_KNOWN = 200  # phones and screens; whoever was quiet longest is forgotten, and begins anew


class Pace:
    """Each phone has so many changes in hand; they come back one by one."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._mutex = threading.Lock()
        self._used: dict[str, tuple[float, float]] = {}  # how many, at what time; newest last

    def check(self, phone: str) -> None:
        """Counts one change; refused if there were too many of late."""
        with self._mutex:
            now = self._clock()
            used, before = self._used.pop(phone, (0.0, now))
            used = max(0.0, used - (now - before) * A_SECOND)
            may = used + 1 <= AT_ONCE
            self._used[phone] = (used + may, now)
            if len(self._used) > MOST_KNOWN:
                del self._used[next(iter(self._used))]
        if not may:
            raise Refused(429, "too-fast", "too much at once; please wait a moment", retry_after=1)
