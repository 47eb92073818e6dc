"""Layouts: what is printed on a sheet - rows of cells, each row with a lock. A sheet variant is only data."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from companion.rules.cells import COLOURS, HIGHEST, LOWEST, Cell, Colour, NotationError

ROW_LENGTH = 11
LAST = ROW_LENGTH - 1
LOCK_NEEDS = 5


class LayoutError(ValueError):
    """A layout that cannot be played: which row, and what is wrong."""


@dataclass(frozen=True, slots=True)
class Row:
    """Eleven cells from left to right, then the lock of one colour, whose die leaves when the row closes."""

    cells: tuple[Cell, ...]
    lock: Colour

    @property
    def last(self) -> Cell:
        return self.cells[LAST]

    def __str__(self) -> str:
        return " ".join(map(str, self.cells))

    @classmethod
    def parse(cls, text: str) -> "Row":
        """The row as printed; its lock has the colour of its last number."""
        cells = tuple(Cell.parse(word) for word in text.split())
        if not cells:
            raise NotationError("a row is eleven cells such as R2 R3 …, got nothing")
        return cls(cells, cells[-1].colour)


class PrintedPlace(NamedTuple):
    """Where a cell is printed: its row from above, its place from the left, the lock of its row."""

    cell: Cell
    row: int
    place: int
    lock: Colour


@dataclass(frozen=True)
class Layout:
    """A printed sheet: its rows, and how many crosses a row needs before its last number."""

    name: str
    rows: tuple[Row, ...]
    lock_needs: int = LOCK_NEEDS
    # Look-ups made once, because every legal cross asks them.
    places: Mapping[Cell, tuple[int, int]] = field(init=False, repr=False, compare=False)
    by_number: Mapping[int, tuple["PrintedPlace", ...]] = field(init=False, repr=False, compare=False)
    by_colour: Mapping[Colour, Mapping[int, "PrintedPlace"]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self._check()
        places = {cell: (i, j) for i, row in enumerate(self.rows) for j, cell in enumerate(row.cells)}
        everywhere = [PrintedPlace(cell, i, j, self.rows[i].lock) for cell, (i, j) in places.items()]
        numbers = range(LOWEST, HIGHEST + 1)
        by_number = {n: tuple(place for place in everywhere if place.cell.number == n) for n in numbers}
        by_colour = {
            colour: {place.cell.number: place for place in everywhere if place.cell.colour is colour}
            for colour in COLOURS
        }
        object.__setattr__(self, "places", places)
        object.__setattr__(self, "by_number", by_number)
        object.__setattr__(self, "by_colour", by_colour)

    def _check(self) -> None:
        """What is checked here makes every layout print each of the 44 coloured numbers exactly once."""
        if sorted(row.lock for row in self.rows) != sorted(COLOURS):
            raise LayoutError(f"layout {self.name}: each colour locks one row, got {_locks(self.rows)}")
        for row in self.rows:
            if len(row.cells) != ROW_LENGTH:
                wrong = f"the {row.lock} row has {len(row.cells)} cells, {ROW_LENGTH} wanted"
                raise LayoutError(f"layout {self.name}: {wrong}")
        cells = [cell for row in self.rows for cell in row.cells]
        for cell in cells:
            if cells.count(cell) > 1:
                raise LayoutError(f"layout {self.name}: {cell} is printed more than once")
        if not 0 <= self.lock_needs <= LAST:
            raise LayoutError(f"layout {self.name}: a lock needs 0 to {LAST} crosses, got {self.lock_needs}")

    def __str__(self) -> str:
        return self.name

    def row_of(self, lock: Colour) -> Row:
        return next(row for row in self.rows if row.lock is lock)


def _locks(rows: Iterable[Row]) -> str:
    return " ".join(row.lock for row in rows) or "none"


def _rows(*texts: str) -> tuple[Row, ...]:
    return tuple(Row.parse(text) for text in texts)


def _coloured(colour: Colour, numbers: str) -> Row:
    return Row(tuple(Cell(colour, int(number)) for number in numbers.split()), colour)


_UP, _DOWN = "2 3 4 5 6 7 8 9 10 11 12", "12 11 10 9 8 7 6 5 4 3 2"
CLASSIC = Layout(
    "classic",
    (
        _coloured(Colour.RED, _UP),
        _coloured(Colour.YELLOW, _UP),
        _coloured(Colour.GREEN, _DOWN),
        _coloured(Colour.BLUE, _DOWN),
    ),
)
MIXX_A = Layout(
    "mixx-a",
    _rows(
        "Y2 Y3 Y4 B5 B6 B7 G8 G9 G10 R11 R12",
        "R2 R3 G4 G5 G6 G7 B8 B9 Y10 Y11 Y12",
        "B12 B11 B10 Y9 Y8 Y7 R6 R5 R4 G3 G2",
        "G12 G11 R10 R9 R8 R7 Y6 Y5 B4 B3 B2",
    ),
)
MIXX_B = Layout(
    "mixx-b",
    (
        _coloured(Colour.RED, "10 6 2 8 3 4 12 5 9 7 11"),
        _coloured(Colour.YELLOW, "9 12 4 6 7 2 5 8 11 3 10"),
        _coloured(Colour.GREEN, "8 2 10 12 6 9 7 4 5 11 3"),
        _coloured(Colour.BLUE, "5 7 11 9 12 3 8 10 2 6 4"),
    ),
)
LAYOUTS: Mapping[str, Layout] = {layout.name: layout for layout in (CLASSIC, MIXX_A, MIXX_B)}


def layout_named(name: str) -> Layout:
    try:
        return LAYOUTS[name]
    except KeyError:
        raise NotationError(f"a sheet is one of {', '.join(LAYOUTS)}, got {name!r}") from None
