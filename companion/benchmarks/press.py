"""From the press of the button to eight phones, stage by stage: dice at rest, pictures at hand, real streams.

The pictures come from the simulated table, as fast as a camera of 30 a second hands them over; waiting for a
camera's exposure is no part of it. The companion runs in a process of its own, like the phones' wish.
"""

import itertools
import multiprocessing
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

from companion.benchmarks.figure import Figure, at_most, plain
from companion.benchmarks.screens import Screen
from companion.game import Phase, Setup, Stopped
from companion.host.looking import Looker
from companion.host.seeing import READ_AHEAD
from companion.journal.journal import Journal
from companion.process.command_error import CallFault, CommandError
from companion.table.seats import Mark, SeatTaken
from companion.table.snapshot import GameStarted, Snapshot
from companion.table.table import Command, Table
from vision.cameras.camera import Frame
from vision.cameras.clock import StepClock
from vision.cameras.watch import WatchedCamera
from vision.image.arrays import Image
from vision.simulation.table import SimulatedTable
from web import Services, create_app
from web.access.identity import hash_of
from web.serving.server import Server

NAMES = ("Anna", "Ben", "Cem", "Dora", "Emil")
DISPLAYS = 3  # with five players: eight
PRESSES = 40
WARM_UP = 3
THROWS, NOISES = 12, 5  # pictures drawn beforehand: so many throws, each with so much of the sensor's noise
FRAME_SECONDS = 1 / 30
REST_SECONDS = 1.6  # from one throw to its press
# Dice that came to rest are read before anybody presses; without that, reading begins with the press.
AHEAD = {True: "dice at rest", False: "dice at rest, read after the press only"}
PATIENCE_SECONDS = 10.0
SEEN = b'"phase":"first"'
SHOWN = "view and streams of eight"


@dataclass(frozen=True, slots=True)
class Pressed:
    """One press: when, what each step took in milliseconds, and when the table showed the roll."""

    at: float
    stages: tuple[tuple[str, float], ...]
    shown: float
    certain: bool


class PicturesAtHand:
    """A camera whose pictures are drawn already."""

    name = "pictures at hand"

    def __init__(self, throws: list[list[Image]]) -> None:
        self._throws = throws
        self._which = 0
        self._numbers = itertools.count(1)
        self._last = 0.0

    def turn_to(self, throw: int) -> None:
        self._which = throw % len(self._throws)

    def open(self) -> None:
        """There is nothing to open."""

    def close(self) -> None:
        """Nor to close."""

    def frame(self, timeout: float = 3.0) -> Frame:  # noqa: ARG002 - it never takes long
        time.sleep(max(0.0, self._last + FRAME_SECONDS - time.monotonic()))
        self._last, number = time.monotonic(), next(self._numbers)
        return Frame(self._throws[self._which][number % NOISES], number, self._last)


def drawn_throws() -> list[list[Image]]:
    clock = StepClock()
    table = SimulatedTable(seed=4, clock=clock)
    throws = []
    for number in range(THROWS):
        table.throw()
        clock.wait(3.0)
        throws.append([table.picture(NOISES * number + noise) for noise in range(NOISES)])
    return throws


def figures() -> Iterator[Figure]:
    """Median and p95 from the press to the last of eight, then the median of each stage."""
    with companion() as pipe:
        screens = eight_screens(pipe)
        for ahead, when in AHEAD.items():
            totals, stages = measured(pipe, screens, ahead=ahead)
            yield at_most(f"press to eight phones, {when}, median", statistics.median(totals), 150, "ms")
            p95 = statistics.quantiles(totals, n=20)[-1]
            yield at_most(f"press to eight phones, {when}, p95", p95, 300, "ms")
            for name, found in stages.items():
                yield plain(f"  of that, {name}, median", statistics.median(found), "ms")


def eight_screens(pipe: Connection) -> list[Screen]:
    """Five phones and three displays of the companion at the other end, all of them looking."""
    port = int(pipe.recv())
    screens = [Screen(port, name) for name in (*NAMES, *[None] * DISPLAYS)]
    for each in screens:
        each.start()
        each.wait_for(0)
    return screens


@dataclass(frozen=True, slots=True)
class Seen:
    """A press that became a roll, and after how many milliseconds the last of the screens had it."""

    number: int
    milliseconds: float
    press: Pressed


def presses(pipe: Connection, screens: list[Screen], count: int, *, ahead: bool) -> Iterator[Seen]:
    """One after the other; those that went another path than this one are left out."""
    for number in range(count):
        pipe.send((number, ahead))
        press: Pressed = pipe.recv()
        was_ahead = any(name == READ_AHEAD for name, _ in press.stages)
        if number >= WARM_UP and press.certain and was_ahead is ahead:
            last = max(screen.wait_to_see(SEEN, press.at) for screen in screens)
            yield Seen(number, 1000 * (last - press.at), press)


def measured(
    pipe: Connection, screens: list[Screen], *, ahead: bool
) -> tuple[list[float], dict[str, list[float]]]:
    totals, stages = list[float](), defaultdict[str, list[float]](list)
    for seen in presses(pipe, screens, WARM_UP + PRESSES, ahead=ahead):
        totals.append(seen.milliseconds)
        for name, milliseconds in seen.press.stages:
            stages[name].append(milliseconds)
        stages[SHOWN].append(seen.milliseconds - 1000 * (seen.press.shown - seen.press.at))
    need_enough(totals)
    return totals, stages


def need_enough(totals: list[float]) -> None:
    if len(totals) < PRESSES // 4:
        raise CommandError(CallFault.BENCH_TOO_FEW, presses=PRESSES, got=len(totals))


# --- the companion, in a process of its own --------------------------------------------------------------


@contextmanager
def nothing_beside(_: Table, __: int) -> Iterator[None]:
    """The table and its pages alone."""
    yield


# what goes on beside the press of that number, in the companion's process
Beside = Callable[[Table, int], AbstractContextManager[None]]


@contextmanager
def companion(beside: Beside = nothing_beside) -> Iterator[Connection]:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_run, args=(theirs, beside), daemon=True)
    process.start()
    try:
        yield ours
    finally:
        ours.send(None)
        process.join(timeout=10)


def _run(pipe: Connection, beside: Beside) -> None:
    camera = PicturesAtHand(drawn_throws())
    with (
        tempfile.TemporaryDirectory(prefix="boxlid-bench-", dir=Path.cwd()) as folder,
        Journal(Path(folder)) as journal,
    ):
        table = Table(journal)
        for name, mark in zip(NAMES, Mark, strict=False):
            table.play(Command(SeatTaken(name, mark, hash_of(name))))
        table.play(Command(GameStarted(Setup(NAMES))))
        watched = WatchedCamera(lambda: camera)
        looker = Looker(table, watched)
        watched.open()
        looker.start()
        with Server(create_app(table, Services(code="AAAA", key=b"bench" * 7))) as server:
            pipe.send(server.port)
            while (wanted := pipe.recv()) is not None:
                number, ahead = wanted
                camera.turn_to(number)
                with beside(table, number):
                    time.sleep(REST_SECONDS)
                    if not ahead:
                        looker.seeing.forget()
                    pipe.send(_press(table, looker))
        looker.close()
        watched.close()


def _press(table: Table, looker: Looker) -> Pressed:
    """Press, wait for the roll, and begin another game for the next press."""
    before, last = table.snapshot, looker.last
    at = time.monotonic()
    if not looker.ask():
        raise CommandError(CallFault.BENCH_NO_PRESS)
    snapshot, shown = before, at
    while not _rolled(snapshot) and time.monotonic() < at + PATIENCE_SECONDS and not _asks(snapshot, before):
        snapshot = table.wait(snapshot.version, PATIENCE_SECONDS)
        shown = time.monotonic()
    while looker.is_busy or looker.last is last:
        table.wait(snapshot.version, 0.01)
    found = looker.stages
    rolled = _rolled(snapshot)
    if rolled and snapshot.game is not None:
        time.sleep(0.2)  # all have seen it
        table.play(Command(Stopped(snapshot.game.active)))
        table.play(Command(GameStarted(Setup(NAMES))))
    stages = tuple((stage.name, stage.milliseconds) for stage in found)
    return Pressed(at, stages, shown, certain=rolled)


def _rolled(snapshot: Snapshot) -> bool:
    return snapshot.game is not None and snapshot.game.phase is Phase.FIRST


def _asks(snapshot: Snapshot, before: Snapshot) -> bool:
    return snapshot.version > before.version and snapshot.eyes.state in ("ask", "trouble")
