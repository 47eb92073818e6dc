"""Many threads at one table: no update lost, no deadlock, versions strictly rising, a replay equals it."""

import itertools
import random
import threading
import time
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

from companion.benchmarks.wishes import wish
from companion.journal.journal import Journal
from companion.rules import RuleError
from companion.table.eyes import Eyes, EyesState
from companion.table.snapshot import Snapshot
from companion.table.table import Command, Table, replay

PATIENCE = 30.0  # seconds to wait for a thread that has been told to stop
WATCHERS = 2


@dataclass(frozen=True, slots=True)
class Hammered:
    """What came of it."""

    played: int
    refused: int
    lost: int  # accepted and not kept, or kept twice, or refused and kept
    stuck: int  # threads that did not come back
    watched: int  # snapshots that watchers saw
    strictly_rising: bool
    replay_equals_live: bool

    @property
    def holds(self) -> bool:
        sound = self.strictly_rising and self.replay_equals_live and not self.lost and not self.stuck
        return sound and self.played > 0 and self.watched > 0


class _Hand:
    """One thread's doings: wishes of its own, some too late, some sent twice, some shown and not kept."""

    def __init__(self, table: Table, name: str, until: float) -> None:
        self.table = table
        self.until = until
        self.rng = random.Random(name)
        self.ids = (f"{name}-{number}" for number in itertools.count())
        self.accepted: list[str] = []
        self.versions: list[int] = []  # of the snapshots that this thread's own commands made
        self.refused: list[str] = []
        self.thread = threading.Thread(target=self._work, daemon=True)

    def _work(self) -> None:
        while time.monotonic() < self.until:
            snapshot = self.table.snapshot
            moment = snapshot.moment if self.rng.random() < 0.5 else None
            command = Command(wish(snapshot, self.rng), next(self.ids), moment=moment)
            try:
                self._do(command)
            except RuleError:
                self.refused.append(str(command.id))

    def _do(self, command: Command) -> None:
        die = self.rng.random()
        if die < 0.05:
            self.versions.append(self.table.tell(Eyes(EyesState.READY, simulated=die < 0.025)).version)
        elif die < 0.1:
            self.table.tick()
        elif die < 0.15 and (game := self.table.snapshot.game) is not None:
            self.table.ask_to_move_on(game.active)
        else:
            self.versions.append(self.table.play(command).version)
            self.accepted.append(str(command.id))
            if die > 0.9:  # sent once more, as phones do when an answer does not reach them
                self.table.play(command)


class _Watcher:
    """One thread that only watches, as a page does."""

    def __init__(self, table: Table, until: float) -> None:
        self.table = table
        self.until = until
        self.seen: list[Snapshot] = []
        self.thread = threading.Thread(target=self._work, daemon=True)

    def _work(self) -> None:
        version = -1
        while time.monotonic() < self.until:
            snapshot = self.table.wait(version, 0.1)
            if snapshot.version != version:
                self.seen.append(snapshot)
                version = snapshot.version

    @property
    def strictly_rising(self) -> bool:
        return all(one.version < two.version for one, two in itertools.pairwise(self.seen))


def hammer(folder: Path, threads: int, seconds: float) -> Hammered:
    with Journal(folder) as journal:
        table = Table(journal)
        until = time.monotonic() + seconds
        hands = [_Hand(table, f"hand-{number}", until) for number in range(threads)]
        watchers = [_Watcher(table, until) for _ in range(WATCHERS)]
        workers = [hand.thread for hand in hands] + [watcher.thread for watcher in watchers]
        for thread in workers:
            thread.start()
        for thread in workers:
            thread.join(max(0.0, until + PATIENCE - time.monotonic()))
        stuck = sum(thread.is_alive() for thread in workers)
        if stuck:
            return Hammered(0, 0, 0, stuck, 0, strictly_rising=False, replay_equals_live=False)
        return _judge(table, journal, hands, watchers)


def _judge(table: Table, journal: Journal, hands: list[_Hand], watchers: list[_Watcher]) -> Hammered:
    kept = Counter(entry.command for entry in journal.entries() if entry.command is not None)
    accepted = Counter(command for hand in hands for command in hand.accepted)
    rising = all(watcher.strictly_rising for watcher in watchers)
    rising = rising and all(one <= two for hand in hands for one, two in itertools.pairwise(hand.versions))
    return Hammered(
        played=accepted.total(),
        refused=sum(len(hand.refused) for hand in hands),
        lost=((kept - accepted) + (accepted - kept)).total(),
        stuck=0,
        watched=sum(len(watcher.seen) for watcher in watchers),
        strictly_rising=rising,
        replay_equals_live=kept_part(table.snapshot) == kept_part(replay(journal)),
    )


def kept_part(snapshot: Snapshot) -> Snapshot:
    """Without what is told and not kept."""
    return replace(snapshot, version=0, eyes=Eyes(), moves_on_at=None, lot_ends_at=None)
