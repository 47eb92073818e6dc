"""The files of a state folder that belong to the journal: their names, and moving them safely."""

import os
from pathlib import Path

FILE, BACKUPS = "journal.db", "backups"
WAL = f"{FILE}-wal"
_BESIDE = (WAL, f"{FILE}-shm", f"{FILE}-journal")
_PART = f"{FILE}.part"


def backups(folder: Path) -> list[Path]:
    """The backups of a state folder, newest first."""
    return sorted((folder / BACKUPS).glob("journal-*.db"), reverse=True)


def backup_named(folder: Path, last: int) -> Path:
    """Backups are named by their last entry: clocks jump, entries do not."""
    return folder / BACKUPS / f"journal-{last:08}.db"


def backup_number(path: Path) -> int:
    """The last entry that a backup of that name holds."""
    number = path.stem.removeprefix("journal-")
    return int(number) if number.isdecimal() else 0


def part(folder: Path) -> Path:
    """The place where a new database is made, with nothing of an earlier try left."""
    path = folder / _PART
    for ending in ("", "-wal", "-shm", "-journal"):
        (folder / f"{_PART}{ending}").unlink(missing_ok=True)
    return path


def put_in_place(made: Path, place: Path) -> None:
    """A file appears under its name whole or not at all, even if the power goes."""
    sync(made)
    made.replace(place)
    sync(place.parent)


def set_aside(folder: Path, newer: list[Path]) -> Path | None:
    """Move the journal and those backups out of the way, complete, into a folder of their own."""
    files = [path for path in (folder / FILE, *(folder / name for name in _BESIDE), *newer) if path.exists()]
    if not files:
        return None
    number = 1
    while (place := folder / f"set-aside-{number}").exists():
        number += 1
    place.mkdir()
    for path in files:  # the database first: without it, what is left of a half-done move is noticed
        path.replace(place / path.name)
    sync(place)
    sync(folder)
    return place


def earlier(folder: Path) -> list[Path]:
    """The databases that were set aside, journals and backups."""
    return sorted(folder.glob("set-aside-*/*.db"))


def sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
