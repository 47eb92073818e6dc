"""The journal: every event on disk before anybody sees it, in one SQLite file. Owns no rules, only lines."""

import contextlib
import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Self

from companion.journal import database as db
from companion.journal.branches import end_of, holds
from companion.journal.doubt import Doubt, DoubtKind
from companion.journal.entry import Draft, Entry, Link
from companion.journal.errors import (
    Damage,
    JournalBehindError,
    JournalDamagedError,
    JournalError,
    JournalFullError,
    JournalRefusedError,
    Refusal,
    advice,
)
from companion.journal.files import BACKUPS, FILE, backup_named, backups, part, put_in_place
from companion.journal.lock import FolderLock
from companion.journal.opening import Opened, entries_of, open_journal

__all__ = [
    "LAST_NUMBER",
    "Doubt",
    "DoubtKind",
    "Entry",
    "Journal",
    "JournalBehindError",
    "JournalDamagedError",
    "JournalError",
    "JournalFullError",
    "JournalRefusedError",
    "Refusal",
    "kept_entries",
]

KEEP_BACKUPS = 5
LAST_NUMBER = 2**63 - 1  # that SQLite gives
_NOWHERE = Link(0, "")
_STRANGER = "stop it, then start Boxlid again"
_log = logging.getLogger(__name__)


class Journal:
    """The open journal of one state folder; safe to call from any thread."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time.time) -> None:
        self._folder = folder
        self._clock = clock
        self._mutex = threading.Lock()
        self._backing_up = threading.Lock()
        self._lock = FolderLock(folder)
        self.refusal: Refusal | None = None  # why the newest event was not kept; None: it was
        try:
            with _in_words(folder):
                self._take(open_journal(folder, self._lock))
        except BaseException:
            self._lock.release()
            raise

    def _take(self, opened: Opened) -> None:
        self._database = opened.database
        self._commands = opened.checked.commands
        self._games = dict(opened.checked.games)
        self._deleted = set(opened.checked.deleted)
        self._last: Link | None = opened.checked.last
        self._possible: tuple[Link, ...] = ()  # what may be the newest after an error
        self.doubt: Doubt | None = opened.doubt  # what may be missing, until somebody decided

    def settle(self) -> None:
        """Somebody decided that the journal is right as it is."""
        with self._mutex:
            self._lock.doubt(None)
            self.doubt = None

    @property
    def folder(self) -> Path:
        """The state folder, for what is made from the journal and kept beside it."""
        return self._folder

    def now(self) -> float:
        """The time that an entry kept now would have."""
        return float(self._clock())

    # --- writing ---------------------------------------------------------------------------------------

    @property
    def next_id(self) -> int:
        """The number that the next entry will have."""
        with self._mutex:
            return self._newest().id + 1

    def append(
        self,
        line: str,
        *,
        game: int | None = None,
        command: str | None = None,
        seat: int | None = None,
        starts_game: bool = False,
    ) -> Entry:
        """Keep one event: when this returns, it is on disk."""
        with self._mutex:
            draft = Draft(line, game, command, seat)
            return self._keep([draft.starting(self._newest().id + 1) if starts_game else draft])[0]

    def append_game(self, lines: Sequence[str]) -> Entry:
        """Keep a whole game at once, all of it or nothing; returns the entry that starts it."""
        with self._mutex:
            number = self._newest().id + 1
            return self._keep([Draft(line, number) for line in lines])[0]

    def _keep(self, drafts: Sequence[Draft]) -> list[Entry]:
        before, at, entries = self._newest(), self.now(), list[Entry]()
        last = before
        for draft in drafts:
            entries.append(draft.entry(last, at))
            last = entries[-1].link
        self._last, self._possible = None, (before, last)  # after an error the disk is asked, not guessed
        try:
            db.insert(self._database, entries)
        except sqlite3.Error as error:
            if not self._reached_disk(last):
                raise self._refused(error) from None
        self._last, self.refusal = last, None
        self._note(entries)
        self._lock.remember(last)
        return entries

    def _note(self, entries: Sequence[Entry]) -> None:
        """What is asked often enough not to be asked of the disk."""
        for entry in entries:
            if entry.command is not None:
                self._commands.add(entry.command)
            if entry.game is not None:
                self._games[entry.game] = entry.link
            elif (game := entry.deletes) is not None:
                self._deleted.add(game)

    def _reached_disk(self, link: Link) -> bool:
        """After an error: whether the entry is there all the same."""
        with contextlib.suppress(JournalFullError):
            return self._newest() == link
        return False

    def _newest(self) -> Link:
        """The newest entry, read again from the file after anything went wrong."""
        if self._last is None:
            try:
                found = db.newest(self._database)
            except sqlite3.Error as error:
                raise self._refused(error) from None
            if found not in self._possible:
                self.refusal = Refusal("another program wrote into the journal", _STRANGER)
                raise JournalFullError(str(self.refusal))
            self._last = found
        return self._last

    def _refused(self, error: sqlite3.Error) -> JournalFullError:
        self.refusal = Refusal(str(error), advice(error))
        return JournalFullError(str(self.refusal))

    # --- reading ---------------------------------------------------------------------------------------

    def entries(self, game: int | None = None, after: int = 0, until: int = LAST_NUMBER) -> tuple[Entry, ...]:
        """All entries after a number and until another, or those of one game, in order."""
        if game is None:
            return self._read("WHERE id BETWEEN ? AND ?", after + 1, until)
        with self._mutex:
            last = min(until, self._games.get(game, _NOWHERE).id)
        return self._read("WHERE id BETWEEN ? AND ? AND game = ?", max(after + 1, game), last, game)

    def entry(self, number: int) -> Entry | None:
        """The entry of that number."""
        return next(iter(self._read("WHERE id = ?", number)), None)

    def started(self) -> tuple[int, ...]:
        """All games that were ever started, deleted ones too, in order."""
        with self._mutex:
            return tuple(self._games)

    def newest_of(self, game: int) -> Link | None:
        """The newest entry of a game; None if there is no such game, or it was deleted."""
        with self._mutex:
            return None if game in self._deleted else self._games.get(game)

    def games(self) -> Mapping[int, Link]:
        """The newest entry of each game, by the entry that starts it, in order; deleted ones are left out."""
        with self._mutex:
            return {game: last for game, last in self._games.items() if game not in self._deleted}

    def table_entries(self) -> tuple[Entry, ...]:
        """The entries outside games, and the one that started each game."""
        return self._read("WHERE game IS NULL OR game = id")

    def _read(self, which: str, *values: int) -> tuple[Entry, ...]:
        with self._mutex:
            try:
                return tuple(db.rows(self._database, which, values))
            except sqlite3.Error as error:
                raise JournalError(f"the journal cannot be read ({error}); {advice(error)}") from None

    def knows(self, command: str) -> bool:
        """Whether a command of that id was kept before, as far back as one can come again."""
        with self._mutex:
            return command in self._commands

    # --- safety ----------------------------------------------------------------------------------------

    def backup(self) -> Path:
        """A copy of the whole journal, proved sound, while it goes on being used; the newest few are kept."""
        with self._backing_up:
            try:
                return self._backup()
            except Damage as damage:
                raise JournalDamagedError(_damaged(self._folder, damage)) from None
            except (sqlite3.Error, OSError) as error:
                todo = "check the disk's space and who may write there"
                raise JournalFullError(f"no backup was made ({error}); {todo}") from None

    def _backup(self) -> Path:
        (self._folder / BACKUPS).mkdir(exist_ok=True)
        try:
            made = part(self._folder)
            with contextlib.closing(sqlite3.connect(made)) as copy:
                copy.execute("PRAGMA synchronous = OFF")  # the play waits meanwhile; the file is synced below
                with self._mutex:
                    place = backup_named(self._folder, self._newest())
                    self._database.backup(copy)
                copy.execute("PRAGMA journal_mode = DELETE")  # one file, complete in itself
            db.check(made)
            put_in_place(made, place)
        finally:
            part(self._folder)  # half a backup would only fill the disk
        self._forget_old_backups()
        return place

    def _forget_old_backups(self) -> None:
        """Those of another branch stay: somebody decides on what they hold and this journal does not."""
        with db.reading(self._folder / FILE) as database:
            held = [path for path in backups(self._folder) if holds(database, end_of(path))]
        for old in held[KEEP_BACKUPS:]:
            old.unlink()

    def close(self) -> None:
        with self._mutex:
            self._database.close()
            self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def kept_entries(folder: Path) -> tuple[Entry, ...]:
    """All entries, also while a companion is using the folder; nothing is created or changed."""
    with _in_words(folder):
        found = entries_of(folder)
        if found is None:
            raise JournalError(f"a journal is wanted in {folder}, there is none; choose another --state")
        return found


@contextlib.contextmanager
def _in_words(folder: Path) -> Iterator[None]:
    """What can go wrong on opening, each with what to do."""
    path = folder / FILE
    try:
        yield
    except Damage as damage:
        raise JournalDamagedError(_damaged(folder, damage)) from None
    except db.NewerVersionError as error:
        raise JournalError(f"the journal {path} {error}; please update Boxlid") from None
    except sqlite3.Error as error:
        raise JournalError(f"the journal {path} cannot be opened ({error}); {advice(error)}") from None
    except OSError as error:
        todo = "check the disk and who may write there"
        raise JournalError(f"the journal {path} cannot be opened ({error.strerror}); {todo}") from None


def _damaged(folder: Path, what: Damage) -> str:
    newest = backups(folder)[:1]
    offer = f"its newest backup is {newest[0].name}" if newest else "there is no backup"
    return (
        f"the journal {folder / FILE} is damaged ({what}); nothing was changed and {offer}: "
        f"`boxlid restore` keeps the damaged file and goes on from the most that can be read"
    )
