"""The drawn examples of the help page, made by the rules themselves, so that none can contradict them."""

from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache

from companion.boards import house_board
from companion.rules import MISTHROW_POINTS, POINTS, START, Cell, Colour, Roll, Sheet
from companion.view.values import CellState


@dataclass(frozen=True, slots=True)
class ExampleCell:
    """One drawn cell; `ring` is the action it may be crossed in, 0 if in none."""

    number: int
    state: CellState
    ring: int


@dataclass(frozen=True, slots=True)
class ExampleRow:
    """One drawn row and what it is worth."""

    colour: str
    cells: tuple[ExampleCell, ...]
    locked: bool
    crosses: int
    points: int


@dataclass(frozen=True, slots=True)
class ExampleDie:
    """One drawn die."""

    colour: str
    pips: int


@dataclass(frozen=True, slots=True)
class ExampleSpace:
    """One drawn space of the board: `step` counts the free spaces from the piece, 0 behind it."""

    colour: str
    number: int
    points: int
    step: int
    piece: str


@dataclass(frozen=True, slots=True)
class Examples:
    """Everything that is drawn on the help page."""

    skipping: tuple[ExampleRow, ...]
    dice: tuple[ExampleDie, ...]
    white_sum: int
    first: tuple[ExampleRow, ...]
    second: tuple[ExampleRow, ...]
    ready: ExampleRow
    not_ready: ExampleRow
    locked: ExampleRow
    points: tuple[int, ...]
    scored: tuple[ExampleRow, ...]
    misthrows: int
    misthrow_points: int
    total: int
    path: tuple[ExampleSpace, ...]


ROLL = Roll.parse("W3 W4 R2 Y5 G6 B1")
BEGUN = Sheet.parse("R4 Y9 G10 G8 B11")
SCORED = Sheet.parse("R3 R5 R8 R9 Y2 Y4 Y5 Y7 Y9 Y12 G11 G8 B10 M1")
PIECE, OTHER, SHOWN = 2, 4, 9  # spaces of the house board


@cache
def examples() -> Examples:
    first = frozenset(BEGUN.legal(ROLL.white_sum))
    second = frozenset(BEGUN.legal_pairs(ROLL))
    lock = "Y2 Y4 Y5 Y8 Y9", "B11 B9 B7 B4", "G12 G10 G9 G7 G5 G2"
    ready, not_ready, locked = map(Sheet.parse, lock)
    return Examples(
        skipping=_rows(Sheet.parse("R3 R5 G12 G9"))[::2],
        dice=(
            *(ExampleDie("white", pips) for pips in ROLL.white),
            *(ExampleDie(colour, pips) for colour, pips in ROLL.coloured),
        ),
        white_sum=ROLL.white_sum,
        first=_rows(BEGUN, first, 1),
        second=_rows(BEGUN, second, 2),
        ready=_row(ready, Colour.YELLOW, frozenset(ready.legal(12)), 1),
        not_ready=_row(not_ready, Colour.BLUE, frozenset(not_ready.legal(2)), 1),
        locked=_row(locked, Colour.GREEN),
        points=POINTS[1:],
        scored=_rows(SCORED),
        misthrows=SCORED.misthrows,
        misthrow_points=SCORED.misthrows * MISTHROW_POINTS,
        total=SCORED.score,
        path=_path(),
    )


def _rows(sheet: Sheet, rings: AbstractSet[Cell] = frozenset(), action: int = 0) -> tuple[ExampleRow, ...]:
    return tuple(_row(sheet, row.lock, rings, action) for row in sheet.layout.rows)


def _row(sheet: Sheet, colour: Colour, rings: AbstractSet[Cell] = frozenset(), action: int = 0) -> ExampleRow:
    place = [row.lock for row in sheet.layout.rows].index(colour)
    printed, bits = sheet.layout.rows[place], sheet.rows[place]

    def state(at: int) -> CellState:
        if bits >> at & 1:
            return CellState.CROSSED
        return CellState.SKIPPED if at < bits.bit_length() else CellState.OPEN

    return ExampleRow(
        colour=colour,
        cells=tuple(
            ExampleCell(cell.number, state(at), action if cell in rings else 0)
            for at, cell in enumerate(printed.cells)
        ),
        locked=colour in sheet.locks,
        crosses=bits.bit_count(),
        points=sheet.row_points()[place],
    )


def _path() -> tuple[ExampleSpace, ...]:
    side = house_board().front
    ahead = side.landings(PIECE, frozenset({OTHER}))
    pieces = {PIECE: "own", OTHER: "other"}
    return tuple(
        ExampleSpace(
            colour=side.cell(space).colour,
            number=side.cell(space).number,
            points=side.points(space),
            step=1 + ahead.index(space) if space in ahead else 0,
            piece=pieces.get(space, ""),
        )
        for space in range(START + 1, SHOWN + 1)
    )
