"""Going on after damage: from a backup, from what can still be read, or from nothing. Nothing is deleted."""

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from companion.storage import database as db
from companion.storage.entry import Draft, Entry, Link, deletion
from companion.storage.errors import Damage, JournalError, advice
from companion.storage.files import FILE, backup_number, backups, earlier, part, put_in_place, set_aside
from companion.storage.lock import FolderLock


@dataclass(frozen=True, slots=True)
class Restored:
    """What a journal goes on from, and where the one before it is kept."""

    source: str
    entries: int
    kept: Path | None
    deleted: int = 0  # games whose deletion the source did not know of; they stay deleted


class WayKind(StrEnum):
    """What there may be to go on from."""

    BACKUP = "backup"
    READABLE = "readable"  # the damaged file's beginning, up to the first entry that is not what was written
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


def restore(folder: Path, backup: Path | None = None) -> Restored:
    """Go on from that backup, or from the most that backups and the damaged file itself still hold."""
    return _go_on(folder, lambda: _best(folder) if backup is None else _from_backup(backup))


def ways(folder: Path) -> tuple[Way, ...]:
    """Everything there is to choose from, the most entries first; the empty journal last."""
    found = [_way(WayKind.READABLE, WayKind.READABLE, db.readable(folder / FILE))]
    for path in backups(folder):
        sound = any(True for _ in _sound([path]))
        found.append(_way(path.name, WayKind.BACKUP, db.readable(path) if sound else [], sound=sound))
    known = [way for way in found if way.entries or not way.sound]
    return (*sorted(known, key=lambda way: -way.entries), _way(WayKind.EMPTY, WayKind.EMPTY, []))


def _way(name: str, kind: WayKind, entries: list[Entry], *, sound: bool = True) -> Way:
    games = sum(entry.game == entry.id for entry in entries)
    return Way(name, kind, len(entries), games, entries[-1].at if entries else None, sound)


def restore_from(folder: Path, name: str) -> Restored:
    """Go on the way of that name."""
    if name == WayKind.EMPTY:
        return start_empty(folder)
    if name == WayKind.READABLE:
        return _go_on(folder, lambda: _only(folder))
    for path in backups(folder):
        if path.name == name:
            return restore(folder, path)
    raise JournalError(
        f"a way to go on is one of {', '.join(way.name for way in ways(folder))}, got {name!r}"
    )


def _only(folder: Path) -> _Source:
    for source in _from_damaged(folder / FILE):
        return source
    raise JournalError(f"nothing of the journal in {folder} can be read; choose another way")


def start_empty(folder: Path) -> Restored:
    """Go on from nothing, as if there never had been a game."""
    return _go_on(folder, lambda: _Source("an empty journal", 0, db.create))


def _go_on(folder: Path, choose: Callable[[], _Source]) -> Restored:
    lock = FolderLock(folder)
    try:
        return _put(folder, choose(), lock)
    except sqlite3.Error as error:
        raise JournalError(f"nothing was restored ({error}); {advice(error)}") from None
    except OSError as error:
        todo = "check the disk's space and who may write there"
        raise JournalError(f"nothing was restored ({error}); {todo}") from None
    finally:
        lock.release()


def _put(folder: Path, source: _Source, lock: FolderLock) -> Restored:
    """The new journal is ready before the old one is moved."""
    try:
        made = part(folder)
        source.make(made)
        deleted = _delete_again(made, folder)
        kept = set_aside(folder, [old for old in backups(folder) if backup_number(old) > source.entries])
        lock.forget()
        put_in_place(made, folder / FILE)
    finally:
        part(folder)  # half a journal would only fill the disk
    return Restored(source.name, source.entries, kept, deleted)


def _delete_again(made: Path, folder: Path) -> int:
    """What was deleted stays so, whatever the journal goes on from: a source may be older than that."""
    entries = db.readable(made)
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
    for entry in db.readable(path) if path.exists() else ():
        if entry.game == entry.id:
            starts[entry.id] = entry.link
        if (game := entry.deletes) in starts and game is not None:
            yield _Deletion(game, starts[game], entry.at)


def _best(folder: Path) -> _Source:
    """Whatever holds the most entries; of equals, a backup."""
    sources = [*_sound(backups(folder)), *_from_damaged(folder / FILE)]
    if not sources:
        todo = "`boxlid restore --empty` sets it aside and starts a new one"
        raise JournalError(f"nothing of the journal in {folder} can be read and there is no backup; {todo}")
    return max(sources, key=lambda source: source.entries)


def _sound(paths: list[Path]) -> Iterator[_Source]:
    for path in paths:
        try:
            yield _from_backup(path)
        except JournalError:  # a damaged backup is no source; it is set aside with what it was made from
            continue


def _from_backup(path: Path) -> _Source:
    def make(place: Path) -> None:
        shutil.copyfile(path, place)
        db.connect(place).close()  # from here on with a write-ahead log

    try:
        return _Source(f"the backup {path.name}", db.check(path).last.id, make)
    except OSError as error:
        raise JournalError(f"a sound backup is wanted, {path} cannot be read: {error.strerror}") from None
    except (Damage, sqlite3.Error, db.NewerVersionError) as error:
        raise JournalError(f"a sound backup is wanted, {path} cannot be used: {error}") from None


def _from_damaged(path: Path) -> Iterator[_Source]:
    entries = db.readable(path)

    def make(place: Path) -> None:
        db.create(place)
        with closing(db.connect(place)) as database:
            db.insert(database, entries)

    if entries:
        yield _Source("what can still be read of the damaged journal", len(entries), make)
