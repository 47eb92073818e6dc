"""An adversary in the house: everything that can be sent to every field, and taps beside hostile callers."""

import contextlib
import itertools
import logging
import socket
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from pathlib import Path

from companion.benchmarks.figure import Figure, at_most
from companion.benchmarks.screens import post
from companion.game import Rolled, Setup, Source
from companion.host import Host, Options
from companion.rules import Roll
from companion.settings.config import Config
from companion.table.seats import Mark, SeatTaken
from companion.table.snapshot import GameStarted
from companion.table.table import Command, Table
from tools.bench.hostile import CALLERS, hostile
from tools.bench.nasty import Request, requests
from tools.bench.web import NAMES, served
from web import create_app
from web.access.identity import PHONE_COOKIE, hash_of
from web.serving.server import Server, listen

TAPS = 200  # of all phones together: fewer each than a phone may send at once
ALLOWED = (HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.INSUFFICIENT_STORAGE)
PATIENCE_SECONDS = 60.0


# --- everything that can be sent -------------------------------------------------------------------------


@dataclass
class Sent:
    """What came back: how often each status, and a line for each fault of ours."""

    statuses: Counter[int] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


class _Log(logging.Handler):
    """Tracebacks are faults, whatever was answered."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__(logging.ERROR)
        self._faults = faults

    def emit(self, record: logging.LogRecord) -> None:
        self._faults.append(f"the log has: {record.getMessage()}")


def send_all(folder: Path, wanted: Iterable[Request]) -> Sent:
    """To a whole simulated companion, as a player in the middle of a game and owner of the table at once."""
    found = Sent()
    log = _Log(found.faults)
    logging.getLogger().addHandler(log)
    try:
        with Host(Config(), Options(folder, simulate=True, hurry=20)) as host:
            hurried = itertools.count(0.0, 100.0)  # so that neither pace nor wrong codes end the attack
            app = create_app(host.table, replace(host.services(), clock=lambda: next(hurried)))
            with Server(app, sock=listen("::", 0)) as server:
                for request in wanted:
                    _begin(host.table)
                    _judge(request, _status(server.port, request), found)
    finally:
        logging.getLogger().removeHandler(log)
    return found


def _begin(table: Table) -> None:
    """Requests end games and give seats up too: each finds a roll to decide about."""
    snapshot = table.snapshot
    held = [seat.holder for seat in snapshot.seats]
    if snapshot.game is None and hash_of(NAMES[0]) not in held and len(held) < len(Mark):
        free = next(mark for mark in Mark if mark not in [seat.mark for seat in snapshot.seats])
        with contextlib.suppress(ValueError):
            table.play(Command(SeatTaken(NAMES[0], free, hash_of(NAMES[0]))))
    snapshot = table.snapshot
    if snapshot.game is None and snapshot.seats:
        table.play(Command(GameStarted(Setup(tuple(seat.name for seat in snapshot.seats)))))
        table.play(Command(Rolled(Roll.parse("W3 W4 R2 Y5 G6 B1"), Source.HAND)))


def _judge(request: Request, status: int, found: Sent) -> None:
    found.statuses[status] += 1
    if status == 0 or (status >= HTTPStatus.INTERNAL_SERVER_ERROR and status not in ALLOWED):
        found.faults.append(
            f"{status or 'nothing'} for {request.method} {request.path[:80]} {(request.body or b'')[:120]!r}"
        )


def _status(port: int, request: Request) -> int:
    """Sent byte by byte as it is: no library of ours would."""
    usual = {
        "Host": f"127.0.0.1:{port}",
        "Origin": f"http://127.0.0.1:{port}",
        "Cookie": f"{PHONE_COOKIE}={NAMES[0]}",
    }
    body = request.body or b""
    given = {**usual, "Content-Length": str(len(body)), **request.headers}
    lines = [
        f"{request.method} {request.path} HTTP/1.1",
        *(f"{name}: {value}" for name, value in given.items()),
    ]
    with socket.create_connection(("127.0.0.1", port), PATIENCE_SECONDS) as link:
        link.sendall("\r\n".join([*lines, "", ""]).encode("latin-1") + body)
        answer = b""
        with contextlib.suppress(ConnectionError):
            while piece := link.recv(65536):
                answer += piece
    return int(answer[9:12]) if answer.startswith(b"HTTP/1.") else 0


# --- taps beside hostile callers -------------------------------------------------------------------------


def taps_beside(callers: int, taps: int) -> list[float]:
    """Milliseconds until taps of five seated phones are acknowledged, each in turn."""
    found = []
    with served() as port, hostile(port, callers):
        for tap in range(taps):
            seat = tap % len(NAMES)
            cell = ("R7", "Y7")[tap // len(NAMES) % 2]
            started = time.monotonic()
            post(port, {"do": "cross", "seat": seat, "cell": cell}, NAMES[seat])
            found.append(1000 * (time.monotonic() - started))
    return found


def figures() -> Iterator[Figure]:
    beside = statistics.quantiles(taps_beside(CALLERS, TAPS), n=20)[-1]
    yield at_most(f"taps of seated phones beside {CALLERS} hostile connections, p95", beside, 60, "ms")
    with tempfile.TemporaryDirectory(prefix="boxlid-bench-") as folder:
        found = send_all(Path(folder), requests())
    shares = ", ".join(f"{number} x {status}" for status, number in sorted(found.statuses.items()))
    yield at_most(
        f"faults at {found.statuses.total():,} requests that nobody's page sends ({shares})",
        len(found.faults),
        0,
        "",
    )
    for fault in found.faults[:10]:
        yield at_most(f"  {fault}", 1, 0, "")
