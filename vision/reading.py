"""What a reading of the lid is: dice seen, and problems by their kind. Owns no pixels, and no words.

>>> from vision.reading import DieColour, Problem, ProblemKind, Reading
>>> reading = Reading(certain=False, problems=(Problem(ProblemKind.DIE_MISSING, (DieColour.RED,)),))
>>> [(str(problem.kind), *map(str, problem.colours)) for problem in reading.problems]
[('die-missing', 'red')]
>>> Reading(certain=True, place=((0, 0), (400, 0), (400, 300), (0, 300))).lid
((0, 0), (400, 0), (400, 300), (0, 300))
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum

Point = tuple[float, float]
Corners = tuple[Point, Point, Point, Point]
Outline = tuple[Point, ...]  # three corners or more, going round


class DieColour(StrEnum):
    """The body colours a reader can name; the last two are in no Qwixx box."""

    WHITE = "white"
    RED = "red"
    YELLOW = "yellow"
    GREEN = "green"
    BLUE = "blue"
    BLACK = "black"
    OTHER = "other"


ALL_SIX = (
    DieColour.WHITE,
    DieColour.WHITE,
    DieColour.RED,
    DieColour.YELLOW,
    DieColour.GREEN,
    DieColour.BLUE,
)


class Leaning(StrEnum):
    """The house rule for a die that leans: read as far as everybody sees its number, or never."""

    AS_IT_LIES = "as-it-lies"
    ROLLED_AGAIN = "rolled-again"


class ProblemKind(StrEnum):
    """Why a reading is not certain, or a table not learnt. Who shows it words it."""

    NO_PICTURE = "no-picture"  # it cannot be opened or decoded
    TOO_DARK = "too-dark"
    BLINDED = "blinded"
    OUT_OF_FOCUS = "out-of-focus"
    HAND = "hand"
    MOVING = "moving"
    NO_DICE = "no-dice"
    NO_LID = "no-lid"
    LID_MOVED = "lid-moved"
    LID_NOT_EMPTY = "lid-not-empty"
    DIE_MISSING = "die-missing"
    DIE_APART = "die-apart"
    DIE_EXTRA = "die-extra"
    DIE_NOT_IN_PLAY = "die-not-in-play"
    DIE_LEANS = "die-leans"
    DIE_STACKED = "die-stacked"
    PIPS_DOUBTFUL = "pips-doubtful"
    COLOUR_DOUBTFUL = "colour-doubtful"
    COLOURS_ALIKE = "colours-alike"  # a warning: this lamp makes them hard to tell apart
    SIZES_DIFFER = "sizes-differ"  # two pictures that should be of one camera
    CAMERA = "camera"


@dataclass(frozen=True, slots=True)
class Problem:
    """One reason to look again or to ask, and the colours of the dice it is about."""

    kind: ProblemKind
    colours: tuple[DieColour, ...] = ()


@dataclass(frozen=True, slots=True)
class SeenDie:
    """One die as seen: x, y is the centre of its top face and size that face's edge, in picture pixels.

    A `doubtful` one is to be asked for. That is decided here and nowhere else: `confidence` is only told.
    """

    colour: DieColour
    pips: int
    x: float
    y: float
    size: float
    confidence: float
    corners: Corners | None = None
    doubtful: bool = False

    @property
    def outline(self) -> Corners:
        """The corners of its top face; an upright square of its size where they are not known."""
        half, x, y = self.size / 2, self.x, self.y
        return self.corners or (
            (x - half, y - half),
            (x + half, y - half),
            (x + half, y + half),
            (x - half, y + half),
        )


@dataclass(frozen=True, slots=True)
class Stage:
    """One step of a reading and how long it took."""

    name: str
    milliseconds: float


@dataclass(frozen=True, slots=True)
class Reading:
    """The answer to one picture: certain only if exactly the expected dice lie flat and each was read."""

    certain: bool
    dice: tuple[SeenDie, ...] = ()
    problems: tuple[Problem, ...] = ()
    place: Outline | None = (
        None  # what the dice lie in: a lid, a tray, a mat; None if nothing is seen round them
    )
    milliseconds: float = 0.0
    stages: tuple[Stage, ...] = ()

    @property
    def lid(self) -> Corners | None:
        """The place's four corners if it is a rectangle."""
        if self.place is None or len(self.place) != 4:
            return None
        a, b, c, d = self.place
        return a, b, c, d

    def enlarged(self, scale: float) -> "Reading":
        """The same reading in pixels of a picture that is `scale` times as large."""
        # the middle of the first pixel is (0, 0) at any size
        return self._mapped(lambda x, y: ((x + 0.5) * scale - 0.5, (y + 0.5) * scale - 0.5), scale)

    def seen_from(self, left: int, top: int) -> "Reading":
        """The same reading in pixels of a part of the picture that begins there."""
        return self._mapped(lambda x, y: (x - left, y - top))

    def carried(self, point: Callable[[float, float], Point]) -> "Reading":
        """The same reading in pixels of another view, where no two dice may be of one size."""
        carried = self._mapped(point)
        return replace(carried, dice=tuple(replace(die, size=_edge_of(die.outline)) for die in carried.dice))

    def _mapped(self, point: Callable[[float, float], Point], scale: float = 1.0) -> "Reading":
        def ring(corners: Corners | None) -> Corners | None:
            if corners is None:
                return None
            a, b, c, d = (point(*corner) for corner in corners)
            return a, b, c, d

        dice = []
        for die in self.dice:
            x, y = point(die.x, die.y)
            dice.append(replace(die, x=x, y=y, size=die.size * scale, corners=ring(die.corners)))
        place = None if self.place is None else tuple(point(*corner) for corner in self.place)
        return replace(self, dice=tuple(dice), place=place)


def _edge_of(ring: Corners) -> float:
    """The edge of a square of the same area."""
    (a, b), (c, d), (e, f), (g, h) = ring
    return math.sqrt(abs((e - a) * (h - d) - (g - c) * (f - b)) / 2)
