"""What the phones are shown of a roll: one snapshot with all of it, and its pictures already there."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.game import Phase
from companion.host.looking import Looker, Manner
from companion.table.eyes import Eyes, EyesState
from companion.table.snapshot import Snapshot
from companion.table.table import Table
from tests.looking import PIPS, Lid, certain, doubtful
from vision.reading import ALL_SIX


@pytest.fixture
def lid(tmp_path: Path) -> Iterator[Lid]:
    made = Lid(tmp_path)
    yield made
    made.close()


class Shown:
    """Every snapshot that the table shows from now on, in order."""

    def __init__(self, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
        self.snapshots: list[Snapshot] = []
        show = table._show

        def kept(snapshot: Snapshot) -> Snapshot:
            self.snapshots.append(snapshot)
            return show(snapshot)

        monkeypatch.setattr(table, "_show", kept)

    @property
    def told(self) -> list[tuple[EyesState, Phase | None]]:
        return [(now.eyes.state, now.game.phase if now.game else None) for now in self.snapshots]


def test_a_roll_is_shown_in_one_snapshot_with_all_that_was_read(
    lid: Lid, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = Shown(lid.table, monkeypatch)
    assert lid.looker.ask()
    lid.until(EyesState.READY)
    lid.look_ends()
    assert shown.told[0] == (EyesState.READING, Phase.ROLL)
    assert [told for told in shown.told if told[1] is Phase.FIRST] == [(EyesState.READY, Phase.FIRST)]
    assert [die.pips for die in shown.snapshots[-1].eyes.dice] == list(PIPS)


def test_a_roll_that_was_read_before_the_press_is_one_snapshot_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lid = Lid(tmp_path)
    lid.looker.close()
    lid.looker = Looker(lid.table, lid.eye, None, Manner(read=lid.reader))
    lid.looker.seeing.read_ahead(ALL_SIX)
    assert lid.looker.seeing.has_read_ahead(ALL_SIX)
    before = lid.table.tell(Eyes(EyesState.READY)).version
    shown = Shown(lid.table, monkeypatch)
    lid.looker.start()
    assert lid.looker.ask()
    lid.until(EyesState.READY, after=before)
    lid.look_ends()
    assert shown.told == [(EyesState.READY, Phase.FIRST)]
    lid.close()


def test_a_corrected_roll_and_its_dice_are_shown_together(lid: Lid, monkeypatch: pytest.MonkeyPatch) -> None:
    assert lid.looker.ask()
    lid.until(EyesState.READY)
    lid.reader.readings = [certain((3, 4, 2, 5, 6, 2))]
    shown = Shown(lid.table, monkeypatch)
    before = lid.look_again()
    lid.until(EyesState.READY, after=before + 1)
    lid.look_ends()
    first, *others = (now for now in shown.snapshots if now.corrected is not None)
    assert (first.eyes.state, others) == (EyesState.READY, [])
    assert shown.snapshots[-1].eyes.dice[5].pips == 2


def test_the_pictures_of_doubtful_dice_are_there_when_they_are_asked_for(
    lid: Lid, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[bytes | None] = []
    tell = lid.table.tell

    def told(eyes: Eyes) -> Snapshot:
        found.extend(lid.looker.crop(die.crop or "") for die in eyes.dice if die.doubtful)
        return tell(eyes)

    monkeypatch.setattr(lid.table, "tell", told)
    lid.reader.readings = [doubtful()]
    assert lid.looker.ask()
    lid.until(EyesState.ASK)
    assert [content is not None for content in found] == [True]
