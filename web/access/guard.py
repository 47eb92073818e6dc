"""Guards on every request and answer: host, origin, kind and size of bodies, headers. Knows no game."""

import ipaddress
from urllib.parse import urlsplit

from flask import Flask, Request, Response, request
from werkzeug.exceptions import RequestEntityTooLarge

from web.access.addresses import address_of
from web.serving.errors import Refused

BIGGEST_BODY = 16 * 1024
BIGGEST_PHOTOGRAPH = 15 * 1024 * 1024  # a phone's file as it is
PHOTOGRAPH_PATH = "/api/photograph"
PHOTOGRAPH_KIND = "application/octet-stream"  # no form of another page can send that
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
FORM = "application/x-www-form-urlencoded"
CONTENT_SECURITY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "manifest-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "object-src 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    ]
)
HOUSE = tuple(
    ipaddress.ip_network(text)
    for text in (
        "127.0.0.0/8",
        "10.0.0.0/8",
        "172.16.0.0/12",
        "192.168.0.0/16",
        "169.254.0.0/16",
        "::1/128",
        "fc00::/7",
        "fe80::/10",
    )
)
_OFF = "accelerometer camera display-capture geolocation gyroscope hid"
_OFF += " magnetometer microphone midi payment publickey-credentials-get serial usb xr-spatial-tracking"
HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": ", ".join(f"{name}=()" for name in _OFF.split()),
}


class BoundedRequest(Request):
    """Flask refuses to read more than its route takes, whatever was announced."""

    @property  # type: ignore[misc]  # what may be set in Flask is fixed here
    def max_content_length(self) -> int:  # type: ignore[override]
        return biggest_body(self.path)


def biggest_body(path: str) -> int:
    return BIGGEST_PHOTOGRAPH if path == PHOTOGRAPH_PATH else BIGGEST_BODY


def install(app: Flask, names: tuple[str, ...], forms: frozenset[str]) -> None:
    """Put the guards before and after every route; `forms` are the endpoints that take an HTML form."""
    app.request_class = BoundedRequest
    known = frozenset(name.casefold().rstrip(".") for name in names) | {"localhost"}

    @app.before_request
    def check() -> None:
        check_host(request.host, known)
        check_site(request)
        if request.method not in SAFE_METHODS:
            check_origin(request)
            check_body(request, form=request.endpoint in forms)

    app.after_request(add_headers)


def check_host(host: str, known: frozenset[str]) -> None:
    """Only addresses of this house: a foreign name pointing here is somebody's trick (DNS rebinding)."""
    try:
        name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        name = ""
    if name in known or is_private(name):
        return
    raise Refused(421, "host", "this name is not one of this table's; use its address instead")


def is_private(name: str) -> bool:
    """Whether the name is an address of a house network, written as numbers."""
    address = address_of(name)
    if address is None:
        return False
    return any(address.version == network.version and address in network for network in HOUSE)


def check_site(asked: Request) -> None:
    """A page of another site may lead a person to a page of ours, and nothing else.

    It has no use for an answer it cannot read, but in the box's own browser, which is a table display, it
    could take all places for streams and files.
    """
    site = asked.headers.get("Sec-Fetch-Site")  # browsers send it to https and to their own machine
    if site in (None, "same-origin", "none"):
        return
    link = (
        asked.headers.get("Sec-Fetch-Mode") == "navigate"
        and asked.headers.get("Sec-Fetch-Dest") == "document"
    )
    if asked.method not in SAFE_METHODS or not link or asked.path.startswith("/api/"):
        raise Refused(403, "origin", f"this is for this table's own pages, not for one that is {site}")


def check_origin(asked: Request) -> None:
    """Changes come from our own pages only (CSRF)."""
    wanted = f"{asked.scheme}://{asked.host}"
    if asked.headers.get("Origin", "").casefold() != wanted.casefold():
        raise Refused(403, "origin", f"a change needs the header Origin: {wanted}")


def check_body(asked: Request, *, form: bool) -> None:
    """JSON only, so that no foreign form can be made to fit; our own forms where HTML must do."""
    kind = asked.mimetype
    if (asked.content_length or 0) > biggest_body(asked.path):  # Werkzeug before 2.3 looks at forms only
        raise RequestEntityTooLarge
    if asked.path == PHOTOGRAPH_PATH:
        if kind != PHOTOGRAPH_KIND:
            raise Refused(415, "bad-request", f"a photograph is {PHOTOGRAPH_KIND}, got {kind or 'nothing'}")
        return
    if kind != "application/json" and not (form and kind == FORM):
        raise Refused(415, "bad-request", f"a body is application/json, got {kind or 'nothing'}")


def add_headers(response: Response) -> Response:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    response.headers.setdefault("Cache-Control", "no-store")
    return response
