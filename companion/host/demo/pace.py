"""The pace of a show: pauses that viewers stretch, shorten or end. Knows nothing of what is shown."""

import threading
import time
from collections.abc import Callable

from companion.view.stage import Ending

FAST = 4.0
LOOK_SECONDS = 0.25


class CurtainError(Exception):
    """The show ends here."""

    def __init__(self, ending: Ending) -> None:
        super().__init__(ending)
        self.ending = ending


class ScenePace:
    """Waits between scenes. `interruption` is asked now and then whether something ends the show."""

    def __init__(self, interruption: Callable[[], Ending | None], factor: float = 1.0) -> None:
        self._interruption = interruption
        self._factor = factor  # tests have no time
        self._changed = threading.Condition()
        self._paused = self._fast = False
        self._ending: Ending | None = None

    @property
    def paused(self) -> bool:
        return self._paused

    @property
    def fast(self) -> bool:
        return self._fast

    def pause(self, paused: bool) -> None:
        with self._changed:
            self._paused = paused
            self._changed.notify_all()

    def hurry(self, fast: bool) -> None:
        with self._changed:
            self._fast = fast
            self._changed.notify_all()

    def end(self, ending: Ending) -> None:
        """The show ends at its next wait."""
        with self._changed:
            self._ending = self._ending or ending
            self._changed.notify_all()

    def check(self) -> None:
        ending = self._ending or self._interruption()
        if ending is not None:
            raise CurtainError(ending)

    def wait(self, seconds: float) -> None:
        """Let so much of the show's time pass; CurtainError if it ends meanwhile."""
        left = seconds / self._factor
        with self._changed:
            while True:
                self.check()
                if left <= 0 and not self._paused:
                    return
                speed = 0.0 if self._paused else FAST if self._fast else 1.0
                began = time.monotonic()
                self._changed.wait(min(LOOK_SECONDS, left / speed) if speed else LOOK_SECONDS)
                left -= (time.monotonic() - began) * speed
