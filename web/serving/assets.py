"""Scripts, styles and pictures of the pages: packed once, cached for ever under their stamp."""

import gzip
import hashlib
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from flask import Request, Response

KINDS = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml", "png": "image/png"}
SCRIPTS = (".js", ".css")
# One style sheet a page, made of parts: a request less each.
STYLES = {
    "phone.css": ("base.css", "sheet.css", "phone.css"),
    "table.css": ("base.css", "table.css"),
    "plain.css": ("base.css", "plain.css"),
    "demo.css": ("base.css", "sheet.css", "phone.css", "demo.css"),
    "setup.css": ("base.css", "plain.css", "setup.css"),
    "seen.css": ("base.css", "plain.css", "seen.css"),
    "help.css": ("base.css", "plain.css", "help.css"),
    "boards.css": ("base.css", "plain.css", "boards.css"),
    "paper.css": ("base.css", "paper.css"),
    "history.css": ("base.css", "plain.css", "history.css"),
    "club.css": ("base.css", "plain.css", "club.css"),
}
WORTH_PACKING = 500
# lines that are nothing but a comment: what they tell, types too, is for those who read the files
_COMMENT = re.compile(rb"^ *(?://[^\n]*|/\*(?:(?!\*/).)*\*/ *)$", re.MULTILINE | re.DOTALL)
_FOREVER = "public, max-age=31536000, immutable"


@dataclass(frozen=True, slots=True)
class Asset:
    """One file as it goes out."""

    name: str
    kind: str
    plain: bytes
    packed: bytes


@cache
def assets() -> dict[str, Asset]:
    folder = files("web").joinpath("static")
    raw = {
        file.name: without_comments(file.read_bytes()) if file.name.endswith(SCRIPTS) else file.read_bytes()
        for file in folder.iterdir()
        if file.name.rpartition(".")[2] in KINDS
    }
    styles = {name: b"\n".join(raw[part] for part in parts) for name, parts in STYLES.items()}
    kept = {name: content for name, content in raw.items() if not name.endswith(".css")} | styles
    return {
        name: Asset(name, KINDS[name.rpartition(".")[2]], content, gzip.compress(content, mtime=0))
        for name, content in kept.items()
    }


def without_comments(text: bytes) -> bytes:
    """A script or style with empty lines for them, so that a browser tells a fault by its right line."""
    return _COMMENT.sub(lambda found: b"\n" * found[0].count(b"\n"), text)


@cache
def stamp() -> str:
    """Changes with any byte of any asset, so that a page never mixes old and new."""
    digest = hashlib.sha256()
    for name, asset in sorted(assets().items()):
        digest.update(name.encode() + asset.plain)
    return digest.hexdigest()[:10]


def answer(asked: Request, name: str) -> Response | None:
    """The file, packed if the browser can unpack it; None if there is none of that name."""
    asset = assets().get(name)
    if asset is None:
        return None
    packed = asked.accept_encodings.quality("gzip") > 0
    response = Response(asset.packed if packed else asset.plain, mimetype=asset.kind)
    if packed:
        response.headers["Content-Encoding"] = "gzip"
    response.headers["Vary"] = "Accept-Encoding"
    response.headers["Cache-Control"] = _FOREVER
    return response


def pack(asked: Request, response: Response) -> Response:
    """Pages packed too. Views are not: they come often, and a small computer has better things to do."""
    if (
        response.mimetype == "text/html"
        and not response.is_streamed
        and "Content-Encoding" not in response.headers
        and asked.accept_encodings.quality("gzip") > 0
        and len(body := response.get_data()) > WORTH_PACKING
    ):
        response.set_data(gzip.compress(body, compresslevel=5, mtime=0))
        response.headers["Content-Encoding"] = "gzip"
        response.vary.add("Accept-Encoding")
    return response
