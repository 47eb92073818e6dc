"""States as JSON: sheets, dice and locked rows in; legal crosses and scores out."""

from dataclasses import dataclass

from companion.game.fields import JSON, a_colour, a_list, a_roll, a_sheet, an_integer, cells_json, need
from companion.game.position import ROWS_TO_END
from companion.rules import COLOURS, MISTHROW_BOXES, Cell, Colour, NotationError, Roll, Sheet

MOST_PLAYERS = 5


@dataclass(frozen=True, slots=True)
class GameState:
    """A moment of a game right after a roll."""

    sheets: tuple[Sheet, ...]
    roll: Roll
    active: int
    closed: frozenset[Colour]

    def legal_first(self) -> tuple[tuple[Cell, ...], ...]:
        """What each player may cross in action 1."""
        return tuple(sheet.legal(self.roll.white_sum, self.closed) for sheet in self.sheets)

    def legal_second(self) -> tuple[Cell, ...]:
        """What the active player may cross in action 2 on the sheets as given."""
        return self.sheets[self.active].legal_pairs(self.roll, self.closed)

    def answer(self) -> JSON:
        return {
            "action1": [cells_json(cells) for cells in self.legal_first()],
            "action2": cells_json(self.legal_second()),
            "scores": [sheet.score for sheet in self.sheets],
        }


def a_state(value: object) -> GameState:
    """The state behind one JSON object; NotationError says what is wrong with it."""
    sheets = a_list(need(value, "sheets", "a state"), "sheets")
    if not 1 <= len(sheets) <= MOST_PLAYERS:
        raise NotationError(f"a state has 1 to {MOST_PLAYERS} sheets, got {len(sheets)}")
    parsed = tuple(a_sheet(sheet, f"sheet {seat}") for seat, sheet in enumerate(sheets))
    locked = [a_colour(name, "a locked row") for name in a_list(need(value, "locked", "a state"), "locked")]
    closed = frozenset(locked)
    for seat, sheet in enumerate(parsed):
        for colour in sheet.locks - closed:
            raise NotationError(f"sheet {seat} closed {colour}, but {colour} is not in locked")
    _refuse_over(parsed, closed)
    roll = a_roll(need(value, "dice", "a state"), "dice", frozenset(COLOURS) - closed)
    active = an_integer(need(value, "active", "a state"), "active", 0, len(parsed) - 1)
    return GameState(parsed, roll, active, closed)


def _refuse_over(sheets: tuple[Sheet, ...], closed: frozenset[Colour]) -> None:
    """Nobody rolls in a game that is over."""
    if len(closed) >= ROWS_TO_END:
        raise NotationError(f"this game is over, nothing is legal: {' and '.join(sorted(closed))} are closed")
    for seat, sheet in enumerate(sheets):
        if sheet.misthrows >= MISTHROW_BOXES:
            raise NotationError(
                f"this game is over, nothing is legal: sheet {seat} has {MISTHROW_BOXES} penalties"
            )
