"""What backups hold and a journal does not. The chain of hashes tells branches apart: after a lost log, or a
restored backup, the same number is another entry."""

import sqlite3
from collections.abc import Iterable
from pathlib import Path

from companion.journal import database as db
from companion.journal.entry import Link
from companion.journal.files import named


def not_held(database: sqlite3.Connection, paths: Iterable[Path]) -> list[Path]:
    """The backups with entries that this journal does not hold."""
    return [path for path in paths if not holds(database, end_of(path))]


def holds(database: sqlite3.Connection, link: Link) -> bool:
    """Whether the journal has come through that entry; its hash may be cut short."""
    chain = db.chain_at(database, link.id)
    return chain is not None and chain.startswith(link.chain)


def end_of(backup: Path) -> Link:
    """The last entry of a backup, also of a damaged one; the hash is empty if nothing tells it any more."""
    link = named(backup)
    if link.chain:
        return link
    try:
        with db.reading(backup) as database:
            return db.newest(database)
    except sqlite3.Error:
        return link
