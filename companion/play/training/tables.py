"""Which games a round of learning is made of."""

from collections.abc import Callable, Iterator

import numpy as np

from companion.play.games import Kind
from companion.rules import CLASSIC, MIXX_A, MIXX_B, Cell, Side
from companion.rules.board import HIGHEST_POINTS, SPACES, Space
from companion.rules.cells import COLOURS, HIGHEST, LOWEST

Tables = Callable[[np.random.Generator], Iterator[tuple[Kind, int]]]
ORIGINAL = {1: 3000, 2: 12000, 3: 6000, 4: 6000, 5: 4000}  # games of so many players
MIXX = {1: 100, 2: 500, 3: 240, 4: 240, 5: 160}
ON_BOARD = {1: 40, 2: 160, 3: 100, 4: 100}
BOARDS = {CLASSIC: 2, MIXX_A: 1, MIXX_B: 1}  # so many boards with each sheet


def original(rng: np.random.Generator) -> Iterator[tuple[Kind, int]]:  # noqa: ARG001 - as all tables are asked
    for seats, games in ORIGINAL.items():
        yield Kind(CLASSIC, seats), games


def other_sheets(rng: np.random.Generator) -> Iterator[tuple[Kind, int]]:
    """Mixx, and On Board on boards of which none is like the others: people enter their own."""
    for layout in (MIXX_A, MIXX_B):
        for seats, games in MIXX.items():
            yield Kind(layout, seats), games
    for layout, boards in BOARDS.items():
        for _ in range(boards):
            for seats, games in ON_BOARD.items():
                yield Kind(layout, seats, any_side(rng)), games


def any_side(rng: np.random.Generator) -> Side:
    """Forty coloured numbers in any order, with points that rise in their own way."""
    cells = [Cell(colour, number) for colour in COLOURS for number in range(LOWEST, HIGHEST + 1)]
    order = rng.permutation(len(cells))[:SPACES]
    points = np.sort(rng.integers(1, HIGHEST_POINTS + 1, SPACES)).tolist()
    return Side(tuple(Space(cells[place], points[number]) for number, place in enumerate(order)))
