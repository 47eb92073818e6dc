"""An endurance run in numbers: what was planned, what came of it, and the words for it. Runs nothing."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field

from tools.soak.companion_process import Load
from tools.soak.judging import longest_life, memory_of

PLAYERS = ("Anna", "Ben", "Cem", "Dora", "Emil")
WATCHERS = ("Finn", "Gül", "Hana")
MOST_PHONES = len(PLAYERS) + len(WATCHERS)
ROLLS = 60.0  # a minute


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be done; without a `kill_every` the companion lives from the first minute to the last."""

    minutes: float = 60.0
    kill_every: float | None = 5.0  # minutes
    seed: int = 1
    phones: int = MOST_PHONES
    rolls: float = ROLLS  # a minute

    @property
    def players(self) -> tuple[str, ...]:
        return PLAYERS[: self.phones]

    @property
    def watchers(self) -> tuple[str, ...]:
        return WATCHERS[: self.phones - len(self.players)]


@dataclass
class Soaked:
    """What came of it; `faults` has a line for everything that was not as it must be."""

    plan: Plan
    seconds: float = 0.0
    kills: int = 0
    starts: list[float] = field(default_factory=list)  # seconds until the first page
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
        return "\n".join((*self._played(), *self._lived(), *_lines_of_memory(self.loads), *self._judged()))

    def _played(self) -> tuple[str, ...]:
        plan = self.plan
        return (
            f"{self.seconds / 60:.1f} minutes, seed {plan.seed}, {plan.phones} phones",
            f"games ended: {self.games}; rolls: {self.rolls}, {self.read} of them read by the camera,"
            f" {60 * self.rolls / max(1.0, self.seconds):.1f} a minute (aim {plan.rolls:g})",
            f"events kept: {self.events}; wishes acknowledged: {self.acknowledged}, refused: {self.refused};"
            f" phones dropped and came back {self.naps} times",
        )

    def _lived(self) -> tuple[str, ...]:
        first, *again = self.starts or [0.0]
        killed = f", the first page again after {max(again):.1f} s at most" if again else ""
        return (
            f"from start to first page: {first:.1f} s",
            f"SIGKILL: {self.kills} times{killed}",
            f"threads: {max((load.threads for load in self.loads), default=0)} at most; open files:"
            f" {max((load.files for load in self.loads), default=0)} at most",
        )

    def _judged(self) -> tuple[str, ...]:
        well = "nothing lost, nothing that grows, every score as replayed"
        return (
            *(f"FAULT: {fault}" for fault in self.faults),
            "FAULTS WERE FOUND" if self.faults else well,
        )


def _lines_of_memory(loads: Sequence[Load]) -> tuple[str, ...]:
    megabytes = [load.megabytes for load in loads]
    if not megabytes:
        return ()
    life = memory_of(longest_life(loads))
    warm = "" if life.warm is None else f"{life.warm:.0f} MB after ten minutes, "
    return (
        f"memory: {statistics.median(megabytes):.0f} MB in the middle, {max(megabytes):.0f} MB at most",
        f"memory of the longest life: {life.start:.0f} MB at the start, {warm}"
        f"{life.end:.0f} MB at the end after {life.minutes:.1f} minutes ({life.own:.0f} MB its own,"
        f" the rest pages of program files), {life.most:.0f} MB at most",
    )
