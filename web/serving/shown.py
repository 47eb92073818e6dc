"""What the modules of pages share: the visitor, a page in his language, errors as pages. Owns no route."""

from collections.abc import Callable, Mapping
from typing import Protocol

from flask import Response, redirect, render_template, request

from companion.words import Catalogue, catalogues
from web.access.codes import CodeCheck
from web.access.identity import LANGUAGE_COOKIE, Visitor, visitor
from web.desk import Desk, Message
from web.serving.assets import stamp
from web.serving.door import HANG_UP
from web.serving.errors import Refused
from web.serving.language import choose
from web.serving.live import RETRY_SECONDS, Sight, Streams, Watchable, stream
from web.serving.services import Services

# What the scripts of the phone and of the table display say; other pages take the parts they name themselves.
_SAID = """lobby head error notice end menu foot banner said why dice pad others board table die_is die_it die
mark colour letter cell state lock line corrected changed away absent watch for back
piece sheet roll ask broken doubt turn cell_it row_it level hint photo"""
SAID_IN_PLAY = (*(f"{area}." for area in _SAID.split()), "and", "join.add", "join.code")

NOT_SAID_IN_PLAY = (
    "error.set-up",
    "error.demo",
    "error.no-demo",
    "error.no-show",
    "error.code",
    "error.club",
)
STREAM = "text/event-stream"


class Served(Protocol):
    """What pages are served from: a desk, or what stands in for one where there is no table."""

    @property
    def services(self) -> Services: ...

    @property
    def codes(self) -> CodeCheck: ...


def who(desk: Served) -> Visitor:
    return visitor(request, desk.services.key, desk.codes.code)


def words_of(desk: Served) -> Catalogue:
    cookie = request.cookies.get(LANGUAGE_COOKIE)
    return choose(cookie, request.headers.get("Accept-Language"), table_language(desk))


def table_language(desk: Served) -> str:
    """As it was chosen when the table was set up, else as the settings say."""
    set_up = desk.services.setting_up
    return (set_up.language if set_up is not None else "") or desk.services.language


def page(desk: Served, template: str, status: int = 200, **values: object) -> Response:
    """One page in the visitor's language."""
    words = words_of(desk)
    html = render_template(
        template,
        say=words.say,
        sheet_name=words.sheet,
        language=words.language,
        languages=[(each.language, each.name) for each in catalogues().values()],
        here=request.full_path.rstrip("?"),
        stamp=stamp(),
        services=desk.services,
        **values,
    )
    return Response(html, status, mimetype="text/html")


def plain_page(desk: Served, error: Refused) -> Response:
    """An error as a page, in the visitor's language."""
    return page(desk, "error.html", error.status, text=in_words(words_of(desk), error))


def in_words(words: Catalogue, error: Refused) -> str:
    key = f"error.{error.body.error}"
    return (
        words.say(key, n=error.body.number or error.body.retry_after or 0)
        if key in words.texts
        else error.body.text
    )


def start_data(message: Message, words: Catalogue, **more: object) -> Mapping[str, object]:
    """What a page's script begins with: the newest message and the words of its language."""
    part = words.part(*SAID_IN_PLAY)
    said = {key: text for key, text in part.items() if not key.startswith(NOT_SAID_IN_PLAY)}
    return {"message": message, "words": said, "language": words.language, **more}


def ask_for_code(desk: Served) -> Response:
    """The page that asks for the code and comes back here with it: who knows the code owns the table."""
    return page(desk, "code.html", 403, back=request.path)


def safe_path(back: str) -> str:
    """Where to go on afterwards: a page of this table, nowhere else. Browsers skip tabs and line ends."""
    if not back.isprintable():
        raise Refused(400, "bad-request", "`back` is a path of this table, got what cannot be printed")
    return back if back.startswith("/") and not back.startswith(("//", "/\\")) else "/"


def join_address(desk: Desk) -> str:
    addresses = desk.services.addresses
    base = addresses[0] if addresses else f"{request.scheme}://{request.host}"
    return f"{base}/join"


def streamed(watched: Watchable, streams: Streams, phone: str | None, sight: Sight, instead: str) -> Response:
    """An event stream for whoever asks; where all places are taken, he is to ask `instead` now and then."""
    if request.method == "HEAD":  # wants no stream, and would never give its place back
        return Response(mimetype=STREAM)
    ticket = streams.enter(phone, request.environ.get(HANG_UP, lambda: None))
    if ticket is None:
        text = f"all live places are taken; please ask for {instead} now and then"
        raise Refused(503, "busy", text, retry_after=RETRY_SECONDS)
    gone: Callable[[], bool] = request.environ.get("waitress.client_disconnected", lambda: False)
    events = stream(watched, streams, ticket, sight, gone)
    response = Response(events, mimetype=STREAM)
    response.call_on_close(lambda: streams.leave(ticket))  # a stream that never began has no end either
    response.headers["X-Accel-Buffering"] = "no"
    return response


def see_other(where: str) -> Response:
    return Response(redirect(where, 303).get_data(), 303, {"Location": where}, mimetype="text/html")
