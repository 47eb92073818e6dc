"""From a photograph that has arrived to its answer: a whole companion and its server, over loopback."""

import http.client
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from companion.benchmarks.figure import Figure, at_most, plain
from companion.game import Setup, Stopped
from companion.host import Host, Options
from companion.settings.config import Config
from companion.table.seats import Mark, SeatTaken
from companion.table.snapshot import GameStarted
from companion.table.table import Command
from vision.scoring.sources import Drawn, simulated
from vision.scoring.views import HANDS, PHOTOGRAPH, as_sent
from web.access.guard import PHOTOGRAPH_KIND, PHOTOGRAPH_PATH
from web.access.identity import PHONE_COOKIE, hash_of
from web.serving.server import Server

NAMES, SECRET = ("Anna", "Ben"), "bench" * 8
PICTURES, WARM_UP = 24, 4
FIRST_SEED = 501


def figures() -> Iterator[Figure]:
    """Median and worst; what is uploaded goes over a cable of no length."""
    drawn = Drawn(mount=next(iter(HANDS.values())), size=PHOTOGRAPH)
    sent = [as_sent(shot.image) for shot in simulated(PICTURES, FIRST_SEED, drawn).shots]
    with tempfile.TemporaryDirectory(prefix="boxlid-bench-") as state:
        options = Options(Path(state), simulate=True)
        with Host(Config(), options) as host, Server(host.app, host="127.0.0.1") as server:
            for name, mark in zip(NAMES, Mark, strict=False):
                host.table.play(Command(SeatTaken(name, mark, hash_of(SECRET + name))))
            times = [_answered(host, server.port, content) for content in sent][WARM_UP:]
    yield plain("kilobytes of a photograph of 1,600 pixels", statistics.mean(map(len, sent)) / 1000, "kB")
    yield at_most("photograph of 1,600 pixels to its answer, median", statistics.median(times), 0.5, "s")
    yield at_most("photograph of 1,600 pixels to its answer, worst", max(times), 0.5, "s")


def _answered(host: Host, port: int, content: bytes) -> float:
    """Seconds, in a game of its own: whatever was read, the next one is wanted again."""
    game = host.table.snapshot.game
    if game is not None:
        host.table.play(Command(Stopped(game.active)))
    host.table.play(Command(GameStarted(Setup(NAMES))))
    headers = {
        "Content-Type": PHOTOGRAPH_KIND,
        "Origin": f"http://127.0.0.1:{port}",
        "Cookie": f"{PHONE_COOKIE}={SECRET}{NAMES[0]}",
    }
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    begin = time.perf_counter()
    link.request("POST", PHOTOGRAPH_PATH, content, headers)
    answer = link.getresponse()
    answer.read()
    took = time.perf_counter() - begin
    link.close()
    if answer.status != 200:
        raise RuntimeError(f"a photograph was answered with {answer.status}")
    return took
