"""The documentation says what is so: commands, files, and the doctor's own words."""

import ast
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from boxlid.errors import StatementKind
from companion.cli import COMMANDS, main
from companion.findings.kinds import Checked, Found
from companion.words import OTHER, catalogues

ROOT = Path(__file__).parent.parent
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
DECISIONS = sorted((ROOT / "docs" / "decisions").glob("*.md"))
KINDS: dict[str, type[StatementKind]] = {"Checked": Checked, "Found": Found}
HOLE = re.compile(r"\{\w*\}")
CHECKS = [
    *sorted((ROOT / "companion" / "checks").glob("*.py")),
    ROOT / "companion" / "commands" / "doctor.py",
]


@dataclass(frozen=True)
class Advice:
    """What a check says and advises, holes as dots."""

    check: str
    says: str
    advises: str


# --- the doctor -------------------------------------------------------------------------------------------


def texts(node: ast.expr, scopes: list[ast.AST]) -> list[str]:
    """The words that an argument may have: a kind's own, or those of whatever was given to its name.

    What others say of themselves is all dots.
    """
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in KINDS:
        text = catalogues()["en"].texts[KINDS[node.value.id][node.attr]]
        return [HOLE.sub("…", text if isinstance(text, str) else text[OTHER])]
    for scope in scopes:
        if found := [text for value in given(ast.unparse(node), scope) for text in texts(value, [])]:
            return found
    return ["…"]


def given(name: str, scope: ast.AST) -> list[ast.expr]:
    """Everything that is assigned to that name there."""
    found: list[ast.expr] = []
    for each in ast.walk(scope):
        if not isinstance(each, ast.Assign):
            continue
        for target in each.targets:
            if isinstance(target, ast.Tuple) and isinstance(each.value, ast.Tuple):
                pairs = zip(target.elts, each.value.elts, strict=True)
            else:
                pairs = zip([target], [each.value], strict=True)
            found += [
                value
                for what, value in pairs
                if isinstance(what, ast.Name)
                and what.id == name
                and isinstance(value, ast.Attribute)
                and ast.unparse(value.value) in KINDS
            ]
    return found


def the_doctors() -> set[Advice]:
    found = set()
    for path in CHECKS:
        module = ast.parse(path.read_text(encoding="utf-8"))
        for scope in [each for each in ast.walk(module) if isinstance(each, ast.FunctionDef)]:
            for call in [each for each in ast.walk(scope) if isinstance(each, ast.Call)]:
                if isinstance(call.func, ast.Name) and call.func.id in ("wrong", "note"):
                    what, says, advises = (texts(node, [scope, module]) for node in call.args[:3])
                    found |= {Advice(*parts) for parts in _all(what, says, advises)}
    return found


def _all(what: list[str], says: list[str], advises: list[str]) -> list[tuple[str, str, str]]:
    return [(one, two, three) for one in what for two in says for three in advises]


def the_pages() -> set[Advice]:
    text = (ROOT / "docs" / "troubleshooting.md").read_text(encoding="utf-8")
    table = text.partition("## What the doctor says")[2].partition("\n## ")[0]
    rows = [line.strip("|").split("|") for line in table.splitlines() if line.startswith("| ")]
    return {Advice(*(cell.strip() for cell in row[:3])) for row in rows[1:]}


def plain(advice: Advice) -> Advice:
    """Names of groups, and lists, are holes in the code and written out on the page."""
    written = re.sub(r"video,gpio|\[…\]", "…", advice.advises)
    return Advice(advice.check, advice.says, written)


def test_the_troubleshooting_page_has_the_doctors_words_and_no_others() -> None:
    ours, theirs = {plain(each) for each in the_pages()}, {plain(each) for each in the_doctors()}
    assert len(theirs) > 25
    several = {
        each.says
        for each in theirs
        if len({other.advises for other in theirs if other.says == each.says}) > 1
    }
    assert {each for each in ours if each.says not in several} - theirs == set()
    assert {(each.check, each.says) for each in theirs} == {(each.check, each.says) for each in ours}
    assert {each.advises for each in theirs} == {each.advises for each in ours}


# --- what the pages name ----------------------------------------------------------------------------------


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_a_page_links_and_shows_only_what_is_there(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    named = re.findall(r'\]\(([^)#:]+)\)|src="([^"]+)"', text)
    for link in [one or two for one, two in named]:
        assert (page.parent / link).exists(), f"{page.name} names {link}"


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_a_page_names_only_files_commands_and_targets_that_are_there(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for path in re.findall(
        r"`((?:boxlid|companion|vision|hardware|web|systemd|tests|tools|docs)/[\w./-]*)`", text
    ):
        assert (ROOT / path).exists(), f"{page.name} names {path}"
    for command in re.findall(r"(?:^    |`|/bin/)boxlid ([a-z-]+)", text, re.M):
        assert command in COMMANDS, f"{page.name} names boxlid {command}"
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)
    for target in re.findall(r"(?:^    |`)(?:sudo )?make ([a-z-]+)", text, re.M):
        assert target in targets, f"{page.name} names make {target}"


def test_the_readme_names_every_command() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert {command for command in COMMANDS if f"boxlid {command}" not in text} == set()


def test_the_readme_begins_with_a_picture_and_two_commands() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    before, _, after = text.partition("## Two commands")
    assert "](docs/pictures/" in before
    assert [line for line in after.splitlines() if line.startswith("    make ")][:2] == [
        line for line in after.splitlines() if line.startswith(("    make run", "    make test"))
    ]


def test_the_readme_quotes_the_doctor_word_for_word() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    text = text.partition("## When something is wrong")[2].partition("\n## ")[0]
    rows = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("| ")][1:]
    quoted = {(row[0].strip(), row[1].strip()) for row in rows if len(row) == 2}
    assert len(quoted) == 5
    assert quoted - {(each.says, each.advises) for each in the_doctors()} == set()


def test_the_readme_names_only_options_that_the_commands_have(capsys: pytest.CaptureFixture[str]) -> None:
    rows = re.findall(r"^\| `boxlid ([a-z-]+).*$", (ROOT / "README.md").read_text(encoding="utf-8"), re.M)
    lines = [
        line
        for line in (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
        if line[:10] == "| `boxlid "
    ]
    assert len(rows) >= 8
    for name, line in zip(rows, lines, strict=True):
        with pytest.raises(SystemExit):
            main([name, "--help"])
        known = capsys.readouterr().out
        for option in re.findall(r"--[a-z-]+", line):
            assert option in known, f"boxlid {name} has no {option}"


def test_each_decision_has_a_number_of_its_own_before_its_title() -> None:
    numbers = [path.name[:3] for path in DECISIONS]
    assert [number for number in set(numbers) if numbers.count(number) > 1] == []
    for path in DECISIONS:
        title = path.read_text(encoding="utf-8").partition("\n")[0]
        assert re.fullmatch(rf"# {path.name[:3]} [A-Z“\"].+", title), (path.name, title)
