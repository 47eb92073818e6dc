"""`boxlid panel-test`: lights each lamp in turn, then asks for each button, and tells what it saw."""

import argparse
import os
import queue
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from companion.commands.settings import given_settings
from companion.view.lamps import Lamps, Status
from companion.words import english
from hardware.opening import open_panel
from hardware.panel import Panel, Press
from hardware.parts import BUZZER, LampPart, lamp_parts
from hardware.pins import Pins
from hardware.simulated import SimulatedPanel
from hardware.terminal import Terminal, line

DARK = Lamps(status=Status.READY)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config", metavar="FILE", type=Path, help="the settings, a boxlid.toml")
    parser.add_argument("--simulate", action="store_true", help="a simulated panel, with keys for buttons")
    parser.add_argument(
        "--seconds", metavar="S", type=float, default=1.5, help="how long each lamp is lit (1.5)"
    )
    parser.add_argument(
        "--patience", metavar="S", type=float, default=20.0, help="how long to wait for a button (20)"
    )


def run(options: argparse.Namespace) -> int:
    config = given_settings(options.config)
    panel = SimulatedPanel() if options.simulate else open_panel(config.panel)
    if panel.notice is not None:
        print(f"SIMULATED PANEL: {english(panel.notice)}")
    terminal = _terminal(panel)
    try:
        _light_all(panel, config.panel, options.seconds)
        missing = list(_press_all(panel, config.panel, options.patience))
    finally:
        if terminal is not None:
            terminal.close()
        panel.close()
    if missing:
        print(f"not seen: {', '.join(missing)}; check wire and pin of each (docs/hardware.md)")
        return 1
    print("every button was seen")
    return 0


def _terminal(panel: Panel) -> Terminal | None:
    """Keys for the buttons of a simulated panel, where there is a keyboard."""
    if not isinstance(panel, SimulatedPanel) or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return None
    return Terminal(panel, sys.stdin, None, lambda: os.kill(os.getpid(), signal.SIGINT))


# --- lamps -------------------------------------------------------------------------------------------------


def lamp_steps(pins: Pins) -> Iterator[tuple[str, Lamps]]:
    """Each lamp that is built in, alone, with the words for it."""
    for part in lamp_parts(pins, DARK, simulated=False):
        if part.name != BUZZER:  # nothing to see
            yield _words(part), part.shown


def _words(part: LampPart) -> str:
    kind, _, which = part.name.partition(" ")
    if kind == "seat":
        return f"lamp of seat {which} ({part.pin})"
    if kind == "status":
        return f"status lamp: {which} ({part.colour})"
    return f"light over the lid ({part.pin})" if kind == "lid" else f"lamp of row {kind} ({part.pin})"


def _light_all(panel: Panel, pins: Pins, seconds: float) -> None:
    pause = threading.Event()
    print("Each lamp in turn:")
    for words, shown in lamp_steps(pins):
        drawn = f"{words:40} {line(shown)}" if panel.is_simulated else words
        print(f"  {drawn}", flush=True)
        panel.show(shown)
        pause.wait(seconds)
    if pins.buzzer is not None:
        print(f"  buzzer (GPIO{pins.buzzer.pin}): three short beeps", flush=True)
        panel.blink_busy()
        pause.wait(seconds)
    panel.show(DARK)


# --- buttons -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class WantedPress:
    """A press to ask for."""

    words: str
    press: Press
    key: str


def wanted_presses(pins: Pins) -> Iterator[WantedPress]:
    """What each button that is built in can tell."""
    if pins.rolled_button is not None:
        name = f"the rolled button (GPIO{pins.rolled_button.pin})"
        yield WantedPress(f"press {name}", Press.ROLLED, "r")
        yield WantedPress(f"hold {name} for {pins.hold_seconds:g} s", Press.READ_AGAIN, "R")
    if pins.second_button is not None:
        yield WantedPress(f"press the second button (GPIO{pins.second_button.pin})", Press.SECOND, "u")
    if pins.off_button is not None:
        name = f"the off button (GPIO{pins.off_button.pin})"
        words = f"hold {name} for {pins.off_hold_seconds:g} s; nothing is switched off"
        yield WantedPress(words, Press.OFF, "o")


def _press_all(panel: Panel, pins: Pins, patience: float) -> Iterator[str]:
    """Ask for each press; what was not seen."""
    told: queue.Queue[Press] = queue.Queue()
    panel.on_press(told.put)
    print("Now the buttons:")
    for wanted in wanted_presses(pins):
        key = f" [key {wanted.key}]" if panel.is_simulated else ""
        print(f"  {wanted.words}{key} … ", end="", flush=True)
        seen = _await(told.get, wanted.press, patience)
        print(seen, flush=True)
        if seen != "seen":
            yield wanted.press


def _await(get: Callable[..., Press], press: Press, patience: float) -> str:
    """Whether the press came; another one is named, and counts as a wrong wire."""
    try:
        got = get(timeout=patience)
    except queue.Empty:
        return f"nothing within {patience:g} s"
    return "seen" if got is press else f'got "{got}" instead'
