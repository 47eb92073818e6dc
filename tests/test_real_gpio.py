"""The real gpiozero and lgpio, over a stand-in for the Pi's pins: presses, lamps, and pins that are taken."""

import json
import os
import queue
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from pathlib import Path

import pytest

from companion.table.eyes import Eyes, EyesState
from companion.table.snapshot import Snapshot
from companion.view.lamps import Lamps, Light, lamps
from hardware.pins import ROWS, Pins
from tests.games import lobby, played, started
from tests.waiting import PATIENCE

HERE = Path(__file__).parent
STANDIN = HERE / "standins" / "fakegpiochip.c"
DRIVER = HERE / "standins" / "panel_driver.py"
QUIET = 0.4  # long enough for a wrong second press to arrive

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="the stand-in is for Linux's GPIO device"),
    pytest.mark.skipif(
        sys.version_info >= (3, 13) and find_spec("lgpio") is None,
        reason="PyPI has no lgpio for this Python; run the tests with Python 3.11 or 3.12 as well",
    ),
]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("standin") / "fakegpiochip.so"
    subprocess.run(
        ["cc", "-shared", "-fPIC", "-O1", "-o", made, STANDIN, "-lpthread", "-ldl"],
        check=True,
        timeout=PATIENCE,
    )
    return made


@dataclass
class Box:
    """The panel in a process of its own, its pins in our hands."""

    process: subprocess.Popen[str]
    chip: socket.socket
    lines: "queue.Queue[str]" = field(default_factory=queue.Queue)

    def __post_init__(self) -> None:
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))

    def line(self, timeout: float = PATIENCE) -> str:
        return self.lines.get(timeout=timeout)

    def presses(self) -> list[str]:
        """What was pressed until nothing came for a while."""
        told: list[str] = []
        while True:
            try:
                told.append(self.line(PATIENCE if not told else QUIET).removeprefix("pressed "))
            except queue.Empty:
                return told

    def say(self, line: str) -> str:
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return self.line()

    def show(self, shown: Lamps) -> None:
        assert self.say("show " + json.dumps([shown.seats, shown.rows, shown.status, shown.lid_light]))

    def ask(self, words: str) -> str:
        self.chip.send(words.encode())
        return self.chip.recv(64).decode()

    def press(self, pin: int) -> None:
        self.ask(f"set {pin} 0")

    def release(self, pin: int) -> None:
        self.ask(f"set {pin} 1")

    def is_high(self, pin: int) -> bool:
        return self.ask(f"get {pin}").startswith("1")

    def comes_to(self, pin: int, high: bool) -> bool:
        end, turn = time.monotonic() + PATIENCE, threading.Event()
        while self.is_high(pin) != high:
            if time.monotonic() > end:
                return False
            turn.wait(0.01)
        return True

    def lights(self, wanted: dict[int, Light]) -> dict[int, Light]:
        """The lamps, by pin, that do not come to be lit as wanted: a blinking one must be seen on and off."""
        levels = {
            pin: {True, False} - {light is not Light.ON} if light in (Light.OFF, Light.ON) else {True, False}
            for pin, light in wanted.items()
        }
        end, turn = time.monotonic() + PATIENCE, threading.Event()
        while any(levels.values()) and time.monotonic() < end:
            for pin, missing in levels.items():
                missing.discard(self.is_high(pin))
            turn.wait(0.01)
        return {pin: wanted[pin] for pin, missing in levels.items() if missing}

    def close(self) -> None:
        with self.process:
            if self.process.stdin is not None:
                self.process.stdin.close()
            self.process.wait(timeout=PATIENCE)
        self._reader.join(timeout=PATIENCE)
        self.chip.close()


class Bench:
    """Opens boxes and closes them when the test is over."""

    def __init__(self, library: Path, folder: Path) -> None:
        self._library, self._folder = library, folder
        self.boxes: list[Box] = []

    def open(self, settings: str = "", **more: str) -> tuple[Box, str]:
        """A box that opened its panel with these settings, and what it said of it."""
        address = self._folder / f"chip{len(self.boxes)}"
        environment = {key: value for key, value in os.environ.items() if key != "GPIOZERO_PIN_FACTORY"}
        environment |= {
            "LD_PRELOAD": str(self._library),
            "FAKEGPIO_SOCK": str(address),
            "LG_WD": str(self._folder),
            "PYTHONPATH": str(HERE.parent),
            **more,
        }
        process = subprocess.Popen(
            [sys.executable, str(DRIVER), settings],
            env={key: value for key, value in environment.items() if value},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        chip = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        box = Box(process, chip)
        self.boxes.append(box)
        opened = box.line(30)
        if address.exists():
            chip.bind(f"{address}-us")
            chip.settimeout(PATIENCE)
            chip.connect(str(address))
        return box, opened.removeprefix("opened ")


@pytest.fixture
def bench(library: Path, tmp_path: Path) -> Iterator[Bench]:
    made = Bench(library, tmp_path)
    yield made
    for box in made.boxes:
        box.close()


def test_a_chip_labelled_as_a_pi_header_gives_the_real_panel(bench: Bench) -> None:
    _, opened = bench.open()
    assert opened == "panel: None"


def test_ten_bounces_are_one_press(bench: Bench) -> None:
    box, _ = bench.open()
    for _ in range(10):
        box.press(5)
        box.release(5)
    box.press(5)
    threading.Event().wait(0.1)  # a finger rests on the button for a moment
    for _ in range(10):
        box.release(5)
        box.press(5)
    box.release(5)
    assert box.presses() == ["rolled"]


def test_a_long_press_reads_again_and_is_no_short_one(bench: Bench) -> None:
    box, _ = bench.open("[panel]\nhold_seconds = 0.3")
    box.press(5)
    assert box.line() == "pressed read again"
    box.release(5)
    with pytest.raises(queue.Empty):
        box.line(QUIET)


def test_the_off_button_needs_a_long_press(bench: Bench) -> None:
    box, _ = bench.open("[panel]\noff_hold_seconds = 1")
    box.press(3)
    threading.Event().wait(0.2)
    box.release(3)
    box.press(6)
    assert box.line() == "pressed second"
    box.press(3)
    assert box.line() == "pressed off"


def test_a_button_to_three_volts_is_pulled_down_and_pressed_high(bench: Bench) -> None:
    box, _ = bench.open('[panel]\nsecond_button = { pin = 23, pull = "down" }')
    assert not box.is_high(23)
    box.ask("set 23 1")
    assert box.line() == "pressed second"


def test_a_lamp_lit_by_a_low_pin_is_dark_when_the_pin_is_high(bench: Bench) -> None:
    box, _ = bench.open("[panel]\nlid_light = { pin = 18, active_high = false }")
    assert box.comes_to(18, high=True)
    box.show(Lamps(lid_light=True))
    assert box.comes_to(18, high=False)


def test_a_dimmed_lamp_is_switched_fast(bench: Bench) -> None:
    box, _ = bench.open("[panel]\nlid_light = { pin = 18, brightness = 0.5 }")
    box.show(Lamps(lid_light=True))
    for _ in range(3):
        assert box.comes_to(18, high=True)
        assert box.comes_to(18, high=False)


def test_a_press_while_busy_makes_the_buzzer_chirp(bench: Bench) -> None:
    box, _ = bench.open()
    assert box.say("busy") == "blinked"
    assert box.comes_to(25, high=True)
    assert box.comes_to(25, high=False)


def test_closing_puts_the_lamps_out(bench: Bench) -> None:
    box, _ = bench.open()
    box.show(Lamps((Light.ON,) * 5, (Light.ON,) * 4, lid_light=True))
    assert box.comes_to(17, high=True)
    assert box.say("close") == "closed"


def test_a_pin_another_program_has_is_named_and_the_game_goes_on_simulated(bench: Bench) -> None:
    _, opened = bench.open(FAKEGPIO_BUSY="3 22")
    assert opened == (
        "simulated panel: panel.seat_lamps[3]: GPIO22 cannot be had (GPIO busy); "
        "end the program that has it, or set another pin in boxlid.toml"
    )


def test_a_machine_without_the_chip_gets_the_simulated_panel_and_is_told_why(bench: Bench) -> None:
    _, opened = bench.open(LD_PRELOAD="")
    assert opened.startswith("simulated panel: no pins: ")


# --- a whole game ----------------------------------------------------------------------------------------

GAME = (
    "rolled W3 W4 R1 Y1 G1 B1",
    "0 crosses R7 in 1|1 crosses Y7 in 1|0 done|1 done|0 done",
    "1 corrects sheet 1 R2 R3 R4 R5 R6|rolled W6 W6 R1 Y1 G1 B2",
    "1 crosses R12 in 1|0 done|1 done|1 done",
    "0 corrects sheet 0 B12 B11 B10 B9 B8|rolled W1 W1 Y6 G6 B1",
    "0 crosses B2 in 1|1 done|0 done",
)


def steps() -> Iterator[tuple[str, Snapshot]]:
    """The lot among five, then a game of two that ends by two locks, the camera looking before every roll."""
    snapshot = lobby("Anna", "Ben")
    yield "lobby", snapshot
    yield "lot", replace(started("Anna", "Ben", "Cem", "Dora", "Emil"), lot_ends_at=3.0)
    snapshot = started("Anna", "Ben")
    for line in "|".join(GAME).split("|"):
        if line.startswith("rolled"):
            yield "reading", replace(snapshot, eyes=Eyes(EyesState.READING))
            line += " by camera"  # noqa: PLW2901
        snapshot = replace(played(snapshot, line), eyes=Eyes(EyesState.READY))
        yield line, snapshot


def test_the_lamps_follow_a_whole_game(bench: Bench) -> None:
    box, _ = bench.open()
    wired = Pins()
    wires = [*wired.seat_lamps, *wired.row_lamps]
    seen: set[Light] = set()
    last = ""
    for what, snapshot in steps():
        shown = lamps(snapshot)
        box.show(shown)
        lights = zip(wires, (*shown.seats, *shown.rows), strict=True)
        assert not box.lights({wire.pin: light for wire, light in lights if wire is not None}), what
        assert wired.lid_light is not None
        assert box.comes_to(wired.lid_light.pin, shown.lid_light), what
        seen |= {*shown.seats, *shown.rows}
        last = snapshot.game.phase.value if snapshot.game else ""
    assert seen == set(Light)
    assert last == "over"
    assert ROWS[0] == "red"
    assert box.is_high(12), "red is locked"
    assert box.is_high(21), "blue is locked"
