"""The one route that takes a picture: a player's photograph of the dice. web/openapi.py describes it."""

from flask import Blueprint, Response, request

from web.access.guard import PHOTOGRAPH_PATH
from web.desk import Desk
from web.serving.bodies import json_answer
from web.serving.errors import Refused
from web.serving.services import Photographed
from web.serving.shown import who

REFUSED = {
    Photographed.NO_PICTURE: (400, "a JPEG or PNG is wanted, got something else or less than one"),
    Photographed.HEIC: (400, "a JPEG or PNG is wanted, got HEIC or AVIF"),
    Photographed.TOO_LARGE: (413, "a photograph of fewer pixels is wanted"),
    Photographed.BUSY: (409, "other dice are being read; send it again in a moment"),
    Photographed.UNWANTED: (409, "no roll is waited for"),
}


def photographs(desk: Desk) -> Blueprint:
    """The route for one desk."""
    routes = Blueprint("photographs", __name__)

    @routes.post(PHOTOGRAPH_PATH)
    def photograph() -> Response:
        me = who(desk)
        desk.need_seat(me)
        desk.need_pace(me)
        if desk.services.photograph is None:
            raise Refused(404, "no-camera", "nothing here reads photographs")
        found = desk.services.photograph(request.get_data(cache=False), min(desk.seats(me)))
        if found in REFUSED:
            status, text = REFUSED[found]
            raise Refused(status, found, text)
        return json_answer(desk.message_text(me))

    return routes
