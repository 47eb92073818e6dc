"""Kills a playing companion again and again: all it acknowledged must be there, and no game refuse to open.

A program of its own, because it forks: python -m companion.benchmarks.kills FOLDER [--kills N] [--seed N]
[--without-lock]
"""

import argparse
import json
import logging
import os
import random
import select
import shutil
import signal
import sys
import time
import traceback
from dataclasses import asdict, dataclass
from pathlib import Path

from companion.benchmarks.wishes import wish
from companion.journal.journal import Journal, JournalError
from companion.journal.lock import LOCK
from companion.rules import RuleError
from companion.table.snapshot import GameDeleted
from companion.table.table import Command, Table

KILLS_PER_FOLDER = 20
LONGEST_LIFE = 0.05  # seconds


@dataclass(frozen=True, slots=True)
class Kills:
    """What came of it."""

    seed: int
    kills: int
    acknowledged: int
    lost: int
    refused: tuple[str, ...]  # journals that did not open again, in words
    in_opening: int  # killed before the first word
    seconds: float

    @property
    def holds(self) -> bool:
        return not self.lost and not self.refused and self.acknowledged > self.kills


def kill_again_and_again(folder: Path, kills: int, seed: int, *, without_lock: bool = False) -> Kills:
    rng = random.Random(seed)
    began = time.monotonic()
    acknowledged: list[str] = []
    total = lost = in_opening = 0
    refused: list[str] = []
    for number in range(kills):
        if number % KILLS_PER_FOLDER == 0:
            shutil.rmtree(folder, ignore_errors=True)
            acknowledged = []
        words = _one_life(folder, rng)
        if without_lock:
            (folder / LOCK).unlink(missing_ok=True)
        refused += [f"kill {number}: {word}" for word in words if word.startswith("!")]
        in_opening += not words
        words = [word for word in words if not word.startswith("!")]
        acknowledged += words
        total += len(words)
        try:
            kept = _kept(folder, in_doubt=without_lock)
        except JournalError as error:
            refused.append(f"kill {number}: {error}")
            continue
        lost += sum(word not in kept for word in acknowledged)
    return Kills(seed, kills, total, lost, tuple(refused), in_opening, time.monotonic() - began)


def _kept(folder: Path, *, in_doubt: bool) -> frozenset[str]:
    """All that a companion started anew finds; its table follows from it, and a kill leaves no doubt."""
    with Journal(folder) as journal:
        if journal.doubt is not None and not in_doubt:
            raise JournalError(f"in doubt after a kill: {journal.doubt}")
        Table(journal)
        entries = journal.entries()
        gone = {entry.deletes for entry in entries}
        if gone & set(journal.games()):
            raise JournalError(f"deleted games came back: {gone & set(journal.games())}")
        return frozenset(f"{entry.id} {entry.chain}" for entry in entries)


def _one_life(folder: Path, rng: random.Random) -> list[str]:
    """Start a companion, kill it at some moment; returns the entries that it acknowledged."""
    seed, words = rng.random(), rng.choice([0, 0, rng.randint(1, 40)])
    ears, mouth = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(ears)
        _live(folder, seed, mouth)
    os.close(mouth)
    heard = _listen(ears, time.monotonic() + rng.uniform(0, LONGEST_LIFE), words)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    while more := os.read(ears, 65536):  # what it said before it died counts too
        heard += more
    os.close(ears)
    died_before = [] if os.WIFSIGNALED(status) else ["!it ended by itself"]
    return heard.decode().splitlines() + died_before


def _listen(ears: int, until: float, words: int) -> bytes:
    """Until a moment, or if `words` is given, until that many acknowledgements."""
    heard = b""
    while heard.count(b"\n") < words if words else time.monotonic() < until:
        wait = 10.0 if words else max(0.0, until - time.monotonic())
        if not select.select([ears], [], [], wait)[0]:
            break
        heard += (more := os.read(ears, 65536))
        if not more:
            break
    return heard


def _live(folder: Path, seed: float, mouth: int) -> None:
    """Play until killed, and say each entry only when play() has returned."""
    rng = random.Random(seed)
    try:
        journal = Journal(folder)
        table = Table(journal)
        while True:
            try:
                table.play(Command(_deletion(journal, rng) or wish(table.snapshot, rng)))
            except RuleError:  # a correction that cannot be: nothing is kept
                continue
            (entry,) = journal.entries(after=journal.next_id - 2)
            os.write(mouth, f"{entry.id} {entry.chain}\n".encode())
            if rng.random() < 0.02:
                journal.backup()
    except JournalError as error:
        os.write(mouth, f"!{error}\n".encode())
    finally:
        if sys.exc_info()[1] is not None:
            traceback.print_exc()
        os._exit(1)


def _deletion(journal: Journal, rng: random.Random) -> GameDeleted | None:
    """Now and then a game of the past goes; one on the table is refused."""
    games = list(journal.games())
    return GameDeleted(rng.choice(games)) if games and rng.random() < 0.02 else None


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Kill a playing companion again and again.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--without-lock", action="store_true", help=f"and {LOCK} is gone after each")
    options = parser.parse_args(arguments)
    logging.disable(logging.WARNING)  # what may be missing is told each time
    result = kill_again_and_again(
        options.folder / "killed", options.kills, options.seed, without_lock=options.without_lock
    )
    sys.stdout.write(json.dumps(asdict(result)) + "\n")
    return 0 if result.holds else 1


if __name__ == "__main__":
    sys.exit(main())
