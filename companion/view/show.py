"""From a snapshot and the seats a phone holds to what it shows. Sealed choices of others stay out."""

from collections import Counter
from collections.abc import Set as AbstractSet

from companion.eyes import Eyes, EyesState
from companion.game import DiceCorrected, Game, Phase, Reopened, SheetCorrected, Turn
from companion.rules import MISTHROW_POINTS, Cell, Refusal, Sheet
from companion.seats import Seats
from companion.series import Series
from companion.snapshot import Correction, Snapshot
from companion.view.values import (
    AskedDieView,
    CellState,
    CellView,
    ClosingView,
    CorrectedView,
    DieView,
    EndColumn,
    EyesView,
    Finish,
    GameView,
    MarksView,
    NoticeView,
    OwnView,
    PlayerView,
    PrintedRow,
    RowView,
    SeatView,
    SeriesView,
    SpaceView,
    View,
    WhyView,
)

_ACTIONS = (1, 2)


def view(snapshot: Snapshot, mine: AbstractSet[int] = frozenset()) -> View:
    """What a phone shows that holds those seats; the table display holds none."""
    game = snapshot.game
    return View(
        version=snapshot.version,
        moment=snapshot.moment,
        seats=tuple(
            SeatView(number, seat.name, seat.mark, seat.holder is not None, number in mine)
            for number, seat in enumerate(snapshot.seats)
        ),
        own=() if game is None else tuple(_own(game, seat) for seat in sorted(mine) if seat < game.players),
        game=None if game is None else _game(snapshot, game),
        series=None if snapshot.series is None else _series(snapshot.series),
        corrected=None if snapshot.corrected is None else _corrected(snapshot.corrected),
        eyes=_eyes(snapshot.eyes),
    )


def seats_of(seats: Seats, holder: str | None) -> frozenset[int]:
    """The seats that the phone of that hash holds."""
    if holder is None:
        return frozenset()
    return frozenset(number for number, seat in enumerate(seats) if seat.holder == holder)


# --- the own sheet -------------------------------------------------------------------------------------


def _own(game: Game, seat: int) -> OwnView:
    sheet, turn = game.sheets[seat], game.turn
    first, second = _choices(game, seat)
    deciding = seat in game.deciding
    open_action = game.phase in (Phase.FIRST, Phase.SECOND, Phase.THIRD)
    chosen = first is not None or second is not None or _landing(game, seat) is not None
    return OwnView(
        seat=seat,
        rows=_rows(game, seat),
        misthrows=sheet.misthrows,
        score=_score(game, seat),
        deciding=deciding,
        finish=_finish(game, seat),
        first=_text(first),
        second=_text(second),
        second_holds=second is None or second in game.legal_second(),
        undo=open_action and chosen,
        landings=game.landings() if seat == game.active else (),
        landing=_landing(game, seat),
        lost=() if turn is None else tuple(str(cell) for owner, cell in turn.lost if owner == seat),
        corrects=turn is not None and game.phase is not Phase.OVER and _may_correct(game, turn, seat),
    )


def _may_correct(game: Game, turn: Turn, seat: int) -> bool:
    """Anybody before the first cross, then the active player. Others' crosses are sealed: the table knows."""
    return seat == game.active or (game.phase is Phase.FIRST and turn.choices[seat] is None)


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


def _finish(game: Game, seat: int) -> Finish:
    if game.turn is not None and game.phase is Phase.FIRST and seat in game.turn.done:
        return Finish.WAITING if game.turn.choices[seat] else Finish.NOTHING
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
    chosen = {cell: action for action, cell in zip(_ACTIONS, _choices(game, seat), strict=True) if cell}
    fresh = _fresh(game, seat)
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
                fresh=cell in fresh,
                why=_why(game, seat, cell, legal[1] | legal[2]),
            )
            for place, cell in enumerate(printed.cells)
        )
        marks = _marks(game, seat, number)
        rows.append(
            RowView(
                printed.lock, printed.lock in game.closed, marks.locked, marks.crosses, marks.points, cells
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
        other=_text(refusal.other),
        needs=refusal.needs,
        has=refusal.has,
        lock=refusal.lock,
    )


# --- what everybody sees -------------------------------------------------------------------------------


def _game(snapshot: Snapshot, game: Game) -> GameView:
    roll = game.turn.roll if game.turn else None
    order = [row.lock for row in game.setup.layout.rows]
    in_lid = roll.colours if roll and game.phase is not Phase.OVER else frozenset()
    return GameView(
        id=snapshot.game_id or 0,
        number=game.number,
        phase=game.phase,
        edition=game.setup.edition,
        active=game.active,
        white_sum=roll.white_sum if roll else None,
        dice=_dice(game, snapshot.eyes),
        in_play=("white", "white", *(colour for colour in order if colour in game.dice_in_play)),
        deciding=game.deciding,
        announced=tuple(ClosingView(seat, colour) for seat, colour in game.announced),
        closed=tuple(colour for colour in order if colour in game.closed),
        take_out=tuple(colour for colour in order if colour in in_lid - game.dice_in_play),
        moving_on=snapshot.moves_on_at is not None,
        patience=game.setup.house.patience,
        scores_hidden=game.setup.house.scores_hidden,
        last_turns=game.last_turns,
        ended_by=game.ended_by,
        winners=game.winners,
        end=_end(game),
        sheet=game.setup.layout.name,
        layout=tuple(PrintedRow(row.lock, tuple(map(str, row.cells))) for row in game.setup.layout.rows),
        board=tuple(SpaceView(str(space.cell), space.points) for space in game.setup.board.spaces)
        if game.setup.board
        else (),
        players=tuple(_player(snapshot, game, seat) for seat in range(game.players)),
    )


def _player(snapshot: Snapshot, game: Game, seat: int) -> PlayerView:
    return PlayerView(
        seat=seat,
        name=game.setup.players[seat],
        mark=snapshot.seats[seat].mark,
        active=seat == game.active and game.phase is not Phase.OVER,
        deciding=seat in game.deciding,
        rows=tuple(_marks(game, seat, row) for row in range(len(game.setup.layout.rows))),
        misthrows=game.sheets[seat].misthrows,
        score=_score(game, seat),
        fresh=tuple(sorted(map(str, _fresh(game, seat)))),
        piece=game.pieces[seat] if game.pieces else None,
    )


def _marks(game: Game, seat: int, row: int) -> MarksView:
    sheet = game.sheets[seat]
    printed, bits = sheet.layout.rows[row], sheet.rows[row]
    crossed = tuple(str(cell) for place, cell in enumerate(printed.cells) if bits >> place & 1)
    locked = printed.lock in sheet.locks
    points = None if _hidden(game) else sheet.row_points()[row]
    return MarksView(printed.lock, crossed, locked, bits.bit_count(), points)


def _fresh(game: Game, seat: int) -> frozenset[Cell]:
    """What the seat crossed in this turn, once its action has closed."""
    if game.turn is None or game.phase is Phase.FIRST:
        return frozenset()
    chosen = [game.turn.choices[seat]]
    rolled_by = game.before.active if game.before is not None else game.active
    if seat == rolled_by and game.phase is not Phase.SECOND:
        chosen.append(game.turn.second)
    return frozenset(cell for cell in chosen if cell is not None)


def _dice(game: Game, eyes: Eyes) -> tuple[DieView, ...]:
    if game.turn is None:
        return ()
    roll = game.turn.roll
    read = Counter((die.colour, die.pips) for die in eyes.dice)

    def by_hand(colour: str, pips: int) -> bool:
        if eyes.state is EyesState.OFF or not eyes.dice:
            return False
        read[colour, pips] -= 1
        return read[colour, pips] < 0

    white = [DieView("white", pips, (), by_hand("white", pips)) for pips in roll.white]
    coloured = [DieView(c, pips, roll.sums(pips), by_hand(c, pips)) for c, pips in roll.coloured]
    return (*white, *coloured)


def _hidden(game: Game) -> bool:
    return game.setup.house.scores_hidden and game.phase is not Phase.OVER


def _score(game: Game, seat: int) -> int | None:
    return None if _hidden(game) else game.scores[seat]


def _end(game: Game) -> tuple[EndColumn, ...]:
    if game.phase is not Phase.OVER:
        return ()
    scores = game.scores
    return tuple(
        EndColumn(
            seat=seat,
            rows=sheet.row_points(),
            misthrows=sheet.misthrows * MISTHROW_POINTS,
            extra=game.extra_points(seat),
            total=scores[seat],
            place=1 + sum(score > scores[seat] for score in scores),
            crosses=sum(bits.bit_count() for bits in sheet.rows),
        )
        for seat, sheet in enumerate(game.sheets)
    )


def _series(series: Series) -> SeriesView:
    return SeriesView(series.games, series.results, series.standings, series.over)


def _corrected(correction: Correction) -> CorrectedView:
    match correction.what:
        case DiceCorrected(seat):
            return CorrectedView("dice", seat, None)
        case Reopened(seat):
            return CorrectedView("reopened", seat, None)
        case SheetCorrected(seat, owner):
            return CorrectedView("sheet", seat, owner)


def _eyes(eyes: Eyes) -> EyesView:
    return EyesView(
        state=eyes.state,
        notices=tuple(NoticeView(notice.kind, notice.text, notice.colour) for notice in eyes.notices),
        dice=tuple(AskedDieView(die.colour, die.pips, die.doubtful, die.crop) for die in eyes.dice),
        simulated=eyes.simulated,
    )


def _text(cell: Cell | None) -> str | None:
    return None if cell is None else str(cell)
