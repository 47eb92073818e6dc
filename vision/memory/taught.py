"""What confirmed rolls taught of a calibrated table, in a file beside the calibration; not how it is learnt.

Bounded in size and age, and of one calibration only: whatever cannot be read, or is of another, is forgotten.
"""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import isfinite
from pathlib import Path
from typing import cast
from zlib import crc32

from vision.memory.calibration import (
    Calibration,
    CalibrationError,
    CalibrationFault,
    DieSample,
    Lab,
    TaughtRoll,
    write_whole,
)
from vision.reading import ALL_SIX, DieColour

FORMAT = 1
MOST_ROLLS = 10
MOST_SECONDS = 12 * 3600.0  # an evening: tomorrow's light is another


@dataclass(frozen=True, slots=True)
class Taught:
    """The newest rolls of one calibration, oldest first."""

    rolls: tuple[TaughtRoll, ...] = ()

    def at(self, now: float) -> "Taught":
        """Without what is too old, or from a clock that was wrong."""
        return Taught(tuple(roll for roll in self.rolls if abs(now - roll.at) <= MOST_SECONDS)[-MOST_ROLLS:])

    def and_one(self, roll: TaughtRoll) -> "Taught":
        return Taught((*self.rolls, roll)).at(roll.at)


def place_of(calibration: Path) -> Path:
    return calibration.with_name(f"{calibration.stem}-taught.json")


def with_taught(calibration: Calibration, path: Path, now: float) -> Calibration:
    """The calibration kept there, with what rolls taught since."""
    return replace(calibration, taught=load(path, now).rolls)


def load(calibration: Path, now: float) -> Taught:
    """What was taught to the calibration kept there; nothing where that cannot be read."""
    try:
        values = json.loads(place_of(calibration).read_text(encoding="utf-8"))
        if values["format"] != FORMAT or values["calibration"] != _mark_of(calibration):
            return Taught()
        rolls = tuple(_roll(roll) for roll in values["rolls"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return Taught()
    return Taught(rolls).at(now)


def teach(calibration: Path, samples: tuple[DieSample, ...], now: float) -> Taught:
    """Keep one more roll; CalibrationError if the disk refuses."""
    taught = load(calibration, now).and_one(TaughtRoll(now, samples))
    try:
        content = {"format": FORMAT, "calibration": _mark_of(calibration), "rolls": _told(taught)}
        write_whole(place_of(calibration), json.dumps(content, indent=1).encode())
    except OSError as error:
        fault, path = CalibrationFault.DISK_FULL, place_of(calibration)
        raise CalibrationError(fault, path=path, why=str(error.strerror)) from error
    return taught


def forget(calibration: Path) -> None:
    """CalibrationError if the disk refuses."""
    try:
        place_of(calibration).unlink(missing_ok=True)
    except OSError as error:
        fault, path = CalibrationFault.NOT_DELETED, place_of(calibration)
        raise CalibrationError(fault, path=path, why=str(error.strerror)) from error


def _mark_of(calibration: Path) -> str:
    """Another calibration has another one."""
    return f"{crc32(calibration.read_bytes()):08x}"


def _told(taught: Taught) -> list[Mapping[str, object]]:
    return [
        {
            "at": roll.at,
            "dice": [
                {"colour": str(die.colour), "body": _lab(die.body), "pip": _lab(die.pip)} for die in roll.dice
            ],
        }
        for roll in taught.rolls
    ]


def _lab(colour: Lab) -> list[float]:
    return [round(float(v), 2) for v in (colour.lightness, colour.a, colour.b)]


def _roll(values: Mapping[str, object]) -> TaughtRoll:
    tables = cast(list[Mapping[str, object]], values["dice"])
    dice = tuple(
        DieSample(DieColour(str(die["colour"])), _colour(die["body"]), _colour(die["pip"])) for die in tables
    )
    at = float(cast(float, values["at"]))
    if Counter(die.colour for die in dice) - Counter(ALL_SIX) or not isfinite(at):
        raise ValueError("no roll of these dice")
    return TaughtRoll(at, dice)


def _colour(values: object) -> Lab:
    lightness, a, b = (float(v) for v in cast(list[float], values))
    if not all(isfinite(v) for v in (lightness, a, b)):
        raise ValueError("finite numbers are wanted")
    return Lab(lightness, a, b)
