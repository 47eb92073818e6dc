"""Checks of MQTT: how the running table is with its broker, and whether a broker lets this box in at all."""

import time
from collections.abc import Iterator

from companion.findings.check import Check, note, ok, wrong
from companion.mqtt.bridge_state import BridgeState
from companion.mqtt.settings import MqttConfig

NO_PAHO = "the package paho-mqtt, version 2 or newer, is missing"
WITHOUT_BROKER = "see docs/mqtt.md; the game goes on, and what is missing is sent later"
TRY_SECONDS = 8.0


def bridge_checks(config: MqttConfig, state: BridgeState) -> Iterator[Check]:
    """Of the table that runs; nothing where no broker is named."""
    what = "MQTT"
    if not config.is_on:
        return
    if state.trouble:
        text = "{problem}; {n} events wait"
        yield wrong(what, text, WITHOUT_BROKER, problem=state.trouble, n=state.waiting)
    elif not state.is_up:
        yield note(what, "not connected yet", "wait a moment")
    else:
        yield ok(what, "connected to {broker} as {box}", broker=config.broker, box=config.name)
    if state.refused:
        text, todo = (
            "{n} messages were refused; the newest: {problem}",
            "look who sends them, see docs/mqtt.md",
        )
        yield note(what, text, todo, n=state.refused, problem=state.refusal)


def broker_checks(config: MqttConfig) -> Iterator[Check]:
    """Tries it, under a name of its own: a table that runs is not disturbed."""
    if not config.is_on:
        return
    trouble = _tried(config)
    if trouble:
        yield wrong("MQTT", "{problem}", WITHOUT_BROKER, problem=trouble)
    else:
        text = "the broker {broker} lets this box in, which is called {box} there"
        yield ok("MQTT", text, broker=config.broker, box=config.name)


def _tried(config: MqttConfig) -> str:
    """Why it cannot be; empty if it can."""
    try:
        from companion.mqtt.connection import BrokerError, Connection, Wake  # noqa: PLC0415 - an extra
    except ImportError:
        return NO_PAHO
    wake, until = Wake(), time.monotonic() + TRY_SECONDS
    connection = Connection(config, f"{config.prefix}/{config.name}/doctor", TRY_SECONDS)
    try:
        connection.open()
        while not connection.is_up and time.monotonic() < until:
            connection.step(TRY_SECONDS, wake)
        connection.close()
    except BrokerError as error:
        return str(error)
    finally:
        connection.drop()
        wake.close()
    return ""
