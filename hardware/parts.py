"""What is built into a panel, lamp by lamp and press by press, for those who try them out. Opens no pins."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from companion.view.lamps import Lamps, Light, Status
from hardware.panel import Press
from hardware.pins import ROWS, SEAT_LAMPS, ButtonPin, LampPin, Pins

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


def lamp_parts(pins: Pins, dark: Lamps, *, simulated: bool) -> Iterator[LampPart]:
    """In the order of the wiring plan; `dark` is the panel without any. A simulated one has no lid light."""
    for n in range(SEAT_LAMPS):
        pin = pins.seat_lamps[n] if n < len(pins.seat_lamps) else None
        if simulated or pin is not None:
            shown = replace(dark, seats=_one(n, SEAT_LAMPS))
            yield LampPart(f"seat {n + 1}", "white", _wire(pin, simulated=simulated), shown)
    for n, colour in enumerate(ROWS):
        pin = pins.row_lamps[n] if n < len(pins.row_lamps) else None
        if simulated or pin is not None:
            shown = replace(dark, rows=_one(n, len(ROWS)))
            yield LampPart(colour, colour, _wire(pin, simulated=simulated), shown)
    if not simulated and pins.lid_light is not None:
        wire = _wire(pins.lid_light, simulated=False)
        yield LampPart("lid light", "white", wire, replace(dark, lid_light=True))
    if simulated or pins.status_lamp is not None:
        for status in Status:
            yield LampPart(f"status {status}", status.colour, "", replace(dark, status=status))
    if not simulated and pins.buzzer is not None:
        yield LampPart(BUZZER, "white", _wire(pins.buzzer, simulated=False), dark)


def button_parts(pins: Pins, *, simulated: bool) -> Iterator[ButtonPart]:
    """What each button tells; the off button is left out where it could not switch anything off."""
    for press, button in (
        (Press.ROLLED, pins.rolled_button),
        (Press.READ_AGAIN, pins.rolled_button),
        (Press.SECOND, pins.second_button),
        (Press.OFF, None if simulated else pins.off_button),
    ):
        if button is not None:
            yield ButtonPart(press, _wire(button, simulated=simulated))


def _one(number: int, of: int) -> tuple[Light, ...]:
    return tuple(Light.ON if each == number else Light.OFF for each in range(of))


def _wire(wire: LampPin | ButtonPin | None, *, simulated: bool) -> str:
    return "" if simulated or wire is None else f"GPIO{wire.pin}"
