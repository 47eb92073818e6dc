"""Dice as rolled: two white ones and one of each open colour, written W3 W4 R2 Y5 G6 B1. Never rolls."""

from collections.abc import Iterable
from dataclasses import dataclass

from companion.rules.cells import COLOURS, Colour, NotationError, colour_of

FACES = range(1, 7)
WHITE_DICE = 2


@dataclass(frozen=True, slots=True)
class Roll:
    """What lies in the lid. `coloured` holds the dice still in the game, in the order of the rows."""

    white: tuple[int, int]
    coloured: tuple[tuple[Colour, int], ...]

    def __post_init__(self) -> None:
        pips = [*self.white, *(n for _, n in self.coloured)]
        if len(self.white) != WHITE_DICE or not all(n in FACES for n in pips):
            raise NotationError(f"a roll is two white dice and coloured ones, each 1 to 6, got {pips}")
        colours = tuple(colour for colour, _ in self.coloured)
        if colours != tuple(c for c in COLOURS if c in colours):
            raise NotationError(f"a roll has each colour once, in the order of the rows, got {colours}")

    @classmethod
    def of(cls, white: tuple[int, int], coloured: Iterable[tuple[Colour, int]]) -> "Roll":
        """The roll with its coloured dice put in the order of the rows."""
        return cls(white, tuple(sorted(coloured, key=lambda die: COLOURS.index(die[0]))))

    @property
    def white_sum(self) -> int:
        return self.white[0] + self.white[1]

    @property
    def colours(self) -> frozenset[Colour]:
        return frozenset(colour for colour, _ in self.coloured)

    def sums(self, pips: int) -> tuple[int, ...]:
        """What a coloured die of that many pips makes with one white die: one or two numbers."""
        one, other = self.white
        if one == other:
            return (one + pips,)
        return (one + pips, other + pips) if one < other else (other + pips, one + pips)

    def __str__(self) -> str:
        return " ".join([*(f"W{n}" for n in self.white), *(f"{c.letter}{n}" for c, n in self.coloured)])

    @classmethod
    def parse(cls, text: str) -> "Roll":
        white: list[int] = []
        coloured: list[tuple[Colour, int]] = []
        for word in text.split():
            if len(word) != len("W1") or word[1] not in "123456":
                raise NotationError(f"a die is its colour letter and 1 to 6 such as W3, got {word!r}")
            if word[0] == "W":
                white.append(int(word[1]))
            else:
                coloured.append((colour_of(word[0]), int(word[1])))
        if len(white) != WHITE_DICE:
            raise NotationError(f"a roll has two white dice, got {len(white)} in {text!r}")
        if len({colour for colour, _ in coloured}) != len(coloured):
            raise NotationError(f"a roll has each coloured die once, got {text!r}")
        return cls.of((white[0], white[1]), coloured)
