"""The journal's figures are measured on real journals, and fall short when something is lost."""

from pathlib import Path

import pytest

from companion.benchmarks import journal as bench
from companion.benchmarks.damages import Damages
from companion.benchmarks.figure import at_least, at_most
from companion.benchmarks.hammer import Hammered
from companion.benchmarks.kills import Kills


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Little of everything, in a folder that goes away."""
    monkeypatch.chdir(tmp_path)
    for name, value in (("EVENTS", 20), ("KILLS", 12), ("COPIES", 40), ("HAMMER_SECONDS", 0.3)):
        monkeypatch.setattr(bench, name, value)


def test_each_figure_is_measured_and_leaves_nothing_behind(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    found = list(bench.figures())
    names = [figure.name for figure in found]
    assert all(figure.holds for figure in found if figure.name.startswith("damaged"))
    assert [name.split(",")[0].split("(")[0].strip() for name in names] == [
        "Table.play with the fsync",
        "replay of a journal of 20 events",
        "kills that lost nothing",
        "kills that lost nothing",
        "damaged copies",
        "damaged copies",
        "commands of 16 threads in 0 s",
    ]
    assert list(tmp_path.iterdir()) == []
    assert capfd.readouterr().out == ""  # figures say themselves what came of it


def test_a_figure_says_whether_its_aim_is_met() -> None:
    assert str(at_most("one play", 4.9, 5, "ms")) == "one play: 4.90 ms (aim <= 5 ms) holds"
    assert str(at_most("one play", 5.1, 5, "ms")).endswith("FALLS SHORT")
    assert at_least("kills", 1000, 1000, "kills").holds
    assert not at_least("kills", 999, 1000, "kills").holds


@pytest.mark.parametrize(
    "result",
    [
        Damages(1, 10, 5, 4),
        Damages(1, 10, 5, 5, silent=["copy 3"]),
        Damages(1, 10, 5, 5, lost=["copy 3"]),
        Damages(1, 10, 10, 0),
        Kills(1, 10, 100, lost=1, refused=(), in_opening=2, seconds=1),
        Kills(1, 10, 100, lost=0, refused=("kill 3: damaged",), in_opening=2, seconds=1),
        Kills(1, 10, 5, lost=0, refused=(), in_opening=9, seconds=1),
        Hammered(9, 1, 1, 0, 9, strictly_rising=True, replay_equals_live=True),
        Hammered(9, 1, 0, 1, 9, strictly_rising=True, replay_equals_live=True),
        Hammered(9, 1, 0, 0, 9, strictly_rising=False, replay_equals_live=True),
        Hammered(9, 1, 0, 0, 9, strictly_rising=True, replay_equals_live=False),
        Hammered(0, 9, 0, 0, 9, strictly_rising=True, replay_equals_live=True),
    ],
)
def test_nothing_holds_that_lost_stuck_or_never_played(result: Kills | Hammered | Damages) -> None:
    assert not result.holds
