"""The own sheet of a seat: cells, choices, what is legal and why the rest is not. Nothing of other seats."""

from collections.abc import Set as AbstractSet

from companion.game import Game, Phase, Turn
from companion.rules import Cell, Refusal, Sheet
from companion.view.marks import fresh, marks, score, text
from companion.view.values import CellState, CellView, Finish, OwnView, RowView, WhyView

_ACTIONS = (1, 2, 3)


def own(game: Game, seat: int) -> OwnView:
    sheet, turn = game.sheets[seat], game.turn
    first, second = _choices(game, seat)
    deciding = seat in game.deciding
    open_action = game.phase in (Phase.FIRST, Phase.SECOND, Phase.THIRD)
    chosen = first is not None or second is not None or _landing(game, seat) is not None
    return OwnView(
        seat=seat,
        rows=_rows(game, seat),
        misthrows=sheet.misthrows,
        score=score(game, seat),
        deciding=deciding,
        finish=_finish(game, seat),
        first=text(first),
        second=text(second),
        closes=_closes(game, seat),
        second_holds=second is None or second in game.legal_second(),
        undo=open_action and chosen and seat not in game.away,
        undo_done=game.may_take_back_done(seat),
        landings=game.landings() if seat == game.active else (),
        landing=_landing(game, seat),
        third=text(_landing_cross(game, seat)),
        lost=() if turn is None else _lost(game, turn, seat),
        corrects=turn is not None and game.phase is not Phase.OVER and _may_correct(game, turn, seat),
    )


def _may_correct(game: Game, turn: Turn, seat: int) -> bool:
    """Anybody before the first cross, then the active player, unless that is the program.

    Others' crosses are sealed: the table knows."""
    if game.setup.level(game.active) is not None:
        return True
    return seat == game.active or (game.phase is Phase.FIRST and turn.choices[seat] is None)


def _lost(game: Game, turn: Turn, seat: int) -> tuple[str, ...]:
    """What corrections of this turn took away, each once, unless it was crossed again."""
    again = {turn.choices[seat], turn.second if seat == game.active else None}
    return tuple(dict.fromkeys(str(c) for owner, c in turn.lost if owner == seat and c not in again))


def _closes(game: Game, seat: int) -> tuple[str, ...]:
    closed = [game.sheets[seat].closes(cell) for cell in game.legal_first(seat)]
    return tuple(str(colour) for colour in closed if colour is not None)


def _choices(game: Game, seat: int) -> tuple[Cell | None, Cell | None]:
    """What the seat chose in the actions that are still open for it."""
    if game.turn is None:
        return None, None
    first = game.turn.choices[seat] if game.phase is Phase.FIRST else None
    second = game.phase in (Phase.FIRST, Phase.SECOND) and seat == game.active
    return first, game.turn.second if second else None


def _landing(game: Game, seat: int) -> int | None:
    third = game.phase is Phase.THIRD and seat == game.active and game.turn is not None
    return game.turn.landing if third and game.turn is not None else None


def _landing_crosses(game: Game, seat: int) -> tuple[Cell, ...]:
    """What the landings of action 3 would cross; a number that is crossed already gets no new cross."""
    side = game.setup.board
    if side is None or seat != game.active:
        return ()
    cells = [side.cell(space) for space in game.landings()]
    return tuple(cell for cell in cells if not game.sheets[seat].has(cell))


def _landing_cross(game: Game, seat: int) -> Cell | None:
    landing, side = _landing(game, seat), game.setup.board
    cell = side.cell(landing) if side is not None and landing is not None else None
    return cell if cell in _landing_crosses(game, seat) else None


def _finish(game: Game, seat: int) -> Finish:
    if seat in game.away and game.phase is not Phase.OVER:
        return Finish.BACK
    if game.turn is not None and game.phase is Phase.FIRST and seat in game.turn.done:
        return Finish.WAITING if game.turn.choices[seat] else Finish.NOTHING
    if game.phase is Phase.ROLL and seat != game.active and game.setup.level(game.active) is not None:
        return Finish.ROLL_FOR
    if seat not in game.deciding:
        return Finish.NOTHING
    if game.phase is Phase.ROLL:
        return Finish.ROLL
    if game.passing_is_misthrow:
        return Finish.MISTHROW
    first, second = _choices(game, seat)
    return Finish.DONE if first or second or _landing(game, seat) else Finish.PASS


def _rows(game: Game, seat: int) -> tuple[RowView, ...]:
    sheet = game.sheets[seat]
    legal = {1: frozenset(game.legal_first(seat))}
    legal[2] = frozenset(game.legal_second()) if seat == game.active else frozenset()
    legal[3] = frozenset(_landing_crosses(game, seat))
    choices = (*_choices(game, seat), _landing_cross(game, seat))
    chosen = {cell: action for action, cell in zip(_ACTIONS, choices, strict=True) if cell}
    new = fresh(game, seat)
    rows = []
    for number, printed in enumerate(sheet.layout.rows):
        cells = tuple(
            CellView(
                cell=str(cell),
                colour=cell.colour,
                number=cell.number,
                state=_state(game, sheet, number, place),
                legal=tuple(action for action in _ACTIONS if cell in legal[action]),
                chosen=chosen.get(cell, 0),
                fresh=cell in new,
                why=_why(game, seat, cell, legal[1] | legal[2]),
            )
            for place, cell in enumerate(printed.cells)
        )
        shown = marks(game, seat, number)
        rows.append(
            RowView(
                printed.lock, printed.lock in game.closed, shown.locked, shown.crosses, shown.points, cells
            )
        )
    return tuple(rows)


def _state(game: Game, sheet: Sheet, row: int, place: int) -> CellState:
    bits = sheet.rows[row]
    if bits >> place & 1:
        return CellState.CROSSED
    if place < bits.bit_length():
        return CellState.SKIPPED
    return CellState.CLOSED if sheet.layout.rows[row].lock in game.closed else CellState.OPEN


def _why(game: Game, seat: int, cell: Cell, legal: AbstractSet[Cell]) -> WhyView | None:
    if cell in legal or game.phase not in (Phase.FIRST, Phase.SECOND):
        return None
    if game.phase is Phase.SECOND and seat != game.active:
        return None
    refusal = game.why_not(seat, cell, 1 if game.phase is Phase.FIRST else 2)
    return None if refusal is None else why_view(refusal)


def why_view(refusal: Refusal) -> WhyView:
    """A refusal as a kind with parameters."""
    return WhyView(
        kind=refusal.why,
        cell=str(refusal.cell),
        other=text(refusal.other),
        needs=refusal.needs,
        has=refusal.has,
        lock=refusal.lock,
    )
