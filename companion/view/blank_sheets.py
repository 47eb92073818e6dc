"""Blank sheets to print: an A4 page of them as a drawing. Owns no words and no layout."""

from xml.sax.saxutils import escape

from companion.rules import MISTHROW_BOXES, POINTS, Layout, Row, layout_named
from companion.words import Catalogue

Place = tuple[float, float, float, float]  # left, top, width, height

A4 = (210, 297)  # millimetres
EDGE, GAP = 9.0, 5.0
A_PAGE = (2, 4)
WIDTH = A4[0] - 2 * EDGE
INK = {"red": "#8c1024", "yellow": "#ffdd33", "green": "#35b58a", "blue": "#1f4fa3"}
ON = {"red": "#8c1024", "yellow": "#6b5600", "green": "#0d5c41", "blue": "#1f4fa3"}
HEAD, FOOT = 0.12, 0.24  # of a sheet's height: the name, and what is added up


def blank_page(layout: str, sheets: int, words: Catalogue) -> str:
    """So many sheets of that layout below each other on a page of A4."""
    found = layout_named(layout)
    height = (A4[1] - 2 * EDGE - GAP * (sheets - 1)) / sheets
    sheet = _sheet(found, height, words)
    tops = [EDGE + (height + GAP) * number for number in range(sheets)]
    drawn = "".join(f'<g transform="translate({EDGE:g} {top:.2f})">{sheet}</g>' for top in tops)
    size = f'width="{A4[0]}mm" height="{A4[1]}mm" viewBox="0 0 {A4[0]} {A4[1]}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif">{drawn}</svg>\n'


def _sheet(layout: Layout, height: float, words: Catalogue) -> str:
    head = height * HEAD
    across = (height - head - height * FOOT) / len(layout.rows)
    name, down = f"{words.say('paper.name')}:", head * 0.66
    line = f"M{1 + len(name) * head * 0.24:.2f} {down:.2f}H{WIDTH * 0.55:.2f}"
    parts = [_text(name, (1, down), head * 0.36), f'<path d="{line}" stroke="#888" stroke-width=".3"/>']
    parts += [_row(row, head + across * number, across * 0.9) for number, row in enumerate(layout.rows)]
    return "".join([*parts, _foot(height, words)])


def _row(row: Row, top: float, high: float) -> str:
    """Eleven numbers and the lock, each number in its own colour."""
    step = WIDTH / 12.2
    box, middle = min(step * 0.86, high * 0.8), top + high / 2
    parts = [_box((0, top, WIDTH, high), INK[row.lock], corner=2)]
    for place, cell in enumerate(row.cells):
        left, on = step * (place + 0.55), ON[cell.colour]
        if cell.colour != row.lock:
            parts.append(_box((left - step * 0.48, top + 0.4, step * 0.96, high - 0.8), INK[cell.colour]))
        parts.append(_box((left - box / 2, middle - box / 2, box, box), "#fff", on, 1.6))
        parts.append(_text(str(cell.number), (left, middle + box * 0.17), box * 0.5, "middle", on))
    return "".join([*parts, _lock(step * 11.6, middle, box * 0.46, ON[row.lock])])


def _lock(across: float, down: float, size: float, colour: str) -> str:
    body = size * 0.8
    bow = f"M{across - body * 0.32:.2f} {down:.2f}v{-body * 0.3:.2f}"
    bow += f"a{body * 0.32:.2f} {body * 0.32:.2f} 0 0 1 {body * 0.64:.2f} 0v{body * 0.3:.2f}"
    at = f'cx="{across:.2f}" cy="{down:.2f}" r="{size:.2f}"'
    return (
        f'<circle {at} fill="#fff" stroke="{colour}" stroke-width=".4"/>'
        f'<path d="{bow}" fill="none" stroke="{colour}" stroke-width=".5"/>'
        + _box((across - body * 0.45, down - 0.05, body * 0.9, body * 0.62), colour, corner=0.3)
    )


def _foot(height: float, words: Catalogue) -> str:
    """What so many crosses are worth, the misthrows, and room to add it all up."""
    top, high = height * (1 - FOOT) + 1.2, height * FOOT - 1.2
    size, lines = min(3.4, high * 0.2), (top + high * 0.24, top + high * 0.52)
    parts = []
    for key, down, worth in (("crosses", lines[0], range(13)), ("points", lines[1], POINTS)):
        parts.append(_text(words.say(f"help.{key}"), (1, down), size))
        numbers = enumerate(worth)
        parts += [_text(str(n), (20 + 7.6 * c, down), size, "middle") for c, n in numbers if 1 <= c <= 12]
    box = min(6.5, high * 0.34)
    left = WIDTH - (box + 1.6) * MISTHROW_BOXES
    parts.append(
        _text(f"{words.say('end.misthrows')} −5", (left - 2, top + high * 0.12 + box * 0.7), size, "end")
    )
    for number in range(MISTHROW_BOXES):
        parts.append(_box((left + (box + 1.6) * number, top + high * 0.12, box, box), "#fff", "#333", 1))
    return "".join([*parts, _sums(top + high * 0.62, high * 0.34, size * 1.3)])


def _sums(top: float, high: float, size: float) -> str:
    """The four rows, less the misthrows, make the total."""
    wide, parts = (WIDTH - 5 * 6) / 6, []
    for place, (colour, sign) in enumerate(zip((*INK, "misthrows", "total"), (*"+++−=", ""), strict=True)):
        left = place * (wide + 6)
        parts.append(_box((left, top, wide, high), "#fff", ON.get(colour, "#333")))
        parts.append(_text(sign, (left + wide + 3, top + high * 0.7), size, "middle"))
    return "".join(parts)


def _box(place: Place, fill: str, edge: str = "", corner: float = 1.2) -> str:
    left, top, wide, high = place
    stroke = f' stroke="{edge}" stroke-width=".4"' if edge else ""
    where = f'x="{left:.2f}" y="{top:.2f}" width="{wide:.2f}" height="{high:.2f}"'
    return f'<rect {where} rx="{corner:g}" fill="{fill}"{stroke}/>'


def _text(
    text: str, at: tuple[float, float], size: float, anchor: str = "start", colour: str = "#17191f"
) -> str:
    how = f'font-size="{size:.2f}" font-weight="600" text-anchor="{anchor}" fill="{colour}"'
    return f'<text x="{at[0]:.2f}" y="{at[1]:.2f}" {how}>{escape(text)}</text>'
