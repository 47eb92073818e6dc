"""The rules in short, with drawn examples: a page that needs no script and no seat. Owns no rule."""

from flask import Blueprint, Response

from companion.view import examples
from web.desk import Desk
from web.serving.shown import page


def help_page(desk: Desk) -> Blueprint:
    """The help page of one desk."""
    routes = Blueprint("help", __name__)

    @routes.get("/help")
    def rules() -> Response:
        return page(desk, "help.html", drawn=examples())

    return routes
