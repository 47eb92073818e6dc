"""Guards on every request and answer: host, origin, kind and size of bodies, headers. Knows no game."""

import ipaddress
from urllib.parse import urlsplit

from flask import Flask, Request, Response, request

from web.errors import Refused

BIGGEST_BODY = 16 * 1024
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
FORM = "application/x-www-form-urlencoded"
CONTENT_SECURITY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
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


def install(app: Flask, names: tuple[str, ...], forms: frozenset[str]) -> None:
    """Put the guards before and after every route; `forms` are the endpoints that take an HTML form."""
    app.config["MAX_CONTENT_LENGTH"] = BIGGEST_BODY  # Flask refuses to read more, whatever was announced
    known = frozenset(name.casefold().rstrip(".") for name in names) | {"localhost"}

    @app.before_request
    def check() -> None:
        check_host(request.host, known)
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
    try:
        address = ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return False
    return any(address.version == network.version and address in network for network in HOUSE)


def check_origin(asked: Request) -> None:
    """Changes come from our own pages only (CSRF)."""
    site = asked.headers.get("Sec-Fetch-Site")
    if site not in (None, "same-origin", "none"):
        raise Refused(403, "origin", f"a change comes from this table's own pages, not {site}")
    wanted = f"{asked.scheme}://{asked.host}"
    if asked.headers.get("Origin", "").casefold() != wanted.casefold():
        raise Refused(403, "origin", f"a change needs the header Origin: {wanted}")


def check_body(asked: Request, *, form: bool) -> None:
    """JSON only, so that no foreign form can be made to fit; our own forms where HTML must do."""
    kind = asked.mimetype
    if kind != "application/json" and not (form and kind == FORM):
        raise Refused(415, "bad-request", f"a body is application/json, got {kind or 'nothing'}")


def add_headers(response: Response) -> Response:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    response.headers.setdefault("Cache-Control", "no-store")
    return response
