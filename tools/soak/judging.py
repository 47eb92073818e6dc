"""What must hold after an endurance run: nothing lost, scores as replayed, nothing that grows."""

import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from companion.game import Game, Phase
from companion.journal.journal import Entry
from companion.table.snapshot import GameStarted, TableEvent, parse_line
from tools.soak.companion_process import Load

MOST_GROWTH = 10.0  # megabytes, once warm
MOST_WARMING = (
    25.0  # megabytes, of lives that last a minute: threads and pools are touched for the first time
)
MORE_THREADS, MORE_FILES = 2, 6  # phones come and go: so many more or less are no leak
ENOUGH = 8  # moments to compare
SETTLED_SECONDS = 30.0  # a shorter life is still starting on a busy machine, and tells nothing of another
WARM_SECONDS = 600.0
MINUTE = 60.0


def lost(acknowledged: Sequence[str], entries: Sequence[Entry]) -> list[str]:
    """Wishes that the table said yes to, and that its journal does not have."""
    kept = {entry.command for entry in entries}
    return [
        f"wish {each} was acknowledged and is not in the journal" for each in acknowledged if each not in kept
    ]


def finished(entries: Sequence[Entry]) -> dict[int, tuple[int, ...]]:
    """The points of every game that was played to its end, by replaying it."""
    games: dict[int, Game] = {}
    for entry in entries:
        what = parse_line(entry.line)
        if isinstance(what, GameStarted):
            games[entry.id] = Game.begin(what.setup)
        elif entry.game is not None and not isinstance(what, TableEvent):
            games[entry.game] = games[entry.game].apply(what)
    return {number: game.scores for number, game in games.items() if game.phase is Phase.OVER}


def differing(
    shown: Mapping[str, Mapping[int, tuple[int, ...]]], replayed: Mapping[int, tuple[int, ...]]
) -> list[str]:
    """Games whose points some phone was shown otherwise than a replay counts them."""
    return [
        f"{name} was shown {points} for game {number}, a replay has {replayed.get(number, 'no end')}"
        for name, results in shown.items()
        for number, points in results.items()
        if replayed.get(number) != points
    ]


@dataclass(frozen=True, slots=True)
class Memory:
    """Megabytes of one life: of its first moment, in its eleventh minute if it has one, in its last, most.

    `own` is what the end has without pages of program files.
    """

    start: float
    warm: float | None
    end: float
    most: float
    own: float
    minutes: float


def memory_of(life: Sequence[Load]) -> Memory:
    ends = life[-1].age

    def around(begin: float) -> float:
        return statistics.median(load.megabytes for load in life if begin <= load.age <= begin + MINUTE)

    warm = around(WARM_SECONDS) if ends >= WARM_SECONDS + MINUTE else None
    most = max(load.megabytes for load in life)
    own = statistics.median(load.own for load in life if load.age >= ends - MINUTE)
    return Memory(life[0].megabytes, warm, around(max(0.0, ends - MINUTE)), most, own, ends / 60)


def longest_life(loads: Sequence[Load]) -> list[Load]:
    return max(_lives(loads), key=lambda life: life[-1].age)


def _lives(loads: Sequence[Load]) -> list[list[Load]]:
    return [list(of_one) for _, of_one in groupby(loads, key=lambda load: load.life)]


def _levels(lives: Sequence[Sequence[Load]]) -> list[float]:
    """The usual memory of those lives that had the time to settle."""
    settled = [life for life in lives if life[-1].age >= SETTLED_SECONDS]
    return [statistics.median(load.megabytes for load in life[len(life) // 2 :]) for life in settled]


def growing(loads: Sequence[Load], warm_lives: int, most: float = MOST_GROWTH) -> Iterator[str]:
    """What grows within a life once it is warm, or from one life to the next."""
    lives = _lives(loads)
    for life in lives:
        memory = memory_of(life)
        if memory.warm is not None and memory.end - memory.warm > most:
            more = memory.end - memory.warm
            yield f"life {life[0].life} grew by {more:.1f} MB of memory after its first ten minutes"
        half = [load for load in life if load.age > life[-1].age / 2]
        early, late = half[: len(half) // 2], half[len(half) // 2 :]
        if len(early) < ENOUGH:
            continue
        for name, of, limit in (
            ("MB of memory", "megabytes", most),
            ("threads", "threads", MORE_THREADS),
            ("open files", "files", MORE_FILES),
        ):
            more = statistics.median(getattr(load, of) for load in late)
            more -= statistics.median(getattr(load, of) for load in early)
            if more > limit:
                yield f"life {life[0].life} ended with {more:.1f} {name} more than halfway"
    first, later = _levels(lives[:warm_lives]), _levels(lives[warm_lives:])
    if first and later:
        more = max(later) - max(first)
        if more > most:
            yield f"later lives took {more:.1f} MB more than the first {warm_lives}"
