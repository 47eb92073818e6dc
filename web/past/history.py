"""The past: list of games, one game turn by turn, statistics; files out, games deleted. Counts nothing."""

from datetime import UTC, datetime

from flask import Blueprint, Response, request

from boxlid.fields import read
from companion.game import Edition, Phase
from companion.past.fairness import FEWEST
from companion.past.games import PastGame, PastGames
from companion.past.reviews import Reviews
from companion.past.tally import tally
from companion.table.snapshot import GameDeleted
from companion.table.table import Command
from companion.words import Catalogue
from web.desk import Desk, refusing, to_json
from web.past.charts import bar_chart, line_chart
from web.past.chronicle import (
    HistoryView,
    ReplayView,
    finished,
    game_line,
    history_view,
    replay_view,
    sheets_over_time,
)
from web.past.past_files import (
    DICE,
    PLAYERS,
    RESULTS,
    dice_rows,
    player_rows,
    record_line,
    result_rows,
    turn_rows,
    turns_head,
)
from web.past.review import ReviewPart, review_part
from web.serving.bodies import json_answer, sent
from web.serving.downloads import Downloads
from web.serving.errors import Refused
from web.serving.sent import Nothing
from web.serving.shown import ask_for_code, page, see_other, who, words_of
from web.serving.spreadsheets import as_file, csv_answer

_LINES = "application/jsonl"
PATIENCE_SECONDS = 0.3  # of a page; games that were never counted are counted beside the play


def history(desk: Desk) -> Blueprint:
    """The pages of the past and their routes."""
    routes = Blueprint("history", __name__)
    past = PastGames(desk.table.journal)
    reviews = Reviews(past, desk.table.journal.folder)
    _add_pages(routes, desk, past, reviews)
    _add_json(routes, desk, past, reviews)
    _add_files(routes, desk, past, reviews)
    _add_deleting(routes, desk, past)
    return routes


def _now(desk: Desk) -> datetime:
    """By the journal's clock, the one that games are dated with."""
    return datetime.fromtimestamp(min(max(desk.table.journal.now(), 0), 4e9), UTC)


def _may_see(desk: Desk) -> bool:
    me = who(desk)
    return me.display or bool(desk.seats(me))


def _found(past: PastGames, number: str) -> PastGame:
    digits = number.isascii() and number.isdigit() and len(number) < 16
    game = past.game(int(number)) if digits else None
    if game is None:
        raise Refused(404, "no-such-game", f"there is no game {number[:16]!r} in the history")
    return game


def _replayed(desk: Desk, past: PastGames, game: PastGame) -> ReplayView:
    played, now = past.replay(game.id), _now(desk)
    if played is None:
        return ReplayView(game_line(game, now), (), (), (), ())
    return replay_view(game, played, now)


def _listed(desk: Desk, past: PastGames) -> HistoryView:
    asked = request.args.get("page", "1")
    number = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 7 else 1
    return history_view(past, number, _now(desk))


# --- pages ---------------------------------------------------------------------------------------------


def _add_pages(routes: Blueprint, desk: Desk, past: PastGames, reviews: Reviews) -> None:
    @routes.get("/history")
    def games() -> Response:
        if not _may_see(desk):
            return ask_for_code(desk)
        return page(desk, "history.html", shown=_listed(desk, past), when=_Dates(words_of(desk)))

    @routes.get("/history/<game>")
    def one(game: str) -> Response:
        if not _may_see(desk):
            return ask_for_code(desk)
        found = _found(past, game)
        shown, words = _replayed(desk, past, found), words_of(desk)
        names = [shown.game.players[seat] for seat in shown.game.winners]
        return page(
            desk,
            "game.html",
            shown=shown,
            sheets=sheets_over_time(shown),
            chart=_points(shown),
            review=_review(shown, reviews),
            when=_Dates(words),
            winners=_joined(names, words),
            everybody=_joined(list(shown.game.players), words),
        )

    @routes.get("/statistics")
    def statistics() -> Response:
        if not _may_see(desk):
            return ask_for_code(desk)
        games = past.counted(PATIENCE_SECONDS)
        found = tally(games, _edition())
        waiting = len(past.ids()) - len(games)
        bars = {die.die: bar_chart(die.counts) for die in found.dice}
        return page(desk, "statistics.html", found=found, bars=bars, fewest=FEWEST, waiting=waiting)


def _joined(names: list[str], words: Catalogue) -> str:
    """Anna, Ben and Cem."""
    if len(names) < 2:
        return "".join(names)
    return words.listed(names)


def _points(shown: ReplayView) -> object:
    """Points over the turns that are over; none while they are hidden."""
    rows = [step.scores for step in shown.steps if step.complete and step.scores is not None]
    seats = range(len(shown.game.players))
    return line_chart([(0, *(row[seat] for row in rows)) for seat in seats]) if rows else None


def _review(shown: ReplayView, reviews: Reviews) -> ReviewPart | None:
    """The review of a finished game that was played here, turn by turn."""
    game = shown.game
    if game.running or game.trouble or not any(step.dice for step in shown.steps):
        return None
    return review_part(shown, reviews.ask(game.id))


def _edition() -> str | None:
    """The edition asked for; all of them if it is none."""
    asked = request.args.get("edition", "")
    return asked if asked in tuple(Edition) else None


class _Dates:
    """Dates as the visitor's language writes them, on the companion's clock."""

    def __init__(self, words: Catalogue) -> None:
        self._words = words

    def __call__(self, date: str) -> str:
        local = datetime.fromisoformat(date).astimezone()
        return self._words.say(
            "history.date", year=local.year, month=f"{local:%m}", day=f"{local:%d}", time=f"{local:%H:%M}"
        )


# --- JSON ----------------------------------------------------------------------------------------------


def _add_json(routes: Blueprint, desk: Desk, past: PastGames, reviews: Reviews) -> None:
    @routes.get("/api/history")
    def games_json() -> Response:
        desk.need_sight(who(desk))
        return json_answer(to_json(_listed(desk, past)))

    @routes.get("/api/history/<game>")
    def one_json(game: str) -> Response:
        desk.need_sight(who(desk))
        return json_answer(to_json(_replayed(desk, past, _found(past, game))))

    @routes.get("/api/history/<game>/review")
    def review_json(game: str) -> Response:
        """Nothing of it before the game is over."""
        desk.need_sight(who(desk))
        return json_answer(to_json(reviews.ask(_whole(_found(past, game)).id)))

    @routes.get("/api/statistics")
    def statistics_json() -> Response:
        desk.need_sight(who(desk))
        return json_answer(to_json(tally(past.all(), _edition())))


# --- files ---------------------------------------------------------------------------------------------


def _add_files(routes: Blueprint, desk: Desk, past: PastGames, reviews: Reviews) -> None:
    few = Downloads()

    @routes.get("/history/<game>.jsonl")
    @few
    def record(game: str) -> Response:
        desk.need_sight(who(desk))
        found = _whole(_found(past, game))
        text = record_line(past, found, reviews.make(found.id))
        return as_file(Response(text, mimetype=_LINES), f"boxlid-game-{found.id}.jsonl")

    @routes.get("/history/<game>.csv")
    @few
    def turns(game: str) -> Response:
        desk.need_sight(who(desk))
        shown = _replayed(desk, past, _whole(_found(past, game)))
        return csv_answer(f"boxlid-game-{shown.game.id}.csv", turns_head(shown.game), turn_rows(shown))

    @routes.get("/history/games.jsonl")
    @few
    def records() -> Response:
        """Game by game as it goes out: many games are many megabytes."""
        desk.need_sight(who(desk))
        games = finished(past.all())
        return as_file(
            Response((record_line(past, game, reviews.known(game.id)) for game in games), mimetype=_LINES),
            "boxlid-games.jsonl",
        )

    @routes.get("/history/games.csv")
    @few
    def results() -> Response:
        desk.need_sight(who(desk))
        lines = (game_line(game, _now(desk)) for game in finished(past.all()))
        return csv_answer("boxlid-games.csv", RESULTS, result_rows(lines))

    @routes.get("/statistics/players.csv")
    @few
    def players() -> Response:
        desk.need_sight(who(desk))
        return csv_answer("boxlid-players.csv", PLAYERS, player_rows(tally(past.all(), _edition())))

    @routes.get("/statistics/dice.csv")
    @few
    def dice() -> Response:
        desk.need_sight(who(desk))
        return csv_answer("boxlid-dice.csv", DICE, dice_rows(tally(past.all())))


def _whole(game: PastGame) -> PastGame:
    """A file of a game tells everything, so it waits until nothing is secret."""
    if game.figures.trouble is not None:
        raise Refused(409, "damaged-game", f"game {game.id} cannot be played again: {game.figures.trouble}")
    if not game.figures.over:
        raise Refused(
            409, "still-played", f"game {game.id} is being played; its file is there when it is over"
        )
    return game


# --- deleting ------------------------------------------------------------------------------------------


def _add_deleting(routes: Blueprint, desk: Desk, past: PastGames) -> None:
    @routes.get("/history/<game>/delete")
    def ask(game: str) -> Response:
        if not who(desk).display:
            return ask_for_code(desk)
        found = _found(past, game)
        _need_off_table(desk, found.id)
        return page(desk, "delete.html", game=game_line(found, _now(desk)), when=_Dates(words_of(desk)))

    @routes.post("/history/<game>/delete")
    def delete_form(game: str) -> Response:
        _delete(desk, past, game)
        return see_other("/history")

    @routes.post("/api/history/<game>/delete")
    def delete(game: str) -> Response:
        read(Nothing, sent(), others=True)
        _delete(desk, past, game)
        return json_answer("{}")


def _delete(desk: Desk, past: PastGames, game: str) -> None:
    desk.need_owner(who(desk))
    found = _found(past, game)
    _need_off_table(desk, found.id)
    with refusing():
        desk.table.play(Command(GameDeleted(found.id)))


def _need_off_table(desk: Desk, game: int) -> None:
    """What is played, or may be reopened, is no past yet."""
    snapshot = desk.table.snapshot
    if snapshot.game is None or game not in snapshot.in_series:
        return
    if game == snapshot.game_id and snapshot.game.phase is not Phase.OVER:
        raise Refused(409, "still-played", f"game {game} is being played; end it first")
    raise Refused(409, "on-table", f"game {game} is on the table, or of its series; clear the table first")
