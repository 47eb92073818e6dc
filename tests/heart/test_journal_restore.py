"""After damage: never silently a new history, nothing deleted, and on from the most that can be read."""

import sqlite3
from pathlib import Path

import pytest

from companion.journal import Journal, JournalDamagedError, JournalError, kept_entries
from companion.storage import database
from companion.storage.files import BACKUPS, FILE, WAL, backups
from companion.storage.lock import LOCK
from companion.storage.restoring import Way, WayKind, restore, restore_from, start_empty, ways
from tests.journals import Copied, copied, failure, fill, flipped, lines, no_file_longer_than

PAGE = 4096


@pytest.fixture(scope="module")
def in_log(tmp_path_factory: pytest.TempPathFactory) -> Copied:
    return copied(tmp_path_factory.mktemp("in-log"), 40)


# --- never silently a new history ----------------------------------------------------------------------


@pytest.mark.parametrize("gone", [True, False])
@pytest.mark.parametrize("left", ["log", "backup", "note"])
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
    if left != "note":
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
    with pytest.raises(JournalDamagedError, match=rf"newest backup is journal-{backed_up:08}\.db"):
        Journal(folder)
    return (folder / FILE).read_bytes()


def test_restoring_keeps_the_damaged_file_and_goes_on_from_the_newest_backup(tmp_path: Path) -> None:
    data = damaged(tmp_path, 60, backed_up=50)
    done = restore(tmp_path)
    assert (done.source, done.entries) == ("the backup journal-00000050.db", 50)
    assert done.kept is not None
    assert (done.kept / FILE).read_bytes() == data
    with Journal(tmp_path) as journal:
        assert journal.missing == 0  # what was given up is not called lost
        assert len(journal.entries()) == 50
        journal.append("after")


def test_restoring_goes_on_from_the_damaged_file_if_more_of_it_can_be_read(
    tmp_path: Path, in_log: Copied
) -> None:
    folder = in_log.put(tmp_path / "state", log=flipped(in_log.log, in_log.log_sizes[29] + 100))
    (folder / BACKUPS).mkdir()
    done = restore(folder)
    assert done.entries == 30
    assert "can still be read" in done.source
    assert lines(folder) == list(in_log.lines[:30])


def test_a_damaged_backup_is_passed_over_and_set_aside(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        fill(journal, 10)
        older = journal.backup()
        fill(journal, 30, seed=2)
        newer = journal.backup()
    newer.write_bytes(flipped(newer.read_bytes(), 2 * PAGE + 3000))
    (tmp_path / FILE).write_bytes(b"nothing of it left")
    done = restore(tmp_path)
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
    done = start_empty(tmp_path)
    assert done.kept is not None
    assert {path.name for path in done.kept.iterdir()} >= {FILE, "journal-00000050.db"}
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
    for again, wanted in ((restore, "nothing was restored"), (start_empty, "nothing was restored")):
        with no_file_longer_than(4096), pytest.raises(JournalError, match=wanted) as error:
            again(tmp_path)
        assert "\n" not in str(error.value)
    assert (tmp_path / FILE).read_bytes() == data
    assert not list(tmp_path.glob("*.part*"))
    assert restore(tmp_path).entries == 50


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
        Way(older.name, WayKind.BACKUP, 11, 1, 1000.0),
        Way(newer.name, WayKind.BACKUP, 0, 0, None, sound=False),
        Way("empty", WayKind.EMPTY, 0, 0, None),
    )
    assert sorted((path, path.read_bytes()) for path in tmp_path.rglob("*.db")) == before


def test_each_way_can_be_gone(tmp_path: Path, in_log: Copied) -> None:
    folder = tmp_path / "state"
    broken = flipped(in_log.log, in_log.log_sizes[29] + 100)
    for name, entries in (("readable", 30), ("empty", 0)):
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
    damaged(tmp_path, 60, backed_up=50)
    data = (tmp_path / FILE).read_bytes()
    with pytest.raises(
        JournalError, match=r"a way to go on is one of .*journal-00000050\.db.*, got '\.\./key'"
    ):
        restore_from(tmp_path, "../key")
    (tmp_path / FILE).write_bytes(b"nothing of it left")
    with pytest.raises(JournalError, match="nothing of the journal"):
        restore_from(tmp_path, "readable")
    (tmp_path / FILE).write_bytes(data)
    assert restore(tmp_path).entries == 50
