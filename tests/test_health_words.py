"""What the checks say, in every language: all patterns have words, with the same holes."""

import ast
import json
import re
from pathlib import Path

import pytest

from companion.checks import Check, note, ok
from companion.findings.sentence import Sentence, said, translations
from companion.words import catalogues, holes

ROOT = Path(__file__).parent.parent / "companion"
FILES = [ROOT / "checks" / f"{name}.py" for name in ("broker", "installation", "keeping", "machine", "parts")]
FILES += [ROOT / "commands" / "doctor.py", ROOT / "host" / "health.py"]
OTHERS = [language for language in catalogues() if language != "en"]


def patterns() -> set[str]:
    """Every text that reads like one a check says, and every name of a checked thing."""
    found: set[str] = set()
    for file in FILES:
        tree = ast.parse(file.read_text(encoding="utf-8"))
        for call in ast.walk(tree):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name):
                if call.func.id in {"ok", "note", "wrong"}:
                    found |= {arg.value for arg in call.args if _is_text(arg)}  # type: ignore[attr-defined]
            elif isinstance(call, ast.Assign) and _is_text(call.value):
                names = [ast.unparse(target) for target in call.targets]
                if names[0] in {"what", "todo", "text"} or names[0].isupper():
                    found.add(call.value.value)  # type: ignore[attr-defined]
    return {text for text in found if not re.fullmatch(r"[a-z-]+\.toml|/\S*", text)}


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


@pytest.mark.parametrize("language", OTHERS)
def test_everything_a_check_says_has_words_with_the_same_holes(language: str) -> None:
    known = translations(language)
    assert len(patterns()) > 60
    assert patterns() - set(known) == set()
    for pattern, words in known.items():
        assert holes(words) == holes(pattern), pattern


def test_a_sentence_is_its_english_text_and_can_be_said_in_german() -> None:
    check = ok("memory", "{n} MB are free", n=7)
    assert check.text == "7 MB are free"
    assert said(check.text, "de") == "7 MB frei"
    assert said(check.text, "en") == said(check.text, "xx") == "7 MB are free"


def test_holes_of_what_a_camera_says_of_itself_are_left_alone() -> None:
    assert Sentence("{problem}", problem="pin {x} is taken").said_in("de") == "pin {x} is taken"


def test_what_to_do_is_filled_like_the_text() -> None:
    check: Check = note("state folder", "{path} can be seen by other users", "chmod 700 {path}", path="/x")
    assert (check.text, check.todo) == ("/x can be seen by other users", "chmod 700 /x")
    assert said(check.todo, "de") == "chmod 700 /x"
    assert json.loads(json.dumps(check.text)) == "/x can be seen by other users"
