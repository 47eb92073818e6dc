"""Journals for tests: filled, copied while they are open, cut and flipped."""

import random
import resource
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from companion.journal.files import FILE, WAL
from companion.journal.journal import Journal, JournalDamagedError
from companion.journal.lock import LOCK


def fill(journal: Journal, entries: int, seed: int = 1) -> None:
    """Entries of different lengths, so that pages split at different moments."""
    rng = random.Random(seed)
    for number in range(entries):
        journal.append(f"line {number} " + "x" * rng.randint(0, 300), command=f"c{seed}-{number}", seat=0)


def lines(folder: Path) -> list[str]:
    with Journal(folder) as journal:
        return [entry.line for entry in journal.entries()]


@dataclass(frozen=True)
class Copied:
    """The files of a journal as they were while it was open; power cuts and damage are tried on copies."""

    database: bytes
    log: bytes
    note: bytes
    lines: tuple[str, ...]
    log_sizes: tuple[int, ...]  # of the log after each of the lines was acknowledged

    def put(
        self, folder: Path, database: bytes | None = None, log: bytes | None = None, *, note: bool = True
    ) -> Path:
        """These in a new folder, one perhaps another; `note`: and what the lock's file notes."""
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        (folder / FILE).write_bytes(self.database if database is None else database)
        (folder / WAL).write_bytes(self.log if log is None else log)
        if note:
            (folder / LOCK).write_bytes(self.note)
        return folder


def copied(folder: Path, entries: int, earlier: int = 0) -> Copied:
    """A journal with that many entries in its log, and some before them in the database alone."""
    if earlier:
        with Journal(folder) as journal:
            fill(journal, earlier, seed=0)
    sizes = [0] * earlier
    with Journal(folder) as journal:
        for number in range(entries):
            fill(journal, 1, seed=number + 1)
            sizes.append((folder / WAL).stat().st_size)
        return Copied(
            (folder / FILE).read_bytes(),
            (folder / WAL).read_bytes(),
            (folder / LOCK).read_bytes(),
            tuple(entry.line for entry in journal.entries()),
            tuple(sizes),
        )


def lose_log(folder: Path, *, note: bool = True) -> int:
    """A journal that lost its log, a backup that holds all of it; how many entries has the file left?"""
    with Journal(folder) as journal:
        fill(journal, 120)
    with Journal(folder) as journal:
        fill(journal, 30, seed=2)
        journal.backup()
        kept = {path: path.read_bytes() for path in (folder / FILE, folder / LOCK)}
    for path, data in kept.items():  # as they were while it was open
        path.write_bytes(data)
    if not note:
        (folder / LOCK).unlink()
    return 120


def flipped(data: bytes, place: int, mask: int = 0xFF) -> bytes:
    return data[:place] + bytes([data[place] ^ mask]) + data[place + 1 :]


@contextmanager
def no_file_longer_than(size: int) -> Iterator[None]:
    """A disk that is full as the kernel says it: no file grows beyond that size."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def failure(folder: Path) -> JournalDamagedError:
    with pytest.raises(JournalDamagedError) as error:
        Journal(folder)
    return error.value
