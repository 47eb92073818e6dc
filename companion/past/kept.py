"""Figures kept beside the journal, so that no game is played again for them. May be deleted at any time."""

import contextlib
import sqlite3
import threading
from pathlib import Path

from companion.past.figures import GameFigures

FILE = "history.db"
_BUSY_SECONDS = 2.0
_TABLE = (
    "CREATE TABLE IF NOT EXISTS figures (game INTEGER PRIMARY KEY, chain TEXT NOT NULL, line TEXT NOT NULL)"
)


class KeptFigures:
    """Figures by game and the hash of its newest entry. What cannot be read or written is counted again."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._mutex = threading.Lock()

    def read(self) -> dict[int, tuple[str, GameFigures]]:
        """All that is kept, by game: the hash it holds for, and the figures."""
        found = {}
        for game, chain, line in self._do("SELECT game, chain, line FROM figures"):
            figures = GameFigures.parse(str(line))
            if isinstance(game, int) and figures is not None:
                found[game] = (str(chain), figures)
        return found

    def write(self, game: int, chain: str, figures: GameFigures) -> None:
        self._do("INSERT OR REPLACE INTO figures VALUES (?, ?, ?)", game, chain, figures.write())

    def _do(self, what: str, *values: int | str) -> list[tuple[object, ...]]:
        """A broken file is thrown away: all that is in it can be counted again."""
        try:
            with self._mutex, contextlib.closing(sqlite3.connect(self._path, _BUSY_SECONDS)) as database:
                database.execute("PRAGMA synchronous = OFF")
                database.execute(_TABLE)
                with database:
                    return list(database.execute(what, values))
        except sqlite3.DatabaseError:
            with contextlib.suppress(OSError):
                self._path.unlink(missing_ok=True)
            return []
