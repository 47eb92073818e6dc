"""The real panel: buttons and lamps on the Pi's header by gpiozero. Knows no rules and no pixels."""

import threading
from collections.abc import Callable
from typing import TypeVar

from gpiozero import Button
from gpiozero.pins import Factory

from companion.process.fault_barrier import BoxPart, FaultBarrier
from companion.view.lamps import LIGHT_PATTERNS, STATUS_PATTERNS, Lamps, Light, Status, is_lit
from hardware.factory import pin_errors, pin_factory, short
from hardware.outputs import Blinker, ColourStatusLamp, Once, PinLamp, PlainStatusLamp, StatusLamp
from hardware.panel import OnPress, PinsError, PinsFault, Press
from hardware.pins import ButtonPin, ColourLampPins, LampPin, Pins, Pull, StatusPins

BUSY = "X.X.X."
BEEPS = {Status.ASK: "XXX.", Status.ERROR: "XXX.XXX."}
BEEP_WHEN_READ = "X."
_PULLS = {Pull.UP: True, Pull.DOWN: False, Pull.NONE: None}
_NEVER = Once("", 0)

Part = TypeVar("Part")


class RealPanel:
    """Drives the pins. PinsError, with all pins free again, if one cannot be had."""

    name = "panel"
    is_simulated = False
    notice = None

    def __init__(self, pins: Pins, factory: Factory | None = None) -> None:
        self._pins = pins
        self._lock = threading.Lock()
        self._lamps = Lamps()
        self._busy = self._beeps = _NEVER
        self._callback: OnPress | None = None
        self._buttons, lamps = FaultBarrier(BoxPart.BUTTONS), FaultBarrier(BoxPart.LAMPS)
        self.barriers = (self._buttons, lamps)
        self._factory = factory or pin_factory()
        self._closers: list[Callable[[], None]] = [self._factory.close]
        try:
            self._open_lamps()
            self._open_buttons()
        except PinsError:
            self._close_parts()
            raise
        self._blinker = Blinker(self._draw, lamps)

    # --- opening ---------------------------------------------------------------------------------------

    def _open_lamps(self) -> None:
        pins = self._pins
        self._seats = self._lamp_row("seat_lamps", pins.seat_lamps)
        self._rows = self._lamp_row("row_lamps", pins.row_lamps)
        self._buzzer = self._lamp("buzzer", pins.buzzer)
        self._lid_light = self._lamp("lid_light", pins.lid_light)
        self._status = self._open_status(pins.status_lamp)

    def _lamp_row(self, key: str, pins: tuple[LampPin | None, ...]) -> list[PinLamp | None]:
        return [self._lamp(f"{key}[{number}]", pin) for number, pin in enumerate(pins, 1)]

    def _lamp(self, key: str, pin: LampPin | None) -> PinLamp | None:
        if pin is None:
            return None
        return self._open(key, (pin.pin,), lambda: PinLamp(pin, self._factory), PinLamp.close)

    def _open_status(self, pins: StatusPins | None) -> StatusLamp | None:
        match pins:
            case LampPin(pin):
                return self._open(
                    "status_lamp", (pin,), lambda: PlainStatusLamp(pins, self._factory), PlainStatusLamp.close
                )
            case ColourLampPins(red, green, blue):
                numbers = (red, green, blue)
                lamp = lambda: ColourStatusLamp(pins, self._factory)  # noqa: E731 - opened inside, by name
                return self._open("status_lamp", numbers, lamp, ColourStatusLamp.close)
            case None:
                return None

    def _open_buttons(self) -> None:
        pins = self._pins
        rolled = self._button("rolled_button", pins.rolled_button, pins.hold_seconds)
        if rolled is not None:
            # a press is told when the finger leaves: only then is it known not to be a long one
            was_held = threading.Event()

            def held() -> None:
                was_held.set()
                self._tell(Press.READ_AGAIN)

            rolled.when_pressed = was_held.clear
            rolled.when_held = held
            rolled.when_released = lambda: None if was_held.is_set() else self._tell(Press.ROLLED)
        second = self._button("second_button", pins.second_button, pins.hold_seconds)
        if second is not None:
            second.when_pressed = lambda: self._tell(Press.SECOND)
        off = self._button("off_button", pins.off_button, pins.off_hold_seconds)
        if off is not None:
            off.when_held = lambda: self._tell(Press.OFF)

    def _button(self, key: str, pin: ButtonPin | None, hold_seconds: float) -> Button | None:
        if pin is None:
            return None
        button = lambda: Button(  # noqa: E731 - opened inside, by name
            pin.pin,
            pull_up=_PULLS[pin.pull],
            active_state=pin.active_high if pin.pull is Pull.NONE else None,
            bounce_time=self._pins.debounce_milliseconds / 1000,
            hold_time=hold_seconds,
            pin_factory=self._factory,
        )
        return self._open(key, (pin.pin,), button, Button.close)

    def _open(
        self, key: str, pins: tuple[int, ...], make: Callable[[], Part], close: Callable[[Part], None]
    ) -> Part:
        try:
            part = make()
        except pin_errors() as error:
            names = ", ".join(f"GPIO{pin}" for pin in pins)
            raise PinsError(PinsFault.PIN_TAKEN, key=key, pins=names, why=short(error)) from error
        self._closers.append(lambda: close(part))
        return part

    # --- the panel -------------------------------------------------------------------------------------

    def show(self, lamps: Lamps) -> None:
        with self._lock:
            if lamps == self._lamps:
                return
            beeps = _beeps(self._lamps.status, lamps.status)
            if beeps:
                self._beeps = Once(beeps, self._blinker.tick + 1)
            self._lamps = lamps
        self._blinker.wake()

    def on_press(self, callback: OnPress) -> None:
        self._callback = callback

    def blink_busy(self) -> None:
        with self._lock:
            self._busy = self._beeps = Once(BUSY, self._blinker.tick + 1)
        self._blinker.wake()

    def close(self) -> None:
        self._blinker.stop()
        self._close_parts()

    def _close_parts(self) -> None:
        while self._closers:
            self._closers.pop()()

    def _tell(self, press: Press) -> None:
        """In a thread of gpiozero's, which tells no press any more if it breaks down."""
        if self._callback is not None:
            with self._buttons:
                self._callback(press)

    def _draw(self, tick: int) -> bool:
        """Light what is lit in this tick; whether a later one looks different."""
        with self._lock:
            lamps, busy, beeps = self._lamps, self._busy, self._beeps
        for devices, lights in ((self._seats, lamps.seats), (self._rows, lamps.rows)):
            for device, light in zip(devices, lights, strict=False):
                if device is not None:
                    device.light(is_lit(LIGHT_PATTERNS[light], tick))
        if self._status is not None:
            pattern_lit = is_lit(lamps.status.pattern, tick)
            self._status.light(lamps.status, busy.is_lit(tick) if tick < busy.end else pattern_lit)
        if self._buzzer is not None:
            self._buzzer.light(beeps.is_lit(tick))
        if self._lid_light is not None:
            self._lid_light.light(lamps.lid_light)
        return tick < max(busy.end, beeps.end) or _blinks(lamps)


def _blinks(lamps: Lamps) -> bool:
    steady = (Light.OFF, Light.ON)
    lights = (*lamps.seats, *lamps.rows)
    return "." in STATUS_PATTERNS[lamps.status] or any(light not in steady for light in lights)


def _beeps(before: Status, after: Status) -> str:
    """Heard when the box wants a hand, and when a roll was read."""
    if after is before:
        return ""
    if after is Status.READY and before is Status.READING:
        return BEEP_WHEN_READ
    return BEEPS.get(after, "")
