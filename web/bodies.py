"""Bodies of JSON requests, read field by field, and JSON answers. Knows no table."""

from flask import Response, request

from companion.view import whole
from web.errors import Refused

LARGEST = 1e9  # JSON knows numbers that no float holds


def json_answer(text: str, status: int = 200) -> Response:
    """JSON that is written already."""
    return Response(text, status, mimetype="application/json")


def sent() -> object:
    """The JSON value that was sent."""
    return request.get_json()


class Body:
    """A JSON object's fields, each of the type it should have."""

    def __init__(self, data: object) -> None:
        if not isinstance(data, dict):
            raise Refused(400, "bad-request", f"a body is an object, got {type(data).__name__}")
        self._data: dict[str, object] = data

    def text(self, name: str, default: str | None = None) -> str:
        found = self._data.get(name, default)
        if not isinstance(found, str):
            raise Refused(400, "bad-request", f"`{name}` is a text, got {found!r}")
        return found

    def number(self, name: str) -> int:
        found = whole(self._data.get(name))
        if found is None:
            raise Refused(400, "bad-request", f"`{name}` is a whole number, got {self._data.get(name)!r}")
        return found

    def yes(self, name: str) -> bool:
        found = self._data.get(name)
        if not isinstance(found, bool):
            raise Refused(400, "bad-request", f"`{name}` is true or false, got {found!r}")
        return found

    def numbers(self, name: str) -> tuple[float, ...]:
        found = self._data.get(name)
        if not isinstance(found, list) or not all(_is_number(each) for each in found):
            raise Refused(400, "bad-request", f"`{name}` is a list of numbers, got {found!r}")
        return tuple(map(float, found))

    def texts(self, name: str) -> tuple[str, ...]:
        found = self._data.get(name)
        if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
            raise Refused(400, "bad-request", f"`{name}` is a list of texts, got {found!r}")
        return tuple(found)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < LARGEST
