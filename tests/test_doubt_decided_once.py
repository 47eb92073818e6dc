"""Whether a die is doubtful is decided by the reader; everybody else is told, and compares no confidence."""

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
TELLS = {"companion/host/answers.py", "companion/sight/reading_told.py"}  # how sure it is, in words and JSON
SURE = r"(confidence|percent)"
COMPARED = re.compile(rf"{SURE}\w*\s*(<|>|==)|(<|>)=?\s*[\w.]*{SURE}\b|\b(low|high)=\"\d")


def sources(*folders: str) -> list[Path]:
    endings = {".py", ".js", ".html"}
    return [path for folder in folders for path in (ROOT / folder).rglob("*") if path.suffix in endings]


def test_nobody_but_the_reader_knows_a_confidence() -> None:
    knowing = [
        str(path.relative_to(ROOT))
        for path in sources("companion", "hardware", "web", "docs/recipes")
        if "confidence" in path.read_text(encoding="utf-8")
    ]
    assert set(knowing) == TELLS


def test_nobody_who_shows_a_die_compares_how_sure_it_is() -> None:
    showing = [*sources("companion", "hardware", "web", "docs/recipes"), ROOT / "vision" / "overlay.py"]
    assert [path.name for path in showing if COMPARED.search(path.read_text(encoding="utf-8"))] == []
