"""Checks of MQTT: how the running table is with its broker, and whether a broker lets this box in at all."""

import time
from collections.abc import Iterator

from boxlid.errors import Statement
from companion.findings.check import Check, note, ok, wrong
from companion.findings.kinds import Checked, Found
from companion.mqtt.bridge_state import BridgeState, BrokerFault
from companion.mqtt.settings import MqttConfig

NO_PAHO = Statement(BrokerFault.NO_PAHO)
TRY_SECONDS = 8.0


def bridge_checks(config: MqttConfig, state: BridgeState) -> Iterator[Check]:
    """Of the table that runs; nothing where no broker is named."""
    what = Checked.MQTT
    if not config.is_on:
        return
    if state.trouble:
        problem = state.trouble
        yield wrong(what, Found.EVENTS_WAIT, Found.DO_SEE_MQTT, problem=problem, n=state.waiting)
    elif not state.is_up:
        yield note(what, Found.NOT_CONNECTED, Found.DO_WAIT)
    else:
        yield ok(what, Found.CONNECTED, broker=config.broker, box=config.name)
    if state.refusal is not None:
        problem, todo = state.refusal, Found.DO_LOOK_WHO_SENDS
        yield note(what, Found.MESSAGES_REFUSED, todo, n=state.refused, problem=problem)


def broker_checks(config: MqttConfig) -> Iterator[Check]:
    """Tries it, under a name of its own: a table that runs is not disturbed."""
    if not config.is_on:
        return
    trouble = _tried(config)
    if trouble:
        yield wrong(Checked.MQTT, trouble, Found.DO_SEE_MQTT)
    else:
        yield ok(Checked.MQTT, Found.BROKER_LETS_IN, broker=config.broker, box=config.name)


def _tried(config: MqttConfig) -> Statement | None:
    """Why it cannot be; None if it can."""
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
        return error.statement
    finally:
        connection.drop()
        wake.close()
    return None
