"""What a broker may tell a table: three commands if they are allowed, and a club's question for results."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated

from boxlid.errors import BoxlidError, StatementKind
from boxlid.fields import As, Between, FieldsError, Text, read
from companion.mqtt.connection import Received
from companion.mqtt.payloads import VERSION
from companion.mqtt.settings import MqttConfig
from companion.mqtt.topics import MqttCommand

PRESSES = ("", "PRESS", "{}")  # of a command there is nothing else to say
LONGEST = 1000  # bytes
_SHOWN = 60


class MessageFault(StatementKind):
    """Why a message is not taken in."""

    RETAINED = "mqtt_refused.retained"
    TOO_LONG = "mqtt_refused.too-long"
    NO_UTF8 = "mqtt_refused.no-utf8"
    NOT_ASKED_FOR = "mqtt_refused.not-asked-for"
    NO_PRESS = "mqtt_refused.no-press"
    NO_ASK = "mqtt_refused.no-ask"
    TOO_SOON = "mqtt_refused.too-soon"


class RefusedError(BoxlidError):
    """A message that is not taken in."""


@dataclass(frozen=True, slots=True)
class Ask:
    """The results since then, in seconds since 1970."""

    since: float


def understood(config: MqttConfig, received: Received) -> MqttCommand | Ask:
    """What was meant. RefusedError if it is none of ours, or not as it should be."""
    topic = (received.topic if received.topic.isprintable() else ascii(received.topic))[:_SHOWN]
    commands = {config.topics.command(command): command for command in config.commands}
    if received.retained and received.topic != config.topics.ask:
        raise RefusedError(MessageFault.RETAINED, topic=topic)
    if len(received.payload) > LONGEST:
        raise RefusedError(MessageFault.TOO_LONG, topic=topic, limit=LONGEST)
    try:
        text = received.payload.decode()
    except UnicodeDecodeError:
        raise RefusedError(MessageFault.NO_UTF8, topic=topic) from None
    if received.topic == config.topics.ask:
        return _ask(text, topic)
    if received.topic not in commands:
        raise RefusedError(MessageFault.NOT_ASKED_FOR, topic=topic)
    if text not in PRESSES:
        got = repr(text[:_SHOWN])
        raise RefusedError(MessageFault.NO_PRESS, topic=topic, form="{}", text=got)
    return commands[received.topic]


def _seconds(text: str) -> float:
    try:
        since = datetime.fromisoformat(text)
        return (since if since.tzinfo else since.replace(tzinfo=UTC)).timestamp()
    except OverflowError as error:
        raise ValueError(text) from error


@dataclass(frozen=True, slots=True)
class _AskSent:
    version: Annotated[int, Between(VERSION, VERSION)]
    since: Annotated[float, As(Text, _seconds)]


def _ask(text: str, topic: str) -> Ask:
    try:
        return Ask(read(_AskSent, json.loads(text), others=True).since)
    except (FieldsError, ValueError, RecursionError):
        wanted, got = '{"version":1,"since":"2026-11-20T00:00:00+00:00"}', repr(text[:_SHOWN])
        raise RefusedError(MessageFault.NO_ASK, topic=topic, form=wanted, text=got) from None
