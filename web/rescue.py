"""The pages while the journal cannot be opened: what happened, what there is to go on from."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol
from urllib.parse import urlsplit

from flask import Blueprint, Flask, Response, request

from companion.words import Catalogue
from web.access import guard
from web.access.codes import CodeCheck
from web.desk import to_json
from web.serving.assets import pack
from web.serving.bodies import form
from web.serving.common import FORMS, answer_errors, common
from web.serving.errors import Refused
from web.serving.services import Services
from web.serving.shown import page, who, words_of

RETRY_SECONDS = 5


class Trouble(StrEnum):
    """Why nothing is played."""

    DAMAGED = "damaged"
    REFUSED = "refused"  # the file is what was written, but this version cannot follow it
    BEHIND = "behind"  # the file is what was written, but a backup holds what it does not


@dataclass(frozen=True, slots=True)
class RescueWay:
    """One way to go on: the journal as it is, a backup, what can still be read, or an empty journal."""

    name: str
    kind: str  # as-is, backup, readable or empty
    entries: int
    games: int
    newest: float | None  # seconds since 1970
    sound: bool


class RescueError(Exception):
    """It was not restored: what was wanted, what was got, what to do."""


class Rescue(Protocol):
    """The journal that cannot be played, and what can be done about it."""

    @property
    def problem(self) -> str: ...

    @property
    def is_done(self) -> bool: ...

    @property
    def trouble(self) -> Trouble: ...

    def ways(self) -> tuple[RescueWay, ...]: ...

    def go(self, name: str) -> str:
        """Go on that way; where the file of before is kept now. RescueError leaves everything as it was."""
        ...


@dataclass(frozen=True, slots=True)
class Shown:
    """A way to go on, in words."""

    name: str
    kind: str
    text: str
    sound: bool


class _Desk:
    """What pages are served from while there is no table."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self.codes = CodeCheck(services.code, services.clock)


def create_rescue_app(rescue: Rescue, services: Services) -> Flask:
    """Every page leads to the choice; phones are told to come back later."""
    app = Flask("web", static_folder=None)
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    desk = _Desk(services)
    app.register_blueprint(common(desk))
    app.register_blueprint(_rescuing(rescue, desk))
    own = tuple(urlsplit(address).hostname or "" for address in services.addresses)
    guard.install(app, (*services.names, *filter(None, own)), FORMS | {"rescue.go"})
    app.after_request(lambda response: pack(request, response))
    answer_errors(app, desk)
    return app


def _rescuing(rescue: Rescue, desk: _Desk) -> Blueprint:
    routes = Blueprint("rescue", __name__)
    _add_choice(routes, rescue, desk)
    _add_others(routes, rescue, desk)
    return routes


def _add_choice(routes: Blueprint, rescue: Rescue, desk: _Desk) -> None:
    def need_owner() -> None:
        if not who(desk).display:
            raise Refused(403, "not-owner", "this takes the table's code")

    @routes.get("/rescue/<name>")
    def ask(name: str) -> Response:
        """Says what will happen before it does."""
        need_owner()
        found = [way for way in rescue.ways() if way.name == name and way.sound]
        if not found:
            raise Refused(404, "not-found", "there is no such way to go on")
        return page(desk, "rescue.html", step="ask", way=_shown(found[0], words_of(desk)))

    @routes.post("/rescue")
    def go() -> Response:
        need_owner()
        if rescue.is_done:
            return page(desk, "rescue.html", step="done", kept="")
        try:
            kept = rescue.go(form().text("name", ""))
        except RescueError as error:
            return page(desk, "rescue.html", 409, step="failed", text=str(error))
        return page(desk, "rescue.html", step="done", kept=kept)


def _add_others(routes: Blueprint, rescue: Rescue, desk: _Desk) -> None:
    def choose() -> Response:
        if rescue.is_done:
            return _later(page(desk, "rescue.html", 503, step="done", kept=""))
        if not who(desk).display:
            return _later(page(desk, "rescue.html", 503, step="code", trouble=rescue.trouble))
        words = words_of(desk)
        ways = [_shown(way, words) for way in rescue.ways()]
        return _later(
            page(
                desk,
                "rescue.html",
                503,
                step="choose",
                ways=ways,
                problem=rescue.problem,
                trouble=rescue.trouble,
            )
        )

    def wait(**_: str) -> Response:
        """For scripts of pages that are still open: they come back by themselves once the table is there."""
        text = "the journal cannot be played; its owner chooses on a page how to go on"
        body = Refused(503, "journal-damaged", text, retry_after=RETRY_SECONDS).body
        return _later(Response(to_json(body), 503, mimetype="application/json"))

    def elsewhere(**_: str) -> Response:
        return choose()

    _any(routes, "/api/<path:rest>", wait, ("GET", "POST"))
    _any(routes, "/", elsewhere, ("GET",))
    _any(routes, "/<path:rest>", elsewhere, ("GET",))


def _any(routes: Blueprint, rule: str, answer: Callable[..., Response], methods: tuple[str, ...]) -> None:
    routes.add_url_rule(rule, view_func=answer, methods=list(methods))


def _later(response: Response) -> Response:
    response.headers["Retry-After"] = str(RETRY_SECONDS)
    return response


def _shown(way: RescueWay, words: Catalogue) -> Shown:
    when = "" if way.newest is None else _date(way.newest, words)
    key = f"rescue.{way.kind}" if way.sound else "rescue.broken"
    return Shown(
        way.name, way.kind, words.say(key, date=when, entries=way.entries, games=way.games), way.sound
    )


def _date(at: float, words: Catalogue) -> str:
    try:
        local = datetime.fromtimestamp(at).astimezone()
    except (ValueError, OverflowError, OSError):  # what a mad clock gave
        return "?"
    values = {"year": local.year, "month": f"{local:%m}", "day": f"{local:%d}", "time": f"{local:%H:%M}"}
    return words.say("history.date", **values)
