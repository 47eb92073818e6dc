"""The journal: every event on disk before anybody sees it, in one SQLite file. Owns no rules, only lines."""

import fcntl
import hashlib
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Self

FILE, LOCK, BACKUPS = "journal.db", "journal.lock", "backups"
KEEP_BACKUPS = 5
_FIRST_CHAIN = "boxlid"
_NO_SUCH_VERSION = 100  # a version beyond this was never made: the number itself is damaged
_NOT_DAMAGE = (
    "SQLITE_FULL",
    "SQLITE_READONLY",
    "SQLITE_CANTOPEN",
    "SQLITE_BUSY",
    "SQLITE_LOCKED",
    "SQLITE_IOERR",
    "SQLITE_NOMEM",
    "SQLITE_PERM",
)
# Each entry brings a file of the version before it up to date; user_version counts them.
MIGRATIONS = (
    """
    CREATE TABLE events (
        id INTEGER PRIMARY KEY, game INTEGER, line TEXT NOT NULL, command TEXT UNIQUE, seat INTEGER,
        at REAL NOT NULL, chain TEXT NOT NULL) STRICT;
    CREATE INDEX events_of_game ON events (game, id);
    CREATE TRIGGER no_update BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'the journal only grows'); END;
    CREATE TRIGGER no_delete BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'the journal only grows'); END;
    """,
)


class JournalError(Exception):
    """The journal cannot do it: what was wanted, what was got, what to do."""


class JournalDamagedError(JournalError):
    """The file does not hold what was written. It is kept as it is."""


class JournalFullError(JournalError):
    """The event could not be kept, so it did not happen."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One kept event. `game` is the id of the entry that started its game; `seat` is who asked for it."""

    id: int
    game: int | None
    line: str
    command: str | None
    seat: int | None
    at: float
    chain: str

    def check(self, before: str) -> bool:
        return self.chain == _chain(before, self.id, self.game, self.line, self.command, self.seat, self.at)


def _chain(before: str, *fields: object) -> str:
    """Each entry vouches for itself and all before it, so a flipped bit anywhere is noticed."""
    return hashlib.sha256("\x1f".join([before, *map(repr, fields)]).encode()).hexdigest()[:32]


class Journal:
    """The open journal of one state folder; safe to call from any thread."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time.time) -> None:
        self._folder = folder
        self._clock = clock
        self._mutex = threading.Lock()
        folder.mkdir(parents=True, exist_ok=True)
        self._lock = _lock_folder(folder)
        try:
            self._database = self._open()
        except BaseException:
            os.close(self._lock)
            raise

    # --- opening ---------------------------------------------------------------------------------------

    def _open(self) -> sqlite3.Connection:
        path = self._folder / FILE
        if not path.exists() and backups(self._folder):
            raise JournalDamagedError(_damaged(self._folder, "the file is gone"))
        database = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        try:
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("PRAGMA synchronous = FULL")
            self._migrate(database)
            self._last = self._verify(database)
        except sqlite3.DatabaseError as error:
            database.close()
            if getattr(error, "sqlite_errorname", "").startswith(_NOT_DAMAGE):
                todo = "check the disk's space and who may write there"
                raise JournalError(f"the journal {path} cannot be opened ({error}); {todo}") from None
            raise JournalDamagedError(_damaged(self._folder, str(error))) from None
        except JournalError:
            database.close()
            raise
        return database

    def _migrate(self, database: sqlite3.Connection) -> None:
        (version,) = database.execute("PRAGMA user_version").fetchone()
        if not 0 <= version <= _NO_SUCH_VERSION:
            raise JournalDamagedError(_damaged(self._folder, f"version {version} was never made"))
        if version > len(MIGRATIONS):
            made = f"the journal {self._folder / FILE} has version {version}"
            raise JournalError(f"{made}, this Boxlid reads up to {len(MIGRATIONS)}; please update Boxlid")
        for number in range(version, len(MIGRATIONS)):
            script = f"BEGIN IMMEDIATE; {MIGRATIONS[number]} PRAGMA user_version = {number + 1}; COMMIT;"
            database.executescript(script)

    def _verify(self, database: sqlite3.Connection) -> tuple[int, str]:
        """Every page and every entry is what was written; returns the last id and its chain."""
        (verdict,) = database.execute("PRAGMA integrity_check(1)").fetchone()
        if verdict != "ok":
            raise JournalDamagedError(_damaged(self._folder, str(verdict)))
        number, chain = 0, _FIRST_CHAIN
        for row in database.execute("SELECT * FROM events ORDER BY id"):
            entry = Entry(*row)
            if entry.id != number + 1 or not entry.check(chain):
                raise JournalDamagedError(
                    _damaged(self._folder, f"entry {number + 1} is not what was written")
                )
            number, chain = entry.id, entry.chain
        return number, chain

    # --- writing ---------------------------------------------------------------------------------------

    @property
    def next_id(self) -> int:
        """The number that the next entry will have."""
        with self._mutex:
            return self._last[0] + 1

    def append(
        self,
        line: str,
        *,
        game: int | None = None,
        command: str | None = None,
        seat: int | None = None,
        starts_game: bool = False,
    ) -> Entry:
        """Keep one event: when this returns, it is on disk."""
        with self._mutex:
            number, before = self._last[0] + 1, self._last[1]
            owner = number if starts_game else game
            at = float(self._clock())
            chain = _chain(before, number, owner, line, command, seat, at)
            entry = Entry(number, owner, line, command, seat, at, chain)
            with self._transaction() as database:
                database.execute(
                    "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)",
                    (number, owner, line, command, seat, at, chain),
                )
            self._last = (number, chain)
            return entry

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        try:
            self._database.execute("BEGIN IMMEDIATE")
            yield self._database
            self._database.execute("COMMIT")
        except sqlite3.Error as error:
            if self._database.in_transaction:
                self._database.execute("ROLLBACK")
            todo = "nothing was changed; free some space and try again"
            raise JournalFullError(f"this could not be kept on disk ({error}): {todo}") from None

    # --- reading ---------------------------------------------------------------------------------------

    def entries(self, game: int | None = None, after: int = 0) -> tuple[Entry, ...]:
        """All entries after a number, or those of one game, in order."""
        which = "WHERE id > ?" if game is None else "WHERE id > ? AND game = ?"
        values = (after,) if game is None else (after, game)
        with self._mutex:
            rows = self._database.execute(f"SELECT * FROM events {which} ORDER BY id", values)
            return tuple(Entry(*row) for row in rows)

    def table_entries(self) -> tuple[Entry, ...]:
        """The entries outside games, and the one that started each game."""
        with self._mutex:
            rows = self._database.execute("SELECT * FROM events WHERE game IS NULL OR game = id ORDER BY id")
            return tuple(Entry(*row) for row in rows)

    def knows(self, command: str) -> bool:
        """Whether a command of that id was kept before."""
        with self._mutex:
            found = self._database.execute("SELECT 1 FROM events WHERE command = ?", (command,))
            return found.fetchone() is not None

    # --- safety ----------------------------------------------------------------------------------------

    def backup(self) -> Path:
        """A copy of the whole journal while it goes on being used; the newest few are kept."""
        folder = self._folder / BACKUPS
        folder.mkdir(exist_ok=True)
        with self._mutex:
            name = f"journal-{self._last[0]:08}.db"  # by its last entry: clocks jump, entries do not
            temporary = folder / f"{name}.part"
            temporary.unlink(missing_ok=True)
            copy = sqlite3.connect(temporary)
            try:
                self._database.backup(copy)
                copy.execute("PRAGMA journal_mode = DELETE")
            except sqlite3.Error as error:
                raise JournalFullError(f"no backup was made ({error}); free some space") from None
            finally:
                copy.close()
        _sync(temporary)
        temporary.replace(folder / name)
        _sync(folder)
        for old in backups(self._folder)[KEEP_BACKUPS:]:
            old.unlink()
        return folder / name

    def close(self) -> None:
        with self._mutex:
            self._database.close()
            if self._lock >= 0:
                os.close(self._lock)
                self._lock = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def backups(folder: Path) -> list[Path]:
    """The backups of a state folder, newest first."""
    return sorted((folder / BACKUPS).glob("journal-*.db"), reverse=True)


def set_aside(folder: Path) -> Path | None:
    """Move a damaged journal out of the way, complete and under a name of its own."""
    files = [
        path for path in (folder / FILE, folder / f"{FILE}-wal", folder / f"{FILE}-shm") if path.exists()
    ]
    if not files:
        return None
    number = 1
    while (place := folder / f"damaged-{number}").exists():
        number += 1
    place.mkdir()
    for path in reversed(files):  # the main file last: while it is there, a half-done move is noticed
        path.replace(place / path.name)
    _sync(place)
    _sync(folder)
    return place


def restore(folder: Path, backup: Path | None) -> Path | None:
    """Set the journal aside and go on from a backup, or from nothing if that is what the owner wants."""
    lock = _lock_folder(folder)
    try:
        kept = set_aside(folder)
        if backup is not None:
            temporary = folder / f"{FILE}.part"
            temporary.write_bytes(backup.read_bytes())
            _sync(temporary)
            temporary.replace(folder / FILE)
        else:
            (folder / FILE).touch()
        _sync(folder)
        return kept
    finally:
        os.close(lock)


def _lock_folder(folder: Path) -> int:
    """Only one companion on one state folder; the lock goes with the process, even a killed one."""
    lock = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        raise JournalError(f"another Boxlid is using {folder}; stop it, or choose another --state") from None
    return lock


def _damaged(folder: Path, what: str) -> str:
    newest = backups(folder)[:1]
    offer = f"its newest backup is {newest[0].name}" if newest else "there is no backup"
    return (
        f"the journal {folder / FILE} is damaged ({what}); nothing was changed and {offer}: "
        f"`boxlid restore` keeps the damaged file aside and goes on from the backup"
    )


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
