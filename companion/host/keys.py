"""The table's secret: made once, kept readable for its owner only. The code for phones follows from it."""

import hmac
import os
import secrets
from pathlib import Path

from web.codes import CODE_LENGTH, LETTERS

FILE = "key"
KEY_BYTES = 32


class KeyFileError(Exception):
    """The key cannot be read or made: which file, what to do."""


def load_key(folder: Path) -> bytes:
    """The key of a state folder, made on the first start."""
    path = folder / FILE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            _make(path)
        key = path.read_bytes()
    except OSError as error:
        raise KeyFileError(
            f"the key {path} cannot be read: {error.strerror}; check who may read it"
        ) from None
    if len(key) != KEY_BYTES:
        raise KeyFileError(
            f"the key {path} has {len(key)} bytes, {KEY_BYTES} wanted; delete it to make a new one"
        )
    return key


def _make(path: Path) -> None:
    """Under another name first: a power cut leaves no half a key."""
    unfinished = path.with_name(f"{FILE}.{secrets.token_hex(4)}")
    handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(secrets.token_bytes(KEY_BYTES))
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)


def code_of(key: bytes) -> str:
    """The code that lets a phone in: the same after each restart, so that a QR code stays good."""
    digest = hmac.digest(key, b"code for phones", "sha256")
    return "".join(LETTERS[byte % len(LETTERS)] for byte in digest[:CODE_LENGTH])
