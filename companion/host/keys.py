"""The table's secret: made once, kept readable for its owner only. The code for phones follows from it."""

import hmac
import os
import secrets
from pathlib import Path

from boxlid.errors import BoxlidError, StatementKind
from companion.process.plain_file import read_plain
from web.access.codes import CODE_LENGTH, LETTERS

FILE, CODE_FILE = "key", "code"
KEY_BYTES = 32
LONGEST_FILE = 1024  # enough to say how many bytes a wrong one has


class KeyFault(StatementKind):
    """What is wrong with a key."""

    UNREADABLE = "key_file.unreadable"
    LENGTH = "key_file.length"


class KeyFileError(BoxlidError):
    """The key cannot be read or made."""


def load_key(folder: Path) -> bytes:
    """The key of a state folder, made on the first start."""
    path = folder / FILE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            _put(path, secrets.token_bytes(KEY_BYTES))
        key = read_plain(path, LONGEST_FILE)
    except OSError as error:
        raise KeyFileError(KeyFault.UNREADABLE, path=path, why=str(error.strerror)) from None
    if len(key) != KEY_BYTES:
        raise KeyFileError(KeyFault.LENGTH, path=path, got=len(key), wanted=KEY_BYTES)
    return key


def _put(path: Path, content: bytes) -> None:
    """Under another name first: a power cut leaves no half a file. For its owner's eyes only."""
    unfinished = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)


def code_in(folder: Path) -> str:
    """The code that lets a phone in: the one that was made last, else the first one."""
    try:
        kept = read_plain(folder / CODE_FILE, LONGEST_FILE).decode("ascii").strip()
    except (OSError, UnicodeDecodeError):  # never made, or damaged: the first one lets phones in as well
        kept = ""
    return kept if len(kept) == CODE_LENGTH and set(kept) <= set(LETTERS) else code_of(load_key(folder))


def new_code(folder: Path) -> str:
    """Another code, kept before it is told. OSError if that cannot be."""
    code = "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))
    _put(folder / CODE_FILE, code.encode())
    return code


def code_of(key: bytes) -> str:
    """The first code of a table: the same after each restart, so that a QR code stays good."""
    digest = hmac.digest(key, b"code for phones", "sha256")
    return "".join(LETTERS[byte % len(LETTERS)] for byte in digest[:CODE_LENGTH])
