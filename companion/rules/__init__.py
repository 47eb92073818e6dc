"""Rules: sheets, dice and the board as frozen values. No clock, no randomness, no I/O, no logging.

>>> from companion.rules import Cell, Roll, Sheet
>>> sheet = Sheet.parse("R2 R5 G12")
>>> roll = Roll.parse("W3 W4 R2 Y5 G6 B1")
>>> [str(cell) for cell in sheet.legal(roll.white_sum)]
['R7', 'Y7', 'G7', 'B7']
>>> str(sheet.cross(Cell.parse("R7")))
'R2 R5 R7 G12'
>>> sheet.cross(Cell.parse("R3"))
Traceback (most recent call last):
...
companion.rules.sheet.IllegalCrossError: illegal cross: R3 is not right of R5 in "R2 R5 G12"
>>> sheet.score
4
"""

from companion.rules.board import (
    HIGHEST_POINTS,
    SIDES,
    SPACES,
    START,
    Board,
    BoardError,
    BoardFault,
    Side,
    Space,
)
from companion.rules.cells import COLOURS, Cell, Colour, NotationError, is_number
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
    "HIGHEST_POINTS",
    "LAYOUTS",
    "MISTHROW_BOXES",
    "MISTHROW_POINTS",
    "MIXX_A",
    "MIXX_B",
    "POINTS",
    "SIDES",
    "SPACES",
    "START",
    "Board",
    "BoardError",
    "BoardFault",
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
    "is_number",
    "layout_named",
]
