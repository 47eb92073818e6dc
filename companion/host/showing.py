"""Everything beside the phones that shows a snapshot: lamps, voice, simulated hands; newest first."""

import logging
import threading
from collections.abc import Callable, Sequence

from companion.journal import JournalError
from companion.snapshot import Snapshot
from companion.table import Table

PATIENCE_SECONDS = 0.25
_log = logging.getLogger(__name__)

Shows = Callable[[Snapshot, Snapshot], None]  # what it shows follows from the snapshots before and after


class Showing:
    """Calls each shower with every newest snapshot; between them it carries out what is due at the table."""

    def __init__(
        self, table: Table, showers: Sequence[Shows], each_round: Callable[[], None] = lambda: None
    ) -> None:
        """`each_round` is called about four times a second, whether something changed or not."""
        self._table = table
        self._each_round = each_round
        self._showers = tuple(showers)
        self._stop = threading.Event()
        self._trouble = ""
        self._thread = threading.Thread(target=self._run, name="showing", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._stop.set()
        self._thread.join(timeout=5)

    def _run(self) -> None:
        before = self._table.snapshot
        self._show(before, before)
        while not self._stop.is_set():
            after = self._table.wait(before.version, PATIENCE_SECONDS)
            if after.version > before.version:
                self._show(before, after)
                before = after
            self._tick()
            self._each_round()

    def _tick(self) -> None:
        try:
            self._table.tick()
        except JournalError as error:  # a full disk, say: it stays due, and is tried again next round
            if str(error) != self._trouble:
                _log.warning("%s", error)
            self._trouble = str(error)

    def _show(self, before: Snapshot, after: Snapshot) -> None:
        for show in self._showers:
            show(before, after)
