"""What a broker may tell a table: three commands if they are allowed, and a club's question for results."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime

from companion.mqtt.connection import Received
from companion.mqtt.payloads import VERSION
from companion.mqtt.settings import MqttConfig
from companion.mqtt.topics import MqttCommand

PRESSES = ("", "PRESS", "{}")  # of a command there is nothing else to say
LONGEST = 1000  # bytes
_SHOWN = 60


class RefusedError(Exception):
    """A message that is not taken in: one line that says why."""


@dataclass(frozen=True, slots=True)
class Ask:
    """The results since then, in seconds since 1970."""

    since: float


def understood(config: MqttConfig, received: Received) -> MqttCommand | Ask:
    """What was meant. RefusedError if it is none of ours, or not as it should be."""
    topic = received.topic if received.topic.isprintable() else ascii(received.topic)
    where = f"a message on {topic[:_SHOWN]}"
    commands = {config.topics.command(command): command for command in config.commands}
    if received.retained and received.topic != config.topics.ask:
        raise RefusedError(f"{where} was retained: commands are for the moment in which they are sent")
    if len(received.payload) > LONGEST:
        raise RefusedError(f"{where} is longer than {LONGEST} bytes")
    try:
        text = received.payload.decode()
    except UnicodeDecodeError:
        raise RefusedError(f"{where} is no UTF-8") from None
    if received.topic == config.topics.ask:
        return _ask(text, where)
    if received.topic not in commands:
        raise RefusedError(f"{where} was not asked for")
    if text not in PRESSES:
        raise RefusedError(f"{where} is empty, PRESS or {{}}, got {text[:_SHOWN]!r}")
    return commands[received.topic]


def _ask(text: str, where: str) -> Ask:
    try:
        value = json.loads(text)
        version, since = value["version"], datetime.fromisoformat(value["since"])
        ask = Ask((since if since.tzinfo else since.replace(tzinfo=UTC)).timestamp())
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
        version, ask = None, Ask(0.0)
    if version != VERSION:
        wanted = '{"version":1,"since":"2026-11-20T00:00:00+00:00"}'
        raise RefusedError(f"{where} is such as {wanted}, got {text[:_SHOWN]!r}")
    return ask
