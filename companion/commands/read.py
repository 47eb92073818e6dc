"""`boxlid read`: reads the dice in photographs and prints one answer a line. Owns no judgement of its own."""

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import cv2

from companion.commands import CommandError
from companion.reading_told import sentences, told
from vision.calibration import kept as calibrations
from vision.calibration.kept import Calibration, CalibrationError
from vision.image.picture import Picture, PictureError, open_picture
from vision.overlay import draw_overlay
from vision.reader import read_any, read_dice
from vision.reading import ALL_SIX, DieColour, Leaning, Reading


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("photos", nargs="+", type=Path, metavar="PHOTO")
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
    parser.add_argument("--overlay", type=Path, metavar="DIR", help="draw what was seen into pictures there")


def run(options: argparse.Namespace) -> int:
    cv2.setNumThreads(1)  # a reading is too small to share: more threads only wait for each other
    expected = None if options.any else expected_dice(options.expect)
    calibration = _calibration(options.calibration)
    if options.overlay is not None:
        _make_folder(options.overlay)
    unopened = 0
    for number, photo in enumerate(options.photos):
        try:
            picture = open_picture(photo)
        except PictureError as error:
            unopened += 1
            reading, problems = Reading(False), [f"Choose another picture: {error}."]
        else:
            reading = _read(picture, expected, calibration, Leaning(options.leaning))
            problems = sentences(reading.problems)
            if options.overlay is not None:
                _draw(picture, reading, problems, options.overlay / f"{number:03d}-{photo.stem}.png")
            reading = reading.enlarged(picture.scale)
        answer = as_json if options.json else as_text
        print(answer(photo, reading, problems), flush=True)
    return 1 if unopened else 0


def _read(
    picture: Picture,
    expected: Sequence[DieColour] | None,
    calibration: Calibration | None,
    leaning: Leaning,
) -> Reading:
    if expected is None:
        return read_any(picture.image)
    return read_dice(picture.image, expected, calibration, leaning)


def expected_dice(text: str | None) -> tuple[DieColour, ...]:
    """The dice named by --expect, or CommandError if they are no part of a Qwixx set."""
    if text is None:
        return ALL_SIX
    names = [name.strip().lower() for name in text.split(",")]
    known = {str(colour) for colour in ALL_SIX}
    for name in names:
        if name not in known:
            wanted = ",".join(str(colour) for colour in ALL_SIX)
            raise CommandError(f'--expect wants colours out of {wanted}, got "{name}"', exit_code=2)
    dice = tuple(DieColour(name) for name in names)
    for colour, surplus in (Counter(dice) - Counter(ALL_SIX)).items():
        had = Counter(ALL_SIX)[colour]
        raise CommandError(f"--expect names {had + surplus} {colour} dice, a set has {had}", exit_code=2)
    return dice


def _calibration(path: Path | None) -> Calibration | None:
    try:
        return None if path is None else calibrations.load(path)
    except CalibrationError as error:
        raise CommandError(str(error)) from error


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CommandError(f"cannot make the folder {folder}: {error.strerror}; choose another") from error


def _draw(picture: Picture, reading: Reading, problems: Sequence[str], path: Path) -> None:
    if not cv2.imwrite(str(path), draw_overlay(picture.image, reading, problems)):
        raise CommandError(f"cannot write {path}: choose another folder")


def as_json(photo: Path, reading: Reading, problems: Sequence[str]) -> str:
    """The answer as users script against it."""
    return json.dumps({"photo": str(photo), **told(reading), "problems": problems}, ensure_ascii=False)


def as_text(photo: Path, reading: Reading, problems: Sequence[str]) -> str:
    """The answer as a person reads it."""
    dice = ", ".join(f"{die.colour} {die.pips}" for die in reading.dice) or "no dice"
    if reading.certain:
        return f"{photo}: {dice}"
    return f"{photo}: not sure ({dice}). {' '.join(problems)}"
