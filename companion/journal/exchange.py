"""One journal takes the place of another: at every moment either stands whole, and a start goes on with it.

The new journal is made under another name, complete. Once it is called the next one it is decided: whoever
holds the lock then moves the files of before aside and brings it to its place, however often that is struck.
"""

import sqlite3
from dataclasses import dataclass
from pathlib import Path

from companion.journal import database as db
from companion.journal.branches import not_held
from companion.journal.entry import Link
from companion.journal.errors import is_damage
from companion.journal.files import (
    FILE,
    backups,
    decided,
    journal_files,
    move_aside,
    place_aside,
    put_in_place,
)
from companion.journal.lock import FolderLock


@dataclass(frozen=True, slots=True)
class _Next:
    """Where the next journal ends, and the backups of other branches than its own."""

    last: Link | None  # None: it was damaged since it was made, which the opening will say
    others: list[Path]


def finish(folder: Path, lock: FolderLock) -> Path | None:
    """Bring the journal that was decided on to its place, if there is one; where is the old one kept?"""
    following = decided(folder)
    if following is None:
        return None
    known, kept = _known(following, folder), place_aside(following)
    move_aside([*journal_files(folder), *known.others], kept)
    if known.last is not None:
        lock.begin(known.last)
    put_in_place(following, folder / FILE)
    return kept if kept.exists() else None


def _known(following: Path, folder: Path) -> _Next:
    try:
        with db.reading(following, alone=True) as database:
            return _Next(db.newest(database), not_held(database, backups(folder)))
    except sqlite3.Error as error:
        if not is_damage(error):
            raise
        return _Next(None, [])
