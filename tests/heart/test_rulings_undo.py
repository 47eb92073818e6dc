"""Ruling R15 on going back: one's own Done, any turn of the game, and pieces that stand elsewhere."""

from dataclasses import replace

import pytest

from companion.boards import house_board
from companion.game import (
    DiceCorrected,
    Game,
    Moved,
    Phase,
    PieceCorrected,
    Reopened,
    SheetCorrected,
    TookBackDone,
)
from companion.rules import Roll, RuleError, Sheet
from tests.playing import choose, cross, done, play, roll, seated, second, sheets, third

FRONT = house_board().front


def plain(game: Game) -> Game:
    return replace(game, newest=None, until=None)


def test_r15_the_last_to_decide_takes_back_the_done_that_closed_action_1() -> None:
    game = cross(done(roll(seated("empty", "empty"), (3, 4), red=5), 0), 1, "R7")
    closed = done(game, 1)
    assert (closed.phase, closed.may_take_back_done(1), closed.may_take_back_done(0)) == (
        Phase.SECOND,
        True,
        False,
    )
    assert play(closed, TookBackDone(1)) == plain(game)
    with pytest.raises(RuleError, match="somebody has rolled or decided since"):
        play(closed, TookBackDone(0))


def test_r15_the_active_player_takes_back_the_done_that_ended_the_turn_or_the_game() -> None:
    game = cross(choose(roll(seated("M3", "empty"), (3, 4), red=5), None, None), 0, "R8", 2)
    ended = done(game, 0)
    assert (ended.phase, ended.active) == (Phase.ROLL, 1)
    assert play(ended, TookBackDone(0)) == plain(game)
    over = second(choose(roll(seated("M3", "empty"), (3, 4)), None, None), None)
    assert over.phase is Phase.OVER
    assert play(over, TookBackDone(0)).phase is Phase.SECOND


def test_r15_once_somebody_rolled_or_decided_a_done_stays() -> None:
    rolled = roll(seated("empty", "empty"), (3, 4), red=5)
    closed = done(rolled, 0, 1)
    ended = done(closed, 0)
    later = [
        cross(closed, 0, "R8", 2),
        roll(ended, (3, 4)),
        play(closed, DiceCorrected(0, Roll.parse("W3 W4 R6 Y1 G1 B1"))),
        play(closed, Reopened(0)),
        play(closed, SheetCorrected(0, 0, Sheet.parse("R2"))),
    ]
    for game in later:
        for seat in (0, 1):
            with pytest.raises(RuleError, match="somebody has rolled or decided since"):
                play(game, TookBackDone(seat))
    assert play(closed, SheetCorrected(0, 0, Sheet())) is closed  # saved unchanged, nothing was decided
    with pytest.raises(RuleError, match="seats are 0 to 1, got 7"):
        play(closed, TookBackDone(7))


def test_r15_action_2_carried_out_as_chosen_in_advance_is_no_decision_after_the_done() -> None:
    game = done(cross(roll(seated("empty", "empty"), (3, 4), red=5), 0, "R8", 2), 0)
    ended = done(done(game, 1), 0)
    assert (ended.phase, ended.active, sheets(ended)) == (Phase.ROLL, 1, ("R8", "empty"))
    assert play(ended, TookBackDone(1)) == plain(game)
    with pytest.raises(RuleError, match="somebody has rolled or decided since"):
        play(ended, TookBackDone(0))
    anew = done(cross(done(roll(seated("empty", "empty"), (3, 4), red=5), 0, 1), 0, "R8", 2), 0)
    assert [anew.may_take_back_done(seat) for seat in (0, 1)] == [True, False]


def test_r15_every_turn_of_the_game_can_be_gone_back_to_over_corrected_sheets_too() -> None:
    game = seated("empty", "empty")
    for number in range(1, 6):
        game = second(choose(roll(game, (1, number), red=1), None, None), None)
        game = play(game, SheetCorrected(0, 1, Sheet.parse(f"G{12 - number}")))
    for back in range(5):
        again = play(game, Reopened(1, back))
        assert (again.number, again.phase) == (5 - back, Phase.FIRST)
    with pytest.raises(RuleError, match="no turn to reopen 5 before this one"):
        play(game, Reopened(1, 5))


# --- pieces ----------------------------------------------------------------------------------------------


def on_board(*pieces: int) -> Game:
    return seated(*["empty"] * len(pieces), board=FRONT, pieces=pieces)


def test_r15_a_piece_is_put_where_it_stands_between_turns_and_in_any_action() -> None:
    game = on_board(3, 0)
    for moment in (game, roll(game, (3, 4)), choose(roll(game, (3, 4)), None, None)):
        again = play(moment, PieceCorrected(1, 0, 5))
        assert (again.pieces, again.phase, again.deciding) == ((5, 0), moment.phase, moment.deciding)
        assert plain(play(again, PieceCorrected(1, 0, 3))) == plain(moment)
        assert play(moment, PieceCorrected(1, 0, 3)) is moment
    rolled = play(roll(game, (3, 4)), PieceCorrected(1, 0, 5))
    assert play(rolled, DiceCorrected(0, Roll.parse("W3 W5 R1 Y1 G1 B1"))).pieces == (5, 0)


def test_r15_a_chosen_space_that_is_out_of_reach_now_is_chosen_again() -> None:
    game = second(choose(roll(on_board(3, 0), (3, 4)), None, None), None)
    far = game.landings()[-1]
    lost = play(game, Moved(0, far), PieceCorrected(1, 0, 20))
    assert lost.turn is not None
    assert (lost.phase, lost.turn.landing, lost.turn.lost) == (Phase.THIRD, None, ((0, FRONT.cell(far)),))
    kept = play(game, Moved(0, far), PieceCorrected(1, 1, 20))
    assert kept.turn is not None
    assert kept.turn.landing == far


def test_r15_after_a_move_the_piece_is_where_the_table_says_and_the_turn_can_be_gone_back_to() -> None:
    game = second(choose(roll(on_board(3, 9), (3, 4)), None, None), None)
    near, far = game.landings()[0], game.landings()[-1]
    moved = third(game, far)
    again = play(moved, PieceCorrected(1, 0, near))
    assert again.pieces == (near, 9)
    assert play(again, Reopened(0)).pieces == (3, 9)
    other = play(moved, PieceCorrected(1, 1, 30))
    assert play(other, Reopened(0)).pieces == (3, 30)
    in_the_way = play(moved, PieceCorrected(1, 1, 3))  # where Anna's piece stood when she rolled
    assert play(in_the_way, Reopened(0)).pieces == (3, 9)


def test_r15_without_a_piece_near_the_end_there_is_no_last_round() -> None:
    game = second(choose(roll(on_board(35, 0, 0), (3, 4)), None, None, None), None)
    last = third(game, game.landings()[0])
    assert last.last_turns == 2
    assert play(last, PieceCorrected(1, 0, 35)).last_turns is None
    assert play(last, PieceCorrected(1, 1, 3)).last_turns == 2


def test_r15_a_piece_goes_to_a_free_space_of_a_board_that_there_is() -> None:
    with pytest.raises(RuleError, match="space 9 is taken by Max"):
        play(on_board(3, 9), PieceCorrected(0, 0, 9))
    with pytest.raises(RuleError, match="a piece stands on space 0 to 40, got 41"):
        play(on_board(3, 9), PieceCorrected(0, 0, 41))
    with pytest.raises(RuleError, match="there are no pieces in this game"):
        play(seated("empty"), PieceCorrected(0, 0, 1))
    assert play(on_board(3, 0), PieceCorrected(0, 0, 0)).pieces == (0, 0)  # the start is for all
    assert sheets(play(on_board(3, 0), PieceCorrected(0, 0, 7)))[0] == "empty"  # a piece is no cross
