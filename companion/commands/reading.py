"""What the commands that read dice have in common: their options, and the reading these ask for."""

import argparse
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

import cv2

from companion.process.command_error import CallFault, CommandError
from vision.image.arrays import Image
from vision.memory import calibration as calibrations
from vision.memory.calibration import Calibration
from vision.memory.taught import with_taught
from vision.reader import read_any, read_dice
from vision.reading import ALL_SIX, DieColour, Leaning, Reading


def add_reading_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.add_argument(
        "--leaning",
        choices=[rule.value for rule in Leaning],
        default=Leaning.AS_IT_LIES.value,
        help="the rule of the house for a die that leans",
    )
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--expect", metavar="COLOURS", help="the dice in play, as white,white,red,yellow,green,blue (default)"
    )
    which.add_argument("--any", action="store_true", help="read whatever six-sided dice there are")
    parser.add_argument("--calibration", type=Path, metavar="FILE", help="what `boxlid calibrate` wrote")


def reader_of(options: argparse.Namespace, calibration: Calibration | None) -> Callable[[Image], Reading]:
    """How these options want a picture read; CommandError for dice that are in no set."""
    cv2.setNumThreads(1)  # a reading is too small to share: more threads only wait for each other
    if options.any:
        return read_any
    expected = expected_dice(options.expect)
    return partial(read_dice, expected=expected, calibration=calibration, leaning=Leaning(options.leaning))


def expected_dice(text: str | None) -> tuple[DieColour, ...]:
    """The dice named by --expect, or CommandError if they are no part of a Qwixx set."""
    if text is None:
        return ALL_SIX
    names = [name.strip().lower() for name in text.split(",")]
    known = {str(colour) for colour in ALL_SIX}
    for name in names:
        if name not in known:
            wanted = ",".join(str(colour) for colour in ALL_SIX)
            raise CommandError(CallFault.EXPECT_COLOUR, 2, wanted=wanted, got=name)
    dice = tuple(DieColour(name) for name in names)
    for colour, surplus in (Counter(dice) - Counter(ALL_SIX)).items():
        had = Counter(ALL_SIX)[colour]
        raise CommandError(CallFault.EXPECT_TOO_MANY, 2, count=had + surplus, colour=colour, had=had)
    return dice


def calibration_in(path: Path | None) -> Calibration | None:
    """The calibration in that file, with what rolls taught since; CalibrationError if it cannot be read."""
    return None if path is None else with_taught(calibrations.load(path), path, time.time())
