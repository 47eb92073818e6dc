"""Tournaments: the view for all, on paper, as files, and the page that leads one. Decides no seating."""

from collections.abc import Sequence

from flask import Blueprint, Response

from companion.club.shown import (
    RECORD_COLUMNS,
    RoundShown,
    TournamentShown,
    record_row,
    tournament_shown,
)
from companion.club.tournament import MOST_ROUNDS, MOST_TABLES
from companion.club.tournament_events import (
    Entered,
    Event,
    Left,
    PointsCleared,
    PointsSet,
    Renamed,
    Returned,
)
from web.club.desk import ClubDesk, club_address, refusing
from web.desk import to_json
from web.serving.bodies import Form, form, json_answer
from web.serving.errors import Refused
from web.serving.shown import see_other
from web.serving.spreadsheets import Cell, as_file, csv_answer

FORMS = frozenset(
    f"tournaments.{name}" for name in ("open_one", "enter", "player", "draw", "points", "clear", "undo")
)
LONGEST_LIST = 12_000  # characters of names that are entered at once
PLANNED = 4
POINT_COLUMNS = ("round", "table", "name", "points", "from")


def tournament_pages(desk: ClubDesk) -> Blueprint:
    """All tournaments."""
    routes = Blueprint("tournaments", __name__)
    _add_views(routes, desk)
    _add_files(routes, desk)
    _add_opening(routes, desk)
    _add_players(routes, desk)
    _add_rounds(routes, desk)
    return routes


def shown_of(desk: ClubDesk, identity: int) -> TournamentShown:
    kept = next((each for each in desk.club.books.tournaments if each.id == identity), None)
    tournament = desk.club.tournament(identity)
    if tournament is None or kept is None:
        raise Refused(404, "not-found", "there is no such tournament")
    return tournament_shown(identity, tournament, len(kept.events))


def _add_views(routes: Blueprint, desk: ClubDesk) -> None:
    @routes.get("/tournaments")
    def list_all() -> Response:
        found = [shown_of(desk, kept.id) for kept in desk.club.books.tournaments]
        return desk.page(
            "club_tournaments.html",
            tournaments=found,
            most_rounds=MOST_ROUNDS,
            most_tables=MOST_TABLES,
            planned=PLANNED,
        )

    @routes.get("/tournaments/<int:identity>")
    def one(identity: int) -> Response:
        address = f"{club_address(desk)}/tournaments/{identity}"
        return desk.page("club_tournament.html", shown=shown_of(desk, identity), address=address)

    @routes.get("/tournaments/<int:identity>/print")
    def on_paper(identity: int) -> Response:
        return desk.page("club_print.html", shown=shown_of(desk, identity))

    @routes.get("/tournaments/<int:identity>/lead")
    def lead(identity: int) -> Response:
        shown = shown_of(desk, identity)
        return desk.page("club_lead.html", shown=shown) if desk.is_owner else desk.ask_for_code()


def _add_files(routes: Blueprint, desk: ClubDesk) -> None:
    @routes.get("/tournaments/<int:identity>/ranking.csv")
    def ranking_csv(identity: int) -> Response:
        rows = [record_row(standing) for standing, _ in shown_of(desk, identity).standings]
        return csv_answer("boxlid-tournament-ranking.csv", RECORD_COLUMNS, rows)

    @routes.get("/tournaments/<int:identity>/rounds.csv")
    def rounds_csv(identity: int) -> Response:
        rows = [row for round_ in shown_of(desk, identity).rounds[::-1] for row in _rows(round_)]
        return csv_answer("boxlid-tournament-rounds.csv", POINT_COLUMNS, rows)

    @routes.get("/tournaments/<int:identity>.json")
    def everything(identity: int) -> Response:
        shown = shown_of(desk, identity)
        found = {
            "name": shown.name,
            "planned_rounds": shown.planned,
            "players": [{"name": player.name, "left": player.left} for player in shown.players],
            "ranking": [
                dict(zip(RECORD_COLUMNS, record_row(standing), strict=True))
                for standing, _ in shown.standings
            ],
            "rounds": [
                [dict(zip(POINT_COLUMNS, row, strict=True)) for row in _rows(each)]
                for each in shown.rounds[::-1]
            ],
        }
        return as_file(json_answer(to_json(found)), "boxlid-tournament.json")


def _rows(round_: RoundShown) -> list[tuple[Cell, ...]]:
    """A line for each player; a bye has no table."""
    played = [
        (round_.number, group.number, player.name, player.points, group.box or str(group.source))
        for group in round_.groups
        for player in group.players
    ]
    return [*played, *((round_.number, None, player.name, player.points, "bye") for player in round_.byes)]


def _add_opening(routes: Blueprint, desk: ClubDesk) -> None:
    @routes.post("/tournaments")
    def open_one() -> Response:
        desk.need_owner()
        asked = form()
        rounds, tables = _number(asked, "rounds"), _number(asked, "tables", 0)
        with refusing():
            identity = desk.club.open_tournament(asked.text("name"), rounds, tables)
        return see_other(f"/tournaments/{identity}/lead")


def _number(asked: Form, name: str, default: int | None = None) -> int:
    text = asked.text(name, "").strip()
    if not text and default is not None:
        return default
    sign, digits = text[:1] in ("-", "−"), text.lstrip("-−")
    if not (digits.isascii() and digits.isdecimal() and len(digits) < 7):
        raise Refused(400, "club-number", f"{name} is a whole number, got {text[:20]!r}")
    return -int(digits) if sign else int(digits)


def _add_players(routes: Blueprint, desk: ClubDesk) -> None:
    @routes.post("/tournaments/<int:identity>/enter")
    def enter(identity: int) -> Response:
        """Several at once, a line each."""
        desk.need_owner()
        lines = form().text("names", "", LONGEST_LIST).splitlines()
        return _change(desk, identity, [Entered(line) for line in lines if line.strip()], "players")

    @routes.post("/tournaments/<int:identity>/player")
    def player(identity: int) -> Response:
        """Renames somebody, or has him leave or come back."""
        desk.need_owner()
        asked = form()
        number = _number(asked, "player")
        events: dict[str, Event] = {"leave": Left(number), "return": Returned(number)}
        event = events.get(asked.text("do", "")) or Renamed(number, asked.text("name"))
        return _change(desk, identity, [event], "players")


def _add_rounds(routes: Blueprint, desk: ClubDesk) -> None:
    @routes.post("/tournaments/<int:identity>/draw")
    def draw(identity: int) -> Response:
        desk.need_owner()
        with refusing():
            desk.club.draw(identity, _number(form(), "rounds"))
        return see_other(f"/tournaments/{identity}/lead")

    @routes.post("/tournaments/<int:identity>/points")
    def points(identity: int) -> Response:
        desk.need_owner()
        asked = form()
        players = _number(asked, "players")
        given = tuple(
            _number(asked, f"points{seat}") if asked.text(f"points{seat}", "").strip() else None
            for seat in range(min(players, 9))
        )
        event = PointsSet(_number(asked, "round") - 1, _number(asked, "table") - 1, given)
        return _change(desk, identity, [event], f"table-{event.round + 1}-{event.table + 1}")

    @routes.post("/tournaments/<int:identity>/clear")
    def clear(identity: int) -> Response:
        """The box's own points count again."""
        desk.need_owner()
        asked = form()
        event = PointsCleared(_number(asked, "round") - 1, _number(asked, "table") - 1)
        return _change(desk, identity, [event], f"table-{event.round + 1}-{event.table + 1}")

    @routes.post("/tournaments/<int:identity>/undo")
    def undo(identity: int) -> Response:
        desk.need_owner()
        with refusing():
            desk.club.undo(identity, _number(form(), "events"))
        return see_other(f"/tournaments/{identity}/lead")


def _change(desk: ClubDesk, identity: int, events: Sequence[Event], where: str) -> Response:
    with refusing():
        desk.club.change(identity, events)
    return see_other(f"/tournaments/{identity}/lead#{where}")
