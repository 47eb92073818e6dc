"""The demo: one show at a time, at a table of its own, and only while somebody watches."""

import threading
import time
from collections.abc import Callable, Mapping

from companion.host.demo.show import Show
from companion.table.snapshot import Snapshot
from companion.table.table import Table
from companion.view.panel import Lamp
from companion.view.stage import Ending, NotNow, Order, Scene

UNWATCHED_SECONDS = 30.0
KEPT_SECONDS = 60.0  # the end of a show, for who still looks at it


class Demo:
    """What the page of the demo talks to. Nothing runs and nothing is kept while no show is on."""

    def __init__(self, lamps: Callable[[Snapshot], tuple[Lamp, ...]], factor: float = 1.0) -> None:
        """`factor` shortens the pauses, for tests."""
        self._lamps = lamps
        self.factor = factor
        self._mutex = threading.Lock()
        self._show: Show | None = None
        self._count = 0

    @property
    def table(self) -> Table | None:
        show = self._show
        return None if show is None else show.table

    def scene(self) -> Scene | None:
        show = self._show
        if show is None or (show.ending and time.monotonic() - show.seen_at > KEPT_SECONDS):
            return None
        return show.scene()

    def start(self) -> NotNow | None:
        """Begin a show, or say why not."""
        with self._mutex:
            if self._show is not None and self._show.ending is None:
                return NotNow.RUNNING
            self._count += 1
            show = Show(self._count, lambda: self._interruption(show), self._lamps, self.factor)
            self._show = show
            show.start()
            return None

    def order(self, what: Order) -> None:
        show = self._show
        if show is not None and show.ending is None:
            show.order(what)

    def picture(self, letters: Mapping[str, str]) -> bytes | None:
        show = self._show
        return None if show is None else show.picture(letters)

    def close(self) -> None:
        with self._mutex:
            if self._show is not None:
                self._show.close()

    def _interruption(self, show: Show) -> Ending | None:
        if time.monotonic() - show.seen_at > UNWATCHED_SECONDS:
            return Ending.UNWATCHED
        return None
