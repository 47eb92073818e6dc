"""The trial of buttons and lamps, one by one, on the real panel or the simulated one. Knows no game."""

import threading

from companion.host.set_up.progress import Progress
from companion.view.lamps import Lamps, Status
from companion.view.setting_up import TriedButton, TriedLamp
from hardware.panel import Panel, Press
from hardware.parts import BUZZER, LampPart, button_parts, lamp_parts
from hardware.pins import Pins

DARK = Lamps(status=Status.BY_HAND)


class PanelTrial:
    """Lights one lamp at a time and remembers which presses came."""

    def __init__(self, panel: Panel, pins: Pins) -> None:
        self._panel = panel
        parts = lamp_parts(pins, DARK, simulated=panel.is_simulated)
        self._lamps = tuple(part for part in parts if part.shown != DARK or part.name == BUZZER)
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
