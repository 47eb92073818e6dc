"""The appliance: hardened units that systemd understands, and an installer that fits them."""

import configparser
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.waiting import PATIENCE

FOLDER = Path(__file__).parent.parent / "systemd"
SERVICE = FOLDER / "boxlid.service"
SOCKET = FOLDER / "boxlid.socket"
MOST_EXPOSED = 15  # in tenths, as systemd-analyze counts thresholds
SCRIPTS = sorted(FOLDER.glob("*.sh"))


def text(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def settings(path: Path) -> dict[str, list[str]]:
    """Every key of a unit with its values."""
    found: dict[str, list[str]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if "=" in line and not line.startswith("#"):
            key, _, value = line.partition("=")
            found.setdefault(key, []).append(value)
    return found


def analyze(*arguments: str) -> subprocess.CompletedProcess[str]:
    assert shutil.which("systemd-analyze"), "tools/setup.sh dev installs systemd-analyze"
    return subprocess.run(
        ["systemd-analyze", *arguments], capture_output=True, text=True, timeout=PATIENCE, check=False
    )


def test_the_service_is_hardly_exposed() -> None:
    done = analyze("security", "--offline=true", "--no-pager", f"--threshold={MOST_EXPOSED}", str(SERVICE))
    assert done.returncode == 0, done.stdout.splitlines()[-1]


def test_systemd_understands_every_line_of_the_units(tmp_path: Path) -> None:
    service = re.sub("(?m)^ExecStart=.*$", "ExecStart=/bin/true", SERVICE.read_text(encoding="utf-8"))
    (tmp_path / SERVICE.name).write_text(service, encoding="utf-8")
    shutil.copy(SOCKET, tmp_path)
    done = analyze("verify", str(tmp_path / SERVICE.name), str(tmp_path / SOCKET.name))
    assert (done.returncode, done.stderr) == (0, "")


def test_a_misspelt_line_would_be_noticed(tmp_path: Path) -> None:
    """systemd-analyze verify ends with 0 all the same."""
    service = re.sub("(?m)^ExecStart=.*$", "ExecStart=/bin/true", SERVICE.read_text(encoding="utf-8"))
    (tmp_path / SERVICE.name).write_text(service.replace("PrivateTmp", "PrivateTemp"), encoding="utf-8")
    shutil.copy(SOCKET, tmp_path)
    assert "PrivateTemp" in analyze("verify", str(tmp_path / SERVICE.name)).stderr


def test_the_service_says_when_it_is_ready_and_is_watched() -> None:
    unit = settings(SERVICE)
    assert unit["Type"] == ["notify"]
    assert unit["WatchdogSec"] == ["30"]
    assert unit["Restart"] == ["always"]
    assert settings(SOCKET)["ListenStream"] == ["80"]


def test_wrong_settings_do_not_have_the_service_started_again_and_again() -> None:
    """`boxlid run` ends with 2 on a wrong call; anything else is worth another try."""
    unit = (FOLDER / "boxlid.service").read_text(encoding="utf-8")
    assert "\nRestart=always\n" in unit
    assert "\nRestartPreventExitStatus=2\n" in unit


def test_the_service_may_touch_camera_pins_and_loudspeaker_and_no_other_device() -> None:
    unit = settings(SERVICE)
    assert unit["DevicePolicy"] == ["closed"]
    classes = {value.split()[0] for value in unit["DeviceAllow"]}
    assert {"char-video4linux", "char-gpiochip", "char-media", "char-dma_heap", "char-alsa"} <= classes
    assert not classes & {"char-mem", "block-sd", "/dev/mem", "/dev/gpiomem"}


def test_the_user_of_the_service_is_made_with_the_groups_of_its_devices() -> None:
    lines = [line.split() for line in text("sysusers.conf").splitlines() if line and line[0] != "#"]
    user = settings(SERVICE)["User"][0]
    assert ["u", user] in [line[:2] for line in lines]
    assert {line[2] for line in lines if line[:2] == ["m", user]} == {"video", "audio", "gpio"}


def test_only_the_user_of_the_service_may_switch_off() -> None:
    rule = text("polkit.rules")
    assert f'subject.user == "{settings(SERVICE)["User"][0]}"' in rule
    assert set(re.findall(r'"(org\.freedesktop\.[\w.-]+)"', rule)) == {
        "org.freedesktop.login1.power-off",
        "org.freedesktop.login1.power-off-multiple-sessions",
    }
    assert rule.count("Result.YES") == 1


def test_the_announced_port_is_the_one_systemd_listens_on() -> None:
    assert f"<port>{settings(SOCKET)['ListenStream'][0]}</port>" in text("avahi.service")


def test_the_service_finds_settings_and_state_where_the_installer_puts_them() -> None:
    command = settings(SERVICE)["ExecStart"][0]
    places = configparser.ConfigParser()
    lines = [line for line in text("common.sh").splitlines() if re.fullmatch(r"\w+=\$root/[\w/.]+", line)]
    places.read_string("[places]\n" + "\n".join(lines).replace("$root", ""))
    assert f"{places['places']['home']}/current/bin/boxlid run" in command
    assert f"--config {places['places']['config']}" in command
    assert f"--state {places['places']['state']}" in command
    assert settings(SERVICE)["StateDirectory"] == [Path(places["places"]["state"]).name]


def test_what_is_installed_is_taken_away_again() -> None:
    put = set(re.findall(r'^put \S+ "(\S+)"', text("install.sh"), re.MULTILINE))
    removed = text("uninstall.sh")
    assert len(put) == 6
    for place in put:
        assert f'"{place}"' in removed or place.replace("$units", '"$units') in removed


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_the_scripts_are_plain_shell(script: Path) -> None:
    subprocess.run(["sh", "-n", script], check=True, timeout=PATIENCE)


@pytest.mark.parametrize(
    "script", [each for each in SCRIPTS if each.name != "common.sh"], ids=lambda s: s.name
)
def test_the_scripts_change_nothing_without_root(script: Path) -> None:
    lines = [line for line in script.read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]
    assert lines[:3] == ["set -eu", '. "$(dirname "$(readlink -f "$0")")/common.sh"', "need_root"]


@pytest.mark.parametrize("name", ["doctor", "calibrate", "panel-test"])
def test_the_installed_command_knows_where_settings_and_games_are(name: str, tmp_path: Path) -> None:
    said = tmp_path / "said"
    for tool in ("sudo", "runuser"):
        (tmp_path / tool).write_text(f'#!/bin/sh\necho "$@" >{said}\n', encoding="utf-8")
        (tmp_path / tool).chmod(0o755)
    command = [str(FOLDER / "command"), name, "--json"]
    environment = {"PATH": f"{tmp_path}:/usr/bin:/bin"}
    subprocess.run(["sh", *command], check=True, timeout=PATIENCE, env=environment)
    state, config = (
        settings(SERVICE)["ExecStart"][0].split("--state ")[1].split()[0],
        "/etc/boxlid/boxlid.toml",
    )
    called = said.read_text(encoding="utf-8")
    assert called.endswith(f"/opt/boxlid/current/bin/boxlid {name} --config {config} --json\n")
    assert f"XDG_DATA_HOME={Path(state).parent} " in called
    assert Path(state).name == "boxlid"


def test_the_makefile_offers_each_of_them() -> None:
    makefile = (FOLDER.parent / "Makefile").read_text(encoding="utf-8")
    for target, script in {
        "install": "install",
        "uninstall": "uninstall",
        "install-previous": "previous",
    }.items():
        assert f"\n{target}:\n\t@systemd/{script}.sh\n" in makefile
