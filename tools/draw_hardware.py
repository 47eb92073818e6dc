"""Draws docs/wiring.svg from the default pins and docs/camera-stand.svg from the angles of lenses.

.venv/bin/python tools/draw_hardware.py [FOLDER]
"""

import math
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

from companion.pins import ROWS, ButtonPin, ColourLampPins, LampPin, Pins

# --- the header: GPIO number or name at each position, as printed in every Pi's manual ---------------------

HEADER = (
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

INK, SOFT, PAPER, GROUND = "#1d2733", "#6b7a8c", "#ffffff", "#3a3f45"
LIGHTS = {"red": "#e5484d", "yellow": "#f5d90a", "green": "#30a46c", "blue": "#3e63dd", "white": "#f4f4f4"}
OHMS = {"red": 330, "yellow": 330, "green": 100, "blue": 100, "white": 100}

WIDTH, ROW, TOP = 1260, 36, 132
MIDDLE = WIDTH / 2
PIN_GAP = 26
LEFT_RAIL, RIGHT_RAIL = 290, WIDTH - 290


@dataclass
class Drawing:
    """SVG in the making."""

    width: float
    height: float
    title: str
    parts: list[str] = field(default_factory=list)

    def line(self, x1: float, y1: float, x2: float, y2: float, colour: str = INK, width: float = 2) -> None:
        self.parts.append(
            f'<path d="M{x1:g} {y1:g}L{x2:g} {y2:g}" stroke="{colour}" stroke-width="{width:g}" fill="none"/>'
        )

    def path(self, way: str, stroke: str = INK, fill: str = "none", width: float = 2) -> None:
        self.parts.append(f'<path d="{way}" stroke="{stroke}" stroke-width="{width:g}" fill="{fill}"/>')

    def box(
        self, x: float, y: float, width: float, height: float, fill: str = PAPER, radius: float = 5
    ) -> None:
        self.parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{radius:g}" '
            f'stroke="{INK}" stroke-width="1.5" fill="{fill}"/>'
        )

    def dot(self, x: float, y: float, radius: float, fill: str, stroke: str = INK) -> None:
        self.parts.append(
            f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" '
            f'fill="{fill}" stroke="{stroke}" stroke-width="1.5"/>'
        )

    def text(  # noqa: PLR0913, PLR0917 - all that a text has
        self,
        x: float,
        y: float,
        words: str,
        size: float = 14,
        anchor: str = "start",
        colour: str = INK,
        bold: bool = False,
    ) -> None:
        weight = ' font-weight="bold"' if bold else ""
        self.parts.append(
            f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" text-anchor="{anchor}" fill="{colour}"{weight}>'
            f"{escape(words)}</text>"
        )

    def __str__(self) -> str:
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width:g} {self.height:g}" '
            f'width="{self.width:g}" height="{self.height:g}" font-family="DejaVu Sans, Arial, sans-serif" '
            f'role="img"><title>{escape(self.title)}</title>'
        )
        ground = f'<rect width="{self.width:g}" height="{self.height:g}" fill="{PAPER}"/>'
        return "\n".join([head, ground, *self.parts, "</svg>", ""])


# --- wiring ------------------------------------------------------------------------------------------------


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


# --- camera stand ------------------------------------------------------------------------------------------

LID = (190.0, 130.0)  # millimetres, long and short side
MARGIN = 1.15  # of the lid, so that it may be put down askew
DIE = 16.0
PICTURE = (1280, 720)


@dataclass(frozen=True)
class Lens:
    """A camera by its horizontal angle; the picture is 16:9, cut from the full width of the sensor."""

    name: str
    horizontal: float  # degrees

    @property
    def across(self) -> float:
        """Width of what is seen from a height of 1."""
        return 2 * math.tan(math.radians(self.horizontal) / 2)

    def view(self, height: float) -> tuple[float, float]:
        """What is seen from that height, width and depth in millimetres."""
        width = self.across * height
        return width, width * PICTURE[1] / PICTURE[0]

    @property
    def height(self) -> float:
        """From where the lid with its margin is just seen, in millimetres over its rim."""
        across = LID[0] * MARGIN / self.across
        deep = LID[1] * MARGIN / (self.across * PICTURE[1] / PICTURE[0])
        return max(across, deep)

    def die_pixels(self, height: float) -> float:
        """The edge of a die in pixels of the picture."""
        return DIE * PICTURE[0] / self.view(height)[0]


LENSES = (
    Lens("Camera Module 2", 62.2),
    Lens("Camera Module 3", 66.0),
    Lens("Camera Module 3 Wide", 102.0),
    Lens("HQ camera, 6 mm lens", 55.3),
)
HEIGHTS = (150, 200, 250, 300, 400)


def table(lenses: Iterable[Lens] = LENSES) -> str:
    """The heights as a table for the text: what is seen, and how large a die is; bold where the lid fits."""
    lines = ["| camera | lowest height | " + " | ".join(f"{h // 10} cm" for h in HEIGHTS) + " |"]
    lines.append("|---|---|" + "---|" * len(HEIGHTS))
    for lens in lenses:
        cells = []
        for height in HEIGHTS:
            width, deep = lens.view(height)
            cell = f"{width:.0f}×{deep:.0f} mm, die {lens.die_pixels(height):.0f} px"
            cells.append(f"**{cell}**" if height >= lens.height else cell)
        lines.append(f"| {lens.name} | {math.ceil(lens.height / 10)} cm | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def stand() -> Drawing:
    """Side by side: the lid from its short end, and how high each camera hangs over it."""
    column, floor, scale = 300.0, 400.0, 1.0
    drawing = Drawing(column * len(LENSES) + 40, 540, "Boxlid: camera heights over the lid")
    drawing.text(drawing.width / 2, 36, "How high the camera hangs", 22, "middle", bold=True)
    drawing.text(
        drawing.width / 2,
        60,
        "lid 190×130 mm seen along its long side, picture 16:9, with a margin of 15 %; heights over the rim",
        13,
        "middle",
        SOFT,
    )
    for number, lens in enumerate(LENSES):
        x = 20 + column * (number + 0.5)
        _camera(drawing, lens, x, floor, scale)
    drawing.line(20, floor + 34, drawing.width - 20, floor + 34, SOFT, 3)
    drawing.text(
        drawing.width / 2,
        floor + 112,
        "Straight above the middle of the lid. A lamp aside and higher than the camera, never behind it.",
        14,
        "middle",
    )
    return drawing


def _camera(drawing: Drawing, lens: Lens, x: float, floor: float, scale: float) -> None:
    rim, top = floor, floor - lens.height * scale
    half = lens.view(lens.height)[0] / 2 * scale
    drawing.path(f"M{x:g} {top:g}L{x - half:g} {rim:g}H{x + half:g}Z", "#e0b64a", "#fff8df", 1)
    post = x - LID[0] / 2 * scale - 16
    drawing.line(post, floor + 32, post, top - 14, SOFT, 7)
    drawing.line(post - 3.5, top - 14, x + 10, top - 14, SOFT, 7)
    drawing.box(x - 17, top - 12, 34, 12, "#2f7d4f", 3)
    drawing.box(x - 6, top - 1, 12, 9, INK, 2)
    left, right = x - LID[0] / 2 * scale, x + LID[0] / 2 * scale
    drawing.path(f"M{left:g} {rim:g}V{rim + 32:g}H{right:g}V{rim:g}", INK, "none", 4)
    for place, colour in zip(
        (-70, -42, -10, 16, 44, 74), ("#fff", "#e5484d", "#f5d90a", "#fff", "#30a46c", "#3e63dd"), strict=True
    ):
        drawing.box(x + place * scale - 8, rim + 30 - DIE * scale, DIE * scale, DIE * scale, colour, 3)
    drawing.line(x + 26, top, x + 26, rim, INK, 1)
    for y in (top, rim):
        drawing.line(x + 20, y, x + 32, y, INK, 1)
    drawing.text(x + 36, (top + rim) / 2, f"{math.ceil(lens.height / 10)} cm", 16, bold=True)
    drawing.text(x, floor + 62, lens.name, 14, "middle", bold=True)
    drawing.text(
        x,
        floor + 82,
        f"{lens.horizontal:g}° across, a die is {lens.die_pixels(lens.height):.0f} pixels",
        12,
        "middle",
        SOFT,
    )


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "docs"
    (folder / "wiring.svg").write_text(str(wiring(Pins())), encoding="utf-8")
    (folder / "camera-stand.svg").write_text(str(stand()), encoding="utf-8")
    print(table())


if __name__ == "__main__":
    main()
