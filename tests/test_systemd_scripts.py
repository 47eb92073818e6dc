"""The appliance's scripts, run over a folder that stands for the system, with stand-ins for its programs."""

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.waiting import PATIENCE

FOLDER = Path(__file__).parent.parent / "systemd"
# What a service restarted in a version called broken does; `asked` is what the program was called with.
STANDINS = {
    "id": "case $1 in -u) echo 0 ;; *) exit 1 ;; esac",
    "systemctl": """case "$* $(readlink "$BOXLID_ROOT/opt/boxlid/current")" in
        *restart*broken*) exit 1 ;;
    esac""",
    "python3": "cat >/dev/null",  # a page answers
    "nmcli": "case $* in *device*) echo wifi ;; esac",
    "userdel": "",
}


@dataclass(frozen=True)
class Box:
    """A machine in a folder."""

    root: Path
    programs: Path

    def stand_in(self, name: str, script: str) -> None:
        path = self.programs / name
        path.write_text(
            f'#!/bin/sh\necho "{name} $*" >>"{self.programs}/asked"\n{script}\n', encoding="utf-8"
        )
        path.chmod(0o755)

    @property
    def asked(self) -> str:
        path = self.programs / "asked"
        return path.read_text(encoding="utf-8") if path.exists() else ""

    def run(self, script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        environment = {"PATH": f"{self.programs}:/usr/bin:/bin", "BOXLID_ROOT": str(self.root)}
        return subprocess.run(
            ["sh", str(FOLDER / script), *arguments],
            env=environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )

    def version(self, name: str) -> None:
        (self.root / "opt/boxlid/versions" / name).mkdir(parents=True)

    def link(self, name: str, version: str) -> None:
        (self.root / "opt/boxlid" / name).symlink_to(f"versions/{version}")

    def links(self) -> dict[str, str]:
        home = self.root / "opt/boxlid"
        return {name: (home / name).readlink().name for name in ("current", "previous")}


@pytest.fixture
def box(tmp_path: Path) -> Box:
    made = Box(tmp_path / "root", tmp_path / "programs")
    (made.root / "run/systemd/system").mkdir(parents=True)
    made.programs.mkdir()
    for name, script in STANDINS.items():
        made.stand_in(name, script)
    return made


# --- settings and links ------------------------------------------------------------------------------------


def test_uninstalling_keeps_the_settings_where_only_root_writes_and_follows_no_link(
    box: Box, tmp_path: Path
) -> None:
    """Whoever took the service over can put a link into the service's own folder."""
    precious = tmp_path / "precious"
    precious.write_text("root's", encoding="utf-8")
    config, state = box.root / "etc/boxlid/boxlid.toml", box.root / "var/lib/boxlid"
    config.parent.mkdir(parents=True)
    config.write_text("[web]\n", encoding="utf-8")
    state.mkdir(parents=True)
    (state / "boxlid.toml").symlink_to(precious)
    done = box.run("uninstall.sh")
    assert done.returncode == 0, done.stderr
    assert precious.read_text(encoding="utf-8") == "root's"
    assert config.read_text(encoding="utf-8") == "[web]\n"
    assert f"settings in {config}" in done.stdout


@pytest.mark.parametrize("script", ["install.sh", "uninstall.sh", "previous.sh"])
def test_root_does_nothing_in_the_folder_of_the_service(script: str) -> None:
    """Not even look: what is there may be a link by the time it is used."""
    lines = (FOLDER / script).read_text(encoding="utf-8").splitlines()
    used = [line for line in lines if "$state" in line and not line.lstrip().startswith(("say ", "#"))]
    assert used == []


# --- versions ----------------------------------------------------------------------------------------------


def test_going_back_exchanges_the_two_versions(box: Box) -> None:
    for name, version in (("current", "new"), ("previous", "old")):
        box.version(version)
        box.link(name, version)
    done = box.run("previous.sh")
    assert done.returncode == 0, done.stderr
    assert box.links() == {"current": "old", "previous": "new"}


def test_an_older_version_that_gives_no_page_is_left_again(box: Box) -> None:
    for name, version in (("current", "new"), ("previous", "broken")):
        box.version(version)
        box.link(name, version)
    done = box.run("previous.sh")
    assert done.returncode == 1
    assert "version broken gave no page within a minute: new runs again" in done.stderr
    assert box.links() == {"current": "new", "previous": "broken"}
    assert box.asked.count("restart boxlid.service") == 2


def test_where_neither_version_gives_a_page_it_says_so(box: Box) -> None:
    for name, version in (("current", "broken-too"), ("previous", "broken")):
        box.version(version)
        box.link(name, version)
    done = box.run("previous.sh")
    assert done.returncode == 1
    assert "neither broken nor broken-too gave a page" in done.stderr
    assert box.links()["current"] == "broken-too"


# --- a wifi of its own -------------------------------------------------------------------------------------

CONNECTION = "etc/NetworkManager/system-connections/boxlid-hotspot.nmconnection"


def test_the_wifi_gets_a_password_that_no_command_is_given(box: Box) -> None:
    done = box.run("hotspot.sh", "on")
    assert done.returncode == 0, done.stderr
    file = box.root / CONNECTION
    found = re.search(r"^psk=([a-z2-9]{10})$", file.read_text(encoding="utf-8"), re.MULTILINE)
    assert found
    assert f"password {found[1]}," in done.stdout
    assert found[1] not in box.asked
    assert file.stat().st_mode & 0o077 == 0
    again = box.run("hotspot.sh", "on")
    assert f"password {found[1]}," in again.stdout  # phones know it by now
    assert "autoconnect-priority=-10" in file.read_text(encoding="utf-8")  # a known wifi is taken first


@pytest.mark.parametrize(
    ("failing", "said"),
    [
        ("case $* in *device*) echo ethernet ;; esac", "no wifi that NetworkManager knows"),
        ("case $* in *device*) echo wifi ;; *reload*) exit 1 ;; esac", "NetworkManager does not answer"),
        ("case $* in *device*) echo wifi ;; *show*) exit 10 ;; esac", "does not take the wifi, so it is off"),
    ],
)
def test_a_wifi_that_does_not_come_up_is_not_said_to(box: Box, failing: str, said: str) -> None:
    box.stand_in("nmcli", failing)
    done = box.run("hotspot.sh", "on")
    assert done.returncode == 1
    assert said in done.stderr
    assert "password" not in done.stdout


def test_a_file_without_a_password_left_by_a_failure_is_written_anew(box: Box) -> None:
    file = box.root / CONNECTION
    file.parent.mkdir(parents=True)
    file.write_text("", encoding="utf-8")
    done = box.run("hotspot.sh", "on")
    assert re.search(r"password [a-z2-9]{10},", done.stdout)
    assert box.run("hotspot.sh", "off").returncode == 0
    assert not file.exists()


# --- what is installed -------------------------------------------------------------------------------------


def test_the_installer_takes_the_locked_versions_with_their_hashes_but_the_systems_numpy() -> None:
    """Run as the script has it: the function that picks the lines of the list."""
    script = (FOLDER / "install.sh").read_text(encoding="utf-8")
    function = re.search(r"^locked\(\) \{.*?^\}", script, re.MULTILINE | re.DOTALL)
    assert function
    picked = {
        bits: subprocess.run(
            ["sh", "-c", f"source={FOLDER.parent}\n{function[0]}\nlocked '{which}'"],
            capture_output=True,
            text=True,
            check=True,
            timeout=PATIENCE,
        ).stdout
        for bits, which in re.findall(r"(then|else) locked '(.*?)'", script)
    }
    names = {bits: re.findall(r"^([a-z0-9-]+)==", lines, re.MULTILINE) for bits, lines in picked.items()}
    assert {"flask", "waitress", "opencv-python-headless", "setuptools"} <= set(names["then"])
    assert "numpy" not in names["then"]
    assert names["else"] == ["segno", "setuptools"]
    assert all(line.startswith("    --hash=sha256:") or "==" in line for line in picked["then"].splitlines())
    assert "--require-hashes" in script
    assert "--no-deps" in script
