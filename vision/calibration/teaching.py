"""What a roll that people confirmed teaches of a calibrated table; says why where it teaches nothing."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from boxlid.errors import BoxlidError, StatementKind
from vision.calibration.learning import measure_colours
from vision.image.arrays import Image
from vision.memory.calibration import Calibration, DieSample
from vision.place.aligning import align
from vision.reader import read_dice
from vision.reading import DieColour, SeenDie

SAME_SHAPE = 0.02  # by which width to height of two pictures of one camera may differ
SAME_SIZE = (0.7, 1.45)  # of a die against the calibrated: at the lid's near and far end too

Label = tuple[DieColour, int]


class TeachingFault(StatementKind):
    """Why a picture teaches nothing."""

    OTHER_CAMERA = "teaching.other-camera"
    OTHER_TABLE = "teaching.other-table"
    OTHER_SIZE = "teaching.other-size"
    OTHER_NUMBER = "teaching.other-number"
    NOT_NAMED = "teaching.not-named"


class TeachingError(BoxlidError):
    """A picture teaches nothing."""


def samples_of(image: Image, known: Calibration, confirmed: Sequence[Label]) -> tuple[DieSample, ...]:
    """The dice that lie there, as they look now. TeachingError if they are others, or at another table."""
    height, width = image.shape[:2]
    if abs(width / height * known.height / known.width - 1) > SAME_SHAPE:
        size, wanted = f"{width}x{height}", f"{known.width}x{known.height}"
        raise TeachingError(TeachingFault.OTHER_CAMERA, size=size, wanted=wanted)
    here = known.scaled(width, height)
    if here.lid is not None and align(image, here) is None:
        raise TeachingError(TeachingFault.OTHER_TABLE)
    reading = read_dice(image, [colour for colour, _ in confirmed], known)
    sizes = [die.size / here.die_edge for die in reading.dice]
    if sizes and not SAME_SIZE[0] < float(np.median(sizes)) < SAME_SIZE[1]:
        raise TeachingError(TeachingFault.OTHER_SIZE)
    return measured(image, labelled(reading.dice, confirmed))


def measured(image: Image, dice: Sequence[SeenDie]) -> tuple[DieSample, ...]:
    """Each die as this light shows it."""
    return tuple(
        DieSample(die.colour, *measure_colours(image, np.array(die.outline, np.float32))) for die in dice
    )


def labelled(seen: Sequence[SeenDie], confirmed: Sequence[Label]) -> tuple[SeenDie, ...]:
    """The dice by the colours and numbers that people said they have.

    What was read for sure has to be among these. A doubtful die is told by what the others leave; where that
    may be several, it is left out.
    """
    if len(seen) != len(confirmed):
        found = _found(seen)
        raise TeachingError(TeachingFault.OTHER_NUMBER, n=len(seen), named=len(confirmed), found=found)
    left = Counter(confirmed)
    named: list[SeenDie] = []
    for die in seen:
        if not die.doubtful:
            if not left[die.colour, die.pips]:
                raise TeachingError(TeachingFault.NOT_NAMED, die=_die(die), found=_found(seen))
            left[die.colour, die.pips] -= 1
            named.append(die)
    rest: list[SeenDie] = []
    for die in seen:
        if not die.doubtful:
            continue
        if left[die.colour, die.pips]:
            left[die.colour, die.pips] -= 1
            named.append(die)
        else:
            rest.append(die)
    if len(rest) == 1:
        ((colour, pips),) = left.elements()
        named.append(replace(rest[0], colour=colour, pips=pips))
    return tuple(named)


def _found(seen: Sequence[SeenDie]) -> str:
    """As `boxlid learn` is told of dice; a doubtful one has a question mark."""
    return ",".join(f"{_die(die)}{'?' if die.doubtful else ''}" for die in seen) or "-"


def _die(die: SeenDie) -> str:
    return f"{die.colour}={die.pips}"
