"""Listens to the broker: tables go to the board, results to the store, acknowledged once they are kept."""

import json
import logging
import queue
import threading
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Protocol

from companion.club.board import Board
from companion.club.broker import Broker, Calls, client_of, connect, end_session
from companion.club.database import StoreError
from companion.club.messages import MessageError, read_message
from companion.club.values import Result
from companion.mqtt.topics import ask_topic

if TYPE_CHECKING:
    from paho.mqtt.client import Client

GROUP = "boxlid-club"  # club servers that share the results among them
MOST_AT_ONCE = 200  # results in one transaction
PAUSE_SECONDS = 1.0  # before the store is tried again
_log = logging.getLogger(__name__)


class Keeping(Protocol):
    """Where results are kept; StoreError if they cannot be now."""

    def keep(self, results: list[Result]) -> None: ...

    def ask_since(self) -> float:
        """The earliest moment whose results may be missing, in seconds since 1970."""
        ...


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A result that is not acknowledged: by which connection it came, and its number there."""

    result: Result
    connection: int
    number: int
    qos: int


@dataclass(frozen=True, slots=True)
class BrokerLink:
    """How the connection is."""

    connected: bool
    problem: str = ""


class Listener:
    """One connection to the broker, and a thread that keeps what comes of it."""

    def __init__(
        self,
        broker: Broker,
        prefix: str,
        identity: str,
        keeping: Keeping,
        board: Board,
    ) -> None:
        self._broker, self._prefix = broker, prefix
        self._keeping, self._board = keeping, board
        self._client = client_of(broker, identity, Calls(self._connected, self._lost, self._message))
        self._waiting: queue.SimpleQueue[_Waiting | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="club results", daemon=True)
        self._connection = 0  # how often it was made: numbers of messages are good within one
        self._stop = threading.Event()
        self.link = BrokerLink(connected=False)

    def start(self) -> None:
        self._thread.start()
        connect(self._client, self._broker)

    def close(self) -> None:
        """What is not kept yet stays with the broker, for the next start."""
        self._stop.set()
        self._client.disconnect()
        self._client.loop_stop()
        self._waiting.put(None)
        self._thread.join(timeout=PAUSE_SECONDS * 5)

    # --- by the client's thread ---------------------------------------------------------------------------

    def _connected(self, client: "Client", _session: bool) -> None:
        self._connection += 1
        self._set(BrokerLink(connected=True))
        _log.info("connected to the broker %s", self._broker.name)
        for topic, qos in topics(self._prefix):
            client.subscribe(topic, qos)
        self.ask()

    def ask(self) -> None:
        """Have the tables tell again what may be missing; those too that come back to the broker after us."""
        since = datetime.fromtimestamp(self._keeping.ask_since(), UTC).isoformat(timespec="seconds")
        text = json.dumps({"version": 1, "since": since}, separators=(",", ":"))
        self._client.publish(ask_topic(self._prefix), text, qos=1, retain=True)

    def _lost(self, why: str) -> None:
        if not self._stop.is_set() and (self.link.connected or self.link.problem != why):
            _log.warning("no connection to the broker %s: %s", self._broker.name, why)
        self._set(BrokerLink(connected=False, problem=why))

    def _set(self, link: BrokerLink) -> None:
        self.link = link
        self._board.nudge()  # pages say so

    def _message(self, topic: str, payload: bytes, number: int, qos: int) -> None:
        try:
            told = read_message(self._prefix, topic, payload)
        except MessageError as error:
            _log.warning("refused %s", error)
            told = None
        if isinstance(told, Result):
            self._waiting.put(_Waiting(told, self._connection, number, qos))
            return
        self._client.ack(number, qos)
        if told is not None:
            self._board.take(told)

    # --- by the thread that keeps --------------------------------------------------------------------------

    def _work(self) -> None:
        while (first := self._waiting.get()) is not None:
            batch = [first]
            while len(batch) < MOST_AT_ONCE and not self._waiting.empty():
                more = self._waiting.get()
                if more is None:
                    self._keep(batch)
                    return
                batch.append(more)
            self._keep(batch)

    def _keep(self, batch: list[_Waiting]) -> None:
        told = False
        while not self._stop.is_set():
            try:
                self._keeping.keep([waiting.result for waiting in batch])
            except StoreError as error:
                if not told:
                    _log.warning("%s; results wait at the broker", error)
                told = True
                self._stop.wait(PAUSE_SECONDS)
                continue
            for waiting in batch:
                # what an earlier connection brought comes again: another message may have its number now
                if waiting.connection == self._connection:
                    self._client.ack(waiting.number, waiting.qos)
            return


def topics(prefix: str) -> tuple[tuple[str, int], ...]:
    """What a club server subscribes to. Of states the newest is enough; results are shared among servers."""
    return (
        (results_topic(prefix), 1),
        (f"{prefix}/+/available", 0),
        (f"{prefix}/+/state", 0),
    )


def results_topic(prefix: str) -> str:
    return f"$share/{GROUP}/{prefix}/+/result"


class Inheritance:
    """What the broker still holds for a club server that died: taken, kept, and its session ended."""

    QUIET_SECONDS = 3.0
    MOST_SECONDS = 120.0

    def __init__(self, broker: Broker, prefix: str, identity: str, keeping: Keeping) -> None:
        self._broker, self._prefix, self._keeping = broker, prefix, keeping
        self._client = client_of(broker, identity, Calls(self._connected, self._lost, self._message))
        self._heard = time.monotonic()
        self._is_keeping = False  # a slow database is no quiet
        self._is_open = threading.Event()
        self._has_failed = False

    def take(self, stop: threading.Event) -> bool:
        """Whether all of it was taken; else the session is as it was."""
        connect(self._client, self._broker)
        end = time.monotonic() + self.MOST_SECONDS
        try:
            while not stop.wait(0.1) and time.monotonic() < end and not self._has_failed:
                if self._is_open.is_set() and self._is_quiet:
                    end_session(self._client)
                    return True
            return False
        finally:
            self._client.disconnect()
            self._client.loop_stop()

    @property
    def _is_quiet(self) -> bool:
        return not self._is_keeping and time.monotonic() - self._heard > self.QUIET_SECONDS

    def _connected(self, client: "Client", session: bool) -> None:
        client.unsubscribe(results_topic(self._prefix))  # what comes from now on is for those who live
        self._heard = time.monotonic() if session else 0.0
        self._is_open.set()

    def _lost(self, _why: str) -> None:
        self._has_failed = True

    def _message(self, topic: str, payload: bytes, number: int, qos: int) -> None:
        self._is_keeping = True
        try:
            self._take(topic, payload, number, qos)
        finally:
            self._heard = time.monotonic()
            self._is_keeping = False

    def _take(self, topic: str, payload: bytes, number: int, qos: int) -> None:
        try:
            told = read_message(self._prefix, topic, payload)
            if isinstance(told, Result):
                self._keeping.keep([told])
        except MessageError as error:
            _log.warning("refused %s", error)
        except StoreError as error:
            _log.warning("%s; what a server that died had is left at the broker", error)
            self._has_failed = True
            return
        self._client.ack(number, qos)
