"""What MQTT costs a table: press to eight screens without a broker, with one, with one that hangs; and a cut.

The broker is a real mosquitto of its own. One that hangs stands still: connections stay, nothing is answered.
"""

import json
import os
import signal
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion

from companion.benchmarks.figure import Figure, at_most, plain
from companion.benchmarks.mosquitto import Mosquitto
from companion.benchmarks.press import WARM_UP, companion, eight_screens, need_enough, presses
from companion.game import Setup, parse_event
from companion.host.house import Talking, lights_by_name
from companion.host.showing import Loop, Showing
from companion.journal.journal import Journal
from companion.mqtt.bridge import Bridge
from companion.mqtt.settings import MqttConfig
from companion.process.fault_barrier import BoxPart, FaultBarrier
from companion.table.seats import Mark, SeatTaken
from companion.table.snapshot import GameStarted, Snapshot
from companion.table.table import Command, Table
from companion.view.lamps import lamps

HOW = WITHOUT, WITH, HANGING = ("without a broker", "with a broker", "with a broker that hangs")
ROUNDS = 20  # presses of each
BOX = "bench"
LOCALHOST = "127.0.0.1"
CUT_SECONDS = 60.0
GAME_SECONDS = 3.0  # a game from its start to its end, while the broker hangs
BACK_SECONDS = 90.0  # a table asks a broker that is away every 40 seconds at least
STEP_SECONDS = 0.05
A_GAME = ("rolled W3 W4 R2 Y5 G6 B1 by camera", "0 crosses R7 in 1", "0 done", "1 done", "0 stops")


def figures() -> Iterator[Figure]:
    with _mosquitto() as broker, _mosquitto() as hanging:
        yield from _cut(broker)
        yield from _pressed(Brokers(broker.port, hanging.port, _process(hanging)))


@dataclass(frozen=True, slots=True)
class Brokers:
    """What goes on beside each press, one after the other, so all are measured in the same minutes."""

    port: int
    hangs_at: int
    process: int

    @contextmanager
    def __call__(self, table: Table, number: int) -> Iterator[None]:
        how = HOW[number % len(HOW)]
        if how == WITHOUT:
            yield
            return
        with _bridged(self.hangs_at if how == HANGING else self.port, table) as bridge:
            _wait(lambda: bridge.state.is_up, BACK_SECONDS)
            if how == HANGING:
                os.kill(self.process, signal.SIGSTOP)
            try:
                yield
            finally:
                os.kill(self.process, signal.SIGCONT)


def _process(broker: Mosquitto) -> int:
    return 0 if broker.process is None else broker.process.pid


def _pressed(brokers: Brokers) -> Iterator[Figure]:
    found = defaultdict[str, list[float]](list)
    with companion(brokers) as pipe:
        for seen in presses(pipe, eight_screens(pipe), WARM_UP + len(HOW) * ROUNDS, ahead=True):
            found[HOW[seen.number % len(HOW)]].append(seen.milliseconds)
    for how in HOW:
        need_enough(found[how])
        yield plain(f"press to eight screens {how}, median", statistics.median(found[how]), "ms")
        yield plain(f"press to eight screens {how}, p95", statistics.quantiles(found[how], n=20)[-1], "ms")
    for how in (WITH, HANGING):
        more = statistics.median(found[how]) - statistics.median(found[WITHOUT])
        yield at_most(f"press to eight screens {how}, more than {WITHOUT}, median", more, 10, "ms")


@contextmanager
def _mosquitto() -> Iterator[Mosquitto]:
    with tempfile.TemporaryDirectory(prefix="boxlid-bench-") as folder:
        broker = Mosquitto(Path(folder))
        try:
            broker.start()
            yield broker
        finally:
            broker.go_on()
            broker.stop()


@contextmanager
def _bridged(port: int, table: Table) -> Iterator[Bridge]:
    bridge = Bridge(MqttConfig(LOCALHOST, port, box=BOX), table.journal, lambda _: None)

    def show(_: Snapshot, after: Snapshot) -> None:
        bridge.show(after, lights_by_name(lamps(after)))

    barriers = [FaultBarrier(BoxPart.MQTT) for _ in range(2)]
    loops: tuple[Loop, ...] = (Talking(bridge, barriers[0]), Showing(table, barriers[1], show))
    for loop in loops:
        loop.start()
    try:
        yield bridge
    finally:
        for loop in loops:
            loop.stop()
        for loop in loops:
            loop.join()


# --- a minute without the broker ---------------------------------------------------------------------------


def _cut(broker: Mosquitto) -> Iterator[Figure]:
    """Games are played while nothing passes; how long until all results are there, and what it costs."""
    with (
        tempfile.TemporaryDirectory(prefix="boxlid-bench-", dir=Path.cwd()) as folder,
        Journal(Path(folder)) as journal,
    ):
        table = Table(journal)
        for name, mark in zip(("Anna", "Ben"), Mark, strict=False):
            table.play(Command(SeatTaken(name, mark, None)))
        before = _resident()
        with _bridged(broker.port, table) as bridge, _heard(broker.port) as heard:
            games = {_game(table)}
            _wait(lambda: bridge.state.is_up and heard.keys() >= games, BACK_SECONDS)
            broker.hang()
            until, most = time.monotonic() + CUT_SECONDS, 0
            while time.monotonic() < until:
                games.add(_game(table))
                most = max(most, bridge.on_their_way)
                time.sleep(GAME_SECONDS)
            broker.go_on()
            since = time.monotonic()
            _wait(lambda: heard.keys() >= games, BACK_SECONDS)
            missing = len(games - heard.keys())
            yield plain(f"games played in a cut of {CUT_SECONDS:g} s", len(games) - 1, "games")
            yield at_most("results that never came", missing, 0, "games")
            yield plain("from its end until all results were there", time.monotonic() - since, "s")
            yield at_most("messages in memory during it, most", most, 32, "messages")
            yield at_most("memory of MQTT and of a minute's queue", _resident() - before, 10, "MB")


def _game(table: Table) -> int:
    table.play(Command(GameStarted(Setup(("Anna", "Ben")))))
    for line in A_GAME:
        table.play(Command(parse_event(line)))
    return table.snapshot.game_id or 0


@contextmanager
def _heard(port: int) -> Iterator[dict[int, int]]:
    """How often the result of each game came, by its number."""
    found: dict[int, int] = {}

    def came(_: object, __: object, message: paho.MQTTMessage) -> None:
        number = int(json.loads(message.payload)["id"].partition(":")[2])
        found[number] = found.get(number, 0) + 1

    client = paho.Client(CallbackAPIVersion.VERSION2, "bench-club", clean_session=False)
    client.on_connect = lambda client, *_: client.subscribe(f"boxlid/{BOX}/result", 1)
    client.on_message = came
    client.connect(LOCALHOST, port)
    client.loop_start()
    try:
        yield found
    finally:
        client.disconnect()
        client.loop_stop()


def _wait(condition: Callable[[], bool], seconds: float) -> None:
    """Until it holds, or the time is up."""
    until = time.monotonic() + seconds
    while not condition() and time.monotonic() < until:
        time.sleep(STEP_SECONDS)


def _resident() -> float:
    """Megabytes of this process."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096 / 1e6
