"""The lit side of the real panel: one lamp, a status lamp, and the thread that blinks them all in step."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from gpiozero import LED, PWMLED
from gpiozero.pins import Factory

from companion.process.fault_barrier import FaultBarrier
from companion.view.lamps import TICK_SECONDS, Status
from hardware.pins import ColourLampPins, LampPin

PWM_HERTZ = 200  # above what the eye sees flicker

COLOURS = {
    "red": (True, False, False),
    "green": (False, True, False),
    "blue": (False, False, True),
    "yellow": (True, True, False),
    "white": (True, True, True),
}


class PinLamp:
    """One lamp on one pin, dimmed if the settings say so."""

    def __init__(self, pin: LampPin, factory: Factory) -> None:
        self._brightness = pin.brightness
        self._is_lit = False
        if pin.brightness < 1:
            self._device = PWMLED(
                pin.pin, active_high=pin.active_high, frequency=PWM_HERTZ, pin_factory=factory
            )
        else:
            self._device = LED(pin.pin, active_high=pin.active_high, pin_factory=factory)

    def light(self, lit: bool) -> None:
        if lit != self._is_lit:
            self._device.value = self._brightness if lit else 0
            self._is_lit = lit

    def close(self) -> None:
        self._device.off()
        self._device.close()


class StatusLamp(Protocol):
    """Shows a status by colour, by pattern, or by both."""

    def light(self, status: Status, lit: bool) -> None: ...

    def close(self) -> None: ...


class PlainStatusLamp:
    """One colour: the pattern alone tells."""

    def __init__(self, pin: LampPin, factory: Factory) -> None:
        self._lamp = PinLamp(pin, factory)

    def light(self, status: Status, lit: bool) -> None:  # noqa: ARG002 - it has no other colour
        self._lamp.light(lit)

    def close(self) -> None:
        self._lamp.close()


class ColourStatusLamp:
    """Red, green and blue in one lamp."""

    def __init__(self, pins: ColourLampPins, factory: Factory) -> None:
        self._lamps: list[PinLamp] = []
        try:
            for pin in (pins.red, pins.green, pins.blue):
                self._lamps.append(PinLamp(LampPin(pin, pins.active_high, pins.brightness), factory))
        except BaseException:
            self.close()
            raise

    def light(self, status: Status, lit: bool) -> None:
        for lamp, part in zip(self._lamps, COLOURS[status.colour], strict=True):
            lamp.light(lit and part)

    def close(self) -> None:
        for lamp in self._lamps:
            lamp.close()


@dataclass(frozen=True, slots=True)
class Once:
    """A pattern shown once, from a tick on."""

    pattern: str
    began: int

    def is_lit(self, tick: int) -> bool:
        return self.began <= tick < self.end and self.pattern[tick - self.began] == "X"

    @property
    def end(self) -> int:
        return self.began + len(self.pattern)


class Blinker:
    """One thread for all patterns, so that they blink in step; it sleeps while everything is steady."""

    def __init__(self, draw: Callable[[int], bool], barrier: FaultBarrier) -> None:
        """`draw` lights what is lit in that tick, and says whether a later tick looks different."""
        self._draw, self._barrier = draw, barrier
        self._changed = threading.Event()
        self._is_stopped = False
        self._began = time.monotonic()
        self._thread = threading.Thread(target=self._run, name="panel-blinker", daemon=True)
        self._thread.start()

    @property
    def tick(self) -> int:
        return int((time.monotonic() - self._began) / TICK_SECONDS)

    def wake(self) -> None:
        """Draw at once: something changed."""
        self._changed.set()

    def stop(self) -> None:
        self._is_stopped = True
        self._changed.set()
        self._thread.join(timeout=2)

    def _run(self) -> None:
        while not self._is_stopped:
            self._changed.clear()
            tick = self.tick
            due = self._began + (tick + 1) * TICK_SECONDS
            goes_on = True  # a pin that failed is tried again
            with self._barrier:
                goes_on = self._draw(tick)
            self._changed.wait(max(0.0, due - time.monotonic()) if goes_on else None)
