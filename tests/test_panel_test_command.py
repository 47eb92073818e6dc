"""`boxlid panel-test`: each lamp alone, each button asked for, and what was seen."""

import os
import pty
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from companion import cli
from companion.commands import panel_test
from companion.commands.panel_test import lamp_steps, wanted_presses
from companion.view.lamps import Lamps, Light, Status
from hardware.panel import OnPress, Press
from hardware.pins import LampPin, Pins
from hardware.simulated import SimulatedPanel
from tests.waiting import PATIENCE


class Fingers(SimulatedPanel):
    """A simulated panel with somebody who presses what is asked for; some wires may be wrong."""

    def __init__(self, presses: dict[Press, Press | None]) -> None:
        super().__init__()
        self.shown: list[Lamps] = []
        self._presses = presses

    def show(self, lamps: Lamps) -> None:
        self.shown.append(lamps)
        super().show(lamps)

    def on_press(self, callback: OnPress) -> None:
        super().on_press(callback)
        for wanted in wanted_presses(Pins()):
            answer = self._presses.get(wanted.press, wanted.press)
            if answer is not None:
                self.press(answer)


@pytest.fixture
def fingers(monkeypatch: pytest.MonkeyPatch) -> Fingers:
    made = Fingers({})
    monkeypatch.setattr(panel_test, "open_panel", lambda pins: made)
    return made


RUN = ["panel-test", "--seconds", "0", "--patience", "0.05"]


def test_each_lamp_is_lit_alone_and_each_button_is_seen(
    fingers: Fingers, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(RUN) == 0
    out = capsys.readouterr().out
    assert out.endswith("every button was seen\n")
    assert out.count("seen\n") == 5
    alone = [
        shown.seats.count(Light.ON) + shown.rows.count(Light.ON) + shown.lid_light for shown in fingers.shown
    ]
    assert alone == [1] * 10 + [0] * (len(Status) + 1)
    assert {shown.status for shown in fingers.shown} == set(Status)
    assert fingers.busy_blinks == 1
    assert fingers.is_closed


def test_a_wrong_wire_is_told(
    fingers: Fingers, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(fingers, "_presses", {Press.SECOND: Press.ROLLED, Press.OFF: None})
    assert cli.main(RUN) == 1
    out = capsys.readouterr().out
    assert 'press the second button (GPIO6) [key u] … got "rolled" instead' in out
    assert "nothing within 0.05 s" in out
    assert "not seen: second, off; check wire and pin of each" in out


def test_what_is_not_built_in_is_not_asked_for() -> None:
    few = replace(Pins(), seat_lamps=(None, LampPin(4)), row_lamps=(), status_lamp=None, lid_light=None)
    assert [words for words, _ in lamp_steps(few)] == ["lamp of seat 2 (GPIO4)"]
    bare = replace(Pins(), second_button=None, off_button=None)
    assert [wanted.press for wanted in wanted_presses(bare)] == [Press.ROLLED, Press.READ_AGAIN]


def test_a_panel_that_had_to_be_simulated_is_said_loudly(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    assert cli.main([*RUN[:3], "--patience", "0"]) == 1
    assert capsys.readouterr().out.startswith("SIMULATED PANEL: no pins: ")


def test_bad_settings_are_a_wrong_call(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["panel-test", "--config", str(tmp_path / "none.toml")]) == 2
    assert "no such file" in capsys.readouterr().err


def test_keys_stand_for_the_buttons_of_a_simulated_panel() -> None:
    outside, inside = pty.openpty()
    command = [sys.executable, "-m", "companion.cli", "panel-test", "--simulate", "--seconds", "0"]
    with subprocess.Popen(command, stdin=inside, stdout=inside, stderr=inside) as process:
        os.close(inside)
        said = ""
        asked = 0
        while True:
            try:
                part = os.read(outside, 4096).decode()
            except OSError:  # the other side is closed: the program has ended
                break
            said += part
            for key in re.findall(r"\[key (.)\]", said)[asked:]:
                os.write(outside, key.encode())
                asked += 1
        assert process.wait(timeout=PATIENCE) == 0
    os.close(outside)
    assert asked == 4
    assert "every button was seen" in said
