"""The description of the JSON interface (OpenAPI 3.1), its schemas made from the values themselves."""

from collections.abc import Mapping

from boxlid.fields import LONGEST_TEXT
from boxlid.fields.schema import Json, Schemas
from companion.game import Edition
from companion.past.reviews import Progress
from companion.past.tally import Tally
from companion.table.seats import MOST_SEATS
from companion.view import WISHES
from companion.view.hints import HintView
from companion.view.panel import Lamp
from companion.view.setting_up import SET_UP, OfPage, PageOpen, SetUpView, Sight
from web.access.guard import BIGGEST_PHOTOGRAPH, PHOTOGRAPH_KIND
from web.boards import CheckView, FileView, ShelfView
from web.demo import DemoMessage
from web.desk import Message, Waiting
from web.health import HealthView
from web.past.chronicle import HistoryView, ReplayView
from web.serving.errors import ErrorBody
from web.serving.sent import Answer, AskForSeat, BoardFile, BoardSent, DemoOrder, PanelPress, SitDown
from web.setup import PICTURES


def description(version: str) -> Json:
    """The whole description."""
    schemas = Schemas()
    message, error = schemas.shown(Message), schemas.shown(ErrorBody)
    paths = _paths(schemas, message, error) | _board_paths(schemas, error)
    paths |= _demo_paths(schemas, error)
    paths |= _history_paths(schemas, error)
    paths |= _set_up_paths(schemas, error)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Boxlid", "version": version or "0", "description": _ABOUT},
        "paths": paths,
        "components": {
            "schemas": schemas.found,
            "securitySchemes": {"phone": {"type": "apiKey", "in": "cookie", "name": "boxlid_phone"}},
        },
    }


_ABOUT = (
    "What Boxlid's own pages use. Join with the table's code; the answer's cookie is the seat. A change needs"
    " `Content-Type: application/json` and an `Origin` header equal to the address it is sent to."
)


def _get(error: Json, summary: str, answer: Json, kind: str = "application/json", **more: object) -> Json:
    return {"get": _operation(summary, {"200": _content(answer, kind)}, error, **more)}


def _post(error: Json, summary: str, body: Json, answer: Json, **more: object) -> Json:
    sent = {"required": True, **_content(body)}
    del sent["description"]
    return {"post": _operation(summary, {"200": _content(answer)}, error, requestBody=sent, **more)}


def _board_paths(schemas: Schemas, error: Json) -> Json:
    """The boards of On Board, for the owner."""
    shelf = schemas.shown(ShelfView)
    identity = {"name": "identity", "in": "path", "required": True, "schema": _TEXT}
    return {
        "/api/boards": {
            **_get(error, "The boards of the owner, and the house board", shelf),
            **_post(error, "Keep a finished board", schemas.sent(BoardSent), shelf),
        },
        "/api/boards/check": _post(
            error, "What is wrong with a board so far", schemas.sent(BoardSent), schemas.shown(CheckView)
        ),
        "/api/boards/read": _post(
            error, "Read a board file", schemas.sent(BoardFile), schemas.shown(FileView)
        ),
        "/api/boards/{identity}.board": _get(
            error, "A board as a file", _TEXT, "text/plain", parameters=[identity]
        ),
        "/api/boards/{identity}/delete": _post(
            error, "Delete a board", {"type": "object"}, shelf, parameters=[identity]
        ),
    }


def _demo_paths(schemas: Schemas, error: Json) -> Json:
    """The demo of a simulated companion; anybody may watch and lead it."""
    shown = _content(schemas.shown(DemoMessage))
    asked = {"required": True, "content": _content(schemas.sent(DemoOrder))["content"]}
    stream: Json = {"type": "string"}
    picture: Json = {"type": "string", "contentMediaType": "image/jpeg"}
    return {
        "/api/demo": {
            "get": _operation("What the demo shows", {"200": shown}, error),
            "post": _operation("Start, pause, hurry or stop it", {"200": shown}, error, requestBody=asked),
        },
        "/api/demo/live": {
            "get": _operation(
                "It as server-sent events", {"200": _content(stream, "text/event-stream")}, error
            )
        },
        "/api/demo/picture.jpg": {
            "get": _operation("What its camera sees", {"200": _content(picture, "image/jpeg")}, error)
        },
    }


def _set_up_paths(schemas: Schemas, error: Json) -> Json:
    """Setting the table up, and how it is; for the owner."""
    wish = schemas.kinds("SetUpWish", SET_UP)
    view, jpeg = schemas.shown(SetUpView), {"type": "string", "contentMediaType": "image/jpeg"}
    name: Json = {"name": "name", "in": "path", "required": True}
    name["schema"] = {"type": "string", "enum": list(PICTURES)}
    setting: Json = {"name": "setting", "in": "path", "required": True, "schema": _TEXT}
    return {
        "/api/setup": _post(error, "Carry out a step of the set-up", wish, view),
        "/api/setup/here": _post(error, "A page of the set-up is open", schemas.sent(PageOpen), view),
        "/api/setup/leave": _post(error, "It is closed", schemas.sent(OfPage), {"type": "object"}),
        "/api/setup/live.jpg": _get(error, "What the camera sees now", {**jpeg}, "image/jpeg"),
        "/api/setup/sight": _get(error, "Light and focus, in words", schemas.shown(Sight)),
        "/api/setup/cameras/{setting}.jpg": _get(
            error, "What another of the cameras offered sees", {**jpeg}, "image/jpeg", parameters=[setting]
        ),
        "/api/setup/pictures/{name}.jpg": _get(
            error, "A picture of the set-up", {**jpeg}, "image/jpeg", parameters=[name]
        ),
        "/api/health": _get(error, "How camera, lid, pins and machine are", schemas.shown(HealthView)),
    }


def _history_paths(schemas: Schemas, error: Json) -> Json:
    """The past. Files for people are links of the pages, under /history and /statistics."""
    number: Json = {"type": "integer", "minimum": 1, "maximum": 999_999}
    turned = {"name": "page", "in": "query", "required": False, "schema": number}
    game = {"name": "game", "in": "path", "required": True, "schema": number}
    nothing = {"required": True, "content": _content({"type": "object"})["content"]}
    edition = {
        "name": "edition",
        "in": "query",
        "required": False,
        "schema": {"type": "string", "enum": list(Edition)},
    }

    def get(summary: str, kind: type, **more: object) -> Json:
        return {"get": _operation(summary, {"200": _content(schemas.shown(kind))}, error, **more)}

    done: Json = {"200": _content({"type": "object"})}
    delete = _operation("Delete a game, for the owner", done, error, parameters=[game], requestBody=nothing)
    return {
        "/api/history": get("Games and series, newest first", HistoryView, parameters=[turned]),
        "/api/history/{game}": get("A game turn by turn", ReplayView, parameters=[game]),
        "/api/history/{game}/review": get(
            "What a game was worth, or how far that is", Progress, parameters=[game]
        ),
        "/api/history/{game}/delete": {"post": delete},
        "/api/statistics": get("Players and dice over all games", Tally, parameters=[edition]),
    }


def _paths(schemas: Schemas, message: Json, error: Json) -> Json:
    empty: Json = {"type": "object"}
    mine, hint, lamp = schemas.shown(Waiting), schemas.shown(HintView), schemas.shown(Lamp)
    lamps: Json = {
        "type": "object",
        "properties": {"lamps": {"type": "array", "items": lamp}},
        "required": ["lamps"],
    }
    name = {"name": "name", "in": "path", "required": True, "schema": {"type": "string"}}
    ask = {**name, "name": "identity"}
    seat = {"name": "seat", "in": "path", "required": True, "schema": _SEAT}
    jpeg: Json = {"type": "string", "contentMediaType": "image/jpeg"}

    def get(summary: str, answer: Json, kind: str = "application/json", **more: object) -> Json:
        return {"get": _operation(summary, {"200": _content(answer, kind)}, error, **more)}

    def post(summary: str, body: Json, answer: Json, status: str = "200", **more: object) -> Json:
        sent = {"required": True, **_content(body)}
        del sent["description"]
        return {"post": _operation(summary, {status: _content(answer)}, error, requestBody=sent, **more)}

    return {
        "/api/openapi.json": get("This description", empty),
        "/api/view": get("The newest view of this phone or display", message),
        "/api/live": get(
            "Views as server-sent events, each the newest", {"type": "string"}, "text/event-stream"
        ),
        "/api/hints/{seat}": get(
            "What the program would choose for a seat of this phone", hint, parameters=[seat]
        ),
        "/api/wishes": post(
            "Whatever a player wants to do; safe to send twice with the same id",
            schemas.kinds("Wish", WISHES),
            message,
        ),
        "/api/seats": post("Sit down on a new seat", schemas.sent(SitDown), message, "201"),
        "/api/asks": post("Ask for a seat that another phone holds", schemas.sent(AskForSeat), mine, "201"),
        "/api/asks/mine": get("Whether this phone got the seat it asked for", mine),
        "/api/asks/{identity}": post(
            "Say yes or no to a phone asking for a seat", schemas.sent(Answer), empty, parameters=[ask]
        ),
        "/api/press": post("The rolled button", empty, empty),
        "/api/photograph": {"post": _photograph(message, error)},
        "/api/picture.jpg": get("The lid as the camera sees it", jpeg, "image/jpeg"),
        "/api/crops/{name}.jpg": get("A doubtful die", jpeg, "image/jpeg", parameters=[name]),
        "/api/panel": {
            **get("The lamps of a simulated panel", lamps),
            **post("Press a button of a simulated panel", schemas.sent(PanelPress), empty),
        },
    }


def _photograph(message: Json, error: Json) -> Json:
    body = _content({"type": "string", "minLength": 1, "maxLength": BIGGEST_PHOTOGRAPH}, PHOTOGRAPH_KIND)
    del body["description"]
    summary = "A phone's photograph of the dice, JPEG or PNG; answered once it was read, as all then see it"
    return _operation(summary, {"200": _content(message)}, error, requestBody={"required": True, **body})


_ERRORS: Mapping[str, str] = {
    "400": "cannot be read",
    "403": "not for this phone",
    "404": "there is none",
    "405": "not that method",
    "409": "the rules or the table say no",
    "413": "too large",
    "415": "JSON wanted",
    "421": "not a name of this table",
    "429": "too often",
    "503": "busy; the header Retry-After says when to come back",
    "507": "the disk is full",
}


def _operation(summary: str, answers: Json, error: Json, **more: object) -> Json:
    refusals = {status: {**_content(error), "description": text} for status, text in _ERRORS.items()}
    return {"summary": summary, "responses": {**answers, **refusals}, **more}


def _content(schema: Json, kind: str = "application/json") -> Json:
    return {"description": "done", "content": {kind: {"schema": schema}}}


_TEXT: Json = {"type": "string", "maxLength": LONGEST_TEXT}
_SEAT: Json = {"type": "integer", "minimum": 0, "maximum": MOST_SEATS - 1}
