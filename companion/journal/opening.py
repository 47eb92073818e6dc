"""Opening a journal: proving it, and comparing it with what its note and its backups know of it."""

import logging
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from companion.journal import database as db
from companion.journal.branches import holds, not_held
from companion.journal.doubt import Doubt, DoubtKind
from companion.journal.entry import NOTHING, Entry, Link
from companion.journal.errors import Damage, JournalBehindError
from companion.journal.exchange import finish
from companion.journal.files import FILE, WAL, backups, decided, part, put_in_place
from companion.journal.lock import FolderLock
from companion.journal.wal import Wal, scan

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Opened:
    """A journal that may be written: the database, what it comes to, what nobody decided yet."""

    database: sqlite3.Connection
    checked: db.Checked
    doubt: Doubt | None


def open_journal(folder: Path, lock: FolderLock) -> Opened:
    """Damage, or JournalBehindError, if it is not all that was written."""
    finish(folder, lock)
    path, log = folder / FILE, scan(folder / WAL)
    if log is Wal.BROKEN:
        raise Damage("its write-ahead log has whole entries behind a broken one")
    if not path.exists() or not path.stat().st_size:
        _create(folder, lock)
    checked = db.check(path)
    with db.reading(path) as database:
        found = _compare(database, checked, lock.remembered(), log)
        _check_held(database, path, checked.last, backups(folder))
    database = db.connect(path)
    try:
        db.migrate(database, checked.version)
        db.prove_writable(database)
        doubt = _in_doubt(found, lock)
    except BaseException:
        database.close()
        raise
    lock.remember(checked.last)
    return Opened(database, checked, doubt)


def entries_of(folder: Path) -> tuple[Entry, ...] | None:
    """All entries, of a journal that may be in use; None if there is none."""
    copies, following = backups(folder), decided(folder)
    path = following or folder / FILE
    if not path.exists():
        return None
    alone = following is not None
    checked = db.check(path, alone=alone)
    with db.reading(path, alone=alone) as database:
        if not alone:  # else those of another branch are yet to be set aside
            _check_held(database, path, checked.last, copies)
        return tuple(db.rows(database))


def _create(folder: Path, lock: FolderLock) -> None:
    """A new journal, but only where there never was one."""
    path, log = folder / FILE, folder / WAL
    left = log.exists() and log.stat().st_size
    if left or backups(folder) or lock.tells_of_entries:
        raise Damage("the file is empty" if path.exists() else "the file is gone")
    made = part(folder)
    db.create(made)
    lock.begin(NOTHING)  # before there is a journal: one that has no note has lost it
    put_in_place(made, path)


def _compare(database: sqlite3.Connection, checked: db.Checked, noted: Link | None, log: Wal) -> Doubt | None:
    """A cut log is what a power cut leaves; an entry that is there and cannot be read is not."""
    if noted is None:
        return Doubt(DoubtKind.UNKNOWN) if checked.was_in_use else None
    if noted.id > checked.last.id:
        if log is Wal.TORN:
            raise Damage(f"entry {checked.last.id + 1} was kept and cannot be read")
        return Doubt(DoubtKind.LOST, noted.id - checked.last.id)
    return None if holds(database, noted) else Doubt(DoubtKind.OTHER)


def _check_held(database: sqlite3.Connection, path: Path, last: Link, copies: Sequence[Path]) -> None:
    """Not in silence on from a journal that lost what a backup of it still holds."""
    if others := not_held(database, copies):
        name = others[0].name
        raise JournalBehindError(
            f"the journal {path} ends with entry {last.id} and does not hold what its backup {name} holds; "
            "nothing was changed: `boxlid restore` goes on from the most that there is, "
            "`boxlid restore --as-is` from the journal"
        )


def _in_doubt(found: Doubt | None, lock: FolderLock) -> Doubt | None:
    """What is in doubt stays so over restarts, until somebody decides."""
    before = lock.doubted()
    if found is None:
        return before
    doubt = found.after(before)
    _log.warning("something may be missing from the journal: %s", doubt)
    lock.doubt(doubt)
    return doubt
