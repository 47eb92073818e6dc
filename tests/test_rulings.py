"""The rulings R1 to R15 on what the rule books leave open, each from both sides, and the turn itself."""

import pytest

from companion.game import (
    Crossed,
    DiceCorrected,
    Done,
    EndedBy,
    Game,
    HouseRules,
    LocksTakeEffect,
    MovedOn,
    Phase,
    Reopened,
    Rolled,
    Setup,
    SheetCorrected,
    Stopped,
    TookBack,
)
from companion.rules import Cell, Colour, Roll, RuleError, Sheet
from tests.playing import BY_HAND, cells, choose, cross, done, play, roll, seated, second, sheets

FIVE_RED, FIVE_YELLOW, FIVE_GREEN = "R2 R3 R4 R5 R6", "Y2 Y3 Y4 Y5 Y6", "G12 G11 G10 G9 G8"
CLOSED_GREEN = f"{FIVE_GREEN} G2"
AUTO = HouseRules()
LATE_LOCKS = HouseRules(locks_take_effect=LocksTakeEffect.END_OF_TURN, pass_by_itself=False)


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


# --- R3 to R6: closing rows ------------------------------------------------------------------------------


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
    tie = play(seated("R2 R3", "B12 B11", "Y2"), Stopped(0))
    assert tie.winners == (0, 1)
    assert play(seated("R2", "B12 B11", "Y2"), Stopped(0)).winners == (1,)
    assert seated("R2", "empty").winners == ()


@pytest.mark.parametrize("players", [1, 2, 3, 4, 5])
def test_r13_one_to_five_play_the_original(players: int) -> None:
    names = ("Anna", "Max", "Laura", "Linus", "Emma")[:players]
    assert Game.begin(Setup(names)).players == players


def test_r13_nobody_and_six_are_refused() -> None:
    with pytest.raises(RuleError, match="original is for 1 to 5 players, got 0"):
        Setup(())
    with pytest.raises(RuleError, match="original is for 1 to 5 players, got 6"):
        Setup(tuple("ABCDEF"))


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


def test_r15_a_sheet_corrected_in_a_turn_starts_the_turn_again_with_choices_kept() -> None:
    game = cross(choose(roll(seated("R2", "empty"), (3, 4), red=5), "R7", "B7"), 0, "R8", 2)
    again = play(game, SheetCorrected(1, 0, Sheet.parse("R10")))
    assert again.phase is Phase.FIRST  # Anna has to choose again: R7 is behind R10 now
    assert again.turn is not None
    assert again.turn.lost == ((0, Cell.parse("R7")), (0, Cell.parse("R8")))
    assert again.turn.choices == (None, Cell.parse("B7"))
    assert again.deciding == (0,)


def test_r15_a_correction_that_changes_the_dice_in_play_asks_for_a_new_roll() -> None:
    game = roll(seated("R2", "empty"), (3, 4))
    again = play(game, SheetCorrected(0, 1, Sheet.parse(CLOSED_GREEN)))
    assert (again.phase, again.turn) == (Phase.ROLL, None)
    assert again.closed == {Colour.GREEN}


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


# --- house rules and the course of a turn ----------------------------------------------------------------


def test_seats_without_a_legal_cross_pass_by_themselves() -> None:
    game = roll(seated("empty", "R9 Y9 G5 B5", house=AUTO), (3, 4))
    assert game.legal_first(1) == ()
    assert game.deciding == (0,)
    by_hand = roll(seated("empty", "R9 Y9 G5 B5"), (3, 4))
    assert by_hand.deciding == (0, 1)


def test_a_turn_in_which_nothing_is_left_to_decide_ends_by_itself() -> None:
    start = seated("R8 Y8 G6 B6", "empty", house=AUTO)
    game = choose(roll(start, (5, 5), red=1, yellow=1, green=6, blue=6), "R10", None)
    assert (game.phase, game.active) == (Phase.ROLL, 1)
    assert sheets(game)[0] == "R8 R10 Y8 G6 B6"


def test_a_misthrow_is_never_taken_by_itself() -> None:
    start = seated("R11 Y11 G3 B3", "empty", house=AUTO)
    game = choose(roll(start, (5, 5)), None, None)
    assert game.legal_second() == ()
    assert (game.phase, game.deciding) == (Phase.SECOND, (0,))
    assert game.passing_is_misthrow


def test_taking_back_nothing_does_not_wake_a_seat_that_passed_by_itself() -> None:
    game = roll(seated("empty", "R9 Y9 G5 B5", house=AUTO), (3, 4))
    assert play(game, TookBack(1)).deciding == (0,)


def test_the_active_player_moves_the_table_on_and_choices_made_so_far_count() -> None:
    game = cross(roll(seated("empty", "empty", "empty"), (3, 4)), 1, "R7")
    with pytest.raises(RuleError, match="the active player moves on, seat 0, got seat 1"):
        play(game, MovedOn(1))
    game = play(game, MovedOn(0))
    assert game.phase is Phase.SECOND
    assert sheets(game) == ("empty", "R7", "empty")
    with pytest.raises(RuleError, match="moving on is not open, the game is at second"):
        play(game, MovedOn(0))


def test_the_next_player_clockwise_is_active_and_the_first_follows_the_last() -> None:
    game = seated("empty", "empty", "empty", active=1)
    order = []
    for _ in range(4):
        order.append(game.active)
        game = second(choose(roll(game, (3, 4)), *[None] * 3), None)
    assert order == [1, 2, 0, 1]
    assert game.number == 5


@pytest.mark.parametrize(
    ("event", "complaint"),
    [
        (Rolled(Roll.parse("W1 W1 R1 Y1 G1 B1")), "a roll comes before action 1, the game is at first"),
        (Crossed(5, Cell.parse("R7")), "seats are 0 to 1, got 5"),
        (Crossed(0, Cell.parse("R8")), "R8 was not rolled"),
        (Crossed(-1, Cell.parse("R7")), "seats are 0 to 1, got -1"),
    ],
)
def test_an_event_that_cannot_be_says_why_and_changes_nothing(
    event: Rolled | Crossed, complaint: str
) -> None:
    game = roll(seated("empty", "empty"), (3, 4))
    with pytest.raises(RuleError) as caught:
        game.apply(event)
    assert complaint in str(caught.value)


def test_before_the_roll_nobody_chooses() -> None:
    for event in (Crossed(0, Cell.parse("R7")), Done(0), TookBack(0), MovedOn(0)):
        with pytest.raises(RuleError, match="nobody has rolled yet"):
            seated("empty").apply(event)


def test_a_roll_must_hold_the_dice_in_play() -> None:
    with pytest.raises(RuleError, match="dice in play are white blue red yellow, got white blue green red"):
        play(seated("empty", CLOSED_GREEN), Rolled(Roll.parse("W1 W1 R1 Y1 G1 B1")))


def test_who_is_done_has_nothing_to_decide() -> None:
    game = done(roll(seated("empty", "empty"), (3, 4)), 0)
    with pytest.raises(RuleError, match="seat 0 has nothing to decide"):
        done(game, 0)
    over = play(game, Stopped(1))
    assert over.deciding == ()
    with pytest.raises(RuleError, match="the game is over already"):
        play(over, Stopped(1))


def test_between_turns_only_the_active_player_is_waited_for() -> None:
    game = seated("empty", "empty", house=BY_HAND)
    assert game.deciding == (0,)
    assert game.legal_first(0) == ()
    assert game.legal_second() == ()
    assert game.landings() == ()
    assert game.passing_is_misthrow is False
    ended = second(choose(roll(game, (3, 4)), None, None), None)
    with pytest.raises(RuleError, match="seat 1 has nothing to decide, the game is at roll"):
        done(ended, 1)


def test_r15_a_reopened_turn_in_which_all_pass_by_themselves_does_not_wait_for_nobody() -> None:
    nothing_for_10 = "R11 Y11 G3 B3"
    game = roll(seated(nothing_for_10, nothing_for_10, house=AUTO), (5, 5))
    assert (game.phase, game.deciding) == (Phase.SECOND, (0,))
    again = play(game, Reopened(0))
    assert (again.phase, again.deciding) == (Phase.SECOND, (0,))
