"""What a roll that people confirmed teaches of a calibrated table; says in words why it teaches nothing."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.calibration.learning import measure_colours
from vision.image.arrays import Image
from vision.memory.calibration import Calibration, DieSample
from vision.place.aligning import align
from vision.reader import read_dice
from vision.reading import DieColour, SeenDie

SAME_SHAPE = 0.02  # by which width to height of two pictures of one camera may differ
SAME_SIZE = (0.7, 1.45)  # of a die against the calibrated: at the lid's near and far end too

Label = tuple[DieColour, int]


class TeachingError(Exception):
    """A picture teaches nothing: what was wanted and what was got, in one sentence."""


def samples_of(image: Image, known: Calibration, confirmed: Sequence[Label]) -> tuple[DieSample, ...]:
    """The dice that lie there, as they look now. TeachingError if they are others, or at another table."""
    height, width = image.shape[:2]
    if abs(width / height * known.height / known.width - 1) > SAME_SHAPE:
        raise TeachingError(
            f"a picture of {width} by {height} pixels is of another camera than the calibration, "
            f"which has {known.width} by {known.height}"
        )
    here = known.scaled(width, height)
    if here.lid is not None and align(image, here) is None:
        raise TeachingError("the picture shows another table: the calibrated place is not in it")
    reading = read_dice(image, [colour for colour, _ in confirmed], known)
    sizes = [die.size / here.die_edge for die in reading.dice]
    if sizes and not SAME_SIZE[0] < float(np.median(sizes)) < SAME_SIZE[1]:
        raise TeachingError("the picture shows another table: its dice are of another size")
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
        raise TeachingError(f"{len(seen)} dice are seen, and {len(confirmed)} are named: {_told(seen)}")
    left = Counter(confirmed)
    named: list[SeenDie] = []
    for die in seen:
        if not die.doubtful:
            if not left[die.colour, die.pips]:
                raise TeachingError(f"{die.colour} {die.pips} is seen, and not named: {_told(seen)}")
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


def _told(seen: Sequence[SeenDie]) -> str:
    dice = ", ".join(f"{die.colour} {die.pips}{' (doubtful)' if die.doubtful else ''}" for die in seen)
    return f"the picture shows {dice or 'no dice'}"
