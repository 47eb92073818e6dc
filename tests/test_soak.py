"""The endurance run in small: phones play by themselves over kills, and nothing is lost; and its judge."""

import re
import threading
from pathlib import Path

import pytest

from companion.game import Setup
from companion.journal.journal import Entry, Journal
from tests.playing import NAMES
from tools.soak.__main__ import main
from tools.soak.companion_process import THRIFT, Load
from tools.soak.judging import MOST_WARMING, differing, finished, growing, lost, memory_of
from tools.soak.pace import Pace
from tools.soak.report import Plan, Soaked
from tools.soak.running import UNHURRIED, soak


@pytest.mark.slow
def test_phones_play_by_themselves_over_two_kills_and_nothing_is_lost(tmp_path: Path) -> None:
    said: list[str] = []
    # dice that fall as slowly as they are looked at
    plan = Plan(minutes=0.4, kill_every=0.15, seed=3, rolls=UNHURRIED)
    found = soak(tmp_path, plan, said.append)
    assert found.faults == []
    assert found.kills == len(said) == 2
    assert found.rolls > 0  # read, or tapped in: on a busy machine the camera asks
    assert found.acknowledged > found.rolls
    assert found.naps > 0
    assert "nothing lost" in str(found)


def test_memory_is_measured_as_the_service_has_it() -> None:
    unit = Path(__file__).parent.parent / "systemd" / "boxlid.service"
    told = re.findall(r"(?:^Environment=| )(\w+)=(\S+)", unit.read_text(encoding="utf-8"), re.M)
    assert THRIFT.items() <= set(told)
    assert {name for name, _ in told if "THREADS" in name or "MALLOC" in name} <= THRIFT.keys()


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
    return [Load(number, float(age), megabytes + rise * age, 80, threads, files) for age in range(60)]


def test_what_grows_is_found() -> None:
    assert list(growing([*life(1, 200), *life(2, 205)], warm_lives=1)) == []
    assert "MB of memory" in next(growing(life(1, 200, rise=1.0), warm_lives=1))
    assert "MB more than the first 1" in next(growing([*life(1, 200), *life(2, 215)], warm_lives=1))
    assert list(growing([*life(1, 200), *life(2, 215)], warm_lives=1, most=MOST_WARMING)) == []
    short = [load for load in (*life(1, 200), *life(2, 260)) if load.age < 10]
    assert list(growing(short, warm_lives=1)) == []
    between = [*life(1, 200), *(load for load in life(2, 260) if load.age < 10), *life(3, 215)]
    assert "15.0 MB more than the first 1" in next(growing(between, warm_lives=1))
    leaking = [*life(1, 200)[:45], *life(1, 200, threads=60, files=40)[45:]]
    assert ["threads" in fault or "open files" in fault for fault in growing(leaking, 1)] == [True, True]


def long_life(warm: float, end: float) -> list[Load]:
    """Forty minutes that begin at 100 MB, with so many after ten minutes and at the end."""
    levels = [100.0] * 600 + [warm] * 1200 + [end] * 600
    return [Load(1, float(age), megabytes, megabytes / 2, 50, 20) for age, megabytes in enumerate(levels)]


def test_a_long_life_may_warm_up_for_ten_minutes_and_grow_by_ten_megabytes_after_them() -> None:
    memory = memory_of(long_life(130, 139))
    assert (memory.start, memory.warm, memory.end, memory.most) == (100, 130, 139, 139)
    assert list(growing(long_life(130, 139), warm_lives=1)) == []
    assert "grew by 11.0 MB of memory after its first ten minutes" in next(growing(long_life(130, 141), 1))
    assert memory_of(life(1, 200)).warm is None
    found = Soaked(Plan(minutes=40, kill_every=None, phones=3), starts=[1.2], loads=long_life(130, 139))
    assert (
        "100 MB at the start, 130 MB after ten minutes, 139 MB at the end after 40.0 minutes (70 MB its own"
        in str(found)
    )


def test_fewer_phones_are_players_first() -> None:
    assert (len(Plan(phones=3).players), len(Plan(phones=3).watchers)) == (3, 0)
    assert (len(Plan().players), len(Plan().watchers)) == (5, 3)


class Waits(threading.Event):
    """An end that never comes; its waits move the clock instead of taking time."""

    now = 0.0

    def wait(self, timeout: float | None = None) -> bool:
        self.now += max(0.0, timeout or 0.0)
        return False


def test_all_phones_of_a_table_keep_to_one_pace() -> None:
    over = Waits()
    pace = Pace(6, lambda: over.now)
    pace.wait(over)
    assert over.now == 0
    pace.wait(over)
    assert over.now == 10
    over.now = 34.0  # two are owed
    pace.wait(over)
    pace.wait(over)
    assert over.now == 34
    pace.wait(over)
    assert over.now == 40
    over.now = 1000.0
    for _ in range(7):
        pace.wait(over)
    assert over.now == 1000
    pace.wait(over)
    assert over.now == 1010


@pytest.mark.parametrize("wrong", [["--phones", "1"], ["--phones", "9"], ["--rolls", "0"]])
def test_a_run_that_cannot_be_is_refused(wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(wrong)
    assert f"{wrong[0]} is" in capsys.readouterr().err
