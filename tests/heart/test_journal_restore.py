"""After damage: never silently a new history, nothing deleted, and on from the most that can be read."""

import os
import sqlite3
from pathlib import Path

import pytest

from companion.journal import database
from companion.journal.entry import Link
from companion.journal.files import BACKUPS, FILE, WAL, backups
from companion.journal.journal import Journal, JournalDamagedError, JournalError, kept_entries
from companion.journal.lock import LOCK
from companion.journal.restoring import Way, WayKind, restore, restore_from, start_empty, ways
from tests.journals import Copied, copied, failure, fill, flipped, lines, no_file_longer_than
from tests.waiting import within_patience

PAGE = 4096


@pytest.fixture(scope="module")
def in_log(tmp_path_factory: pytest.TempPathFactory) -> Copied:
    return copied(tmp_path_factory.mktemp("in-log"), 40)


# --- never silently a new history ----------------------------------------------------------------------


@pytest.mark.parametrize("gone", [True, False])
@pytest.mark.parametrize("left", ["log", "backup", "note", "damaged note"])
def test_a_missing_or_empty_file_is_no_new_journal_where_anything_of_the_old_is_left(
    tmp_path: Path, in_log: Copied, left: str, gone: bool
) -> None:
    folder = in_log.put(tmp_path / "state")
    with Journal(folder) as journal:
        journal.backup()
    for path in (folder / FILE, folder / WAL):
        path.unlink(missing_ok=True)
    if left != "backup":
        backups(folder)[0].unlink()
    if left == "damaged note":
        (folder / LOCK).write_bytes(b"\0" * 40)
    elif left != "note":
        (folder / LOCK).unlink()
    if left == "log":
        (folder / WAL).write_bytes(in_log.log)
    if not gone:
        (folder / FILE).touch()
    with pytest.raises(JournalDamagedError, match="the file is gone" if gone else "the file is empty"):
        Journal(folder)
    if left == "log":
        assert (folder / WAL).read_bytes() == in_log.log


def test_a_power_cut_while_the_first_file_is_made_leaves_no_journal_and_no_damage(tmp_path: Path) -> None:
    """It is made under another name and appears whole."""
    for ending in ("", "-wal", "-shm", "-journal"):
        (tmp_path / f"{FILE}.part{ending}").write_bytes(b"half")
    with Journal(tmp_path) as journal:
        journal.append("0 done")
    assert lines(tmp_path) == ["0 done"]
    assert not list(tmp_path.glob("*.part*"))


def test_an_empty_file_and_nothing_else_is_a_new_journal(tmp_path: Path) -> None:
    (tmp_path / FILE).touch()
    assert lines(tmp_path) == []
    (tmp_path / FILE).unlink()  # nothing was kept in it
    assert lines(tmp_path) == []


# --- going on after damage -----------------------------------------------------------------------------


def damaged(folder: Path, entries: int, backed_up: int) -> bytes:
    """A journal whose pages are hit, with a backup of its first entries; returns its bytes."""
    with Journal(folder) as journal:
        fill(journal, backed_up)
        journal.backup()
        fill(journal, entries - backed_up, seed=2)
    data = (folder / FILE).read_bytes()
    (folder / FILE).write_bytes(flipped(data, 2 * PAGE + 3000))
    with pytest.raises(JournalDamagedError, match=rf"newest backup is journal-{backed_up:08}-\w+\.db"):
        Journal(folder)
    return (folder / FILE).read_bytes()


def test_restoring_keeps_the_damaged_file_and_joins_to_the_backup_what_can_be_read_of_it(
    tmp_path: Path,
) -> None:
    data = damaged(tmp_path, 60, backed_up=50)
    done = restore(tmp_path)
    assert done.entries == 60  # those of the page that was hit are in the backup
    assert done.source == "what can still be read of the journal and its backups"
    assert done.kept is not None
    assert (done.kept / FILE).read_bytes() == data
    with Journal(tmp_path) as journal:
        assert journal.doubt is None
        assert len(journal.entries()) == 60
        journal.append("after")


def test_restoring_goes_on_from_the_newest_backup_if_nothing_that_can_be_read_follows_it(
    tmp_path: Path,
) -> None:
    damaged(tmp_path, 60, backed_up=50)
    (tmp_path / FILE).write_bytes(b"nothing of it left")
    newest = backups(tmp_path)[0]
    done = restore(tmp_path)
    assert (done.source, done.entries) == (f"the backup {newest.name}", 50)
    with Journal(tmp_path) as journal:
        assert journal.doubt is None  # what was given up was somebody's choice
        assert len(journal.entries()) == 50


def test_entries_behind_a_broken_place_of_the_log_are_read_from_its_later_copies(
    tmp_path: Path, in_log: Copied
) -> None:
    """SQLite drops all behind that place; their pages are whole."""
    broken = flipped(in_log.log, in_log.log_sizes[29] + 100)
    folder = in_log.put(tmp_path / "state", log=broken)
    assert isinstance(failure(folder), JournalDamagedError)
    (folder / BACKUPS).mkdir()
    done = restore(folder)
    assert "can still be read" in done.source
    assert (done.entries, lines(folder)) == (40, list(in_log.lines))


def test_where_every_copy_of_an_entry_is_hit_the_readable_part_ends(tmp_path: Path, in_log: Copied) -> None:
    folder = in_log.put(tmp_path / "state", log=in_log.log.replace(b"c31-0", b"c31-9"))
    assert isinstance(failure(folder), JournalDamagedError)
    assert restore(folder).entries == 30
    assert lines(folder) == list(in_log.lines[:30])


def test_a_damaged_backup_that_goes_further_is_set_aside(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        fill(journal, 10)
        older = journal.backup()
        fill(journal, 30, seed=2)
        newer = journal.backup()
    newer.write_bytes(flipped(newer.read_bytes(), 2 * PAGE + 3000))
    (tmp_path / FILE).write_bytes(b"nothing of it left")
    done = restore_from(tmp_path, older.name)
    assert done.entries == 10
    assert done.kept is not None
    assert {path.name for path in done.kept.iterdir()} == {FILE, newer.name}
    assert backups(tmp_path) == [older]


def test_a_chosen_backup_is_gone_on_from(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        fill(journal, 10)
        older = journal.backup()
        fill(journal, 10, seed=2)
        newer = journal.backup()
    done = restore(tmp_path, older)
    assert len(lines(tmp_path)) == 10
    assert done.kept is not None
    assert (done.kept / newer.name).exists()  # the newest backup is one of the journal in use
    with Journal(tmp_path) as journal:
        journal.append("another history")
        assert backups(tmp_path)[0] == older


@pytest.mark.parametrize("what", ["missing", "damaged", "newer"])
def test_a_backup_that_cannot_be_used_changes_nothing(
    tmp_path: Path, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Journal(tmp_path) as journal:
        fill(journal, 10)
        backup = journal.backup()
    if what == "missing":
        backup.unlink()
    elif what == "damaged":
        backup.write_bytes(backup.read_bytes()[:5000])
    else:
        monkeypatch.setattr(database, "MIGRATIONS", database.MIGRATIONS[:0])
    with pytest.raises(JournalError, match="a sound backup is wanted"):
        restore(tmp_path, backup)
    monkeypatch.undo()
    assert len(lines(tmp_path)) == 10


def test_starting_empty_keeps_the_old_journal_and_its_backups(tmp_path: Path) -> None:
    damaged(tmp_path, 60, backed_up=50)
    backup = backups(tmp_path)[0].name
    done = start_empty(tmp_path)
    assert done.kept is not None
    assert {path.name for path in done.kept.iterdir()} >= {FILE, backup}
    assert lines(tmp_path) == []
    assert start_empty(tmp_path).kept == tmp_path / "set-aside-2"


def test_with_nothing_to_go_on_from_nothing_is_touched(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"nothing of it left")
    with pytest.raises(
        JournalError, match=r"nothing of the journal in .* can be read and there is no backup"
    ):
        restore(tmp_path)
    assert (tmp_path / FILE).read_bytes() == b"nothing of it left"
    (tmp_path / FILE).unlink()
    assert start_empty(tmp_path).kept is None


def test_with_no_room_nothing_is_restored_and_nothing_touched(tmp_path: Path) -> None:
    data = damaged(tmp_path, 60, backed_up=50)
    backup = backups(tmp_path)[0]
    for again in (restore, start_empty, lambda folder: restore(folder, backup)):
        with no_file_longer_than(4096), pytest.raises(JournalError, match="nothing was restored") as error:
            again(tmp_path)
        assert "\n" not in str(error.value)
    assert (tmp_path / FILE).read_bytes() == data
    assert not list(tmp_path.glob("*.part*"))
    assert restore(tmp_path).entries == 60


def test_only_entries_that_are_what_was_written_are_gone_on_from(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        fill(journal, 10)
    data = (tmp_path / FILE).read_bytes()
    (tmp_path / FILE).write_bytes(data.replace(b"line 7 ", b"line 9 "))
    assert "entry 8 is not what was written" in str(failure(tmp_path))
    assert restore(tmp_path).entries == 7


def test_damage_while_the_companion_runs_shows_with_the_next_backup(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        fill(journal, 60)
        older = journal.backup()
    with Journal(tmp_path) as journal:
        with (tmp_path / FILE).open("r+b") as file:
            file.seek(2 * PAGE + 3000)
            file.write(b"\xff\xff\xff\xff")
        with pytest.raises(JournalDamagedError, match=rf"its newest backup is {older.name}"):
            journal.backup()
    assert backups(tmp_path) == [older]


def test_a_file_that_is_no_database_is_not_left_open(tmp_path: Path) -> None:
    (tmp_path / "other").write_bytes(b"no database" * 100)
    with pytest.raises(sqlite3.DatabaseError):
        database.connect(tmp_path / "other")  # a connection left open would be a warning, and warnings fail


def test_a_journal_in_use_is_not_restored(tmp_path: Path) -> None:
    with Journal(tmp_path), pytest.raises(JournalError, match="another Boxlid is using"):
        restore(tmp_path)


def test_a_move_that_the_power_interrupted_is_noticed_and_can_be_finished(
    tmp_path: Path, in_log: Copied
) -> None:
    """The database goes first; the log alone is nothing that SQLite would open."""
    folder = in_log.put(tmp_path / "state")
    (folder / FILE).rename(tmp_path / "moved.db")
    assert isinstance(failure(folder), JournalDamagedError)
    start_empty(folder)
    assert (folder / "set-aside-1" / WAL).read_bytes() == in_log.log


def struck(folder: Path, entries: int = 5) -> Path:
    """A damaged journal, and the one that follows it as a restore had decided when it was struck."""
    with Journal(folder) as journal:
        fill(journal, 30)
        journal.backup()
    (folder / FILE).write_bytes(b"nothing of it left")
    with Journal(folder / "new") as journal:
        fill(journal, entries, seed=4)
    following = folder / f"{FILE}.next-1"
    (folder / "new" / FILE).rename(following)
    return following


def test_a_start_goes_on_with_a_restore_that_was_struck(tmp_path: Path) -> None:
    struck(tmp_path)
    backup = backups(tmp_path)[0]
    assert len(kept_entries(tmp_path)) == 5  # an export beside it
    with Journal(tmp_path) as journal:
        assert len(journal.entries()) == 5
        assert journal.doubt is None
    assert {path.name for path in (tmp_path / "set-aside-1").iterdir()} == {FILE, backup.name}
    assert not backups(tmp_path)
    assert not list(tmp_path.glob("*.next-*"))


def test_a_restore_goes_on_with_one_that_was_struck_before_it_looks_for_ways(tmp_path: Path) -> None:
    struck(tmp_path)
    done = restore(tmp_path)
    assert (done.source, done.entries) == ("the journal as it is", 5)
    assert (tmp_path / "set-aside-1" / FILE).read_bytes() == b"nothing of it left"


def test_a_journal_that_was_damaged_while_it_was_the_next_is_said_to_be(tmp_path: Path) -> None:
    following = struck(tmp_path)
    following.write_bytes(b"nothing of this one left either")
    backup = backups(tmp_path)[0]
    assert isinstance(failure(tmp_path), JournalDamagedError)
    assert (tmp_path / "set-aside-1" / FILE).read_bytes() == b"nothing of it left"
    assert restore(tmp_path).source == f"the backup {backup.name}"


def test_a_start_that_cannot_go_on_with_a_restore_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    following = struck(tmp_path)

    def fails(*_: object) -> Link:
        error = sqlite3.OperationalError("disk I/O error")
        error.sqlite_errorname = "SQLITE_IOERR_LOCK"
        raise error

    with monkeypatch.context() as failing:
        failing.setattr(database, "newest", fails)
        with pytest.raises(JournalError, match="cannot be opened") as caught:
            Journal(tmp_path)
        assert not isinstance(caught.value, JournalDamagedError)
    assert following.exists()
    assert (tmp_path / FILE).read_bytes() == b"nothing of it left"
    assert len(lines(tmp_path)) == 5


def test_reading_beside_the_companion_says_damage_too(tmp_path: Path) -> None:
    damaged(tmp_path, 60, backed_up=50)
    with pytest.raises(JournalDamagedError):
        kept_entries(tmp_path)


# --- choosing ------------------------------------------------------------------------------------------


def test_every_way_to_go_on_is_named_with_what_it_holds_the_most_first(tmp_path: Path) -> None:
    with Journal(tmp_path, clock=lambda: 1000.0) as journal:
        fill(journal, 10)
        journal.append("game", starts_game=True)
        older = journal.backup()
        fill(journal, 30, seed=2)
        newer = journal.backup()
    newer.write_bytes(flipped(newer.read_bytes(), 2 * PAGE + 3000))
    (tmp_path / FILE).write_bytes(b"nothing of it left")
    before = sorted((path, path.read_bytes()) for path in tmp_path.rglob("*.db"))
    assert ways(tmp_path) == (
        Way("readable", WayKind.READABLE, 41, 1, 1000.0),  # what is hit of the newer is in the older
        Way(older.name, WayKind.BACKUP, 11, 1, 1000.0),
        Way(newer.name, WayKind.BACKUP, 0, 0, None, sound=False),
        Way("empty", WayKind.EMPTY, 0, 0, None),
    )
    assert sorted((path, path.read_bytes()) for path in tmp_path.rglob("*.db")) == before


def test_each_way_can_be_gone(tmp_path: Path, in_log: Copied) -> None:
    folder = tmp_path / "state"
    broken = flipped(in_log.log, in_log.log_sizes[29] + 100)
    for name, entries in (("readable", 40), ("empty", 0)):
        in_log.put(folder, log=broken)
        assert [way.name for way in ways(folder)] == ["readable", "empty"]
        done = restore_from(folder, name)
        assert done.kept is not None
        assert len(lines(folder)) == done.entries == entries
    with Journal(folder) as journal:
        fill(journal, 5)
        backup = journal.backup()
    (folder / FILE).write_bytes(b"nothing of it left")
    assert restore_from(folder, backup.name).entries == 5


def test_a_way_that_is_none_changes_nothing(tmp_path: Path) -> None:
    data = damaged(tmp_path, 60, backed_up=50)
    with pytest.raises(
        JournalError, match=r"a way to go on is one of .*journal-00000050-\w+\.db.*, got '\.\./key'"
    ):
        restore_from(tmp_path, "../key")
    assert (tmp_path / FILE).read_bytes() == data
    (tmp_path / FILE).write_bytes(b"nothing of it left")
    backups(tmp_path)[0].unlink()
    with pytest.raises(JournalError, match="nothing of the journal"):
        restore_from(tmp_path, "readable")
    with pytest.raises(JournalError, match="a sound journal is wanted"):
        restore_from(tmp_path, "as-is")
    assert (tmp_path / FILE).read_bytes() == b"nothing of it left"


# --- files that are none -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [FILE, WAL])
def test_a_pipe_in_the_place_of_the_journal_is_damage_and_is_set_aside(name: str, tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        fill(journal, 10)
        journal.backup()
    (tmp_path / name).unlink(missing_ok=True)
    os.mkfifo(tmp_path / name)
    assert isinstance(within_patience(lambda: Journal(tmp_path)), JournalDamagedError)
    within_patience(lambda: restore(tmp_path))
    assert (tmp_path / "set-aside-1" / name).is_fifo()
    assert len(lines(tmp_path)) == 10


def test_a_pipe_among_the_backups_is_none(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        fill(journal, 10)
        kept = journal.backup()
    os.mkfifo(tmp_path / BACKUPS / "journal-00000099.db")
    assert within_patience(lambda: lines(tmp_path)) == lines(tmp_path)
    assert backups(tmp_path) == [kept]
