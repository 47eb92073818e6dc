"""What confirmed rolls may change of a reading's colours: a doubt, and never what was named surely."""

from vision.colour.bodies import Assignment
from vision.judgement.judge import COLOUR_SURE


def surer(first: Assignment, taught: Assignment) -> Assignment:
    """The colours as taught where that only settles doubts of the first naming; else those of the first."""
    sure = [chance >= COLOUR_SURE for chance in first.chances]
    pairs = zip(sure, first.colours, taught.colours, strict=True)
    if not taught.expected or any(was_sure and one is not other for was_sure, one, other in pairs):
        return first
    parts = zip(sure, first.chances, taught.chances, strict=True)
    chances = tuple(one if was_sure else other for was_sure, one, other in parts)
    return Assignment(taught.colours, chances, taught.expected)
