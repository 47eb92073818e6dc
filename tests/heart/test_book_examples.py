"""The examples of the rule books, as they stand there."""

from companion.game import EndedBy, Phase
from companion.rules import Cell, Colour
from tests.playing import choose, roll, seated, second, sheets


def test_the_red_row_with_5_and_7_crossed_leaves_nothing_left_of_them() -> None:
    sheet = seated("R5 R7 Y10 G6 B10").sheets[0]
    for number in (2, 3, 4, 6):
        assert not sheet.allows(Cell(Colour.RED, number))
    assert [n for n in range(2, 13) if sheet.allows(Cell(Colour.YELLOW, n))] == [
        11
    ]  # and 12 with five crosses
    assert max(n for n in range(2, 13) if sheet.allows(Cell(Colour.GREEN, n))) == 5
    assert max(n for n in range(2, 13) if sheet.allows(Cell(Colour.BLUE, n))) == 9


def test_max_rolls_five_and_then_adds_the_white_4_to_the_blue_6() -> None:
    # Seats: Emma, Max, Laura, Linus; Max is active.
    game = roll(seated("empty", "empty", "empty", "empty", active=1), (4, 1), blue=6)
    game = choose(game, "Y5", "R5", None, None)
    game = second(game, "B10")
    assert sheets(game) == ("Y5", "R5 B10", "empty", "empty")
    assert game.active == 2


def test_laura_crosses_green_2_and_its_lock_and_the_green_die_leaves() -> None:
    game = choose(roll(seated("G12 G11 G10 G9 G8", "empty"), (1, 1)), "G2", None)
    assert game.sheets[0].locks == {Colour.GREEN}
    assert Colour.GREEN not in game.dice_in_play


def test_emma_throws_two_sixes_and_max_and_linus_close_two_more_rows() -> None:
    closed_green = "G12 G11 G10 G9 G8 G2"
    game = roll(seated(closed_green, "R2 R3 R4 R5 R6", "Y2 Y3 Y4 Y5 Y6"), (6, 6))
    game = choose(game, None, "R12", "Y12")
    assert game.closed == {Colour.GREEN, Colour.RED, Colour.YELLOW}
    assert (game.phase, game.ended_by) == (Phase.OVER, EndedBy.LOCKS)
