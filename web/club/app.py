"""The club's app: routes and guards put together. Owns no behaviour of its own."""

from urllib.parse import urlsplit

from flask import Flask, request

from companion.club.club import Club
from web.access import guard
from web.club.desk import ClubDesk
from web.club.evenings import FORMS as EVENING_FORMS
from web.club.evenings import evenings_pages
from web.club.tables import tables_pages
from web.club.tournaments import FORMS as TOURNAMENT_FORMS
from web.club.tournaments import tournament_pages
from web.serving.assets import pack
from web.serving.common import FORMS as COMMON_FORMS
from web.serving.common import answer_errors, common
from web.serving.services import Services

REWORDED = {"code-wrong": "club-code-wrong", "code-guessed": "club-code-guessed", "host": "club-host"}


def create_club_app(club: Club, services: Services) -> Flask:
    """The pages of a club."""
    app = Flask("web", static_folder=None)
    app.json.sort_keys = False  # type: ignore[attr-defined]  # the default provider has it
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    desk = app.extensions["club"] = ClubDesk(club, services)
    for blueprint in (common(desk), tables_pages(desk), evenings_pages(desk), tournament_pages(desk)):
        app.register_blueprint(blueprint)
    own = tuple(urlsplit(address).hostname or "" for address in services.addresses)
    forms = COMMON_FORMS | EVENING_FORMS | TOURNAMENT_FORMS
    guard.install(app, (*services.names, *filter(None, own)), forms)
    app.after_request(lambda response: pack(request, response))
    answer_errors(app, desk, REWORDED)
    return app
