"""What is on anybody's sheet, as own sheets and those of others show it. No choice of an open action."""

from companion.game import Game, Phase
from companion.rules import Cell
from companion.view.values import MarksView


def marks(game: Game, seat: int, row: int) -> MarksView:
    sheet = game.sheets[seat]
    printed, bits = sheet.layout.rows[row], sheet.rows[row]
    crossed = tuple(str(cell) for place, cell in enumerate(printed.cells) if bits >> place & 1)
    locked = printed.lock in sheet.locks
    points = None if hidden(game) else sheet.row_points()[row]
    return MarksView(printed.lock, crossed, locked, bits.bit_count(), points)


def fresh(game: Game, seat: int) -> frozenset[Cell]:
    """What the seat crossed in this turn, once its action has closed."""
    if game.turn is None or game.phase is Phase.FIRST:
        return frozenset()
    chosen = [game.turn.choices[seat]]
    rolled_by = game.before.active if game.before is not None else game.active
    if seat == rolled_by and game.phase is not Phase.SECOND:
        chosen.append(game.turn.second)
    return frozenset(cell for cell in chosen if cell is not None)


def hidden(game: Game) -> bool:
    return game.setup.house.scores_hidden and game.phase is not Phase.OVER


def score(game: Game, seat: int) -> int | None:
    return None if hidden(game) else game.scores[seat]


def text(cell: Cell | None) -> str | None:
    return None if cell is None else str(cell)
