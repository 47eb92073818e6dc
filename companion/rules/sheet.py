"""A player's sheet: crosses in rows, locks, misthrows, the score; what may be crossed, and why not."""

from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from companion.rules.cells import Cell, Colour, NotationError
from companion.rules.dice import Roll
from companion.rules.layout import CLASSIC, LAST, Layout, layout_named

POINTS = tuple(n * (n + 1) // 2 for n in range(13))
MISTHROW_POINTS = -5
MISTHROW_BOXES = 4
_LOCK_CROSS = 1 << (LAST + 1)
NONE_CLOSED: frozenset[Colour] = frozenset()


class RuleError(ValueError):
    """The rules do not allow that: what was wanted, and why not. Pages translate by kind, with its number."""

    def __init__(self, text: str, kind: str = "rule", number: int | None = None) -> None:
        super().__init__(text)
        self.kind = kind
        self.number = number


class Why(StrEnum):
    """Why a cell may not be crossed. Pages translate by kind."""

    NOT_RIGHT_OF = "not-right-of"
    NEEDS_CROSSES = "needs-crosses"
    ROW_LOCKED = "row-locked"
    NOT_ROLLED = "not-rolled"
    CROSSED = "crossed"
    NOT_ON_SHEET = "not-on-sheet"


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why this cell is not legal, with what a sentence in any language needs."""

    cell: Cell
    why: Why
    other: Cell | None = None
    needs: int = 0
    has: int = 0
    lock: Colour | None = None

    def __str__(self) -> str:
        match self.why:
            case Why.NOT_RIGHT_OF:
                return f"{self.cell} is not right of {self.other}"
            case Why.NEEDS_CROSSES:
                return f"{self.cell} needs {_count(self.needs)} crosses, has {_count(self.has)}"
            case Why.ROW_LOCKED:
                return f"{self.cell}: {self.lock} is locked"
            case Why.NOT_ROLLED:
                return f"{self.cell} was not rolled"
            case Why.CROSSED:
                return f"{self.cell} is crossed already"
            case Why.NOT_ON_SHEET:
                return f"{self.cell} is not on the sheet"
        assert_never(self.why)


def _count(n: int) -> str:
    return ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")[n]


class IllegalCrossError(RuleError):
    """A cross that the sheet does not allow."""

    def __init__(self, refusal: Refusal, sheet: "Sheet") -> None:
        super().__init__(f'illegal cross: {refusal} in "{sheet}"', "illegal-cross")
        self.refusal = refusal


@dataclass(frozen=True, slots=True)
class Sheet:
    """Crosses as one bit per cell from left to right, the lock behind the last; written R2 R5 G12 M1."""

    layout: Layout = CLASSIC
    rows: tuple[int, ...] = (0, 0, 0, 0)
    misthrows: int = 0

    # --- what may be crossed -------------------------------------------------------------------------

    def legal(self, number: int, closed: AbstractSet[Colour] = NONE_CLOSED) -> tuple[Cell, ...]:
        """The cells with that number which may be crossed, in any colour (action 1)."""
        rows, needs = self.rows, self.layout.lock_needs
        return tuple(
            [
                cell
                for cell, row, place, lock in self.layout.by_number[number]
                if place >= rows[row].bit_length()
                and lock not in closed
                and (place < LAST or rows[row].bit_count() >= needs)
            ]
        )

    def legal_pairs(self, roll: Roll, closed: AbstractSet[Colour] = NONE_CLOSED) -> tuple[Cell, ...]:
        """The cells that one white and one coloured die allow, in that die's colour (action 2)."""
        rows, needs = self.rows, self.layout.lock_needs
        found = []
        for colour, pips in roll.coloured:
            if colour in closed:  # its die is out of the game
                continue
            cells = self.layout.by_colour[colour]
            for number in roll.sums(pips):
                cell, row, place, lock = cells[number]
                if (
                    place >= rows[row].bit_length()
                    and (place < LAST or rows[row].bit_count() >= needs)
                    and lock not in closed
                ):
                    found.append(cell)
        return tuple(found)

    def allows(self, cell: Cell, closed: AbstractSet[Colour] = NONE_CLOSED) -> bool:
        """Whether the cell may be crossed if its number was rolled."""
        row, place = self.layout.places[cell]
        bits = self.rows[row]
        return (
            place >= bits.bit_length()
            and (place < LAST or bits.bit_count() >= self.layout.lock_needs)
            and self.layout.rows[row].lock not in closed
        )

    def why_not(self, cell: Cell, closed: AbstractSet[Colour] = NONE_CLOSED) -> Refusal | None:
        """Why the cell may not be crossed, whatever was rolled; None if it may."""
        if cell not in self.layout.places:
            return Refusal(cell, Why.NOT_ON_SHEET)
        row, place = self.layout.places[cell]
        bits, printed = self.rows[row], self.layout.rows[row]
        if bits >> place & 1:
            return Refusal(cell, Why.CROSSED)
        if printed.lock in closed:
            return Refusal(cell, Why.ROW_LOCKED, lock=printed.lock)
        if place < bits.bit_length():
            rightmost = min(bits.bit_length() - 1, LAST)
            return Refusal(cell, Why.NOT_RIGHT_OF, other=printed.cells[rightmost])
        if place == LAST and bits.bit_count() < self.layout.lock_needs:
            return Refusal(cell, Why.NEEDS_CROSSES, needs=self.layout.lock_needs, has=bits.bit_count())
        return None

    # --- crossing ------------------------------------------------------------------------------------

    def cross(self, cell: Cell, closed: AbstractSet[Colour] = NONE_CLOSED) -> "Sheet":
        """The sheet with that cell crossed, and its lock too if it is the last of its row."""
        refusal = self.why_not(cell, closed)
        if refusal is not None:
            raise IllegalCrossError(refusal, self)
        row, place = self.layout.places[cell]
        bits = self.rows[row] | 1 << place
        if place == LAST:
            bits |= _LOCK_CROSS
        return Sheet(self.layout, (*self.rows[:row], bits, *self.rows[row + 1 :]), self.misthrows)

    def mark_misthrow(self) -> "Sheet":
        if self.misthrows >= MISTHROW_BOXES:
            raise RuleError(f'all {MISTHROW_BOXES} misthrows are marked in "{self}"')
        return Sheet(self.layout, self.rows, self.misthrows + 1)

    def without(self, crosses: AbstractSet[Cell], misthrows: int = 0) -> "Sheet | None":
        """The sheet as it was before those; None if nobody could have had it: a lock needs five before it."""
        rows = list(self.rows)
        for cell in crosses & set(self.cells):
            row, place = self.layout.places[cell]
            rows[row] &= ~(1 << place | (_LOCK_CROSS if place == LAST else 0))
        most = _LOCK_CROSS.bit_length()
        locked = [bits for bits in rows if bits.bit_length() == most]
        if any(bits.bit_count() - 2 < self.layout.lock_needs for bits in locked):
            return None
        return Sheet(self.layout, tuple(rows), max(0, self.misthrows - misthrows))

    # --- what it shows -------------------------------------------------------------------------------

    def has(self, cell: Cell) -> bool:
        place = self.layout.places.get(cell)
        return place is not None and bool(self.rows[place[0]] >> place[1] & 1)

    def closes(self, cell: Cell) -> Colour | None:
        """The colour whose row that cell closes: it is the last number of its row."""
        row, place = self.layout.places[cell]
        return self.layout.rows[row].lock if place == LAST else None

    @property
    def locks(self) -> frozenset[Colour]:
        """The rows this player closed."""
        if max(self.rows) < _LOCK_CROSS:
            return NONE_CLOSED
        pairs = zip(self.layout.rows, self.rows, strict=True)
        return frozenset(printed.lock for printed, bits in pairs if bits & _LOCK_CROSS)

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The crossed cells, row by row from left to right."""
        pairs = zip(self.layout.rows, self.rows, strict=True)
        return tuple(
            cell for printed, bits in pairs for place, cell in enumerate(printed.cells) if bits >> place & 1
        )

    def row_points(self) -> tuple[int, ...]:
        """The points of each row; the lock counts as a cross."""
        return tuple([POINTS[bits.bit_count()] for bits in self.rows])

    @property
    def score(self) -> int:
        return sum(self.row_points()) + MISTHROW_POINTS * self.misthrows

    # --- notation ------------------------------------------------------------------------------------

    def __str__(self) -> str:
        words = [str(cell) for cell in self.cells]
        if self.misthrows:
            words.append(f"M{self.misthrows}")
        prefix = [] if self.layout == CLASSIC else [f"{self.layout.name}:"]
        return " ".join([*prefix, *words]) or "empty"

    @classmethod
    def parse(cls, text: str) -> "Sheet":
        """A sheet from its notation: it must be one that can be reached by legal crosses."""
        words = text.split()
        layout = CLASSIC
        if words and words[0].endswith(":"):
            layout = layout_named(words.pop(0)[:-1])
        misthrows = 0
        if words and words[-1].startswith("M"):
            misthrows = _misthrows(words.pop(), text)
        if words == ["empty"]:
            words = []
        cells = [Cell.parse(word) for word in words]
        sheet = cls(layout, misthrows=misthrows)
        for cell in sorted(cells, key=lambda cell: layout.places[cell]):
            sheet = sheet.cross(cell)
        return sheet


def _misthrows(word: str, text: str) -> int:
    if word[1:] not in ("1", "2", "3", "4"):
        raise NotationError(f"misthrows are M1 to M{MISTHROW_BOXES}, got {word!r} in {text!r}")
    return int(word[1:])
