"""`boxlid club` at a real broker: tables appear, results are kept once, whoever dies, nonsense is refused."""

import json
import random
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.benchmarks.mosquitto import Mosquitto
from companion.club.broker import Broker
from companion.club.club import Club
from companion.club.database import open_database
from companion.club.listening import Inheritance, Listener
from companion.club.store import Store
from companion.club.values import Result
from tests.club import payloads
from tests.club.live import ClubProcess, Keeper, Tables, kept, tables, wanted
from tests.waiting import until

KILLS = 12
GAMES = 60


@pytest.fixture
def room(broker: Mosquitto) -> Iterator[Tables]:
    with tables(broker) as found:
        yield found


@pytest.fixture
def server(broker: Mosquitto, tmp_path: Path) -> Iterator[ClubProcess]:
    found = ClubProcess(broker, tmp_path / "state", str(tmp_path / "club.db"))
    found.start()
    try:
        yield found
    finally:
        found.kill()


def boxes(server: ClubProcess) -> dict[str, bool]:
    return {table["box"]: table["online"] for table in server.get("/api/view")["tables"]}


@pytest.mark.slow
def test_tables_and_results_appear_nonsense_is_told_and_results_wait_for_a_club_that_died(
    server: ClubProcess, broker: Mosquitto, room: Tables
) -> None:
    room.say("kitchen/available", b"online", retain=True)
    room.say("kitchen/state", payloads.state("kitchen"), retain=True)
    server.wait()  # what was said before it came is shown too
    assert until(lambda: boxes(server) == {"kitchen": True})
    nonsense = {
        b"x" * 1_000_000: "16384 bytes at most, got 1000000",
        b'{"box":"\xff"}': "not UTF-8",
        payloads.result("parlour", {"Anna": 1}, "stolen"): "speaks for itself only",
    }
    for payload, said in nonsense.items():
        room.say("kitchen/result", payload)
        assert server.wait_to_hear(said).startswith("boxlid club: refused boxlid/kitchen/result")
    room.say("kitchen/result", payloads.result("kitchen", {"Anna": 72}, "g"))
    room.say("kitchen/available", b"offline", retain=True)
    assert until(lambda: boxes(server) == {"kitchen": False})
    assert wanted([("kitchen", "g", 1, 72)], server.results)
    (game,) = server.get("/api/view")["games"]
    assert game["players"] == [["Anna", 72, 1]]
    assert not any("Traceback" in line for line in server.said)
    (asked,) = room.asked  # the tables were asked for what it may have missed
    assert json.loads(asked)["version"] == 1
    server.kill()
    missed = [("kitchen", f"g{number}", 1, number) for number in range(20)]
    for _, game, _, points in missed:
        room.say("kitchen/result", payloads.result("kitchen", {"Anna": points}, game))
    broker.stop()
    broker.start()
    server.start()
    assert wanted([("kitchen", "g", 1, 72), *missed], server.results)


def begin(server: Keeper, room: Tables) -> None:
    """It is connected once it has asked the tables for what it may have missed."""
    asked = len(room.asked)
    server.start()
    assert until(lambda: len(room.asked) > asked)


@pytest.mark.slow
@pytest.mark.parametrize("address", ["sqlite", "postgresql"], indirect=True)
def test_every_game_is_kept_once_though_clubs_are_killed_and_messages_come_twice_and_out_of_order(
    address: str, broker: Mosquitto, room: Tables
) -> None:
    chance = random.Random(7)
    servers = [Keeper(broker, address, name) for name in ("one", "two")]
    messages = [(f"box{n % 5}", f"g{n}", revision) for n in range(GAMES) for revision in (1, 2)] * 2
    chance.shuffle(messages)
    final = [(f"box{n % 5}", f"g{n}", 2, 20 + n) for n in range(GAMES)]
    try:
        for server in servers:
            begin(server, room)
        for number, (box, game, revision) in enumerate(messages):
            points = {"Anna": 10 * revision + int(game[1:]), "Ben": 5}
            room.say(f"{box}/result", payloads.result(box, points, game, revision))
            if number % (len(messages) // KILLS) == 7:
                victim = chance.choice(servers)
                victim.kill()
                begin(victim, room)
        assert wanted(final, address), kept(address)
    finally:
        for server in servers:
            server.kill()


class Refusing(Store):
    """A store that cannot be written for a while."""

    tries = 0
    refuses = True

    def keep(self, results: object, received: float) -> int:
        self.tries += 1
        if self.refuses:
            with self._database.transaction() as work:
                work.run("INSERT INTO nowhere VALUES (1)")
        return super().keep(results, received)  # type: ignore[arg-type]


def test_a_result_is_acknowledged_only_once_it_is_kept(
    broker: Mosquitto, room: Tables, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that could not keep it dies; the next one with its name has it from the broker."""
    monkeypatch.setattr("companion.club.listening.PAUSE_SECONDS", 0.05)
    where = Broker("127.0.0.1", broker.port)
    path = str(tmp_path / "club.db")
    store = Refusing(open_database(path))
    club = Club(store)
    first = Listener(where, "boxlid", "one", club, club.board)
    first.start()
    assert until(lambda: first.link.connected)
    room.say("kitchen/result", payloads.result("kitchen", {"Anna": 1}, "g"))
    assert until(lambda: store.tries > 2)
    first.close()
    assert kept(path) == []
    store.refuses = False
    second = Listener(where, "boxlid", "one", club, club.board)
    second.start()
    assert wanted([("kitchen", "g", 1, 1)], path)
    second.close()


class Slow(Club):
    """Its database takes longer for the first result than the broker would be quiet."""

    slow = True

    def keep(self, results: list[Result]) -> None:
        if self.slow:
            self.slow = False
            threading.Event().wait(4 * Inheritance.QUIET_SECONDS)
        super().keep(results)


def test_what_the_broker_holds_for_a_dead_server_is_taken_over_however_slow_the_database_is(
    broker: Mosquitto, room: Tables, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Inheritance, "QUIET_SECONDS", 0.5)
    where = Broker("127.0.0.1", broker.port)
    path = str(tmp_path / "club.db")
    club = Slow(Store(open_database(path)))
    dead = Listener(where, "boxlid", "dead", club, club.board)
    dead.start()
    assert until(lambda: dead.link.connected and bool(room.asked))
    dead.close()
    games = [("kitchen", f"g{number}", 1, number) for number in range(30)]
    for box, game, _, points in games:
        room.say(f"{box}/result", payloads.result(box, {"Anna": points}, game))
    assert kept(path) == []
    assert Inheritance(where, "boxlid", "dead", club).take(threading.Event())
    assert kept(path) == sorted(games)
    again = Inheritance(where, "boxlid", "dead", club)  # nothing is left: its session has ended
    assert again.take(threading.Event())
