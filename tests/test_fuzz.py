"""Random wishes over HTTP: whatever phones send, the table stays what its journal says."""

import dataclasses
from pathlib import Path

import pytest

from companion.game import Done
from companion.table.snapshot import Snapshot, What
from companion.view import WISHES
from tools.bench.fuzz import fuzz

STEPS, SEED = 2_500, 5


def test_the_table_is_what_its_journal_says_after_every_wish_and_each_kind_is_carried_out(
    tmp_path: Path,
) -> None:
    found = fuzz(tmp_path, STEPS, SEED)
    assert found.faults == []
    assert found.steps >= STEPS
    assert found.accepted > STEPS // 4
    assert found.refused > STEPS // 10
    assert found.events > STEPS // 4
    assert {kind for kind in WISHES.of if not found.kinds[kind]} == set()  # a misspelt word hides no more


def test_a_table_that_shows_what_it_did_not_keep_would_be_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    after = Snapshot.after
    spoilt: list[What] = []

    def forgetful(self: Snapshot, what: What, number: int) -> Snapshot:
        if isinstance(what, Done) and not spoilt:
            spoilt.append(what)
            return dataclasses.replace(self, version=self.version + 1)
        return after(self, what, number)

    monkeypatch.setattr(Snapshot, "after", forgetful)
    found = fuzz(tmp_path, STEPS, SEED)
    assert spoilt
    assert "is not what its journal says" in found.faults[0]
