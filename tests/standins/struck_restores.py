"""Kills a restore at each of its steps, and the start after it.

A program of its own, because it forks, strike.c preloaded: python -m tests.standins.struck_restores FOLDER
"""

import contextlib
import ctypes
import json
import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path

from companion.journal.files import FILE, WAL
from companion.journal.journal import Journal, JournalDamagedError
from companion.journal.restoring import go_on_as_is, restore, start_empty
from tests.journals import copied, fill, flipped, lines, lose_log

MOST_STEPS = 400


@dataclass(frozen=True)
class Case:
    """A folder to restore, how, and what is in the journal then."""

    folder: Path
    do: Callable[[Path], object]
    lines: int
    stays: bool = False  # the journal is the one it was


@dataclass
class Outcome:
    """What came of striking one case at every step."""

    kills: int = 0
    stood_before: int = 0  # the next start found the old files, as they were
    stood_after: int = 0  # it found the new journal, and the old files set aside
    faults: list[str] = field(default_factory=list)


def cases(place: Path) -> dict[str, Case]:
    return {
        "an older backup": _older(place / "older"),
        "what can be read": _readable(place / "readable"),
        "an empty journal": _empty(place / "empty"),
        "as it is": _as_is(place / "as-is"),
    }


def _older(folder: Path) -> Case:
    with Journal(folder) as journal:
        fill(journal, 10)
        older = journal.backup().relative_to(folder)
        fill(journal, 10, seed=2)
        journal.backup()
    (folder / FILE).write_bytes(b"nothing of it left")
    return Case(folder, lambda state: restore(state, state / older), 10)


def _readable(folder: Path) -> Case:
    made = copied(folder.with_name("made"), 40)
    made.put(folder, log=flipped(made.log, made.log_sizes[29] + 100))
    return Case(folder, restore, 40)


def _empty(folder: Path) -> Case:
    with Journal(folder) as journal:
        fill(journal, 20)
        journal.backup()
    (folder / FILE).write_bytes(b"nothing of it left")
    return Case(folder, start_empty, 0)


def _as_is(folder: Path) -> Case:
    return Case(folder, go_on_as_is, lose_log(folder), stays=True)


def strike(case: Case, state: Path) -> Outcome:
    """At every step of it, until one is past the last; every start after it is struck once as well."""
    outcome = Outcome()
    before = _files(case.folder)
    for step in range(1, MOST_STEPS):
        shutil.rmtree(state, ignore_errors=True)
        shutil.copytree(case.folder, state)
        if not _struck(step, lambda: case.do(state)):
            _judge(case, state, before, outcome, f"after all {step - 1} steps")
            return outcome
        outcome.kills += 1
        outcome.kills += _struck(1 + step % 9, lambda: Journal(state).close())
        _judge(case, state, before, outcome, f"struck at step {step}")
    outcome.faults.append(f"{MOST_STEPS} steps and no end")
    return outcome


def _struck(step: int, do: Callable[[], object]) -> bool:
    """Whether the strike came before the end."""
    child = os.fork()
    if child == 0:
        ctypes.CDLL(None).strike_at(step)
        try:
            with contextlib.suppress(JournalDamagedError):  # so the start says
                do()
            os._exit(0)
        finally:
            os._exit(3)
    _, status = os.waitpid(child, 0)
    if os.WIFEXITED(status) and os.WEXITSTATUS(status):
        raise SystemExit("a restore failed by itself")
    return os.WIFSIGNALED(status)


def _judge(case: Case, state: Path, before: dict[str, bytes], outcome: Outcome, when: str) -> None:
    """Either the old files stand as they were, and the start says so, or the new journal does, whole."""
    try:
        found = len(lines(state))
    except JournalDamagedError:
        now = _files(state)
        if changed := [name for name, data in before.items() if now.get(name) != data]:
            outcome.faults.append(f"{when}: {changed} are not as they were")
        outcome.stood_before += 1
        return
    if found != case.lines:
        outcome.faults.append(f"{when}: {found} entries, wanted {case.lines}")
    kept = set(_files(state).values())
    wanted = {name: data for name, data in before.items() if not (case.stays and name == FILE)}
    if lost := [name for name, data in wanted.items() if data not in kept]:
        outcome.faults.append(f"{when}: {lost} are kept nowhere")
    outcome.stood_after += 1


def _files(folder: Path) -> dict[str, bytes]:
    """Databases and logs by where they lie."""
    found = [path for ending in ("*.db", f"*{WAL}") for path in folder.rglob(ending)]
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def main(folder: Path) -> None:
    found = {name: asdict(strike(case, folder / "state")) for name, case in cases(folder).items()}
    sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
