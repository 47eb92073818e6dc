"""The judgement's weights: small, whole, and read in one step even while they are written."""

from pathlib import Path

import numpy as np
import pytest

from companion.boards import house_board
from companion.play.advice import judge_of
from companion.play.games import Games, Kind
from companion.play.judgement import (
    ORIGINAL,
    OTHER_SHEETS,
    WEIGHTS,
    Judgement,
    WeightsError,
    read_network,
    weights_of,
    write_network,
)
from companion.play.simulation import Simulation
from companion.rules import CLASSIC, MIXX_B, Layout


def test_the_weights_are_small_enough_for_any_card() -> None:
    assert sum(file.stat().st_size for file in WEIGHTS.iterdir()) <= 300_000


def test_weights_that_are_half_written_are_told_in_one_line(tmp_path: Path) -> None:
    half = tmp_path / "half.npz"
    half.write_bytes(ORIGINAL.read_bytes()[:1000])
    with pytest.raises(WeightsError, match=r"cannot be read from .*half\.npz"):
        read_network(half)


def test_who_reads_while_weights_are_written_has_the_old_ones_or_the_new(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    network, file = read_network(), tmp_path / "weights.npz"
    write_network(network, file)
    seen = list[object]()
    written = np.savez_compressed

    def reading_meanwhile(*args: object, **arrays: object) -> None:
        written(*args, **arrays)  # type: ignore[arg-type]
        seen.append(read_network(file))

    monkeypatch.setattr(np, "savez_compressed", reading_meanwhile)
    write_network(network, file)
    assert len(seen) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["weights.npz"]


def test_a_sheet_that_was_never_seen_is_not_judged_by_what_was_learnt_but_played_to_its_end() -> None:
    turned = Layout("turned", CLASSIC.rows[::-1])
    assert weights_of(Kind(CLASSIC, 5)) == ORIGINAL
    assert weights_of(Kind(MIXX_B, 2)) == OTHER_SHEETS
    assert weights_of(Kind(CLASSIC, 2, house_board().front)) == OTHER_SHEETS
    assert weights_of(Kind(turned, 2)) is None
    assert isinstance(judge_of(Kind(turned, 2)), Simulation)


def test_an_empty_sheet_of_two_is_worth_the_same_to_both() -> None:
    games = Games.begin(Kind(CLASSIC, 2), np.zeros(1, np.intp))
    judge = Judgement(read_network())
    mine, yours = (judge.expected(games, np.array([seat])) for seat in (0, 1))
    assert abs(float(mine.win[0] + yours.win[0]) - 1) < 0.1
    assert 40 < float(mine.points[0]) < 110
