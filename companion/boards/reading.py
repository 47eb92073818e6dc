"""A board file that somebody brings: what it holds, or its first fault with its line. Touches no disk."""

from dataclasses import dataclass

from companion.boards.entering import EnteredBoard
from companion.rules import Board, BoardError


@dataclass(frozen=True, slots=True)
class FileFault:
    """What is wrong with a board file: a kind to word, its line (0: the whole file), the English text."""

    kind: str
    line: int
    got: str
    wanted: int
    text: str


LONGEST_GOT = 40


def read_file(text: str) -> EnteredBoard | FileFault:
    """The board in that text. A byte order mark, as some editors put it, is no fault."""
    try:
        return EnteredBoard.of(Board.parse(text.removeprefix("\ufeff")))
    except BoardError as error:
        got = error.got if len(error.got) <= LONGEST_GOT else error.got[: LONGEST_GOT - 1] + "…"
        return FileFault(error.fault, error.line or 0, got, error.wanted, str(error))
