"""The examples in the docstrings of the rooms that scripts use do what they say."""

import doctest
from pathlib import Path
from types import ModuleType

import pytest

import companion.game
import companion.rules
import vision.calibration
import vision.reader
import vision.reading

DOORS = (companion.rules, companion.game, vision.reading, vision.reader, vision.calibration)


@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.__name__)
def test_the_examples_of_a_door_do_what_they_say(
    door: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    failed, attempted = doctest.testmod(door)
    assert failed == 0, capsys.readouterr().out
    assert attempted > 3


def test_the_examples_of_the_recipes_page_do_what_they_say(capsys: pytest.CaptureFixture[str]) -> None:
    page = Path(__file__).parent.parent / "docs" / "recipes" / "README.md"
    failed, attempted = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert failed == 0, capsys.readouterr().out
    assert attempted > 1
