"""A printed sheet and a board as arrays, for many games at once. Knows no game."""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from companion.rules import COLOURS, POINTS, Layout, Side
from companion.rules.board import SPACES
from companion.rules.cells import HIGHEST
from companion.rules.layout import LAST

Bits = NDArray[np.uint16]
Small = NDArray[np.int8]
Flags = NDArray[np.bool_]

COLOUR_COUNT = len(COLOURS)
LOCK_BIT = np.uint16(1 << (LAST + 1))
CELL_BITS = np.uint16(LOCK_BIT - 1)
_ROWS = range(1 << (LAST + 2))
REACHED = np.array([bits.bit_length() for bits in _ROWS], np.int8)  # places up to the rightmost cross
CROSSES = np.array([bits.bit_count() for bits in _ROWS], np.int8)  # the lock counts as one
ROW_POINTS = np.array([POINTS[bits.bit_count()] for bits in _ROWS], np.int16)


@dataclass(frozen=True)
class Print:
    """Where each coloured number is printed; rows by place, colours in the order of `COLOURS`."""

    layout: Layout
    row: Small  # [colour, number]
    place: Small  # [colour, number]
    bit: Bits  # [colour, number]: the cross, with its lock if it is the last of its row
    lock: Small  # [row]: the colour whose die leaves when the row closes

    @property
    def needs(self) -> int:
        return self.layout.lock_needs


@cache
def print_of(layout: Layout) -> Print:
    row = np.zeros((COLOUR_COUNT, HIGHEST + 1), np.int8)
    place = np.zeros_like(row)
    for cell, (where, column) in layout.places.items():
        colour = COLOURS.index(cell.colour)
        row[colour, cell.number], place[colour, cell.number] = where, column
    bit = (1 << place.astype(np.uint16)).astype(np.uint16)
    bit[place == LAST] |= LOCK_BIT
    lock = np.array([COLOURS.index(printed.lock) for printed in layout.rows], np.int8)
    return Print(layout, row, place, bit, lock)


@dataclass(frozen=True)
class Spaces:
    """One side of a board as arrays; space 0 is the start."""

    colour: Small
    number: Small
    points: Small


@cache
def spaces_of(side: Side) -> Spaces:
    cells = [side.cell(space) for space in range(1, SPACES + 1)]
    colour = np.array([0, *(COLOURS.index(cell.colour) for cell in cells)], np.int8)
    number = np.array([0, *(cell.number for cell in cells)], np.int8)
    points = np.array([side.points(space) for space in range(SPACES + 1)], np.int8)
    return Spaces(colour, number, points)
