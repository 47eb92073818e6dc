"""The JSON interface: the routes are thin over the desk. web/openapi.py describes them."""

from collections.abc import Callable

from flask import Blueprint, Response, request

from boxlid.fields import read
from companion.view.panel import Lamp
from web.access.addresses import is_loopback
from web.access.identity import Visitor, new_token, set_phone, visitor
from web.desk import Desk, Waiting, to_json
from web.openapi import description
from web.serving.bodies import json_answer, sent
from web.serving.errors import Refused
from web.serving.live import Sight, WatchedTable
from web.serving.sent import Answer, AskForSeat, PanelPress, SitDown
from web.serving.shown import streamed, words_of


def api(desk: Desk) -> Blueprint:
    """The routes under /api for one desk."""
    routes = Blueprint("api", __name__, url_prefix="/api")

    def who() -> Visitor:
        found = visitor(request, desk.services.key, desk.codes.code)
        desk.phones_away.heard(found.holder)
        return found

    def see(status: int = 200) -> Response:
        return json_answer(desk.message_text(who()), status)

    @routes.get("/openapi.json")
    def openapi() -> Response:
        return json_answer(to_json(description(desk.services.version)))

    @routes.get("/view")
    def get_view() -> Response:
        desk.need_sight(who())
        return see()

    @routes.get("/live")
    def live() -> Response:
        return _live(desk, who())

    @routes.post("/wishes")
    def wishes() -> Response:
        me = who()
        desk.wish(sent(), me)
        return see()

    @routes.get("/hints/<seat>")
    def hints(seat: str) -> Response:
        """What the program would choose for a seat of this phone, in the phone's language."""
        number = int(seat) if seat.isascii() and seat.isdigit() and len(seat) < 3 else -1
        return json_answer(to_json(desk.hint(number, who(), words_of(desk))))

    _add_seats(routes, desk, who)
    _add_camera(routes, desk, who)
    return routes


def _add_seats(routes: Blueprint, desk: Desk, who: Callable[[], Visitor]) -> None:
    @routes.post("/seats")
    def join() -> Response:
        body, me = read(SitDown, sent()), who()
        response = Response()
        if not desk.seats(me):
            desk.codes.check(body.code, request.remote_addr, me)
        token = desk.fresh_secret(me)
        if token is not None:
            me = _new_phone(response, desk, me, token)
        desk.join(body.name, body.mark, me, body.id)
        return _with(json_answer(desk.message_text(me), 201), response)

    @routes.post("/asks")
    def ask() -> Response:
        body, me = read(AskForSeat, sent()), who()
        response = Response()
        if not desk.seats(me):
            desk.codes.check(body.code, request.remote_addr, me)
            me = _new_phone(response, desk, me, new_token())
        desk.ask_for_seat(body.seat, me)
        return _with(json_answer(to_json(_waiting(desk, me)), 201), response)

    @routes.get("/asks/mine")
    def my_ask() -> Response:
        """What a phone that waits for a seat may know: whether it got one, or is still waiting."""
        return json_answer(to_json(_waiting(desk, who())))

    @routes.post("/asks/<identity>")
    def answer(identity: str) -> Response:
        desk.answer(identity, yes=read(Answer, sent()).yes, who=who())
        return json_answer("{}")


def _waiting(desk: Desk, me: Visitor) -> Waiting:
    waiting = any(each.holder == me.holder for each in desk.asks.open())
    return Waiting(seated=bool(desk.seats(me)), waiting=waiting)


def _add_camera(routes: Blueprint, desk: Desk, who: Callable[[], Visitor]) -> None:
    services = desk.services

    @routes.post("/press")
    def press() -> Response:
        """The rolled button, for tables without one."""
        sent()
        desk.need_sight(who())
        desk.need_pace(who())
        if services.press_rolled is None:
            raise Refused(404, "no-camera", "there is no camera to look at the dice")
        services.press_rolled()
        return json_answer("{}")

    @routes.get("/picture.jpg")
    def picture() -> Response:
        desk.need_sight(who())
        return _jpeg(services.picture(words_of(desk).letters) if services.picture else None)

    @routes.get("/crops/<name>.jpg")
    def crop(name: str) -> Response:
        desk.need_sight(who())
        return _jpeg(services.crop(name) if services.crop else None)

    @routes.get("/panel")
    def lamps() -> Response:
        desk.need_sight(who())
        if services.panel is None:
            raise Refused(404, "no-panel", "the panel here is a real one")
        found: tuple[Lamp, ...] = services.panel.lamps()
        return json_answer(to_json({"lamps": found}))

    @routes.post("/panel")
    def press_panel() -> Response:
        body = read(PanelPress, sent())
        desk.need_sight(who())
        desk.need_pace(who())
        if services.panel is None:
            raise Refused(404, "no-panel", "the panel here is a real one")
        services.panel.press(body.button)
        return json_answer("{}")


def _live(desk: Desk, me: Visitor) -> Response:
    desk.need_sight(me)
    phone = me.holder if desk.seats(me) else None
    code, is_own_screen = desk.codes.code, is_loopback(request.remote_addr)

    def message() -> str | None:
        if phone is not None and not desk.seats(me):
            return None
        if phone is None and not is_own_screen and code != desk.codes.code:
            return None  # a screen shows the table as long as the code holds that it was let in with
        return desk.message_text(me)

    return streamed(WatchedTable(desk.table), desk.streams, phone, Sight(desk.newest, message), "/api/view")


def _new_phone(response: Response, desk: Desk, before: Visitor, token: str) -> Visitor:
    """A secret of its own for a phone that holds no seat; whatever it had before dies."""
    set_phone(response, token, secure=request.is_secure)
    return desk.renewed(before, token)


def _with(answer: Response, cookies: Response) -> Response:
    for value in cookies.headers.getlist("Set-Cookie"):
        answer.headers.add("Set-Cookie", value)
    return answer


def _jpeg(content: bytes | None) -> Response:
    if content is None:
        raise Refused(404, "no-picture", "there is no picture yet")
    return Response(content, mimetype="image/jpeg")
