"""Golden playthroughs: whole games that a person can read, played again line by line."""

from pathlib import Path

import pytest

from companion.game.record import Record
from tests.golden_text import FOLDER, GOLDEN, tell


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.txt")), ids=lambda path: path.stem)
def test_a_golden_game_goes_as_its_text_tells(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert tell(Record.parse(text)) == text


def test_every_edition_has_its_golden_game() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(GOLDEN)
