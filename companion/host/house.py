"""MQTT beside the game: the thread that talks with the broker, what is lit, what the broker may do here."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, assert_never

from companion.checks.broker import NO_PAHO
from companion.checks.installation import own_version
from companion.game import Reopened
from companion.host.showing import Loop, Showing
from companion.journal.journal import Journal, JournalError
from companion.mqtt.bridge_state import BridgeState
from companion.mqtt.discovery import AboutBox, discovery, discovery_topic
from companion.mqtt.settings import MqttConfig
from companion.mqtt.topics import MqttCommand
from companion.process.fault_barrier import BoxPart, FaultBarrier
from companion.rules import RuleError
from companion.table.snapshot import Snapshot
from companion.table.table import Command, Table
from companion.view.lamps import Lamps, Light, lamps
from companion.words import catalogues, english
from hardware.pins import ROWS

if TYPE_CHECKING:
    from companion.mqtt.bridge import Bridge

AGAIN_SECONDS = 1.0  # after a fault of our own
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Means:
    """What a broker's part of the table works with."""

    settings: MqttConfig
    language: str  # of the table
    address: str  # of its pages
    table: Table
    journal: Journal
    rolled: Callable[[], None]
    barrier: Callable[[BoxPart], FaultBarrier]
    note: Callable[[str], None]  # for the owner


class House:
    """What a host has of it: nothing, unless a broker is named in the settings."""

    def __init__(self, means: Means) -> None:
        self._means = means
        self._bridge = self._made() if means.settings.is_on else None
        self.loops: tuple[Loop, ...] = ()
        if self._bridge is not None:
            barriers = [means.barrier(BoxPart.MQTT) for _ in range(2)]
            self.loops = (
                Talking(self._bridge, barriers[0]),
                Showing(means.table, barriers[1], self._show),
            )

    @property
    def state(self) -> BridgeState:
        return BridgeState(trouble=NO_PAHO) if self._bridge is None else self._bridge.state

    def _made(self) -> "Bridge | None":
        try:
            from companion.mqtt.bridge import Bridge  # noqa: PLC0415 - an extra, and memory for who has none
        except ImportError:
            self._means.note(f"MQTT: {english(NO_PAHO)}.")
            return None
        return Bridge(self._means.settings, self._means.journal, self.do, self._always())

    def _always(self) -> dict[str, bytes]:
        """What tells Home Assistant of this table, unless the settings say no."""
        config = self._means.settings
        if not config.discovery_prefix:
            return {}
        about = AboutBox(own_version(), self._means.address)
        return {discovery_topic(config): discovery(config, catalogues()[self._means.language], about)}

    def _show(self, _: Snapshot, after: Snapshot) -> None:
        if self._bridge is not None:
            self._bridge.show(after, lights_by_name(lamps(after)))

    def do(self, command: MqttCommand) -> None:
        """What a broker asks for is done as a button does it; what cannot be done now is not."""
        try:
            self._do(command)
        except (RuleError, JournalError) as error:
            _log.info("MQTT: %s is not possible now: %s", command, error)

    def _do(self, command: MqttCommand) -> None:
        table = self._means.table
        game = table.snapshot.game
        match command:
            case MqttCommand.ROLLED:
                self._means.rolled()
            case MqttCommand.UNDO if game is not None:
                table.play(Command(Reopened(game.active)))
            case MqttCommand.MOVE_ON if game is not None:
                table.ask_to_move_on(game.active)
            case MqttCommand.UNDO | MqttCommand.MOVE_ON:
                raise RuleError("no game is being played")
            case _:
                assert_never(command)


class Talking(Loop):
    """Rounds of the bridge, and its goodbye after the last one."""

    def __init__(self, bridge: "Bridge", barrier: FaultBarrier) -> None:
        super().__init__(barrier)
        self._bridge = bridge

    def stop(self) -> None:
        super().stop()
        self._bridge.stop()

    def _round(self) -> None:
        with self._barrier:
            self._bridge.round()
        if self._barrier.is_broken:
            self._stop.wait(AGAIN_SECONDS)

    def _run(self) -> None:
        super()._run()
        with self._barrier:
            self._bridge.close()


def lights_by_name(shown: Lamps) -> dict[str, str]:
    """Each lamp's topic and what it says: `off`, `on` or `blinking`; the status lamp its colour."""
    seats = {f"seat{number}": _light(light) for number, light in enumerate(shown.seats, 1)}
    rows = {name: _light(light) for name, light in zip(ROWS, shown.rows, strict=True)}
    return {**seats, **rows, "status": shown.status.colour}


def _light(light: Light) -> str:
    if light in (Light.OFF, Light.ON):
        return light.value
    return Light.ON.value if light is Light.WINKING else Light.BLINKING.value
