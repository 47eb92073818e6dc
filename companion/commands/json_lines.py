"""Reading JSON lines for the commands: each broken line is named and the rest go on."""

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from companion.game.fields import is_utf8
from companion.process.command_error import CallFault, CommandError
from companion.rules import NotationError


def lines_of(name: str) -> list[bytes]:
    """The lines of a file of games; `-` is standard input."""
    if name == "-":
        return sys.stdin.buffer.readlines()
    try:
        with Path(name).open("rb") as file:
            return file.readlines()
    except OSError as error:
        raise CommandError(CallFault.NO_GAMES, path=name, why=str(error.strerror)) from None


def json_lines(lines: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
    """The lines that hold something, with their numbers."""
    return ((number, line.strip()) for number, line in enumerate(lines, 1) if line.strip())


def parse_json(line: bytes) -> object:
    """The value on the line; NotationError says in words why there is none."""
    try:
        value: object = json.loads(line)
    except json.JSONDecodeError as error:
        raise NotationError(f"this is no JSON: {error.msg} at column {error.colno}") from None
    except UnicodeDecodeError:
        raise NotationError("this is no UTF-8 text") from None
    except (RecursionError, ValueError) as error:  # nested too deeply, or a number of thousands of digits
        raise NotationError(f"this JSON cannot be read: {error}") from None
    if not is_utf8(value):
        raise NotationError("this is no UTF-8 text: it holds half a character (a surrogate alone)")
    return value
