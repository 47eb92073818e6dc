"""The sheet: what may be crossed, why not, and the score, from the books' tables and from both sides."""

import pytest

from companion.rules import (
    CLASSIC,
    LAYOUTS,
    MIXX_A,
    MIXX_B,
    POINTS,
    Cell,
    Colour,
    IllegalCrossError,
    NotationError,
    Roll,
    RuleError,
    Sheet,
    Why,
)
from tests.playing import cells, roll, seated

FIVE_RED = "R2 R3 R4 R5 R6"


def why(sheet: str, cell: str, closed: frozenset[Colour] = frozenset()) -> str:
    return str(Sheet.parse(sheet).why_not(Cell.parse(cell), closed))


def test_an_empty_sheet_offers_a_number_in_every_colour() -> None:
    assert Sheet().legal(7) == cells("R7 Y7 G7 B7")


def test_the_last_number_of_an_empty_row_is_not_offered() -> None:
    assert Sheet().legal(12) == cells("G12 B12")
    assert Sheet().legal(2) == cells("R2 Y2")


@pytest.mark.parametrize(
    ("sheet", "number", "offered"),
    [
        ("R5 R7", 6, "Y6 G6 B6"),
        ("R5 R7", 7, "Y7 G7 B7"),
        ("R5 R7", 8, "R8 Y8 G8 B8"),
        ("Y10", 11, "R11 Y11 G11 B11"),
        ("Y10", 10, "R10 G10 B10"),
        ("G6", 7, "R7 Y7 B7"),
        ("G6", 5, "R5 Y5 G5 B5"),
        ("B10", 9, "R9 Y9 G9 B9"),
        ("B10", 11, "R11 Y11 G11"),
    ],
)
def test_numbers_are_crossed_from_left_to_right(sheet: str, number: int, offered: str) -> None:
    assert Sheet.parse(sheet).legal(number) == cells(offered)


def test_the_last_number_needs_five_crosses_before_it() -> None:
    four, five = Sheet.parse("R2 R3 R4 R5"), Sheet.parse(FIVE_RED)
    red12 = Cell.parse("R12")
    assert not four.allows(red12)
    assert red12 not in four.legal(12)
    assert why("R2 R3 R4 R5", "R12") == "R12 needs five crosses, has four"
    assert five.allows(red12)
    assert red12 in five.legal(12)
    assert five.why_not(red12) is None


def test_crossing_the_last_number_crosses_the_lock_in_the_same_step() -> None:
    before = Sheet.parse(FIVE_RED)
    after = before.cross(Cell.parse("R12"))
    assert after.locks == {Colour.RED}
    assert before.locks == frozenset()
    assert after.row_points()[0] == POINTS[7]  # five, the twelve, and the lock


def test_a_row_that_others_closed_takes_no_more_crosses_but_keeps_its_points() -> None:
    sheet, closed = Sheet.parse(FIVE_RED), frozenset({Colour.RED})
    assert sheet.legal(8, closed) == cells("Y8 G8 B8")
    assert why(FIVE_RED, "R8", closed) == "R8: red is locked"
    assert sheet.score == 15
    with pytest.raises(IllegalCrossError, match=r"R8: red is locked in "):
        sheet.cross(Cell.parse("R8"), closed)


@pytest.mark.parametrize(
    ("sheet", "cell", "reason"),
    [
        ("R7", "R5", "R5 is not right of R7"),
        ("G12 G7", "G9", "G9 is not right of G7"),
        ("R7", "R7", "R7 is crossed already"),
        ("empty", "R12", "R12 needs five crosses, has no"),
        (f"{FIVE_RED} R12", "R9", "R9 is not right of R12"),
    ],
)
def test_a_refusal_says_why(sheet: str, cell: str, reason: str) -> None:
    assert why(sheet, cell) == reason


def test_an_illegal_cross_names_the_sheet_it_was_meant_for() -> None:
    with pytest.raises(IllegalCrossError) as caught:
        Sheet.parse("G12 G7").cross(Cell.parse("G9"))
    assert str(caught.value) == 'illegal cross: G9 is not right of G7 in "G12 G7"'
    assert caught.value.refusal.why is Why.NOT_RIGHT_OF


def test_a_cell_that_is_not_printed_is_refused_as_such() -> None:
    # Every printed sheet has all 44 cells; a smaller one is only possible by hand.
    assert Sheet(MIXX_A).why_not(Cell.parse("R7")) is None
    assert Sheet().why_not(Cell(Colour.RED, 13)) is not None
    assert str(Sheet().why_not(Cell(Colour.RED, 13))) == "R13 is not on the sheet"


def test_two_dice_make_one_or_two_numbers_in_the_colour_of_the_coloured_die() -> None:
    roll = Roll.parse("W4 W1 R2 Y2 G6 B6")
    assert Sheet().legal_pairs(roll) == cells("R3 R6 Y3 Y6 G7 G10 B7 B10")
    assert Sheet().legal_pairs(Roll.parse("W4 W4 R2 Y2 G6 B6")) == cells("R6 Y6 G10 B10")


def test_two_dice_make_nothing_in_a_closed_row_or_without_its_die() -> None:
    roll = Roll.parse("W4 W1 R2 Y2")
    assert Sheet().legal_pairs(roll) == cells("R3 R6 Y3 Y6")
    assert Sheet().legal_pairs(roll, frozenset({Colour.RED})) == cells("Y3 Y6")


def test_two_dice_may_close_a_row_with_five_crosses_and_not_with_four() -> None:
    roll = Roll.parse("W6 W1 R6")
    assert Sheet.parse(FIVE_RED).legal_pairs(roll) == cells("R7 R12")
    assert Sheet.parse("R2 R3 R4 R5").legal_pairs(roll) == cells("R7")


@pytest.mark.parametrize("crosses", range(13))
def test_a_row_of_n_crosses_is_worth_the_points_of_the_book(crosses: int) -> None:
    book = (0, 1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 66, 78)
    assert POINTS[crosses] == book[crosses]


def test_the_highest_score_is_312() -> None:
    full = " ".join(str(cell) for row in CLASSIC.rows for cell in row.cells)
    assert Sheet.parse(full).score == 312


def test_the_books_example_scores_70() -> None:
    red, yellow = "R2 R3 R4 R5", "Y2 Y3 Y4"
    green, blue = "G12 G11 G10 G9 G8 G7 G6", "B12 B11 B10 B9 B8 B7 B6 B5"
    sheet = Sheet.parse(f"{red} {yellow} {green} {blue} M2")
    assert sheet.row_points() == (10, 6, 28, 36)
    assert sheet.score == 70


def test_a_misthrow_costs_five_and_there_are_four_boxes() -> None:
    sheet = Sheet()
    for n in range(1, 5):
        sheet = sheet.mark_misthrow()
        assert sheet.score == -5 * n
    with pytest.raises(RuleError, match="all 4 misthrows are marked"):
        sheet.mark_misthrow()


@pytest.mark.parametrize("text", ["empty", "R2 R5 G12", "M3", "R2 M1", "mixx-a: Y2 R2 M2", "mixx-b: R10"])
def test_a_sheet_reads_back_what_it_writes(text: str) -> None:
    assert str(Sheet.parse(text)) == text.replace("mixx-b: R10", "mixx-b: R10")
    assert Sheet.parse(str(Sheet.parse(text))) == Sheet.parse(text)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("R2 R1", "a cell's number is 2 to 12, got 'R1'"),
        ("Q2", "a colour letter is one of R Y G B, got 'Q'"),
        ("R2 R2", "R2 is crossed already"),
        ("R2 R3 R4 R5 R12", "R12 needs five crosses, has four"),
        ("M5", "misthrows are M1 to M4, got 'M5' in 'M5'"),
        ("R02", "a cell is a colour letter and a number such as R7, got 'R02'"),
        ("R٣", "a cell is a colour letter and a number such as R7, got 'R٣'"),
        ("mixx-c: R2", f"a sheet is one of {', '.join(LAYOUTS)}, got 'mixx-c'"),
    ],
)
def test_a_text_that_is_no_sheet_says_what_is_wrong(text: str, complaint: str) -> None:
    with pytest.raises((NotationError, RuleError)) as caught:
        Sheet.parse(text)
    assert complaint in str(caught.value)


def test_in_mixx_a_closing_takes_the_die_of_the_lock_but_other_cells_of_that_colour_stay_open() -> None:
    # The first row is locked red: its cells are yellow, blue, green and red.
    closed = frozenset({Colour.RED})
    sheet = Sheet(MIXX_A)
    assert not sheet.allows(Cell.parse("Y2"), closed)  # a yellow cell of the closed row
    assert sheet.allows(Cell.parse("R2"), closed)  # a red cell of an open row, by the white sum
    assert Cell.parse("R2") in sheet.legal(2, closed)
    assert Cell.parse("R2") not in sheet.legal_pairs(Roll.parse("W1 W1 Y1 G1 B1"), closed)
    assert sheet.why_not(Cell.parse("Y2"), closed) is not None
    assert str(sheet.why_not(Cell.parse("Y2"), closed)) == "Y2: red is locked"


def test_mixx_rows_run_as_printed() -> None:
    a = Sheet.parse("mixx-a: Y2 Y3 B5 B6 G8")
    assert a.allows(Cell.parse("R12"))
    assert a.cross(Cell.parse("R12")).locks == {Colour.RED}
    b = Sheet(MIXX_B).cross(Cell.parse("R12"))  # in the middle of Mixx B's red row
    assert b.locks == frozenset()
    assert not b.allows(Cell.parse("R2"))
    assert b.allows(Cell.parse("R5"))


def test_an_action_beside_the_choices_is_no_misthrow_yet() -> None:
    rolled = roll(seated("empty"), (3, 4))
    assert not rolled.passing_is_misthrow  # action 1: there is more to come
