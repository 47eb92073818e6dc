"""Which broker a table speaks with, as whom, and what it may be told. Off unless a broker is named."""

import socket
from dataclasses import dataclass

from companion.mqtt.topics import DISCOVERY_PREFIX, PREFIX, MqttCommand, Topics, safe_name

PLAIN_PORT, TLS_PORT = 1883, 8883


@dataclass(frozen=True, slots=True)
class MqttConfig:
    """Which broker, as whom, and what it may tell the table."""

    broker: str = ""
    port: int = 0  # 0: the usual one
    user: str = ""
    password_file: str = ""
    tls: bool = False
    ca_file: str = ""
    prefix: str = PREFIX
    box: str = ""  # empty: the computer's name
    commands: tuple[MqttCommand, ...] = ()
    discovery_prefix: str = DISCOVERY_PREFIX  # empty: Home Assistant is told nothing

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
