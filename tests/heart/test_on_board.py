"""On Board: action 3, jumped spaces, misthrow over three actions, the last round, extra points."""

import pytest

from companion.boards import house_board
from companion.game import (
    DiceCorrected,
    Edition,
    EndedBy,
    Game,
    HouseRules,
    LocksTakeEffect,
    Moved,
    Phase,
    Setup,
    Stopped,
    TookBack,
)
from companion.rules import Cell, Colour, Roll, RuleError, Side, Space
from tests.playing import BY_HAND, choose, play, roll, seated, second, sheets, third

HOUSE = house_board().front


def board(**cells: str) -> Side:
    """A side on which every space is R2, but for those named: s5="G10" is space 5."""
    spaces = [Space(Cell.parse("R2"), (n + 1) // 2) for n in range(1, 41)]
    for name, cell in cells.items():
        number = int(name[1:])
        spaces[number - 1] = Space(Cell.parse(cell), spaces[number - 1].points)
    return Side(tuple(spaces))


def at_third(*sheet: str, side: Side, pieces: tuple[int, ...], house: HouseRules = BY_HAND) -> Game:
    """Action 3 of the first player, after two passed actions."""
    start = seated(*sheet, board=side, pieces=pieces, house=house)
    return second(choose(roll(start, (1, 1), red=6), *[None] * len(sheet)), None)


def test_the_books_example_five_free_spaces_from_start_are_green_10_and_it_is_crossed() -> None:
    game = third(at_third("empty", "empty", side=HOUSE, pieces=(0, 0)), 5)
    assert sheets(game) == ("G10", "empty")
    assert game.pieces == (5, 0)


def test_the_books_example_four_more_land_on_green_7_crossed_before_which_is_no_cross() -> None:
    start = at_third("G10 G7", "empty", side=HOUSE, pieces=(5, 0))
    assert 9 in start.landings()
    game = start.apply(Moved(0, 9))
    assert game.passing_is_misthrow
    assert sheets(third(game, 9))[0] == "G10 G7 M1"


def test_action_3_comes_after_actions_1_and_2() -> None:
    start = roll(seated("empty", "empty", board=HOUSE, pieces=(0, 0)), (3, 4))
    with pytest.raises(RuleError, match="action 3 is not open, the game is at first"):
        start.apply(Moved(0, 1))
    assert start.landings() == ()
    game = choose(start, None, None)
    assert game.phase is Phase.SECOND
    assert not game.passing_is_misthrow  # a move may still save it
    game = second(game, None)
    assert (game.phase, game.deciding) == (Phase.THIRD, (0,))
    with pytest.raises(RuleError, match="action 3 is the active player's, seat 0, got seat 1"):
        game.apply(Moved(1, 1))


def test_a_move_may_be_passed_and_taken_back() -> None:
    game = at_third("empty", "empty", side=HOUSE, pieces=(0, 0)).apply(Moved(0, 5))
    assert not game.passing_is_misthrow
    game = play(game, TookBack(0))
    assert game.passing_is_misthrow
    assert sheets(third(game, None))[0] == "M1"


def test_occupied_spaces_are_jumped_and_the_start_is_shared() -> None:
    side = board(s1="R3", s2="R4", s3="R5", s4="R6", s5="R7", s6="R8", s7="R9")
    game = at_third("empty", "empty", "empty", side=side, pieces=(0, 0, 2))
    assert game.landings() == (1, 3, 4, 5, 6)
    alone = at_third("empty", "empty", "empty", side=side, pieces=(0, 0, 0))
    assert alone.landings() == (1, 2, 3, 4, 5)


def test_the_reach_is_the_free_spaces_ahead_whatever_the_sheet_says_of_them() -> None:
    side = board(s1="R5", s2="R8", s3="R12", s4="Y3", s5="R7")
    start = seated("R7", "empty", board=side, pieces=(0, 2))
    assert start.reach() == (1, 3, 4, 5, 6)
    third_action = at_third("R7", "empty", side=side, pieces=(0, 2))
    assert (third_action.reach(), third_action.landings()) == ((1, 3, 4, 5, 6), (4, 5))
    assert play(third_action, Stopped(0)).reach() == ()
    assert seated("R7").reach() == ()


def test_the_space_must_be_crossed_by_the_ordinary_rules_or_be_crossed_already() -> None:
    side = board(s1="R5", s2="R8", s3="R12", s4="Y3", s5="R7")
    game = at_third("R7", "empty", side=side, pieces=(0, 0))
    assert game.landings() == (2, 4, 5)  # R5 is left of R7, R12 needs five; R7 is crossed
    with pytest.raises(RuleError, match="a move reaches space 2 4 5, got 1"):
        game.apply(Moved(0, 1))


def test_a_move_with_nowhere_to_go_says_so() -> None:
    game = at_third("R7", "empty", side=board(), pieces=(0, 0))
    assert game.landings() == ()
    with pytest.raises(RuleError, match="a move reaches space none, got 3"):
        game.apply(Moved(0, 3))


def test_a_closed_rows_number_may_be_landed_on_only_if_it_is_crossed_already() -> None:
    closed = "R2 R3 R4 R5 R6 R12"
    side = board(s1="R8", s2="R4")
    assert at_third("R4", closed, side=side, pieces=(0, 0)).landings() == (2,)
    assert at_third("empty", closed, side=side, pieces=(0, 0)).landings() == ()


def test_a_move_may_close_a_row_and_the_second_one_ends_the_game() -> None:
    side = board(s1="R12")
    one = third(at_third("R2 R3 R4 R5 R6", "empty", side=side, pieces=(0, 0)), 1)
    assert one.closed == {Colour.RED}
    assert one.phase is Phase.ROLL
    other = "G12 G11 G10 G9 G8 G2"
    two = third(at_third("R2 R3 R4 R5 R6", other, side=side, pieces=(0, 0)), 1)
    assert (two.phase, two.ended_by) == (Phase.OVER, EndedBy.LOCKS)
    assert two.pieces == (1, 0)


def test_by_the_house_rule_a_row_closed_by_a_move_closes_with_the_turn() -> None:
    late = HouseRules(locks_take_effect=LocksTakeEffect.END_OF_TURN, pass_by_itself=False)
    side = board(s1="R12")
    game = third(at_third("R2 R3 R4 R5 R6", "empty", side=side, pieces=(0, 0), house=late), 1)
    assert game.closed == {Colour.RED}
    assert game.phase is Phase.ROLL


def test_a_misthrow_means_no_cross_in_any_of_three_actions() -> None:
    saved_by_move = third(at_third("empty", "empty", side=HOUSE, pieces=(0, 0)), 5)
    assert saved_by_move.sheets[0].misthrows == 0
    saved_before = third(
        second(choose(roll(seated("empty", board=HOUSE, pieces=(0,)), (3, 4)), "R7"), None), None
    )
    assert saved_before.sheets[0].misthrows == 0
    assert third(at_third("empty", side=HOUSE, pieces=(0,)), None).sheets[0].misthrows == 1


def test_reaching_one_of_the_last_five_spaces_gives_every_other_player_one_more_turn() -> None:
    side = board(s36="Y3", s37="Y4")
    game = third(at_third("empty", "empty", "empty", side=side, pieces=(35, 0, 0)), 36)
    assert (game.last_turns, game.active) == (2, 1)
    for seat in (1, 2):
        assert game.active == seat
        assert game.phase is Phase.ROLL
        game = third(second(choose(roll(game, (3, 4)), None, None, None), "R5"), None)
    assert (game.phase, game.ended_by, game.last_turns) == (Phase.OVER, EndedBy.BOARD, 0)


def test_a_second_piece_near_the_end_does_not_start_the_last_round_again() -> None:
    side = board(s36="Y3", s37="Y4")
    game = third(at_third("empty", "empty", "empty", side=side, pieces=(35, 35, 0)), 36)
    game = third(second(choose(roll(game, (3, 4)), None, None, None), None), 37)
    assert game.last_turns == 1


def test_a_player_alone_is_over_when_the_end_is_reached() -> None:
    game = third(at_third("empty", side=board(s36="Y3"), pieces=(35,)), 36)
    assert game.ended_by is EndedBy.BOARD


def test_extra_points_are_those_under_the_piece() -> None:
    game = seated("R2 R3", "empty", board=HOUSE, pieces=(40, 0))
    assert game.extra_points(0) == 20
    assert game.scores == (3 + 20, 0)
    assert seated("R2").extra_points(0) == 0


def test_where_nothing_can_be_moved_action_3_passes_by_itself_unless_it_is_a_misthrow() -> None:
    auto = HouseRules()
    start = seated("R7", "empty", board=board(), pieces=(0, 0), house=auto)
    crossed = choose(roll(start, (6, 3), red=6), "R9", None)
    ended = second(crossed, None)
    assert (ended.phase, ended.active) == (Phase.ROLL, 1)
    waiting = second(choose(roll(start, (6, 3), red=6), None, None), None)
    assert (waiting.phase, waiting.passing_is_misthrow) == (Phase.THIRD, True)
    nothing_in_2 = seated("R11 Y11 G3 B3", "empty", board=board(s1="B2", s2="R11"), pieces=(0, 0), house=auto)
    at_once = choose(roll(nothing_in_2, (5, 5)), None, None)
    assert at_once.phase is Phase.THIRD  # action 2 offered nothing, and a move is still to come


def test_a_move_chosen_before_a_correction_is_kept_while_it_can_be_reached_and_shown_as_lost_after() -> None:
    side = board(s1="R7")
    start = roll(seated("empty", "empty", board=side, pieces=(0, 0)), (3, 3), red=5)
    game = second(choose(start, None, None), None).apply(Moved(0, 1))
    again = play(game, DiceCorrected(0, Roll.parse("W3 W3 R6 Y1 G1 B1")))
    assert again.phase is Phase.SECOND
    kept, lost = second(again, None), second(again, "R9")
    assert kept.turn is not None
    assert (kept.phase, kept.turn.landing, kept.turn.lost) == (Phase.THIRD, 1, ())
    assert lost.turn is not None
    assert (lost.phase, lost.turn.landing) == (Phase.THIRD, None)
    assert lost.turn.lost == ((0, Cell.parse("R7")),)


def test_a_board_belongs_to_on_board_and_its_cells_to_the_sheet() -> None:
    with pytest.raises(RuleError, match="a board belongs to on-board and to no other edition"):
        Setup(("Anna",), board=HOUSE)
    with pytest.raises(RuleError, match="a board belongs to on-board and to no other edition"):
        Setup(("Anna",), edition=Edition.ON_BOARD)
    with pytest.raises(RuleError, match="on-board is for 1 to 4 players, got 5"):
        Setup(tuple("ABCDE"), edition=Edition.ON_BOARD, board=HOUSE)


def test_a_stopped_game_keeps_its_pieces() -> None:
    game = play(at_third("empty", "empty", side=HOUSE, pieces=(3, 0)), Stopped(1))
    assert (game.pieces, game.ended_by) == ((3, 0), EndedBy.STOPPED)
