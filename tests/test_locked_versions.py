"""One locked set of versions: it fits pyproject.toml, has a hash for every file, and drift is named."""

import re
import shutil
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools.check_locked import LOCKED, ROOT, drift, versions

PYTHONS = ("3.11", "3.12", "3.13")


def locked(name: str) -> str:
    return (ROOT / "tools" / "locked" / f"{name}.txt").read_text(encoding="utf-8")


def test_the_locked_versions_are_those_of_this_project() -> None:
    assert list(drift()) == []


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_each_requirement_is_met_by_a_locked_version(python: str, machine: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    here = {
        "python_version": python,
        "python_full_version": f"{python}.2",
        "platform_machine": machine,
        "sys_platform": "linux",
        "platform_python_implementation": "CPython",
    }
    for name, more in zip(LOCKED, ([], project["optional-dependencies"]["dev"]), strict=True):
        found = {
            canonicalize_name(package): version
            for (package, marker), version in versions(locked(name)).items()
            if not marker or _counts(marker, here)
        }
        for line in [*project["dependencies"], *more]:
            wanted = Requirement(line)
            if wanted.marker is None or wanted.marker.evaluate(here):
                assert wanted.specifier.contains(found[canonicalize_name(wanted.name)]), (line, name)


def _counts(marker: str, here: dict[str, str]) -> bool:
    wanted = Requirement(f"some {marker}").marker
    return wanted is not None and wanted.evaluate(here)


def test_waitress_is_held_below_its_next_major_version() -> None:
    """Some of its internals are overridden."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (line,) = (line for line in project["dependencies"] if line.startswith("waitress"))
    assert not Requirement(line).specifier.contains("4.0")


@pytest.mark.parametrize(
    ("file", "change", "named"),
    [
        (
            "pyproject.toml",
            lambda text: text.replace('"flask>=2.2"', '"flask>=2.3"'),
            "run.txt is not of this",
        ),
        (
            "tools/locked/run.txt",
            lambda text: re.sub(r"(?m)^(flask==\S+) \\\n(    --hash.*\n)+", r"\1\n", text),
            "run.txt has no hash for flask",
        ),
        (
            "tools/locked/run.txt",
            lambda text: re.sub(r"(?m)^waitress==\S+", "waitress==2.1.0", text),
            "waitress==2.1.0 runs, but is not what the tests run with",
        ),
    ],
)
def test_what_drifts_is_named_with_what_to_do(
    tmp_path: Path, file: str, change: Callable[[str], str], named: str
) -> None:
    shutil.copytree(ROOT / "tools" / "locked", tmp_path / "tools" / "locked")
    for name in ("pyproject.toml", "tools/constraints.txt"):
        shutil.copy(ROOT / name, tmp_path / name)
    assert list(drift(tmp_path)) == []
    path = tmp_path / file
    changed = change(path.read_text(encoding="utf-8"))
    assert changed != path.read_text(encoding="utf-8")
    path.write_text(changed, encoding="utf-8")
    said = list(drift(tmp_path))
    assert any(named in line for line in said), said
    assert all(line.endswith("make lock") for line in said)


def test_every_way_to_install_takes_the_locked_versions() -> None:
    for script in ("tools/setup.sh", "systemd/install.sh"):
        text = (ROOT / script).read_text(encoding="utf-8")
        assert "--require-hashes --requirement" in text
        assert "--no-build-isolation" in text  # else what builds it would be fetched, whatever is newest
