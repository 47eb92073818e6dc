"""A club server as people start it, and tables that speak to its broker."""

import json
import multiprocessing
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion

from companion.benchmarks.mosquitto import Mosquitto, free_port
from companion.club.broker import Broker
from companion.club.club import Club
from companion.club.database import open_database
from companion.club.listening import Listener
from companion.club.store import Store
from tests.waiting import PATIENCE, until

if TYPE_CHECKING:
    from multiprocessing.context import ForkServerProcess


@dataclass
class ClubProcess:
    """`boxlid club` in a process of its own, started again after each kill."""

    broker: Mosquitto
    state: Path
    results: str
    port: int = field(default_factory=free_port)
    process: "subprocess.Popen[str] | None" = None
    said: list[str] = field(default_factory=list)  # on standard error
    listening: threading.Thread = field(default_factory=threading.Thread)

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
        call += ["--broker", f"127.0.0.1:{self.broker.port}", "--results", self.results]
        call += ["--state", str(self.state)]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(call, stdout=subprocess.DEVNULL, stderr=pipe, text=True)
        self.listening = threading.Thread(target=self._listen, args=(self.process,), daemon=True)
        self.listening.start()

    def _listen(self, process: "subprocess.Popen[str]") -> None:
        assert process.stderr is not None
        with process.stderr as lines:
            for line in lines:
                self.said.append(line.strip())

    def kill(self) -> None:
        """As a power cut would."""
        if self.process is not None:
            self.process.kill()
            self.process.wait(PATIENCE)
            self.listening.join(PATIENCE)
            self.process = None

    def get(self, path: str) -> Any:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=PATIENCE) as answer:
            return json.loads(answer.read())

    @property
    def answers(self) -> bool:
        try:
            return bool(self.get("/api/view")["connected"])
        except OSError:
            return False

    def wait(self) -> None:
        assert until(lambda: self.answers), self.said

    def wait_to_hear(self, words: str) -> str:
        assert until(lambda: any(words in line for line in self.said)), self.said
        return next(line for line in self.said if words in line)


_processes = multiprocessing.get_context("forkserver")
_processes.set_forkserver_preload([__name__])


def _serve(port: int, results: str, identity: str) -> None:
    """What a club server does, without its pages."""
    store = Store(open_database(results))
    club = Club(store)
    Listener(Broker("127.0.0.1", port), "boxlid", identity, club, club.board).start()
    threading.Event().wait()


@dataclass
class Keeper:
    """A club server without pages, which starts and dies quickly."""

    broker: Mosquitto
    results: str
    identity: str
    process: "ForkServerProcess | None" = None

    def start(self) -> None:
        given = (self.broker.port, self.results, self.identity)
        self.process = _processes.Process(target=_serve, args=given, daemon=True)
        self.process.start()

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.join(PATIENCE)
            self.process.close()
            self.process = None


class Tables:
    """Everything the boxes of a room say to the broker, by one connection."""

    def __init__(self, broker: Mosquitto) -> None:
        self.client = Client(CallbackAPIVersion.VERSION2)
        self.client.connect("127.0.0.1", broker.port)
        self.client.loop_start()
        self.asked: list[bytes] = []
        self.client.on_message = lambda _client, _data, message: self.asked.append(bytes(message.payload))
        self.client.subscribe("boxlid/club/ask", 1)

    def say(self, topic: str, payload: bytes, *, retain: bool = False) -> None:
        """Once this returns the broker has it."""
        self.client.publish(f"boxlid/{topic}", payload, 1, retain).wait_for_publish(PATIENCE)

    def close(self) -> None:
        self.client.disconnect()
        self.client.loop_stop()


@contextmanager
def tables(broker: Mosquitto) -> Iterator[Tables]:
    found = Tables(broker)
    try:
        yield found
    finally:
        found.close()


def kept(results: str) -> list[tuple[str, str, int, int]]:
    """Box, game, revision and the first player's points of each result, as the database has it."""
    store = Store(open_database(results))
    try:
        found = [each.result for each in store.results_since(0)]
    finally:
        store.close()
    return sorted((each.box, each.id, each.revision, each.players[0].points) for each in found)


def wanted(results: Sequence[tuple[str, str, int, int]], where: str) -> bool:
    return until(lambda: kept(where) == sorted(results))
