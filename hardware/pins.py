"""Which wire goes where: the panel's pins, with defaults as in docs/wiring.svg. Drives none."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

LOWEST_PIN, HIGHEST_PIN = 2, 27
EEPROM_PINS = (0, 1)
PULLED_UP_ON_BOARD = (2, 3)
SEAT_LAMPS = 5
ROWS = ("red", "yellow", "green", "blue")
NONE = "none"


class PanelKind(StrEnum):
    """Which panel to use."""

    AUTO = "auto"  # the real one where there are pins, else the simulated one
    SIMULATED = "simulated"


class Pull(StrEnum):
    """The resistor inside the Pi that holds an open button's pin."""

    UP = "up"
    DOWN = "down"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class ButtonPin:
    """A button between its pin and ground (pull up, pressed is low) or 3.3 V (pull down, pressed is high)."""

    pin: int
    pull: Pull = Pull.UP
    active_high: bool = False


@dataclass(frozen=True, slots=True)
class LampPin:
    """A lamp, buzzer or light; `brightness` below 1 dims it by switching it fast."""

    pin: int
    active_high: bool = True
    brightness: float = 1.0


@dataclass(frozen=True, slots=True)
class ColourLampPins:
    """A status lamp with three colours and one common leg."""

    red: int
    green: int
    blue: int
    active_high: bool = True
    brightness: float = 1.0


StatusPins = LampPin | ColourLampPins


@dataclass(frozen=True, slots=True)
class Pins:
    """Everything on the panel. None and empty: not built in."""

    kind: PanelKind = PanelKind.AUTO
    hold_seconds: float = 1.0
    off_hold_seconds: float = 3.0
    debounce_milliseconds: int = 30
    rolled_button: ButtonPin | None = ButtonPin(5)
    second_button: ButtonPin | None = ButtonPin(6)
    off_button: ButtonPin | None = ButtonPin(3)
    seat_lamps: tuple[LampPin | None, ...] = field(
        default_factory=lambda: tuple(LampPin(pin) for pin in (17, 27, 22, 10, 9))
    )
    row_lamps: tuple[LampPin | None, ...] = field(
        default_factory=lambda: tuple(LampPin(pin) for pin in (12, 16, 20, 21))
    )
    status_lamp: StatusPins | None = ColourLampPins(13, 19, 26)
    buzzer: LampPin | None = LampPin(25)
    lid_light: LampPin | None = LampPin(18)


def used_pins(pins: Pins) -> Iterator[tuple[str, int]]:
    """Each wire: the key it is set by and its pin."""
    for key in ("rolled_button", "second_button", "off_button", "buzzer", "lid_light"):
        single: ButtonPin | LampPin | None = getattr(pins, key)
        if single is not None:
            yield key, single.pin
    for key, lamps in (("seat_lamps", pins.seat_lamps), ("row_lamps", pins.row_lamps)):
        for number, lamp in enumerate(lamps, 1):
            if lamp is not None:
                yield f"{key}[{number}]", lamp.pin
    match pins.status_lamp:
        case LampPin(pin):
            yield "status_lamp", pin
        case ColourLampPins(red, green, blue):
            yield "status_lamp.red", red
            yield "status_lamp.green", green
            yield "status_lamp.blue", blue
        case None:
            pass
