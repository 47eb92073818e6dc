"""The rulings R1, R2 and R7 to R13 on what the rule books leave open, each from both sides."""

from dataclasses import replace

import pytest

from companion.game import (
    EndedBy,
    Game,
    Phase,
    Setup,
    SheetCorrected,
    Stopped,
    TookBack,
)
from companion.rules import Cell, Colour, RuleError, Sheet
from tests.playing import FIVE_RED, cells, choose, cross, done, play, roll, seated, second, sheets

# --- R1: order -------------------------------------------------------------------------------------------


def test_r1_action_2_begins_only_when_action_1_has_closed_for_everybody() -> None:
    game = done(roll(seated("empty", "empty"), (3, 4)), 0)
    assert game.phase is Phase.FIRST
    assert game.deciding == (1,)
    game = done(game, 1)
    assert game.phase is Phase.SECOND
    assert game.deciding == (0,)


def test_r1_a_choice_in_advance_for_action_2_is_kept_if_it_is_still_legal() -> None:
    game = cross(roll(seated("empty", "empty"), (3, 4), red=5), 0, "R8", 2)
    assert sheets(game) == ("empty", "empty")
    game = done(game, 0, 1)
    assert game.turn is not None
    assert game.turn.second == Cell.parse("R8")
    assert sheets(done(game, 0)) == ("R8", "empty")


def test_r1_a_choice_in_advance_that_action_1_made_illegal_is_lost_and_shown() -> None:
    game = roll(seated(FIVE_RED, FIVE_RED), (6, 6), red=1)
    game = cross(game, 0, "R7", 2)
    game = done(cross(game, 1, "R12"), 0, 1)  # Max closes red: its die is gone
    assert game.turn is not None
    assert game.turn.second is None
    assert game.turn.lost == ((0, Cell.parse("R7")),)


def test_r1_only_the_active_player_has_an_action_2() -> None:
    game = roll(seated("empty", "empty"), (3, 4), red=5)
    with pytest.raises(RuleError, match="action 2 is the active player's, seat 0, got seat 1"):
        cross(game, 1, "R8", 2)


# --- R2: one simultaneous window -------------------------------------------------------------------------


def test_r2_a_choice_can_be_changed_until_the_window_closes() -> None:
    game = cross(roll(seated("empty", "empty"), (3, 4)), 0, "R7")
    game = done(game, 0)
    game = cross(game, 0, "B7")
    assert game.deciding == (0, 1)  # the new choice wants a new word
    assert sheets(done(game, 0, 1)) == ("B7", "empty")
    with pytest.raises(RuleError, match="action 1 is not open, the game is at second"):
        cross(done(game, 0, 1), 0, "G7")


def test_r2_choices_are_crosses_only_when_the_window_closes() -> None:
    game = cross(roll(seated("empty", "empty"), (3, 4)), 1, "R7")
    assert sheets(game) == ("empty", "empty")
    assert sheets(done(game, 0, 1)) == ("empty", "R7")


def test_r2_closing_a_row_is_announced_and_other_choices_are_not() -> None:
    game = roll(seated(FIVE_RED, "empty"), (6, 6))
    assert cross(game, 1, "G12").announced == ()
    game = cross(game, 0, "R12")
    assert game.announced == ((0, Colour.RED),)
    assert play(game, TookBack(0)).announced == ()
    assert done(game, 0, 1).announced == ()


def test_r2_an_announced_row_takes_back_the_done_of_those_who_could_close_it_too() -> None:
    game = done(roll(seated("empty", FIVE_RED, FIVE_RED, "R2 R3"), (6, 6)), 1, 3, 0)
    game = cross(game, 2, "R12")  # the last to decide
    assert game.deciding == (1, 2)
    game = done(game, 2)
    assert game.phase is Phase.FIRST  # Max is not shut out
    game = done(cross(game, 1, "R12"), 1)
    assert [sheet.locks for sheet in game.sheets[1:3]] == [{Colour.RED}, {Colour.RED}]


def test_r2_nobody_is_asked_twice_for_one_announcement() -> None:
    game = cross(done(roll(seated(FIVE_RED, FIVE_RED), (6, 6)), 1), 0, "R12")
    passed = done(game, 1)  # Max does not want to
    assert cross(passed, 0, "R12").deciding == (0,)  # the same row once more is no news
    both = cross(game, 1, "R12")
    again = cross(cross(done(both, 1), 0, "G12"), 0, "R12")
    assert again.deciding == (0,)  # Max closes it already


def test_r2_a_game_begun_under_the_first_rules_goes_on_as_it_was_played() -> None:
    game = done(roll(seated(FIVE_RED, FIVE_RED), (6, 6)), 1)
    old = replace(game, setup=Setup.parse(str(game.setup).replace(", rules 2", "")))
    assert old.setup.rules == 1
    assert done(cross(old, 0, "R12"), 0).phase is Phase.SECOND
    assert done(cross(game, 0, "R12"), 0).phase is Phase.FIRST


# --- R7: misthrows ---------------------------------------------------------------------------------------


def test_r7_the_fourth_misthrow_counts_and_ends_the_game_at_once() -> None:
    game = second(choose(roll(seated("M3", "empty"), (3, 4)), None, None), None)
    assert (game.phase, game.ended_by) == (Phase.OVER, EndedBy.PENALTIES)
    assert game.scores == (-20, 0)
    third_misthrow = second(choose(roll(seated("M2", "empty"), (3, 4)), None, None), None)
    assert third_misthrow.phase is Phase.ROLL


def test_a_misthrow_is_marked_when_the_active_player_crosses_in_neither_action() -> None:
    game = choose(roll(seated("empty", "empty"), (3, 4)), None, "R7")
    assert game.passing_is_misthrow
    assert sheets(second(game, None)) == ("M1", "R7")


def test_a_misthrow_is_compulsory_when_nothing_was_legal() -> None:
    game = roll(seated(f"{FIVE_RED} R12 Y11 G3 B3", "empty"), (3, 4))
    game = choose(game, None, None)
    assert game.legal_second() == ()
    assert second(game, None).sheets[0].misthrows == 1


@pytest.mark.parametrize(("first", "then"), [("R7", None), (None, "R8"), ("R7", "R8")])
def test_it_is_never_a_misthrow_when_something_was_crossed(first: str | None, then: str | None) -> None:
    game = choose(roll(seated("empty", "empty"), (3, 4), red=5), first, None)
    assert game.passing_is_misthrow is (first is None)
    assert second(game, then).sheets[0].misthrows == 0


def test_a_player_who_is_not_active_has_no_misthrow() -> None:
    game = second(choose(roll(seated("empty", "empty"), (3, 4)), "R7", None), None)
    assert sheets(game) == ("R7", "empty")
    assert game.active == 1


# --- R8 to R11 -------------------------------------------------------------------------------------------


def test_r8_the_cross_of_action_1_may_be_the_fifth_that_makes_closing_in_action_2_legal() -> None:
    start = seated("R2 R3 R4 R5", "empty")
    rolled = roll(start, (6, 1), red=6)
    assert Cell.parse("R12") in choose(rolled, "R7", None).legal_second()
    assert Cell.parse("R12") not in choose(rolled, None, None).legal_second()
    game = second(choose(rolled, "R7", None), "R12")
    assert game.closed == {Colour.RED}


def test_r8_both_actions_in_one_row_go_from_left_to_right() -> None:
    game = choose(roll(seated("empty", "empty"), (3, 4), red=3), "R7", None)
    assert Cell.parse("R6") not in game.legal_second()
    assert str(game.why_not(0, Cell.parse("R6"), 2)) == "R6 is not right of R7"


def test_r8_a_choice_in_advance_counts_the_choice_of_action_1() -> None:
    game = cross(roll(seated("R2 R3 R4 R5", "empty"), (6, 1), red=6), 0, "R7")
    assert Cell.parse("R12") in game.legal_second()


def test_r9_a_player_who_is_not_active_closes_a_row_in_action_1() -> None:
    game = choose(roll(seated("empty", FIVE_RED), (6, 6)), None, "R12")
    assert game.sheets[1].locks == {Colour.RED}


def test_r10_who_did_not_close_keeps_the_crosses_and_gets_no_lock_cross() -> None:
    game = choose(roll(seated(FIVE_RED, FIVE_RED), (6, 6)), None, "R12")
    assert [sheet.row_points()[0] for sheet in game.sheets] == [15, 28]
    assert not game.sheets[0].locks


def test_r11_white_dice_singly_or_two_coloured_dice_make_no_cross() -> None:
    game = roll(seated("empty", "empty"), (3, 4), red=5, yellow=6)
    for number in (3, 4, 11):  # a white die alone, the other, red and yellow together
        assert not [cell for cell in game.legal_first(0) if cell.number == number]
    pairs = choose(game, None, None).legal_second()
    assert [cell for cell in pairs if cell.colour is Colour.RED] == list(cells("R8 R9"))
    assert [cell for cell in pairs if cell.colour is Colour.YELLOW] == list(cells("Y9 Y10"))


# --- R12, R13 --------------------------------------------------------------------------------------------


def test_r12_a_tie_is_a_shared_victory() -> None:
    fourth = SheetCorrected(0, 2, Sheet.parse("Y2 M4"))  # ends it
    assert play(seated("R2 R3", "B12 B11", "Y2"), fourth).winners == (0, 1)
    assert play(seated("R2", "B12 B11", "Y2"), fourth).winners == (1,)
    assert seated("R2", "empty").winners == ()


def test_nobody_wins_a_game_that_was_stopped() -> None:
    assert play(seated("R2", "B12 B11", "Y2"), Stopped(0)).winners == ()


@pytest.mark.parametrize("players", [1, 2, 3, 4, 5])
def test_r13_one_to_five_play_the_original(players: int) -> None:
    names = ("Anna", "Max", "Laura", "Linus", "Emma")[:players]
    assert Game.begin(Setup(names)).players == players


def test_r13_nobody_and_six_are_refused() -> None:
    with pytest.raises(RuleError, match="original is for 1 to 5 players, got 0"):
        Setup(())
    with pytest.raises(RuleError, match="original is for 1 to 5 players, got 6"):
        Setup(tuple("ABCDEF"))
