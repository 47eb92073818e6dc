"""The club's evenings and seasons: rankings, the games behind them, and both as files."""

from collections.abc import Callable
from datetime import date, datetime

from flask import Blueprint, Response, request

from companion.club.evenings import Span, spans
from companion.club.ranking import RankingOrder
from companion.club.shown import (
    RECORD_COLUMNS,
    GameShown,
    RankingShown,
    evening,
    evenings,
    record_row,
    season,
)
from web.club.desk import ClubDesk, refusing
from web.club.tables import game_json
from web.desk import to_json
from web.serving.bodies import form, json_answer
from web.serving.downloads import Downloads
from web.serving.errors import Refused
from web.serving.shown import safe_path, see_other, words_of
from web.serving.spreadsheets import as_file, csv_answer

FORMS = frozenset({"evenings.leave_out", "evenings.put_season", "evenings.drop_season"})


def evenings_pages(desk: ClubDesk) -> Blueprint:
    """What was played, by evening and by season."""
    routes = Blueprint("evenings", __name__)
    _add_pages(routes, desk)
    _add_changes(routes, desk)
    _add_files(routes, desk)
    return routes


def _add_pages(routes: Blueprint, desk: ClubDesk) -> None:
    @routes.get("/evenings")
    def all_evenings() -> Response:
        return desk.page("club_evenings.html", evenings=evenings(desk.club.books))

    @routes.get("/evenings/<day>")
    def one_evening(day: str) -> Response:
        shown = _evening(desk, day)
        found = date.fromisoformat(day)
        return _ranking(desk, shown, f"/evenings/{day}", day=found, name="")

    @routes.get("/seasons")
    def all_seasons() -> Response:
        return desk.page(
            "club_seasons.html",
            spans=spans(desk.club.books.seasons),
            today=datetime.now().astimezone().date(),
        )

    @routes.get("/seasons/<name>")
    def one_season(name: str) -> Response:
        span, shown = _season(desk, name)
        title = span.season.name if span else words_of(desk).say("club.all_time")
        return _ranking(desk, shown, f"/seasons/{name}", day=None, name=title)


def _ranking(desk: ClubDesk, shown: RankingShown, here: str, *, day: date | None, name: str) -> Response:
    return desk.page(
        "club_ranking.html", shown=shown, orders=tuple(RankingOrder), path=here, date=day, name=name
    )


def _order() -> RankingOrder:
    try:
        return RankingOrder(request.args.get("by", RankingOrder.POINTS))
    except ValueError:
        raise Refused(400, "bad-request", f"a ranking goes by {', '.join(RankingOrder)}") from None


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise Refused(404, "not-found", "a day is such as 2026-11-20") from None


def _evening(desk: ClubDesk, day: str) -> RankingShown:
    shown = evening(desk.club.books, _day(day), _order())
    if shown is None:
        raise Refused(404, "not-found", "nobody played that evening")
    return shown


def _season(desk: ClubDesk, name: str) -> tuple[Span | None, RankingShown]:
    found = season(desk.club.books, name, _order())
    if found is None:
        raise Refused(404, "not-found", "there is no such season")
    return found


def _add_changes(routes: Blueprint, desk: ClubDesk) -> None:
    @routes.post("/results/left-out")
    def leave_out() -> Response:
        """A game that does not count, or does after all."""
        desk.need_owner()
        asked = form()
        with refusing():
            found = desk.club.leave_out(
                asked.text("box"), asked.text("id"), left_out=asked.text("left_out", "") == "yes"
            )
        if not found:
            raise Refused(404, "no-such-game", "there is no such game")
        return see_other(safe_path(asked.text("back", "/evenings")))

    @routes.post("/seasons")
    def put_season() -> Response:
        desk.need_owner()
        asked = form()
        try:
            first = date.fromisoformat(asked.text("first"))
        except ValueError:
            raise Refused(400, "club-day", "a season begins on a day such as 2026-11-20") from None
        with refusing():
            desk.club.put_season(asked.text("name"), first)
        return see_other("/seasons")

    @routes.post("/seasons/<first>/drop")
    def drop_season(first: str) -> Response:
        desk.need_owner()
        with refusing():
            desk.club.drop_season(_day(first))
        return see_other("/seasons")


def _add_files(routes: Blueprint, desk: ClubDesk) -> None:
    one_at_a_time = Downloads()

    def add(path: str, shown: Callable[[ClubDesk, str], RankingShown], name: str) -> None:
        def ranking_csv(which: str) -> Response:
            rows = [record_row(standing) for standing in shown(desk, which).standings]
            return csv_answer(f"boxlid-{name}-ranking.csv", RECORD_COLUMNS, rows)

        def games_csv(which: str) -> Response:
            rows = [row for game in shown(desk, which).games for row in _rows(game)]
            return csv_answer(f"boxlid-{name}-games.csv", GAME_COLUMNS, rows)

        def everything(which: str) -> Response:
            return as_file(json_answer(to_json(ranking_json(shown(desk, which)))), f"boxlid-{name}.json")

        for rule, give in ((".json", everything), ("/ranking.csv", ranking_csv), ("/games.csv", games_csv)):
            routes.add_url_rule(
                f"{path}/<which>{rule}", f"{name}{rule}".replace(".", "-"), one_at_a_time(give)
            )

    add("/evenings", _evening, "evening")
    add("/seasons", lambda desk, which: _season(desk, which)[1], "season")


GAME_COLUMNS = ("date", "table", "game", "edition", "stopped", "left_out", "place", "name", "points")


def _rows(game: GameShown) -> list[tuple[str | int | None, ...]]:
    """A line for each player."""
    at = datetime.fromtimestamp(game.at).astimezone().isoformat(timespec="seconds")
    about = (at, game.box, game.id, game.edition, int(game.stopped), int(game.left_out))
    return [(*about, player.place, player.name, player.points) for player in game.players]


def ranking_json(shown: RankingShown) -> dict[str, object]:
    """What stands in a file of JSON."""
    return {
        "ranking": [
            dict(zip(RECORD_COLUMNS, record_row(standing), strict=True)) for standing in shown.standings
        ],
        "games": [
            {**game_json(game), "edition": game.edition, "left_out": game.left_out} for game in shown.games
        ],
    }
