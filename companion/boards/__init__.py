"""Boards: the files of On Board boards, read and checked. The house board is our own, not the printed one."""

from importlib.resources import files
from pathlib import Path

from companion.rules import Board, BoardError, BoardFault

ENDING = ".board"


def house_board() -> Board:
    """The board that comes with the program."""
    return Board.parse(files(__name__).joinpath("house.board").read_text(encoding="utf-8"))


def load_board(path: Path) -> Board:
    """An owner's board; BoardError names the file, the line, and what is wrong."""
    try:
        return Board.parse(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        text = f"a board file is wanted, {path} cannot be read: {error}"
        raise BoardError(text, BoardFault.FILE) from None
    except BoardError as error:
        raise BoardError(f"{path}: {error}", error.fault, error.got, error.wanted) from None
