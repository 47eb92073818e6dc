"""`boxlid read`: reads the dice in photographs and prints one answer a line. Owns no judgement of its own."""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

import cv2

from companion.commands.reading import add_reading_arguments, calibration_in, reader_of
from companion.process.command_error import CallFault, CommandError
from companion.sight.reading_told import sentences, told
from companion.words import english
from vision.image.picture import Picture, PictureError, open_picture
from vision.overlay import draw_overlay
from vision.reading import Reading


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("photos", nargs="+", type=Path, metavar="PHOTO")
    add_reading_arguments(parser)
    parser.add_argument("--overlay", type=Path, metavar="DIR", help="draw what was seen into pictures there")


def run(options: argparse.Namespace) -> int:
    read = reader_of(options, calibration_in(options.calibration))
    if options.overlay is not None:
        _make_folder(options.overlay)
    unopened = 0
    for number, photo in enumerate(options.photos):
        try:
            picture = open_picture(photo)
        except PictureError as error:
            unopened += 1
            reading, problems = Reading(False), [f"Choose another picture: {english(error)}."]
        else:
            reading = read(picture.image)
            problems = sentences(reading.problems)
            if options.overlay is not None:
                _draw(picture, reading, problems, options.overlay / f"{number:03d}-{photo.stem}.png")
            reading = reading.enlarged(picture.scale)
        answer = as_json if options.json else as_text
        print(answer(photo, reading, problems), flush=True)
    return 1 if unopened else 0


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CommandError(CallFault.NO_FOLDER, folder=folder, why=str(error.strerror)) from error


def _draw(picture: Picture, reading: Reading, problems: Sequence[str], path: Path) -> None:
    if not cv2.imwrite(str(path), draw_overlay(picture.image, reading, problems)):
        raise CommandError(CallFault.NO_PICTURE_WRITTEN, path=path)


def as_json(photo: Path, reading: Reading, problems: Sequence[str]) -> str:
    """The answer as users script against it."""
    return json.dumps({"photo": str(photo), **told(reading), "problems": problems}, ensure_ascii=False)


def as_text(what: object, reading: Reading, problems: Sequence[str]) -> str:
    """The answer as a person reads it."""
    dice = ", ".join(f"{die.colour} {die.pips}" for die in reading.dice) or "no dice"
    if reading.certain:
        return f"{what}: {dice}"
    return f"{what}: not sure ({dice}). {' '.join(problems)}"
