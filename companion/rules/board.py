"""The board of Qwixx On Board: sides of forty coloured numbers with extra points. Reads text, no files."""

from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import StrEnum

from companion.rules.cells import Cell, NotationError, is_number

SPACES = 40
HIGHEST_POINTS = 20
START = 0
LONGEST_MOVE = 5
LAST_SPACES = 5
SIDES = ("front", "back")


class BoardFault(StrEnum):
    """What is wrong with a board file, for pages to word."""

    FILE = "file"  # it cannot be read at all
    NAME = "name"  # none is given
    SIDE = "side"  # neither front nor back, or one of them twice
    NO_SIDE = "no-side"  # a space before any side
    SHAPE = "shape"  # a line that is no space
    PLACE = "place"  # not the number of the space that comes next
    CELL = "cell"
    POINTS = "points"
    SIDE_MISSING = "side-missing"
    LENGTH = "length"  # not forty spaces


class BoardError(ValueError):
    """A board file that cannot be played: the line, and what is wrong with it."""

    def __init__(self, text: str, fault: BoardFault, got: str = "", wanted: int = 0) -> None:
        super().__init__(text)
        self.fault = fault
        self.got = got
        self.wanted = wanted
        self.line: int | None = None

    def at(self, line: int) -> "BoardError":
        """The same error, found in that line of a file."""
        found = BoardError(f"line {line}: {self}", self.fault, self.got, self.wanted)
        found.line = line
        return found


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
            got = len(self.spaces)
            raise BoardError(f"a board's side has {SPACES} spaces, got {got}", BoardFault.LENGTH, str(got))
        before = 0
        for number, space in enumerate(self.spaces, 1):
            if not before <= space.points <= HIGHEST_POINTS or space.points < 1:
                wanted = f"{max(before, 1)} to {HIGHEST_POINTS}, never falling"
                text = f"space {number}: extra points are {wanted}, got {space.points}"
                raise BoardError(text, BoardFault.POINTS, str(space.points), max(before, 1))
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
            except BoardError as error:
                raise error.at(number) from None
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
                got = " ".join(rest)
                raise BoardError(f"a side is front or back, each once, got {got!r}", BoardFault.SIDE, got)
            case [place, cell, points]:
                if self.side is None:
                    raise BoardError("spaces come after `side front` or `side back`", BoardFault.NO_SIDE)
                _add_space(self.side, place, cell, points)
            case _:
                wanted = "a space is its number, cell and points such as `1 R7 1`"
                got = " ".join(words)
                raise BoardError(f"{wanted}, got {got!r}", BoardFault.SHAPE, got)

    def board(self) -> Board:
        if not self.name:
            raise BoardError("a board file begins with `board NAME`, got none", BoardFault.NAME)
        for side in SIDES:
            if side not in self.sides:
                text = f"a board has two sides, `side {side}` is missing"
                raise BoardError(text, BoardFault.SIDE_MISSING, side)
            if (spaces := len(self.sides[side])) != SPACES:
                text = f"side {side} has {spaces} spaces, {SPACES} wanted"
                raise BoardError(text, BoardFault.LENGTH, str(spaces), SPACES)
        return Board(self.name, Side(tuple(self.sides["front"])), Side(tuple(self.sides["back"])))


def _add_space(side: list[Space], place: str, cell: str, points: str) -> None:
    following = len(side) + 1
    if place != str(following):
        raise BoardError(f"space {following} comes next, got {place!r}", BoardFault.PLACE, place, following)
    before = side[-1].points if side else 1
    try:
        found = Cell.parse(cell)
    except ValueError as error:
        raise BoardError(str(error), BoardFault.CELL, cell) from None
    if not is_number(points) or not before <= int(points) <= HIGHEST_POINTS:
        text = f"extra points are {before} to {HIGHEST_POINTS}, never falling, got {points!r}"
        raise BoardError(text, BoardFault.POINTS, points, before)
    side.append(Space(found, int(points)))


def _space(word: str) -> Space:
    cell, colon, points = word.partition(":")
    if not colon or not is_number(points):
        raise NotationError(f"a space is a cell and its points such as R7:1, got {word!r}")
    return Space(Cell.parse(cell), int(points))
