"""The board of On Board: its file, its moves, and what a broken file is told."""

from pathlib import Path

import pytest

from companion.boards import house_board, load_board
from companion.rules import Board, BoardError, BoardFault, Cell, NotationError, Side, Space

BOARD = house_board()
LINES = str(BOARD).splitlines()


def broken(number: int, line: str) -> str:
    """The house board's text with one line, counted from 1, replaced."""
    return "\n".join([*LINES[: number - 1], line, *LINES[number:]])


def test_a_board_reads_back_what_it_writes() -> None:
    assert Board.parse(str(BOARD)) == BOARD
    assert Side.parse(str(BOARD.front)) == BOARD.front


def test_the_house_board_has_forty_spaces_a_side_and_points_from_1_to_20() -> None:
    for side in (BOARD.side("front"), BOARD.side("back")):
        points = [space.points for space in side.spaces]
        assert len(points) == 40
        assert points == sorted(points)
        assert (points[0], points[-1]) == (1, 20)
        assert sorted({space.cell.colour for space in side.spaces}) == ["blue", "green", "red", "yellow"]


def test_the_start_has_no_points_and_each_space_its_own() -> None:
    assert BOARD.front.points(0) == 0
    assert BOARD.front.points(40) == 20


def test_a_move_reaches_the_next_five_free_spaces() -> None:
    assert BOARD.front.landings(0, frozenset()) == (1, 2, 3, 4, 5)


def test_occupied_spaces_are_jumped_and_not_counted() -> None:
    assert BOARD.front.landings(0, frozenset({2, 3})) == (1, 4, 5, 6, 7)


def test_a_move_ends_at_the_end_of_the_board() -> None:
    assert BOARD.front.landings(38, frozenset()) == (39, 40)
    assert BOARD.front.landings(38, frozenset({40})) == (39,)
    assert BOARD.front.landings(40, frozenset()) == ()


def test_the_last_five_spaces_are_near_the_end() -> None:
    assert [Side.is_near_end(space) for space in (35, 36, 40)] == [False, True, True]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (broken(3, "1 Q12 1"), "line 3: a colour letter is one of R Y G B, got 'Q'"),
        (broken(4, "3 R3 1"), "line 4: space 2 comes next, got '3'"),
        (broken(5, "3 B11"), "line 5: a space is its number, cell and points such as `1 R7 1`, got '3 B11'"),
        (broken(6, "4 Y2 21"), "line 6: extra points are 2 to 20, never falling, got '21'"),
        (broken(6, "4 Y2 1"), "line 6: extra points are 2 to 20, never falling, got '1'"),
        (broken(6, "4 Y2 x"), "line 6: extra points are 2 to 20, never falling, got 'x'"),
        (broken(43, "side front"), "line 43: a side is front or back, each once, got 'front'"),
        (broken(43, "side up"), "line 43: a side is front or back, each once, got 'up'"),
        (broken(2, "# no side"), "line 3: spaces come after `side front` or `side back`"),
        (broken(1, ""), "a board file begins with `board NAME`, got none"),
        ("\n".join(LINES[:42]), "a board has two sides, `side back` is missing"),
        ("\n".join(LINES[:-1]), "side back has 39 spaces, 40 wanted"),
    ],
)
def test_a_broken_board_file_names_the_line_and_what_is_wrong(text: str, complaint: str) -> None:
    with pytest.raises(BoardError) as caught:
        Board.parse(text)
    assert complaint in str(caught.value)


def test_a_board_file_of_the_owner_is_read_and_a_broken_one_named(tmp_path: Path) -> None:
    path = tmp_path / "mine.board"
    path.write_text(str(BOARD), encoding="utf-8")
    assert load_board(path) == BOARD
    path.write_text(broken(3, "1 R1 1"), encoding="utf-8")
    with pytest.raises(BoardError, match=r"mine\.board: line 3: a cell's number is 2 to 12"):
        load_board(path)
    with pytest.raises(BoardError, match=r"other\.board cannot be read"):
        load_board(tmp_path / "other.board")


def test_a_side_of_wrong_length_or_falling_points_is_refused() -> None:
    space = Space(Cell.parse("R2"), 1)
    with pytest.raises(BoardError, match="40 spaces, got 3"):
        Side((space,) * 3)
    with pytest.raises(BoardError, match="space 2: extra points are 5 to 20"):
        Side((Space(Cell.parse("R2"), 5), *[space] * 39))
    with pytest.raises(BoardError, match="space 1: extra points are 1 to 20"):
        Side((Space(Cell.parse("R2"), 0), *[space] * 39))
    with pytest.raises(NotationError, match="a cell and its points"):
        Side.parse("R7")
    with pytest.raises(NotationError, match="front or back"):
        BOARD.side("top")


@pytest.mark.parametrize(
    ("text", "fault", "line"),
    [
        (broken(3, "1 Q12 1"), BoardFault.CELL, 3),
        (broken(3, f"1 R{'1' * 5000} 1"), BoardFault.CELL, 3),
        (broken(4, "3 R3 1"), BoardFault.PLACE, 4),
        (broken(5, "3 B11"), BoardFault.SHAPE, 5),
        (broken(6, "4 Y2 ²"), BoardFault.POINTS, 6),
        (broken(43, "side up"), BoardFault.SIDE, 43),
        (broken(2, "# no side"), BoardFault.NO_SIDE, 3),
        (broken(1, ""), BoardFault.NAME, None),
        ("\n".join(LINES[:42]), BoardFault.SIDE_MISSING, None),
        ("\n".join(LINES[:-1]), BoardFault.LENGTH, None),
    ],
)
def test_each_fault_has_a_kind_and_a_line_for_pages_to_word(
    text: str, fault: BoardFault, line: int | None
) -> None:
    with pytest.raises(BoardError) as caught:
        Board.parse(text)
    assert (caught.value.fault, caught.value.line) == (fault, line)
