"""The set-up of the table: the page, and its routes for the owner. Knows neither pixels nor pins."""

from collections.abc import Callable, Mapping
from enum import StrEnum

from flask import Blueprint, Response

from companion.game import LONGEST_NAME
from companion.table.eyes import Place
from companion.view import Fields
from companion.view.setting_up import (
    AcceptCamera,
    AcceptPanel,
    ChooseCamera,
    ChooseLanguage,
    DiceOutside,
    FindLid,
    JudgeLamp,
    JudgeRoll,
    KeepCorners,
    KeepPlayers,
    LightLamp,
    ReadRoll,
    SettingUp,
    SetUpRefused,
    SetUpWish,
    Shape,
    StartAgain,
    Step,
    TakeDice,
    TakeEmpty,
    UseAddress,
)
from companion.words import catalogues
from web.access.identity import set_language
from web.desk import Desk, to_json
from web.serving.bodies import fields, json_answer
from web.serving.errors import Refused
from web.serving.shown import ask_for_code, page, who, words_of

LONGEST_PAGE_NAME = 40
LONGEST_ADDRESS = 600  # of a camera, with name and password
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
        body, service = fields(), _service(desk)
        return json_answer(to_json(service.here(_page(body), take=body.yes("take"))))

    @routes.post("/api/setup/leave")
    def leave() -> Response:
        body, service = fields(), _service(desk)
        service.leave(_page(body))
        return json_answer("{}")

    @routes.post("/api/setup")
    def step() -> Response:
        body, service = fields(), _service(desk)
        wish = _wish(body)
        try:
            view = service.do(_page(body), wish)
        except SetUpRefused as error:
            raise Refused(409, error.fault, str(error)) from None
        answer = json_answer(to_json(view))
        if isinstance(wish, ChooseLanguage):
            set_language(answer, wish.language)
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


def _page(body: Fields) -> str:
    name = body.text("page", longest=LONGEST_PAGE_NAME)
    if not name:
        raise Refused(400, "bad-request", "`page` names the page, got an empty text")
    return name


def _corners(body: Fields) -> SetUpWish:
    numbers = body.numbers("corners")
    if len(numbers) % 2:
        raise Refused(400, "bad-request", f"`corners` are pairs of x and y, got {len(numbers)} numbers")
    places = tuple(Place(x, y) for x, y in zip(numbers[::2], numbers[1::2], strict=True))
    shape = Shape(_one_of(Shape, body, "shape", Shape.CORNERS))
    return KeepCorners(places, body.yes("moved"), shape, body.yes("anyway", default=False))


def _dice(body: Fields) -> SetUpWish:
    return TakeDice(DiceOutside(_one_of(DiceOutside, body, "outside", DiceOutside.ASK)))


def _one_of(kinds: type[StrEnum], body: Fields, name: str, default: str) -> str:
    got = body.text(name, default)
    if got not in tuple(kinds):
        raise Refused(400, "bad-request", f"`{name}` is one of {', '.join(kinds)}, got {got!r}")
    return got


READ: Mapping[str, Callable[[Fields], SetUpWish]] = {
    "language": lambda body: ChooseLanguage(body.text("language")),
    "choose-camera": lambda body: ChooseCamera(body.text("camera")),
    "camera-address": lambda body: UseAddress(body.text("address", longest=LONGEST_ADDRESS)),
    "camera": lambda _: AcceptCamera(),
    "find-lid": lambda _: FindLid(),
    "corners": _corners,
    "empty": lambda _: TakeEmpty(),
    "dice": _dice,
    "roll": lambda _: ReadRoll(),
    "judge-roll": lambda body: JudgeRoll(body.text("roll"), body.yes("right")),
    "lamp": lambda body: LightLamp(body.text("lamp")),
    "judge-lamp": lambda body: JudgeLamp(body.text("lamp"), body.yes("seen")),
    "panel": lambda _: AcceptPanel(),
    "players": lambda body: KeepPlayers(body.texts("names")),
    "start-again": lambda _: StartAgain(),
}


def _wish(body: Fields) -> SetUpWish:
    do = body.text("do")
    if do not in READ:
        raise Refused(400, "bad-request", f"`do` is one of {', '.join(READ)}, got {do!r}")
    return READ[do](body)
