"""docs/faults.md and docs/attacks.md name for every fault and every attempt a test that there is."""

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
DOCS = TESTS.parent / "docs"


@pytest.mark.parametrize(
    ("page", "head", "least"), [("faults.md", "| fault |", 30), ("attacks.md", "| attempt |", 4)]
)
def test_every_fault_and_every_attempt_names_a_test_that_there_is(page: str, head: str, least: int) -> None:
    text = "\n".join(file.read_text(encoding="utf-8") for file in TESTS.rglob("test_*.py"))
    there = set(re.findall(r"^def (test_\w+)", text, re.M))
    _, _, listed = (DOCS / page).read_text(encoding="utf-8").partition(head)
    rows = [line for line in listed.splitlines() if line.startswith("| ")]
    named = [row for row in rows if "**" not in row]
    assert len(named) >= least
    for row in named:
        tests = re.findall(r"`(test_\w+)`", row)
        assert tests, row
        assert set(tests) <= there, row
