"""Who is asking: a phone by the secret in its cookie, a table display by a signed one. Owns no seats."""

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from urllib.parse import quote, unquote

from flask import Request, Response

from companion.game import LONGEST_NAME
from web.access.addresses import is_loopback

PHONE_COOKIE = "boxlid_phone"
DISPLAY_COOKIE = "boxlid_display"
LANGUAGE_COOKIE = "boxlid_language"
NAME_COOKIE = "boxlid_name"  # what the phone called itself last, for the form only
_TOKEN_BYTES = 32
_HALF_A_YEAR = 182 * 24 * 3600


@dataclass(frozen=True, slots=True)
class Visitor:
    """The phone (hash of its secret, if it has one), and whether it may act as the table display."""

    holder: str | None
    display: bool


def new_token() -> str:
    return secrets.token_urlsafe(_TOKEN_BYTES)


def hash_of(token: str) -> str:
    """What the journal keeps instead of the secret."""
    return hashlib.sha256(token.encode()).hexdigest()


def visitor(asked: Request, key: bytes, code: str) -> Visitor:
    """Whoever sits at the companion's own keyboard and screen is trusted as the table display."""
    token = asked.cookies.get(PHONE_COOKIE)
    return Visitor(
        holder=hash_of(token) if token else None,
        display=is_loopback(asked.remote_addr) or _is_display(asked.cookies.get(DISPLAY_COOKIE), key, code),
    )


def _sign(nonce: str, key: bytes, code: str) -> str:
    """Good as long as the code is that screens were shown for."""
    return hmac.new(key, f"display {code} {nonce}".encode(), hashlib.sha256).hexdigest()


def _is_display(cookie: str | None, key: bytes, code: str) -> bool:
    nonce, dot, signature = (cookie or "").partition(".")
    return bool(dot) and hmac.compare_digest(signature.encode(), _sign(nonce, key, code).encode())


def set_phone(response: Response, token: str, *, secure: bool) -> None:
    _set(response, PHONE_COOKIE, token, secure=secure)


def set_display(response: Response, key: bytes, code: str, *, secure: bool) -> None:
    nonce = secrets.token_urlsafe(_TOKEN_BYTES)
    _set(response, DISPLAY_COOKIE, f"{nonce}.{_sign(nonce, key, code)}", secure=secure)


def set_language(response: Response, language: str) -> None:
    _set(response, LANGUAGE_COOKIE, language, secure=False)


def remember(response: Response, name: str, mark: str) -> None:
    """Name and mark are offered again when this phone joins the next time."""
    _set(response, NAME_COOKIE, f"{mark} {quote(name)}", secure=False)


def remembered(asked: Request) -> tuple[str, str]:
    """The name and the mark that the phone had last, as far as its cookie can be believed."""
    mark, _, name = asked.cookies.get(NAME_COOKIE, "").partition(" ")
    return " ".join(unquote(name, errors="ignore").split())[:LONGEST_NAME], mark


def _set(response: Response, name: str, value: str, *, secure: bool) -> None:
    response.set_cookie(
        name, value, max_age=_HALF_A_YEAR, httponly=True, samesite="Lax", secure=secure, path="/"
    )
