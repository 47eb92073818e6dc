"""The set-up of the table: the page, and its routes for the owner. Knows neither pixels nor pins."""

from flask import Blueprint, Response

from boxlid.fields import read
from companion.game import LONGEST_NAME
from companion.view.setting_up import (
    SET_UP,
    ChooseLanguage,
    OfPage,
    PageOpen,
    SettingUp,
    SetUpRefused,
    Step,
)
from companion.words import catalogues
from web.access.identity import set_language
from web.desk import Desk, to_json
from web.serving.bodies import json_answer, sent
from web.serving.errors import Refused
from web.serving.shown import ask_for_code, page, who, words_of

PICTURES = ("lid", "empty", "dice", "roll")
_SAID = (
    "setup.",
    "step.",
    "trouble.",
    "sight.",
    "lamp.",
    "notice.",
    "die_is.",
    "die_it.",
    "dice.",
    "die.label",
    "colour.",
    "letter.",
    "error.",
    "panel.",
    "and",
)


def setup(desk: Desk) -> Blueprint:
    """The page and its routes."""
    routes = Blueprint("setup", __name__)
    _add_page(routes, desk)
    _add_steps(routes, desk)
    _add_pictures(routes, desk)
    return routes


def _add_page(routes: Blueprint, desk: Desk) -> None:
    @routes.get("/setup")
    def shown() -> Response:
        if not who(desk).display:
            return ask_for_code(desk)
        view = _service(desk).view()
        words = words_of(desk)
        data = {
            "view": view,
            "steps": list(Step),
            "languages": [[each.language, each.name] for each in catalogues().values()],
            "words": words.part(*_SAID),
            "language": words.language,
            "longest_name": LONGEST_NAME,
        }
        return page(desk, "setup.html", view=view, steps=list(Step), data=to_json(data))


def _add_steps(routes: Blueprint, desk: Desk) -> None:
    @routes.post("/api/setup/here")
    def here() -> Response:
        """An open page says that it is; with `take` it has camera and buttons, and a game waits."""
        body, service = sent(), _service(desk)
        opened = read(PageOpen, body)
        return json_answer(to_json(service.here(opened.page, take=opened.take)))

    @routes.post("/api/setup/leave")
    def leave() -> Response:
        body, service = sent(), _service(desk)
        service.leave(read(OfPage, body).page)
        return json_answer("{}")

    @routes.post("/api/setup")
    def step() -> Response:
        body, service = sent(), _service(desk)
        asked = SET_UP.read(body)
        try:
            view = service.do(asked.common.page, asked.kind)
        except SetUpRefused as error:
            raise Refused(409, error.fault, str(error)) from None
        answer = json_answer(to_json(view))
        if isinstance(asked.kind, ChooseLanguage):
            set_language(answer, asked.kind.language)
        return answer


def _add_pictures(routes: Blueprint, desk: Desk) -> None:
    @routes.get("/api/setup/live.jpg")
    def live() -> Response:
        return _jpeg(_service(desk).live())

    @routes.get("/api/setup/sight")
    def sight() -> Response:
        return json_answer(to_json(_service(desk).sight()))

    @routes.get("/api/setup/cameras/<setting>.jpg")
    def camera(setting: str) -> Response:
        return _jpeg(_service(desk).camera_picture(setting))

    @routes.get("/api/setup/pictures/<name>.jpg")
    def picture(name: str) -> Response:
        service = _service(desk)
        return _jpeg(service.picture(name) if name in PICTURES else None)


def _service(desk: Desk) -> SettingUp:
    desk.need_owner(who(desk))
    if desk.services.setting_up is None:
        raise Refused(404, "not-found", "this table is not set up here")
    return desk.services.setting_up


def _jpeg(content: bytes | None) -> Response:
    if content is None:
        raise Refused(404, "no-picture", "there is no picture yet")
    return Response(content, mimetype="image/jpeg")
