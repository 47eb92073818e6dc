"""Going on after damage: from a backup, from what can still be read, from nothing. Nothing is deleted."""

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from companion.journal import database as db
from companion.journal.branches import not_held
from companion.journal.entry import NOTHING, Draft, Entry, Link, deletion
from companion.journal.errors import Damage, JournalError, advice
from companion.journal.exchange import finish
from companion.journal.files import FILE, WAL, backups, decide, earlier, free_aside, move_aside, part
from companion.journal.lock import FolderLock
from companion.journal.salvage import readable
from companion.journal.wal import Wal, scan


@dataclass(frozen=True, slots=True)
class Restored:
    """What a journal goes on from, and where the one before it is kept."""

    source: str
    entries: int
    kept: Path | None
    deleted: int = 0  # games whose deletion the source did not know of; they stay deleted


class WayKind(StrEnum):
    """What there may be to go on from."""

    AS_IS = "as-is"  # a sound journal, though a backup holds what it does not
    BACKUP = "backup"
    READABLE = "readable"  # all that can be read, in the damaged file and the backups together
    EMPTY = "empty"


@dataclass(frozen=True, slots=True)
class Way:
    """One way to go on: its name, how many entries and games it holds, when the newest was kept."""

    name: str
    kind: WayKind
    entries: int
    games: int
    newest: float | None
    sound: bool = True  # a backup may be damaged itself; nothing can go on from it


@dataclass(frozen=True, slots=True)
class _Source:
    """Something to go on from; `make` writes it as a database to a new place."""

    name: str
    entries: int
    make: Callable[[Path], None]


@dataclass(frozen=True, slots=True)
class _Deletion:
    """A game, the entry that starts it, whose hash vouches that it is the same game, and when it went."""

    game: int
    start: Link
    at: float


# --- choosing --------------------------------------------------------------------------------------------


def ways(folder: Path) -> tuple[Way, ...]:
    """Everything there is to choose from, the most entries first; the empty journal last."""
    held = {path: _sound(path) for path in backups(folder)}
    journal = _sound_journal(folder)
    found = [] if journal is None else [_way(WayKind.AS_IS, WayKind.AS_IS, journal)]
    for path, entries in held.items():
        found.append(_way(path.name, WayKind.BACKUP, entries or [], sound=entries is not None))
    sound = [entries[-1:] for entries in (journal, *held.values()) if entries is not None]
    if len(sound) <= len(held) and (read := _readable(folder))[-1:] not in sound:
        found.append(_way(WayKind.READABLE, WayKind.READABLE, read))
    known = [way for way in found if way.entries or not way.sound]
    return (*sorted(known, key=lambda way: -way.entries), _way(WayKind.EMPTY, WayKind.EMPTY, []))


def _way(name: str, kind: WayKind, entries: list[Entry], *, sound: bool = True) -> Way:
    games = sum(entry.game == entry.id for entry in entries)
    return Way(name, kind, len(entries), games, entries[-1].at if entries else None, sound)


def _sound(path: Path) -> list[Entry] | None:
    """The entries of a file that is what was written; None if it is not."""
    try:
        db.check(path)
        with db.reading(path) as database:
            return list(db.rows(database))
    except (Damage, sqlite3.Error, db.NewerVersionError, OSError):
        return None


def _sound_journal(folder: Path) -> list[Entry] | None:
    """The same for the journal, which is only as sound as its log."""
    return None if scan(folder / WAL) in (Wal.BROKEN, Wal.TORN) else _sound(folder / FILE)


def _readable(folder: Path) -> list[Entry]:
    """A damaged journal's entries and those of its backups, joined where one follows the other."""
    return readable(folder / FILE, *backups(folder))


def restore(folder: Path, backup: Path | None = None) -> Restored:
    """Go on from that backup, or from the most that backups and the damaged file itself still hold."""
    if backup is not None:
        return _go_on(folder, lambda: _from_backup(backup))
    with _locked(folder):  # what was decided before is among the ways now
        best = next(way for way in ways(folder) if way.sound)
    if best.kind is WayKind.EMPTY:
        todo = "`boxlid restore --empty` sets it aside and starts a new one"
        raise JournalError(f"nothing of the journal in {folder} can be read and there is no backup; {todo}")
    return restore_from(folder, best.name)


def restore_from(folder: Path, name: str) -> Restored:
    """Go on the way of that name."""
    if name == WayKind.AS_IS:
        return go_on_as_is(folder)
    if name == WayKind.EMPTY:
        return start_empty(folder)
    if name == WayKind.READABLE:
        return _go_on(folder, lambda: _from_readable(folder))
    for path in backups(folder):
        if path.name == name:
            return restore(folder, path)
    raise JournalError(
        f"a way to go on is one of {', '.join(way.name for way in ways(folder))}, got {name!r}"
    )


def start_empty(folder: Path) -> Restored:
    """Go on from nothing, as if there never had been a game."""
    return _go_on(folder, lambda: _Source("an empty journal", 0, db.create))


def go_on_as_is(folder: Path) -> Restored:
    """The journal is right as it is: backups that hold what it does not are set aside, no doubt is left."""
    with _locked(folder) as lock:
        entries = _sound_journal(folder)
        if entries is None:
            raise JournalError(f"a sound journal is wanted, that in {folder} is none; choose another way")
        with db.reading(folder / FILE) as database:
            others = not_held(database, backups(folder))
        place = free_aside(folder)
        move_aside(others, place)
        lock.begin(entries[-1].link if entries else NOTHING)
    return Restored("the journal as it is", len(entries), place if others else None)


# --- going on --------------------------------------------------------------------------------------------


@contextmanager
def _locked(folder: Path) -> Iterator[FolderLock]:
    """Nobody else is using the folder; what was decided before has happened; what goes wrong is in words."""
    lock = FolderLock(folder)
    try:
        finish(folder, lock)
        yield lock
    except sqlite3.Error as error:
        raise JournalError(f"nothing was restored ({error}); {advice(error)}") from None
    except OSError as error:
        todo = "check the disk's space and who may write there"
        raise JournalError(f"nothing was restored ({error}); {todo}") from None
    finally:
        lock.release()


def _go_on(folder: Path, choose: Callable[[], _Source]) -> Restored:
    """The new journal is ready before the old one is moved."""
    with _locked(folder) as lock:
        source = choose()
        try:
            made = part(folder)
            source.make(made)
            deleted = _delete_again(made, folder)
            decide(made, folder)
        finally:
            part(folder)  # half a journal would only fill the disk
        return Restored(source.name, source.entries, finish(folder, lock), deleted)


def _delete_again(made: Path, folder: Path) -> int:
    """What was deleted stays so, whatever the journal goes on from: a source may be older than that."""
    entries = readable(made)
    links = {entry.link for entry in entries}
    done = {entry.deletes for entry in entries}
    files = (folder / FILE, *backups(folder), *earlier(folder))
    known = [gone for path in files for gone in _deletions(path)]
    wanted = {gone.game: gone for gone in known if gone.start in links and gone.game not in done}
    if wanted:
        last, again = entries[-1].link, list[Entry]()
        for gone in wanted.values():
            again.append(Draft(deletion(gone.game)).entry(last, gone.at))
            last = again[-1].link
        with closing(db.connect(made)) as database:
            db.insert(database, again)
    return len(wanted)


def _deletions(path: Path) -> Iterator[_Deletion]:
    """The deletions that a file tells of, as far as it can be read."""
    starts: dict[int, Link] = {}
    for entry in readable(path):
        if entry.game == entry.id:
            starts[entry.id] = entry.link
        if (game := entry.deletes) in starts and game is not None:
            yield _Deletion(game, starts[game], entry.at)


# --- what there is to go on from -------------------------------------------------------------------------


def _from_backup(path: Path) -> _Source:
    try:
        return _backup(path, db.check(path).last.id)
    except OSError as error:
        raise JournalError(f"a sound backup is wanted, {path} cannot be read: {error.strerror}") from None
    except (Damage, sqlite3.Error, db.NewerVersionError) as error:
        raise JournalError(f"a sound backup is wanted, {path} cannot be used: {error}") from None


def _from_readable(folder: Path) -> _Source:
    if entries := _readable(folder):
        return _read(entries)
    raise JournalError(f"nothing of the journal in {folder} can be read; choose another way")


def _backup(path: Path, entries: int) -> _Source:
    def make(place: Path) -> None:
        shutil.copyfile(path, place)
        db.connect(place).close()  # from here on with a write-ahead log

    return _Source(f"the backup {path.name}", entries, make)


def _read(entries: list[Entry]) -> _Source:
    def make(place: Path) -> None:
        db.create(place)
        with closing(db.connect(place)) as database:
            db.insert(database, entries)

    return _Source("what can still be read of the journal and its backups", len(entries), make)
