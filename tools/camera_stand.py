"""How high a camera hangs to see the whole lid: drawn, and as a table. Knows no files."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from tools.drawing import INK, SOFT, Drawing

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
