"""`boxlid run` as a process: starts, answers, stops in order; mistakes are one line and an exit code."""

import signal
import socket
import subprocess
import sys
import threading
import urllib.request
from pathlib import Path
from typing import Self

import pytest

from companion.cli import main
from companion.commands.run import end_on_signals
from companion.host import Options
from companion.settings.config import Config
from tests.waiting import PATIENCE
from web.serving.server import Server

START = "Boxlid is running."


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def start(folder: Path, port: int) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "companion.cli", "run", "--simulate", "--host", "127.0.0.1"]
    command += ["--port", str(port), "--state", str(folder)]
    return subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def read_until(process: "subprocess.Popen[str]", wanted: str) -> str:
    assert process.stdout is not None
    text = ""
    while wanted not in text:
        line = process.stdout.readline()
        assert line, f"it ended before saying {wanted!r}: {text}"
        text += line
    return text


def test_it_starts_without_configuration_answers_and_stops_in_order(tmp_path: Path) -> None:
    port = free_port()
    process = start(tmp_path, port)
    try:
        said = read_until(process, "Ctrl+C")
        assert START in said
        assert "Real dice and phones are enough" in said
        assert f"http://127.0.0.1:{port}/join" in said
        assert "Code" in said
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=PATIENCE) as answer:
            assert answer.status == 200
        process.send_signal(signal.SIGTERM)
        _, error = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0
        assert error.strip() == "boxlid: stopped; the game is kept"
    finally:
        process.kill()


def test_a_taken_port_is_one_line_and_exit_code_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        call = ["run", "--simulate", "--host", "127.0.0.1", "--port", str(port), "--state", str(tmp_path)]
        assert main(call) == 1
    error = capsys.readouterr().err
    assert error.startswith(f"boxlid run: port {port} of 127.0.0.1 cannot be used")
    assert len(error.splitlines()) == 1


class BreakingServer(Server):
    """Breaks down as soon as it runs."""

    def __enter__(self) -> Self:
        super().__enter__()
        self._door.trigger.pull_trigger(self._door.handle_close)
        return self


def test_a_server_that_breaks_down_ends_the_companion_so_that_it_is_started_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("companion.commands.run.Server", BreakingServer)
    port = free_port()
    call = ["run", "--simulate", "--host", "127.0.0.1", "--port", str(port), "--state", str(tmp_path)]
    assert main(call) == 1
    said = f"boxlid run: port {port} is served no more, its server broke down; start Boxlid again\n"
    assert capsys.readouterr().err.endswith(said)


def test_a_wrong_configuration_lists_every_bad_value_and_is_exit_code_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "boxlid.toml"
    path.write_text("[web]\nport = 0\ncolour = 3\n")
    assert main(["run", "--config", str(path), "--state", str(tmp_path)]) == 2
    error = capsys.readouterr().err
    assert "web.port = 0" in error
    assert "colour" in error


def test_a_port_that_is_none_is_exit_code_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--simulate", "--port", "70000", "--state", str(tmp_path)]) == 2
    assert capsys.readouterr().err == "boxlid run: a port is 1 to 65535, got 70000\n"


def test_a_hurry_that_is_none_is_exit_code_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--simulate", "--hurry", "0", "--state", str(tmp_path)]) == 2
    assert capsys.readouterr().err == "boxlid run: --hurry is above 0 and up to 20, got 0\n"


def test_a_seed_that_is_none_is_exit_code_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--simulate", "--seed", "-1", "--state", str(tmp_path)]) == 2
    error = "boxlid run: --seed is a whole number from 0 to 4294967295, got -1\n"
    assert capsys.readouterr().err == error


def test_a_place_that_is_none_is_exit_code_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--simulate", "--place", "oval", "--state", str(tmp_path)]) == 2
    error = "boxlid run: --place is one of lid, round, hexagon, octagon, wood, mat, bare, got 'oval'\n"
    assert capsys.readouterr().err == error


def test_throws_differ_from_start_to_start_unless_a_seed_is_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[Options] = []

    def remember(config: Config, wanted: Options, stop: threading.Event) -> bool:
        started.append(wanted)
        return True

    monkeypatch.setattr("companion.commands.run._companion", remember)
    monkeypatch.setattr("companion.commands.run.leave", lambda code: code)
    for seed in ([], [], ["--seed", "7"], ["--seed", "7"]):
        assert main(["run", "--simulate", "--state", str(tmp_path), *seed]) == 0
    throws = [options.throws for options in started]
    assert throws[2:] == [7, 7]
    assert len(set(throws)) == 3
    assert {options.seed for options in started} == {1}  # the lid stays, and what was learnt of it


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_in_the_middle_of_waiting_for_the_end_ends_it(number: signal.Signals) -> None:
    """Waiting begins by taking the event's lock; a signal just then must not wait for it."""
    stop = threading.Event()
    before = {each: signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        end_on_signals(stop)
        with stop._cond:  # type: ignore[attr-defined]  # the lock that waiting begins with
            signal.raise_signal(number)
        assert stop.wait(PATIENCE)
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


STUCK_CAMERA = """
import sys
import cv2
import numpy as np
from companion.cli import main
from vision.simulation.table import SimulatedCamera

def busy(camera, timeout=3.0):
    picture = np.zeros((3000, 3000, 3), np.uint8)
    while True:
        cv2.GaussianBlur(picture, (0, 0), 9)

SimulatedCamera.frame = busy
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.slow
def test_a_camera_that_never_answers_does_not_make_the_end_a_crash(tmp_path: Path) -> None:
    port = free_port()
    call = ["run", "--simulate", "--host", "127.0.0.1", "--port", str(port), "--state", str(tmp_path)]
    process = subprocess.Popen(
        [sys.executable, "-c", STUCK_CAMERA, *call],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        read_until(process, "Ctrl+C")
        process.send_signal(signal.SIGTERM)
        _, error = process.communicate(timeout=PATIENCE)
        assert (process.returncode, error.strip()) == (0, "boxlid: stopped; the game is kept")
    finally:
        process.kill()
