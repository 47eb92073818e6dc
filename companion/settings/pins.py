"""The [panel] section of the settings: which wire goes where, each mistake noted. Drives none."""

from collections.abc import Callable
from typing import TypeVar

from companion.settings.toml_section import Section, shown
from hardware.pins import (
    EEPROM_PINS,
    HIGHEST_PIN,
    LOWEST_PIN,
    NONE,
    PULLED_UP_ON_BOARD,
    ROWS,
    SEAT_LAMPS,
    ButtonPin,
    ColourLampPins,
    LampPin,
    Pins,
    Pull,
    StatusPins,
    used_pins,
)


def read_pins(panel: Section) -> Pins:
    """The [panel] section; what is wrong with it is noted in the section."""
    usual = Pins()
    pins = Pins(
        kind=panel.choice("kind", usual.kind),
        hold_seconds=panel.number("hold_seconds", usual.hold_seconds, 0.3, 10),
        off_hold_seconds=panel.number("off_hold_seconds", usual.off_hold_seconds, 1, 15),
        debounce_milliseconds=panel.whole("debounce_milliseconds", usual.debounce_milliseconds, 1, 300),
        rolled_button=_one(panel, "rolled_button", _button, usual.rolled_button),
        second_button=_one(panel, "second_button", _button, usual.second_button),
        off_button=_one(panel, "off_button", _button, usual.off_button),
        seat_lamps=_several(panel, "seat_lamps", SEAT_LAMPS, usual.seat_lamps),
        row_lamps=_several(panel, "row_lamps", len(ROWS), usual.row_lamps),
        status_lamp=_status_lamp(panel, usual.status_lamp),
        buzzer=_one(panel, "buzzer", _lamp, usual.buzzer),
        lid_light=_one(panel, "lid_light", _lamp, usual.lid_light),
    )
    panel.close()
    _refuse_shared(panel, pins)
    return pins


def _refuse_shared(panel: Section, pins: Pins) -> None:
    takers: dict[int, str] = {}
    for key, pin in used_pins(pins):
        if pin in takers:
            panel.problems.append(
                f"{panel.name}.{key} = {pin}: GPIO{pin} is taken by {panel.name}.{takers[pin]}; "
                'allowed is a free pin, or "none" for what is not built in'
            )
        takers.setdefault(pin, key)


# --- reading one wire: a bare pin number, a table with more, or "none" -------------------------------------

Wire = TypeVar("Wire")
Answer = TypeVar("Answer")  # a wire, several kinds of wires, or none


def _one(panel: Section, key: str, read: Callable[[Section], Wire | None], usual: Wire | None) -> Wire | None:
    if not panel.has(key):
        return usual
    return _wire(panel, key, panel.raw(key), read)


def _several(
    panel: Section, key: str, most: int, usual: tuple[LampPin | None, ...]
) -> tuple[LampPin | None, ...]:
    if not panel.has(key):
        return usual
    value = panel.raw(key)
    if value == NONE:
        return ()
    if not isinstance(value, list) or len(value) > most:
        panel.refuse(key, f'a list of up to {most} pins, or "none"')
        return usual
    return tuple(_wire(panel, f"{key}[{n}]", entry, _lamp) for n, entry in enumerate(value, 1))


def _wire(panel: Section, key: str, value: object, read: Callable[[Section], Answer]) -> Answer | None:
    if value == NONE:
        return None
    if isinstance(value, int) and not isinstance(value, bool):
        value = {"pin": value}
    if not isinstance(value, dict):
        problem = 'allowed is a pin such as 5, a table such as { pin = 5, active_high = true }, or "none"'
        panel.problems.append(f"{panel.name}.{key} = {shown(value)}: {problem}")
        return None
    wire = Section(f"{panel.name}.{key}", value, panel.problems)
    read_wire = read(wire)
    wire.close()
    return read_wire


def _button(wire: Section) -> ButtonPin | None:
    pin = _pin(wire, "pin")
    pull = wire.choice("pull", Pull.UP)
    high = wire.switch("active_high", pull is Pull.DOWN)
    if pull is Pull.UP and high:
        wire.refuse("active_high", 'false with pull = "up": the press pulls the pin low')
    if pull is Pull.DOWN and not high:
        wire.refuse("active_high", 'true with pull = "down": the press pulls the pin high')
    if pull is not Pull.UP and pin in PULLED_UP_ON_BOARD:
        wire.refuse("pull", f'"up" on GPIO{pin}: the board itself pulls it up')
    return None if pin is None else ButtonPin(pin, pull, high)


def _lamp(wire: Section) -> LampPin | None:
    pin, high, brightness = _pin(wire, "pin"), *_light(wire)
    return None if pin is None else LampPin(pin, high, brightness)


def _status_lamp(panel: Section, usual: StatusPins | None) -> StatusPins | None:
    if not panel.has("status_lamp"):
        return usual
    return _wire(panel, "status_lamp", panel.raw("status_lamp"), _status)


def _status(wire: Section) -> StatusPins | None:
    if wire.has("pin"):
        return _lamp(wire)
    if not any(wire.has(colour) for colour in ("red", "green", "blue")):
        wire.problems.append(
            f"{wire.name} has no pin: allowed is pin = 13, or red = 13, green = 19, blue = 26"
        )
        return None
    red, green, blue = _pin(wire, "red"), _pin(wire, "green"), _pin(wire, "blue")
    high, brightness = _light(wire)
    if red is None or green is None or blue is None:
        return None
    return ColourLampPins(red, green, blue, high, brightness)


def _light(wire: Section) -> tuple[bool, float]:
    return wire.switch("active_high", True), wire.number("brightness", 1.0, 0.02, 1.0)


def _pin(wire: Section, key: str) -> int | None:
    value = wire.raw(key)
    if isinstance(value, int) and not isinstance(value, bool) and LOWEST_PIN <= value <= HIGHEST_PIN:
        return value
    why = ""
    if value in EEPROM_PINS and not isinstance(value, bool):
        why = f"; GPIO{value} belongs to the ID EEPROM"
    wire.refuse(key, f"a GPIO number (not a header position) from {LOWEST_PIN} to {HIGHEST_PIN}{why}")
    return None
