"""What the club keeps, in SQLite and in PostgreSQL: each result once, and of it the newest revision."""

import itertools
import random
import threading
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from companion.club.database import StoreError, open_database
from companion.club.evenings import Season
from companion.club.store import ChangedMeanwhileError, Store
from companion.club.tournament_events import Entered, Opened, Undone
from companion.club.values import Status
from tests.club.results import NOON, a_result


def results(store: Store) -> dict[str, tuple[int, int]]:
    """Of each game its revision and the first player's points."""
    found = [kept.result for kept in store.results_since(0)]
    assert len({(each.box, each.id) for each in found}) == len(found)
    return {each.id: (each.revision, each.players[0].points if each.players else -1) for each in found}


def test_a_result_is_there_once_however_often_it_comes(store: Store) -> None:
    result = a_result({"Anna": 40, "Ben": 20}, identity="g")
    assert store.keep([result], NOON) == 1
    assert store.keep([result, result], NOON + 1) == 0
    (kept,) = store.results_since(0)
    assert (kept.result, kept.received) == (result, NOON)


def test_the_highest_revision_stays_whatever_order_they_come_in(store: Store) -> None:
    revisions = [a_result({"Anna": 10 * n}, identity="g", revision=n) for n in range(1, 5)]
    for order in itertools.permutations(revisions):
        identity = str(random.random())
        store.keep([replace(each, id=identity) for each in order], NOON)
        assert results(store)[identity] == (4, 40)


def test_a_game_that_was_deleted_is_told_and_comes_back_with_a_higher_revision(store: Store) -> None:
    store.keep([a_result({"Anna": 1}, identity="g")], NOON)
    store.keep([a_result({}, identity="g", revision=2, status=Status.DELETED)], NOON)
    assert not store.results_since(0)[0].counts
    store.keep([a_result({"Anna": 3}, identity="g", revision=3)], NOON)
    assert store.results_since(0)[0].counts


def test_two_boxes_may_have_games_of_the_same_id(store: Store) -> None:
    store.keep([a_result({"Anna": 1}, "one", "g"), a_result({"Ben": 2}, "two", "g")], NOON)
    assert len(store.results_since(0)) == 2


def test_only_what_changed_after_a_number_is_told(store: Store) -> None:
    store.keep([a_result({"Anna": 1}, identity="a")], NOON)
    number = store.number
    assert store.results_since(number) == ()
    store.keep([a_result({"Ben": 1}, identity="b")], NOON)
    assert [kept.result.id for kept in store.results_since(number)] == ["b"]
    assert store.leave_out("lid", "a", left_out=True)
    assert [(kept.result.id, kept.left_out) for kept in store.results_since(number)] == [
        ("b", False),
        ("a", True),
    ]
    number = store.number
    store.keep([a_result({"Anna": 5}, identity="a", revision=9)], NOON)
    assert [kept.result.revision for kept in store.results_since(number)] == [9]
    assert [kept.left_out for kept in store.results_since(0) if kept.result.id == "a"] == [True]
    assert not store.leave_out("lid", "nobody", left_out=True)


def test_seasons_and_tournaments_are_kept(store: Store, address: str) -> None:
    store.put_season(Season("Spring", date(2027, 1, 1)))
    store.put_season(Season("Frühling 🌷", date(2027, 1, 1)))
    store.put_season(Season("Autumn", date(2027, 9, 1)))
    store.drop_season(date(2027, 9, 1))
    one = store.new_tournament([Opened("Cup", 4, 0)])
    two = store.new_tournament([Opened("Pokal", 4, 0)])
    kept = store.tournament(one)
    assert kept is not None
    store.append(kept, [Entered("Anna"), Undone()])
    again = Store(open_database(address))
    assert again.seasons() == (Season("Frühling 🌷", date(2027, 1, 1)),)
    assert [(each.id, len(each.events)) for each in again.tournaments()] == [(two, 1), (one, 3)]
    assert again.tournament(99) is None
    again.close()


def test_whoever_changes_a_tournament_that_changed_meanwhile_is_told(store: Store) -> None:
    kept = store.tournament(store.new_tournament([Opened("Cup", 4, 0)]))
    assert kept is not None
    store.append(kept, [Entered("Anna")])
    with pytest.raises(ChangedMeanwhileError):
        store.append(kept, [Entered("Ben")])
    found = store.tournament(kept.id)
    assert found is not None
    assert found.events[1:] == (Entered("Anna"),)


def test_servers_that_keep_the_same_results_at_once_keep_each_once(address: str) -> None:
    games = [
        a_result({"Anna": n % 7, "Ben": 1}, identity=f"g{n}", revision=r) for n in range(30) for r in (1, 2)
    ]
    faults: list[Exception] = []

    def serve(seed: int) -> None:
        mine = games.copy()
        random.Random(seed).shuffle(mine)
        try:
            store = Store(open_database(address))
            for first in range(0, len(mine), 7):
                store.keep(mine[first : first + 7], NOON)
            store.close()
        except StoreError as error:
            faults.append(error)

    threads = [threading.Thread(target=serve, args=(seed,)) for seed in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults
    store = Store(open_database(address))
    assert {identity: revision for identity, (revision, _) in results(store).items()} == {
        f"g{n}": 2 for n in range(30)
    }
    store.close()


def test_one_server_inherits_from_a_dead_one(store: Store) -> None:
    store.beat("me")
    store.beat("dead")
    store.beat("dead")
    assert store.beats() == {"me": 1, "dead": 2}
    assert not store.take_over("dead", 1)
    assert store.take_over("dead", 2)
    assert not store.take_over("dead", 2)


def test_results_of_a_later_version_are_not_touched(tmp_path: Path) -> None:
    path = str(tmp_path / "club.db")
    database = open_database(path)
    Store(database)
    with database.transaction() as work:
        work.run("UPDATE club SET version = 99")
    with pytest.raises(StoreError, match="version 99, this Boxlid knows 1"):
        Store(open_database(path))


@pytest.mark.parametrize(
    ("where", "named"),
    [
        ("postgresql://club:secret@127.0.0.1:1/results", "postgresql://club@127.0.0.1:1/results"),
        ("/proc/nowhere/club.db", "/proc/nowhere/club.db cannot be used: No such file"),
    ],
)
def test_a_database_that_is_not_there_is_one_line_without_its_password(where: str, named: str) -> None:
    with pytest.raises(StoreError) as caught:
        open_database(where)
    assert named in str(caught.value)
    assert "secret" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_no_database_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "club.db").write_bytes(b"nothing of the kind" * 99)
    with pytest.raises(StoreError, match="cannot be used"):
        Store(open_database(str(tmp_path / "club.db")))
