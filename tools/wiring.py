"""Draws which pin of the header goes to which button and lamp. Knows no files."""

from collections.abc import Iterator
from dataclasses import dataclass

from hardware.pins import ROWS, ButtonPin, ColourLampPins, LampPin, Pins
from tools.drawing import GROUND, INK, PAPER, SOFT, Drawing

# GPIO number or name at each position, as printed in every Pi's manual
HEADER: tuple[int | str, ...] = (
    *(
        "3.3 V",
        "5 V",
        2,
        "5 V",
        3,
        "GND",
        4,
        14,
        "GND",
        15,
        17,
        18,
        27,
        "GND",
        22,
        23,
        "3.3 V",
        24,
        10,
        "GND",
    ),
    *(9, 25, 11, 8, "GND", 7, "ID", "ID", 5, "GND", 6, 12, 13, "GND", 19, 16, 26, 20, "GND", 21),
)
POSITION = {what: number for number, what in enumerate(HEADER, 1) if isinstance(what, int)}

LIGHTS = {"red": "#e5484d", "yellow": "#f5d90a", "green": "#30a46c", "blue": "#3e63dd", "white": "#f4f4f4"}
OHMS = {"red": 330, "yellow": 330, "green": 100, "blue": 100, "white": 100}

WIDTH, ROW, TOP = 1260, 36, 132
MIDDLE = WIDTH / 2
PIN_GAP = 26
LEFT_RAIL, RIGHT_RAIL = 290, WIDTH - 290


@dataclass(frozen=True)
class Wire:
    """One pin with what hangs on it."""

    pin: int
    what: str
    kind: str  # button, lamp, module
    colour: str = "white"

    @property
    def position(self) -> int:
        return POSITION[self.pin]

    @property
    def side(self) -> int:
        return -1 if self.position % 2 else 1

    @property
    def y(self) -> float:
        return row_of(self.position)


def row_of(position: int) -> float:
    return TOP + ((position - 1) // 2) * ROW


def x_of(position: int) -> float:
    return MIDDLE - PIN_GAP / 2 if position % 2 else MIDDLE + PIN_GAP / 2


def wires(pins: Pins) -> Iterator[Wire]:
    """Everything the defaults know of."""
    buttons: tuple[tuple[ButtonPin | None, str], ...] = (
        (pins.rolled_button, "rolled"),
        (pins.second_button, "second"),
        (pins.off_button, "off"),
    )
    for button, name in buttons:
        if button is not None:
            yield Wire(button.pin, f"“{name}” button", "button")
    for number, lamp in enumerate(pins.seat_lamps, 1):
        if lamp is not None:
            yield Wire(lamp.pin, f"seat {number}", "lamp", "white")
    for colour, lamp in zip(ROWS, pins.row_lamps, strict=False):
        if lamp is not None:
            yield Wire(lamp.pin, f"row {colour}", "lamp", colour)
    if isinstance(pins.status_lamp, ColourLampPins):
        for colour in ("red", "green", "blue"):
            yield Wire(getattr(pins.status_lamp, colour), f"status, {colour}", "lamp", colour)
    modules: tuple[tuple[LampPin | None, str], ...] = (
        (pins.buzzer, "buzzer module"),
        (pins.lid_light, "lid light, MOSFET module"),
    )
    for module, name in modules:
        if module is not None:
            yield Wire(module.pin, name, "module")


def wiring(pins: Pins) -> Drawing:
    """The header in the middle; each pin's wire goes straight outwards to its part, and on to ground."""
    drawing = Drawing(WIDTH, TOP + 20 * ROW + 148, "Boxlid: wiring of the panel to the Raspberry Pi header")
    drawing.text(MIDDLE, 38, "Boxlid panel", 24, "middle", bold=True)
    drawing.text(
        MIDDLE, 62, "seen from above, the header's end near the SD card at the top", 14, "middle", SOFT
    )
    drawing.text(MIDDLE, 84, "wire only what you want: everything here is optional", 14, "middle", SOFT)
    drawing.box(MIDDLE - 34, TOP - 22, 68, 20 * ROW + 8, "#22303f", 8)
    used = {wire.pin: wire for wire in wires(pins)}
    for position, what in enumerate(HEADER, 1):
        _pin(drawing, position, what, isinstance(what, int) and what in used)
    for side, rail, ground in ((-1, LEFT_RAIL, 39), (1, RIGHT_RAIL, 34)):
        ours = [wire for wire in used.values() if wire.side == side]
        _rail(drawing, rail, [wire.y for wire in ours if wire.kind != "module"], ground)
        for wire in ours:
            _part(drawing, wire, rail)
    _bracket(drawing, [wire.y for wire in used.values() if wire.what.startswith("status")])
    _notes(drawing)
    return drawing


def _pin(drawing: Drawing, position: int, what: int | str, used: bool) -> None:
    x, y = x_of(position), row_of(position)
    fill = {"GND": GROUND, "3.3 V": "#f0a35e", "5 V": "#e5484d", "ID": "#8a8f98"}.get(str(what), "#d9c36a")
    drawing.dot(x, y, 7.5, fill, "#111")
    side = -1 if position % 2 else 1
    name = f"GPIO{what}" if isinstance(what, int) else str(what)
    anchor = "end" if side < 0 else "start"
    drawing.text(MIDDLE + side * 42, y - 5, f"{position}", 10, anchor, SOFT)
    drawing.text(
        MIDDLE + side * 42, y + 13 if not used else y + 16, name, 12, anchor, INK if used else "#a3adb8", used
    )


def _rail(drawing: Drawing, x: float, rows: list[float], ground: int) -> None:
    """The common wire to ground, led to one of the header's ground pins."""
    y = row_of(ground)
    drawing.line(x, min([*rows, y]), x, max([*rows, y]), GROUND, 3)
    drawing.line(x, y, x_of(ground), y, GROUND, 3)
    drawing.text(x, min(rows) - 14, "ground", 12, "middle", GROUND, bold=True)


def _part(drawing: Drawing, wire: Wire, rail: float) -> None:
    side, y = wire.side, wire.y
    start = x_of(wire.position) + side * 7.5
    label = rail + side * 12
    anchor = "end" if side < 0 else "start"
    if wire.kind == "module":
        _module(drawing, wire, start)
        return
    drawing.line(start, y, rail, y, INK, 2)
    if wire.kind == "button":
        _button(drawing, MIDDLE + side * 200, y)
        drawing.text(label, y + 5, f"{wire.what}", 14, anchor, bold=True)
    else:
        _resistor(drawing, MIDDLE + side * 150, y, OHMS[wire.colour])
        _lamp(drawing, MIDDLE + side * 240, y, side, LIGHTS[wire.colour])
        drawing.text(
            label, y + 5, f"{wire.what} ({wire.colour})" if "seat" in wire.what else wire.what, 14, anchor
        )


def _resistor(drawing: Drawing, x: float, y: float, ohms: int) -> None:
    drawing.box(x - 27, y - 9, 54, 18, "#f3e3c3", 3)
    drawing.text(x, y + 4.5, f"{ohms} Ω", 11, "middle")


def _lamp(drawing: Drawing, x: float, y: float, side: int, colour: str) -> None:
    """An LED: current flows outwards, its flat side and short leg towards ground."""
    drawing.dot(x, y, 15, colour)
    tip, back = x + side * 8, x - side * 7
    drawing.path(f"M{back:g} {y - 8:g}L{tip:g} {y:g}L{back:g} {y + 8:g}Z", INK, INK, 1)
    drawing.line(tip, y - 8, tip, y + 8, INK, 2.5)


def _button(drawing: Drawing, x: float, y: float) -> None:
    drawing.box(x - 19, y - 15, 38, 20, PAPER, 0)
    drawing.parts.pop()
    drawing.line(x - 16, y, x + 16, y, PAPER, 6)
    drawing.dot(x - 16, y, 3.5, PAPER)
    drawing.dot(x + 16, y, 3.5, PAPER)
    drawing.line(x - 19, y - 9, x + 19, y - 9, INK, 2.5)
    drawing.line(x, y - 9, x, y - 15, INK, 2.5)


def _module(drawing: Drawing, wire: Wire, start: float) -> None:
    """A ready-made board with a transistor: it takes its current from 5 V, not from the pin."""
    side, y = wire.side, wire.y
    drawing.line(start, y, MIDDLE + side * 150, y, INK, 2)
    light = "MOSFET" in wire.what
    x = MIDDLE + side * 150
    drawing.box(x, y - 28, 190, 56, "#e7eef7")
    drawing.text(x + 10, y + 5, "signal", 11, colour=SOFT)
    drawing.text(x + 62, y - 9, "+ from pin 4 (5 V)" if light else "+ from pin 1 (3.3 V)", 12)
    drawing.text(x + 62, y + 17, "− from pin 6 (GND)" if light else "− from pin 20 (GND)", 12)
    if light:
        drawing.line(x + 190, y, x + 214, y, INK, 2)
        drawing.box(x + 214, y - 14, 92, 28, "#fff6d6")
        for n in range(5):
            drawing.dot(x + 226 + n * 17, y, 4.5, LIGHTS["yellow"])
    drawing.text(x + (318 if light else 202), y - 3, "lid light" if light else "buzzer", 14, bold=True)
    drawing.text(
        x + (318 if light else 202),
        y + 15,
        "5 V LED strip, ≤ 1 A" if light else "active, high level",
        11,
        colour=SOFT,
    )


def _bracket(drawing: Drawing, rows: list[float]) -> None:
    """Three wires, one lamp."""
    if len(rows) != 3:
        return
    x = LEFT_RAIL - 132
    drawing.path(f"M{x:g} {min(rows) - 10:g}h-12v{max(rows) - min(rows) + 20:g}h12", SOFT)
    drawing.text(x - 20, sum(rows) / 3 - 4, "one RGB lamp,", 12, "end", SOFT)
    drawing.text(x - 20, sum(rows) / 3 + 12, "common cathode", 12, "end", SOFT)


def _notes(drawing: Drawing) -> None:
    notes = (
        "Pull the plug before wiring. Small numbers are header positions; boxlid.toml has GPIO numbers.",
        "LED: long leg to the resistor, short leg (flat side) to ground. Button: any closing contact.",
        "Each lamp takes 3 to 4 mA, all together about 45 mA: the header gives 16 mA a pin and 50 mA in all.",
        "GPIO3 also wakes a Pi that was switched off: the off button is an on button, too.",
    )
    for number, note in enumerate(notes):
        drawing.text(60, TOP + 20 * ROW + 44 + number * 24, note, 14)
