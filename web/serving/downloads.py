"""Files to be saved, few at a time: making one is work, and whoever takes it may be slow. Knows no game."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial, wraps
from typing import ParamSpec

from flask import Response, request

from web.serving.door import HANG_UP
from web.serving.errors import Refused
from web.serving.live import RETRY_SECONDS, Streams

MOST_FILES = 3

_P = ParamSpec("_P")


class Downloads:
    """Makes a route that gives a file give no more than a few of them at once."""

    def __init__(self) -> None:
        self._places = Streams(MOST_FILES, MOST_FILES)

    def __call__(self, make: Callable[_P, Response]) -> Callable[_P, Response]:
        @wraps(make)
        def given(*args: _P.args, **named: _P.kwargs) -> Response:
            place = self._places.enter(None, request.environ.get(HANG_UP, lambda: None))
            if place is None:
                text = "several files are being taken already; please try again in a moment"
                raise Refused(503, "busy", text, retry_after=RETRY_SECONDS)
            leave = partial(self._places.leave, place)
            try:
                response = make(*args, **named)
            except BaseException:
                leave()
                raise
            if response.is_streamed:
                response.response = _until_taken(response.iter_encoded(), leave)
                response.call_on_close(leave)
            else:
                leave()
            return response

        return given


def _until_taken(pieces: Iterable[bytes], leave: Callable[[], None]) -> Iterator[bytes]:
    try:
        yield from pieces
    finally:
        leave()
