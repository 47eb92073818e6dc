"""A deleted game leaves the history in one entry and never comes back, whatever is restored from."""

from pathlib import Path

import pytest

from companion.game import Setup
from companion.host.backing_up import BackingUp
from companion.journal.database import check
from companion.journal.files import FILE, backups
from companion.journal.journal import Journal
from companion.journal.restoring import restore, start_empty
from companion.rules import NotationError, RuleError
from companion.table.snapshot import GameDeleted, GameStarted, TableCleared, parse_line, write_line
from companion.table.table import Command, Table
from tests.heart.test_backing_up import Heard
from tests.journals import no_file_longer_than
from tests.tabling import NAMES, play, sit
from tests.waiting import PATIENCE


def two_games(table: Table, games: int = 1) -> tuple[int, int]:
    """Two stopped games, the table cleared; returns their numbers."""
    if not table.snapshot.seats:
        sit(table)
    found = []
    for number in (1, 2):
        table.play(Command(GameStarted(Setup(NAMES), games, min(number, games))))
        found.append(table.snapshot.game_id or 0)
        play(table, "rolled W3 W4 R2 Y5 G6 B1 by camera", "0 crosses R7 in 1", "1 done")
        play(table, "0 stops")
    table.play(Command(TableCleared()))
    return found[0], found[1]


def delete(table: Table, game: int) -> None:
    table.play(Command(GameDeleted(game)))


def test_a_deleted_game_is_gone_at_once_and_after_a_restart_and_its_entries_stay(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        table = Table(journal)
        one, two = two_games(table)
        before = journal.entries()
        assert list(journal.games()) == [one, two]
        delete(table, one)
        assert list(journal.games()) == [two]
        assert journal.entries()[:-1] == before  # one entry more, nothing else
    with Journal(tmp_path) as journal:
        assert list(journal.games()) == [two]
        assert journal.started() == (one, two)
        assert Table(journal).snapshot.deleted == {one}


def test_the_newest_entry_of_each_game_is_known_before_and_after_a_restart(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        one, two = two_games(Table(journal))
        known = journal.games()
        for game in (one, two):
            assert known[game] == journal.entries(game=game)[-1].link
        assert journal.entries(game=two + 100) == ()
        first = journal.entry(one)
        assert first is not None
        assert first.id == one
        assert journal.entry(10_000) is None
        assert journal.folder == tmp_path
        assert Table(journal).journal is journal
    with Journal(tmp_path) as journal:
        assert journal.games() == known


@pytest.mark.parametrize("game", [1, 10_000])
def test_what_is_no_game_cannot_be_deleted(tmp_path: Path, game: int) -> None:
    with Journal(tmp_path) as journal:
        table = Table(journal)
        two_games(table)
        with pytest.raises(RuleError, match=f"there is no game {game} in the history"):
            delete(table, game)


def test_a_game_is_deleted_once(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        table = Table(journal)
        one, _ = two_games(table)
        delete(table, one)
        with pytest.raises(RuleError, match=f"there is no game {one}"):
            delete(table, one)
        with pytest.raises(RuleError, match=f"there is no game {one} any more"):
            table.snapshot.after(GameDeleted(one), 99)


def test_a_game_on_the_table_or_of_its_series_stays(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        table = Table(journal)
        old, _ = two_games(table)
        table.play(Command(GameStarted(Setup(NAMES), 3, 1)))
        first = table.snapshot.game_id or 0
        four = ["rolled W1 W1 R1 Y1 G1 B1 by hand", "0 done", "1 done", "2 done"]
        while table.snapshot.game and table.snapshot.game.ended_by is None:
            active = table.snapshot.game.active
            deciding = [f"{seat} done" for seat in range(3)]
            play(table, four[0])
            for line in [*deciding, f"{active} done"]:
                if int(line[0]) in table.snapshot.game.deciding:
                    play(table, line)
        table.play(Command(GameStarted(Setup(NAMES), 3, 2)))
        second = table.snapshot.game_id or 0
        for game in (first, second):
            with pytest.raises(RuleError, match="on the table, or of the series that is; clear the table"):
                delete(table, game)
        delete(table, old)
        play(table, "0 stops")
        with pytest.raises(RuleError, match="clear the table first"):
            delete(table, second)  # it may be reopened yet
        table.play(Command(TableCleared()))
        before = table.snapshot
        delete(table, first)
        snapshot = table.snapshot
        assert (before.series is not None, snapshot.series) == (True, None)
    with Journal(tmp_path) as journal:
        assert Table(journal).snapshot.deleted == snapshot.deleted == {old, first}
        assert Table(journal).snapshot.series is None
        assert list(journal.games())[-1] == second


def test_a_deletion_that_cannot_be_kept_did_not_happen(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        table = Table(journal)
        one, two = two_games(table)
        with no_file_longer_than(0), pytest.raises(Exception, match="could not be kept on disk"):
            delete(table, one)
        assert list(journal.games()) == [one, two]
        assert table.snapshot.deleted == frozenset()


def test_a_deletion_is_a_line_like_any_other() -> None:
    assert write_line(GameDeleted(17)) == "game deleted 17"
    assert parse_line("game deleted 17") == GameDeleted(17)
    with pytest.raises(NotationError, match="deleted by number"):
        parse_line("game deleted many")


# --- restoring -----------------------------------------------------------------------------------------


def test_a_backup_from_before_the_deletion_does_not_bring_the_game_back(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        table = Table(journal)
        one, two = two_games(table)
        old = journal.backup()
        delete(table, one)
    data = old.read_bytes()
    done = restore(tmp_path, old)
    assert (done.deleted, old.read_bytes()) == (1, data)  # the backup stays as it was
    with Journal(tmp_path) as journal:
        assert list(journal.games()) == [two]
        Table(journal)
        journal.append("seat freed 0")
    assert restore(tmp_path, old).deleted == 1
    with Journal(tmp_path) as journal:
        assert list(journal.games()) == [two]


def test_the_file_gone_a_newer_backup_tells_what_was_deleted(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        table = Table(journal)
        one, two = two_games(table)
        old = journal.backup()
        delete(table, one)
        delete(table, two)
        journal.backup()
    (tmp_path / FILE).unlink()
    assert restore(tmp_path, old).deleted == 2
    with Journal(tmp_path) as journal:
        assert list(journal.games()) == []
        table = Table(journal)
        assert [entry.deletes for entry in journal.entries()[-2:]] == [one, two]
        assert check(tmp_path / FILE).deleted == {one, two}


def test_a_journal_that_was_set_aside_still_tells_what_was_deleted(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        table = Table(journal)
        one, two = two_games(table)
        old = journal.backup()
        delete(table, one)
    aside = start_empty(tmp_path).kept
    assert aside is not None
    assert restore(tmp_path, aside / old.name).deleted == 1
    with Journal(tmp_path) as journal:
        assert list(journal.games()) == [two]


def test_what_knew_of_the_deletion_says_it_only_once(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        table = Table(journal)
        one, two = two_games(table)
        delete(table, one)
        newest = journal.backup()
    assert restore(tmp_path, newest).deleted == 0
    with Journal(tmp_path) as journal:
        assert list(journal.games()) == [two]


def test_another_journals_deletions_mean_nothing_here(tmp_path: Path) -> None:
    """The same number may be another game: the hash of its first entry says which it is."""
    with Journal(tmp_path / "there", clock=lambda: 5.0) as journal:
        table = Table(journal)
        one, two = two_games(table)
        foreign = journal.backup()
    with Journal(tmp_path / "here", clock=lambda: 6.0) as journal:
        table = Table(journal)
        assert two_games(table) == (one, two)
        delete(table, one)
    assert restore(tmp_path / "here", foreign).deleted == 0
    with Journal(tmp_path / "here") as journal:
        assert list(journal.games()) == [one, two]
    assert start_empty(tmp_path / "here").deleted == 0


def test_a_deletion_is_backed_up_so_that_two_files_know_of_it(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        table, heard = Table(journal), Heard(journal.backup)
        one, _ = two_games(table)
        with BackingUp(table, heard):
            delete(table, one)
            made = heard.made.get(timeout=PATIENCE)
        assert check(made).deleted == {one}
        assert heard.asked.qsize() == 1
        assert backups(tmp_path) == [made]


def test_a_line_of_play_that_looks_like_a_deletion_is_none(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        inside = journal.append("game deleted 1", starts_game=True)
        outside = journal.append("game deleted it")
        assert (inside.deletes, outside.deletes) == (None, None)
        assert list(journal.games()) == [inside.id]
