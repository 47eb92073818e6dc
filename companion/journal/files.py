"""The files of a state folder that belong to the journal: their names, and moving them safely."""

import os
from collections.abc import Sequence
from pathlib import Path

from companion.journal.entry import Link

FILE, BACKUPS = "journal.db", "backups"
WAL = f"{FILE}-wal"
_ENDINGS = ("", "-wal", "-shm", "-journal")  # of a database, and of what SQLite puts beside it
_PART, _NEXT, _ASIDE = f"{FILE}.part", f"{FILE}.next-", "set-aside-"
_CHAIN = 8  # letters of the hash in a backup's name, enough to tell branches apart


def log_of(database: Path) -> Path:
    """The write-ahead log of a database."""
    return Path(f"{database}-wal")


# --- backups ---------------------------------------------------------------------------------------------


def backups(folder: Path) -> list[Path]:
    """The backups of a state folder, the one with the most entries first."""
    found = (folder / BACKUPS).glob("journal-*.db")
    return sorted((path for path in found if path.is_file()), reverse=True)  # a pipe would be waited for


def backup_named(folder: Path, last: Link) -> Path:
    """Backups are named by their last entry: clocks jump, entries do not, and its hash names the branch."""
    return folder / BACKUPS / f"journal-{last.id:08}-{last.chain[:_CHAIN]}.db"


def named(backup: Path) -> Link:
    """The last entry that a backup of that name holds, its hash cut short; older names have no hash."""
    number, _, chain = backup.stem.removeprefix("journal-").partition("-")
    return Link(int(number) if number.isascii() and number.isdecimal() else 0, chain)


# --- a new journal in the place of the old ---------------------------------------------------------------


def part(folder: Path) -> Path:
    """The place where a new database is made, with nothing of an earlier try left."""
    path = folder / _PART
    for ending in _ENDINGS:
        Path(f"{path}{ending}").unlink(missing_ok=True)
    return path


def put_in_place(made: Path, place: Path) -> None:
    """A file appears under its name whole or not at all, even if the power goes."""
    sync(made)
    made.replace(place)
    sync(place.parent)


def decide(made: Path, folder: Path) -> None:
    """From here on that is the next journal, whatever happens; its name says where the one before it goes."""
    number = free_aside(folder).name.removeprefix(_ASIDE)
    put_in_place(made, folder / f"{_NEXT}{number}")


def decided(folder: Path) -> Path | None:
    """The journal that was decided on and is not in its place yet."""
    return next((path for path in sorted(folder.glob(f"{_NEXT}*")) if path.suffix[-1].isdecimal()), None)


def place_aside(following: Path) -> Path:
    """Where the journal goes that is followed by that one."""
    return following.with_name(f"{_ASIDE}{following.name.removeprefix(_NEXT)}")


def journal_files(folder: Path) -> list[Path]:
    """The database first: without it, what is left of a half-done move is noticed."""
    return [path for path in (folder / f"{FILE}{ending}" for ending in _ENDINGS) if path.exists()]


def move_aside(paths: Sequence[Path], place: Path) -> None:
    """Those files into that folder, on disk when this returns."""
    if not paths:
        return
    place.mkdir(exist_ok=True)
    for path in paths:
        path.replace(place / path.name)
    for folder in {place, place.parent, *(path.parent for path in paths)}:
        sync(folder)


def free_aside(folder: Path) -> Path:
    """The next folder to set something aside in."""
    number = 1
    while (folder / f"{_ASIDE}{number}").exists():
        number += 1
    return folder / f"{_ASIDE}{number}"


def earlier(folder: Path) -> list[Path]:
    """The databases that were set aside, journals and backups."""
    return sorted(path for path in folder.glob(f"{_ASIDE}*/*.db") if path.is_file())


def sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
