"""The Flask app: routes, guards, and errors worded for whoever asked. Owns no behaviour of its own."""

from urllib.parse import urlsplit

from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException

from companion.table import Table
from web import guard
from web.api import api
from web.assets import pack
from web.boards import boards
from web.demo import demo
from web.desk import Desk, to_json
from web.errors import Refused
from web.health import health
from web.help import help_page
from web.history import history
from web.pages import FORMS, pages
from web.seen import seen
from web.services import Services
from web.setup import setup
from web.shown import plain_page

_KINDS = {400: "bad-request", 404: "not-found", 405: "not-found", 413: "too-large", 415: "bad-request"}


def create_app(table: Table, services: Services) -> Flask:
    """The pages and the JSON interface of one table."""
    app = Flask("web", static_folder=None)
    app.json.sort_keys = False  # type: ignore[attr-defined]  # the default provider has it
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    desk = app.extensions["desk"] = Desk(table, services)
    app.register_blueprint(api(desk))
    app.register_blueprint(pages(desk))
    app.register_blueprint(demo(desk))
    app.register_blueprint(boards(desk))
    app.register_blueprint(history(desk))
    app.register_blueprint(help_page(desk))
    app.register_blueprint(seen(desk))
    app.register_blueprint(setup(desk))
    app.register_blueprint(health(desk))
    own = tuple(urlsplit(address).hostname or "" for address in services.addresses)
    guard.install(app, (*services.names, *filter(None, own)), FORMS)
    app.after_request(lambda response: pack(request, response))

    @app.errorhandler(Refused)
    def refused(error: Refused) -> Response:
        return _answer(desk, error)

    @app.errorhandler(HTTPException)
    def refused_by_flask(error: HTTPException) -> Response:
        status = error.code or 500
        return _answer(desk, Refused(status, _KINDS.get(status, "rule"), error.description or error.name))

    return app


def _answer(desk: Desk, error: Refused) -> Response:
    if request.path.startswith("/api/"):
        response = Response(to_json(error.body), error.status, mimetype="application/json")
    else:
        response = plain_page(desk, error)
    if error.body.retry_after is not None:
        response.headers["Retry-After"] = str(error.body.retry_after)
    return response
