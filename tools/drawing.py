"""SVG in the making, and the colours of our drawings. Knows nothing that is drawn."""

from dataclasses import dataclass, field
from html import escape

INK, SOFT, PAPER, GROUND = "#1d2733", "#6b7a8c", "#ffffff", "#3a3f45"


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
