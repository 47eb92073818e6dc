"""A log that callers cannot fill: so many lines a minute, then how many were left out."""

import logging
import threading
from collections.abc import Callable

MOST_LINES = 10
WINDOW_SECONDS = 60.0


class Quiet(logging.Filter):
    """Lets the first lines of each minute through; the first of the next one says what was left out."""

    def __init__(self, clock: Callable[[], float]) -> None:
        super().__init__()
        self._clock = clock
        self._mutex = threading.Lock()
        self._since = float("-inf")
        self._lines = self._left_out = 0

    def filter(self, record: logging.LogRecord) -> bool:
        with self._mutex:
            now = self._clock()
            if now - self._since >= WINDOW_SECONDS:
                if self._left_out:
                    left_out = f"({self._left_out} lines before it were left out)"
                    record.msg = f"{record.getMessage()} {left_out}"
                    record.args = None
                self._since, self._lines, self._left_out = now, 0, 0
            self._lines += 1
            if self._lines > MOST_LINES:
                self._left_out += 1
            return self._lines <= MOST_LINES
