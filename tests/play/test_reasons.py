"""Each reason is given where it is true, and its sentence says what decided, in every language."""

import pytest

from companion.game.states import GameState
from companion.play.advice import Moment, Weighed, weigh
from companion.play.reasons import Reason, Why, reason
from companion.play.sentences import sentence
from companion.rules import Cell, Roll, Sheet
from companion.words import catalogues


def moment(
    sheets: str, roll: str, seat: int = 0, action: int = 1, *, crossed: bool = False, active: int = 0
) -> Moment:
    """Sheets one after the other, divided by /."""
    found = tuple(Sheet.parse(text.strip()) for text in sheets.split("/"))
    closed = frozenset().union(*[sheet.locks for sheet in found])
    return Moment.of_state(GameState(found, Roll.parse(roll), active, closed), seat, action, crossed=crossed)


def best(cell: str | None, *others: str | None) -> list[Weighed]:
    """Choices as if weighed: the first is the best by far."""
    cells = [cell, *others]
    return [
        Weighed(None if text is None else Cell.parse(text), 60.0 - 5 * place, 0, 0.5, 60.0 - 5 * place)
        for place, text in enumerate(cells)
    ]


GIVEN = {
    Why.ENDS_AHEAD: (
        moment("R2 R3 R4 R5 R6 R7 R8 Y2 Y3 Y4 Y5 Y6 Y12 / empty", "W6 W6 R1 G1 B1"),
        best("R12", None),
        Reason(Why.ENDS_AHEAD, Cell.parse("R12"), Cell.parse("R12").colour, count=73),
    ),
    Why.CLOSES: (
        moment("R2 R3 R4 R5 R6 / empty", "W6 W6 R1 Y1 G1 B1"),
        best("R12", None),
        Reason(Why.CLOSES, Cell.parse("R12"), Cell.parse("R12").colour, count=13),
    ),
    Why.MISTHROW: (
        moment("empty / empty", "W1 W2 R5 Y6 G6 B6", action=2),
        best("R7", None),
        Reason(Why.MISTHROW, Cell.parse("R7")),
    ),
    Why.FIFTH: (
        moment("R2 R3 R4 R5 / empty", "W3 W3 R6 Y1 G1 B1"),
        best("R6", None),
        Reason(Why.FIFTH, Cell.parse("R6"), Cell.parse("R6").colour, count=5),
    ),
    Why.CLOSING: (
        moment("R2 / R2 R3 R4 R5 R6", "W3 W3 R6 Y1 G1 B1"),
        best("R6", None),
        Reason(Why.CLOSING, Cell.parse("R6"), Cell.parse("R6").colour),
    ),
    Why.RARE: (
        moment("empty / empty", "W1 W1 R6 Y1 G1 B1"),
        best("R2", None),
        Reason(Why.RARE, Cell.parse("R2"), count=1),
    ),
    Why.NO_SKIP: (
        moment("R2 R3 R4 R5 R6 / empty", "W3 W4 R6 Y1 G1 B1"),
        best("R7", None),
        Reason(Why.NO_SKIP, Cell.parse("R7"), Cell.parse("R7").colour),
    ),
    Why.FEWEST_SKIPS: (
        moment("R2 / empty", "W2 W2 R6 Y1 G1 B1"),
        best("R4", None, "Y4"),
        Reason(Why.FEWEST_SKIPS, Cell.parse("R4"), Cell.parse("R4").colour, count=1),
    ),
    Why.WORTH: (
        moment("empty / empty", "W4 W4 R6 Y1 G1 B1", seat=1),
        best("R8", None, "Y8"),
        Reason(Why.WORTH, Cell.parse("R8"), points=5.0),
    ),
    Why.ONLY_PASS: (moment("G11 B11 / empty", "W6 W6 R1 Y1 G1 B1"), best(None), Reason(Why.ONLY_PASS)),
    Why.PASS_BEHIND: (
        moment("Y2 Y3 Y4 Y5 Y6 / R2 R3 R4 R5 R6 R7 R8 R9 R12 G12", "W6 W6 Y1 G1 B1", seat=0, active=1),
        best(None, "Y12"),
        Reason(Why.PASS_BEHIND, Cell.parse("Y12"), Cell.parse("Y12").colour, count=28),
    ),
    Why.PASS_SECOND: (
        moment("empty / empty", "W4 W4 R6 Y1 G6 B1"),
        best(None, "R8"),
        Reason(Why.PASS_SECOND, Cell.parse("G10")),
    ),
    Why.PASS_SKIPS: (
        moment("empty / empty", "W4 W4 R6 Y6 G6 B6", seat=1),
        best(None, "R8", "G8"),
        Reason(Why.PASS_SKIPS, count=4),
    ),
    Why.PASS_WORTH: (
        moment("empty / empty", "W1 W2 R6 Y6 G1 B1", seat=1),
        best(None, "R3"),
        Reason(Why.PASS_WORTH, Cell.parse("R3"), points=5.0),
    ),
}


@pytest.mark.parametrize(("asked", "choices", "wanted"), GIVEN.values(), ids=GIVEN)
def test_a_reason_is_given_where_it_is_true(asked: Moment, choices: list[Weighed], wanted: Reason) -> None:
    assert reason(asked, choices) == wanted


@pytest.mark.parametrize("why", Why)
@pytest.mark.parametrize("language", catalogues())
def test_every_reason_has_a_sentence_in_every_language(why: Why, language: str) -> None:
    said = sentence(Reason(why, Cell.parse("R7"), Cell.parse("R7").colour, 2, 1.5), catalogues()[language])
    assert said[0].isupper()
    assert said.endswith(".")
    assert "{" not in said


@pytest.mark.parametrize("why", [Why.ENDS_AHEAD, Why.PASS_BEHIND])
def test_who_is_ahead_is_no_reason_where_scores_are_hidden(why: Why) -> None:
    asked, choices, _ = GIVEN[why]
    assert reason(asked, choices, scores_hidden=True).why not in (Why.ENDS_AHEAD, Why.PASS_BEHIND)


def test_where_no_move_is_possible_none_would_cost_anything() -> None:
    only = [Weighed(None, 60.0, 0, 0.5, 60.0)]
    asked = moment("empty / empty", "W1 W1 R6 Y1 G1 B1", action=3)
    assert reason(asked, only).why is Why.ONLY_PASS
    assert reason(asked, [*only, Weighed(Cell.parse("R7"), 55.0, 0, 0.5, 55.0, 3)]).why is Why.STAYS


def test_one_is_said_otherwise_than_several() -> None:
    words = catalogues()["de"]
    said = [sentence(Reason(Why.FEWEST_SKIPS, Cell.parse("R4"), count=count), words) for count in (1, 2)]
    assert said[0].startswith("Du lässt nur eine Zahl aus")
    assert said[1].startswith("Du lässt nur 2 Zahlen aus")


def test_a_chance_is_the_reason_where_points_say_the_opposite() -> None:
    choices = [
        Weighed(Cell.parse("R8"), 60.0, 0, 0.61, 61.0),
        Weighed(None, 61.0, 0, 0.5, 60.0),
        Weighed(Cell.parse("Y8"), 50.0, 0, 0.4, 50.0),
    ]
    asked = moment("empty / empty", "W4 W4 R6 Y1 G1 B1", seat=1)
    assert reason(asked, choices) == Reason(Why.WINS, Cell.parse("R8"), count=11)


def test_a_misthrow_is_no_reason_once_something_is_crossed() -> None:
    asked = moment("empty / empty", "W1 W2 R5 Y6 G6 B6", action=2, crossed=True)
    assert reason(asked, best("R7", None)).why is not Why.MISTHROW


def test_what_is_weighed_is_best_first() -> None:
    choices = weigh(moment("R2 R3 / empty", "W2 W2 R6 Y1 G1 B1"))
    assert [choice.worth for choice in choices] == sorted((c.worth for c in choices), reverse=True)
