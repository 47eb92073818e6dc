"""What requests hold, as JSON or from our own forms, and JSON answers. Knows no table."""

from collections.abc import Mapping
from typing import Annotated, cast

from flask import Response, request

from boxlid.fields import LONGEST_TEXT, Length, read_value
from companion.game.fields import is_utf8
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


class Form:
    """The texts of a form of our own pages."""

    def __init__(self, given: Mapping[str, str]) -> None:
        self._given = given

    def text(self, name: str, default: str | None = None, longest: int = LONGEST_TEXT) -> str:
        wanted = Annotated[str, Length(0, longest)]
        return cast(str, read_value(wanted, self._given.get(name, default), name))


def form() -> Form:
    return Form(request.form)
