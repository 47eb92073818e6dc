"""`boxlid bench` where something that a part needs is missing or does not start: one line says what to do."""

import sys
from pathlib import Path

import pytest

from companion.benchmarks.club import ClubServer
from companion.benchmarks.mosquitto import Mosquitto
from companion.cli import main
from companion.commands import bench
from companion.process.command_error import CommandError
from tests.wording import refused

WITH_A_BROKER = ("mqtt", "club")


@pytest.fixture
def without_paho(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "paho.mqtt.client", None)


@pytest.fixture
def without_mosquitto(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("companion.benchmarks.mosquitto._PLACES", str(tmp_path))


@pytest.mark.usefixtures("without_paho")
@pytest.mark.parametrize("part", WITH_A_BROKER)
def test_a_part_without_its_package_says_what_to_install_as_the_club_does(
    part: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", part]) == 1
    said = capsys.readouterr().err
    assert said.startswith(
        "boxlid bench: a broker needs the package paho-mqtt, version 2 or newer: pip install"
    )
    assert said.count("\n") == 1


@pytest.mark.usefixtures("without_mosquitto")
@pytest.mark.parametrize("part", WITH_A_BROKER)
def test_a_part_without_its_broker_says_what_to_install(
    part: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", part]) == 1
    assert capsys.readouterr().err == "boxlid bench: mosquitto is not installed: sudo apt install mosquitto\n"


@pytest.mark.usefixtures("without_paho")
def test_who_names_no_part_has_those_that_can_be_measured_and_is_told_of_the_others(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        bench, "PARTS", {"mqtt": bench.PARTS["mqtt"], "rules": lambda _: iter(["a figure of rules"])}
    )
    assert main(["bench"]) == 0
    said = capsys.readouterr().out
    assert "not measured: a broker needs the package paho-mqtt" in said
    assert said.endswith("a figure of rules\n")


def test_a_club_that_does_not_start_is_told_with_its_own_last_words(tmp_path: Path) -> None:
    nowhere = Path("/proc/nowhere/club.db")
    club = ClubServer(Mosquitto(tmp_path / "broker"), tmp_path / "club", nowhere)
    with refused(CommandError, match=f"the club does not start; its last words: .*{nowhere}"):
        club.start()
