"""The simulated panel in a terminal: its lamps as one line kept up to date, its buttons as keys."""

import os
import select
import termios
import threading
import tty
from collections.abc import Callable
from typing import TextIO

from companion.process.fault_barrier import BoxPart, FaultBarrier
from companion.view.lamps import LIGHT_PATTERNS, Lamps, Light
from hardware.panel import Press
from hardware.pins import ROWS
from hardware.simulated import SimulatedPanel

KEYS = {"r": Press.ROLLED, "R": Press.READ_AGAIN, "u": Press.SECOND, "o": Press.OFF}
QUIT = "q"
FILLED = "○◔◐◕●"  # by how long a lamp is lit, from never to always
HELP = "r rolled, R read again, u second button, o off button, q quit"
CLEAR = "\r\x1b[2K"


def glyph(light: Light) -> str:
    """A line of text does not blink: how much of the circle is filled tells the patterns apart."""
    pattern = LIGHT_PATTERNS[light]
    lit, always = pattern.count("X"), len(FILLED) - 1
    if lit in (0, len(pattern)):
        return FILLED[always if lit else 0]
    return FILLED[max(1, always * lit // len(pattern))]


def line(lamps: Lamps) -> str:
    """All lamps in one line of text."""
    seats = " ".join(f"{number}{glyph(light)}" for number, light in enumerate(lamps.seats, 1))
    rows = " ".join(f"{name} {glyph(light)}" for name, light in zip(ROWS, lamps.rows, strict=True))
    light = "  lid light ●" if lamps.lid_light else ""
    return f"seats {seats}  {rows}  [{lamps.status}]{light}"


class Terminal:
    """Keys and lamps of a simulated panel, until closed. The terminal is left as it was found."""

    def __init__(
        self, panel: SimulatedPanel, keys: TextIO, screen: TextIO | None, leave: Callable[[], None]
    ) -> None:
        """`leave` is called when the player quits. Without a screen there are keys only."""
        self._panel, self._screen, self._leave = panel, screen, leave
        self._buttons, self._lamps = FaultBarrier(BoxPart.BUTTONS), FaultBarrier(BoxPart.TERMINAL)
        self.barriers = (self._buttons, self._lamps)
        self._keys = keys.fileno()
        self._before = termios.tcgetattr(self._keys)
        tty.setcbreak(self._keys)  # keys come one by one; Ctrl-C still stops the program
        self._stop_read, self._stop_write = os.pipe()
        self._is_closed = False
        self._drawn, self._answered = panel.lamps, panel.busy_blinks
        # A terminal may stand still (Ctrl-S, a window that hangs), and then only its own thread does.
        self._changed = threading.Event()
        self._changed.set()
        self._threads = [
            threading.Thread(target=run, name=name, daemon=True)
            for run, name in ((self._read_keys, "terminal-keys"), (self._draw_lamps, "terminal-lamps"))
        ]
        panel.on_change(self._changed.set)
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Give the terminal back; safe to call twice, and from a key's callback."""
        if self._is_closed:
            return
        self._is_closed = True
        self._panel.on_change(None)
        os.write(self._stop_write, b".")
        self._changed.set()
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join(timeout=2)
        termios.tcsetattr(self._keys, termios.TCSANOW, self._before)

    def _draw_lamps(self) -> None:
        with self._lamps:
            self._write(f"{HELP}\n")
        while self._changed.wait() and not self._is_closed:
            self._changed.clear()
            with self._lamps:
                self._draw()
        with self._lamps:
            self._write("\n")

    def _draw(self) -> None:
        """The newest lamps; "busy" stands beside them until they change."""
        lamps, blinks = self._panel.lamps, self._panel.busy_blinks
        if lamps != self._drawn:
            self._drawn, self._answered = lamps, blinks
        self._write(CLEAR + line(lamps) + ("  (busy)" if blinks > self._answered else ""))

    def _write(self, text: str) -> None:
        if self._screen is not None:
            self._screen.write(text)
            self._screen.flush()

    def _read_keys(self) -> None:
        while not self._is_closed:
            ready, _, _ = select.select([self._keys, self._stop_read], [], [])
            if self._stop_read in ready:
                return
            for key in os.read(self._keys, 64).decode(errors="ignore"):
                if key == QUIT:
                    self._leave()
                    return
                if key in KEYS:
                    with self._buttons:
                        self._panel.press(KEYS[key])
