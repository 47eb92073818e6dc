"""`boxlid learn`: a roll that people confirmed teaches a calibrated table. Judges nothing itself."""

import argparse
import time
from collections import Counter
from pathlib import Path

import cv2

from companion.commands.reading import calibration_in
from companion.process.command_error import CallFault, CommandError
from vision.calibration.teaching import Label, TeachingError, samples_of
from vision.image.picture import PictureError, open_picture
from vision.memory import taught
from vision.memory.calibration import is_complete
from vision.reading import ALL_SIX, DieColour

LEAST_DICE = 2  # the white ones are always in play


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("photo", nargs="?", type=Path, metavar="PHOTO", help="a picture of the roll")
    parser.add_argument(
        "--calibration", type=Path, metavar="FILE", required=True, help="what `boxlid calibrate` wrote"
    )
    parser.add_argument("--dice", metavar="DICE", help="the dice that lie there, as white=3,white=4,red=1")
    parser.add_argument("--forget", action="store_true", help="forget what rolls taught, and learn nothing")


def run(options: argparse.Namespace) -> int:
    cv2.setNumThreads(1)
    if options.forget:
        return _forget(options.calibration)
    if options.photo is None or options.dice is None:
        raise CommandError(CallFault.PICTURE_AND_DICE, 2)
    confirmed = named_dice(options.dice)
    calibration = calibration_in(options.calibration)
    assert calibration is not None
    if not is_complete(calibration.samples):
        raise CommandError(CallFault.INCOMPLETE, path=options.calibration)
    try:
        samples = samples_of(open_picture(options.photo).image, calibration, confirmed)
        known = taught.teach(options.calibration, samples, time.time())
    except PictureError as error:
        raise CommandError(CallFault.OTHER_PICTURE, reason=error.statement) from error
    except TeachingError as error:
        name, reason = options.photo.name, error.statement
        raise CommandError(CallFault.NOTHING_LEARNT, name=name, reason=reason) from error
    print(f"learnt: {', '.join(str(die.colour) for die in samples)}")
    print(f"kept in {taught.place_of(options.calibration)}, {len(known.rolls)} of {taught.MOST_ROLLS} rolls")
    return 0


def _forget(path: Path) -> int:
    calibration_in(path)
    taught.forget(path)
    print("forgotten: what rolls taught of this table; the calibration stays")
    return 0


def named_dice(text: str) -> tuple[Label, ...]:
    """The dice named by --dice, or CommandError if they are no part of a Qwixx set."""
    dice = []
    colours = {str(colour) for colour in ALL_SIX}
    for part in text.split(","):
        colour, _, pips = (word.strip().lower() for word in part.partition("="))
        if colour not in colours or pips not in set("123456"):
            raise CommandError(CallFault.DICE_FORM, 2, got=part)
        dice.append((DieColour(colour), int(pips)))
    for colour, surplus in (Counter(colour for colour, _ in dice) - Counter(ALL_SIX)).items():
        had = Counter(ALL_SIX)[colour]
        raise CommandError(CallFault.DICE_TOO_MANY, 2, count=had + surplus, colour=colour, had=had)
    if len(dice) < LEAST_DICE:
        raise CommandError(CallFault.DICE_TOO_FEW, 2)
    return tuple(dice)
