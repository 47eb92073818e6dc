"""What happens beside the phones: parts that show a snapshot and what is due, each in a thread of its own."""

import logging
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable

from companion.journal.journal import JournalError
from companion.process.fault_barrier import FaultBarrier
from companion.table.snapshot import Snapshot
from companion.table.table import Table

PATIENCE_SECONDS = 0.25
_log = logging.getLogger(__name__)

Shows = Callable[[Snapshot, Snapshot], None]  # what it shows follows from the snapshots before and after


class Loop(ABC):
    """A thread that does its round over and over, until it is stopped."""

    def __init__(self, barrier: FaultBarrier) -> None:
        self._barrier = barrier
        self.alive_at = time.monotonic()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"beside-{barrier.part}", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """The round under way is the last; `join` waits for its end."""
        self._stop.set()

    def join(self) -> None:
        self._thread.join(timeout=5)

    def _run(self) -> None:
        while not self._stop.is_set():
            self._round()
            self.alive_at = time.monotonic()

    @abstractmethod
    def _round(self) -> None:
        """Do what there is to do, and rest for a moment."""


class Rounds(Loop):
    """Calls `each_round` about four times a second, whatever became of the last one."""

    def __init__(self, barrier: FaultBarrier, each_round: Callable[[], None]) -> None:
        super().__init__(barrier)
        self._each_round = each_round

    def _round(self) -> None:
        with self._barrier:
            self._each_round()
        self._stop.wait(PATIENCE_SECONDS)


class Showing(Loop):
    """One part that shows: it is given every newest snapshot, and keeps nothing else waiting."""

    def __init__(self, table: Table, barrier: FaultBarrier, show: Shows) -> None:
        super().__init__(barrier)
        self._table, self._show = table, show
        self._shown: Snapshot | None = None  # None: the newest one has to be shown, whether it is new or not

    def again(self) -> None:
        """Show the newest snapshot once more, soon: something else was shown in its place."""
        self._shown = None

    def _round(self) -> None:
        before, after = self._shown, self._table.snapshot
        if before is not None and after.version == before.version:
            self._table.wait(before.version, PATIENCE_SECONDS)
            return
        self._shown = after
        with self._barrier:
            self._show(before or after, after)


class Due:
    """Carries out what is due at the table; what the disk refuses stays due and is said once."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._trouble = ""

    def __call__(self) -> None:
        try:
            self._table.tick()
            self._trouble = ""
        except JournalError as error:  # a full disk, say: it is tried again next round
            if str(error) != self._trouble:
                _log.warning("%s", error)
            self._trouble = str(error)
