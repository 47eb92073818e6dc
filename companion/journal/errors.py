"""What can be wrong with the journal, and which of SQLite's errors mean that its file is damaged."""

import sqlite3
from dataclasses import dataclass

# These are about the disk, the folder or another program; every other error of SQLite's is about the file.
_OUTSIDE = (
    "SQLITE_FULL",
    "SQLITE_READONLY",
    "SQLITE_CANTOPEN",
    "SQLITE_BUSY",
    "SQLITE_LOCKED",
    "SQLITE_IOERR",
    "SQLITE_NOMEM",
    "SQLITE_PERM",
)
_UNREADABLE = ("SQLITE_IOERR_READ", "SQLITE_IOERR_SHORT_READ", "SQLITE_IOERR_CORRUPTFS")


class JournalError(Exception):
    """The journal cannot do it: what was wanted, what was got, what to do."""


class JournalDamagedError(JournalError):
    """The files do not hold what was written. They are kept as they are."""


class JournalBehindError(JournalDamagedError):
    """The journal is sound, and a backup holds what it does not. Somebody chooses how to go on."""


class JournalRefusedError(JournalError):
    """The file is what was written, but this version's rules do not allow what it says."""


class JournalFullError(JournalError):
    """The event could not be kept, so it did not happen."""


class Damage(Exception):  # noqa: N818 - a finding on its way to a JournalDamagedError, which says what to do
    """A file does not hold what was written to it."""


def is_damage(error: sqlite3.Error) -> bool:
    """Whether the file itself is at fault, rather than the disk, the folder or another program."""
    name = getattr(error, "sqlite_errorname", "")
    return name in _UNREADABLE or not name.startswith(_OUTSIDE)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why the newest event could not be kept, in SQLite's words, and what to do."""

    reason: str
    todo: str

    def __str__(self) -> str:
        return f"this could not be kept on disk ({self.reason}); nothing was changed: {self.todo}"


def advice(error: sqlite3.Error) -> str:
    """What to do about an error that is no damage."""
    name = getattr(error, "sqlite_errorname", "")
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return "another program is using it; close that program and try again"
    if name.startswith(("SQLITE_FULL", "SQLITE_IOERR")):
        return "free some space on the disk and try again"
    return "check the disk's space and who may write there"
