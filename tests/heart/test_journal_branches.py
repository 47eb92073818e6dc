"""A lost log or a journal of another branch is told; what only a backup holds is chosen by somebody."""

import shutil
from pathlib import Path

import pytest

from companion.journal import journal as journal_module
from companion.journal.files import BACKUPS, FILE, WAL, backups
from companion.journal.journal import (
    Doubt,
    DoubtKind,
    Journal,
    JournalBehindError,
    JournalDamagedError,
    JournalError,
    kept_entries,
)
from companion.journal.lock import LOCK
from companion.journal.restoring import WayKind, go_on_as_is, restore, restore_from, ways
from tests.journals import Copied, copied, fill, lines, lose_log

LOG_HEADER = 32


@pytest.fixture(scope="module")
def in_both(tmp_path_factory: pytest.TempPathFactory) -> Copied:
    """Many entries in the database alone, newer ones in the log alone."""
    return copied(tmp_path_factory.mktemp("in-both"), 25, earlier=120)


# --- what a backup holds and the journal does not --------------------------------------------------------


@pytest.mark.parametrize("note", [True, False])
def test_a_journal_that_lost_its_log_is_not_gone_on_from_where_a_backup_holds_more(
    tmp_path: Path, note: bool
) -> None:
    left = lose_log(tmp_path, note=note)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.db")}
    name = backups(tmp_path)[0].name
    for _ in range(2):
        with pytest.raises(JournalBehindError) as error:
            Journal(tmp_path)
        assert f"ends with entry {left} and does not hold what its backup {name} holds" in str(error.value)
        assert "\n" not in str(error.value)
    with pytest.raises(JournalBehindError):
        kept_entries(tmp_path)  # an export does not pass over it in silence either
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.db")} == before


def test_the_ways_on_are_the_backup_the_journal_as_it_is_or_nothing(tmp_path: Path) -> None:
    lose_log(tmp_path)
    found = [(way.kind, way.entries) for way in ways(tmp_path)]
    assert found == [(WayKind.BACKUP, 150), (WayKind.AS_IS, 120), (WayKind.EMPTY, 0)]
    assert restore(tmp_path).entries == 150
    with Journal(tmp_path) as journal:
        assert journal.doubt is None
        assert len(journal.entries()) == 150


def test_gone_on_from_as_it_is_the_longer_branch_is_set_aside_and_never_comes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_module, "KEEP_BACKUPS", 2)
    lose_log(tmp_path)
    longer = backups(tmp_path)[0]
    data = longer.read_bytes()
    done = restore_from(tmp_path, WayKind.AS_IS)
    assert (done.source, done.entries) == ("the journal as it is", 120)
    assert done.kept is not None
    assert (done.kept / longer.name).read_bytes() == data
    with Journal(tmp_path) as journal:
        assert journal.doubt is None
        fill(journal, 3, seed=3)
        first = journal.backup()
        fill(journal, 3, seed=4)
        second = journal.backup()
        assert backups(tmp_path) == [second, first]  # kept, though the other branch had come further
    (tmp_path / FILE).write_bytes(b"nothing of it left")
    assert restore(tmp_path).source == f"the backup {second.name}"


def test_two_branches_of_the_same_length_are_two(tmp_path: Path) -> None:
    """By its number alone the backup of one would be overwritten by that of the other."""
    with Journal(tmp_path) as journal:
        fill(journal, 10)
        early = journal.backup()
        fill(journal, 10, seed=2)
        theirs = journal.backup()
    shutil.copyfile(early, tmp_path / FILE)
    with pytest.raises(JournalBehindError):
        Journal(tmp_path)
    go_on_as_is(tmp_path)
    with Journal(tmp_path) as journal:
        fill(journal, 10, seed=3)
        ours = journal.backup()
    assert ours.name != theirs.name
    shutil.copyfile(tmp_path / "set-aside-1" / theirs.name, theirs)
    with pytest.raises(JournalBehindError):
        Journal(tmp_path)
    assert {(way.kind, way.entries) for way in ways(tmp_path)} >= {(WayKind.AS_IS, 20), (WayKind.BACKUP, 20)}


def test_a_backup_of_another_branch_that_comes_while_it_is_open_is_not_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_module, "KEEP_BACKUPS", 1)
    with Journal(tmp_path / "other") as journal:
        fill(journal, 5, seed=9)
        foreign = journal.backup()
    with Journal(tmp_path / "state") as journal:
        fill(journal, 5)
        journal.backup()
        place = tmp_path / "state" / BACKUPS / foreign.name
        shutil.copyfile(foreign, place)
        fill(journal, 5, seed=2)
        newest = journal.backup()
        assert set(backups(tmp_path / "state")) == {newest, place}


def test_a_backup_that_was_named_without_its_branch_is_compared_by_what_it_holds(tmp_path: Path) -> None:
    """As they were named at first."""
    with Journal(tmp_path) as journal:
        fill(journal, 10)
        named = journal.backup()
        old = named.with_name("journal-00000010.db")
        named.rename(old)
        fill(journal, 5, seed=2)
    assert len(lines(tmp_path)) == 15
    shutil.copyfile(old, tmp_path / "kept")
    go_on_as_is(tmp_path)
    with Journal(tmp_path / "other") as journal:
        fill(journal, 10, seed=3)
        shutil.copyfile(journal.backup(), old)
    with pytest.raises(JournalBehindError, match=r"journal-00000010\.db"):
        Journal(tmp_path)
    old.write_bytes(b"nothing of it left" * 300)  # what it held is not known any more: its number is
    assert len(lines(tmp_path)) == 15
    old.rename(old.with_name("journal-00000016.db"))
    with pytest.raises(JournalBehindError, match=r"journal-00000016\.db"):
        Journal(tmp_path)
    found = [(way.kind, way.entries, way.sound) for way in ways(tmp_path)]
    assert found[0] == (WayKind.AS_IS, 15, True)
    assert (WayKind.BACKUP, 0, False) in found


def test_a_folder_as_the_first_version_left_it_opens_whole_and_in_no_doubt(tmp_path: Path) -> None:
    """Its lock's file has one line, its backups are named by their number alone."""
    with Journal(tmp_path) as journal:
        fill(journal, 10)
        journal.backup().rename(tmp_path / BACKUPS / "journal-00000010.db")
        fill(journal, 10, seed=2)
        journal.backup().rename(tmp_path / BACKUPS / "journal-00000020.db")
        fill(journal, 5, seed=3)
        wanted = journal.entries()
        shutil.copytree(tmp_path, tmp_path / "in-use")
    for folder in (tmp_path, tmp_path / "in-use"):
        (folder / LOCK).write_bytes((folder / LOCK).read_bytes()[:200])
        with Journal(folder) as journal:
            assert journal.entries() == wanted
            assert journal.doubt is None
            newest = journal.backup()
            assert [path.name for path in backups(folder)] == [
                newest.name,
                "journal-00000020.db",
                "journal-00000010.db",
            ]


# --- what no file holds ----------------------------------------------------------------------------------


def test_a_lost_log_that_no_backup_makes_good_is_in_doubt_until_somebody_decides(
    tmp_path: Path, in_both: Copied
) -> None:
    folder = in_both.put(tmp_path / "state", log=b"")
    for _ in range(2):
        with Journal(folder) as journal:
            assert journal.doubt == Doubt(DoubtKind.LOST, 25)
    with Journal(folder) as journal:
        journal.settle()
    with Journal(folder) as journal:
        assert journal.doubt is None


def test_what_was_lost_twice_adds_up(tmp_path: Path, in_both: Copied) -> None:
    folder = in_both.put(tmp_path / "state", log=b"")
    with Journal(folder) as journal:
        fill(journal, 4, seed=70)
        data = in_both.database
    (folder / FILE).write_bytes(data)
    with Journal(folder) as journal:
        assert journal.doubt == Doubt(DoubtKind.LOST, 29)


@pytest.mark.parametrize("note", [None, b"", b"not what was written" * 30])
def test_a_journal_in_use_whose_note_is_gone_or_damaged_is_in_doubt(
    tmp_path: Path, in_both: Copied, note: bytes | None
) -> None:
    """A cut log looks like a sound one: without the note nothing tells."""
    folder = in_both.put(tmp_path / "state", log=in_both.log[:LOG_HEADER], note=False)
    if note is not None:
        (folder / LOCK).write_bytes(note)
    with Journal(folder) as journal:
        assert journal.doubt == Doubt(DoubtKind.UNKNOWN)
    assert "as-is" not in [way.kind for way in ways(folder)[1:]]
    done = go_on_as_is(folder)
    assert (done.entries, done.kept) == (120, None)
    with Journal(folder) as journal:
        assert journal.doubt is None


def test_a_new_journal_and_one_made_of_a_copied_backup_are_in_no_doubt(tmp_path: Path) -> None:
    with Journal(tmp_path / "state") as journal:
        assert journal.doubt is None
        fill(journal, 5)
        backup = journal.backup()
    (tmp_path / "new").mkdir()
    shutil.copyfile(backup, tmp_path / "new" / FILE)
    with Journal(tmp_path / "new") as journal:
        assert journal.doubt is None
        assert len(journal.entries()) == 5


def test_another_journal_than_the_one_used_last_is_in_doubt(tmp_path: Path) -> None:
    with Journal(tmp_path / "state") as journal:
        fill(journal, 5)
    with Journal(tmp_path / "other") as journal:
        fill(journal, 9, seed=2)
    shutil.copyfile(tmp_path / "other" / FILE, tmp_path / "state" / FILE)
    with Journal(tmp_path / "state") as journal:
        assert journal.doubt == Doubt(DoubtKind.OTHER)


def test_a_journal_with_a_torn_end_cannot_be_gone_on_from_as_it_is(tmp_path: Path, in_both: Copied) -> None:
    torn = in_both.log[:-1] + bytes([in_both.log[-1] ^ 0xFF])
    folder = in_both.put(tmp_path / "state", log=torn)
    with pytest.raises(JournalDamagedError, match="entry 145 was kept and cannot be read"):
        Journal(folder)
    with pytest.raises(JournalError, match="a sound journal is wanted"):
        go_on_as_is(folder)
    assert (folder / WAL).read_bytes() == torn
    assert restore(folder).entries >= 144
