"""The HTML pages: whole on the first load, even without scripts; scripts then keep them live."""

import io
from urllib.parse import urlencode

import segno
from flask import Blueprint, Response, request

from companion.seats import Mark
from companion.view import SHEETS
from web.desk import Desk, to_json
from web.errors import Refused
from web.identity import Visitor, hash_of, is_loopback, new_token, set_phone
from web.shown import (
    ask_for_code,
    in_words,
    join_address,
    page,
    see_other,
    start_data,
    who,
    words_of,
)

FORMS = frozenset(
    {
        "pages.join_form",
        "pages.ask_form",
        "demo.start_form",
        "history.delete_form",
        "seen.keep",
    }
)


def pages(desk: Desk) -> Blueprint:
    """The pages of one desk."""
    routes = Blueprint("pages", __name__)
    _add_ways_in(routes, desk)
    _add_join(routes, desk)
    _add_screens(routes, desk)
    _add_things(routes, desk)
    return routes


def _add_ways_in(routes: Blueprint, desk: Desk) -> None:
    @routes.get("/")
    def start() -> Response:
        me = who(desk)
        mine = desk.seats(me)
        return page(desk, "start.html", seats=desk.table.snapshot.seats, mine=mine, display=me.display)


def _add_join(routes: Blueprint, desk: Desk) -> None:
    @routes.get("/join")
    def join() -> Response:
        response = _join_page(desk, request.args.get("code", "")[:8])
        if who(desk).holder is None:
            set_phone(response, new_token(), secure=request.is_secure)
        return response

    @routes.post("/join")
    def join_form() -> Response:
        me, form = who(desk), request.form
        fresh: str | None = None
        try:
            if not desk.seats(me):
                desk.codes.check(form.get("code", ""), request.remote_addr)
            if me.holder is None:
                fresh = new_token()
                me = Visitor(hash_of(fresh), me.display)
            mark = form.get("mark", "")
            taken = [seat.mark for seat in desk.table.snapshot.seats]  # two forms open at once offer the same
            desk.join(form.get("name", ""), "" if mark in taken else mark, me)
        except Refused as error:
            return _join_again(desk, error)
        return _to_the_phone(fresh)

    @routes.post("/ask")
    def ask_form() -> Response:
        me, form = who(desk), request.form
        fresh: str | None = None
        try:
            if not desk.seats(me):
                desk.codes.check(form.get("code", ""), request.remote_addr)
                fresh = new_token()  # a new secret at each take-over
                me = Visitor(hash_of(fresh), me.display)
            seat = form.get("seat", "")
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


def _join_page(desk: Desk, code: str, error: str = "", status: int = 200) -> Response:
    snapshot = desk.table.snapshot
    me = who(desk)
    mine = desk.seats(me)
    if not code and is_loopback(request.remote_addr):
        code = desk.services.code  # who sits at the companion itself sees it anyway
    free = [mark for mark in Mark if mark not in [seat.mark for seat in snapshot.seats]]
    return page(
        desk,
        "join.html",
        status,
        seats=snapshot.seats,
        mine=mine,
        playing=snapshot.game is not None,
        free=free,
        known=_known(desk),
        code=code,
        error=error,
        name=request.form.get("name", ""),
        adding=bool(mine) and request.args.get("add") is not None,
    )


def _known(desk: Desk) -> list[str]:
    """Names kept when the table was set up, without those who sit here already."""
    set_up = desk.services.setting_up
    seated = [seat.name.casefold() for seat in desk.table.snapshot.seats]
    return [name for name in set_up.players if name.casefold() not in seated] if set_up is not None else []


def _join_again(desk: Desk, error: Refused) -> Response:
    """The form once more, with what was wrong in words."""
    text = in_words(words_of(desk), error)
    response = _join_page(desk, request.form.get("code", "")[:8], text, error.status)
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
        data = start_data(message, words, address=join_address(desk), **_offers(desk))
        own = message.view.own[0] if message.view.own else None
        marks = {seat.seat: seat.mark for seat in message.view.seats}
        return page(desk, "phone.html", view=message.view, own=own, marks=marks, data=to_json(data))

    @routes.get("/table")
    def table() -> Response:
        me, words = who(desk), words_of(desk)
        if not me.display:
            return ask_for_code(desk)
        message = desk.message(Visitor(None, display=True))
        data = start_data(
            message, words, address=join_address(desk), code=desk.services.code, **_offers(desk)
        )
        return page(desk, "table.html", view=message.view, data=to_json(data), address=join_address(desk))

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


def _offers(desk: Desk) -> dict[str, object]:
    """What this host can do, so that pages leave out the rest."""
    services = desk.services
    return {
        "camera": services.press_rolled is not None,
        "picture": services.picture is not None,
        "seen": services.seen is not None,
        "panel": services.panel is not None,
        "setup": services.setting_up is not None,
        "simulated": services.simulated,
        "house": services.house,
        "sheets": SHEETS,
        "pictures_kept": services.keep_pictures_minutes,
    }


def _add_things(routes: Blueprint, desk: Desk) -> None:
    @routes.get("/qr.svg")
    def qr() -> Response:
        """The way in for a phone's camera; it holds the code, so only the table may see it."""
        desk.need_sight(who(desk))
        link = f"{join_address(desk)}?{urlencode({'code': desk.services.code})}"
        picture = io.BytesIO()
        segno.make(link, error="m").save(picture, kind="svg", border=2, dark="#111", light="#fff", scale=8)
        return Response(picture.getvalue(), mimetype="image/svg+xml")
