"""A club cut off from its broker, and a broker that is killed: in the end each result is kept once."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.benchmarks.mosquitto import Mosquitto
from companion.club.broker import Broker
from companion.club.club import Club
from companion.club.database import open_database
from companion.club.listening import Listener
from companion.club.store import Store
from tests.bridged import BOX, all_told, bridged, is_up, play_a_game, settings
from tests.brokers import Proxy, running
from tests.club import payloads
from tests.club.live import kept, tables, wanted
from tests.tabling import open_table, sit
from tests.waiting import until


@contextmanager
def club_at(port: int, results: str) -> Iterator[Listener]:
    store = Store(open_database(results))
    club = Club(store)
    listener = Listener(Broker("127.0.0.1", port), "boxlid", "one", club, club.board)
    listener.start()
    try:
        yield listener
    finally:
        listener.close()
        store.close()


def cut(network: Proxy) -> None:
    """Connections end, and new ones stay without an answer."""
    network.silence()
    network.cut()


def test_what_ended_while_the_network_was_cut_is_kept_once_when_it_is_back(
    broker: Mosquitto, tmp_path: Path
) -> None:
    path = str(tmp_path / "club.db")
    games = [("kitchen", f"g{number}", 1, number) for number in range(20)]
    with Proxy(broker.port) as network, tables(broker) as room, club_at(network.port, path) as club:
        assert until(lambda: bool(room.asked))
        room.say("kitchen/result", payloads.result("kitchen", {"Anna": 0}, "g0"))
        assert wanted(games[:1], path)
        cut(network)
        assert until(lambda: not club.link.connected)
        assert club.link.problem
        for _, game, _, points in games[1:]:
            room.say("kitchen/result", payloads.result("kitchen", {"Anna": points}, game))
        assert kept(path) == games[:1]
        network.pass_on()
        assert wanted(games, path), kept(path)
        assert until(lambda: club.link.connected)
        assert len(room.asked) > 1  # what the broker might have lost is asked of the tables


def games_kept(path: str) -> list[str]:
    """The number of each game's entry, as often as it is kept."""
    return sorted(game.partition(":")[2] for box, game, _, _ in kept(path) if box == BOX)


def test_a_result_that_died_with_the_broker_is_told_again_by_a_table_that_comes_back_after_the_club(
    tmp_path: Path,
) -> None:
    """The table has the broker's word for it, and the club has nothing: only its question is left."""
    path = str(tmp_path / "club.db")
    with (
        running(tmp_path / "broker") as broker,  # which keeps nothing over its end
        Proxy(broker.port) as of_club,
        Proxy(broker.port) as of_table,
        open_table(tmp_path / "box") as table,
        club_at(of_club.port, path) as club,
    ):
        sit(table)
        with bridged(table, settings(of_table.port)) as bridge:
            assert until(lambda: club.link.connected)
            assert is_up(bridge)
            cut(of_club)
            game = play_a_game(table)
            assert all_told(bridge, table)
            assert kept(path) == []
            broker.kill()
            cut(of_table)
            broker.start()
            of_club.pass_on()
            with tables(broker) as room:
                assert until(lambda: bool(room.asked))  # the club is back, and no table heard it
            assert games_kept(path) == []
            of_table.pass_on()
            assert until(lambda: games_kept(path) == [game])


@pytest.mark.slow
def test_a_broker_that_is_killed_while_games_end_costs_the_club_none_of_them(
    broker: Mosquitto, tmp_path: Path
) -> None:
    path, games = str(tmp_path / "club.db"), list[str]()
    with open_table(tmp_path / "box") as table, club_at(broker.port, path) as club:
        sit(table)
        with bridged(table, settings(broker.port)) as bridge:
            for _ in range(2):
                assert until(lambda: club.link.connected)
                assert is_up(bridge)
                games.append(play_a_game(table))  # on its way, or with the broker, when that dies
                broker.kill()
                games.append(play_a_game(table))
                assert until(lambda: not club.link.connected)
                broker.start()
            assert until(lambda: games_kept(path) == sorted(games)), (games_kept(path), games)
