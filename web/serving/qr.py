"""Codes for a phone's camera. Knows no page."""

import io

import segno
from flask import Response


def qr_answer(link: str) -> Response:
    """The link as a picture."""
    picture = io.BytesIO()
    segno.make(link, error="m").save(picture, kind="svg", border=2, dark="#111", light="#fff", scale=8)
    return Response(picture.getvalue(), mimetype="image/svg+xml")
