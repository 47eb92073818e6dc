"""The Flask app: routes and guards put together. Owns no behaviour of its own."""

from urllib.parse import urlsplit

from flask import Flask, request

from companion.table.table import Table
from web.access import guard
from web.api import api
from web.boards import boards
from web.demo import demo
from web.desk import Desk
from web.health import health
from web.help import help_page
from web.pages import FORMS, pages
from web.paper import paper
from web.past.history import history
from web.photographs import photographs
from web.seen import seen
from web.serving.assets import pack
from web.serving.common import FORMS as COMMON_FORMS
from web.serving.common import answer_errors, common
from web.serving.services import Services
from web.setup import setup


def create_app(table: Table, services: Services) -> Flask:
    """The pages and the JSON interface of one table."""
    app = Flask("web", static_folder=None)
    app.json.sort_keys = False  # type: ignore[attr-defined]  # the default provider has it
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    desk = app.extensions["desk"] = Desk(table, services)
    app.register_blueprint(common(desk))
    app.register_blueprint(api(desk))
    app.register_blueprint(pages(desk))
    app.register_blueprint(photographs(desk))
    app.register_blueprint(demo(desk))
    app.register_blueprint(boards(desk))
    app.register_blueprint(history(desk))
    app.register_blueprint(paper(desk))
    app.register_blueprint(help_page(desk))
    app.register_blueprint(seen(desk))
    app.register_blueprint(setup(desk))
    app.register_blueprint(health(desk))
    own = tuple(urlsplit(address).hostname or "" for address in services.addresses)
    guard.install(app, (*services.names, *filter(None, own)), FORMS | COMMON_FORMS)
    app.after_request(lambda response: pack(request, response))

    answer_errors(app, desk)
    return app
