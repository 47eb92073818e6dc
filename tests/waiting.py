"""Waits on a condition that other threads make true. Knows none of them."""

import select
import threading
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


def within_patience(do: Callable[[], object]) -> object:
    """What it gives or raises; a pipe that is waited for would never end."""
    found: list[object] = []

    def work() -> None:
        try:
            found.append(do())
        except Exception as error:  # noqa: BLE001 - handed on to who asked
            found.append(error)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(PATIENCE)
    assert not thread.is_alive()
    return found[0]
