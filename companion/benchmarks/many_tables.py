"""Tables that speak MQTT at a table's own pace: a connection each, real messages, one thread for all."""

import heapq
import random
import select
import socket
import threading
import time
from collections import defaultdict
from dataclasses import dataclass

from companion.mqtt.payloads import (
    PlayerResult,
    PlayerState,
    ResultPayload,
    RolledDie,
    StatePayload,
    in_full,
    written,
)
from companion.view.values import Presence

NAMES = ("Anna", "Ben", "Cem", "Dora")
STEPS = ("roll", "first", "first", "first", "first", "second")  # of a turn; after each a state is published
STEP_SECONDS = 7.5  # a turn of four players takes three quarters of a minute
TURNS = 25
PING_SECONDS = 20
_STARTED = "2026-11-20T18:03:11.250+00:00"
_ENDED = "2026-11-20T18:52:40.113+00:00"
_LONGEST_READ = 4096


def _text(text: str) -> bytes:
    return len(text.encode()).to_bytes(2, "big") + text.encode()


def _packet(kind: int, body: bytes) -> bytes:
    length, rest = b"", len(body)
    while True:
        rest, digit = divmod(rest, 128)
        length += bytes([digit | (128 if rest else 0)])
        if not rest:
            return bytes([kind]) + length + body


class TableConnection:
    """MQTT 3.1.1 as far as a table needs it that only tells."""

    def __init__(self, port: int, box: str) -> None:
        self.box = box
        self._number = 0
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        will = _text(f"boxlid/{box}/available") + _text("offline")
        # a clean session, a retained last will of QoS 1, twice the pause of pings
        header = _text("MQTT") + bytes([4, 0x2E]) + (2 * PING_SECONDS).to_bytes(2, "big")
        self.socket.sendall(_packet(0x10, header + _text(f"table-{box}") + will))
        self.socket.recv(4)
        self.publish("available", b"online", retain=True)

    def publish(self, what: str, payload: bytes, *, retain: bool = False) -> None:
        """QoS 1; what comes back is read and dropped."""
        self._number = self._number % 65535 + 1
        body = _text(f"boxlid/{self.box}/{what}") + self._number.to_bytes(2, "big") + payload
        self.socket.sendall(_packet(0x32 | retain, body))

    def ping(self) -> None:
        self.socket.sendall(_packet(0xC0, b""))


@dataclass
class _Game:
    """Where a table is."""

    connection: TableConnection
    step: int
    game: int = 0


class ManyTables:
    """So many tables; when each state was published is remembered by its box and number."""

    def __init__(self, port: int, count: int, seed: int = 1) -> None:
        self._chance = random.Random(seed)
        self._stop = threading.Event()
        self._games = [
            _Game(TableConnection(port, f"table-{number:04}"), self._chance.randrange(len(STEPS) * TURNS))
            for number in range(count)
        ]
        self._sockets = select.poll()
        self._by_file = {game.connection.socket.fileno(): game.connection for game in self._games}
        for file in self._by_file:
            self._sockets.register(file, select.POLLIN)
        self.published: dict[tuple[str, int], float] = {}
        self.messages: dict[str, int] = defaultdict(int)
        self._thread = threading.Thread(target=self._work, daemon=True)

    def start(self) -> None:
        for game in self._games:
            self._tell(game)
        self._thread.start()

    def close(self) -> None:
        self._stop.set()
        self._thread.join()
        for game in self._games:
            game.connection.socket.close()

    def _work(self) -> None:
        now = time.monotonic()
        due = [(now + self._chance.random() * STEP_SECONDS, n) for n in range(len(self._games))]
        pings = [(now + self._chance.random() * PING_SECONDS, n) for n in range(len(self._games))]
        heapq.heapify(due)
        heapq.heapify(pings)
        while not self._stop.is_set():
            for file, _ in self._sockets.poll(max(0, 1000 * (due[0][0] - time.monotonic()))):
                self._by_file[file].socket.recv(_LONGEST_READ)
            while due[0][0] <= time.monotonic():
                at, number = heapq.heappop(due)
                self._games[number].step += 1
                self._tell(self._games[number])
                pace = STEP_SECONDS * self._chance.uniform(0.3, 1.7)
                heapq.heappush(due, (at + pace, number))
            while pings[0][0] <= time.monotonic():
                at, number = heapq.heappop(pings)
                self._games[number].connection.ping()
                heapq.heappush(pings, (at + PING_SECONDS, number))

    def _tell(self, game: _Game) -> None:
        """The next state, and what happened; after the last turn a result."""
        box, connection = game.connection.box, game.connection
        if game.step and game.step % (len(STEPS) * TURNS) == 0:
            game.game += 1
            connection.publish("result", result(box, f"{box}:{game.game}", self._chance.randrange(40, 99)))
            self.messages["result"] += 1
        self.published[box, game.step] = time.monotonic()
        connection.publish("state", state(box, game.step), retain=True)
        connection.publish("event", event(box, game.step))
        self.messages["state"] += 1
        self.messages["event"] += 1


def state(box: str, step: int) -> bytes:
    """The table after so many steps; `turn` counts them, so that a page tells which one it shows."""
    phase, active = STEPS[step % len(STEPS)], step // len(STEPS) % len(NAMES)
    players = tuple(
        PlayerState(
            seat,
            name,
            "circle",
            None,
            Presence.HERE,
            active=seat == active,
            deciding=seat > step % len(STEPS),
            score=(7 * step + 11 * seat) % 90,
            misthrows=0,
        )
        for seat, name in enumerate(NAMES)
    )
    colours = ("white", "white", "red", "yellow", "green", "blue")
    dice = tuple(RolledDie(colour, (step + place) % 6 + 1) for place, colour in enumerate(colours))
    found = StatePayload(
        run="run",
        sequence=step,
        phase=phase,
        players=players,
        camera="ready",
        game=f"{box}:1",
        started=_STARTED,
        edition="original",
        sheet="classic",
        turn=step,
        active=active,
        white_sum=dice[0].pips + dice[1].pips,
        dice=dice,
        deciding=tuple(player.seat for player in players if player.deciding),
        closed=("green",) if step % 100 > 70 else (),
    )
    return written(box, found)


def event(box: str, step: int) -> bytes:
    return in_full(
        box, id=f"{box}:{step}.1", at=_STARTED, game=f"{box}:1", kind="cross", seat=1, player="Ben", cell="R7"
    )


def result(box: str, game: str, points: int, revision: int = 1) -> bytes:
    players = tuple(
        PlayerResult(seat, name, None, points - 3 * seat, seat + 1, 0, (10, 15, 21, 6), 0, "R2 R3 R5 Y4 M0")
        for seat, name in enumerate(NAMES)
    )
    found = ResultPayload(
        id=game,
        revision=revision,
        status="final",
        at=_ENDED,
        started=_STARTED,
        ended=_ENDED,
        edition="original",
        sheet="classic",
        series=None,
        source="table",
        stopped=False,
        ended_by="locks",
        turns=TURNS,
        players=players,
    )
    return written(box, found)
