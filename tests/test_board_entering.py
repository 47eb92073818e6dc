"""A board as it is typed: every slip named by its space, and checked against the rule book's examples."""

from dataclasses import replace

import pytest

from companion.boards import house_board
from companion.boards.entering import EnteredBoard, Finding, Wrong, board_of, findings, is_board_name

HOUSE = house_board()
WHOLE = EnteredBoard.of(HOUSE)
ENTERED = replace(WHOLE, front=tuple("G9:16" if text == "G6:16" else text for text in WHOLE.front))
NOTHING = EnteredBoard("Ours", ("",) * 40, ("",) * 40)


def typed(number: int, text: str, base: EnteredBoard = ENTERED) -> EnteredBoard:
    """The board with one space of its front side typed differently."""
    return replace(base, front=(*base.front[: number - 1], text, *base.front[number:]))


def test_a_whole_board_forbids_nothing_and_is_the_board_it_was() -> None:
    assert [each for each in findings(WHOLE) if each.forbids] == []
    assert board_of(WHOLE) == HOUSE
    assert findings(ENTERED) == ()


def test_what_is_not_typed_yet_is_named_by_side_and_space() -> None:
    found = findings(NOTHING)
    empty = [(each.side, each.space) for each in found if each.kind is Wrong.EMPTY]
    assert empty == [(side, space) for side in ("front", "back") for space in range(1, 41)]
    assert all(each.forbids for each in found)


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        ("R13:4", Finding(Wrong.CELL, "front", 8, "R13")),
        ("Q4:4", Finding(Wrong.CELL, "front", 8, "Q4")),
        (f"R{'1' * 5000}:4", Finding(Wrong.CELL, "front", 8, f"R{'1' * 5000}")),
        ("Y4:21", Finding(Wrong.POINTS, "front", 8, "21", 4)),
        ("Y4:3", Finding(Wrong.POINTS, "front", 8, "3", 4)),
        ("Y4:", Finding(Wrong.POINTS, "front", 8, "", 4)),
        ("Y4:²", Finding(Wrong.POINTS, "front", 8, "²", 4)),
        ("R3:4", Finding(Wrong.TWICE, "front", 8, "R3", 2)),
    ],
)
def test_a_slip_is_named_with_its_space_and_with_what_goes_there(text: str, finding: Finding) -> None:
    assert findings(typed(8, text)) == (finding,)


def test_a_number_that_stands_twice_is_only_a_hint() -> None:
    hints = findings(typed(8, "R3:4"))
    assert [each.forbids for each in hints] == [False]
    assert board_of(typed(8, "R3:4")).front.cell(8) == HOUSE.front.cell(2)


def test_the_books_first_example_wants_green_10_on_the_fifth_space_of_either_side() -> None:
    other = typed(5, "G4:3")
    assert Finding(Wrong.EXAMPLE, space=5, got="G10") in findings(other)
    turned = EnteredBoard(other.name, other.back, ENTERED.front)
    assert Wrong.EXAMPLE not in [each.kind for each in findings(turned)]


def test_the_books_later_example_wants_a_green_7_that_a_move_of_four_reaches() -> None:
    found = findings(typed(9, "Y10:5"))
    assert found == (Finding(Wrong.EXAMPLE_LATER, space=4, got="G7"),)
    assert not found[0].forbids


def test_a_green_7_that_a_move_of_four_cannot_reach_is_not_that_of_the_example() -> None:
    too_early = typed(3, "G7:2", typed(9, "B11:5"))
    assert findings(too_early) == (Finding(Wrong.EXAMPLE_LATER, space=4, got="G7"),)
    assert findings(typed(4, "G7:2", typed(9, "Y2:5"))) == ()


def test_the_examples_are_not_asked_of_a_board_that_is_hardly_begun() -> None:
    kinds = {each.kind for each in findings(typed(5, "R4:3", NOTHING))}
    assert Wrong.EXAMPLE not in kinds
    half = typed(40, "", typed(9, "Y10:5"))
    assert Wrong.EXAMPLE_LATER not in {each.kind for each in findings(half)}


def test_a_side_has_forty_spaces() -> None:
    found = findings(replace(ENTERED, front=ENTERED.front[:39]))
    assert found == (Finding(Wrong.LENGTH, "front", got="39"),)
    assert found[0].forbids


@pytest.mark.parametrize(
    ("name", "good"),
    [
        *[("Ours", True), ("On Board, 2016", True), ("", False), (" Ours", False), ("a  b", False)],
        *[("x" * 40, True), ("x" * 41, False), ("Ours #2", False), ("a\nb", False)],
    ],
)
def test_a_boards_name_stands_on_one_line_of_its_file(name: str, good: bool) -> None:
    assert is_board_name(name) is good
    named = replace(ENTERED, name=name)
    assert (Wrong.NAME in [each.kind for each in findings(named)]) is not good
    if good:
        assert type(HOUSE).parse(str(board_of(named))).name == name
