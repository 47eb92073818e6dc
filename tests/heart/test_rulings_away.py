"""Ruling R17 on players who are away: they pass, are passed over, take no misthrow, and may come back."""

from dataclasses import replace

import pytest

from companion.boards import house_board
from companion.game import (
    CameBack,
    Crossed,
    DiceCorrected,
    EndedBy,
    Game,
    Moved,
    Phase,
    PlaysNoMore,
    Reopened,
    SatOut,
    Setup,
    TookBack,
)
from companion.rules import Cell, Roll, RuleError
from tests.playing import FIVE_RED, NAMES, choose, cross, done, play, roll, seated, second, sheets, third

FRONT = house_board().front


def out(game: Game, *seats: int) -> Game:
    return play(game, *[SatOut(0, seat) for seat in seats])


def test_r17_who_sits_out_passes_in_action_1() -> None:
    game = roll(out(seated("empty", "empty", "empty"), 2), (3, 4))
    assert game.deciding == (0, 1)
    assert game.legal_first(2) == ()
    assert done(game, 0, 1).phase is Phase.SECOND
    with pytest.raises(RuleError, match="Laura sits out and has nothing to decide"):
        cross(game, 2, "R7")


def test_r17_turns_of_who_sits_out_are_skipped() -> None:
    game = out(seated("empty", "empty", "empty"), 1)
    game = second(choose(roll(game, (3, 4)), "R7", None, None), None)
    assert (game.active, game.number) == (2, 2)
    game = second(choose(roll(game, (3, 4)), None, None, "R7"), None)
    assert (game.active, game.number) == (0, 3)
    assert [sheet.misthrows for sheet in game.sheets] == [0, 0, 0]


def test_r17_who_should_roll_and_sits_out_is_passed_over_at_once_and_back_with_one_tap() -> None:
    game = out(seated("empty", "empty", "empty"), 0)
    assert (game.active, game.number, game.phase) == (1, 1, Phase.ROLL)
    assert play(game, CameBack(2, 0)).active == 0
    later = play(roll(game, (3, 4)), CameBack(2, 0))
    assert (later.active, later.deciding) == (1, (0, 1, 2))


def test_r17_no_misthrow_is_taken_for_who_sits_out_in_the_middle_of_their_turn() -> None:
    rolled = roll(seated("empty", "empty"), (3, 4))
    first = done(out(rolled, 0), 1)
    assert (first.phase, first.active, sheets(first)) == (Phase.ROLL, 1, ("empty", "empty"))
    in_second = out(choose(rolled, None, None), 0)
    assert (in_second.phase, in_second.active, sheets(in_second)) == (Phase.ROLL, 1, ("empty", "empty"))
    assert not in_second.passing_is_misthrow
    board = roll(seated("empty", "empty", board=FRONT, pieces=(0, 0)), (3, 4))
    in_third = out(second(choose(board, None, None), None), 0)
    assert (in_third.active, sheets(in_third), in_third.pieces) == (1, ("empty", "empty"), (0, 0))


def test_r17_what_was_chosen_before_sitting_out_counts() -> None:
    rolled = roll(seated("empty", "empty"), (3, 4), red=5)
    game = cross(cross(rolled, 0, "R7"), 0, "R8", 2)
    assert sheets(done(out(game, 0), 1)) == ("R7 R8", "empty")
    assert sheets(out(cross(done(rolled, 0, 1), 0, "R8", 2), 0)) == ("R8", "empty")
    board = roll(seated("empty", "empty", board=FRONT, pieces=(0, 0)), (3, 4))
    moved = out(second(choose(board, None, None), None).apply(Moved(0, 1)), 0)
    assert (moved.pieces, str(moved.sheets[0])) == ((1, 0), str(FRONT.cell(1)))
    waits = out(cross(rolled, 1, "B7"), 1)
    assert sheets(done(waits, 0))[1] == "B7"
    with pytest.raises(RuleError, match="Max sits out"):
        play(waits, TookBack(1))


def test_r17_the_last_to_decide_who_sits_out_lets_the_others_go_on_and_may_come_back_to_it() -> None:
    game = done(roll(seated("empty", "empty"), (3, 4)), 0)
    on = out(game, 1)
    assert on.phase is Phase.SECOND
    back = play(on, CameBack(0, 1))
    assert (back.phase, back.deciding) == (Phase.FIRST, (1,))
    assert back == replace(game, newest=None, until=None)
    crossed = play(cross(on, 0, "R4", 2), CameBack(0, 1))  # decided since: that is not taken back
    assert (crossed.phase, crossed.away) == (Phase.SECOND, frozenset())


def test_r17_who_comes_back_in_action_1_decides_with_the_others() -> None:
    game = roll(out(seated("empty", "R8 Y8 G6 B6", "empty"), 1, 2), (3, 4))
    assert play(game, CameBack(2, 2)).deciding == (0, 2)
    assert play(game, CameBack(1, 1)).deciding == (0,)  # Max has no 7 to cross
    assert play(seated("empty", "empty"), SatOut(0, 1), CameBack(0, 1)).away == frozenset()


def test_r17_somebody_has_to_play_on() -> None:
    with pytest.raises(RuleError, match="somebody has to play on"):
        out(seated("empty", "empty"), 1, 0)
    with pytest.raises(RuleError, match="somebody has to play on"):
        play(seated("empty"), PlaysNoMore(0, 0))
    with pytest.raises(RuleError, match="Max sits out already"):
        out(seated("empty", "empty", "empty"), 1, 1)
    with pytest.raises(RuleError, match="Max does not sit out"):
        play(seated("empty", "empty"), CameBack(0, 1))
    with pytest.raises(RuleError, match="seats are 0 to 1, got 2"):
        out(seated("empty", "empty"), 2)


def test_r17_who_plays_no_more_keeps_the_points_as_they_are() -> None:
    game = play(seated("R2 R3", "Y2", "empty"), PlaysNoMore(1, 0))
    assert (game.active, *game.gone, *game.away) == (1, 0, 0)
    with pytest.raises(RuleError, match="Anna plays no more already"):
        play(game, PlaysNoMore(1, 0))
    assert play(out(seated("R2 R3", "Y2", "empty"), 0), PlaysNoMore(1, 0)).gone == {0}
    near = play(seated("R2 R3", "M3", "empty"), PlaysNoMore(1, 0))
    ended = second(choose(roll(near, (3, 4)), None, None, None), None)
    assert (ended.ended_by, ended.scores, ended.winners) == (EndedBy.PENALTIES, (3, -20, 0), (0,))
    with pytest.raises(RuleError, match="the game is over already"):
        out(ended, 1)
    with pytest.raises(RuleError, match="the game is over already"):
        play(ended, CameBack(1, 0))


def test_r17_a_seat_that_sits_out_takes_no_fourth_misthrow_and_ends_no_game() -> None:
    game = choose(roll(seated("M3", "empty"), (3, 4)), None, None)
    assert out(game, 0).phase is Phase.ROLL


def test_r17_a_first_player_by_lot_who_sits_out_leaves_the_first_roll_to_the_next() -> None:
    assert out(Game.begin(Setup(NAMES[:3], 2)), 2).active == 0


def test_r17_on_board_who_sits_out_has_had_the_one_more_turn() -> None:
    start = seated("empty", "empty", "empty", board=FRONT, pieces=(35, 0, 0))
    rolled = second(choose(roll(start, (3, 4)), None, None, None), None)
    landing = rolled.landings()[0]
    last = third(rolled, landing)
    assert (last.last_turns, last.active) == (2, 1)
    skipped = out(last, 1)
    assert (skipped.last_turns, skipped.active) == (1, 2)
    assert play(skipped, CameBack(0, 1)).active == 1
    over = out(skipped, 2)
    assert (over.phase, over.ended_by, over.last_turns) == (Phase.OVER, EndedBy.BOARD, 0)
    assert play(over, CameBack(0, 2)).phase is Phase.ROLL
    away_before = third(second(choose(roll(out(start, 2), (3, 4)), None, None, None), None), landing)
    assert (away_before.last_turns, away_before.active) == (2, 1)
    ended = third(second(choose(roll(away_before, (3, 4)), None, None, None), None), None)
    assert ended.ended_by is EndedBy.BOARD


def test_r17_nobody_comes_or_goes_by_dice_or_turns_put_right() -> None:
    game = out(second(choose(roll(seated("empty", "empty", "empty"), (3, 4)), "R7", "B7", "G7"), None), 2)
    for again in (play(game, Reopened(0)), play(game, DiceCorrected(0, Roll.parse("W3 W5 R1 Y1 G1 B1")))):
        assert (again.phase, *again.away) == (Phase.FIRST, 2)
        assert again.deciding == (0, 1)
    lost = play(game, DiceCorrected(0, Roll.parse("W3 W5 R1 Y1 G1 B1")))
    assert lost.turn is not None
    assert (2, Cell.parse("G7")) in lost.turn.lost
    assert play(done(play(game, Reopened(0)), 0, 1)).phase is Phase.SECOND
    mine = play(out(game, 0), Reopened(0))
    assert (mine.active, mine.deciding) == (0, (1,))
    finished = done(mine, 1)
    assert (finished.active, sheets(finished)) == (1, ("R7", "B7", "G7"))


def test_r17_an_announced_row_asks_nobody_who_sits_out() -> None:
    game = roll(out(seated(FIVE_RED, FIVE_RED, "empty"), 1), (6, 6))
    assert play(game, Crossed(0, Cell.parse("R12"))).deciding == (0, 2)
