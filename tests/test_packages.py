"""What people install holds everything, is the same whoever builds it, and is made of what is committed."""

import hashlib
import json
import re
import subprocess
import sys
import tarfile
import tomllib
import urllib.request
import zipfile
from collections.abc import Callable
from pathlib import Path

import paho.mqtt as paho
import pytest
from packaging.requirements import Requirement

from tests.packages_built import Built
from tests.test_run_command import START, free_port, read_until
from tests.waiting import PATIENCE
from tools.check_locked import versions
from tools.packages.deb import BUNDLED
from tools.packages.release import build, differing, in_the_way
from tools.packages.source import ROOT, ReleaseError, epoch_of, git

PROGRAM = ("boxlid", "companion", "vision", "hardware", "web")
# bookworm has no newer ones; tried with tools/try_deb.sh
OLDER_IN_DEBIAN = {"gpiozero": "1.6", "segno": "1.4"}
NOT_INSTALLED = ("vision/training/", "companion/play/training/", "web/types/")


def tracked() -> set[str]:
    return {name for name in git(ROOT, "ls-files", "-z").split("\0") if (ROOT / name).is_file()}


def of_the_program() -> set[str]:
    return {
        name for name in tracked() if name.split("/")[0] in PROGRAM and not name.startswith(NOT_INSTALLED)
    }


# --- what is in them ---------------------------------------------------------------------------------------


def test_the_wheel_holds_the_whole_program_with_its_languages_weights_and_pages(built: Built) -> None:
    with zipfile.ZipFile(built.wheel) as wheel:
        names = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert names == of_the_program()


def test_the_source_archive_holds_every_tracked_file(built: Built) -> None:
    with tarfile.open(built.archive) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert names == tracked() | {"PKG-INFO"}


def test_a_release_built_twice_is_the_same_to_the_byte_and_has_its_checksums(
    built: Built, tmp_path: Path
) -> None:
    (tmp_path / "a folder elsewhere").mkdir()
    build(ROOT, tmp_path / "a folder elsewhere")
    assert differing(built.folder, tmp_path / "a folder elsewhere") == []
    sums = dict(
        line.split("  ")[::-1] for line in (built.folder / "SHA256SUMS").read_text("utf-8").splitlines()
    )
    files = {each for each in built.folder.iterdir() if each.name != "SHA256SUMS"}
    assert {each.name: hashlib.sha256(each.read_bytes()).hexdigest() for each in files} == sums
    assert len(sums) == 4


def test_a_difference_is_named(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    for folder, text in ((one, "a"), (other, "b")):
        folder.mkdir()
        (folder / "same").write_text("same", "utf-8")
        (folder / "changed").write_text(text, "utf-8")
    (one / "missing").touch()
    assert differing(one, other) == ["changed", "missing"]


def test_what_is_inside_names_the_networks_and_every_locked_part(built: Built) -> None:
    listed = json.loads(built.inside.read_text("utf-8"))
    assert (listed["bomFormat"], listed["specVersion"]) == ("CycloneDX", "1.6")
    assert re.fullmatch(r"urn:uuid:[0-9a-f-]{36}", listed["serialNumber"])
    assert listed["metadata"]["component"]["version"] == built.version
    parts = {part["name"]: part for part in listed["components"]}
    locked = versions((ROOT / "tools/locked/run.txt").read_text("utf-8"))
    ours = {name for name in of_the_program() if "/weights/" in name and not name.endswith(".md")}
    assert set(parts) == {name for name, _ in locked if name != "setuptools"} | ours
    assert all(parts[name]["version"] == version for (name, _), version in locked.items() if name in parts)
    for name in ours:
        assert parts[name]["hashes"][0]["content"] == hashlib.sha256((ROOT / name).read_bytes()).hexdigest()
    assert all(part["licenses"] for part in parts.values())


def test_the_debian_package_asks_for_what_the_program_needs() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    control = (ROOT / "systemd/deb/control").read_text("utf-8")
    asked, suggested = (
        "".join(re.findall(rf"(?m)^{field}: (.*)$", control)) for field in ("Depends", "Suggests")
    )
    for line in project["optional-dependencies"]["club"]:
        extra = Requirement(line)
        if extra.name in BUNDLED:
            continue
        assert f"python3-{extra.name} ({extra.specifier}".replace("(>=", "(>= ") in suggested, line
    for name, number in OLDER_IN_DEBIAN.items():
        assert f"python3-{name} (>= {number})" in asked
    for line in project["dependencies"]:
        name = Requirement(line).name.removesuffix("-python-headless")
        if name in OLDER_IN_DEBIAN:
            continue
        for sign, number in re.findall(r"(>=|<)([\d.]+)", line):
            wanted = f"python3-{name} ({'<<' if sign == '<' else sign} "
            assert re.search(rf"{re.escape(wanted)}(1:)?{re.escape(number)}\)", asked), line


def test_the_debian_package_holds_the_locked_paho_with_its_licences(built: Built, tmp_path: Path) -> None:
    """bookworm has version 1 only, which knows neither refused messages nor late acknowledgements."""
    subprocess.run(["dpkg-deb", "-x", built.deb, tmp_path], check=True, timeout=PATIENCE)
    ours, theirs = tmp_path / "usr/share/boxlid/paho", Path(paho.__file__).parents[1]
    modules = {str(path.relative_to(theirs)): path.read_bytes() for path in theirs.rglob("*.py")}
    assert {str(path.relative_to(ours)): path.read_bytes() for path in ours.rglob("*.py")} == modules
    assert {path.name for path in (tmp_path / "usr/share/doc/boxlid/paho-mqtt").iterdir()} == {
        "LICENSE.txt",
        "edl-v10",
        "epl-v20",
    }
    listed = {part["name"]: part for part in json.loads(built.inside.read_text("utf-8"))["components"]}
    assert listed["paho-mqtt"]["properties"][0]["value"] == "this very version"


# --- the package runs --------------------------------------------------------------------------------------


def test_what_the_debian_package_holds_gives_the_first_page_and_reads_a_photograph(
    built: Built, tmp_path: Path
) -> None:
    """Its files as they lie on a machine, with the parts of this one."""
    root, port = tmp_path / "root", free_port()
    subprocess.run(["dpkg-deb", "-x", built.deb, root], check=True, timeout=PATIENCE)
    program = [sys.executable, "-s", str(root / "usr/share/boxlid/program")]
    photograph = ROOT / "tests/pictures/reading/easy_1002.jpg"
    read = subprocess.run(
        [*program, "read", photograph],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE,
    )
    found = sorted(read.stdout.strip().rpartition(": ")[2].split(", "))
    assert found == ["blue 1", "green 6", "red 1", "white 4", "white 4", "yellow 3"]
    running = subprocess.Popen(
        [
            *program,
            "run",
            "--simulate",
            "--host",
            "127.0.0.1",
            "--port",
            str(port),
            "--state",
            tmp_path / "s",
        ],
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        read_until(running, START)
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=PATIENCE) as answer:
            page = answer.read().decode()
        styles = re.search(r'href="(/a/[^"]+\.css)"', page)
        assert styles
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{styles[1]}", timeout=PATIENCE) as answer:
            assert answer.status == 200
    finally:
        running.terminate()
        running.communicate(timeout=PATIENCE)
    assert running.returncode == 0


# --- what forbids a release --------------------------------------------------------------------------------


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """As much of the project as a release looks at, committed."""
    for name in ("pyproject.toml", "CHANGELOG.md", "tools/constraints.txt", "tools/locked/run.txt"):
        _put(tmp_path / name, (ROOT / name).read_text("utf-8"))
    _put(tmp_path / "tools/locked/dev.txt", (ROOT / "tools/locked/dev.txt").read_text("utf-8"))
    git(tmp_path, "init", "--quiet")
    commit(tmp_path)
    return tmp_path


def commit(clone: Path) -> None:
    git(clone, "add", "--all")
    git(clone, "-c", "user.name=a", "-c", "user.email=a@b.invalid", "commit", "--quiet", "--message", "all")


def _put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def test_a_clone_in_order_may_be_released(clone: Path) -> None:
    assert list(in_the_way(clone)) == []


def test_what_is_not_committed_is_in_the_way(clone: Path) -> None:
    _put(clone / "new.py", "")
    assert list(in_the_way(clone)) == ["commit first: new.py"]


@pytest.mark.parametrize(
    ("file", "change", "said"),
    [
        (
            "CHANGELOG.md",
            lambda text: text.replace("## ", "## 9.9.9\n\n## ", 1),
            r"CHANGELOG.md begins with 9\.9\.9; pyproject.toml has .*",
        ),
        (
            "pyproject.toml",
            lambda text: text.replace('"flask>=2.2"', '"flask>=2.3"'),
            r"tools/locked/run.txt is not of this pyproject.toml; .*make lock",
        ),
        (
            "tools/locked/run.txt",
            lambda text: re.sub(r"(?m)^waitress==\S+", "waitress==2.1.0", text),
            r"waitress \S+ is installed, 2\.1\.0 is locked: tools/setup.sh dev",
        ),
    ],
)
def test_parts_that_do_not_fit_are_in_the_way(
    clone: Path, file: str, change: Callable[[str], str], said: str
) -> None:
    before = (clone / file).read_text("utf-8")
    _put(clone / file, change(before))
    commit(clone)
    assert any(re.fullmatch(said, line) for line in in_the_way(clone)), list(in_the_way(clone))


def test_a_date_that_is_none_is_named(clone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    assert epoch_of(clone) == int(git(clone, "log", "-1", "--format=%ct"))
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "yesterday")
    with pytest.raises(ReleaseError, match="seconds since 1970, got 'yesterday'"):
        epoch_of(clone)


def test_outside_a_clone_it_says_so(tmp_path: Path) -> None:
    with pytest.raises(ReleaseError, match="packages are made in a clone"):
        git(tmp_path, "status")
