"""A reading as JSON, as `boxlid read --json` and a report of a picture tell it. Judges nothing."""

from collections.abc import Mapping

from vision.reading import Reading, SeenDie


def told(reading: Reading) -> Mapping[str, object]:
    return {
        "certain": reading.certain,
        "problems": [problem.text for problem in reading.problems],
        "lid": None if reading.lid is None else [[round(x, 1), round(y, 1)] for x, y in reading.lid],
        "milliseconds": round(reading.milliseconds, 1),
        "dice": [_die(die) for die in reading.dice],
    }


def _die(die: SeenDie) -> Mapping[str, object]:
    return {
        "colour": str(die.colour),
        "pips": die.pips,
        "x": round(die.x, 1),
        "y": round(die.y, 1),
        "size": round(die.size, 1),
        "confidence": round(die.confidence, 4),
    }
