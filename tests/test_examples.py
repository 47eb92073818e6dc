"""The drawn examples of the help page follow the rules, and their words say what is drawn."""

from pathlib import Path

import pytest

from companion.view import examples
from companion.view.examples import ExampleRow
from companion.view.values import CellState
from companion.words import catalogues
from tests.web_table import stand

DRAWN = examples()


def numbers(row: ExampleRow, *, state: CellState | None = None, ring: int = 0) -> list[int]:
    """The numbers of a row that look so."""
    return [
        cell.number
        for cell in row.cells
        if (state is None or cell.state is state) and (not ring or cell.ring == ring)
    ]


def test_the_white_sum_of_the_example_may_be_crossed_where_its_words_say() -> None:
    rings = {row.colour: numbers(row, ring=1) for row in DRAWN.first}
    assert (DRAWN.white_sum, rings) == (7, {"red": [7], "yellow": [], "green": [7], "blue": [7]})


def test_action_2_of_the_example_reaches_what_its_words_say() -> None:
    rings = {row.colour: numbers(row, ring=2) for row in DRAWN.second}
    assert rings == {"red": [5, 6], "yellow": [], "green": [], "blue": [5, 4]}


def test_the_row_with_five_crosses_may_be_closed_and_that_with_four_may_not() -> None:
    assert (DRAWN.ready.crosses, numbers(DRAWN.ready, ring=1)) == (5, [12])
    assert (DRAWN.not_ready.crosses, numbers(DRAWN.not_ready, ring=1)) == (4, [])
    assert (DRAWN.locked.crosses, DRAWN.locked.locked) == (7, True)


def test_skipped_numbers_are_drawn_as_lost() -> None:
    red, green = DRAWN.skipping
    assert (red.colour, numbers(red, state=CellState.SKIPPED)) == ("red", [2, 4])
    assert (green.colour, numbers(green, state=CellState.OPEN)) == ("green", [8, 7, 6, 5, 4, 3, 2])


def test_the_scored_sheet_adds_up() -> None:
    assert [row.points for row in DRAWN.scored] == [10, 28, 3, 1]
    assert sum(row.points for row in DRAWN.scored) + DRAWN.misthrow_points == DRAWN.total == 37
    assert DRAWN.points == (1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 66, 78)


def test_the_piece_jumps_the_occupied_space() -> None:
    steps = [space.step for space in DRAWN.path]
    assert steps == [0, 0, 1, 0, 2, 3, 4, 5, 0]
    assert [space.piece for space in DRAWN.path][1:4] == ["own", "", "other"]


@pytest.mark.parametrize("language", list(catalogues()))
def test_the_page_has_every_part_in_words_for_anybody(language: str, tmp_path: Path) -> None:
    answer = stand(tmp_path).phone().get("/help", headers={"Accept-Language": language})
    page = answer.get_data(as_text=True)
    assert answer.status_code == 200
    assert "<script" not in page
    for key, text in catalogues()[language].each():
        if key.startswith("help."):
            shown = text.replace("{points}", "37").replace("’", "’")
            assert shown in page, key
