"""Which broker a table speaks with, as whom, and what it may be told. Off unless a broker is named."""

import re
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from boxlid.errors import StatementKind, statement
from boxlid.fields import Between, Clash, Length, Only
from companion.mqtt.topics import (
    DISCOVERY_PREFIX,
    LONGEST_NAME,
    PREFIX,
    MqttCommand,
    Topics,
    is_name,
    is_prefix,
    safe_name,
)

PLAIN_PORT, TLS_PORT = 1883, 8883


_HOST = re.compile(r"[A-Za-z0-9._:%-]{0,253}")  # a name, or an address of either kind
LONGEST_SETTING = 4096  # characters: as long as a path may be


class MqttWanted(StatementKind):
    """What may stand in the settings of MQTT."""

    BROKER = "wanted.broker"
    PREFIX = "wanted.topic_prefix"
    BOX = "wanted.box_name"
    DISCOVERY = "wanted.discovery_prefix"
    WITH_USER = "wanted.file_beside_user"
    WITH_TLS = "wanted.file_with_tls"
    PLAIN_TEXT = "wanted.plain_text"


SettingText = Annotated[str, Length(0, LONGEST_SETTING), Only(str.isprintable, MqttWanted.PLAIN_TEXT)]


@dataclass(frozen=True, slots=True)
class MqttConfig:
    """Which broker, as whom, and what it may tell the table."""

    broker: Annotated[SettingText, Only(_HOST.fullmatch, MqttWanted.BROKER)] = ""
    port: Annotated[int, Between(0, 65535)] = 0  # 0: the usual one
    user: SettingText = ""
    password_file: SettingText = ""
    tls: bool = False
    ca_file: SettingText = ""
    prefix: Annotated[SettingText, Only(is_prefix, MqttWanted.PREFIX)] = PREFIX
    box: Annotated[  # empty: the computer's name
        SettingText,
        Only(lambda text: not text or is_name(text), MqttWanted.BOX, {"most": LONGEST_NAME}),
    ] = ""
    commands: tuple[MqttCommand, ...] = ()
    discovery_prefix: Annotated[  # empty: Home Assistant is told nothing
        SettingText, Only(lambda text: not text or is_prefix(text), MqttWanted.DISCOVERY)
    ] = DISCOVERY_PREFIX

    def clashes(self) -> Iterator[Clash]:
        if self.password_file and not self.user:
            yield Clash("password_file", statement(MqttWanted.WITH_USER), others=("user",))
        if self.ca_file and not self.tls:
            yield Clash("ca_file", statement(MqttWanted.WITH_TLS), others=("tls",))

    @property
    def is_on(self) -> bool:
        return bool(self.broker)

    @property
    def at_port(self) -> int:
        return self.port or (TLS_PORT if self.tls else PLAIN_PORT)

    @property
    def name(self) -> str:
        """Of this table in all topics."""
        return self.box or safe_name(socket.gethostname())

    @property
    def topics(self) -> Topics:
        return Topics(self.prefix, self.name)
