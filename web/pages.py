"""The HTML pages: whole on the first load, even without scripts; scripts then keep them live."""

import io
from collections.abc import Mapping
from urllib.parse import urlencode

import segno
from flask import Blueprint, Response, redirect, render_template, request

from companion.seats import Mark
from web.assets import answer, stamp
from web.desk import Desk, Message, to_json
from web.errors import Refused
from web.identity import (
    LANGUAGE_COOKIE,
    Visitor,
    hash_of,
    is_loopback,
    new_token,
    set_display,
    set_language,
    set_phone,
    visitor,
)
from web.words import Catalogue, catalogues, choose

FORMS = frozenset({"pages.join_form", "pages.ask_form", "pages.show_form", "pages.language"})


def pages(desk: Desk) -> Blueprint:
    """The pages of one desk."""
    routes = Blueprint("pages", __name__)
    _add_ways_in(routes, desk)
    _add_join(routes, desk)
    _add_screens(routes, desk)
    _add_things(routes, desk)
    return routes


def _who(desk: Desk) -> Visitor:
    return visitor(request, desk.services.key)


def _words(desk: Desk) -> Catalogue:
    cookie = request.cookies.get(LANGUAGE_COOKIE)
    return choose(cookie, request.headers.get("Accept-Language"), desk.services.language)


def page(desk: Desk, template: str, status: int = 200, **values: object) -> Response:
    """One page in the visitor's language."""
    words = _words(desk)
    html = render_template(
        template,
        say=words.say,
        language=words.language,
        languages=[(each.language, each.name) for each in catalogues().values()],
        here=request.full_path.rstrip("?"),
        stamp=stamp(),
        services=desk.services,
        **values,
    )
    return Response(html, status, mimetype="text/html")


def plain_page(desk: Desk, error: Refused) -> Response:
    """An error as a page, in the visitor's language."""
    return page(desk, "error.html", error.status, text=_in_words(_words(desk), error))


def _in_words(words: Catalogue, error: Refused) -> str:
    key = f"error.{error.body.error}"
    return words.say(key, n=error.body.retry_after or 0) if key in words.texts else error.body.text


def start_data(message: Message, words: Catalogue, **more: object) -> Mapping[str, object]:
    """What a page's script begins with: the newest message and the words of its language."""
    return {"message": message, "words": words.texts, "language": words.language, **more}


def _add_ways_in(routes: Blueprint, desk: Desk) -> None:
    @routes.get("/")
    def start() -> Response:
        me = _who(desk)
        mine = desk.seats(me)
        return page(desk, "start.html", seats=desk.table.snapshot.seats, mine=mine, display=me.display)

    @routes.post("/language")
    def language() -> Response:
        wanted, back = request.form.get("language", ""), request.form.get("back", "/")
        if wanted not in catalogues():
            raise Refused(400, "bad-request", f"a language is one of {', '.join(catalogues())}")
        safe = back.startswith("/") and not back.startswith(("//", "/\\"))
        response = _see_other(back if safe else "/")
        set_language(response, wanted)
        return response

    @routes.post("/show")
    def show_form() -> Response:
        """A screen that knows the code becomes a table display."""
        desk.codes.check(request.form.get("code", ""), request.remote_addr)
        response = _see_other("/table")
        set_display(response, desk.services.key, secure=request.is_secure)
        return response


def _add_join(routes: Blueprint, desk: Desk) -> None:
    @routes.get("/join")
    def join() -> Response:
        response = _join_page(desk, request.args.get("code", "")[:8])
        if _who(desk).holder is None:
            set_phone(response, new_token(), secure=request.is_secure)
        return response

    @routes.post("/join")
    def join_form() -> Response:
        me, form = _who(desk), request.form
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
        response = _see_other("/phone")
        if fresh is not None:
            set_phone(response, fresh, secure=request.is_secure)
        return response

    @routes.post("/ask")
    def ask_form() -> Response:
        me, form = _who(desk), request.form
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
        response = _see_other("/phone")
        if fresh is not None:
            set_phone(response, fresh, secure=request.is_secure)
        return response


def _join_page(desk: Desk, code: str, error: str = "", status: int = 200) -> Response:
    snapshot = desk.table.snapshot
    me = _who(desk)
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
        code=code,
        error=error,
        name=request.form.get("name", ""),
        adding=bool(mine) and request.args.get("add") is not None,
    )


def _join_again(desk: Desk, error: Refused) -> Response:
    """The form once more, with what was wrong in words."""
    text = _in_words(_words(desk), error)
    response = _join_page(desk, request.form.get("code", "")[:8], text, error.status)
    if error.body.retry_after is not None:
        response.headers["Retry-After"] = str(error.body.retry_after)
    return response


def _add_screens(routes: Blueprint, desk: Desk) -> None:
    @routes.get("/phone")
    def phone() -> Response:
        me, words = _who(desk), _words(desk)
        if not desk.seats(me):
            waiting = [ask for ask in desk.asks.open() if ask.holder == me.holder]
            if waiting:
                return page(desk, "waiting.html", name=waiting[0].name, data=to_json({"words": words.texts}))
            return _see_other("/join")
        message = desk.message(me)
        data = start_data(message, words, address=_join_address(desk), **_offers(desk))
        own = message.view.own[0] if message.view.own else None
        marks = {seat.seat: seat.mark for seat in message.view.seats}
        return page(desk, "phone.html", view=message.view, own=own, marks=marks, data=to_json(data))

    @routes.get("/table")
    def table() -> Response:
        me, words = _who(desk), _words(desk)
        if not me.display:
            return page(desk, "code.html", 403)
        message = desk.message(Visitor(None, display=True))
        data = start_data(
            message, words, address=_join_address(desk), code=desk.services.code, **_offers(desk)
        )
        return page(desk, "table.html", view=message.view, data=to_json(data), address=_join_address(desk))

    @routes.get("/panel")
    def panel() -> Response:
        me, words = _who(desk), _words(desk)
        if not me.display and not desk.seats(me):
            return page(desk, "code.html", 403)
        if desk.services.panel is None:
            raise Refused(404, "no-panel", "the panel here is a real one")
        return page(desk, "panel.html", data=to_json({"words": words.texts, "language": words.language}))

    @routes.get("/help")
    def rules() -> Response:
        return page(desk, "help.html")


def _offers(desk: Desk) -> dict[str, object]:
    """What this host can do, so that pages leave out the rest."""
    services = desk.services
    return {
        "camera": services.press_rolled is not None,
        "picture": services.picture is not None,
        "panel": services.panel is not None,
        "simulated": services.simulated,
        "boards": list(services.boards),
        "pictures_kept": services.keep_pictures_minutes,
    }


def _join_address(desk: Desk) -> str:
    addresses = desk.services.addresses
    base = addresses[0] if addresses else f"{request.scheme}://{request.host}"
    return f"{base}/join"


def _add_things(routes: Blueprint, desk: Desk) -> None:
    @routes.get("/a/<mark>/<name>")
    def asset(mark: str, name: str) -> Response:
        found = answer(request, name) if mark == stamp() else None
        if found is None:
            raise Refused(404, "not-found", "there is no such file")
        return found

    @routes.get("/qr.svg")
    def qr() -> Response:
        """The way in for a phone's camera; it holds the code, so only the table may see it."""
        desk.need_sight(_who(desk))
        link = f"{_join_address(desk)}?{urlencode({'code': desk.services.code})}"
        picture = io.BytesIO()
        segno.make(link, error="m").save(picture, kind="svg", border=2, dark="#111", light="#fff", scale=8)
        return Response(picture.getvalue(), mimetype="image/svg+xml")


def _see_other(where: str) -> Response:
    return Response(redirect(where, 303).get_data(), 303, {"Location": where}, mimetype="text/html")
