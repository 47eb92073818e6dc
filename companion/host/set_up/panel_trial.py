"""The trial of buttons and lamps, one by one, on the real panel or the simulated one. Knows no game."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace

from companion.host.set_up.progress import Progress
from companion.pins import ROWS, SEAT_LAMPS, Pins
from hardware.lamps import Lamps, Light, Status
from hardware.panel import Panel, Press
from web.setting_up import TriedButton, TriedLamp

DARK = Lamps(status=Status.BY_HAND)
BUZZER = "buzzer"


@dataclass(frozen=True, slots=True)
class LampPart:
    """A lamp that is built in: its wire, and how the panel looks while it alone is tried."""

    name: str
    colour: str
    pin: str
    shown: Lamps


@dataclass(frozen=True, slots=True)
class ButtonPart:
    """A press that a button which is built in can tell."""

    press: Press
    pin: str


def lamp_parts(pins: Pins, *, simulated: bool) -> Iterator[LampPart]:
    """In the order of the wiring plan; the simulated panel has no lid light and no buzzer."""
    seats: list[tuple[str, str, Lamps]] = [
        (f"seat {n + 1}", "white", replace(DARK, seats=_one(n, SEAT_LAMPS))) for n in range(SEAT_LAMPS)
    ]
    rows: list[tuple[str, str, Lamps]] = [
        (colour, colour, replace(DARK, rows=_one(n, len(ROWS)))) for n, colour in enumerate(ROWS)
    ]
    for wired, lamps in ((pins.seat_lamps, seats), (pins.row_lamps, rows)):
        for n, (name, colour, shown) in enumerate(lamps):
            pin = wired[n] if n < len(wired) else None
            if simulated or pin is not None:
                yield LampPart(name, colour, _wire(None if simulated or pin is None else pin.pin), shown)
    if simulated or pins.status_lamp is not None:
        for status in (Status.READY, Status.READING, Status.ASK, Status.ERROR):
            yield LampPart(f"status {status}", status.colour, "", replace(DARK, status=status))
    if not simulated and pins.lid_light is not None:
        yield LampPart("lid light", "white", _wire(pins.lid_light.pin), replace(DARK, lid_light=True))
    if not simulated and pins.buzzer is not None:
        yield LampPart(BUZZER, "white", _wire(pins.buzzer.pin), DARK)


def button_parts(pins: Pins, *, simulated: bool) -> Iterator[ButtonPart]:
    """What each button tells; the off button is left out where it could not switch anything off."""
    for press, button in (
        (Press.ROLLED, pins.rolled_button),
        (Press.READ_AGAIN, pins.rolled_button),
        (Press.SECOND, pins.second_button),
        (Press.OFF, None if simulated else pins.off_button),
    ):
        if button is not None:
            yield ButtonPart(press, "" if simulated else _wire(button.pin))


def _one(number: int, of: int) -> tuple[Light, ...]:
    return tuple(Light.ON if each == number else Light.OFF for each in range(of))


def _wire(pin: int | None) -> str:
    return "" if pin is None else f"GPIO{pin}"


class PanelTrial:
    """Lights one lamp at a time and remembers which presses came."""

    def __init__(self, panel: Panel, pins: Pins) -> None:
        self._panel = panel
        self._lamps = tuple(lamp_parts(pins, simulated=panel.is_simulated))
        self._buttons = tuple(button_parts(pins, simulated=panel.is_simulated))
        self._mutex = threading.Lock()
        self._lit: LampPart | None = None
        self._pressed: frozenset[Press] = frozenset()

    @property
    def is_simulated(self) -> bool:
        return self._panel.is_simulated

    @property
    def lit(self) -> Lamps | None:
        """What the panel shows for the trial; None while there is none."""
        with self._mutex:
            return None if self._lit is None else self._lit.shown

    def light(self, name: str) -> bool:
        """Light that lamp alone, or sound the buzzer; "" ends it. False if there is no such lamp."""
        part = next((each for each in self._lamps if each.name == name), None)
        if part is None and name:
            return False
        with self._mutex:
            self._lit = part
        if part is not None:
            self._panel.show(part.shown)
            if part.name == BUZZER:
                self._panel.blink_busy()
        return True

    def knows(self, name: str) -> bool:
        return any(each.name == name for each in self._lamps)

    def pressed(self, press: Press) -> None:
        with self._mutex:
            self._pressed |= {press}

    def begin(self) -> None:
        """Nothing was pressed yet, no lamp is tried."""
        with self._mutex:
            self._lit, self._pressed = None, frozenset()

    def lamps(self, progress: Progress) -> tuple[TriedLamp, ...]:
        with self._mutex:
            lit = self._lit
        return tuple(
            TriedLamp(part.name, part.colour, part.pin, part is lit, _answer(part.name, progress))
            for part in self._lamps
        )

    def buttons(self) -> tuple[TriedButton, ...]:
        with self._mutex:
            pressed = self._pressed
        return tuple(TriedButton(part.press, part.pin, part.press in pressed) for part in self._buttons)


def _answer(name: str, progress: Progress) -> bool | None:
    if name in progress.seen:
        return True
    return False if name in progress.unseen else None
