"""The endurance run in small: phones play by themselves over kills, and nothing is lost; and its judge."""

from pathlib import Path

import pytest

from companion.game import Setup
from companion.journal import Entry, Journal
from companion.soak.companion_process import Load
from companion.soak.judging import MOST_WARMING, differing, finished, growing, lost
from companion.soak.running import Plan, soak
from tests.playing import NAMES


@pytest.mark.slow
def test_phones_play_by_themselves_over_two_kills_and_nothing_is_lost(tmp_path: Path) -> None:
    said: list[str] = []
    found = soak(tmp_path, Plan(minutes=0.4, kill_every=0.15, seed=3), said.append)
    assert found.faults == []
    assert found.kills == len(said)
    assert found.kills >= 1
    assert found.read >= 1
    assert found.acknowledged > found.rolls
    assert found.naps > 0
    assert "nothing lost" in str(found)


def entries(folder: Path) -> tuple[Entry, ...]:
    """A game of two that one of them stops after a misthrow."""
    with Journal(folder) as journal:
        journal.append("seat taken star - Anna", command="a")
        started = journal.append(f"game started 1 1 {Setup(NAMES[:2])}", starts_game=True, command="b")
        for line in ("rolled W1 W2 R3 Y4 G5 B6 by hand", "0 stops"):
            journal.append(line, game=started.id)
        return journal.entries()


def test_a_lost_wish_and_a_wrong_score_are_found(tmp_path: Path) -> None:
    kept = entries(tmp_path)
    assert lost(["a", "b"], kept) == []
    assert "wish c was acknowledged" in lost(["a", "c"], kept)[0]
    replayed = finished(kept)
    assert list(replayed) == [2]
    assert differing({"Anna": replayed}, replayed) == []
    assert "was shown (99,) for game 2" in differing({"Anna": {2: (99,)}}, replayed)[0]
    assert "a replay has no end" in differing({"Anna": {7: (1,)}}, replayed)[0]


def life(number: int, megabytes: float, rise: float = 0.0, threads: int = 50, files: int = 20) -> list[Load]:
    return [Load(number, float(age), megabytes + rise * age, threads, files) for age in range(60)]


def test_what_grows_is_found() -> None:
    assert list(growing([*life(1, 200), *life(2, 205)], warm_lives=1)) == []
    assert "MB of memory" in next(growing(life(1, 200, rise=1.0), warm_lives=1))
    assert "MB more than the first 1" in next(growing([*life(1, 200), *life(2, 215)], warm_lives=1))
    assert list(growing([*life(1, 200), *life(2, 215)], warm_lives=1, most=MOST_WARMING)) == []
    leaking = [*life(1, 200)[:45], *life(1, 200, threads=60, files=40)[45:]]
    assert ["threads" in fault or "open files" in fault for fault in growing(leaking, 1)] == [True, True]
