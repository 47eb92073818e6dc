"""Which broker, and a connection to it that keeps its session. Knows no messages."""

import importlib
import ssl
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

if TYPE_CHECKING:
    from paho.mqtt.client import Client
    from paho.mqtt.reasoncodes import ReasonCode

PORT, TLS_PORT = 1883, 8883
KEEP_ALIVE_SECONDS = 30
SESSION_SECONDS = 7 * 24 * 3600  # how long the broker keeps what a club that is away has not seen
MOST_UNDER_WAY = 200  # results that are not acknowledged yet
LARGEST_PACKET = 2 * 1024 * 1024  # the broker leaves out larger ones
_LONGEST_PAUSE = 5  # seconds between two tries to connect


class BrokerError(Exception):
    """The broker cannot be used: which, why, what to do."""


@dataclass(frozen=True, slots=True)
class Broker:
    """Where the broker is, and who we are there."""

    host: str
    port: int
    user: str = ""
    password: str = ""
    tls: bool = False
    ca_file: Path | None = None

    @property
    def name(self) -> str:
        return f"{self.host}:{self.port}"


def parse_broker(text: str) -> Broker:
    """`host`, `host:port`, `mqtt://user@host:port` or `mqtts://…`; BrokerError if it is none."""
    scheme, _, rest = text.rpartition("://")
    if scheme not in ("", "mqtt", "mqtts"):
        raise BrokerError(f"a broker is HOST, HOST:PORT, mqtt://… or mqtts://…, got {text!r}")
    try:
        parts = urlsplit(f"//{rest}")
        host, port = parts.hostname, parts.port
    except ValueError:
        host = port = None
    if not host or parts.path.strip("/"):
        raise BrokerError(f"a broker is HOST, HOST:PORT, mqtt://… or mqtts://…, got {text!r}")
    if parts.password is not None:
        raise BrokerError("a password in the broker's address is seen by everybody here: use --password-file")
    tls = scheme == "mqtts"
    return Broker(host, port or (TLS_PORT if tls else PORT), unquote(parts.username or ""), tls=tls)


@dataclass(frozen=True, slots=True)
class Calls:
    """What a connection calls, from its own thread.

    Connected: was its session kept? Lost: why. Message: topic, payload, number, QoS.
    """

    connected: Callable[["Client", bool], object]
    lost: Callable[[str], object]
    message: Callable[[str, bytes, int, int], object]


def need_paho() -> None:
    """BrokerError says what to install; version 1 has no `enums`."""
    try:
        importlib.import_module("paho.mqtt.client")
        importlib.import_module("paho.mqtt.enums")
    except ImportError:
        text = 'a broker needs the package paho-mqtt, version 2 or newer: pip install "boxlid[club]"'
        raise BrokerError(text) from None


def client_of(broker: Broker, identity: str, calls: Calls) -> "Client":
    """A client that acknowledges nothing by itself and whose session outlives it. Not connected yet."""
    need_paho()
    from paho.mqtt import client as mqtt  # noqa: PLC0415 - an extra
    from paho.mqtt.enums import CallbackAPIVersion  # noqa: PLC0415

    client = mqtt.Client(CallbackAPIVersion.VERSION2, identity, protocol=mqtt.MQTTv5, manual_ack=True)
    client.reconnect_delay_set(1, _LONGEST_PAUSE)
    if broker.user:
        client.username_pw_set(broker.user, broker.password or None)
    if broker.tls:
        client.tls_set_context(_context(broker))

    def on_connect(_: Any, __: Any, flags: Any, reason: "ReasonCode", ___: Any) -> None:
        if reason.is_failure:
            calls.lost(f"the broker says: {reason}")
        else:
            calls.connected(client, bool(flags.session_present))

    def on_disconnect(_: Any, __: Any, ___: Any, reason: "ReasonCode", ____: Any) -> None:
        calls.lost("it hung up" if reason == "Unspecified error" else f"it hung up: {reason}")

    def on_connect_fail(*_: Any) -> None:
        calls.lost(_why(sys.exc_info()[1]))  # it is called while that is handled

    def on_message(_: Any, __: Any, message: Any) -> None:
        calls.message(_topic(message), bytes(message.payload), int(message.mid), int(message.qos))

    client.on_connect, client.on_disconnect = on_connect, on_disconnect
    client.on_connect_fail, client.on_message = on_connect_fail, on_message
    return client


def _why(error: BaseException | None) -> str:
    """Why no connection was made, in a line."""
    match error:
        case ssl.SSLCertVerificationError():
            return f"its certificate is not trusted: {error.verify_message}"
        case OSError(strerror=str(said)) if said:
            return said
        case None:
            return "it does not answer"
        case _:
            return str(error) or type(error).__name__


def _topic(message: Any) -> str:
    try:
        return str(message.topic)
    except UnicodeDecodeError:
        return "�"


def connect(client: "Client", broker: Broker) -> None:
    """Begin to connect, in the client's thread, again and again."""
    from paho.mqtt.packettypes import PacketTypes  # noqa: PLC0415 - an extra
    from paho.mqtt.properties import Properties  # noqa: PLC0415

    wanted = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
    wanted.SessionExpiryInterval = SESSION_SECONDS
    wanted.ReceiveMaximum = MOST_UNDER_WAY
    wanted.MaximumPacketSize = LARGEST_PACKET
    client.connect_async(broker.host, broker.port, KEEP_ALIVE_SECONDS, clean_start=False, properties=wanted)
    client.loop_start()


def end_session(client: "Client") -> None:
    """Leave, and have the broker forget this session."""
    from paho.mqtt.packettypes import PacketTypes  # noqa: PLC0415 - an extra
    from paho.mqtt.properties import Properties  # noqa: PLC0415

    wanted = Properties(PacketTypes.DISCONNECT)  # type: ignore[no-untyped-call]
    wanted.SessionExpiryInterval = 0
    client.disconnect(properties=wanted)


def _context(broker: Broker) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cafile=broker.ca_file)
    except (OSError, ssl.SSLError) as error:
        raise BrokerError(f"the certificate {broker.ca_file} cannot be read: {error}") from None
