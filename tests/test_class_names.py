"""No class name has two owners in what is installed: who reads a name knows which class is meant."""

import ast
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parent.parent
ROOMS = ("companion", "vision", "hardware", "web")
# Names with two owners, each with its reason; a name that is gone from the tree goes from here too.
_APART = "one of the club's rooms, one of a table's: neither sees the other's"
_EYES = "one of the vision, one of the game: neither may import the other"
_EDGES = "an edge and what it serves have each a narrow view of the same thing"
DOUBLE = {
    "Ask": "a club asks for results, a phone for a seat; only the broker's thread sees the first",
    "Board": _APART,
    "BrokerError": _APART,
    "Change": _EYES,
    "Checked": "the journal's own, against what the doctor checked",
    "ClubServer": "a benchmark's process of the same command",
    "Command": "of the command line, and of the table",
    "Doubt": "of a journal, and of an outline that is set up",
    "Drawn": _APART,
    "Leaning": _EYES,
    "Light": "of a lamp, and over the lid",
    "Means": _EDGES,
    "Opened": _APART,
    "Pace": "of players of the program, and of phones that ask too much",
    "PanelPage": _EDGES,
    "Progress": "of a review, and of a set-up",
    "Refusal": "of a disk, and of the rules",
    "Scene": _EYES,
    "SettingUp": _EDGES,
    "Shape": _EYES,
    "Shown": _EDGES,
    "Sight": _EDGES,
    "Source": _EYES,
    "Stage": _EYES,
    "State": _EYES,
    "Status": _APART,
    "Task": "of a measurement, and of the web server that is extended",
    "Why": "of a choice, and of a refused cross: the rules and the play are never in one module",
}


def owners() -> dict[str, list[str]]:
    """Where each class stands, by its name."""
    found = defaultdict(list)
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            if "training" in path.parts:  # not installed
                continue
            tree = ast.parse(path.read_text(encoding="utf-8"))
            for node in ast.walk(tree):
                if isinstance(node, ast.ClassDef) and not node.name.startswith(
                    "_"
                ):  # known to its module alone
                    found[node.name].append(str(path.relative_to(ROOT)))
    return found


def test_no_class_name_has_two_owners_but_those_with_a_reason() -> None:
    double = {name: places for name, places in owners().items() if len(places) > 1}
    assert {name: places for name, places in double.items() if name not in DOUBLE} == {}
    assert DOUBLE.keys() - double.keys() == set()  # what has one owner now needs no reason
