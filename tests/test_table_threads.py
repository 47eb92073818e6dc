"""Many threads at one table lose nothing, and nobody waits for ever."""

from pathlib import Path

from companion.benchmarks.hammer import hammer

THREADS, SECONDS = 16, 3.0


def test_sixteen_threads_lose_no_update_and_never_stand_still(tmp_path: Path) -> None:
    result = hammer(tmp_path, THREADS, SECONDS)
    assert result.stuck == 0
    assert result.lost == 0
    assert result.strictly_rising
    assert result.replay_equals_live
    assert result.played > THREADS
    assert result.refused > 0  # they were in each other's way
    assert result.watched > 0
