"""The board of Qwixx On Board: sides of forty coloured numbers with extra points. Reads text, no files."""

from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from companion.rules.cells import Cell, NotationError

SPACES = 40
HIGHEST_POINTS = 20
START = 0
LONGEST_MOVE = 5
LAST_SPACES = 5
SIDES = ("front", "back")


class BoardError(ValueError):
    """A board file that cannot be played: the line, and what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Space:
    """One space: the number that must be crossed on landing, and the extra points printed under it."""

    cell: Cell
    points: int

    def __str__(self) -> str:
        return f"{self.cell}:{self.points}"


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a board. Spaces are numbered 1 to 40; 0 is the start, shared by all."""

    spaces: tuple[Space, ...]

    def __post_init__(self) -> None:
        if len(self.spaces) != SPACES:
            raise BoardError(f"a board's side has {SPACES} spaces, got {len(self.spaces)}")
        before = 0
        for number, space in enumerate(self.spaces, 1):
            if not before <= space.points <= HIGHEST_POINTS or space.points < 1:
                wanted = f"{max(before, 1)} to {HIGHEST_POINTS}, never falling"
                raise BoardError(f"space {number}: extra points are {wanted}, got {space.points}")
            before = space.points

    def cell(self, space: int) -> Cell:
        return self.spaces[space - 1].cell

    def points(self, space: int) -> int:
        return 0 if space == START else self.spaces[space - 1].points

    def landings(self, piece: int, others: AbstractSet[int]) -> tuple[int, ...]:
        """The next one to five free spaces ahead: occupied ones are jumped and not counted."""
        free = [space for space in range(piece + 1, SPACES + 1) if space not in others]
        return tuple(free[:LONGEST_MOVE])

    @staticmethod
    def is_near_end(space: int) -> bool:
        """Whether the space is one of the last five, which announce the last round."""
        return space > SPACES - LAST_SPACES

    def __str__(self) -> str:
        return " ".join(map(str, self.spaces))

    @classmethod
    def parse(cls, text: str) -> "Side":
        return cls(tuple(_space(word) for word in text.split()))


@dataclass(frozen=True, slots=True)
class Board:
    """A named board of two sides."""

    name: str
    front: Side
    back: Side

    def side(self, name: str) -> Side:
        if name not in SIDES:
            raise NotationError(f"a board's side is front or back, got {name!r}")
        return self.front if name == "front" else self.back

    def __str__(self) -> str:
        lines = [f"board {self.name}"]
        for name in SIDES:
            lines.append(f"side {name}")
            spaces = enumerate(self.side(name).spaces, 1)
            lines += [f"{number} {space.cell} {space.points}" for number, space in spaces]
        return "\n".join(lines) + "\n"

    @classmethod
    def parse(cls, text: str) -> "Board":
        """A board from its file: `board NAME`, then each side's `side front` and lines `1 R7 1`."""
        reader = _BoardReader()
        for number, line in enumerate(text.splitlines(), 1):
            try:
                reader.read(line.partition("#")[0].split())
            except ValueError as error:
                raise BoardError(f"line {number}: {error}") from None
        return reader.board()


class _BoardReader:
    """Reads a board file line by line."""

    def __init__(self) -> None:
        self.name = ""
        self.sides: dict[str, list[Space]] = {}
        self.side: list[Space] | None = None

    def read(self, words: list[str]) -> None:
        match words:
            case []:
                pass
            case ["board", _, *_]:
                self.name = " ".join(words[1:])
            case ["side", side] if side in SIDES and side not in self.sides:
                self.side = self.sides[side] = []
            case ["side", *rest]:
                raise BoardError(f"a side is front or back, each once, got {' '.join(rest)!r}")
            case [place, cell, points]:
                if self.side is None:
                    raise BoardError("spaces come after `side front` or `side back`")
                _add_space(self.side, place, Cell.parse(cell), points)
            case _:
                wanted = "a space is its number, cell and points such as `1 R7 1`"
                raise BoardError(f"{wanted}, got {' '.join(words)!r}")

    def board(self) -> Board:
        if not self.name:
            raise BoardError("a board file begins with `board NAME`, got none")
        for side in SIDES:
            if side not in self.sides:
                raise BoardError(f"a board has two sides, `side {side}` is missing")
            if len(self.sides[side]) != SPACES:
                raise BoardError(f"side {side} has {len(self.sides[side])} spaces, {SPACES} wanted")
        return Board(self.name, Side(tuple(self.sides["front"])), Side(tuple(self.sides["back"])))


def _add_space(side: list[Space], place: str, cell: Cell, points: str) -> None:
    if place != str(len(side) + 1):
        raise BoardError(f"space {len(side) + 1} comes next, got {place!r}")
    before = side[-1].points if side else 1
    if not points.isdigit() or not before <= int(points) <= HIGHEST_POINTS:
        raise BoardError(f"extra points are {before} to {HIGHEST_POINTS}, never falling, got {points!r}")
    side.append(Space(cell, int(points)))


def _space(word: str) -> Space:
    cell, colon, points = word.partition(":")
    if not colon or not points.isdigit():
        raise NotationError(f"a space is a cell and its points such as R7:1, got {word!r}")
    return Space(Cell.parse(cell), int(points))
