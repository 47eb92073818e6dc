"""Rules: sheets, dice and the board as frozen values. No clock, no randomness, no I/O, no logging."""

from companion.rules.board import START, Board, BoardError, Side, Space
from companion.rules.cells import COLOURS, Cell, Colour, NotationError
from companion.rules.dice import Roll
from companion.rules.layout import CLASSIC, LAYOUTS, MIXX_A, MIXX_B, Layout, Row, layout_named
from companion.rules.sheet import (
    MISTHROW_BOXES,
    MISTHROW_POINTS,
    POINTS,
    IllegalCrossError,
    Refusal,
    RuleError,
    Sheet,
    Why,
)

__all__ = [
    "CLASSIC",
    "COLOURS",
    "LAYOUTS",
    "MISTHROW_BOXES",
    "MISTHROW_POINTS",
    "MIXX_A",
    "MIXX_B",
    "POINTS",
    "START",
    "Board",
    "BoardError",
    "Cell",
    "Colour",
    "IllegalCrossError",
    "Layout",
    "NotationError",
    "Refusal",
    "Roll",
    "Row",
    "RuleError",
    "Sheet",
    "Side",
    "Space",
    "Why",
    "layout_named",
]
