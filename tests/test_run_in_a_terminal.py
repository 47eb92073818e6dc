"""`boxlid run` as `make run` starts it, in a terminal: the lot is drawn and turns are played there too."""

import os
import pty
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import cast

import pytest

from tests.playing import NAMES
from tests.test_run_command import free_port
from tests.waiting import PATIENCE
from tools.soak.link import Json, Link
from tools.soak.pace import Pace
from tools.soak.phone import Phone
from vision.cameras.clock import StepClock
from vision.simulation.shape import Shape
from vision.simulation.table import SimulatedTable

ROLLS_A_MINUTE = 60
STAND_STILL, INTERRUPT = b"\x13", b"\x03"  # Ctrl-S, Ctrl-C
LOT = "◔"


class InATerminal:
    """The companion in a pseudo-terminal of its own, which is read all the time."""

    def __init__(self, state: Path, *more: str) -> None:
        self.port = free_port()
        self.outside, inside = pty.openpty()
        command = [
            "setsid",
            "--ctty",
            sys.executable,  # Ctrl-C reaches whom the terminal belongs to
            "-m",
            "companion.cli",
            "run",
            "--simulate",
            "--host",
            "127.0.0.1",
        ]
        command += ["--port", str(self.port), "--state", str(state), "--hurry", "8", *more]
        self.process = subprocess.Popen(
            command,
            stdin=inside,
            stdout=inside,
            stderr=inside,
            env={**os.environ, "TERM": "xterm", "PYTHONIOENCODING": "utf-8"},
        )
        os.close(inside)
        self.said = ""
        self._changed = threading.Condition()
        self._is_over = False
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        raw = b""
        while True:
            try:
                raw += os.read(self.outside, 65536)
            except OSError:  # the companion has ended
                break
            with self._changed:
                self.said = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", raw.decode(errors="ignore"))
                self._changed.notify_all()
        with self._changed:
            self._is_over = True
            self._changed.notify_all()

    def until_said(self, pattern: str) -> re.Match[str]:
        """What stands on the screen, as soon as it does."""
        with self._changed:
            ready = self._changed.wait_for(lambda: re.search(pattern, self.said) or self._is_over, PATIENCE)
            found = re.search(pattern, self.said)
        assert ready
        assert found, f"it ended without saying {pattern!r}: {self.said}"
        return found

    def type(self, keys: bytes) -> None:
        os.write(self.outside, keys)

    def end(self) -> int:
        """Ctrl-C; the exit code."""
        self.type(INTERRUPT)
        code = self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        return code

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        os.close(self.outside)


@contextmanager
def companion(state: Path, *more: str) -> Iterator[InATerminal]:
    made = InATerminal(state, *more)
    try:
        yield made
    finally:
        made.close()


@contextmanager
def phones(port: int, code: str, players: int) -> Iterator[list[Phone]]:
    """Phones with seats that play by themselves."""
    pace = Pace(ROLLS_A_MINUTE)
    made = [Phone(Link(port, name), name, players, 1, pace) for name in NAMES[:players]]
    for phone in made:
        phone.join_table(code)
    for phone in made:
        phone.start()
    try:
        yield made
    finally:
        for phone in made:
            phone.stop()


def until_turn(here: InATerminal, number: int) -> None:
    """Until that turn has come, as somebody sees it who only watches."""
    while here.process.poll() is None:
        for message in Link(here.port, "watcher").messages():
            game = cast(Json | None, cast(Json, message["view"])["game"])
            if game is not None and cast(int, game["number"]) >= number:
                return
    raise AssertionError(f"it ended before turn {number}: {here.said}")


def first_dice(here: InATerminal) -> list[tuple[str, int]]:
    """Those of the first turn, as a phone shows them."""
    while here.process.poll() is None:
        for message in Link(here.port, "watcher").messages():
            game = cast(Json | None, cast(Json, message["view"])["game"])
            if game is not None and game["dice"]:
                dice = cast(list[Json], game["dice"])
                return sorted((cast(str, die["colour"]), cast(int, die["pips"])) for die in dice)
    raise AssertionError(f"it ended without a roll: {here.said}")


@pytest.mark.slow
def test_dice_that_fall_into_a_round_tray_are_those_on_the_phones(tmp_path: Path) -> None:
    table = SimulatedTable(clock=StepClock(), size=(1280, 720), throws=7, shape=Shape.ROUND)
    table.throw()
    lying = sorted((str(die.colour), die.pips) for die in table.truth().dice)
    with companion(tmp_path, "--place", "round", "--seed", "7") as here:
        code = here.until_said(r"Code +(\w+)")[1]
        here.until_said(r"\[ready\]")
        with phones(here.port, code, 2):
            assert first_dice(here) == lying
            until_turn(here, 3)
        assert here.end() == 0


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 5])
def test_in_a_terminal_the_lot_is_drawn_and_everybody_has_a_turn(players: int, tmp_path: Path) -> None:
    with companion(tmp_path) as here:
        code = here.until_said(r"Code +(\w+)")[1]
        here.until_said(r"\[ready\]")
        with phones(here.port, code, players):
            here.until_said(f"1{LOT}.*{players}{LOT}")
            until_turn(here, players + 1)
        assert here.end() == 0
        assert "the game is kept" in here.said
        assert "Traceback" not in here.said


@pytest.mark.slow
def test_a_terminal_that_stands_still_stops_no_game(tmp_path: Path) -> None:
    with companion(tmp_path) as here:
        code = here.until_said(r"Code +(\w+)")[1]
        here.until_said(r"\[ready\]")
        here.type(STAND_STILL)
        with phones(here.port, code, 2):
            until_turn(here, 3)
            here.type(b"rrrr")
            until_turn(here, 5)
        assert here.end() == 0
