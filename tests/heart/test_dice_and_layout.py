"""Dice, cells and layouts: their notation, and what is refused as none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.rules import CLASSIC, COLOURS, LAYOUTS, MIXX_A, Cell, Colour, Layout, NotationError, Roll, Row
from companion.rules.layout import LayoutError

pips = st.integers(1, 6)
rolls = st.builds(
    lambda white, coloured: Roll.of(white, coloured.items()),
    st.tuples(pips, pips),
    st.dictionaries(st.sampled_from(COLOURS), pips),
)
any_cell = st.builds(Cell, st.sampled_from(COLOURS), st.integers(2, 12))


@given(rolls)
def test_a_roll_reads_back_what_it_writes(roll: Roll) -> None:
    assert Roll.parse(str(roll)) == roll


@given(any_cell)
def test_a_cell_reads_back_what_it_writes(cell: Cell) -> None:
    assert Cell.parse(str(cell)) == cell


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=str)
def test_a_row_reads_back_what_it_writes(layout: Layout) -> None:
    for row in layout.rows:
        assert Row.parse(str(row)) == row


def test_the_white_sum_and_the_pairs_are_those_of_the_dice() -> None:
    roll = Roll.parse("W5 W2 R1 B6")
    assert roll.white_sum == 7
    assert roll.sums(6) == (8, 11)
    assert Roll.parse("W3 W3").sums(1) == (4,)
    assert roll.colours == {Colour.RED, Colour.BLUE}


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("W1", "a roll has two white dice, got 1"),
        ("W1 W2 W3", "a roll has two white dice, got 3"),
        ("W1 W7", "a die is its colour letter and 1 to 6 such as W3, got 'W7'"),
        ("W1 W2 R1 R2", "a roll has each coloured die once"),
        ("W1 W2 X1", "a colour letter is one of R Y G B, got 'X'"),
        ("W1 W2 R", "a die is its colour letter and 1 to 6"),
    ],
)
def test_a_text_that_is_no_roll_says_what_is_wrong(text: str, complaint: str) -> None:
    with pytest.raises(NotationError) as caught:
        Roll.parse(text)
    assert complaint in str(caught.value)


def test_a_roll_made_of_wrong_dice_is_refused() -> None:
    with pytest.raises(NotationError, match="each 1 to 6"):
        Roll((0, 3), ())
    with pytest.raises(NotationError, match="in the order of the rows"):
        Roll((1, 3), ((Colour.BLUE, 1), (Colour.RED, 1)))


def test_the_classic_sheet_is_that_of_the_book() -> None:
    up, down = list(range(2, 13)), list(range(12, 1, -1))
    assert [[cell.number for cell in row.cells] for row in CLASSIC.rows] == [up, up, down, down]
    assert [row.lock for row in CLASSIC.rows] == list(COLOURS)
    assert [str(row.last) for row in CLASSIC.rows] == ["R12", "Y12", "G2", "B2"]
    assert CLASSIC.row_of(Colour.GREEN).last == Cell.parse("G2")


def test_every_layout_prints_each_coloured_number_once() -> None:
    for layout in LAYOUTS.values():
        printed = [cell for row in layout.rows for cell in row.cells]
        assert sorted(printed) == sorted(Cell(c, n) for c in COLOURS for n in range(2, 13))


def test_a_lock_has_the_colour_of_the_last_cell_of_a_mixed_row() -> None:
    assert [row.lock for row in MIXX_A.rows] == list(COLOURS)


@pytest.mark.parametrize(
    ("rows", "needs", "complaint"),
    [
        (CLASSIC.rows[:3], 5, "each colour locks one row, got red yellow green"),
        ((), 5, "each colour locks one row, got none"),
        ((Row(CLASSIC.rows[0].cells[:10], Colour.RED), *CLASSIC.rows[1:]), 5, "the red row has 10 cells"),
        ((Row(CLASSIC.rows[1].cells, Colour.RED), *CLASSIC.rows[1:]), 5, "Y2 is printed more than once"),
        (CLASSIC.rows, 11, "a lock needs 0 to 10 crosses, got 11"),
    ],
)
def test_a_layout_that_cannot_be_played_says_why(rows: tuple[Row, ...], needs: int, complaint: str) -> None:
    with pytest.raises(LayoutError) as caught:
        Layout("odd", rows, needs)
    assert complaint in str(caught.value)


def test_an_empty_row_is_refused() -> None:
    with pytest.raises(NotationError, match="got nothing"):
        Row.parse("")
