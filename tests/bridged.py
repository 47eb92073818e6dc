"""A table that speaks MQTT, for tests: its bridge in threads of their own, as the host has them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from companion.benchmarks.mosquitto import LOCALHOST
from companion.game import Setup
from companion.host.house import Talking, lights_by_name
from companion.host.showing import Showing
from companion.mqtt.bridge import Bridge, RetryPace
from companion.mqtt.settings import MqttConfig
from companion.mqtt.topics import MqttCommand
from companion.process.fault_barrier import BoxPart, FaultBarrier
from companion.table.snapshot import GameStarted, Snapshot
from companion.table.table import Command, Table
from companion.view.lamps import lamps
from tests.brokers import Listener
from tests.tabling import BY_HAND, NAMES, ROLL, play
from tests.waiting import until

QUICK = RetryPace(first=0.02, most=0.2, answer=1.0, asked=0.1, held=0.2)
PATIENT = RetryPace(first=0.02, most=0.2, asked=0.1)
BOX = "kitchen"


def settings(port: int, **more: object) -> MqttConfig:
    return MqttConfig(LOCALHOST, port, box=BOX, **more)  # type: ignore[arg-type]


@contextmanager
def bridged(
    table: Table,
    config: MqttConfig,
    do: Callable[[MqttCommand], None] = lambda _: None,
    pace: RetryPace = PATIENT,
) -> Iterator[Bridge]:
    bridge = Bridge(config, table.journal, do, pace=pace)

    def show(_: Snapshot, after: Snapshot) -> None:
        bridge.show(after, lights_by_name(lamps(after)))

    barriers = [FaultBarrier(BoxPart.MQTT) for _ in range(2)]
    loops = (Talking(bridge, barriers[0]), Showing(table, barriers[1], show))
    for loop in loops:
        loop.start()
    try:
        yield bridge
    finally:
        for loop in loops:
            loop.stop()
        for loop in loops:
            loop.join()
    assert [barrier.fault for barrier in barriers] == ["", ""]


def is_up(bridge: Bridge) -> bool:
    return until(lambda: bridge.state.is_up)


def all_told(bridge: Bridge, table: Table) -> bool:
    """Everything in the journal is acknowledged."""
    newest = table.journal.next_id - 1
    return until(lambda: bridge.state.is_up and bridge.position == newest)


def play_a_game(table: Table) -> str:
    """One more game from its start to its end; the number of its entry."""
    table.play(Command(GameStarted(Setup(NAMES, house=BY_HAND))))
    play(table, ROLL, "0 crosses R7 in 1", "0 done", "1 done", "2 done", "0 stops")
    return str(table.snapshot.game_id)


def games_in(listener: Listener) -> dict[str, int]:
    """How often the result of each game came, by the number of its entry."""
    found: dict[str, int] = {}
    for each in listener.on(f"boxlid/{BOX}/result"):
        number = str(each.json["id"]).partition(":")[2]
        found[number] = found.get(number, 0) + 1
    return found


def came(listener: Listener, topic: str, **fields: object) -> bool:
    """Whether the newest message there comes to have these fields."""

    def has() -> bool:
        newest = listener.newest(f"boxlid/{BOX}/{topic}")
        return newest is not None and fields.items() <= newest.json.items()

    return until(has)
