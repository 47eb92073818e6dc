"""The journal keeps every event, in order, once, and says in one line what it cannot do."""

import contextlib
import os
import shutil
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.journal import command_ids, database
from companion.journal import journal as journal_module
from companion.journal.entry import Link
from companion.journal.files import BACKUPS, FILE, WAL, backups
from companion.journal.journal import Entry, Journal, JournalError, JournalFullError, kept_entries
from companion.journal.lock import LOCK, FolderLock
from tests.journals import fill, lines, no_file_longer_than
from tests.waiting import PATIENCE

UNWRITABLE = Path("/sys/kernel")  # not even root may make files there


def one_line(error: pytest.ExceptionInfo[JournalError]) -> str:
    text = str(error.value)
    assert "\n" not in text
    return text


def test_what_was_kept_is_there_when_the_journal_is_opened_again(tmp_path: Path) -> None:
    with Journal(tmp_path, clock=lambda: 12.5) as journal:
        entry = journal.append("0 done", game=None, command="c1", seat=2)
    assert (entry.id, entry.line, entry.command, entry.seat, entry.at) == (1, "0 done", "c1", 2, 12.5)
    with Journal(tmp_path) as journal:
        assert journal.entries() == (entry,)
        assert journal.next_id == 2


def test_an_entry_that_starts_a_game_is_its_first(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        journal.append("seat taken")
        start = journal.append("game started", starts_game=True)
        inside = journal.append("0 done", game=start.game)
        outside = journal.append("seat held")
        assert start.game == start.id == 2
        assert journal.entries(game=2) == (start, inside)
        assert journal.entries(after=2) == (inside, outside)
        assert journal.entries(game=2, after=2) == (inside,)
        assert journal.entries(after=1, until=3) == (start, inside)
        assert journal.entries(game=2, until=2) == (start,)
        assert [entry.id for entry in journal.table_entries()] == [1, 2, 4]


def test_a_whole_game_is_kept_at_once(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        journal.append("before")
        first = journal.append_game(["start", "middle", "end"])
        assert [entry.line for entry in journal.entries(game=first.id)] == ["start", "middle", "end"]
        assert [entry.game for entry in journal.entries()] == [None, 2, 2, 2]


def test_a_command_is_known_from_its_keeping_on_even_after_a_restart(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        assert not journal.knows("c1")
        journal.append("0 done", command="c1")
        assert journal.knows("c1")
    with Journal(tmp_path) as journal:
        assert journal.knows("c1")
        assert not journal.knows("c2")


def test_only_so_many_ids_are_known_as_can_come_again_and_the_same_after_a_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command_ids, "KEPT", 3)

    def known(journal: Journal) -> list[str]:
        return [name for name in ("c1", "c2", "c3", "c4", "c5") if journal.knows(name)]

    with Journal(tmp_path) as journal:
        for command in ("c1", "c2", None, "c3", "c4", "c5"):
            journal.append("0 done", command=command)
        assert known(journal) == ["c3", "c4", "c5"]
    with Journal(tmp_path) as journal:
        assert known(journal) == ["c3", "c4", "c5"]


def test_the_database_itself_refuses_to_change_or_delete_an_entry(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        fill(journal, 3)
    with contextlib.closing(sqlite3.connect(tmp_path / FILE)) as other:
        for change in ("UPDATE events SET line = 'x'", "DELETE FROM events"):
            with pytest.raises(sqlite3.IntegrityError, match="the journal only grows"):
                other.execute(change)


def test_every_commit_waits_for_the_disk(tmp_path: Path) -> None:
    Journal(tmp_path).close()
    with contextlib.closing(database.connect(tmp_path / FILE)) as opened:
        assert opened.execute("PRAGMA synchronous").fetchone() == (2,)
        assert opened.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_two_companions_on_one_folder_are_refused_and_the_first_goes_on(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        with pytest.raises(JournalError, match=r"another Boxlid is using .*; stop it") as error:
            Journal(tmp_path)
        one_line(error)
        journal.append("0 done")
    assert lines(tmp_path) == ["0 done"]


def test_a_folder_is_free_again_after_a_journal_that_did_not_open(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"no database at all")
    for _ in range(2):  # the second time, it is not "another Boxlid"
        with pytest.raises(JournalError, match="damaged"):
            Journal(tmp_path)


def test_closing_twice_is_fine_and_a_closed_journal_refuses(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.append("0 done")
    journal.close()
    journal.close()
    with pytest.raises(JournalFullError):
        journal.append("1 done")
    with pytest.raises(JournalError, match="cannot be read"):
        journal.entries()


@pytest.mark.parametrize("place", [UNWRITABLE, UNWRITABLE / "boxlid"])
def test_a_folder_that_cannot_be_written_is_named(place: Path) -> None:
    with pytest.raises(JournalError, match=f"{place} cannot be written") as error:
        Journal(place)
    assert "--state" in one_line(error)


def test_a_file_in_place_of_the_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "state").touch()
    with pytest.raises(JournalError, match="state cannot be written"):
        Journal(tmp_path / "state")


def test_a_journal_that_cannot_be_read_as_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / FILE).mkdir()
    (tmp_path / FILE / "something").touch()
    with pytest.raises(JournalError, match=r"journal\.db cannot be opened") as error:
        Journal(tmp_path)
    one_line(error)


# --- versions ------------------------------------------------------------------------------------------


MORE = (*database.MIGRATIONS, "CREATE TABLE notes (id INTEGER PRIMARY KEY) STRICT;")


def test_a_journal_of_a_newer_boxlid_is_refused_and_not_called_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as later:
        later.setattr(database, "MIGRATIONS", MORE)
        with Journal(tmp_path) as journal:
            fill(journal, 2)
    with pytest.raises(
        JournalError, match="has version 2, this Boxlid reads up to 1; please update"
    ) as error:
        Journal(tmp_path)
    assert "damaged" not in one_line(error)


def test_a_journal_of_an_older_boxlid_is_brought_up_to_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Journal(tmp_path) as journal:
        fill(journal, 2)
        before = journal.entries()
    monkeypatch.setattr(database, "MIGRATIONS", MORE)
    for _ in range(2):
        with Journal(tmp_path) as journal:
            assert journal.entries() == before
            assert database.check(tmp_path / FILE).version == 2


def test_a_migration_that_fails_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Journal(tmp_path) as journal:
        fill(journal, 2)
    with monkeypatch.context() as broken:
        broken.setattr(database, "MIGRATIONS", (*MORE, "CREATE TABLE notes (id INTEGER);"))
        with pytest.raises(JournalError, match="cannot be opened") as error:
            Journal(tmp_path)
        one_line(error)
    monkeypatch.setattr(database, "MIGRATIONS", MORE)
    assert len(lines(tmp_path)) == 2


# --- when it cannot be kept ----------------------------------------------------------------------------


def test_a_log_that_cannot_grow_refuses_the_event_and_goes_on_once_it_can(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        fill(journal, 5)
        before, size = journal.entries(), (tmp_path / WAL).stat().st_size
        for room in (0, 24, 1000, 4000):  # not one byte, or a piece of the frame
            with no_file_longer_than(size + room):
                with pytest.raises(JournalFullError, match="could not be kept on disk") as error:
                    journal.append("too much", command="refused")
                assert "nothing was changed: free some space" in one_line(error)
                assert not journal.knows("refused")
                assert journal.entries() == before
                assert journal.next_id == 6
        journal.append("after", command="refused")
    assert lines(tmp_path)[5:] == ["after"]


def test_a_database_that_may_not_grow_refuses_the_event_and_goes_on_once_it_may(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        fill(journal, 5)
        with limited_pages(journal), pytest.raises(JournalFullError, match="full"):
            fill(journal, 100, seed=2)
        kept = [entry.line for entry in journal.entries()]
        assert 5 <= len(kept) < 105
        with limited_pages(journal), pytest.raises(JournalFullError, match="full"):
            journal.append_game(["x" * 3000] * 10)
        assert [entry.line for entry in journal.entries()] == kept  # a game is kept whole or not at all
        journal.append("after")
    assert lines(tmp_path) == [*kept, "after"]


@contextlib.contextmanager
def limited_pages(journal: Journal) -> Iterator[None]:
    connection = journal._database  # the limit is the connection's, there is no other way to set it
    connection.execute("PRAGMA max_page_count = 1")  # SQLite takes that as: no more than there are
    try:
        yield
    finally:
        connection.execute("PRAGMA max_page_count = 1000000")


def test_an_event_is_refused_while_another_program_writes_and_kept_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.0)
    with Journal(tmp_path) as journal:
        with contextlib.closing(sqlite3.connect(tmp_path / FILE, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(JournalFullError, match="locked") as error:
                journal.append("0 done")
            assert "another program is using it" in one_line(error)
        journal.append("1 done")
    assert lines(tmp_path) == ["1 done"]


def test_nothing_is_kept_on_top_of_what_another_program_wrote(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        journal.append("0 done")
        with contextlib.closing(sqlite3.connect(tmp_path / FILE, isolation_level=None)) as other:
            other.execute("INSERT INTO events VALUES (2, NULL, '1 done', NULL, NULL, 1.0, 'forged')")
        for _ in range(2):
            with pytest.raises(JournalFullError) as error:
                journal.append("2 done")
            one_line(error)
        assert "another program wrote into the journal" in one_line(error)
    with pytest.raises(JournalError, match="entry 2 is not what was written"):
        Journal(tmp_path)


def test_a_journal_that_another_program_holds_is_said_to_be_in_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Journal(tmp_path).close()
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.0)
    with contextlib.closing(sqlite3.connect(tmp_path / FILE, isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("PRAGMA user_version")
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(JournalError, match="another program is using it") as error:
            Journal(tmp_path)
        assert "damaged" not in one_line(error)


def test_a_commit_that_reports_an_error_and_reached_the_disk_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise memory and file would part, and the next event would take a number that is taken."""
    insert = database.insert

    def reports_an_error(opened: sqlite3.Connection, entries: list[Entry]) -> None:
        insert(opened, entries)
        raise sqlite3.OperationalError("disk I/O error")

    with Journal(tmp_path) as journal:
        monkeypatch.setattr(database, "insert", reports_an_error)
        assert journal.append("0 done", command="c").id == 1
        assert journal.knows("c")
        monkeypatch.undo()
        assert journal.append("1 done").id == 2
    assert lines(tmp_path) == ["0 done", "1 done"]


def test_after_an_error_the_newest_entry_is_read_again_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> Link:
        raise sqlite3.OperationalError("disk I/O error")

    with Journal(tmp_path) as journal:
        journal.append("0 done")
        with monkeypatch.context() as broken:
            broken.setattr(database, "insert", fails)
            broken.setattr(database, "newest", fails)
            with pytest.raises(JournalFullError):
                journal.append("lost")
            with pytest.raises(JournalFullError):
                assert journal.next_id
        assert journal.next_id == 2
        journal.append("1 done")
    assert lines(tmp_path) == ["0 done", "1 done"]


def test_a_text_that_is_no_text_is_refused_and_the_journal_goes_on(tmp_path: Path) -> None:
    """It is no error of SQLite's; the transaction it began must end all the same."""
    with Journal(tmp_path) as journal:
        journal.append("0 done")
        for line, command in (("\ud800", None), ("1 done", "\udfff")):
            with pytest.raises(UnicodeEncodeError):
                journal.append(line, command=command)
        journal.append("2 done")
    assert lines(tmp_path) == ["0 done", "2 done"]


class FailsOn:
    """A connection that fails at one statement, as often as told."""

    def __init__(self, connection: sqlite3.Connection, statements: dict[str, int]) -> None:
        self._connection, self._statements = connection, statements

    def execute(self, sql: str) -> sqlite3.Cursor:
        if self._statements.get(sql, 0):
            self._statements[sql] -= 1
            raise sqlite3.OperationalError("disk I/O error")
        return self._connection.execute(sql)

    def __getattr__(self, name: str) -> object:
        return getattr(self._connection, name)


def test_a_transaction_that_could_not_be_rolled_back_is_no_kept_event_and_ends_before_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Read inside it, the entry would be there; after a power cut it would not."""
    with Journal(tmp_path) as journal:
        journal.append("0 done")
        with monkeypatch.context() as failing:
            fails = FailsOn(journal._database, {"COMMIT": 1, "ROLLBACK": 1})
            failing.setattr(journal, "_database", fails)
            with pytest.raises(JournalFullError, match="disk I/O error"):
                journal.append("refused", command="c")
        assert not journal.knows("c")
        journal.append("1 done")
    assert lines(tmp_path) == ["0 done", "1 done"]


def test_a_journal_says_why_it_refused_until_it_keeps_again(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        fill(journal, 5)
        assert journal.refusal is None
        with no_file_longer_than((tmp_path / WAL).stat().st_size), pytest.raises(JournalFullError) as error:
            journal.append("too much")
        assert str(journal.refusal) == str(error.value)
        journal.append("after")
        assert journal.refusal is None


def test_a_note_that_cannot_be_written_does_not_deny_what_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = FolderLock(tmp_path)
    with no_file_longer_than(0):
        lock.remember(Link(1, "abc"))
    assert lock.remembered() is None
    lock.remember(Link(1, "abc"))
    assert lock.remembered() == Link(1, "abc")
    lock.release()
    text = (tmp_path / LOCK).read_text()
    (tmp_path / LOCK).write_text(text.replace("1 abc", "9 abc"))
    other = FolderLock(tmp_path)
    assert other.remembered() is None  # not what was written
    other.release()


# --- backups -------------------------------------------------------------------------------------------


def test_a_backup_holds_everything_and_is_one_sound_file(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        fill(journal, 30)
        backup = journal.backup()
        fill(journal, 5, seed=2)
        assert database.check(backup).last.id == 30
    assert [path.name for path in (tmp_path / BACKUPS).iterdir()] == [backup.name]


def test_only_the_newest_backups_are_kept(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        for number in range(journal_module.KEEP_BACKUPS + 3):
            fill(journal, 1, seed=number)
            journal.backup()
        held = [database.check(path).last.id for path in backups(tmp_path)]
    assert held == [8, 7, 6, 5, 4]


def test_a_backup_goes_on_beside_the_play(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        fill(journal, 1)
        threads = [threading.Thread(target=journal.backup) for _ in range(3)]
        for thread in threads:
            thread.start()
        fill(journal, 50, seed=2)
        for thread in threads:
            thread.join(PATIENCE)
        for path in backups(tmp_path):
            assert 1 <= database.check(path).last.id <= 51


def test_a_backup_that_cannot_be_made_says_so_and_leaves_the_older_ones(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        fill(journal, 20)
        older = journal.backup()
        fill(journal, 20, seed=2)
        with no_file_longer_than(8192), pytest.raises(JournalFullError, match="no backup was made") as error:
            journal.backup()
        one_line(error)
        assert backups(tmp_path) == [older]
        assert not list(tmp_path.glob("*.part*"))  # half a backup would only fill the disk
        shutil.rmtree(tmp_path / BACKUPS)
        (tmp_path / BACKUPS).touch()
        with pytest.raises(JournalFullError, match="no backup was made"):
            journal.backup()
        journal.append("0 done")


# --- reading beside a running companion ----------------------------------------------------------------


def test_entries_can_be_read_while_the_companion_runs(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        fill(journal, 10)
        assert kept_entries(tmp_path) == journal.entries()
        journal.append("0 done")
        assert kept_entries(tmp_path) == journal.entries()


def test_reading_where_there_is_no_journal_makes_none(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match=r"a journal is wanted in .*, there is none"):
        kept_entries(tmp_path / "nothing")
    assert list(tmp_path.iterdir()) == []


def test_reading_a_folder_of_somebody_elses_leaves_nothing_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Journal(tmp_path) as journal:
        fill(journal, 10)
        before = journal.entries()
    there = sorted(tmp_path.iterdir())
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write everywhere
    assert kept_entries(tmp_path) == before
    assert sorted(tmp_path.iterdir()) == there
    with Journal(tmp_path) as journal:
        journal.append("in the log alone")
        assert len(kept_entries(tmp_path)) == 11
