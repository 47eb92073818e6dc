"""Boards: the files of On Board boards, read and checked. The house board is our own, not the printed one."""

from importlib.resources import files
from pathlib import Path

from companion.process.plain_file import read_plain
from companion.rules import Board, BoardError, BoardFault

ENDING = ".board"
LONGEST_FILE = 64 * 1024


def house_board() -> Board:
    """The board that comes with the program."""
    return Board.parse(files(__name__).joinpath("house.board").read_text(encoding="utf-8"))


def load_board(path: Path) -> Board:
    """An owner's board; BoardError names the file, the line, and what is wrong."""
    try:
        return Board.parse(read_plain(path, LONGEST_FILE).decode())
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        text = f"a board file is wanted, {path} cannot be read: {reason}"
        raise BoardError(text, BoardFault.FILE) from None
    except BoardError as error:
        raise BoardError(f"{path}: {error}", error.fault, error.got, error.wanted) from None
