"""Waits on a condition that other threads make true. Knows none of them."""

import select
import time
from collections.abc import Callable

SECONDS = 10.0
PAUSE_SECONDS = 0.01


def until(condition: Callable[[], bool], seconds: float = SECONDS) -> bool:
    """Whether it comes true in time."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        select.select([], [], [], PAUSE_SECONDS)
    return True
