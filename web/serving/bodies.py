"""What requests hold, as JSON or from our own forms, and JSON answers. Knows no table."""

from flask import Response, request

from companion.game.fields import is_utf8
from companion.view import Fields
from web.serving.errors import Refused


def json_answer(text: str, status: int = 200) -> Response:
    """JSON that is written already."""
    return Response(text, status, mimetype="application/json")


def sent() -> object:
    """The JSON value that was sent. What is no text cannot be kept, said or shown by anybody."""
    try:
        value: object = request.get_json()
    except RecursionError:
        raise Refused(400, "bad-request", "nothing that is sent here goes as deep") from None
    if not is_utf8(value):
        raise Refused(400, "bad-request", "texts are UTF-8, got half a character (a surrogate alone)")
    return value


def fields() -> Fields:
    """The fields of the JSON object that was sent."""
    return Fields(sent())


def form() -> Fields:
    """The fields of a form of our own pages."""
    return Fields(request.form.to_dict())
