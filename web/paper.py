"""Paper: blank sheets to print, and a finished game on paper entered for the statistics. Counts nothing."""

from datetime import UTC, date, datetime, time

from flask import Blueprint, Response, request

from companion.game import LONGEST_NAME, Edition, PaperEnded
from companion.past.paper import EDITIONS, PaperError, PaperFault, PaperPlayer, RowCount, paper_game
from companion.table.seats import MOST_SEATS
from companion.table.snapshot import Imported
from companion.view import SHEETS
from companion.view.blank_sheets import A_PAGE, blank_page
from companion.words import Catalogue
from web.desk import Desk, refusing
from web.serving.bodies import Form, form
from web.serving.errors import Refused
from web.serving.shown import ask_for_code, in_words, page, see_other, who, words_of

LOCKS = ("red", "yellow", "green", "blue")
_WRONG = {
    PaperFault.NOBODY: "paper.wrong_nobody",
    PaperFault.NO_NAME: "paper.wrong_no_name",
    PaperFault.SAME_NAME: "paper.wrong_same_name",
    PaperFault.ROW: "paper.wrong_row",
    PaperFault.MISTHROWS: "paper.wrong_misthrows",
    PaperFault.DATE: "paper.wrong_date",
}
_MOST = 99  # what is read of a number; what may stand there is for the sheet to say


def paper(desk: Desk) -> Blueprint:
    """The pages of paper and their routes."""
    routes = Blueprint("paper", __name__)

    @routes.get("/paper")
    def sheets() -> Response:
        return page(desk, "paper.html", sheets=SHEETS, a_page=A_PAGE)

    @routes.get("/paper/<sheet>/<int:number>")
    def printed(sheet: str, number: int) -> Response:
        _known(sheet, number)
        return page(desk, "paper_print.html", sheet=sheet, number=number)

    @routes.get("/paper/<sheet>/<int:number>.svg")
    def drawn(sheet: str, number: int) -> Response:
        _known(sheet, number)
        return Response(blank_page(sheet, number, words_of(desk)), mimetype="image/svg+xml")

    _add_entering(routes, desk)
    return routes


def _known(sheet: str, number: int) -> None:
    if sheet not in SHEETS or number not in A_PAGE:
        raise Refused(404, "not-found", f"sheets are {', '.join(SHEETS)}, with 2 or 4 a page")


# --- a game that was played on paper --------------------------------------------------------------------


def _add_entering(routes: Blueprint, desk: Desk) -> None:
    @routes.get("/history/paper")
    def enter() -> Response:
        me = who(desk)
        if not me.display and not desk.seats(me):
            return ask_for_code(desk)
        return _form(desk)

    @routes.post("/history/paper")
    def keep() -> Response:
        desk.need_sight(who(desk))
        words = words_of(desk)
        try:
            game, ended = _read(form(), desk.table.journal.now())
            with refusing():
                number = desk.table.keep_on_paper(game, ended)
        except PaperError as error:
            return _form(desk, _worded(error, words), 400)
        except Refused as error:
            return _form(desk, in_words(words, error), error.status)
        return see_other(f"/history/{number}")


def _form(desk: Desk, wrong: str = "", status: int = 200) -> Response:
    today = datetime.fromtimestamp(min(max(desk.table.journal.now(), 0), 4e9), UTC).astimezone().date()
    known = [seat.name for seat in desk.table.snapshot.seats]
    return page(
        desk,
        "paper_enter.html",
        status,
        wrong=wrong,
        given=request.form,
        today=today.isoformat(),
        known=known,
        editions=EDITIONS,
        sheets=SHEETS,
        locks=LOCKS,
        places=range(MOST_SEATS),
        longest_name=LONGEST_NAME,
    )


def _worded(error: PaperError, words: Catalogue) -> str:
    colour = words.say(f"row_it.{error.lock}") if error.lock else ""
    return words.say(_WRONG[error.kind], name=error.name, row=colour)


def _read(given: Form, now: float) -> tuple[Imported, PaperEnded]:
    players = [player for place in range(MOST_SEATS) if (player := _player(given, place)) is not None]
    if not players:
        raise PaperError(PaperFault.NOBODY)
    edition, sheet = given.text("edition", Edition.ORIGINAL), given.text("sheet", SHEETS[0])
    if edition not in EDITIONS or sheet not in SHEETS:
        raise Refused(400, "bad-request", "the edition or the sheet is none that paper games have")
    with refusing():
        return paper_game(Edition(edition), sheet, players, _played_at(given.text("date", ""), now))


def _player(given: Form, place: int) -> PaperPlayer | None:
    name = " ".join(given.text(f"name-{place}", "").split())
    rows = tuple(_row(given, place, lock, name) for lock in LOCKS)
    misthrows = _number(given.text(f"misthrows-{place}", ""))
    if not name:
        if any(row.crosses or row.locked for row in rows) or misthrows:
            raise PaperError(PaperFault.NO_NAME)
        return None
    if misthrows is None or misthrows > 4:
        raise PaperError(PaperFault.MISTHROWS, name)
    return PaperPlayer(name, rows, misthrows)


def _row(given: Form, place: int, lock: str, name: str) -> RowCount:
    crosses = _number(given.text(f"{lock}-{place}", ""))
    if crosses is None:
        raise PaperError(PaperFault.ROW, name, lock)
    return RowCount(crosses, bool(given.text(f"{lock}-lock-{place}", "")))


def _number(text: str) -> int | None:
    """A count; nothing written is none."""
    text = text.strip()
    if not text:
        return 0
    return int(text) if text.isascii() and text.isdigit() and len(text) < 3 and int(text) <= _MOST else None


def _played_at(text: str, now: float) -> float:
    """Noon of that day; a day to come cannot be."""
    try:
        noon = datetime.combine(date.fromisoformat(text), time(12)).astimezone()
    except (ValueError, OverflowError):
        raise PaperError(PaperFault.DATE) from None
    moment = noon.timestamp()
    if moment > now + 24 * 3600:
        raise PaperError(PaperFault.DATE)
    return min(moment, now)
