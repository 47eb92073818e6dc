"""Damages copies of a journal at random: what is missing must be told, what a file holds be gone on from.

A program of its own, because it forks: python -m companion.benchmarks.damages FOLDER [--copies N] [--seed N]
[--without-lock]
"""

import argparse
import json
import logging
import os
import random
import shutil
import signal
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from companion.journal.files import FILE, WAL, backups
from companion.journal.journal import Journal, JournalDamagedError, JournalError
from companion.journal.lock import LOCK
from companion.journal.restoring import WayKind, restore, ways

LONGEST_RESTORE = 0.03  # seconds until it is killed
BLOCK = 512
Damage = Callable[[bytes, random.Random], bytes | None]


@dataclass
class Damages:
    """What came of it."""

    seed: int
    copies: int = 0
    whole: int = 0  # everything was there all the same
    told: int = 0  # refused at the start, or in doubt until somebody decides
    struck: int = 0  # restores that were killed on the way
    silent: list[str] = field(default_factory=list)  # came up shorter, or other, without a word
    lost: list[str] = field(default_factory=list)  # a sound backup held it, or the start did before
    seconds: float = 0.0

    @property
    def holds(self) -> bool:
        return not self.silent and not self.lost and self.told > 0 and self.whole + self.told == self.copies


@dataclass(frozen=True, slots=True)
class Made:
    """A state folder as it was at some moment, and the hashes of all that had been acknowledged."""

    folder: Path
    chains: tuple[str, ...]


# --- what is damaged -------------------------------------------------------------------------------------


def made_ones(place: Path) -> list[Made]:
    """In use or at rest, with backups and without."""
    return [
        _made(place / f"{backed_up}-{in_use}", backed_up, in_use=in_use)
        for backed_up in ((), (40,), (40, 90), (100,))
        for in_use in (False, True)
    ]


def _made(place: Path, backed_up: Sequence[int], *, in_use: bool) -> Made:
    rng, live = random.Random(len(backed_up)), place / "live"
    with Journal(live) as journal:
        _fill(journal, 60, backed_up, rng)
    with Journal(live) as journal:
        _fill(journal, 40, backed_up, rng)
        chains = tuple(entry.chain for entry in journal.entries())
        if in_use:
            shutil.copytree(live, place / "copy")
    if not in_use:
        shutil.copytree(live, place / "copy")
    return Made(place / "copy", chains)


def _fill(journal: Journal, entries: int, backed_up: Sequence[int], rng: random.Random) -> None:
    for _ in range(entries):
        entry = journal.append("x" * rng.randint(5, 300), command=f"{rng.random()}")
        if entry.id in backed_up:
            journal.backup()


def _flipped(data: bytes, rng: random.Random) -> bytes:
    found = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 5, 50))):
        found[rng.randrange(len(found))] ^= 1 << rng.randrange(8)
    return bytes(found)


def _blank(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(0, len(data), BLOCK)
    return data[:at] + bytes(len(data[at : at + BLOCK])) + data[at + BLOCK :]


DAMAGES: tuple[Damage, ...] = (
    lambda _, __: None,  # deleted
    lambda _, __: b"",
    lambda data, rng: data[: rng.randrange(len(data))],
    lambda data, rng: data[: rng.randrange(0, len(data), BLOCK)],
    lambda data, rng: data + rng.randbytes(rng.randrange(1, 5000)),
    lambda data, rng: rng.randbytes(len(data)),
    _flipped,
    _flipped,
    _blank,
)


def _damage(folder: Path, rng: random.Random) -> str:
    """One file of it, or several; returns which."""
    files = [folder / name for name in (FILE, WAL, LOCK)] + backups(folder)
    files = [path for path in files if path.exists() and path.stat().st_size]
    hit = rng.sample(files, min(len(files), rng.choice((1, 1, 1, 2, 2, 3))))
    for path in hit:
        data = rng.choice(DAMAGES)(path.read_bytes(), rng)
        if data is None:
            path.unlink()
        else:
            path.write_bytes(data)
    return ", ".join(path.name for path in hit)


def _is_empty(folder: Path) -> bool:
    """Nothing of it is left: this is a first start, and nothing could tell otherwise."""
    files = [folder / name for name in (FILE, WAL, LOCK)]
    return not backups(folder) and not any(path.exists() and path.stat().st_size for path in files)


# --- what comes of it ------------------------------------------------------------------------------------


def damage_again_and_again(place: Path, copies: int, seed: int, *, without_lock: bool) -> Damages:
    rng, result, began = random.Random(seed), Damages(seed), time.monotonic()
    templates = made_ones(place / "made")
    while result.copies < copies:
        made, folder = rng.choice(templates), place / "copy"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(made.folder, folder)
        if without_lock:
            (folder / LOCK).unlink()
        name = f"copy {result.copies} of {made.folder.parent.name}: {_damage(folder, rng)}"
        if not _is_empty(folder):
            result.copies += 1
            _judge(made, folder, name, result, rng)
    result.seconds = time.monotonic() - began
    return result


def _judge(made: Made, folder: Path, name: str, result: Damages, rng: random.Random) -> None:
    try:
        with Journal(folder) as journal:
            found, in_doubt = _chains(journal), journal.doubt is not None
    except JournalDamagedError:
        result.told += 1
        _go_on(made, folder, name, result, rng)
        return
    if found != made.chains[: len(found)] or (len(found) < len(made.chains) and not in_doubt):
        result.silent.append(f"{name}: {len(found)} of {len(made.chains)}")
    result.told += in_doubt
    result.whole += not in_doubt


def _go_on(made: Made, folder: Path, name: str, result: Damages, rng: random.Random) -> None:
    """As whoever finds the rescue page does, with a power cut on the way."""
    offered = [way for way in ways(folder) if way.sound and way.kind is not WayKind.EMPTY]
    if not offered:
        return
    result.struck += _killed(lambda: restore(folder), rng.uniform(0, LONGEST_RESTORE))
    try:
        try:
            found = _opened(folder)
        except JournalDamagedError:
            restore(folder)
            found = _opened(folder)
    except JournalError as error:
        result.lost.append(f"{name}: {error}")
        return
    if found != made.chains[: len(found)] or len(found) < offered[0].entries:
        result.lost.append(f"{name}: {len(found)} of {offered[0].entries}")


def _opened(folder: Path) -> tuple[str, ...]:
    with Journal(folder) as journal:
        return _chains(journal)


def _chains(journal: Journal) -> tuple[str, ...]:
    return tuple(entry.chain for entry in journal.entries())


def _killed(do: Callable[[], object], after: float) -> bool:
    child = os.fork()
    if child == 0:
        try:
            do()
            os._exit(0)
        finally:
            os._exit(1)
    time.sleep(after)
    os.kill(child, signal.SIGKILL)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Damage copies of a journal again and again.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--copies", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--without-lock", action="store_true", help=f"and {LOCK} is gone each time")
    options = parser.parse_args(arguments)
    place = options.folder / "damaged"
    logging.disable(logging.WARNING)  # what may be missing is told each time
    result = damage_again_and_again(place, options.copies, options.seed, without_lock=options.without_lock)
    sys.stdout.write(json.dumps(asdict(result)) + "\n")
    return 0 if result.holds else 1


if __name__ == "__main__":
    sys.exit(main())
