"""A reading in English and as JSON, as `boxlid read` and a report of a picture tell it. Judges nothing."""

from collections.abc import Mapping, Sequence

from companion.words import DEFAULT, catalogues
from vision.reading import Outline, Problem, Reading, SeenDie


def told(reading: Reading) -> Mapping[str, object]:
    return {
        "certain": reading.certain,
        "problems": sentences(reading.problems),
        "lid": _ring(reading.lid),
        "place": _ring(reading.place),
        "milliseconds": round(reading.milliseconds, 1),
        "dice": [_die(die) for die in reading.dice],
    }


def sentences(problems: Sequence[Problem], where: str = "notice") -> list[str]:
    """As the pages say it to whoever reads English; `where` may have words of its own."""
    english = catalogues()[DEFAULT]
    return [english.problem(problem.kind, problem.colours, where) for problem in problems]


def _ring(corners: Outline | None) -> list[list[float]] | None:
    return None if corners is None else [[round(x, 1), round(y, 1)] for x, y in corners]


def _die(die: SeenDie) -> Mapping[str, object]:
    return {
        "colour": str(die.colour),
        "pips": die.pips,
        "x": round(die.x, 1),
        "y": round(die.y, 1),
        "size": round(die.size, 1),
        "confidence": round(die.confidence, 4),
        "doubtful": die.doubtful,
    }
