"""The journal's and the table's figures: speed on this disk, kills, threads."""

import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.benchmarks.figure import Figure, at_least, at_most
from companion.benchmarks.hammer import hammer
from companion.benchmarks.wishes import wish
from companion.journal.journal import Journal
from companion.past.games import PastGames
from companion.rules import RuleError
from companion.table.table import Command, Table

EVENTS = 1000
KILLS, COPIES, SEED = 1000, 1000, 7
GONE = "--without-lock"
THREADS, HAMMER_SECONDS = 16, 20.0


@contextmanager
def _folder() -> Iterator[Path]:
    """A folder on a real disk: the system's folder for temporary files may be memory."""
    with tempfile.TemporaryDirectory(prefix="boxlid-bench-", dir=Path.cwd()) as folder:
        yield Path(folder)


def _play(table: Table, events: int, measure: Callable[[float], None]) -> None:
    rng, kept = random.Random(1), 0
    while kept < events:
        command = Command(wish(table.snapshot, rng), f"command-{kept}")
        begin = time.perf_counter()
        try:
            table.play(command)
        except RuleError:
            continue
        measure(time.perf_counter() - begin)
        kept += 1


def play_with_fsync() -> Figure:
    """One event through the table, on disk."""
    seconds: list[float] = []
    with _folder() as folder, Journal(folder) as journal:
        _play(Table(journal), EVENTS, seconds.append)
    return at_most("Table.play with the fsync, median", statistics.median(seconds) * 1000, 5, "ms")


def replay_of_journal() -> Figure:
    """Opening a journal of 1,000 events, its table, and every game in it played again."""
    with _folder() as folder:
        with Journal(folder) as journal:
            _play(Table(journal), EVENTS, lambda _: None)
        runs = []
        for _ in range(5):
            begin = time.perf_counter()
            with Journal(folder) as journal:
                Table(journal)
                list(PastGames(journal).all())
                runs.append(time.perf_counter() - begin)
    return at_most(f"replay of a journal of {EVENTS:,} events", statistics.median(runs) * 1000, 150, "ms")


def kills() -> Iterator[Figure]:
    """How many of the kills lost nothing, while the lock's note stays and while it is always gone."""
    options = ["--kills", str(KILLS), "--seed", str(SEED)]
    yield _held("kills that lost nothing", "kills", options, KILLS)
    yield _held("kills that lost nothing", "kills", [*options, GONE], KILLS)


def damages() -> Iterator[Figure]:
    """How many damaged copies were whole, or told, and gone on from what was left, over a kill on the way."""
    options = ["--copies", str(COPIES), "--seed", str(SEED)]
    yield _held("damaged copies, none lost or silent", "damages", options, COPIES)
    yield _held("damaged copies, none lost or silent", "damages", [*options, GONE], COPIES)


def _held(name: str, program: str, options: list[str], wanted: int) -> Figure:
    """A process of its own, because it forks."""
    with _folder() as folder:
        command = [sys.executable, "-m", f"companion.benchmarks.{program}", str(folder), *options]
        done = subprocess.run(command, stdout=subprocess.DEVNULL, check=False)  # its words are for its test
    with_lock = "without journal.lock" if GONE in options else "with journal.lock"
    held = wanted if done.returncode == 0 else 0
    return at_least(f"{name}, {with_lock} (seed {SEED})", held, wanted, options[0].strip("-"))


def many_threads() -> Figure:
    """Commands that 16 threads got through one table in 20 s; none if anything was lost on the way."""
    with _folder() as folder:
        result = hammer(folder, THREADS, HAMMER_SECONDS)
    value = result.played if result.holds else 0
    return at_least(
        f"commands of {THREADS} threads in {HAMMER_SECONDS:.0f} s, none lost", value, 1, "commands"
    )


def figures() -> Iterator[Figure]:
    yield play_with_fsync()
    yield replay_of_journal()
    yield from kills()
    yield from damages()
    yield many_threads()
