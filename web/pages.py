"""The HTML pages: whole on the first load, even without scripts; scripts then keep them live."""

from dataclasses import dataclass
from urllib.parse import urlencode

from flask import Blueprint, Response, request

from companion.game import LONGEST_NAME, HouseRules, Phase
from companion.table.seats import free_marks
from companion.view import SHEETS
from companion.words import Catalogue
from web.access.identity import Visitor, new_token, remember, remembered, set_phone
from web.desk import Desk, to_json
from web.serving.bodies import form
from web.serving.errors import Refused
from web.serving.qr import qr_answer
from web.serving.shown import (
    ask_for_code,
    in_words,
    join_address,
    page,
    see_other,
    start_data,
    who,
    words_of,
)

OF_CODE = ("code-wrong", "code-guessed", "too-many-tries")  # who is refused so does not know the code
FORMS = frozenset(
    {
        "pages.join_form",
        "pages.ask_form",
        "demo.start_form",
        "health.settle",
        "health.new_code",
        "history.delete_form",
        "paper.keep",
        "seen.forget",
        "seen.keep",
    }
)


@dataclass(frozen=True, slots=True)
class Offers:
    """What this host can do, so that pages leave out the rest."""

    camera: bool
    picture: bool
    photograph: bool
    photograph_first: bool
    seen: bool
    panel: bool
    setup: bool
    simulated: bool
    house: HouseRules
    sheets: tuple[tuple[str, str], ...]  # the printed ones, each with its name in the page's language


def pages(desk: Desk) -> Blueprint:
    """The pages of one desk."""
    routes = Blueprint("pages", __name__)
    _add_ways_in(routes, desk)
    _add_join(routes, desk)
    _add_forms(routes, desk)
    _add_screens(routes, desk)
    _add_things(routes, desk)
    return routes


def _add_ways_in(routes: Blueprint, desk: Desk) -> None:
    @routes.get("/")
    def start() -> Response:
        me = who(desk)
        mine = desk.seats(me)
        seats, address = desk.table.snapshot.coming, join_address(desk)
        return page(desk, "start.html", seats=seats, mine=mine, display=me.display, address=address)


def _add_join(routes: Blueprint, desk: Desk) -> None:
    @routes.get("/join")
    def join() -> Response:
        me, code = who(desk), request.args.get("code", "")[:8]
        try:
            if code and not _sees_names(desk, me):
                desk.codes.check(code, request.remote_addr, me)
        except Refused as error:
            return _join_again(desk, error)
        response = _join_page(desk, code)
        token = desk.fresh_secret(me)
        if token is not None:
            desk.renewed(me, token)
            set_phone(response, token, secure=request.is_secure)
        return response


def _add_forms(routes: Blueprint, desk: Desk) -> None:
    @routes.post("/join")
    def join_form() -> Response:
        me, asked = who(desk), form()
        fresh: str | None = None
        try:
            adding = bool(desk.seats(me))
            if not adding:
                desk.codes.check(asked.text("code", ""), request.remote_addr, me)
            fresh = desk.fresh_secret(me)
            if fresh is not None:
                me = desk.renewed(me, fresh)
            mark = asked.text("mark", "")
            taken = [
                seat.mark for seat in desk.table.snapshot.coming
            ]  # two forms open at once offer the same
            desk.join(asked.text("name", ""), "" if mark in taken else mark, me)
        except Refused as error:
            return _join_again(desk, error)
        response = _to_the_phone(fresh)
        if not adding:  # a child on the same phone is not whose phone it is
            remember(response, asked.text("name", ""), mark)
        return response

    @routes.post("/ask")
    def ask_form() -> Response:
        me, asked = who(desk), form()
        fresh: str | None = None
        try:
            if not desk.seats(me):
                desk.codes.check(asked.text("code", ""), request.remote_addr, me)
                fresh = new_token()  # a new secret at each take-over
                me = desk.renewed(me, fresh)
            seat = asked.text("seat", "")
            desk.ask_for_seat(int(seat) if seat.isascii() and seat.isdigit() and len(seat) < 3 else -1, me)
        except Refused as error:
            return _join_again(desk, error)
        return _to_the_phone(fresh)


def _to_the_phone(fresh: str | None) -> Response:
    """On to the sheet; a phone that is new keeps the secret of its seat."""
    response = see_other("/phone")
    if fresh is not None:
        set_phone(response, fresh, secure=request.is_secure)
    return response


def _sees_names(desk: Desk, me: Visitor) -> bool:
    return me.display or bool(desk.seats(me))


def _join_page(desk: Desk, code: str, error: Refused | None = None) -> Response:
    """Names are for whoever is at the table or knows its code."""
    snapshot = desk.table.snapshot
    me = who(desk)
    mine = desk.seats(me)
    if not code and me.display:
        code = desk.codes.code  # it stands on that screen anyway
    is_stranger = error is not None and error.body.error in OF_CODE
    adding = bool(mine) and request.args.get("add") is not None
    name, mark = ("", "") if adding else remembered(request)
    free = free_marks(snapshot.coming)
    return page(
        desk,
        "join.html",
        200 if error is None else error.status,
        seats=snapshot.coming,
        mine=mine,
        playing=snapshot.game is not None,
        running=snapshot.game is not None and snapshot.game.phase is not Phase.OVER,
        free=free,
        known=_known(desk),
        knows=_sees_names(desk, me) or (bool(code) and not is_stranger),
        code=code,
        error="" if error is None else in_words(words_of(desk), error),
        name=request.form.get("name", name),
        mark=mark if mark in free else "",
        longest_name=LONGEST_NAME,
        adding=adding,
    )


def _known(desk: Desk) -> list[str]:
    """Names kept when the table was set up, without those who sit here already."""
    set_up = desk.services.setting_up
    seated = [seat.name.casefold() for seat in desk.table.snapshot.coming]
    return [name for name in set_up.players if name.casefold() not in seated] if set_up is not None else []


def _join_again(desk: Desk, error: Refused) -> Response:
    """The form once more, with what was wrong in words."""
    response = _join_page(desk, request.values.get("code", "")[:8], error)
    if error.body.retry_after is not None:
        response.headers["Retry-After"] = str(error.body.retry_after)
    return response


def _add_screens(routes: Blueprint, desk: Desk) -> None:
    @routes.get("/phone")
    def phone() -> Response:
        me, words = who(desk), words_of(desk)
        if not desk.seats(me):
            waiting = [ask for ask in desk.asks.open() if ask.holder == me.holder]
            if waiting:
                return page(
                    desk,
                    "waiting.html",
                    name=waiting[0].name,
                    data=to_json({"words": words.part("waiting.", "error.")}),
                )
            return see_other("/join")
        message = desk.message(me)
        data = start_data(message, words, address=join_address(desk), offers=_offers(desk, words))
        own = message.view.own[0] if message.view.own else None
        marks = {seat.seat: seat.mark for seat in message.view.seats}
        return page(desk, "phone.html", view=message.view, own=own, marks=marks, data=to_json(data))

    @routes.get("/table")
    def table() -> Response:
        me, words = who(desk), words_of(desk)
        if not me.display:
            return ask_for_code(desk)
        message = desk.message(Visitor(None, display=True))
        data = start_data(message, words, address=join_address(desk), offers=_offers(desk, words))
        return page(
            desk,
            "table.html",
            view=message.view,
            data=to_json(data),
            address=join_address(desk),
            code=message.code,
        )

    @routes.get("/panel")
    def panel() -> Response:
        me, words = who(desk), words_of(desk)
        if not me.display and not desk.seats(me):
            return ask_for_code(desk)
        if desk.services.panel is None:
            raise Refused(404, "no-panel", "the panel here is a real one")
        return page(
            desk,
            "panel.html",
            data=to_json({"words": words.part("panel.", "colour.", "error."), "language": words.language}),
        )


def _offers(desk: Desk, words: Catalogue) -> Offers:
    services = desk.services
    return Offers(
        camera=services.press_rolled is not None,
        picture=services.picture is not None,
        photograph=services.photograph is not None,
        photograph_first=services.photograph is not None and services.photograph_first,
        seen=services.seen is not None,
        panel=services.panel is not None,
        setup=services.setting_up is not None,
        simulated=services.simulated,
        house=services.house,
        sheets=tuple((name, words.sheet(name)) for name in SHEETS),
    )


def _add_things(routes: Blueprint, desk: Desk) -> None:
    @routes.get("/qr.svg")
    def qr() -> Response:
        """The way in for a phone's camera; it holds the code, so only the table may see it."""
        desk.need_sight(who(desk))
        return qr_answer(f"{join_address(desk)}?{urlencode({'code': desk.codes.code})}")

    @routes.get("/address.svg")
    def address() -> Response:
        """The way to the door for a phone's camera, without the code: for a screen that may be anybody's."""
        return qr_answer(join_address(desk))
