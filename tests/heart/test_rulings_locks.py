"""The rulings R3 to R6: rows that close, in which action, and when that ends the game."""

import pytest

from companion.game import (
    EndedBy,
    Phase,
)
from companion.rules import Cell, Colour, RuleError
from tests.playing import (
    CLOSED_GREEN,
    FIVE_GREEN,
    FIVE_RED,
    FIVE_YELLOW,
    LATE_LOCKS,
    cells,
    choose,
    cross,
    done,
    roll,
    seated,
    second,
    sheets,
)


def test_r3_all_who_have_five_crosses_may_close_the_same_row_and_it_counts_once() -> None:
    game = roll(seated(FIVE_RED, FIVE_RED, "R2 R3 R4 R5"), (6, 6))
    assert Cell.parse("R12") in game.legal_first(1)
    assert Cell.parse("R12") not in game.legal_first(2)
    game = choose(game, "R12", "R12", None)
    assert game.closed == {Colour.RED}
    assert game.phase is Phase.SECOND
    assert [sheet.locks for sheet in game.sheets] == [{Colour.RED}, {Colour.RED}, frozenset()]


def test_r4_a_row_closed_in_action_1_takes_its_die_out_of_this_turns_action_2() -> None:
    game = roll(seated("empty", FIVE_RED), (6, 6), red=1, blue=1)
    assert Cell.parse("R7") in game.legal_second()
    game = choose(game, None, "R12")
    assert game.legal_second() == cells("Y7 G7 B7")
    assert Colour.RED not in game.dice_in_play


def test_r4_the_house_rule_lets_the_die_stay_until_the_end_of_the_turn() -> None:
    game = choose(roll(seated("empty", FIVE_RED, house=LATE_LOCKS), (6, 6), red=1), None, "R12")
    assert Cell.parse("R7") in game.legal_second()
    game = second(game, "R7")
    assert sheets(game)[0] == "R7"
    assert game.closed == {Colour.RED}


def test_r4_by_the_house_rule_the_active_player_may_still_close_the_row_in_action_2() -> None:
    start = seated(FIVE_RED, FIVE_RED, house=LATE_LOCKS)
    game = second(choose(roll(start, (6, 6), red=6), None, "R12"), "R12")
    assert [sheet.locks for sheet in game.sheets] == [{Colour.RED}, {Colour.RED}]


def test_r5_the_second_row_closed_in_action_1_ends_the_game_without_action_2_and_misthrow() -> None:
    start = seated("empty", f"{FIVE_RED} {CLOSED_GREEN}")
    game = choose(roll(start, (6, 6)), None, "R12")
    assert (game.phase, game.ended_by) == (Phase.OVER, EndedBy.LOCKS)
    assert game.sheets[0].misthrows == 0
    with pytest.raises(RuleError, match="action 2 is not open, the game is at over"):
        cross(game, 0, "B7", 2)


def test_r5_all_who_share_the_window_finish_it() -> None:
    game = cross(roll(seated("empty", f"{FIVE_RED} {CLOSED_GREEN}"), (6, 6)), 1, "R12")
    assert game.phase is Phase.FIRST
    game = done(cross(done(game, 1), 0, "B12"), 0)
    assert game.phase is Phase.OVER
    assert sheets(game)[0] == "B12"


def test_r5_by_the_house_rule_the_turn_is_finished_first() -> None:
    start = seated("empty", f"{FIVE_RED} {CLOSED_GREEN}", house=LATE_LOCKS)
    game = choose(roll(start, (6, 6), blue=1), None, "R12")
    assert game.phase is Phase.SECOND
    game = second(game, "B7")
    assert (game.phase, game.ended_by) == (Phase.OVER, EndedBy.LOCKS)


def test_r6_a_third_and_fourth_row_may_close_in_the_same_window_and_count_for_their_owners() -> None:
    start = seated("B12 B11 B10 B9 B8 B2", f"{FIVE_RED} {FIVE_GREEN}", FIVE_YELLOW, FIVE_RED)
    game = choose(roll(start, (6, 6)), None, "R12", "Y12", "R12")
    assert game.closed == {Colour.BLUE, Colour.RED, Colour.YELLOW}
    assert game.ended_by is EndedBy.LOCKS
    assert [len(sheet.locks) for sheet in game.sheets] == [1, 1, 1, 1]


def test_the_second_row_closed_in_action_2_ends_the_game_at_once() -> None:
    start = seated(f"{FIVE_RED} {CLOSED_GREEN}", "empty")
    game = second(choose(roll(start, (6, 5), red=6), None, None), "R12")
    assert (game.phase, game.ended_by) == (Phase.OVER, EndedBy.LOCKS)
    assert game.active == 0
