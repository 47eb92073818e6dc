"""Colours and cells: one coloured number on a sheet, written R7. Knows no sheet."""

from enum import StrEnum
from typing import NamedTuple


class Colour(StrEnum):
    """The four colours of rows and coloured dice."""

    RED = "red"
    YELLOW = "yellow"
    GREEN = "green"
    BLUE = "blue"

    @property
    def letter(self) -> str:
        return self.value[0].upper()


COLOURS = tuple(Colour)
_BY_LETTER = {colour.letter: colour for colour in Colour}
LOWEST, HIGHEST = 2, 12


class NotationError(ValueError):
    """A text that is no sheet, cell, roll, event or game: what was wanted and what was got."""


def colour_of(letter: str) -> Colour:
    """The colour behind R, Y, G or B."""
    try:
        return _BY_LETTER[letter]
    except KeyError:
        raise NotationError(f"a colour letter is one of R Y G B, got {letter!r}") from None


def is_number(text: str, most_digits: int = 3) -> bool:
    """Whether the text is a number as notation has it: plain digits, and few of them."""
    return text.isascii() and text.isdigit() and len(text) <= most_digits


class Cell(NamedTuple):
    """One coloured number of a sheet. Written R7."""

    colour: Colour
    number: int

    def __str__(self) -> str:
        return f"{self.colour.letter}{self.number}"

    @classmethod
    def parse(cls, text: str) -> "Cell":
        digits = text[1:]
        if not is_number(digits) or str(int(digits)) != digits:
            raise NotationError(f"a cell is a colour letter and a number such as R7, got {text!r}")
        if not LOWEST <= int(digits) <= HIGHEST:
            raise NotationError(f"a cell's number is {LOWEST} to {HIGHEST}, got {text!r}")
        return cls(colour_of(text[0]), int(digits))
