"""Draws what the pages show of the product: the start page's picture and the icons of the home screen.

`make drawings` writes them into web/static; a test holds that they are what this draws.
"""

import sys
from pathlib import Path
from typing import cast

import cv2
import numpy as np
import numpy.typing as npt

Picture = npt.NDArray[np.uint8]

STATIC = Path("web/static")
GROUND = "#1d2026"
COLOURS = {"red": "#8c1024", "yellow": "#ffdd33", "green": "#35b58a", "blue": "#1f4fa3"}
ON = {"red": "#ffffff", "yellow": "#2b2300", "green": "#04231a", "blue": "#ffffff"}
ICONS = {"icon-180.png": (180, 0.62), "icon-192.png": (192, 0.69), "icon-512.png": (512, 0.69)}
ICONS |= {"icon-mask-512.png": (512, 0.5)}  # phones cut such icons to a circle
FINE = 4  # pixels drawn for one that is kept
PIPS = {1: "5", 2: "19", 3: "159", 4: "1379", 5: "13579", 6: "134679"}
# where the dice lie in the lid: left, top, turned by, colour, number
LID = (
    (92, 92, -14, "white", 3),
    (214, 74, 21, "white", 4),
    (322, 118, -8, "red", 2),
    (106, 214, 32, "yellow", 5),
    (220, 196, -26, "green", 6),
    (318, 236, 12, "blue", 1),
)
UP, DOWN = range(2, 13), range(12, 1, -1)
SHEET = {"red": ("3 5", UP), "yellow": ("4 9", UP), "green": ("12 10", DOWN), "blue": ("11", DOWN)}
WHITE_SUM = 7


# --- icons ---------------------------------------------------------------------------------------------


def icon(size: int, share: float) -> Picture:
    """Four dice on the ground, as large a share of it as is said; full to the edge."""
    wide = size * FINE
    picture = np.full((wide, wide, 3), bgr(GROUND), np.uint8)
    across = wide * share
    side, start = across * 0.455, (wide - across) / 2
    for place, colour in enumerate(COLOURS.values()):
        left = start + (across - side) * (place % 2)
        top = start + (across - side) * (place // 2)
        rounded(picture, (left, top, side), bgr(colour))
    return cast(Picture, cv2.resize(picture, (size, size), interpolation=cv2.INTER_AREA))


def rounded(picture: Picture, square: tuple[float, float, float], colour: tuple[int, int, int]) -> None:
    left, top, side = (round(each) for each in square)
    corner = round(side * 0.25)
    right, bottom = left + side, top + side
    cv2.rectangle(picture, (left + corner, top), (right - corner, bottom), colour, -1)
    cv2.rectangle(picture, (left, top + corner), (right, bottom - corner), colour, -1)
    for x in (left + corner, right - corner):
        for y in (top + corner, bottom - corner):
            cv2.circle(picture, (x, y), corner, colour, -1)


def bgr(text: str) -> tuple[int, int, int]:
    return int(text[5:7], 16), int(text[3:5], 16), int(text[1:3], 16)


# --- the start page's picture ---------------------------------------------------------------------------


def hero() -> str:
    """A lid with a roll, and the phone that shows what may be crossed with it."""
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 400" font-family="system-ui, sans-serif">',
        f'<rect width="720" height="400" rx="22" fill="{GROUND}"/>',
        '<rect x="34" y="30" width="386" height="340" rx="18" fill="#7d5a3c"/>',
        '<rect x="52" y="48" width="350" height="304" rx="8" fill="#e9e3d4"/>',
        '<path d="M52 48h350l-12 12H64v280l-12 12z" fill="#000" opacity=".14"/>',
        *(die(*each) for each in LID),
        *phone(),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def die(left: int, top: int, turned: int, colour: str, pips: int) -> str:
    ground, on = COLOURS.get(colour, "#ffffff"), ON.get(colour, "#17191f")
    dots = "".join(
        f'<circle cx="{15 + 17 * ((int(place) - 1) % 3)}" cy="{15 + 17 * ((int(place) - 1) // 3)}" r="5.4"/>'
        for place in PIPS[pips]
    )
    body = f'<rect width="64" height="64" rx="14" fill="{ground}"/><g fill="{on}">{dots}</g>'
    shadow = '<rect x="3" y="6" width="64" height="64" rx="14" opacity=".22"/>'
    return f'<g transform="translate({left} {top}) rotate({turned} 32 32)">{shadow}{body}</g>'


def phone() -> list[str]:
    parts = [
        '<rect x="456" y="24" width="232" height="352" rx="30" fill="#0c0d10"/>',
        '<rect x="466" y="34" width="212" height="332" rx="22" fill="#f3f1ea"/>',
        f'<text x="482" y="68" font-size="21" font-weight="800" fill="#17191f">3 + 4 = {WHITE_SUM}</text>',
    ]
    for number, (colour, (crossed, printed)) in enumerate(SHEET.items()):
        parts += row(88 + 66 * number, colour, {int(each) for each in crossed.split()}, list(printed))
    return parts


def row(top: int, colour: str, crossed: set[int], printed: list[int]) -> list[str]:
    """A colour on two lines, as phones fold it; the white sum has a ring where it may be crossed."""
    parts = [f'<rect x="474" y="{top}" width="196" height="60" rx="9" fill="{COLOURS[colour]}"/>']
    furthest = max(place for place, each in enumerate(printed) if each in crossed)
    for place, each in enumerate(printed):
        left, down = 480 + 31.4 * (place % 6), top + 5 + 26 * (place // 6)
        legal = each == WHITE_SUM and place > furthest
        ground = "#ffffff" if place > furthest or each in crossed else "#ffffff88"
        ring = f' stroke="{GROUND}" stroke-width="3"' if legal else ""
        parts.append(f'<rect x="{left:g}" y="{down}" width="27" height="23" rx="5" fill="{ground}"{ring}/>')
        weight = 800 if legal else 600
        text = f'font-size="14" font-weight="{weight}" text-anchor="middle" fill="#17191f">{each}</text>'
        parts.append(f'<text x="{left + 13.5:g}" y="{down + 16.5:g}" {text}')
        if each in crossed:
            strokes = f"M{left + 6:g} {down + 4}l15 15m0-15l-15 15"
            parts.append(f'<path d="{strokes}" stroke="#17191f" stroke-width="3" stroke-linecap="round"/>')
    return parts


def main() -> int:
    (STATIC / "hero.svg").write_text(hero(), encoding="utf-8")
    for name, (size, share) in ICONS.items():
        cv2.imwrite(str(STATIC / name), icon(size, share), [cv2.IMWRITE_PNG_COMPRESSION, 9])
    return 0


if __name__ == "__main__":
    sys.exit(main())
