"""The drawn wiring is that of the default pins, and the documents say what the program does."""

import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from companion.view.lamps import Status
from hardware.pins import Pins, used_pins
from tests.waiting import PATIENCE

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The pictures as the tool draws them now, and the table it prints."""
    folder = tmp_path_factory.mktemp("drawn")
    command = [sys.executable, "-m", "tools.draw_hardware", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=True, cwd=ROOT)
    return folder, done.stdout.strip()


@pytest.mark.parametrize("name", ["wiring.svg", "camera-stand.svg"])
def test_the_pictures_are_as_the_tool_draws_them(drawn: tuple[Path, str], name: str) -> None:
    folder, _ = drawn
    now, kept = ((place / name).read_text(encoding="utf-8") for place in (folder, DOCS))
    assert now == kept, "draw them anew: .venv/bin/python -m tools.draw_hardware"


def test_the_heights_in_the_text_are_those_of_the_tool(drawn: tuple[Path, str]) -> None:
    assert drawn[1] in (DOCS / "hardware.md").read_text(encoding="utf-8")


def test_exactly_the_default_pins_are_wired_in_the_picture() -> None:
    texts = ElementTree.parse(DOCS / "wiring.svg").iter(f"{SVG}text")
    bold = [text.text or "" for text in texts if text.get("font-weight") == "bold"]
    wired = {int(found[1]) for text in bold if (found := re.fullmatch(r"GPIO(\d+)", text))}
    assert wired == {pin for _, pin in used_pins(Pins())}


def test_every_status_is_explained() -> None:
    text = (DOCS / "hardware.md").read_text(encoding="utf-8")
    for status in Status:
        assert re.search(rf"^\| {status}\b.*\| {status.colour} \|", text, re.MULTILINE), status
