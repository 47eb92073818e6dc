"""Waits on a condition that other threads make true. Knows none of them."""

import select
import time
from collections.abc import Callable

PATIENCE = 120.0  # for what must come, on a machine that is busy with other work too
PAUSE_SECONDS = 0.01


def until(condition: Callable[[], bool], seconds: float = PATIENCE) -> bool:
    """Whether it comes true in time."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        select.select([], [], [], PAUSE_SECONDS)
    return True
