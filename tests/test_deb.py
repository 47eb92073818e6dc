"""The Debian package over its life: the real dpkg in a folder, stand-ins for the system's programs."""

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.packages_built import Built
from tests.waiting import PATIENCE
from tools.packages.source import ROOT

# they do nothing but write down what they were called with; in a folder nothing is to be started
PROGRAMS = {
    "deb-systemd-helper": "",
    "deb-systemd-invoke": '[ ! -e "$DPKG_ROOT/taken" ] || exit 1',
    "systemctl": "",
    "systemd-sysusers": "",
    "hostname": 'case "$*" in -I) echo 192.168.1.7 ;; *) echo Lid ;; esac',
    "userdel": "",
    "id": "case $1 in -u) echo 0 ;; esac",
}
FORCED = ("script-chrootless", "depends", "not-root", "bad-path", "unsafe-io")
TELLS = re.compile(r"^boxlid: .*$", re.MULTILINE)


@pytest.fixture(scope="module")
def newer(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with a higher number."""
    folder = tmp_path_factory.mktemp("newer")
    subprocess.run(["dpkg-deb", "-R", built.deb, folder / "tree"], check=True, timeout=PATIENCE)
    control = folder / "tree/DEBIAN/control"
    control.write_text(
        control.read_text("utf-8").replace(f"Version: {built.version}", "Version: 99"), "utf-8"
    )
    command = [
        "dpkg-deb",
        "-Znone",
        "--root-owner-group",
        "-b",
        str(folder / "tree"),
        str(folder / "newer.deb"),
    ]
    subprocess.run(command, check=True, timeout=PATIENCE, capture_output=True)
    return folder / "newer.deb"


@dataclass(frozen=True)
class Machine:
    """A folder with a dpkg of its own."""

    root: Path
    programs: Path

    def dpkg(self, *arguments: object) -> "subprocess.CompletedProcess[str]":
        command = ["dpkg", f"--root={self.root}", *(f"--force-{each}" for each in FORCED)]
        return subprocess.run(
            [*command, *map(str, arguments)],
            env={"PATH": f"{self.programs}:{os.environ['PATH']}:/usr/sbin:/sbin", "LC_ALL": "C.UTF-8"},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )

    def done(self, *arguments: object) -> str:
        """What the package said while dpkg did it."""
        (self.programs / "asked").unlink(missing_ok=True)
        done = self.dpkg(*arguments)
        assert done.returncode == 0, done.stdout + done.stderr
        return "\n".join(TELLS.findall(done.stdout))

    @property
    def asked(self) -> list[str]:
        return (self.programs / "asked").read_text("utf-8").splitlines()

    @property
    def settings(self) -> Path:
        return self.root / "etc/boxlid/boxlid.toml"

    @property
    def key(self) -> Path:
        return self.root / "var/lib/boxlid/key"

    def left(self) -> list[str]:
        found = self.root.rglob("*boxlid*")
        return sorted(str(each.relative_to(self.root)) for each in found if "dpkg" not in each.parts)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    made = Machine(tmp_path / "root", tmp_path / "programs")
    for folder in ("var/lib/dpkg/info", "var/lib/dpkg/updates", "run/systemd/system"):
        (made.root / folder).mkdir(parents=True)
    (made.root / "var/lib/dpkg/status").touch()
    made.programs.mkdir()
    for name, script in PROGRAMS.items():
        path = made.programs / name
        path.write_text(f'#!/bin/sh\necho "{name} $*" >>"{made.programs}/asked"\n{script}\n', "utf-8")
        path.chmod(0o755)
    return made


def play(machine: Machine) -> None:
    """An evening: the service writes, its owner changes the settings."""
    machine.key.parent.mkdir(parents=True)
    machine.key.write_text("secret", "utf-8")
    machine.settings.write_text('[table]\nlanguage = "de"\n', "utf-8")


def is_as_played(machine: Machine) -> bool:
    return machine.key.read_text("utf-8") == "secret" and 'language = "de"' in machine.settings.read_text(
        "utf-8"
    )


def test_installed_it_has_settings_with_the_machines_name_a_user_and_a_running_service(
    machine: Machine, built: Built
) -> None:
    said = machine.done("-i", built.deb)
    assert 'names = ["lid.local"]' in machine.settings.read_text("utf-8")
    assert "pages       http://Lid.local/ and http://192.168.1.7/" in said
    assert f"systemd-sysusers --root={machine.root} boxlid.conf" in machine.asked
    assert machine.asked[-4:-2] == [
        "deb-systemd-invoke start boxlid.socket",
        "deb-systemd-invoke start boxlid.service",
    ]
    for name in ("usr/bin/boxlid", "usr/sbin/boxlid-hotspot", "usr/sbin/boxlid-kiosk"):
        assert os.access(machine.root / name, os.X_OK), name


def test_upgraded_and_downgraded_it_starts_anew_and_keeps_games_and_settings(
    machine: Machine, built: Built, newer: Path
) -> None:
    machine.done("-i", built.deb)
    play(machine)
    for package in (newer, built.deb):
        said = machine.done("-i", package)
        assert "deb-systemd-invoke restart boxlid.service" in machine.asked
        assert "keeping your settings" in said
        assert is_as_played(machine)


def test_removed_it_keeps_games_and_settings_until_it_is_purged(machine: Machine, built: Built) -> None:
    machine.done("-i", built.deb)
    play(machine)
    machine.done("-r", "boxlid")
    assert "deb-systemd-invoke stop boxlid.service boxlid.socket" in machine.asked
    assert is_as_played(machine)
    assert not (machine.root / "usr/share/boxlid").exists()
    machine.done("-i", built.deb)
    assert is_as_played(machine)
    machine.done("-P", "boxlid")
    assert "deb-systemd-helper purge boxlid.service boxlid.socket" in machine.asked
    assert machine.left() == []


def test_removed_it_takes_its_wifi_and_its_screen_along(machine: Machine, built: Built) -> None:
    machine.done("-i", built.deb)
    extras = [
        machine.root / "etc/NetworkManager/system-connections/boxlid-hotspot.nmconnection",
        machine.root / "etc/xdg/autostart/boxlid-kiosk.desktop",
    ]
    for extra in extras:
        extra.parent.mkdir(parents=True)
        extra.touch()
    machine.done("-r", "boxlid")
    assert [extra for extra in extras if extra.exists()] == []


def test_an_installation_of_a_clone_in_its_way_is_named_and_left_alone(
    machine: Machine, built: Built
) -> None:
    (machine.root / "opt/boxlid/current").mkdir(parents=True)
    refused = machine.dpkg("-i", built.deb)
    assert refused.returncode == 1
    assert "sudo make uninstall" in refused.stderr
    assert machine.left() == ["opt/boxlid"]


def test_purged_it_leaves_the_games_to_an_installation_of_a_clone(machine: Machine, built: Built) -> None:
    machine.done("-i", built.deb)
    machine.done("-r", "boxlid")
    play(machine)
    (machine.root / "opt/boxlid/current").mkdir(parents=True)
    assert "left to it" in machine.done("-P", "boxlid")
    assert is_as_played(machine)


def test_a_port_that_another_program_has_is_said_and_the_package_stays(
    machine: Machine, built: Built
) -> None:
    (machine.root / "taken").touch()
    assert "port 80 could not be had" in machine.done("-i", built.deb)


def test_units_and_command_are_those_of_the_clones_installer_but_for_the_place(
    machine: Machine, built: Built
) -> None:
    machine.done("-i", built.deb)
    for ours, theirs in {
        "boxlid.service": "usr/lib/systemd/system/boxlid.service",
        "boxlid.socket": "usr/lib/systemd/system/boxlid.socket",
        "polkit.rules": "usr/share/polkit-1/rules.d/50-boxlid.rules",
        "sysusers.conf": "usr/lib/sysusers.d/boxlid.conf",
        "avahi.service": "etc/avahi/services/boxlid.service",
        "command": "usr/bin/boxlid",
    }.items():
        installed = (machine.root / theirs).read_text("utf-8")
        assert "/opt/" not in installed
        back = installed.replace("/usr/share/boxlid/program", "/opt/boxlid/current/bin/boxlid")
        back = back.replace("/usr/share/doc/boxlid/README.md", "/opt/boxlid/README.md")
        assert back == (ROOT / "systemd" / ours).read_text("utf-8")


def test_the_clones_installer_gives_way_to_the_package(tmp_path: Path) -> None:
    for name, script in {"dpkg-query": "printf installed", "apt-get": "", "id": "echo 0"}.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{script}\n", "utf-8")
        (tmp_path / name).chmod(0o755)
    shutil.copytree(ROOT / "systemd", tmp_path / "systemd")
    done = subprocess.run(
        ["sh", tmp_path / "systemd/install.sh"],
        env={"PATH": f"{tmp_path}:/usr/bin:/bin", "BOXLID_ROOT": str(tmp_path / "root")},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 1
    assert "sudo apt remove boxlid" in done.stderr
    assert not (tmp_path / "root").exists()
