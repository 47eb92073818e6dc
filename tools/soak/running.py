"""One endurance run: phones play game after game, the companion is killed now and then; what came of it."""

import math
import random
import time
from collections.abc import Callable
from pathlib import Path

from companion.journal.journal import kept_entries
from tools.soak.companion_process import HURRY, CompanionProcess, SoakError
from tools.soak.judging import MOST_GROWTH, MOST_WARMING, differing, finished, growing, lost
from tools.soak.link import Link
from tools.soak.pace import Pace
from tools.soak.phone import Phone
from tools.soak.report import Plan, Soaked

UNHURRIED = 20  # rolls a minute, or fewer: real throws fit in between
READ = (" by simulated", " by camera")
STANDSTILL_SECONDS = 180.0
MOST_LATE = 1.1  # how much longer than planned a life may be
LEAST_DEEDS = 10  # wishes acknowledged: a few rolls; with fewer a life has shown nothing
JOIN_SECONDS = 20.0
LOOK_SECONDS = 1.0
WARM_LIFE = 4.0  # minutes: a life that long is warm by halfway
COLD_LIFE = 0.5  # one that short never is, least of all on a machine that is busy beside
WARM_SHARE = 1 / 6  # of the hour: its first ten minutes


class Soak:
    def __init__(self, state: Path, plan: Plan, say: Callable[[str], None] = lambda _: None) -> None:
        self._companion = CompanionProcess(state, HURRY if plan.rolls > UNHURRIED else 1)
        self._say = say
        self._rng = random.Random(plan.seed)
        self.found = Soaked(plan)
        self._phones: list[Phone] = []
        self._deeds = 0  # wishes acknowledged in the lives before this one

    def run(self) -> Soaked:
        plan, begin = self.found.plan, time.monotonic()
        self.found.starts.append(self._companion.start())
        ends, kill_at = time.monotonic() + 60 * plan.minutes, time.monotonic() + self._life()
        self._sit_down()
        try:
            while not ((self._is_due(ends) and self._killed_enough()) or self._stands_still()):
                if self._is_due(kill_at):
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
        often = self.found.plan.kill_every
        return math.inf if often is None else 60 * often * self._rng.uniform(2 - MOST_LATE, MOST_LATE)

    def _killed_enough(self) -> bool:
        """As often as was planned, however long it takes: a slow machine may be at its first life yet."""
        plan = self.found.plan
        return plan.kill_every is None or self.found.kills >= int(
            plan.minutes / (plan.kill_every * MOST_LATE)
        )

    def _is_due(self, due: float) -> bool:
        """Whether it is time, and this life was long enough to play: a slow machine gets longer."""
        return time.monotonic() >= due and len(self._acknowledged()) >= self._deeds + LEAST_DEEDS

    def _sit_down(self) -> None:
        port, plan = self._companion.port, self.found.plan
        pace = Pace(plan.rolls)
        for name in (*plan.players, *plan.watchers):
            phone = Phone(Link(port, name), name, len(plan.players), plan.seed, pace)
            if name in plan.players:
                phone.join_table(self._companion.code)
            self._phones.append(phone)
        for phone in self._phones:
            phone.start()

    def _kill(self) -> None:
        self._companion.kill()
        self.found.kills += 1
        acknowledged = self._acknowledged()
        self._deeds = len(acknowledged)
        self.found.faults += lost(acknowledged, kept_entries(self._companion.state))
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
        warm_lives = round((found.kills + 1) * WARM_SHARE) or 1
        found.faults += growing(found.loads, warm_lives, _most_growth(found.plan.kill_every))
        found.faults += [
            f"{phone.name} got no answer to {phone.unanswered} wishes"
            for phone in self._phones
            if phone.unanswered
        ]


def _most_growth(life: float | None) -> float:
    """By how many megabytes a life of so many minutes may grow."""
    if life is None or life >= WARM_LIFE:
        return MOST_GROWTH
    return MOST_WARMING if life >= COLD_LIFE else math.inf


def soak(state: Path, plan: Plan, say: Callable[[str], None] = lambda _: None) -> Soaked:
    return Soak(state, plan, say).run()
