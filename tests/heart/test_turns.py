"""The course of a turn: who is waited for, who passes by himself, and what cannot be."""

import pytest

from companion.game import (
    Crossed,
    Done,
    MovedOn,
    Phase,
    Rolled,
    Stopped,
    TookBack,
)
from companion.rules import Cell, Roll, RuleError
from tests.playing import (
    AUTO,
    BY_HAND,
    CLOSED_GREEN,
    choose,
    cross,
    done,
    play,
    roll,
    seated,
    second,
    sheets,
)


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
