"""docs/faults.md names for every fault a test that there is."""

import re
from pathlib import Path

TESTS = Path(__file__).parent
FAULTS = TESTS.parent / "docs" / "faults.md"


def test_every_fault_names_a_test_that_there_is() -> None:
    text = "\n".join(file.read_text(encoding="utf-8") for file in TESTS.rglob("test_*.py"))
    there = set(re.findall(r"^def (test_\w+)", text, re.M))
    _, _, listed = FAULTS.read_text(encoding="utf-8").partition("## Faults")
    rows = [line for line in listed.splitlines() if line.startswith("| ")]
    faults = [row for row in rows if "**" not in row and not row.startswith("| fault ")]
    assert len(faults) > 30
    for row in faults:
        named = re.findall(r"`(test_\w+)`", row)
        assert named, row
        assert set(named) <= there, row
