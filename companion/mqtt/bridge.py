"""Between a table and its broker: the newest state first, then what the journal has to tell; commands in.

One thread calls `round` over and over; `show` may be called from any other, and waits for nothing.
"""

import logging
import math
import random
import threading
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from boxlid.errors import Statement
from companion.journal.journal import Journal
from companion.mqtt.bridge_state import BridgeState, BrokerFault
from companion.mqtt.connection import ANSWER_SECONDS, BrokerError, Connection, Received, Wake
from companion.mqtt.listening import Ask, MessageFault, RefusedError, understood
from companion.mqtt.outbox import Item, Outbox
from companion.mqtt.payloads import StatePayload, written
from companion.mqtt.results import id_of, time_of
from companion.mqtt.retained import Retained
from companion.mqtt.settings import MqttConfig
from companion.mqtt.showing import KnownGame, Stamp, state_of
from companion.mqtt.topics import OFFLINE, ONLINE, MqttCommand
from companion.mqtt.walk import first_of_series
from companion.table.snapshot import Snapshot
from companion.words import english

WINDOW = 20  # letters on their way at once
IDLE_SECONDS = 1.0
PHONES_FIRST_SECONDS = (
    0.03  # after news of the table: whoever sits there is shown it before the house is told
)
COMMAND_SECONDS = 0.3  # between two commands; a finger is no faster
SHORT_SECONDS = 10.0  # a connection that ends sooner is none to rely on
MOST_SHORT = 3
SAME_SECONDS = 60.0  # the same is logged once in that time
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RetryPace:
    """How soon a broker that is away is tried again: twice as long after each time, with some chance."""

    first: float = 1.0
    most: float = 30.0
    answer: float = ANSWER_SECONDS  # how long it may take to answer
    asked: float = 5.0  # between two answers to clubs
    held: float = 30.0  # until a result is tried again that it refused

    def seconds(self, tries: int) -> float:
        return min(self.most, self.first * 2.0 ** min(tries, 10)) * random.uniform(0.7, 1.3)


class Bridge:
    """Goes on by itself, whatever becomes of the broker; nothing of it is ever waited for."""

    def __init__(
        self,
        config: MqttConfig,
        journal: Journal,
        do: Callable[[MqttCommand], None],
        always: Mapping[str, bytes] | None = None,
        pace: RetryPace | None = None,
    ) -> None:
        """`do` carries a command out; `always` is retained beside what the table shows, by topic."""
        self._config, self._topics, self._journal, self._do = config, config.topics, journal, do
        self._pace = pace or RetryPace()
        self._outbox = Outbox(journal, self._topics)
        self._wake, self._stop, self._mutex = Wake(), threading.Event(), threading.Lock()
        self._news: tuple[Snapshot, Mapping[str, str]] | None = None
        self._state: StatePayload | None = None
        self._run, self._sequence = uuid.uuid4().hex, 0
        self._known: tuple[int, KnownGame] | None = None
        self._retained = Retained()
        self._retained.want(self._topics.available, ONLINE.encode())
        self._always = dict(always or {})
        self._connection: Connection | None = None
        self._is_greeted = False
        self._sent: dict[
            int, str | Item
        ] = {}  # what each number on its way is: a retained topic, or a letter
        self._tries, self._try_at = 0, 0.0
        self._greeted_at, self._short = 0.0, 0  # how many connections in a row were short
        self._held_until = 0.0
        self._commanded_at = self._asked_at = -math.inf
        self._asked_since = math.inf
        self._said: dict[str, float] = {}  # what was logged, and when
        self.state = BridgeState()

    @property
    def position(self) -> int:
        """The newest entry of the journal that is acknowledged, with all before it."""
        return self._outbox.position

    @property
    def on_their_way(self) -> int:
        """How many messages the broker has not answered."""
        return len(self._sent)

    def show(self, snapshot: Snapshot, lamps: Mapping[str, str]) -> None:
        """The newest the table shows, and its lamps by name; from any thread."""
        with self._mutex:
            self._news = (snapshot, lamps)
        self._wake()

    def round(self) -> None:
        """Do what there is to do, and wait for more, a second at most."""
        if self._connection is None:
            self._connect()
            return
        try:
            self._serve(self._connection)
        except BrokerError as error:
            self._lost(error.statement)
        self.state = replace(self.state, waiting=self._outbox.waiting)

    def stop(self) -> None:
        """End the wait of the round under way; from any thread."""
        self._stop.set()
        self._wake()

    def close(self, patience: float = 1.0) -> None:
        """Say that the table is offline, and goodbye; in the thread of the rounds, after the last one."""
        self._outbox.save()
        connection, self._connection = self._connection, None
        if connection is not None and self._is_greeted:
            try:
                number = connection.publish(self._topics.available, OFFLINE.encode(), retain=True)
                until = time.monotonic() + patience
                while time.monotonic() < until and not _is_answered(connection, number):
                    connection.step(0.1, self._wake)
                connection.close()
            except BrokerError as error:
                _log.info("the broker was gone before it was said goodbye: %s", english(error))
        self._wake.close()

    # --- the connection --------------------------------------------------------------------------------

    def _connect(self) -> None:
        wait = self._try_at - time.monotonic()
        if wait > 0:
            self._stop.wait(min(wait, IDLE_SECONDS))
            return
        connection = Connection(self._config, f"{self._topics.prefix}/{self._topics.box}", self._pace.answer)
        try:
            connection.open(will=self._topics.available)
        except BrokerError as error:
            self._lost(error.statement)
            return
        self._connection = connection

    def _lost(self, why: Statement) -> None:
        now = time.monotonic()
        if self._is_greeted:
            self._short = self._short + 1 if now - self._greeted_at < SHORT_SECONDS else 0
            self._tries = self._short
        if self._short >= MOST_SHORT and why.kind is BrokerFault.GONE:
            why = Statement(BrokerFault.GONE_SAME_NAME, {**why.values, "box": self._topics.box})
        if self._connection is not None:
            self._connection.drop()
        self._connection, self._is_greeted = None, False
        self._sent.clear()
        self._try_at = now + self._pace.seconds(self._tries)
        self._tries += 1
        self._say(english(why))
        self.state = replace(self.state, is_up=False, trouble=why)

    def _greet(self, connection: Connection) -> None:
        """The broker has let us in: everything is said anew."""
        self._is_greeted, self._greeted_at = True, time.monotonic()
        connection.listen([*map(self._topics.command, self._config.commands)], self._topics.ask)
        self._retained.forget()
        self._outbox.rewind()
        self._held_until = 0.0
        _log.info("MQTT: connected to %s as %s", self._config.broker, self._topics.box)
        self.state = replace(self.state, is_up=True, trouble=None)

    def _serve(self, connection: Connection) -> None:
        connection.step(IDLE_SECONDS, self._wake)
        if not connection.is_up:
            return
        if not self._is_greeted:
            self._greet(connection)
        while connection.acknowledged:
            answer = connection.acknowledged.popleft()
            self._answered(self._sent.pop(answer.number, None), answer.refused)
        while connection.received:
            self._take_in(connection.received.popleft())
        self._answer_clubs()
        self._take_news()
        self._send(connection)

    # --- out -------------------------------------------------------------------------------------------

    def _take_news(self) -> None:
        """Put what the table shows where it will be sent from."""
        if self._news is not None:
            self._stop.wait(PHONES_FIRST_SECONDS)
        with self._mutex:
            news, self._news = self._news, None
        if news is None:
            return
        snapshot, lamps = news
        stamp = Stamp(self._run, self._sequence)
        state = state_of(snapshot, stamp, self._known_of(snapshot))
        if state != self._state:
            self._sequence += 1
            self._state = replace(state, sequence=self._sequence)
            self._retained.want(self._topics.state, written(self._topics.box, self._state))
        for name, light in lamps.items():
            self._retained.want(self._topics.lamp(name), light.encode())
        for topic, payload in self._always.items():
            self._retained.want(topic, payload)

    def _known_of(self, snapshot: Snapshot) -> KnownGame | None:
        if snapshot.game_id is None:
            return None
        if self._known is None or self._known[0] != snapshot.game_id:
            start = self._journal.entry(snapshot.game_id)
            if start is None:
                return None
            first = first_of_series(self._journal, start)
            self._known = (snapshot.game_id, KnownGame(id_of(start), time_of(start), id_of(first)))
        return self._known[1]

    def _send(self, connection: Connection) -> None:
        for topic, payload in list(self._retained.due()):
            self._sent[connection.publish(topic, payload, retain=True)] = topic
            self._retained.given(topic, payload)
        if time.monotonic() < self._held_until:
            return
        letters = sum(isinstance(each, Item) for each in self._sent.values())
        while letters < WINDOW and (item := self._outbox.next()) is not None:
            self._sent[connection.publish(item.letter.topic, item.letter.payload)] = item
            letters += 1

    def _answered(self, what: str | Item | None, refused: str) -> None:
        if refused and what is not None:
            topic = what if isinstance(what, str) else what.letter.topic
            values = {"user": self._config.user or "us", "topic": topic, "why": refused}
            self._trouble(Statement(BrokerFault.NO_PUBLISHING, values))
        if isinstance(what, str):
            self._retained.answered(what)
        elif what is not None and refused and what.letter.is_result:
            self._hold()
        elif what is not None:
            self._outbox.acknowledged(what)

    def _hold(self) -> None:
        """A result that is refused is kept, and tried again later with all that follows."""
        self._held_until = time.monotonic() + self._pace.held
        self._sent = {number: what for number, what in self._sent.items() if isinstance(what, str)}
        self._outbox.rewind()

    def _trouble(self, why: Statement) -> None:
        self._say(english(why))
        self.state = replace(self.state, trouble=why)

    def _say(self, why: str) -> None:
        """In the log, the same once in a while only."""
        now = time.monotonic()
        self._said = {text: at for text, at in self._said.items() if now - at < SAME_SECONDS}
        if why not in self._said and len(self._said) < WINDOW:
            _log.warning("MQTT: %s", why)
            self._said[why] = now

    # --- in --------------------------------------------------------------------------------------------

    def _take_in(self, received: Received) -> None:
        try:
            match understood(self._config, received):
                case Ask(since):
                    self._asked_since = min(since, self._asked_since)
                case command:
                    self._need_a_pause()
                    self._do(command)
        except RefusedError as error:
            self._refuse(error.statement)

    def _need_a_pause(self) -> None:
        now = time.monotonic()
        if now - self._commanded_at < COMMAND_SECONDS:
            raise RefusedError(MessageFault.TOO_SOON, seconds=COMMAND_SECONDS)
        self._commanded_at = now

    def _answer_clubs(self) -> None:
        """Several questions are one; a flood of them is as slow as one."""
        if self._asked_since < math.inf and time.monotonic() - self._asked_at > self._pace.asked:
            self._outbox.ask(self._asked_since)
            self._asked_at, self._asked_since = time.monotonic(), math.inf

    def _refuse(self, why: Statement) -> None:
        self._say(f"refused: {english(why)}")
        self.state = replace(self.state, refused=self.state.refused + 1, refusal=why)


def _is_answered(connection: Connection, number: int) -> bool:
    return any(answer.number == number for answer in connection.acknowledged)
