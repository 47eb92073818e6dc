"""The pages' scripts: each is typed and fits a screen; a page asks for all of them at once."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
STATIC = ROOT / "web" / "static"
SCRIPTS = sorted(STATIC.glob("*.js"))
STYLES = sorted(STATIC.glob("*.css"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_every_script_is_typed_and_short(script: Path) -> None:
    text = script.read_text(encoding="utf-8")
    assert "// @ts-check\n" in text.partition("\n\n")[0] + "\n"
    assert re.findall(r"[{(<:|] ?(any|\*)[})>\[\] |]", text) == [], "a type that says nothing"
    assert "@ts-ignore" not in text
    assert "@ts-expect-error" not in text
    assert len(text.splitlines()) <= 400


@pytest.mark.parametrize("file", [*SCRIPTS, *STYLES], ids=lambda path: path.name)
def test_no_line_of_a_script_or_style_is_long(file: Path) -> None:
    lines = file.read_text(encoding="utf-8").splitlines()
    assert [number for number, line in enumerate(lines, start=1) if len(line) > 110] == []


def imported(name: str, known: set[str]) -> set[str]:
    """The scripts that come with this one, not those that it loads when they are needed."""
    text = (STATIC / f"{name}.js").read_text(encoding="utf-8")
    for found in re.findall(r'^(?:import .*|\}) from "\./([a-z-]+)\.js";$', text, re.MULTILINE):
        if found not in known:
            known = imported(found, known | {found})
    return known


def test_a_phone_asks_at_once_for_all_scripts_of_its_first_screen() -> None:
    template = (ROOT / "web" / "templates" / "phone.html").read_text(encoding="utf-8")
    listed = re.search(r"for module in \[(.*?)\]", template)
    assert listed
    assert set(re.findall(r"'([a-z-]+)'", listed[1])) == imported("phone", set())
