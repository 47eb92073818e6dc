"""Which wire goes where: the panel's pins, with defaults as in docs/wiring.svg. Drives none."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated

from boxlid.errors import StatementKind, statement
from boxlid.fields import Before, Between, Clash, Length, Said, Which

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


class PinWanted(StatementKind):
    """What may stand in the settings of a wire."""

    GPIO = "wanted.gpio"
    WIRE = "wanted.wire"
    WIRES = "wanted.wires"
    STATUS = "wanted.status_lamp"
    LOW = "wanted.active_low"
    HIGH = "wanted.active_high"
    PULL_UP = "wanted.pull_up"
    FREE = "wanted.free_pin"


Pin = Annotated[int, Between(LOWEST_PIN, HIGHEST_PIN), Said(PinWanted.GPIO)]
Brightness = Annotated[float, Between(0.02, 1)]


@dataclass(frozen=True, slots=True)
class ButtonPin:
    """A button between its pin and ground (pull up, pressed is low) or 3.3 V (pull down, pressed is high)."""

    pin: Pin
    pull: Pull = Pull.UP
    active_high: bool = False

    def clashes(self) -> Iterator[Clash]:
        if self.pull is Pull.UP and self.active_high:
            yield Clash("active_high", statement(PinWanted.LOW), others=("pull",))
        if self.pull is Pull.DOWN and not self.active_high:
            yield Clash("active_high", statement(PinWanted.HIGH), others=("pull",))
        if self.pull is not Pull.UP and self.pin in PULLED_UP_ON_BOARD:
            yield Clash("pull", statement(PinWanted.PULL_UP, pin=self.pin), others=("pin",))


@dataclass(frozen=True, slots=True)
class LampPin:
    """A lamp, buzzer or light; `brightness` below 1 dims it by switching it fast."""

    pin: Pin
    active_high: bool = True
    brightness: Brightness = 1.0


@dataclass(frozen=True, slots=True)
class ColourLampPins:
    """A status lamp with three colours and one common leg."""

    red: Pin
    green: Pin
    blue: Pin
    active_high: bool = True
    brightness: Brightness = 1.0


StatusPins = LampPin | ColourLampPins


# --- a wire as it is written: a bare pin number, a table with more, or "none" ------------------------------


def _wire(value: object) -> object:
    if value == NONE:
        return None
    if isinstance(value, int) and not isinstance(value, bool):
        return {"pin": value}
    if not isinstance(value, dict):
        raise ValueError  # noqa: TRY004 - as the reader of fields takes it
    return value


def _button(value: object) -> object:
    """Pulled down, a press is high unless it is said otherwise: then that is refused."""
    wire = _wire(value)
    if isinstance(wire, dict) and wire.get("pull") == Pull.DOWN:
        return {"active_high": True, **wire}
    return wire


def _status(value: object) -> object:
    wire = _wire(value)
    if isinstance(wire, dict) and wire.keys().isdisjoint(("pin", "red", "green", "blue")):
        raise ValueError
    return wire


def _of_status(wire: object) -> type:
    return LampPin if isinstance(wire, dict) and "pin" in wire else ColourLampPins


def _wires(value: object) -> object:
    return [] if value == NONE else value


Button = Annotated[ButtonPin | None, Before(_button, PinWanted.WIRE)]
Lamp = Annotated[LampPin | None, Before(_wire, PinWanted.WIRE)]
StatusLamp = Annotated[StatusPins | None, Before(_status, PinWanted.STATUS), Which(_of_status)]
SeatLamps = Annotated[tuple[Lamp, ...], Length(0, SEAT_LAMPS), Said(PinWanted.WIRES), Before(_wires)]
RowLamps = Annotated[tuple[Lamp, ...], Length(0, len(ROWS)), Said(PinWanted.WIRES), Before(_wires)]


@dataclass(frozen=True, slots=True)
class Pins:
    """Everything on the panel. None and empty: not built in."""

    kind: PanelKind = PanelKind.AUTO
    hold_seconds: Annotated[float, Between(0.3, 10)] = 1.0
    off_hold_seconds: Annotated[float, Between(1, 15)] = 3.0
    debounce_milliseconds: Annotated[int, Between(1, 300)] = 30
    rolled_button: Button = ButtonPin(5)
    second_button: Button = ButtonPin(6)
    off_button: Button = ButtonPin(3)
    seat_lamps: SeatLamps = field(default_factory=lambda: tuple(LampPin(pin) for pin in (17, 27, 22, 10, 9)))
    row_lamps: RowLamps = field(default_factory=lambda: tuple(LampPin(pin) for pin in (12, 16, 20, 21)))
    status_lamp: StatusLamp = ColourLampPins(13, 19, 26)
    buzzer: Lamp = LampPin(25)
    lid_light: Lamp = LampPin(18)

    def clashes(self) -> Iterator[Clash]:
        """Each pin has one wire."""
        takers: dict[int, str] = {}
        for key, pin in used_pins(self):
            if pin in takers:
                wanted = statement(PinWanted.FREE, pin=pin, taker=takers[pin])
                yield Clash(key, wanted, got=pin, others=(takers[pin],))
            takers.setdefault(pin, key)


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
