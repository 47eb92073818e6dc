"""Killed at any moment: all that a companion acknowledged is there, and a restore is done or not begun."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.standins.compiling import compiled

ROOT = Path(__file__).parent.parent
KILLS, COPIES, SEED = 200, 150, 20
LEAST_STRIKES = 300


def test_nothing_acknowledged_is_lost_when_the_companion_is_killed(tmp_path: Path) -> None:
    """The killing is a program of its own: it forks, which a test run with threads should not."""
    command = [sys.executable, "-m", "companion.benchmarks.kills", str(tmp_path)]
    command += ["--kills", str(KILLS), "--seed", str(SEED)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=250, check=False)
    print(done.stdout, done.stderr)  # noqa: T201 - shown with a failure: the seed, and what was lost
    result = json.loads(done.stdout)
    assert result["refused"] == []
    assert result["lost"] == 0
    assert result["kills"] == KILLS
    assert result["acknowledged"] > KILLS  # they did play, and were killed in the midst of it
    assert 0 < result["in_opening"] < KILLS  # and on opening
    assert done.returncode == 0


@pytest.mark.parametrize("options", [[], ["--without-lock"]])
def test_of_a_damaged_copy_nothing_is_lost_or_missing_in_silence(options: list[str], tmp_path: Path) -> None:
    """Files deleted, cut, flipped, blanked, exchanged for noise; each restore is killed once on its way."""
    command = [sys.executable, "-m", "companion.benchmarks.damages", str(tmp_path), *options]
    command += ["--copies", str(COPIES), "--seed", str(SEED)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=500, check=False)
    print(done.stdout, done.stderr)  # noqa: T201 - shown with a failure: which copy
    result = json.loads(done.stdout)
    assert (result["silent"], result["lost"]) == ([], [])
    assert result["whole"] + result["told"] == COPIES
    assert result["told"] > COPIES // 3
    assert result["struck"] > 0
    assert done.returncode == 0


def test_a_restore_struck_at_any_step_leaves_the_old_files_or_the_new_journal(tmp_path: Path) -> None:
    """Every change to a file is a step; the start after the strike is struck as well."""
    preloaded = {**os.environ, "LD_PRELOAD": str(compiled("strike", tmp_path))}
    command = [sys.executable, "-m", "tests.standins.struck_restores", str(tmp_path)]
    done = subprocess.run(
        command, cwd=ROOT, env=preloaded, capture_output=True, text=True, timeout=500, check=False
    )
    assert done.returncode == 0, done.stderr
    outcomes = json.loads(done.stdout).values()
    assert [outcome["faults"] for outcome in outcomes] == [[], [], [], []]
    assert sum(outcome["kills"] for outcome in outcomes) >= LEAST_STRIKES
    assert all(outcome["stood_before"] and outcome["stood_after"] > 1 for outcome in outcomes)
