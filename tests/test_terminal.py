"""The panel in a terminal: lamps as a line, keys as buttons, and the terminal given back as it was."""

import os
import pty
import queue
import select
import termios
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from companion.view.lamps import CHASE, Lamps, Light, Status
from hardware.panel import Press
from hardware.simulated import SimulatedPanel
from hardware.terminal import Terminal, line
from tests.waiting import PATIENCE


@dataclass
class Screen:
    """A terminal of the test's own, and the panel shown in it."""

    panel: SimulatedPanel = field(default_factory=SimulatedPanel)
    told: "queue.Queue[Press | str]" = field(default_factory=queue.Queue)

    def __post_init__(self) -> None:
        self.outside, inside = pty.openpty()
        self.inside = os.fdopen(inside, encoding="utf-8")
        self.screen = os.fdopen(os.dup(inside), "w", encoding="utf-8")
        self.before = termios.tcgetattr(self.inside)
        self.panel.on_press(self.told.put)
        self.terminal = Terminal(self.panel, self.inside, self.screen, lambda: self.told.put("quit"))

    def type(self, keys: str) -> None:
        os.write(self.outside, keys.encode())

    def shows(self, text: str) -> bool:
        """Whether the text comes on the screen in time."""
        seen = ""
        while select.select([self.outside], [], [], PATIENCE)[0]:
            seen += os.read(self.outside, 4096).decode()
            if text in seen:
                return True
        return False

    def close(self) -> None:
        self.terminal.close()
        self.inside.close()
        self.screen.close()
        os.close(self.outside)


@pytest.fixture
def screen() -> Iterator[Screen]:
    made = Screen()
    yield made
    made.close()


def test_the_lamps_are_one_line() -> None:
    shown = Lamps(
        (Light.WINKING, Light.BLINKING, Light.ON, Light.OFF, Light.OFF),
        (Light.ON, Light.OFF, Light.OFF, Light.BLINKING),
        Status.ASK,
        lid_light=True,
    )
    assert line(shown) == ("seats 1◕ 2◐ 3● 4○ 5○  red ● yellow ○ green ○ blue ◐  [ask]  lid light ●")


def test_while_the_lot_is_drawn_all_who_take_part_are_marked() -> None:
    assert line(Lamps(CHASE)).startswith("seats 1◔ 2◔ 3◔ 4◔ 5◔")


def test_every_light_has_its_place_in_the_line() -> None:
    assert {light: line(Lamps((light,))).split()[1][1:] for light in Light if light not in CHASE} == {
        Light.OFF: "○",
        Light.BLINKING: "◐",
        Light.WINKING: "◕",
        Light.ON: "●",
    }


def test_the_line_follows_the_lamps(screen: Screen) -> None:
    assert screen.shows("[by hand]")
    screen.panel.show(Lamps(status=Status.READY))
    assert screen.shows("[ready]")
    screen.panel.blink_busy()
    assert screen.shows("(busy)")


@pytest.mark.parametrize(
    ("key", "press"), [("r", Press.ROLLED), ("R", Press.READ_AGAIN), ("u", Press.SECOND), ("q", "quit")]
)
def test_keys_are_buttons(screen: Screen, key: str, press: Press | str) -> None:
    screen.type("x" + key)
    assert screen.told.get(timeout=PATIENCE) == press


def test_the_terminal_is_left_as_it_was_found(screen: Screen) -> None:
    assert termios.tcgetattr(screen.inside) != screen.before
    screen.terminal.close()
    screen.terminal.close()
    assert termios.tcgetattr(screen.inside) == screen.before
    screen.panel.show(Lamps(status=Status.ERROR))
