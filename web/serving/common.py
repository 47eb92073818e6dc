"""What every app of ours has: files, language, the way in with the code, errors in words. Knows no table."""

from collections.abc import Mapping
from dataclasses import replace

from flask import Blueprint, Flask, Response, request
from werkzeug.exceptions import HTTPException

from boxlid.fields import FieldsError
from companion.view import refusal_view
from companion.words import Catalogue, catalogues
from web.access.identity import set_display, set_language
from web.desk import to_json
from web.serving.assets import answer, stamp
from web.serving.bodies import form
from web.serving.errors import Refused
from web.serving.shown import Served, plain_page, safe_path, see_other, who, words_of

FORMS = frozenset({"common.show_form", "common.language"})
_KINDS = {400: "bad-request", 404: "not-found", 405: "not-found", 413: "too-large", 415: "bad-request"}


def common(served: Served) -> Blueprint:
    """The routes that need no table."""
    routes = Blueprint("common", __name__)

    @routes.post("/language")
    def language() -> Response:
        asked = form()
        wanted, back = asked.text("language", ""), asked.text("back", "/")
        if wanted not in catalogues():
            raise Refused(400, "bad-request", f"a language is one of {', '.join(catalogues())}")
        response = see_other(safe_path(back))
        set_language(response, wanted)
        return response

    @routes.post("/show")
    def show_form() -> Response:
        """A screen that knows the code becomes a table display."""
        asked = form()
        served.codes.check(asked.text("code", ""), request.remote_addr, who(served))
        response = see_other(safe_path(asked.text("back", "/table")))
        set_display(response, served.services.key, served.codes.code, secure=request.is_secure)
        return response

    @routes.get("/manifest.webmanifest")
    def manifest() -> Response:
        """What a phone needs to put the table on its home screen."""
        return Response(to_json(home_screen(words_of(served))), mimetype="application/manifest+json")

    @routes.get("/a/<mark>/<name>")
    def asset(mark: str, name: str) -> Response:
        found = answer(request, name) if mark == stamp() else None
        if found is None:
            raise Refused(404, "not-found", "there is no such file")
        return found

    return routes


def home_screen(words: Catalogue) -> dict[str, object]:
    """A name, colours and icons; it opens without the browser's bars, on the seat if the phone has one."""

    def icon(name: str, size: int, purpose: str = "any") -> dict[str, str]:
        src = f"/a/{stamp()}/{name}.png"
        return {"src": src, "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}

    return {
        "name": "Boxlid",
        "short_name": "Boxlid",
        "description": words.say("page.about"),
        "lang": words.language,
        "id": "/",
        "start_url": "/phone",
        "display": "standalone",
        "background_color": "#f3f1ea",
        "theme_color": "#1d2026",
        "icons": [icon("icon-192", 192), icon("icon-512", 512), icon("icon-mask-512", 512, "maskable")],
    }


def answer_errors(app: Flask, served: Served, reworded: Mapping[str, str] | None = None) -> None:
    """Refusals become answers in the language of whoever asked; some kinds have other words there."""

    @app.errorhandler(Refused)
    def refused(error: Refused) -> Response:
        kind = (reworded or {}).get(error.body.error)
        if kind is not None:
            error.body = replace(error.body, error=kind)
        return _answer(served, error)

    @app.errorhandler(FieldsError)
    def unreadable(error: FieldsError) -> Response:
        refusal = refusal_view(error)
        return _answer(served, Refused(400, refusal.kind, refusal.text))

    @app.errorhandler(HTTPException)
    def refused_by_flask(error: HTTPException) -> Response:
        status = error.code or 500
        return _answer(served, Refused(status, _KINDS.get(status, "rule"), error.description or error.name))


def _answer(served: Served, error: Refused) -> Response:
    if request.path.startswith("/api/"):
        response = Response(to_json(error.body), error.status, mimetype="application/json")
    else:
        response = plain_page(served, error)
    if error.body.retry_after is not None:
        response.headers["Retry-After"] = str(error.body.retry_after)
    return response
