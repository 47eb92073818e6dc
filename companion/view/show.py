"""From a snapshot and the seats a phone holds to what it shows. Sealed choices of others stay out."""

from collections import Counter
from collections.abc import Set as AbstractSet

from companion.game import (
    DiceCorrected,
    Game,
    Phase,
    PieceCorrected,
    Reopened,
    SheetCorrected,
    TookBackDone,
)
from companion.rules import MISTHROW_POINTS, Side
from companion.table.eyes import Eyes, EyesState
from companion.table.seats import Seats
from companion.table.series import Series
from companion.table.snapshot import Correction, Snapshot
from companion.view.marks import fresh, marks, score
from companion.view.own import own
from companion.view.values import (
    ClosingView,
    CorrectedView,
    DieView,
    DoubtView,
    EndColumn,
    GameView,
    Helping,
    PlayerView,
    Presence,
    PrintedRow,
    SeatView,
    SeriesView,
    SpaceView,
    View,
)


def view(snapshot: Snapshot, mine: AbstractSet[int] = frozenset()) -> View:
    """What a phone shows that holds those seats; the table display holds none."""
    game, absent = snapshot.game, snapshot.absent
    seats = tuple(
        SeatView(
            seat=number,
            name=seat.name,
            mark=seat.mark,
            held=seat.holder is not None,
            phone_away=seat.holder in snapshot.phones_away,
            mine=number in mine,
            absent=number in absent,
            level=seat.level,
        )
        for number, seat in enumerate(snapshot.coming)
    )
    return View(
        version=snapshot.version,
        moment=snapshot.moment,
        seats=seats[: len(snapshot.seats)],
        waiting=seats[len(snapshot.seats) :],
        own=() if game is None else tuple(own(game, seat) for seat in sorted(mine) if seat < game.players),
        game=None if game is None else _game(snapshot, game),
        series=None if snapshot.series is None else _series(snapshot.series, len(snapshot.in_series)),
        corrected=None if snapshot.corrected is None else _corrected(snapshot.corrected),
        early=snapshot.early,
        eyes=snapshot.eyes,
        pictured=_pictured(snapshot),
        broken=snapshot.broken,
        doubt=None if snapshot.doubt is None else DoubtView(snapshot.doubt.kind, snapshot.doubt.entries),
    )


def seats_of(seats: Seats, holder: str | None) -> frozenset[int]:
    """The seats that the phone of that hash holds."""
    if holder is None:
        return frozenset()
    return frozenset(number for number, seat in enumerate(seats) if seat.holder == holder)


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
        drawing=snapshot.lot_ends_at is not None,
        patience=game.setup.house.patience,
        scores_hidden=game.setup.house.scores_hidden,
        hints=game.setup.house.hints,
        last_turns=game.last_turns,
        ended_by=game.ended_by,
        winners=game.winners,
        end=_end(game),
        sheet=game.setup.layout.name,
        layout=tuple(PrintedRow(row.lock, tuple(map(str, row.cells))) for row in game.setup.layout.rows),
        board=() if game.setup.board is None else _board(game.setup.board),
        reach=game.reach() if game.phase is not Phase.ROLL else (),
        landings=game.landings(),
        players=tuple(_player(snapshot, game, seat) for seat in range(game.players)),
    )


def _board(side: Side) -> tuple[SpaceView, ...]:
    numbered = enumerate(side.spaces, 1)
    return tuple(SpaceView(str(space.cell), space.points, side.is_near_end(n)) for n, space in numbered)


def _player(snapshot: Snapshot, game: Game, seat: int) -> PlayerView:
    return PlayerView(
        seat=seat,
        name=game.setup.players[seat],
        mark=snapshot.seats[seat].mark,
        active=seat == game.active and game.phase is not Phase.OVER,
        deciding=seat in game.deciding,
        rows=tuple(marks(game, seat, row) for row in range(len(game.setup.layout.rows))),
        misthrows=game.sheets[seat].misthrows,
        score=score(game, seat),
        fresh=tuple(sorted(map(str, fresh(game, seat)))),
        piece=game.pieces[seat] if game.pieces else None,
        level=game.setup.level(seat),
        presence=_presence(game, seat),
        helping=_helping(game) if seat in game.deciding else None,
    )


def _presence(game: Game, seat: int) -> Presence:
    if seat in game.gone:
        return Presence.PLAYS_NO_MORE
    return Presence.SITS_OUT if seat in game.away else Presence.HERE


def _helping(game: Game) -> Helping | None:
    """What a Done for who decides would do; what was chosen in action 1 stays sealed."""
    turn = game.turn
    if game.phase is Phase.FIRST:
        return Helping.KEEP_OR_PASS
    if game.phase is Phase.ROLL or turn is None:
        return None
    if game.passing_is_misthrow:
        return Helping.MISTHROW
    if game.phase is Phase.THIRD:
        return Helping.STAY if turn.landing is None else Helping.DONE
    return Helping.PASS if turn.second is None else Helping.DONE


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


def _pictured(snapshot: Snapshot) -> bool:
    """Dice entered or corrected by hand are not what the camera saw last."""
    game, eyes = snapshot.game, snapshot.eyes
    if eyes.state is EyesState.OFF:
        return False
    if game is None or game.turn is None or (game.phase is Phase.ROLL and eyes.state is not EyesState.READY):
        return True  # it looks, or asks: the picture is of what lies there
    return bool(eyes.dice) and not any(die.by_hand for die in _dice(game, eyes))


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


def _series(series: Series, number: int) -> SeriesView:
    return SeriesView(number, series.games, series.results, series.standings, series.over)


def _corrected(correction: Correction) -> CorrectedView:
    kinds: dict[type, str] = {
        DiceCorrected: "dice",
        Reopened: "reopened",
        SheetCorrected: "sheet",
        PieceCorrected: "piece",
        TookBackDone: "done",
    }
    what = correction.what
    owner = what.owner if isinstance(what, SheetCorrected | PieceCorrected) else None
    return CorrectedView(kinds[type(what)], what.seat, owner, correction.turn, correction.changes)
