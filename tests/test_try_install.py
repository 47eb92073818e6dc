"""The trial of the package in a Debian folder: whose fault a failure is. Stand-ins for all programs."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.waiting import PATIENCE
from tools.packages.source import ROOT

# they write down what they were called with, and do what a folder needs to go on
PROGRAMS = {
    "id": "echo ${USER_ID:-0}",
    "sleep": "",
    "apt-get": "echo trixie http://a.mirror.invalid/debian/; echo bookworm http://the.mirror.invalid/debian/",
    "apt-config": "",
    "debootstrap": 'for root; do case $root in /*) mkdir -p "$root/etc/apt/apt.conf.d" '
    '"$root/etc/dpkg/dpkg.cfg.d" "$root/root" ;; esac; done',
    "unshare": "",
}
FAILS = 'case "$*" in *"{words}"*) echo "E: as it is" >&2; exit 100 ;; esac\n'


class Trial:
    """The script, where every program but the shell's own is a stand-in."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "programs").mkdir()
        (folder / "boxlid.deb").touch()
        for name in PROGRAMS:
            self.let(name)

    def let(self, name: str, *, fail_at: str | None = None) -> None:
        path = self.folder / "programs" / name
        fails = "" if fail_at is None else FAILS.format(words=fail_at)
        path.write_text(f'#!/bin/sh\necho {name} $* >>"{self.folder}/asked"\n{fails}{PROGRAMS[name]}\n')
        path.chmod(0o755)

    def run(self, **environment: str) -> "subprocess.CompletedProcess[str]":
        path = f"{self.folder / 'programs'}:{os.environ['PATH']}"
        (self.folder / "tmp").mkdir()
        return subprocess.run(
            [ROOT / "tools/try_install.sh", "bookworm", self.folder / "boxlid.deb"],
            env={"PATH": path, "TMPDIR": str(self.folder / "tmp")} | environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )

    def asked(self, name: str) -> list[str]:
        lines = (self.folder / "asked").read_text("utf-8").splitlines()
        return [line for line in lines if line.startswith(f"{name} ")]


@pytest.fixture
def trial(tmp_path: Path) -> Trial:
    return Trial(tmp_path)


def test_it_asks_the_mirror_of_this_machines_apt_and_leaves_nothing_behind(trial: Trial) -> None:
    done = trial.run()
    assert done.returncode == 0, done.stderr
    (asked,) = trial.asked("debootstrap")
    assert asked.endswith(" http://the.mirror.invalid/debian/")
    assert list((trial.folder / "tmp").iterdir()) == []


@pytest.mark.parametrize(
    ("program", "at", "what"),
    [
        ("debootstrap", "--variant=minbase", "Debian's bookworm"),
        ("unshare", "apt-get update", "the list of packages"),
        ("unshare", "--download-only", "what it depends on"),
    ],
)
def test_a_mirror_that_stumbles_is_tried_three_times_and_then_named_and_not_the_package(
    trial: Trial, program: str, at: str, what: str
) -> None:
    trial.let(program, fail_at=at)
    done = trial.run()
    assert done.returncode == 75
    assert f"MIRROR: {what} could not be had from http://the.mirror.invalid/debian/" in done.stderr
    assert "WRONG" not in done.stderr
    assert len([line for line in trial.asked(program) if at in line]) == 3


@pytest.mark.parametrize(
    ("at", "said"),
    [
        ("--simulate", "apt does not know how to install it"),
        ("Dpkg::Use-Pty", "apt could not install it"),
        ("first_page.py", "it does not run"),
    ],
)
def test_a_package_that_is_wrong_is_said_at_once_with_the_last_words(
    trial: Trial, at: str, said: str
) -> None:
    trial.let("unshare", fail_at=at)
    done = trial.run()
    assert done.returncode == 1
    assert re.search(rf"WRONG: the package in bookworm: {said}\nE: as it is$", done.stderr, re.MULTILINE)
    assert len([line for line in trial.asked("unshare") if at in line]) == 1


def test_without_root_it_says_what_was_not_tried(trial: Trial) -> None:
    done = trial.run(USER_ID="1000")
    assert done.returncode == 2
    assert "NOT TRIED: apt install in a Debian folder" in done.stderr
    assert not trial.asked("debootstrap")


def test_where_nothing_may_be_mounted_it_says_what_was_not_tried(trial: Trial) -> None:
    trial.let("unshare", fail_at="-m true")
    done = trial.run()
    assert done.returncode == 2
    assert "NOT TRIED" in done.stderr
    assert not trial.asked("debootstrap")


@pytest.mark.parametrize(("ends_with", "ci"), [(0, 0), (1, 1), (2, 0), (75, 0)])
def test_ci_fails_for_a_wrong_package_and_not_for_a_mirror_or_a_machine(
    ends_with: int, ci: int, tmp_path: Path
) -> None:
    here = tmp_path / "project"
    for path, text in {
        ".ci/run": (ROOT / ".ci/run").read_text("utf-8"),
        "tools/try_install.sh": f"#!/bin/sh\necho what the trial says; exit {ends_with}\n",
        "programs/make": "#!/bin/sh\necho 7 passed\n",
    }.items():
        (here / path).parent.mkdir(parents=True, exist_ok=True)
        (here / path).write_text(text)
        (here / path).chmod(0o755)
    environment = {"PATH": f"{here / 'programs'}:{os.environ['PATH']}"}
    done = subprocess.run([here / ".ci/run"], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == ci, done.stderr
    assert "what the trial says" in done.stdout
    assert done.stdout.splitlines()[-1] == "7 passed"


def test_a_machine_whose_apt_knows_no_debian_is_told_to_name_a_mirror(trial: Trial) -> None:
    path = trial.folder / "programs/apt-get"
    path.write_text("#!/bin/sh\necho noble http://ubuntu.invalid/ubuntu/\n")
    done = trial.run()
    assert done.returncode != 0
    assert "name one: MIRROR=http://" in done.stderr


def test_what_it_needs_is_installed_for_tests() -> None:
    assert shutil.which("debootstrap", path=f"{os.environ['PATH']}:/usr/sbin")
