"""A board as its owner types it in, maybe unfinished: what is wrong, space by space. Keeps nothing."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from companion.rules import HIGHEST_POINTS, SIDES, SPACES, Board, Cell, Side, is_number

LONGEST_NAME = 40
# The rule book's examples: five free spaces from the start is green 10; later, four more land on green 7.
EXAMPLE_SPACE, EXAMPLE_CELL = 5, Cell.parse("G10")
LATER_MOVE, LATER_CELL = 4, Cell.parse("G7")


class Wrong(StrEnum):
    """What is said of an entered board. All but the last three keep it from being played."""

    NAME = "name"
    LENGTH = "length"  # not forty spaces
    EMPTY = "empty"
    CELL = "cell"
    POINTS = "points"
    TWICE = "twice"  # may be so, and is often a slip of the finger
    EXAMPLE = "example"
    EXAMPLE_LATER = "example-later"


_HINTS = frozenset({Wrong.TWICE, Wrong.EXAMPLE, Wrong.EXAMPLE_LATER})


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to look at: on which side and space (0: of the whole side), what stands there, what goes."""

    kind: Wrong
    side: str = ""
    space: int = 0
    got: str = ""
    other: int = 0  # the lowest points that go here, or the space where the same number stands

    @property
    def forbids(self) -> bool:
        return self.kind not in _HINTS


@dataclass(frozen=True, slots=True)
class EnteredBoard:
    """What was typed: a name and, for each space, a text such as `R7:1`; empty where nothing is yet."""

    name: str
    front: tuple[str, ...]
    back: tuple[str, ...]

    @classmethod
    def of(cls, board: Board) -> "EnteredBoard":
        sides = [tuple(map(str, board.side(name).spaces)) for name in SIDES]
        return cls(board.name, sides[0], sides[1])

    def side(self, name: str) -> tuple[str, ...]:
        return self.front if name == SIDES[0] else self.back


def findings(entered: EnteredBoard) -> tuple[Finding, ...]:
    """Everything that is wrong with the board, and what may be; a board that may be played has only hints."""
    found = [] if is_board_name(entered.name) else [Finding(Wrong.NAME, got=entered.name)]
    for name in SIDES:
        found += _of_side(name, entered.side(name))
    return (*found, *_of_examples(entered))


def board_of(entered: EnteredBoard) -> Board:
    """The board behind it, once `findings` forbids nothing any more."""
    front, back = (Side.parse(" ".join(entered.side(name))) for name in SIDES)
    return Board(entered.name, front, back)


def is_board_name(name: str) -> bool:
    """One line of a board file: `#` would begin a remark there."""
    plain = name.isprintable() and "#" not in name
    return plain and 1 <= len(name) <= LONGEST_NAME and name == " ".join(name.split())


def _of_side(side: str, texts: Sequence[str]) -> Iterator[Finding]:
    if len(texts) != SPACES:
        yield Finding(Wrong.LENGTH, side, got=str(len(texts)))
        return
    lowest = 1
    seen: dict[Cell, int] = {}
    for number, text in enumerate(texts, 1):
        cell, _, points = text.partition(":")
        if not cell:
            yield Finding(Wrong.EMPTY, side, number)
        elif (found := _cell(cell)) is None:
            yield Finding(Wrong.CELL, side, number, cell)
        elif found in seen:
            yield Finding(Wrong.TWICE, side, number, cell, seen[found])
        else:
            seen[found] = number
        if not is_number(points) or not lowest <= int(points) <= HIGHEST_POINTS:
            yield Finding(Wrong.POINTS, side, number, points, lowest)
        else:
            lowest = int(points)


def _cell(text: str) -> Cell | None:
    try:
        return Cell.parse(text)
    except ValueError:
        return None


def _of_examples(entered: EnteredBoard) -> Iterator[Finding]:
    """The books do not say on which side their examples were played: one that fits both is enough."""
    sides = [[_cell(text.partition(":")[0]) for text in entered.side(name)] for name in SIDES]
    begun = [cells for cells in sides if len(cells) == SPACES and cells[EXAMPLE_SPACE - 1] is not None]
    if len(begun) < len(SIDES):
        return  # not typed so far
    fitting = [cells for cells in begun if cells[EXAMPLE_SPACE - 1] == EXAMPLE_CELL]
    if not fitting:
        yield Finding(Wrong.EXAMPLE, space=EXAMPLE_SPACE, got=str(EXAMPLE_CELL))
        return
    if all(None not in cells and LATER_CELL not in cells[LATER_MOVE - 1 :] for cells in fitting):
        yield Finding(Wrong.EXAMPLE_LATER, space=LATER_MOVE, got=str(LATER_CELL))
