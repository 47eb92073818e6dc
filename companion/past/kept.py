"""Figures kept beside the journal, so that no game is played again for them. May be deleted at any time.

Each line carries a sum over itself, the game, and the hash of the game's newest entry: figures that are not
what was written for that end of that game are counted anew.
"""

import contextlib
import hashlib
import sqlite3
import threading
from pathlib import Path

from companion.past.figures import GameFigures

FILE = "history.db"
_BUSY_SECONDS = 2.0
_TABLE = "CREATE TABLE IF NOT EXISTS {} (game INTEGER PRIMARY KEY, chain TEXT NOT NULL, line TEXT NOT NULL)"


class KeptLines:
    """A line of text by game and what it holds for. What cannot be read or written is made again."""

    def __init__(self, folder: Path, table: str) -> None:
        self._path = folder / FILE
        self._table = table
        self._mutex = threading.Lock()

    def all(self) -> dict[int, tuple[str, str]]:
        """All that is kept, by game: what it holds for, and the line."""
        found = {}
        for game, key, line in self._do(f"SELECT game, chain, line FROM {self._table}"):
            written = _unsealed(game, key, line)
            if isinstance(game, int) and written is not None:
                found[game] = (str(key), written)
        return found

    def read(self, game: int, key: str) -> str | None:
        """The line of one game, if it holds for that."""
        lines = self._do(f"SELECT line FROM {self._table} WHERE game = ? AND chain = ?", game, key)
        return _unsealed(game, key, lines[0][0]) if lines else None

    def write(self, game: int, key: str, written: str) -> None:
        line = f"{_seal(game, key, written)} {written}"
        self._do(f"INSERT OR REPLACE INTO {self._table} VALUES (?, ?, ?)", game, key, line)

    def _do(self, what: str, *values: int | str) -> list[tuple[object, ...]]:
        """A broken file is thrown away: all that is in it can be counted again."""
        try:
            with self._mutex, contextlib.closing(sqlite3.connect(self._path, _BUSY_SECONDS)) as database:
                database.execute("PRAGMA synchronous = OFF")
                database.execute(_TABLE.format(self._table))
                with database:
                    return list(database.execute(what, values))
        except sqlite3.DatabaseError:
            with contextlib.suppress(OSError):
                self._path.unlink(missing_ok=True)
            return []


class KeptFigures:
    """Figures by game and the hash of its newest entry."""

    def __init__(self, folder: Path) -> None:
        self._lines = KeptLines(folder, "figures")

    def read(self) -> dict[int, tuple[str, GameFigures]]:
        """All that is kept, by game: the hash it holds for, and the figures."""
        read = {game: (chain, GameFigures.parse(line)) for game, (chain, line) in self._lines.all().items()}
        return {game: (chain, found) for game, (chain, found) in read.items() if found is not None}

    def write(self, game: int, chain: str, figures: GameFigures) -> None:
        self._lines.write(game, chain, figures.write())


def _unsealed(game: object, key: object, line: object) -> str | None:
    """What was written, if it is what was written for that."""
    seal, _, written = str(line).partition(" ")
    return written if seal == _seal(game, key, written) else None


def _seal(game: object, chain: object, written: str) -> str:
    return hashlib.sha256(f"{game} {chain} {written}".encode(errors="replace")).hexdigest()[:32]
