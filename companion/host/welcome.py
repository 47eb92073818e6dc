"""What the terminal says when the companion runs: one screen, the QR code beside the text. Starts nothing."""

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from urllib.parse import urlencode

import segno

from companion.checks.installation import Installation, installation

REAL_DICE = 'Real dice and phones are enough: join, roll, tap "Photograph the dice".'
DRAWN_DICE = 'Or without dice: "I rolled" throws drawn ones.'
WIDTH = 80  # of the smallest usual terminal; with 24 lines, two of them for the panel's lamps and keys
TEXT_WIDTH = 45
BLACK_ON_WHITE, AS_BEFORE = "\x1b[30;107m", "\x1b[0m"
# Two rows of modules a line; drawn for light ground, and for who knows no colours in the colour of the text.
INK = {(1, 1): "█", (1, 0): "▀", (0, 1): "▄", (0, 0): " "}
LIGHT = {(0, 0): "█", (0, 1): "▀", (1, 0): "▄", (1, 1): " "}


@dataclass(frozen=True, slots=True)
class Greeting:
    """What the one screen tells."""

    port: int
    addresses: Sequence[str]  # for phones, the best one first
    code: str
    simulated: bool  # the table
    notes: Sequence[str] = ()  # what the owner should know, a sentence each


def welcome(told: Greeting, *, coloured: bool, encoding: str = "utf-8") -> str:
    """One screen: what is simulated, the addresses, the code, what to do next."""
    notes = [line for note in told.notes for line in textwrap.wrap(note, WIDTH - 4)]
    code = qr(f"{told.addresses[0]}/join?{urlencode({'code': told.code})}", coloured=coloured)
    if not _can_show(encoding):
        code = []
    text = _text(told)
    width = max(TEXT_WIDTH, *(len(line) + 1 for line in text))
    screen = [f"  {line:{width}}{part}".rstrip() for line, part in zip_longest(text, code, fillvalue="")]
    return "\n".join(["", *(f"  {line}" for line in notes), *screen, ""])


def _text(told: Greeting) -> list[str]:
    here = f"http://localhost:{told.port}"
    about = f"{REAL_DICE} {DRAWN_DICE}"
    asked = (
        ["Check it: make test. Improve it: CONTRIBUTING.md"]
        if installation() is Installation.CLONE
        else ["Check the box: boxlid doctor"]
    )
    first = (
        'Open the start page: "Show me" plays a game.'
        if told.simulated
        else "Open the start page, join, and play."
    )
    return [
        "Boxlid is running.",
        "",
        *(textwrap.wrap(about, TEXT_WIDTH - 2) if told.simulated else []),
        "",
        f"Start   {here}",
        f"Table   {here}/table",
        f"Panel   {here}/panel",
        f"Phones  {told.addresses[0]}/join",
        f"Code    {told.code}",
        "",
        *textwrap.wrap(f"Next: {first[0].lower()}{first[1:]}", TEXT_WIDTH - 2),
        "Phones in the same network scan the code.",
        *textwrap.wrap(asked[0], TEXT_WIDTH - 2),
        "",
        "Ctrl+C stops it; the game is kept.",
    ]


def qr(text: str, *, coloured: bool) -> list[str]:
    """A QR code in half blocks: two rows of modules a line."""
    rows = [[int(module) for module in row] for row in segno.make(text, error="l").matrix_iter(border=2)]
    rows += [[0] * len(rows[0])] if len(rows) % 2 else []
    glyphs = INK if coloured else LIGHT
    lines = [
        "".join(glyphs[above, below] for above, below in zip(top, low, strict=True))
        for top, low in zip(rows[::2], rows[1::2], strict=True)
    ]
    return [f"{BLACK_ON_WHITE}{line}{AS_BEFORE}" for line in lines] if coloured else lines


def _can_show(encoding: str) -> bool:
    try:
        "█▀▄".encode(encoding)
    except UnicodeEncodeError:
        return False
    return True
