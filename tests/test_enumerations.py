"""Every mapping from an enumeration has all its members, or says here why it may leave some out."""

import ast
import re
from collections.abc import Iterator
from enum import Enum
from importlib import import_module
from pathlib import Path

from companion.view.setting_up import Step
from hardware.panel import Press

ROOT = Path(__file__).parent.parent
PACKAGES = ("boxlid", "companion", "vision", "hardware", "web")
# Looked up with `get` or `in`: who is not in it has nothing to be told, heard or counted.
PARTIAL = {
    "companion/checks/installation.py marks": "what has no mark was installed by pip",
    "companion/host/joined.py shows": "the parts that this host has",
    "companion/host/looking.py KINDS": "what is wrong with a camera in other ways is one kind",
    "companion/host/photographs.py SAID_OF_PHOTOGRAPHS": "other problems are said as of any picture",
    "hardware/real.py BEEPS": "what needs no hand is not heard",
    "companion/view/sayings.py ALOUD": "what needs no hand is not said",
    "vision/cameras/watch.py SAID": "what a picture can be judged to be",
    "web/photographs.py REFUSED": "what is not refused is answered with the view",
    "vision/simulation/style.py LID_FLOORS": "what else dice lie on does not lie in lids",
    "vision/simulation/style.py bodies": "the colours of the drawn dice",
}


def mappings(file: Path) -> Iterator[tuple[str, list[Enum]]]:
    """Each dict of the file whose keys are members of an enumeration: where it is, and the members."""
    module = import_module(".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"))
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Dict(keys=keys)):
                pass
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.Dict(keys=keys)):
                pass
            case ast.Dict(keys=keys):
                name = f"line {node.lineno}"
            case _:
                continue
        members = [_member(module, key) for key in keys]
        found = [member for member in members if member is not None]
        if found and len(found) == len(members):
            yield f"{file.relative_to(ROOT)} {name}", found


def _member(module: object, key: ast.expr | None) -> Enum | None:
    match key:
        case ast.Attribute(value=ast.Name(id=owner), attr=name):
            member = getattr(getattr(module, owner, None), name, None)
            return member if isinstance(member, Enum) else None
        case _:
            return None


def test_every_mapping_from_an_enumeration_has_all_its_members() -> None:
    files = [file for package in PACKAGES for file in sorted((ROOT / package).rglob("*.py"))]
    files = [file for file in files if "training" not in file.parts and file.name != "__main__.py"]
    partial: dict[str, list[str]] = {}
    names = set[str]()
    for file in files:
        named = {where: found for where, found in mappings(file) if " line " not in where}
        unnamed = [(w, f) for w, f in mappings(file) if " line " in w and f not in named.values()]
        for where, found in (*named.items(), *unnamed):
            names.add(where)
            if missing := set(type(found[0])) - set(found):
                partial[where] = sorted(member.name for member in missing)
    assert len(names) > 15
    assert partial.keys() - PARTIAL.keys() == set(), partial
    assert PARTIAL.keys() - partial.keys() == set()  # what is complete now needs no reason


def keys_of(script: str, name: str) -> set[str]:
    """The keys of an object in one of the pages' scripts, one level deep."""
    text = (ROOT / "web" / "static" / script).read_text(encoding="utf-8")
    found = re.search(rf"const {name} = \{{(.*?)\}};", text, re.DOTALL)
    assert found
    return {quoted or plain for quoted, plain in re.findall(r'(?:"([a-z ]+)"|\b([a-z]+)):', found[1])}


def test_the_set_up_page_knows_every_button_and_every_step() -> None:
    assert keys_of("setup-panel.js", "BUTTON") >= {str(press) for press in Press}
    assert keys_of("setup-steps.js", "PAINT") >= {str(step) for step in Step}
