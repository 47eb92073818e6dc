"""Backups beside the play: whenever a game is over or deleted, in a thread of its own. Owns no files."""

import logging
import threading
from pathlib import Path
from typing import Protocol, Self

from companion.game import Phase
from companion.journal.journal import JournalError
from companion.table.table import Table

LOOK_SECONDS = 0.5  # how often it looks whether it shall stop
_log = logging.getLogger(__name__)


class MakesBackups(Protocol):
    """What this needs of a journal."""

    def backup(self) -> Path: ...


class BackingUp:
    """`with BackingUp(table, journal): ...` makes the backups; `trouble` says why the last one failed."""

    def __init__(self, table: Table, journal: MakesBackups) -> None:
        self.trouble: str | None = None
        self._table = table
        self._journal = journal
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="backups", daemon=True)

    def _watch(self) -> None:
        version, backed_up = -1, None
        deleted = self._table.snapshot.deleted
        while not self._stop.is_set():
            snapshot = self._table.wait(version, LOOK_SECONDS)
            version, game = snapshot.version, snapshot.game
            over = game is not None and game.phase is Phase.OVER and game is not backed_up
            if over or snapshot.deleted != deleted:
                backed_up, deleted = game if over else backed_up, snapshot.deleted
                self._back_up()

    def _back_up(self) -> None:
        try:
            self._journal.backup()
            self.trouble = None
        except JournalError as error:
            self.trouble = str(error)
            _log.warning("%s", error)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
