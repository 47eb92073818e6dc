"""A Pi has no clock battery: its clock may jump by years, nothing of order or waiting depends on it."""

import ast
from pathlib import Path

import pytest

import companion
from companion.game import Phase
from companion.table.table import replay
from tests.lid_rig import lid_rig

ROOT = Path(companion.__file__).parent.parent
WALL = {"time.time", "time.time_ns", "datetime.now", "datetime.today", "datetime.utcnow", "date.today"}
# Who asks for the hour of the day: to write or show it, or to forget what was learnt long ago.
MAY = {
    "companion/journal/journal.py",
    "companion/checks/machine.py",
    "companion/host/reporting.py",
    "companion/host/confirmed.py",  # how old what a table taught is
    "companion/host/joined.py",
    "companion/commands/reading.py",
    "companion/commands/learn.py",
    "companion/club/club.py",  # evenings have dates
    "web/club/tables.py",
    "web/club/evenings.py",
}


def asks_for_the_hour(path: Path) -> bool:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = {ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    return any(name == wall or name.endswith(f".{wall}") for name in names for wall in WALL)


def test_only_what_writes_or_shows_the_date_asks_for_it() -> None:
    found = {
        str(path.relative_to(ROOT))
        for package in ("boxlid", "companion", "vision", "hardware", "web")
        for path in (ROOT / package).rglob("*.py")
        if "training" not in path.parts and asks_for_the_hour(path)
    }
    assert found <= MAY


@pytest.mark.parametrize("jump", [-4e9, 1e300], ids=["back", "ahead"])
def test_a_roll_is_read_kept_and_replayed_whatever_the_clock_says(jump: float, tmp_path: Path) -> None:
    times = iter((0.0, jump, -jump, jump))
    with lid_rig(tmp_path / "lid") as rig:
        rig.journal._clock = lambda: next(times, jump)
        rig.throw()
        assert rig.press().eyes.state == "ready"
        assert rig.game.phase is Phase.FIRST
        assert replay(rig.journal).game == rig.game
