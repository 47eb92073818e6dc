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


class BrokerError(Exception):
    """The broker cannot be had, or is gone: one line that says why."""


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
        self._ended = ""
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
            raise BrokerError(self._worded(error)) from None
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
            raise BrokerError(self._ended or f"{self._where} closed the connection")
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
        if self._ended:
            raise BrokerError(self._ended)
        if not self.is_up and now > self._deadline:
            raise BrokerError(f"{self._where} does not answer")
        if self._open and now - next(iter(self._open.values())) > self._answer_seconds:
            raise BrokerError(f"{self._where} acknowledges nothing any more")

    # --- what paho calls, within `step` ----------------------------------------------------------------

    def _connected(self, code: ReasonCode) -> None:
        if code.is_failure:
            self._ended = self._refusal(code)
        else:
            self.is_up = True

    def _disconnected(self, code: ReasonCode) -> None:
        gone = f"{self._where} is gone ({code})"
        if code.value == _TAKEN_OVER:
            gone = f"another table at {self._where} is called {self._config.name}; give one another name"
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

    # --- in words --------------------------------------------------------------------------------------

    @property
    def _where(self) -> str:
        return f"the broker {self._config.broker}:{self._config.at_port}"

    def _refusal(self, code: ReasonCode) -> str:
        if code.value in (_NOT_AUTHORIZED, _BAD_PASSWORD):
            who = f"{self._config.user} with this password" if self._config.user else "us without a user"
            return f"{self._where} does not let {who} in"
        return f"{self._where} refuses us ({code})"

    def _worded(self, error: OSError | ValueError) -> str:
        match error:
            case ssl.SSLCertVerificationError():
                return f"{self._where} has a certificate that is not trusted ({error.verify_message})"
            case ssl.SSLError():
                return f"{self._where} speaks no TLS that we understand ({error.reason or error})"
            case TimeoutError():
                return f"{self._where} does not answer"
            case socket.gaierror():
                return f"there is no {self._config.broker} in this network"
            case FileNotFoundError():
                return f"the file {self._config.ca_file} of the settings is not there"
            case OSError():
                return f"{self._where} cannot be reached ({error.strerror or error})"
            case _:
                return f"{self._where} cannot be had ({error})"


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
        raise BrokerError(f"the password file {path} cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise BrokerError(f"the password file {path} is no text") from None
    return text.partition("\n")[0].rstrip("\r")
