"""What a sensible player crosses: what leaves out least, and a lock whenever there is one. Knows no pace."""

from companion.game import Game, Phase
from companion.rules import Cell

WORTH_LEAVING_OUT = 2  # cells
BEFORE_A_MISTHROW = 5  # so many are cheaper than the five points


def choice(game: Game, seat: int) -> Cell | None:
    """The cell that this seat crosses in the action that is open, or None to pass."""
    first = game.phase is Phase.FIRST
    legal = game.legal_first(seat) if first else game.legal_second()
    best = min(legal, key=lambda cell: worth(game, seat, cell), default=None)
    if best is None or game.sheets[seat].closes(best):
        return best
    most = BEFORE_A_MISTHROW if game.passing_is_misthrow else WORTH_LEAVING_OUT
    return best if gap(game, seat, best) <= most else None


def worth(game: Game, seat: int, cell: Cell) -> tuple[bool, int]:
    """Small is good: closing a row first, then few cells left out."""
    return game.sheets[seat].closes(cell) is None, gap(game, seat, cell)


def gap(game: Game, seat: int, cell: Cell) -> int:
    """How many cells that cross leaves out."""
    sheet = game.sheets[seat]
    row, place = sheet.layout.places[cell]
    return place - sheet.rows[row].bit_length()
