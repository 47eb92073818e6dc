"""Tells systemd how the companion is: ready, alive, what it does. Silent where systemd does not ask."""

import os
import socket
import time
from collections.abc import Callable

MICROSECONDS = 1_000_000


def notify(*lines: str) -> bool:
    """Send lines such as READY=1, STATUS=…, WATCHDOG=1; whether somebody listens."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return False
    if address.startswith("@"):  # how systemd writes a socket without a file
        address = "\0" + address[1:]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as sock:
        sock.settimeout(1)
        try:
            sock.connect(address)
            sock.send("\n".join(lines).encode())
        except OSError:  # systemd is being restarted; the next word will reach it
            return False
    return True


def ready(status: str) -> bool:
    """The pages answer."""
    return notify("READY=1", f"STATUS={status}")


def stopping() -> bool:
    return notify("STOPPING=1")


class Watchdog:
    """Fed often, tells systemd now and then. Not fed while something hangs, it has the program restarted."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._every = _interval()
        self._next = clock()

    @property
    def is_on(self) -> bool:
        return self._every is not None

    def feed(self) -> bool:
        """Call it whenever all is well; whether systemd was told."""
        if self._every is None or self._clock() < self._next:
            return False
        self._next = self._clock() + self._every
        return notify("WATCHDOG=1")


def _interval() -> float | None:
    """Three times within the time systemd waits; None if it does not watch."""
    wait = os.environ.get("WATCHDOG_USEC", "")
    watched = os.environ.get("WATCHDOG_PID", str(os.getpid()))
    if not wait.isdecimal() or not int(wait) or watched != str(os.getpid()):
        return None
    return int(wait) / MICROSECONDS / 3
