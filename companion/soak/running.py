"""One endurance run: phones play game after game, the companion is killed now and then; what came of it."""

import random
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from companion.journal import kept_entries
from companion.soak.companion_process import CompanionProcess, Load, SoakError
from companion.soak.judging import MOST_GROWTH, MOST_WARMING, differing, finished, growing, lost
from companion.soak.link import Link
from companion.soak.phone import Phone

PLAYERS = ("Anna", "Ben", "Cem", "Dora", "Emil")
WATCHERS = ("Finn", "Gül", "Hana")  # with five players: eight phones
READ = (" by simulated", " by camera")
STANDSTILL_SECONDS = 45.0
JOIN_SECONDS = 20.0
LOOK_SECONDS = 1.0
WARM_LIFE = 4.0  # minutes: a life that long is warm by halfway
WARM_SHARE = 1 / 6  # of the hour: its first ten minutes


@dataclass(frozen=True, slots=True)
class Plan:
    minutes: float = 60.0
    kill_every: float = 5.0  # minutes
    seed: int = 1


@dataclass
class Soaked:
    """What came of it; `faults` has a line for everything that was not as it must be."""

    plan: Plan
    seconds: float = 0.0
    kills: int = 0
    starts: list[float] = field(default_factory=list)
    loads: list[Load] = field(default_factory=list)
    rolls: int = 0
    read: int = 0  # of the rolls: read by the camera
    events: int = 0
    games: int = 0
    acknowledged: int = 0
    refused: int = 0
    naps: int = 0
    faults: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        megabytes = [load.megabytes for load in self.loads] or [0.0]
        lines = [
            f"{self.seconds / 60:.1f} minutes, seed {self.plan.seed}, {len(PLAYERS) + len(WATCHERS)} phones",
            f"games ended: {self.games}; rolls: {self.rolls}, {self.read} of them read by the camera,"
            f" {60 * self.rolls / max(1.0, self.seconds):.1f} a minute (aim 60)",
            f"events kept: {self.events}; wishes acknowledged: {self.acknowledged}, refused: {self.refused};"
            f" phones dropped and came back {self.naps} times",
            f"SIGKILL: {self.kills} times, answering again after {max(self.starts, default=0):.1f} s at most",
            f"memory: {statistics.median(megabytes):.0f} MB in the middle, {max(megabytes):.0f} MB at most",
            f"threads: {max((load.threads for load in self.loads), default=0)} at most; open files:"
            f" {max((load.files for load in self.loads), default=0)} at most",
            *(f"FAULT: {fault}" for fault in self.faults),
            "FAULTS WERE FOUND"
            if self.faults
            else "nothing lost, nothing that grows, every score as replayed",
        ]
        return "\n".join(lines)


class Soak:
    def __init__(self, state: Path, plan: Plan, say: Callable[[str], None] = lambda _: None) -> None:
        self._companion = CompanionProcess(state)
        self._say = say
        self._rng = random.Random(plan.seed)
        self.found = Soaked(plan)
        self._phones: list[Phone] = []

    def run(self) -> Soaked:
        plan, begin = self.found.plan, time.monotonic()
        ends, kill_at = begin + 60 * plan.minutes, begin + self._life()
        self.found.starts.append(self._companion.start())
        self._sit_down()
        try:
            while (now := time.monotonic()) < ends and not self._stands_still():
                if now >= kill_at:
                    self._kill()
                    kill_at = time.monotonic() + self._life()
                time.sleep(LOOK_SECONDS)
                self._look()
        finally:
            self.found.seconds = time.monotonic() - begin
            for phone in self._phones:
                phone.stop()
            if self._companion.stop() != 0:
                self.found.faults.append(f"it did not stop in order: {' '.join(self._companion.words[-3:])}")
            for phone in self._phones:
                phone.join(JOIN_SECONDS)
        self._judge()
        return self.found

    def _life(self) -> float:
        return 60 * self.found.plan.kill_every * self._rng.uniform(0.9, 1.1)

    def _sit_down(self) -> None:
        port, seed = self._companion.port, self.found.plan.seed
        for name in (*PLAYERS, *WATCHERS):
            phone = Phone(Link(port, name), name, len(PLAYERS), seed)
            if name in PLAYERS:
                phone.join_table(self._companion.code)
            self._phones.append(phone)
        for phone in self._phones:
            phone.start()

    def _kill(self) -> None:
        self._companion.kill()
        self.found.kills += 1
        self.found.faults += lost(self._acknowledged(), kept_entries(self._companion.state))
        self.found.starts.append(self._companion.start())
        self._say(f"killed, and answering again after {self.found.starts[-1]:.1f} s")

    def _look(self) -> None:
        load = self._companion.load()
        if load is None:
            raise SoakError(f"the companion ended by itself: {' '.join(self._companion.words[-5:])}")
        self.found.loads.append(load)

    def _stands_still(self) -> bool:
        """Nobody was shown anything new for a while: that is a fault, and there is nothing more to see."""
        silent = time.monotonic() - max(phone.changed_at for phone in self._phones)
        if silent < STANDSTILL_SECONDS:
            return False
        seen = {phone.name: phone.where for phone in self._phones}
        self.found.faults.append(f"nothing happened for {silent:.0f} s: {seen}")
        return True

    def _acknowledged(self) -> list[str]:
        return [each for phone in self._phones for each in tuple(phone.acknowledged)]

    def _judge(self) -> None:
        found, entries = self.found, kept_entries(self._companion.state)
        acknowledged, replayed = self._acknowledged(), finished(entries)
        rolls = [entry.line for entry in entries if entry.line.startswith("rolled ")]
        found.rolls, found.read = len(rolls), sum(line.endswith(READ) for line in rolls)
        found.events, found.games, found.acknowledged = len(entries), len(replayed), len(acknowledged)
        found.refused = sum(phone.refused for phone in self._phones)
        found.naps = sum(phone.naps for phone in self._phones)
        found.faults += lost(acknowledged, entries)
        found.faults += differing({phone.name: phone.results for phone in self._phones}, replayed)
        most = MOST_GROWTH if found.plan.kill_every >= WARM_LIFE else MOST_WARMING
        found.faults += growing(found.loads, round((found.kills + 1) * WARM_SHARE) or 1, most)
        found.faults += [
            f"{phone.name} got no answer to {phone.unanswered} wishes"
            for phone in self._phones
            if phone.unanswered
        ]


def soak(state: Path, plan: Plan, say: Callable[[str], None] = lambda _: None) -> Soaked:
    return Soak(state, plan, say).run()
