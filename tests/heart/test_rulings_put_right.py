"""The rulings R14 and R15: dice misread and corrected, choices and turns taken back, sheets put right."""

import pytest

from companion.game import (
    DiceCorrected,
    EndedBy,
    Phase,
    Reopened,
    SheetCorrected,
    TookBack,
)
from companion.rules import Cell, Colour, Roll, RuleError, Sheet
from tests.playing import (
    AUTO,
    CLOSED_GREEN,
    FIVE_GREEN,
    FIVE_RED,
    cells,
    choose,
    cross,
    done,
    play,
    roll,
    seated,
    second,
    sheets,
)

# --- R14: a die misread and corrected --------------------------------------------------------------------


def test_r14_crosses_that_stay_legal_are_kept_and_others_are_shown_to_be_chosen_again() -> None:
    game = cross(cross(roll(seated("empty", "empty"), (3, 4), red=5), 0, "R7"), 0, "R8", 2)
    game = done(cross(game, 1, "B7"), 0)
    corrected = play(game, DiceCorrected(0, Roll.parse("W3 W5 R5 Y1 G1 B1")))
    assert corrected.turn is not None
    assert corrected.phase is Phase.FIRST
    assert corrected.turn.choices == (None, None)
    assert corrected.deciding == (0, 1)
    assert corrected.turn.lost == ((0, Cell.parse("R7")), (1, Cell.parse("B7")))
    assert corrected.turn.second == Cell.parse("R8")  # three and five: still there


def test_r14_with_the_same_white_sum_action_1_stays_as_it_was() -> None:
    game = done(cross(roll(seated("empty", "empty"), (3, 4), red=5), 0, "R7"), 0)
    corrected = play(game, DiceCorrected(1, Roll.parse("W2 W5 R5 Y1 G1 B1")))
    assert corrected.turn is not None
    assert corrected.turn.choices == (Cell.parse("R7"), None)
    assert corrected.deciding == (1,)
    assert corrected.turn.lost == ()


def test_r14_a_coloured_die_corrected_in_action_2_keeps_action_1_closed() -> None:
    game = cross(choose(roll(seated("empty", "empty"), (3, 4), red=5), "R7", "B7"), 0, "R8", 2)
    corrected = play(game, DiceCorrected(0, Roll.parse("W3 W4 R6 Y1 G1 B1")))
    assert corrected.phase is Phase.SECOND
    assert sheets(corrected) == ("R7", "B7")
    assert corrected.turn is not None
    assert corrected.turn.second is None
    assert corrected.turn.lost == ((0, Cell.parse("R8")),)


def test_r14_a_turn_that_has_ended_is_corrected_until_the_next_roll() -> None:
    ended = second(choose(roll(seated("empty", "empty"), (3, 4), red=5), "R7", None), "R8")
    assert ended.phase is Phase.ROLL
    again = play(ended, DiceCorrected(1, Roll.parse("W3 W4 R4 Y1 G1 B1")))
    assert (again.phase, again.active, again.number) == (Phase.SECOND, 0, 1)
    assert again.turn is not None
    assert again.turn.second == Cell.parse("R8")  # four and four


def test_r14_a_correction_can_bring_a_finished_game_back() -> None:
    over = choose(roll(seated("empty", f"{FIVE_RED} {CLOSED_GREEN}"), (6, 6)), None, "R12")
    assert over.phase is Phase.OVER
    again = play(over, DiceCorrected(0, Roll.parse("W6 W5 R1 Y1 B1")))
    assert (again.phase, again.ended_by) == (Phase.FIRST, None)
    assert again.closed == {Colour.GREEN}


def test_r14_before_any_roll_there_is_nothing_to_correct() -> None:
    with pytest.raises(RuleError, match="no roll of this turn to correct"):
        play(seated("empty"), DiceCorrected(0, Roll.parse("W3 W4 R1 Y1 G1 B1")))


def test_r14_the_corrected_dice_are_those_in_play() -> None:
    game = roll(seated("empty", CLOSED_GREEN), (3, 4))
    with pytest.raises(RuleError, match="dice in play are white blue red yellow, got white blue green red"):
        play(game, DiceCorrected(0, Roll.parse("W3 W4 R1 Y1 G1 B1")))


# --- R15: undo -------------------------------------------------------------------------------------------


def test_r15_a_player_takes_back_their_own_choice_until_the_window_closes() -> None:
    game = done(cross(roll(seated("empty", "empty"), (3, 4)), 0, "R7"), 0)
    game = play(game, TookBack(0))
    assert game.turn is not None
    assert game.turn.choices == (None, None)
    assert game.deciding == (0, 1)


def test_r15_taking_back_in_action_1_takes_the_choice_in_advance_too() -> None:
    game = cross(cross(roll(seated("empty", "empty"), (3, 4), red=5), 0, "R7"), 0, "R8", 2)
    assert game.turn is not None
    mine, others = play(game, TookBack(0)), play(game, TookBack(1))
    assert mine.turn is not None
    assert others.turn is not None
    assert (mine.turn.choices[0], mine.turn.second) == (None, None)
    assert (others.turn.choices[0], others.turn.second) == (Cell.parse("R7"), Cell.parse("R8"))


def test_r15_the_active_player_takes_back_action_2_until_it_closes() -> None:
    game = cross(choose(roll(seated("empty", "empty"), (3, 4), red=5), "R7", None), 0, "R8", 2)
    game = play(game, TookBack(0))
    assert game.turn is not None
    assert game.turn.second is None
    assert sheets(game)[0] == "R7"
    with pytest.raises(RuleError, match="seat 1 has no choice of an open action to take back"):
        play(game, TookBack(1))


def test_r15_once_the_turn_is_over_only_the_table_reopens_it_with_all_choices_kept() -> None:
    ended = second(choose(roll(seated("empty", "empty"), (3, 4), red=5), "R7", "B7"), "R8")
    with pytest.raises(RuleError, match="no choice of an open action"):
        play(ended, TookBack(0))
    again = play(ended, Reopened(1))
    assert (again.phase, again.active, again.deciding) == (Phase.FIRST, 0, (0, 1))
    assert sheets(again) == ("empty", "empty")
    assert again.turn is not None
    assert again.turn.choices == cells("R7 B7")
    assert again.turn.second == Cell.parse("R8")
    assert sheets(second(done(again, 0, 1), None)) == ("R7 R8", "B7")


def test_r15_the_table_can_go_back_across_a_roll() -> None:
    first = second(choose(roll(seated("empty", "empty"), (3, 4), red=5), "R7", "B7"), "R8")
    later = roll(first, (1, 1))
    again = play(later, Reopened(0, 1))
    assert (again.active, again.phase, again.number) == (0, Phase.FIRST, 1)
    assert again.turn is not None
    assert again.turn.roll.white_sum == 7
    with pytest.raises(RuleError, match="no turn to reopen 2 before this one"):
        play(later, Reopened(0, 2))
    with pytest.raises(RuleError, match="no turn to reopen 0 before this one"):
        play(seated("empty"), Reopened(0))


def test_r15_the_table_corrects_a_sheet_between_turns() -> None:
    game = play(seated("R2", CLOSED_GREEN), SheetCorrected(0, 1, Sheet.parse(FIVE_GREEN)))
    assert sheets(game) == ("R2", FIVE_GREEN)
    assert game.closed == frozenset()  # nobody closed green after all
    assert game.phase is Phase.ROLL


def test_r15_a_sheet_corrected_in_a_turn_shows_what_is_illegal_now_to_be_chosen_again() -> None:
    game = cross(choose(roll(seated("R2", "empty"), (3, 4), red=5), "R7", "B7"), 0, "R8", 2)
    again = play(game, SheetCorrected(1, 0, Sheet.parse("R10")))
    assert again.phase is Phase.FIRST  # Anna has to choose again: R7 is behind R10 now
    assert again.turn is not None
    assert again.turn.lost == ((0, Cell.parse("R7")), (0, Cell.parse("R8")))
    assert again.turn.choices == (None, Cell.parse("B7"))
    assert again.deciding == (0,)


def test_r15_a_correction_may_end_the_game() -> None:
    two = Sheet.parse(f"{FIVE_RED} R12 {CLOSED_GREEN}")
    assert play(seated("R2", "empty"), SheetCorrected(0, 1, two)).ended_by is EndedBy.LOCKS
    four = play(seated("R2", "empty"), SheetCorrected(0, 1, Sheet.parse("M4")))
    assert four.ended_by is EndedBy.PENALTIES
    with pytest.raises(RuleError, match="reopen its last turn to correct a sheet"):
        play(four, SheetCorrected(0, 1, Sheet()))


def test_r15_a_correction_is_for_a_seat_and_a_sheet_of_this_game() -> None:
    with pytest.raises(RuleError, match="seats are 0 to 1, got 2"):
        play(seated("R2", "empty"), SheetCorrected(0, 2, Sheet()))
    with pytest.raises(RuleError, match="played on the classic sheet, got mixx-a"):
        play(seated("R2", "empty"), SheetCorrected(0, 1, Sheet.parse("mixx-a: Y2")))


def test_r15_a_reopened_turn_in_which_all_pass_by_themselves_does_not_wait_for_nobody() -> None:
    nothing_for_10 = "R11 Y11 G3 B3"
    game = roll(seated(nothing_for_10, nothing_for_10, house=AUTO), (5, 5))
    assert (game.phase, game.deciding) == (Phase.SECOND, (0,))
    again = play(game, Reopened(0))
    assert (again.phase, again.deciding) == (Phase.SECOND, (0,))
