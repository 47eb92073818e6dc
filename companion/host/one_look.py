"""The one look at the lid that may be open, from its press until it is answered. Knows no dice."""

import threading
from collections.abc import Callable
from dataclasses import dataclass

from vision.image.arrays import Image


@dataclass(frozen=True, slots=True)
class Request:
    """A wish for a look. `again`: the dice of this turn once more, not a new roll. `at`: when it was made.

    `photograph`: what to look at instead of the camera's picture.
    """

    again: bool
    at: float
    photograph: Image | None = None


class OneLook:
    """Takes one request at a time, from any thread, for the one thread that looks."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._changed = threading.Condition()
        self._open: Request | None = None
        self._waiting = False
        self._nudged = False

    def ask(self, *, again: bool = False, photograph: Image | None = None) -> Request | None:
        """None if a look is open already: a press is never queued behind another."""
        with self._changed:
            if self._open is not None:
                return None
            self._open, self._waiting = Request(again, self._clock(), photograph), True
            self._changed.notify_all()
            return self._open

    def wait_until_answered(self, request: Request, timeout: float) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._open is not request, timeout)

    def nudge(self) -> None:
        """Wakes the thread that waits, without a request."""
        with self._changed:
            self._nudged = True
            self._changed.notify_all()

    def wait(self, timeout: float) -> Request | None:
        """The next request; None when the time is up, or after a nudge."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._nudged, timeout)
            self._nudged = False
            if not self._waiting:
                return None
            self._waiting = False
            return self._open

    def begin(self) -> Request | None:
        """Opens a look that nobody asked for; None if somebody just did."""
        with self._changed:
            if self._open is not None:
                return None
            self._open = Request(again=False, at=self._clock())
            return self._open

    def answered(self) -> None:
        with self._changed:
            self._open, self._waiting = None, False
            self._changed.notify_all()

    @property
    def is_open(self) -> bool:
        with self._changed:
            return self._open is not None

    @property
    def seconds(self) -> float:
        """How long the open look has been open; 0 if there is none."""
        with self._changed:
            return 0.0 if self._open is None else self._clock() - self._open.at
