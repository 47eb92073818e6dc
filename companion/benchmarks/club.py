"""A club with 10 to 1,000 tables: from a table's event to the club's page, what it costs, and 100 kills."""

import http.client
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.benchmarks.figure import Figure, at_most, plain
from companion.benchmarks.many_tables import ManyTables, TableConnection, result
from companion.benchmarks.mosquitto import Mosquitto, free_port
from companion.club.broker import Broker, Calls, client_of, connect
from companion.club.database import open_database
from companion.club.store import Store
from companion.process.command_error import CallFault, CommandError

SIZES = (10, 100, 1000)
AIM_MILLISECONDS = 250
WARM_UP_SECONDS, MEASURE_SECONDS = 5.0, 30.0
KILLS = 100
GAMES_A_KILL = 10  # results that come between two kills, each in two revisions, some of them twice
PATIENCE_SECONDS = 120.0
_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass
class ClubServer:
    """The command, in a process of its own."""

    broker: Mosquitto
    folder: Path
    results: Path
    port: int = field(default_factory=free_port)
    process: "subprocess.Popen[bytes] | None" = None

    def start(self) -> None:
        call = [
            sys.executable,
            "-m",
            "companion.cli",
            "club",
            "--host",
            "127.0.0.1",
            "--port",
            str(self.port),
        ]
        call += ["--broker", f"127.0.0.1:{self.broker.port}", "--results", str(self.results)]
        call += ["--state", str(self.folder)]
        self.folder.mkdir(parents=True, exist_ok=True)
        with self._log.open("wb") as log:
            self.process = subprocess.Popen(call, stdout=subprocess.DEVNULL, stderr=log)
        end = time.monotonic() + PATIENCE_SECONDS
        while not self._is_connected():
            if time.monotonic() > end or self.process.poll() is not None:
                raise CommandError(CallFault.BENCH_CLUB_SILENT, words=self._last_words)
            time.sleep(0.05)

    @property
    def _log(self) -> Path:
        return self.folder / "log"

    @property
    def _last_words(self) -> str:
        lines = self._log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        return lines[-1] if lines else "none"

    def _is_connected(self) -> bool:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/api/view?only=books") as answer:
                return bool(json.loads(answer.read())["connected"])
        except OSError:
            return False

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


@dataclass
class Page:
    """A page of the club that somebody looks at; when it showed which state is remembered."""

    port: int
    shown: dict[tuple[str, int], float] = field(default_factory=dict)
    bytes: int = 0
    _stop: threading.Event = field(default_factory=threading.Event)

    def start(self) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        self._connection.request("GET", "/api/live")
        self._answer = self._connection.getresponse()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        while not self._stop.is_set() and (line := self._answer.readline()):
            self.bytes += len(line)
            if line.startswith(b'data: {"run'):
                now = time.monotonic()
                for table in json.loads(line[6:])["tables"]:
                    if table["turn"] is not None:
                        self.shown.setdefault((table["box"], table["turn"]), now)

    def close(self) -> None:
        self._stop.set()
        self._thread.join()
        self._connection.close()


class BareListener:
    """Hears the states from the broker as the club does: what is late here is no fault of the club."""

    def __init__(self, port: int) -> None:
        self.shown: dict[tuple[str, int], float] = {}
        calls = Calls(lambda client, _: client.subscribe("boxlid/+/state", 0), lambda _: None, self._message)
        self._client = client_of(Broker("127.0.0.1", port), "boxlid-bench", calls)
        connect(self._client, Broker("127.0.0.1", port))

    def _message(self, _topic: str, payload: bytes, _number: int, _qos: int) -> None:
        now, state = time.monotonic(), json.loads(payload)
        self.shown[state["box"], state["turn"]] = now

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()


def figures() -> Iterator[Figure]:
    """One server with 10, 100 and 1,000 tables; two that share 1,000; then kills while results come."""
    for tables in SIZES:
        yield from watched(tables, servers=1)
    yield from watched(SIZES[-1], servers=2)
    yield from killed()


@contextmanager
def club(servers: int) -> Iterator[tuple[Mosquitto, Sequence[ClubServer]]]:
    with tempfile.TemporaryDirectory(prefix="boxlid-bench-") as folder:
        broker = Mosquitto(Path(folder) / "broker")
        broker.start()
        results = Path(folder) / "club.db"
        found = [ClubServer(broker, Path(folder) / f"server-{n}", results) for n in range(servers)]
        try:
            for server in found:
                server.start()
            yield broker, found
        finally:
            for server in found:
                server.kill()
            broker.stop()


def watched(tables: int, servers: int) -> Iterator[Figure]:
    """From the moment a table publishes to the moment a page has it, and what the servers need for that."""
    of = f"{tables} tables" + (f", {servers} servers" if servers > 1 else "")
    with club(servers) as (broker, found), ExitStack() as rest:
        room = ManyTables(broker.port, tables)
        rest.callback(room.close)
        pages = [Page(server.port) for server in found]
        for page in pages:
            page.start()
            rest.callback(page.close)
        bare = BareListener(broker.port)
        rest.callback(bare.close)
        room.start()
        time.sleep(WARM_UP_SECONDS)
        before, begun, sent = (
            [_used(server.process) for server in found],
            time.monotonic(),
            sum(p.bytes for p in pages),
        )
        of_broker = _used(broker.process)
        time.sleep(MEASURE_SECONDS)
        took = time.monotonic() - begun
        used = [(_used(server.process) - was) / took for server, was in zip(found, before, strict=True)]
        memory = [_memory(server.process) for server in found]
        by_broker = (_used(broker.process) - of_broker) / took
        rate = (sum(page.bytes for page in pages) - sent) / took / len(pages) / 1000
        time.sleep(1.0)  # what is under way arrives
        published = {key: at for key, at in list(room.published.items()) if begun <= at < begun + took}
        late = [delay for page in pages for delay in _delays(published, page.shown)]
        anyway = _delays(published, bare.shown)
    if min(len(late), len(anyway)) < 2:
        raise CommandError(CallFault.BENCH_NO_STATE, of=of)
    yield plain(f"{of}: states that the page showed", len(late), "states")
    yield at_most(f"{of}: event to page, median", statistics.median(late), AIM_MILLISECONDS, "ms")
    yield at_most(f"{of}: event to page, p95", statistics.quantiles(late, n=20)[-1], AIM_MILLISECONDS, "ms")
    yield plain(f"{of}: the most", max(late), "ms")
    yield plain(f"{of}: event to anybody at the broker, p95", statistics.quantiles(anyway, n=20)[-1], "ms")
    yield plain(f"{of}: processor of a server", 100 * max(used), "% of a core")
    yield plain(f"{of}: memory of a server", max(memory), "MB")
    yield plain(f"{of}: processor of the broker", 100 * by_broker, "% of a core")
    yield plain(f"{of}: sent to a page", rate, "kB/s")


def _delays(
    published: Mapping[tuple[str, int], float], shown: Mapping[tuple[str, int], float]
) -> list[float]:
    """In milliseconds; a state that was outdated before anybody saw it counts for nothing."""
    return [1000 * (shown[key] - at) for key, at in published.items() if key in shown]


def _used(process: "subprocess.Popen[bytes] | None") -> float:
    """Seconds of processor so far."""
    assert process is not None
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def _memory(process: "subprocess.Popen[bytes] | None") -> float:
    """Megabytes resident."""
    assert process is not None
    return int(Path(f"/proc/{process.pid}/statm").read_text().split()[1]) * _PAGE / 1e6


def killed() -> Iterator[Figure]:
    """Two servers share the results; again and again one of them is killed while some are on their way."""
    chance = random.Random(100)
    with club(2) as (broker, servers):
        table = TableConnection(broker.port, "kitchen")
        finals: dict[str, int] = {}
        for kill in range(KILLS):
            victim = servers[kill % 2]
            stop = threading.Thread(target=_kill_after, args=(victim, chance.uniform(0, 0.05)))
            stop.start()
            for message in _results(chance, kill * GAMES_A_KILL, finals):
                table.publish("result", message)
            stop.join()
            victim.start()
        kept = _kept_in_the_end(servers[0].results, finals)
        table.socket.close()
    wrong = [game for game, points in kept if finals.get(game) != points]
    yield plain("kills", KILLS, "times")
    yield plain("results that came meanwhile", len(finals), "games")
    yield at_most("results lost", len(finals) - len({game for game, _ in kept}), 0, "games")
    yield at_most("results kept twice", len(kept) - len({game for game, _ in kept}), 0, "games")
    yield at_most("results of an older revision, or of no game", len(wrong), 0, "games")


def _kill_after(server: ClubServer, seconds: float) -> None:
    time.sleep(seconds)
    server.kill()


def _results(chance: random.Random, first: int, finals: dict[str, int]) -> list[bytes]:
    """Two revisions of each game, some twice, in any order."""
    messages: list[bytes] = []
    for number in range(first, first + GAMES_A_KILL):
        finals[f"game:{number}"] = points = chance.randrange(40, 99)
        messages += [
            result("kitchen", f"game:{number}", points - 1, 1),
            result("kitchen", f"game:{number}", points, 2),
        ]
    messages += chance.sample(messages, GAMES_A_KILL)
    chance.shuffle(messages)
    return messages


def _kept_in_the_end(results: Path, finals: dict[str, Any]) -> list[tuple[str, int]]:
    """Game and points of each result, once nothing is missing any more, or nothing more comes."""
    store = Store(open_database(str(results)))
    end = time.monotonic() + PATIENCE_SECONDS
    kept: list[tuple[str, int]] = []
    while time.monotonic() < end:
        kept = [(each.result.id, each.result.players[0].points) for each in store.results_since(0)]
        if len(kept) >= len(finals) and all(finals.get(game) == points for game, points in kept):
            break
        time.sleep(0.5)
    store.close()
    return kept
