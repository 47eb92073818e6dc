"""The database under the journal: making it, bringing it up to date, proving that it is what was written."""

import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from companion.journal.command_ids import CommandIds
from companion.journal.entry import NOTHING, Entry, Link
from companion.journal.errors import Damage, is_damage
from companion.journal.files import log_of

BUSY_SECONDS = 2.0
PAGE = 4096
CHECKPOINT_PAGES = 200  # a short log is read quickly at the next start
_APPLICATION = 0x426F78  # "Box"; the version stands behind it once more, so that a flipped bit of it shows
_LAST_VERSION = 0xFF
# Each entry brings a file of the version before it up to date; user_version counts them.
MIGRATIONS = (
    """
    CREATE TABLE events (
        id INTEGER PRIMARY KEY, game INTEGER, line TEXT NOT NULL, command TEXT, seat INTEGER,
        at REAL NOT NULL, chain TEXT NOT NULL) STRICT;
    CREATE TRIGGER no_update BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'the journal only grows'); END;
    CREATE TRIGGER no_delete BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'the journal only grows'); END;
    """,
)
_MAGIC = b"SQLite format 3\x00"
_AT_REST, _IN_USE = b"\x01\x01", b"\x02\x02"  # rollback journal as in backups, write-ahead log
_FIXED = bytes([0, 64, 32, 32])


class NewerVersionError(Exception):
    """The file was made by a later Boxlid."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What a sound journal file comes to."""

    version: int
    was_in_use: bool  # a companion wrote it; not so a backup, which is complete in itself
    last: Link
    commands: CommandIds
    games: Mapping[int, Link]  # the newest entry of each game
    deleted: frozenset[int]


def connect(path: Path) -> sqlite3.Connection:
    """Open for writing: an event is on disk once its COMMIT returned."""
    database = sqlite3.connect(path, BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        database.execute(f"PRAGMA page_size = {PAGE}")  # of a new file
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = FULL")
        database.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
    except sqlite3.Error:
        database.close()
        raise
    return database


def prove_writable(database: sqlite3.Connection) -> None:
    """SQLite opens what it may only read, too, and would refuse every event."""
    database.execute("UPDATE events SET line = line WHERE 0")


def create(path: Path) -> None:
    """A new empty journal file."""
    with closing(connect(path)) as database:
        migrate(database, 0)


def migrate(database: sqlite3.Connection, version: int) -> None:
    for number in range(version, len(MIGRATIONS)):
        now = number + 1
        numbers = f"PRAGMA user_version = {now}; PRAGMA application_id = {_APPLICATION << 8 | now};"
        database.executescript(f"BEGIN IMMEDIATE; {MIGRATIONS[number]} {numbers} COMMIT;")


@contextmanager
def reading(path: Path, *, alone: bool = False) -> Iterator[sqlite3.Connection]:
    """Open for reading only: nothing of the file or its log changes, not even on closing.

    `alone`: nobody writes it and it has no log, so nothing is put beside it either."""
    uri = f"file:{quote(str(path.absolute()))}?mode=ro"
    if alone or (not os.access(path.parent, os.W_OK) and not log_of(path).exists()):
        uri += "&immutable=1"  # with no log there is nothing to share with a writer, and no place to do it
    with closing(sqlite3.connect(uri, BUSY_SECONDS, isolation_level=None, uri=True)) as database:
        try:
            yield database
        except UnicodeDecodeError:  # even what SQLite says of a damaged file may be no text
            raise sqlite3.DatabaseError("a text in it is no UTF-8") from None


def rows(database: sqlite3.Connection, which: str = "", values: tuple[int, ...] = ()) -> Iterator[Entry]:
    return (Entry(*row) for row in database.execute(f"SELECT * FROM events {which} ORDER BY id", values))


def check(path: Path, *, alone: bool = False) -> Checked:
    """Every page and every entry is what was written; Damage says what is not. `alone` as for `reading`."""
    modes = _check_header(path)
    try:
        with reading(path, alone=alone) as database:
            version = _version(database)
            _check_pages(database, version)
            return _check_entries(database, version, was_in_use=modes != _AT_REST)
    except sqlite3.DatabaseError as error:
        if is_damage(error):
            raise Damage(str(error)) from None
        raise


def _check_header(path: Path) -> bytes:
    """Returns which kind of log it has."""
    if path.exists() and not (path.is_file() or path.is_dir()):  # a pipe would be waited for
        raise Damage("it is no plain file")
    with path.open("rb") as file:
        head = file.read(100)
    if len(head) < 100:
        raise Damage(f"only {len(head)} bytes of it are left")
    fixed = (head[:16], head[16:18], head[20:24])
    if fixed != (_MAGIC, PAGE.to_bytes(2, "big"), _FIXED) or head[18:20] not in (_AT_REST, _IN_USE):
        raise Damage("its header is not what was written")
    return head[18:20]


def _version(database: sqlite3.Connection) -> int:
    (version,) = database.execute("PRAGMA user_version").fetchone()
    (application,) = database.execute("PRAGMA application_id").fetchone()
    if not 1 <= version <= _LAST_VERSION or application != _APPLICATION << 8 | version:
        raise Damage("it does not say which version it has")
    if version > len(MIGRATIONS):
        raise NewerVersionError(f"has version {version}, this Boxlid reads up to {len(MIGRATIONS)}")
    return int(version)


def _check_pages(database: sqlite3.Connection, version: int) -> None:
    (verdict,) = database.execute("PRAGMA integrity_check(1)").fetchone()
    if verdict != "ok":
        raise Damage(" ".join(str(verdict).split()))
    query = "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY rowid"
    with closing(sqlite3.connect(":memory:")) as model:
        model.executescript("".join(MIGRATIONS[:version]))
        if database.execute(query).fetchall() != model.execute(query).fetchall():
            raise Damage("its tables are not those that were made")


def _check_entries(database: sqlite3.Connection, version: int, *, was_in_use: bool) -> Checked:
    last, commands, games, deleted = NOTHING, CommandIds(), dict[int, Link](), set[int]()
    for entry in rows(database):
        if not entry.follows(last):
            raise Damage(f"entry {last.id + 1} is not what was written")
        last = entry.link
        if entry.command is not None:
            commands.add(entry.command)
        if entry.game is not None:
            games[entry.game] = last
        elif (game := entry.deletes) is not None:
            deleted.add(game)
    return Checked(version, was_in_use, last, commands, games, frozenset(deleted))


def readable_rows(path: Path) -> Iterator[Entry]:
    """The rows of a damaged file, up to the first that SQLite cannot read; they need not be true."""
    try:
        _check_header(path)
        with reading(path) as database:
            yield from rows(database)
    except (sqlite3.DatabaseError, Damage, OSError):
        return  # the rest cannot be read; what could be is what was asked for


def insert(database: sqlite3.Connection, entries: list[Entry]) -> None:
    """All of them or none, on disk when this returns."""
    _end_transaction(database)
    database.execute("BEGIN IMMEDIATE")
    try:
        database.executemany(
            "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)",
            [(e.id, e.game, e.line, e.command, e.seat, e.at, e.chain) for e in entries],
        )
        database.execute("COMMIT")
    except BaseException:  # also what is no SQL error, such as a text that is no UTF-8
        _end_transaction(database)
        raise


def _end_transaction(database: sqlite3.Connection) -> None:
    """What an insert left open, because its rollback failed, was refused. A full disk ends it by itself."""
    if database.in_transaction:
        database.execute("ROLLBACK")


def chain_at(database: sqlite3.Connection, number: int) -> str | None:
    """The hash that vouches for the journal up to that entry: it names the branch."""
    if number == NOTHING.id:
        return NOTHING.chain
    row = database.execute("SELECT chain FROM events WHERE id = ?", (number,)).fetchone()
    return None if row is None else str(row[0])


def newest(database: sqlite3.Connection) -> Link:
    """The newest entry on disk."""
    _end_transaction(database)
    row = database.execute("SELECT id, chain FROM events ORDER BY id DESC LIMIT 1").fetchone()
    return NOTHING if row is None else Link(*row)
