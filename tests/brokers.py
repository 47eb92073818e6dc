"""What tests have around a real mosquitto: listeners, and a proxy that cuts it off."""

import json
import select
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion

from companion.benchmarks.mosquitto import LOCALHOST, Mosquitto
from tests.waiting import PATIENCE, until


@contextmanager
def running(folder: Path, *lines: str, now: bool = True) -> Iterator[Mosquitto]:
    """It forgets everything when it ends. `now`: it is started already, not by the test."""
    broker = Mosquitto(folder, ("persistence false", *(lines or ("allow_anonymous true",))))
    try:
        if now:
            broker.start()
        yield broker
    finally:
        broker.stop()


@dataclass(frozen=True)
class Heard:
    """A message as a listener got it."""

    topic: str
    payload: bytes
    retained: bool

    @property
    def json(self) -> dict[str, Any]:  # Any: JSON
        value = json.loads(self.payload)
        assert isinstance(value, dict)
        return value


@dataclass
class Listener:
    """Somebody else at the broker: hears everything it may, and may say something."""

    port: int
    user: str = ""
    password: str = ""
    ca: Path | None = None
    topics: tuple[str, ...] = ("#",)
    heard: list[Heard] = field(default_factory=list)

    def __enter__(self) -> "Listener":
        self._ready = threading.Event()
        self._client = client = paho.Client(CallbackAPIVersion.VERSION2, protocol=paho.MQTTv5)
        if self.user:
            client.username_pw_set(self.user, self.password)
        if self.ca is not None:
            client.tls_set(str(self.ca))
        client.reconnect_delay_set(1, 1)
        client.on_connect = lambda client, *_: client.subscribe([(topic, 1) for topic in self.topics])
        client.on_subscribe = lambda *_: self._ready.set()
        client.on_message = lambda _c, _d, message: self.heard.append(
            Heard(message.topic, bytes(message.payload), message.retain)
        )
        client.connect(LOCALHOST, self.port)
        client.loop_start()
        assert self._ready.wait(PATIENCE)
        return self

    def __exit__(self, *_: object) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def say(self, topic: str, payload: bytes | str = b"", *, retain: bool = False) -> str:
        """Said and answered: the broker's word about it."""
        said: list[str] = []
        self._client.on_publish = lambda _c, _d, _n, code, _p: said.append(str(code))
        self._client.publish(topic, payload, qos=1, retain=retain)
        assert until(lambda: bool(said))
        return said[0]

    def on(self, topic: str) -> list[Heard]:
        return [each for each in list(self.heard) if each.topic == topic]

    def newest(self, topic: str) -> Heard | None:
        found = self.on(topic)
        return found[-1] if found else None


class Proxy:
    """Between a table and its broker: it may stop passing bytes without a word, or cut all connections."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._server = socket.create_server((LOCALHOST, 0))
        self.port = int(self._server.getsockname()[1])
        self._passes = threading.Event()
        self._passes.set()
        self._closing = threading.Event()
        self._pairs: list[tuple[socket.socket, socket.socket]] = []
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def __enter__(self) -> "Proxy":
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.set()
        self._thread.join(PATIENCE)
        self.cut()
        self._server.close()

    def silence(self) -> None:
        """From now on nothing passes; connections stand."""
        self._passes.clear()

    def cut(self) -> None:
        """Every connection ends."""
        for pair in self._pairs:
            for sock in pair:
                with suppress(OSError):
                    sock.shutdown(socket.SHUT_RDWR)
                sock.close()
        self._pairs = []

    def pass_on(self) -> None:
        self._passes.set()

    def _run(self) -> None:
        while not self._closing.is_set():
            socks = {one: other for pair in self._pairs for one, other in (pair, pair[::-1])}
            watched = [self._server, *(socks if self._passes.is_set() else ())]
            try:
                ready, _, _ = select.select(watched, [], [], 0.02)
            except (OSError, ValueError):  # cut meanwhile
                continue
            for sock in ready:
                self._accept() if sock is self._server else self._pass(sock, socks[sock])

    def _accept(self) -> None:
        ours, _ = self._server.accept()
        try:
            theirs = socket.create_connection((LOCALHOST, self._target), timeout=1)
        except OSError:
            ours.close()
            return
        self._pairs.append((ours, theirs))

    def _pass(self, one: socket.socket, other: socket.socket) -> None:
        try:
            data = one.recv(65536)
            other.sendall(data)
        except OSError:
            data = b""
        if not data:
            self._pairs = [pair for pair in self._pairs if one not in pair]
            one.close()
            other.close()
