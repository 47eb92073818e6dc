"""What pages and JSON show of the past: plain values made from games, replays and tallies. Knows no HTML.

While a game is played, its points stay hidden if the table wants it so. No choice of an open action is here.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from companion.game import Change, Level
from companion.past.figures import PlayerFigures
from companion.past.games import Evening, PastGame, PastGames
from companion.past.turns import PastStep, Replay
from companion.table.seats import Mark, Seat
from companion.table.series import Standing
from companion.table.snapshot import Snapshot
from companion.view import view
from companion.view.values import EndColumn, PrintedRow

EVENINGS_ON_A_PAGE = 12
_QWIXX = datetime(2012, 1, 1, tzinfo=UTC)  # nobody played it before
_BOXLID = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class GameLine:
    """One game of the list. `date` is left out if the clock cannot have been right; points while hidden."""

    id: int
    date: str | None
    players: tuple[str, ...]
    marks: tuple[str, ...]
    levels: tuple[Level | None, ...]  # of players of the program
    scores: tuple[int, ...] | None
    ranking: tuple[int, ...]  # seats, the most points first; as they sit while points are hidden
    winners: tuple[int, ...]  # of a game that was played to its end
    ended_by: str | None
    running: bool
    edition: str
    sheet: str  # the name of the printed sheet
    number: int
    games: int
    imported: bool
    paper: bool  # played on paper: only the end is known
    turns: int
    trouble: str | None


@dataclass(frozen=True, slots=True)
class EveningView:
    """A single game, or the games of a series and its standings so far."""

    games: tuple[GameLine, ...]
    series: bool
    standings: tuple[Standing, ...]


@dataclass(frozen=True, slots=True)
class HistoryView:
    """One page of the list, newest first; pages count from 1."""

    page: int
    pages: int
    games: int
    evenings: tuple[EveningView, ...]


@dataclass(frozen=True, slots=True)
class StepView:
    """One turn, or what was said between, and how everybody stood after it."""

    kind: str
    number: int
    active: int
    dice: tuple[str, ...]
    choices: tuple[str | None, ...]
    second: str | None
    landing: int | None
    misthrow: bool
    complete: bool
    sheets: tuple[str, ...]
    misthrows: tuple[int, ...]
    scores: tuple[int, ...] | None
    closed: tuple[str, ...]
    pieces: tuple[int, ...]
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class ReplayView:
    """A whole game turn by turn; `end` is the reckoning of a game that is over, `players` their figures."""

    game: GameLine
    layout: tuple[PrintedRow, ...]
    steps: tuple[StepView, ...]
    end: tuple[EndColumn, ...]
    players: tuple[PlayerFigures, ...]


def history_view(past: PastGames, page: int, now: datetime) -> HistoryView:
    count = past.evenings_count()
    pages = max(1, -(-count // EVENINGS_ON_A_PAGE))
    page = min(max(1, page), pages)
    evenings = past.evenings((page - 1) * EVENINGS_ON_A_PAGE, EVENINGS_ON_A_PAGE)
    return HistoryView(page, pages, len(past.ids()), tuple(_evening(each, now) for each in evenings))


def _evening(evening: Evening, now: datetime) -> EveningView:
    series = evening.series
    standings = series.standings if series is not None and series.results else ()
    return EveningView(tuple(game_line(game, now) for game in evening.games), evening.is_series, standings)


def game_line(game: PastGame, now: datetime) -> GameLine:
    begun, figures = game.begun, game.figures
    if begun is None:
        return GameLine(
            game.id,
            None,
            (),
            (),
            (),
            None,
            (),
            (),
            None,
            False,
            "",
            "",
            1,
            1,
            False,
            False,
            0,
            figures.trouble,
        )
    seats = range(len(figures.players))
    scores = None if game.hides_scores else tuple(player.score for player in figures.players)
    return GameLine(
        id=game.id,
        date=_date(begun.date, now, imported=begun.imported),
        players=begun.setup.players,
        marks=game.marks,
        levels=tuple(begun.setup.level(seat) for seat in seats),
        scores=scores,
        ranking=tuple(sorted(seats, key=lambda seat: -scores[seat] if scores else seat)),
        winners=figures.winners if figures.counts else (),
        ended_by=figures.ended_by,
        running=not figures.over and figures.trouble is None,
        edition=begun.setup.edition,
        sheet=begun.setup.layout.name,
        number=begun.number,
        games=begun.games,
        imported=begun.imported,
        paper=figures.paper,
        turns=figures.turns,
        trouble=figures.trouble,
    )


def _date(date: datetime, now: datetime, *, imported: bool) -> str | None:
    """The companion's clock has no battery: what cannot be is left out."""
    earliest = _QWIXX if imported else _BOXLID
    return date.isoformat() if earliest <= date <= now + timedelta(days=1) else None


def replay_view(game: PastGame, played: Replay, now: datetime) -> ReplayView:
    shown = played_out(played)
    hidden = game.hides_scores
    steps = tuple(_step(step, played, hidden=hidden) for step in played.steps)
    players = game.figures.players if game.figures.over else ()
    return ReplayView(game_line(game, now), shown.layout, steps, shown.end, players)


@dataclass(frozen=True, slots=True)
class PlayedOut:
    """The printed sheet, and the reckoning once the game is over."""

    layout: tuple[PrintedRow, ...]
    end: tuple[EndColumn, ...]


def played_out(played: Replay) -> PlayedOut:
    """As everybody at the table saw it."""
    names = played.record.setup.players
    seats = tuple(Seat(name, mark) for name, mark in zip(names, Mark, strict=False))
    shown = view(Snapshot(seats=seats, game=played.end)).game
    return PlayedOut(shown.layout, shown.end) if shown is not None else PlayedOut((), ())


def _step(step: PastStep, played: Replay, *, hidden: bool) -> StepView:
    order = [row.lock for row in played.record.setup.layout.rows]
    return StepView(
        kind=step.kind,
        number=step.number,
        active=step.active,
        dice=tuple(str(step.roll).split()) if step.roll is not None else (),
        choices=tuple(None if cell is None else str(cell) for cell in step.choices),
        second=None if step.second is None else str(step.second),
        landing=step.landing,
        misthrow=step.misthrow,
        complete=step.complete,
        sheets=tuple(" ".join(map(str, sheet.cells)) for sheet in step.sheets),
        misthrows=tuple(sheet.misthrows for sheet in step.sheets),
        scores=None if hidden else step.scores,
        closed=tuple(colour for colour in order if colour in step.closed),
        pieces=step.pieces,
        changes=step.changes,
    )


# --- sheets that change from step to step --------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CellSpan:
    """A cell of a replayed sheet; the steps at which it is crossed, such as `5-8 12-`; `last`: in the end."""

    cell: str
    colour: str
    steps: str
    last: bool

    @property
    def number(self) -> str:
        return self.cell[1:]


@dataclass(frozen=True, slots=True)
class RowSpan:
    """A row of a replayed sheet; when its player locked it, and when it was closed for all."""

    lock: str
    cells: tuple[CellSpan, ...]
    locked: CellSpan
    closed: CellSpan

    @property
    def mixed(self) -> bool:
        """Not all of its cells have the colour of its lock."""
        return any(cell.colour != self.lock for cell in self.cells)


@dataclass(frozen=True, slots=True)
class SheetSpan:
    """One player's sheet over a whole game, with what stands in its head at each step, from step 0 on."""

    seat: int
    name: str
    mark: str
    rows: tuple[RowSpan, ...]
    misthrows: tuple[int, ...]
    scores: tuple[int, ...]
    pieces: tuple[int, ...]


def sheets_over_time(view: ReplayView) -> tuple[SheetSpan, ...]:
    return tuple(
        _sheet(view, seat, name, mark)
        for (seat, name), mark in zip(enumerate(view.game.players), view.game.marks, strict=True)
    )


def _sheet(view: ReplayView, seat: int, name: str, mark: str) -> SheetSpan:
    crossed = [frozenset(step.sheets[seat].split()) for step in view.steps]
    rows = []
    for row in view.layout:
        cells = tuple(
            _span(cell, colour, [cell in each for each in crossed])
            for cell, colour in zip(row.cells, row.colours, strict=True)
        )
        locked = _span(row.lock, row.lock, [row.cells[-1] in each for each in crossed])
        closed = _span(row.lock, row.lock, [row.lock in step.closed for step in view.steps])
        rows.append(RowSpan(row.lock, cells, locked, closed))
    return SheetSpan(
        seat,
        name,
        mark,
        tuple(rows),
        (0, *(step.misthrows[seat] for step in view.steps)),
        (0, *(step.scores[seat] for step in view.steps if step.scores is not None)),
        (0, *(step.pieces[seat] for step in view.steps)) if any(step.pieces for step in view.steps) else (),
    )


def _span(name: str, colour: str, there: Sequence[bool]) -> CellSpan:
    spans, since = list[str](), 0
    for step, now in enumerate(there, 1):
        if now and not since:
            since = step
        elif since and not now:
            spans.append(f"{since}-{step - 1}")
            since = 0
    if since:
        spans.append(f"{since}-")
    return CellSpan(name, colour, " ".join(spans), bool(since))


def finished(games: Iterable[PastGame]) -> Iterable[PastGame]:
    """Those that can be given away as a whole."""
    return (game for game in games if game.figures.over and game.figures.trouble is None)
