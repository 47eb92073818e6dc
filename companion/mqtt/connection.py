"""One connection to the broker, from its beginning to its end. The only place that knows paho-mqtt.

It has no thread of its own: whoever owns it calls `step` over and over, and is called by nobody.
"""

import select
import socket
import ssl
import time
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode
from paho.mqtt.subscribeoptions import SubscribeOptions

from boxlid.errors import BoxlidError, Statement, Value
from companion.mqtt.bridge_state import BrokerFault
from companion.mqtt.payloads import MOST_BYTES
from companion.mqtt.settings import MqttConfig
from companion.mqtt.topics import OFFLINE
from companion.process.plain_file import read_plain

KEEP_ALIVE_SECONDS = 15
ANSWER_SECONDS = 10.0  # for the broker's word after the connection stands, and for an acknowledgement
LONGEST_PASSWORD = 1000
MOST_RECEIVED = 50  # of messages not yet looked at; what comes beyond is dropped
LARGEST_PACKET = 4 * 1024 * 1024  # the broker keeps larger ones to itself
RETAINED_TOO, RETAINED_NOT = 0, 2
_NOT_AUTHORIZED, _BAD_PASSWORD, _TAKEN_OVER = 0x87, 0x86, 0x8E


class BrokerError(BoxlidError):
    """The broker cannot be had, or is gone."""


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """The broker's word about one message; `refused` says why it did not take it."""

    number: int
    refused: str = ""


@dataclass(frozen=True, slots=True)
class Received:
    """A message as it came, cut short if it is too long: nothing about it is known to be right."""

    topic: str
    payload: bytes
    retained: bool


class Wake:
    """Ends the wait of `step` from another thread."""

    def __init__(self) -> None:
        self._ours, self._theirs = socket.socketpair()
        self._ours.setblocking(False)
        self._theirs.setblocking(False)

    def fileno(self) -> int:
        return self._ours.fileno()

    def __call__(self) -> None:
        try:
            self._theirs.send(b"\0")
        except OSError:  # it is full of wake-ups already, or closed at the end
            return

    def clear(self) -> None:
        try:
            self._ours.recv(4096)
        except BlockingIOError:
            return

    def close(self) -> None:
        self._ours.close()
        self._theirs.close()


class Connection:
    """Made, opened once, stepped until it ends with a BrokerError or is closed."""

    def __init__(self, config: MqttConfig, name: str, answer_seconds: float = ANSWER_SECONDS) -> None:
        self._config, self._answer_seconds = config, answer_seconds
        self.is_up = False
        self.acknowledged: deque[Acknowledged] = deque()
        self.received: deque[Received] = deque()
        self._ended: Statement | None = None
        self._tls: _Remembering | None = None
        self._open: dict[int, float] = {}  # since when each message waits for its acknowledgement
        self._deadline = time.monotonic() + answer_seconds
        self._client = client = paho.Client(CallbackAPIVersion.VERSION2, name, protocol=paho.MQTTv5)
        client.on_connect = lambda _c, _d, _f, code, _p: self._connected(code)
        client.on_disconnect = lambda _c, _d, _f, code, _p: self._disconnected(code)
        client.on_publish = lambda _c, _d, number, code, _p: self._published(number, code)
        client.on_message = lambda _c, _d, message: self._came(message)

    def open(self, will: str = "") -> None:
        """Blocks for some seconds at most. `will` is the topic that says `offline` if we are gone."""
        config = self._config
        if config.user:
            self._client.username_pw_set(config.user, password_of(config))
        if will:
            self._client.will_set(will, OFFLINE, qos=1, retain=True)
        properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
        properties.MaximumPacketSize = LARGEST_PACKET
        try:
            if config.tls:
                self._tls = _trusting(config.ca_file)
                self._client.tls_set_context(self._tls)
            self._client.connect(
                config.broker, config.at_port, KEEP_ALIVE_SECONDS, clean_start=True, properties=properties
            )
        except (OSError, ValueError) as error:
            self.drop()
            told = self._said_of(error)
            raise BrokerError(told.kind, **told.values) from None
        self._deadline = time.monotonic() + self._answer_seconds

    def listen(self, topics: list[str], kept: str) -> None:
        """At most once each: a press that comes late or twice is none. What `kept` retains comes too."""
        options = [(topic, _heard(RETAINED_NOT)) for topic in topics]
        self._client.subscribe([*options, (kept, _heard(RETAINED_TOO))])

    def publish(self, topic: str, payload: bytes, *, retain: bool = False) -> int:
        """Hand a message over; its number comes back in `acknowledged`."""
        number = self._client.publish(topic, payload, qos=1, retain=retain).mid
        self._open[number] = time.monotonic()
        return number

    @property
    def unanswered(self) -> int:
        return len(self._open)

    def step(self, wait: float, wake: Wake) -> None:
        """Send and receive what there is, and wait for more so long at most. BrokerError: it has ended."""
        self._check()
        sock = self._client.socket()
        if sock is None:
            raise self._broken() or BrokerError(BrokerFault.CLOSED, where=self._where)
        waits = [sock.fileno()] if self._client.want_write() else []
        readable, writable, _ = select.select([sock.fileno(), wake.fileno()], waits, [], wait)
        wake.clear()
        if sock.fileno() in readable:
            self._client.loop_read()
            self._read_rest(sock)
        if writable:
            self._client.loop_write()
        self._client.loop_misc()
        self._check()

    def close(self) -> None:
        """Say goodbye; what is not answered stays so."""
        self._client.disconnect()
        self._client.loop_write()
        self.drop()

    def drop(self) -> None:
        """End it without a word."""
        for sock in (self._client.socket(), None if self._tls is None else self._tls.made):
            if sock is not None:
                sock.close()

    def _read_rest(self, sock: object) -> None:
        """What TLS has taken off the wire already, `select` does not tell of."""
        if isinstance(sock, ssl.SSLSocket):
            while self._client.socket() is not None and sock.pending():
                self._client.loop_read()

    def _check(self) -> None:
        now = time.monotonic()
        if broken := self._broken():
            raise broken
        if not self.is_up and now > self._deadline:
            raise BrokerError(BrokerFault.SILENT, where=self._where)
        if self._open and now - next(iter(self._open.values())) > self._answer_seconds:
            raise BrokerError(BrokerFault.ACKNOWLEDGES_NOTHING, where=self._where)

    # --- what paho calls, within `step` ----------------------------------------------------------------

    def _connected(self, code: ReasonCode) -> None:
        if code.is_failure:
            self._ended = self._refusal(code)
        else:
            self.is_up = True

    def _disconnected(self, code: ReasonCode) -> None:
        gone = self._told(BrokerFault.GONE, why=str(code))
        if code.value == _TAKEN_OVER:
            gone = self._told(BrokerFault.TAKEN_OVER, box=self._config.name)
        self._ended = self._ended or gone

    def _published(self, number: int, code: ReasonCode) -> None:
        self._open.pop(number, None)
        self.acknowledged.append(Acknowledged(number, str(code) if code.is_failure else ""))

    def _came(self, message: paho.MQTTMessage) -> None:
        if len(self.received) == MOST_RECEIVED:
            return
        try:
            topic = message.topic
        except UnicodeDecodeError:
            topic = "(no UTF-8)"
        self.received.append(Received(topic, bytes(message.payload[: MOST_BYTES + 1]), message.retain))

    # --- what is said --------------------------------------------------------------------------------------

    @property
    def _where(self) -> str:
        return f"{self._config.broker}:{self._config.at_port}"

    def _told(self, fault: BrokerFault, **values: Value) -> Statement:
        return Statement(fault, {"where": self._where, **values})

    def _broken(self) -> BrokerError | None:
        ended = self._ended
        return None if ended is None else BrokerError(ended.kind, **ended.values)

    def _refusal(self, code: ReasonCode) -> Statement:
        if code.value not in (_NOT_AUTHORIZED, _BAD_PASSWORD):
            return self._told(BrokerFault.REFUSES, why=str(code))
        if not self._config.user:
            return self._told(BrokerFault.NO_USER)
        return self._told(BrokerFault.WRONG_PASSWORD, user=self._config.user)

    def _said_of(self, error: OSError | ValueError) -> Statement:
        match error:
            case ssl.SSLCertVerificationError():
                return self._told(BrokerFault.UNTRUSTED, why=error.verify_message)
            case ssl.SSLError():
                return self._told(BrokerFault.NO_TLS, why=str(error.reason or error))
            case TimeoutError():
                return self._told(BrokerFault.SILENT)
            case socket.gaierror():
                return Statement(BrokerFault.UNKNOWN_NAME, {"broker": self._config.broker})
            case FileNotFoundError():
                return Statement(BrokerFault.NO_FILE, {"path": self._config.ca_file})
            case OSError():
                return self._told(BrokerFault.UNREACHABLE, why=str(error.strerror or error))
            case _:
                return self._told(BrokerFault.NOT_HAD, why=str(error))


class _Remembering(ssl.SSLContext):
    """Knows the socket it made: a handshake that fails leaves it open."""

    made: ssl.SSLSocket | None = None

    def wrap_socket(self, *arguments: Any, **named: Any) -> ssl.SSLSocket:  # Any: handed on as they are
        self.made = super().wrap_socket(*arguments, **named)
        return self.made


def _trusting(ca_file: str) -> _Remembering:
    """That authority, or those that the system trusts."""
    context = _Remembering(ssl.PROTOCOL_TLS_CLIENT)
    if ca_file:
        context.load_verify_locations(ca_file)
    else:
        context.load_default_certs()
    return context


def _heard(retained: int) -> SubscribeOptions:
    return SubscribeOptions(qos=0, retainAsPublished=True, retainHandling=retained)


def password_of(config: MqttConfig) -> str | None:
    """The first line of the password file. BrokerError says what is wrong with it."""
    if not config.password_file:
        return None
    path = Path(config.password_file)
    try:
        text = read_plain(path, LONGEST_PASSWORD).decode()
    except OSError as error:
        why = str(error.strerror)
        raise BrokerError(BrokerFault.PASSWORD_UNREADABLE, path=path, why=why) from None
    except UnicodeDecodeError:
        raise BrokerError(BrokerFault.PASSWORD_NO_TEXT, path=path) from None
    return text.partition("\n")[0].rstrip("\r")
