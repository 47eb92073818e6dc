"""The description of the JSON interface (OpenAPI 3.1), its schemas made from the values themselves."""

import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import StrEnum
from typing import Union, get_args, get_origin, get_type_hints

from companion.game import Edition, Hints, Leaning, Level, Pace
from companion.past.reviews import Progress
from companion.past.tally import Tally
from companion.table.seats import MOST_SEATS, Mark
from companion.view import LONGEST_ID, LONGEST_TEXT, MOST_ITEMS, SHEETS, WISHES
from companion.view.hints import HintView
from companion.view.panel import Lamp
from companion.view.setting_up import DiceOutside, SetUpView, Shape, Sight
from companion.view.stage import Order
from web.access.guard import BIGGEST_BODY, BIGGEST_PHOTOGRAPH, PHOTOGRAPH_KIND
from web.boards import CheckView, FileView, ShelfView
from web.demo import DemoMessage
from web.desk import Message, Waiting
from web.health import HealthView
from web.past.chronicle import HistoryView, ReplayView
from web.serving.errors import ErrorBody
from web.setup import LONGEST_ADDRESS, PICTURES, READ

Json = dict[str, object]
_PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}


class Schemas:
    """Schemas of dataclasses, each once under its name."""

    def __init__(self) -> None:
        self.found: dict[str, Json] = {}

    def of(self, kind: object) -> Json:
        if isinstance(kind, type) and issubclass(kind, StrEnum):
            return {"type": "string", "enum": [str(each) for each in kind]}
        if isinstance(kind, type) and kind in _PLAIN:
            return {"type": _PLAIN[kind]}
        if isinstance(kind, type) and is_dataclass(kind):
            return self._dataclass(kind)
        origin, parts = get_origin(kind), get_args(kind)
        if origin is tuple:
            return {"type": "array", "items": self.of(parts[0])}
        if origin in (Union, types.UnionType):
            return {"anyOf": [self.of(part) for part in parts]}
        raise TypeError(f"no schema for {kind}")

    def _dataclass(self, kind: type) -> Json:
        name = kind.__name__
        if name not in self.found:
            self.found[name] = {}
            hints = get_type_hints(kind)
            self.found[name] = {
                "type": "object",
                "description": (kind.__doc__ or "").strip(),
                "properties": {field.name: self.of(hints[field.name]) for field in fields(kind)},
                "required": [field.name for field in fields(kind)],
            }
        return {"$ref": f"#/components/schemas/{name}"}


def description(version: str) -> Json:
    """The whole description."""
    schemas = Schemas()
    message, error = schemas.of(Message), schemas.of(ErrorBody)
    paths = _paths(
        message, error, schemas.of(Waiting), schemas.of(Lamp), schemas.of(HintView)
    ) | _board_paths(schemas, error)
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
    shelf = schemas.of(ShelfView)
    identity = {"name": "identity", "in": "path", "required": True, "schema": _TEXT}
    return {
        "/api/boards": {
            **_get(error, "The boards of the owner, and the house board", shelf),
            **_post(error, "Keep a finished board", BOARD, shelf),
        },
        "/api/boards/check": _post(error, "What is wrong with a board so far", BOARD, schemas.of(CheckView)),
        "/api/boards/read": _post(error, "Read a board file", FILE, schemas.of(FileView)),
        "/api/boards/{identity}.board": _get(
            error, "A board as a file", _TEXT, "text/plain", parameters=[identity]
        ),
        "/api/boards/{identity}/delete": _post(
            error, "Delete a board", {"type": "object"}, shelf, parameters=[identity]
        ),
    }


def _demo_paths(schemas: Schemas, error: Json) -> Json:
    """The demo of a simulated companion; anybody may watch and lead it."""
    shown = _content(schemas.of(DemoMessage))
    asked = {"required": True, "content": _content(DEMO_ORDER)["content"]}
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
    view, jpeg = schemas.of(SetUpView), {"type": "string", "contentMediaType": "image/jpeg"}
    name: Json = {"name": "name", "in": "path", "required": True}
    name["schema"] = {"type": "string", "enum": list(PICTURES)}
    setting: Json = {"name": "setting", "in": "path", "required": True, "schema": _TEXT}
    return {
        "/api/setup": _post(error, "Carry out a step of the set-up", SET_UP, view),
        "/api/setup/here": _post(error, "A page of the set-up is open", SET_UP_HERE, view),
        "/api/setup/leave": _post(error, "It is closed", SET_UP_PAGE, {"type": "object"}),
        "/api/setup/live.jpg": _get(error, "What the camera sees now", {**jpeg}, "image/jpeg"),
        "/api/setup/sight": _get(error, "Light and focus, in words", schemas.of(Sight)),
        "/api/setup/cameras/{setting}.jpg": _get(
            error, "What another of the cameras offered sees", {**jpeg}, "image/jpeg", parameters=[setting]
        ),
        "/api/setup/pictures/{name}.jpg": _get(
            error, "A picture of the set-up", {**jpeg}, "image/jpeg", parameters=[name]
        ),
        "/api/health": _get(error, "How camera, lid, pins and machine are", schemas.of(HealthView)),
    }


def _history_paths(schemas: Schemas, error: Json) -> Json:
    """The past. Files for people are links of the pages, under /history and /statistics."""
    number: Json = {"type": "integer", "minimum": 1, "maximum": 999_999}
    turned = {"name": "page", "in": "query", "required": False, "schema": number}
    game = {"name": "game", "in": "path", "required": True, "schema": number}
    nothing = {"required": True, "content": _content({"type": "object"})["content"]}
    edition = {"name": "edition", "in": "query", "required": False, "schema": schemas.of(Edition)}

    def get(summary: str, kind: type, **more: object) -> Json:
        return {"get": _operation(summary, {"200": _content(schemas.of(kind))}, error, **more)}

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


def _paths(message: Json, error: Json, mine: Json, lamp: Json, hint: Json) -> Json:
    empty: Json = {"type": "object"}
    lamps: Json = {"type": "object", "properties": {"lamps": {"type": "array", "items": lamp}}}
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
            "Whatever a player wants to do; safe to send twice with the same id", WISH, message
        ),
        "/api/seats": post("Sit down on a new seat", JOIN, message, "201"),
        "/api/asks": post("Ask for a seat that another phone holds", ASK, mine, "201"),
        "/api/asks/mine": get("Whether this phone got the seat it asked for", mine),
        "/api/asks/{identity}": post(
            "Say yes or no to a phone asking for a seat", YES, empty, parameters=[ask]
        ),
        "/api/press": post("The rolled button", empty, empty),
        "/api/photograph": {"post": _photograph(message, error)},
        "/api/picture.jpg": get("The lid as the camera sees it", jpeg, "image/jpeg"),
        "/api/crops/{name}.jpg": get("A doubtful die", jpeg, "image/jpeg", parameters=[name]),
        "/api/panel": {
            **get("The lamps of a simulated panel", lamps),
            **post("Press a button of a simulated panel", BUTTON, empty),
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


def _object(required: list[str], **properties: object) -> Json:
    return {"type": "object", "properties": properties, "required": required}


_TEXT: Json = {"type": "string", "maxLength": LONGEST_TEXT}
_ID: Json = {"type": "string", "minLength": 1, "maxLength": LONGEST_ID}
_SEAT: Json = {"type": "integer", "minimum": 0, "maximum": MOST_SEATS - 1}
_CELL = "[RYGB]([2-9]|1[0-2])"
_COMMON: Json = {
    "id": _ID,
    "seat": {**_SEAT, "description": "who asks; may be left out by a phone with one seat"},
    "owner": {**_SEAT, "description": "for whom, if not for the own seat"},
    "helping": {"type": "boolean"},
    "moment": {**_TEXT, "description": "of the view it was made for: refused as stale after that"},
}
_DICE: Json = {
    "type": "string",
    "pattern": "^W[1-6] W[1-6]( R[1-6])?( Y[1-6])?( G[1-6])?( B[1-6])?$",
    "examples": ["W3 W4 R2 Y5 G6 B1"],
}
# What each wish needs, and what it may have, beside what all have.
_NEEDS: Mapping[str, Json] = {
    "roll": {"dice": _DICE},
    "cross": {"cell": {"type": "string", "pattern": f"^{_CELL}$", "examples": ["R7"]}},
    "move": {"space": {"type": "integer", "minimum": 1, "maximum": 40}},
    "correct-dice": {"dice": _DICE},
    "correct-sheet": {
        "owner": _SEAT,
        "sheet": {**_TEXT, "examples": ["R2 R5 G12 M1", "empty"]},
    },
    "correct-piece": {"owner": _SEAT, "space": {"type": "integer", "minimum": 0, "maximum": 40}},
    "seat-program": {"level": {"type": "string", "enum": list(Level)}},
    "order": {"order": {"type": "array", "items": _SEAT, "maxItems": MOST_ITEMS}},
}
_ABSENT: Json = {"type": "string", "enum": ["", "play", "leave"], "description": "who has no phone here"}
_MAY: Mapping[str, Json] = {
    "cross": {"action": {"type": "integer", "enum": [1, 2]}},
    "reopen": {"back": {"type": "integer", "minimum": 0, "maximum": 200}},
    "again": {"absent": _ABSENT},
    "start": {
        "absent": _ABSENT,
        "first": _SEAT,
        "games": {"type": "integer", "minimum": 1, "maximum": 5},
        "edition": {"type": "string", "enum": ["original", "deluxe", "on-board"]},
        "sheet": {"type": "string", "enum": list(SHEETS)},
        "locks": {"type": "string", "enum": ["at-once", "end-of-turn"]},
        "board": _TEXT,
        "scores_hidden": {"type": "boolean"},
        "pass_by_itself": {"type": "boolean"},
        "patience": {"type": "integer", "minimum": 0, "maximum": 600},
        "hints": {"type": "string", "enum": list(Hints)},
        "pace": {"type": "string", "enum": list(Pace)},
        "leaning": {"type": "string", "enum": list(Leaning)},
    },
}


def _wish(do: str) -> Json:
    needs, may = _NEEDS.get(do, {}), _MAY.get(do, {})
    kind: Json = {"type": "string", "const": do}
    return _object(["do", *needs], do=kind, **{**_COMMON, **may, **needs})


WISH: Json = {"oneOf": [_wish(do) for do in WISHES]}
JOIN = _object(
    ["name"],
    name={"type": "string", "minLength": 1, "maxLength": 20},
    mark={"type": "string", "enum": ["", *map(str, Mark)]},
    code=_TEXT,
    id=_ID,
)
ASK = _object(["seat"], seat=_SEAT, code=_TEXT)
_SPACES: Json = {
    "type": "array",
    "maxItems": 40,
    "items": {"type": "string", "maxLength": 8, "description": "such as R7:3; empty if nothing is entered"},
}
BOARD = _object(
    ["name", "front", "back"],
    id={**_TEXT, "description": "of the board that is being changed; empty for a new one"},
    name={"type": "string", "maxLength": 40},
    front=_SPACES,
    back=_SPACES,
)
FILE = _object(["text"], text={"type": "string", "maxLength": BIGGEST_BODY})
DEMO_ORDER = _object(["do"], do={"type": "string", "enum": [str(order) for order in Order]})
_PAGE_NAME: Json = {"type": "string", "minLength": 1, "maxLength": 40}
_NUMBERS: Json = {"type": "array", "items": {"type": "number"}, "maxItems": MOST_ITEMS}
_SET_UP_NEEDS: Mapping[str, Json] = {
    "language": {"language": _TEXT},
    "choose-camera": {"camera": _TEXT},
    "camera-address": {"address": {"type": "string", "maxLength": LONGEST_ADDRESS}},
    "corners": {"corners": _NUMBERS, "moved": {"type": "boolean"}},
    "judge-roll": {"roll": _TEXT, "right": {"type": "boolean"}},
    "lamp": {"lamp": _TEXT},
    "judge-lamp": {"lamp": _TEXT, "seen": {"type": "boolean"}},
    "players": {"names": {"type": "array", "items": _TEXT, "maxItems": MOST_ITEMS}},
}


_SET_UP_MAY: Mapping[str, Json] = {
    "corners": {"shape": {"type": "string", "enum": list(Shape)}, "anyway": {"type": "boolean"}},
    "dice": {"outside": {"type": "string", "enum": list(DiceOutside)}},
}


def _set_up_wish(do: str) -> Json:
    needs, may = _SET_UP_NEEDS.get(do, {}), _SET_UP_MAY.get(do, {})
    kind: Json = {"type": "string", "const": do}
    return _object(["page", "do", *needs], page=_PAGE_NAME, do=kind, **needs, **may)


SET_UP: Json = {"oneOf": [_set_up_wish(do) for do in READ]}
SET_UP_PAGE = _object(["page"], page=_PAGE_NAME)
SET_UP_HERE = _object(["page", "take"], page=_PAGE_NAME, take={"type": "boolean"})
YES = _object(["yes"], yes={"type": "boolean"})
BUTTON = _object(["button"], button={"type": "string", "enum": ["rolled", "read again", "second"]})
