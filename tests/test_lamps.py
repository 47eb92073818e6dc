"""Lamps are a function of the snapshot: the same table always shows the same lamps."""

from dataclasses import replace

import pytest

from companion.game import HouseRules, LocksTakeEffect, Setup
from companion.table.eyes import Eyes, EyesState
from companion.table.snapshot import Snapshot
from companion.view.lamps import (
    LIGHT_PATTERNS,
    STATUS_COLOURS,
    STATUS_PATTERNS,
    Lamps,
    Light,
    Status,
    is_lit,
    lamps,
)
from tests.games import lobby, played, started

OFF, ON, BLINKING, WINKING = Light.OFF, Light.ON, Light.BLINKING, Light.WINKING
FIVE_RED = ("0 corrects sheet 0 R2 R3 R4 R5 R6",)
ROLL_TWELVE = "rolled W6 W6 R1 Y1 G1 B1 by hand"


def seen(snapshot: Snapshot, state: EyesState) -> Snapshot:
    return replace(snapshot, eyes=Eyes(state))


def test_in_the_lobby_each_taken_seat_is_lit() -> None:
    assert lamps(lobby("Anna", "Ben")).seats == (ON, ON, OFF, OFF, OFF)
    assert lamps(lobby()) == Lamps()


def test_before_the_roll_only_the_active_player_is_lit() -> None:
    assert lamps(started()).seats == (ON, OFF, OFF, OFF, OFF)
    assert lamps(started()).rows == (OFF, OFF, OFF, OFF)


def test_while_the_lot_is_drawn_the_light_runs_round_the_players() -> None:
    drawing = replace(started(), lot_ends_at=3.0)
    shown = lamps(drawing).seats
    assert OFF in shown[3:]
    assert len(set(shown[:3])) == 3
    ticks = [[is_lit(LIGHT_PATTERNS[light], tick) for light in shown[:3]] for tick in range(6)]
    assert ticks == [[n == tick // 2 for n in range(3)] for tick in range(6)]


def test_whoever_still_decides_blinks_and_the_active_player_stays_known() -> None:
    first = played(started(), "rolled W3 W4 R1 Y1 G1 B1 by hand")
    assert lamps(first).seats == (WINKING, BLINKING, BLINKING, OFF, OFF)
    assert lamps(played(first, "1 done")).seats == (WINKING, OFF, BLINKING, OFF, OFF)
    assert lamps(played(first, "0 done")).seats == (ON, BLINKING, BLINKING, OFF, OFF)
    second = played(first, "0 done", "1 done", "2 done")
    assert lamps(second).seats == (ON, OFF, OFF, OFF, OFF)
    assert lamps(played(second, "0 done")).seats == (OFF, ON, OFF, OFF, OFF)


def test_a_row_blinks_while_it_is_being_closed_and_is_lit_once_it_is() -> None:
    rolled = played(started(), *FIVE_RED, ROLL_TWELVE)
    assert lamps(rolled).rows == (OFF, OFF, OFF, OFF)
    announced = played(rolled, "0 crosses R12 in 1")
    assert lamps(announced).rows == (BLINKING, OFF, OFF, OFF)
    assert lamps(played(announced, "0 takes back")).rows == (OFF, OFF, OFF, OFF)
    assert lamps(played(announced, "0 done", "1 done", "2 done")).rows == (ON, OFF, OFF, OFF)


def test_a_lock_that_takes_effect_later_blinks_until_then() -> None:
    house = HouseRules(locks_take_effect=LocksTakeEffect.END_OF_TURN)
    start = started(setup=Setup(("Anna", "Ben", "Cleo"), house=house))
    rolled = played(start, *FIVE_RED, ROLL_TWELVE, "0 crosses R12 in 1")
    second = played(rolled, "0 done", "1 done", "2 done")
    assert lamps(second).rows == (BLINKING, OFF, OFF, OFF)
    assert lamps(played(second, "0 done")).rows == (ON, OFF, OFF, OFF)


def test_the_winners_blink_when_the_game_is_over() -> None:
    over = played(started(), *FIVE_RED, "0 corrects sheet 1 M4")
    assert lamps(over).seats == (BLINKING, OFF, OFF, OFF, OFF)


def test_nobody_has_won_a_game_that_was_stopped() -> None:
    over = played(started(), *FIVE_RED, "0 stops")
    assert lamps(over).seats == (OFF, OFF, OFF, OFF, OFF)


@pytest.mark.parametrize(
    ("state", "status", "light"),
    [
        (EyesState.OFF, Status.BY_HAND, False),
        (EyesState.READY, Status.READY, False),
        (EyesState.READING, Status.READING, True),
        (EyesState.MOVING, Status.READING, True),
        (EyesState.ASK, Status.ASK, False),
        (EyesState.TROUBLE, Status.ERROR, False),
    ],
)
def test_the_status_lamp_and_the_lid_light_follow_the_camera(
    state: EyesState, status: Status, light: bool
) -> None:
    shown = lamps(seen(started(), state))
    assert shown.status is status
    assert shown.lid_light is light


def test_the_lid_light_stays_on_while_the_camera_waits_for_a_roll_by_itself() -> None:
    waiting = seen(started(), EyesState.READY)
    assert lamps(waiting, watching=True).lid_light
    assert not lamps(seen(lobby(), EyesState.READY), watching=True).lid_light
    assert not lamps(seen(started(), EyesState.OFF), watching=True).lid_light
    first = played(started(), "rolled W3 W4 R1 Y1 G1 B1 by hand")
    assert not lamps(seen(first, EyesState.READY), watching=True).lid_light


def test_every_light_and_status_looks_different_from_the_others() -> None:
    for patterns in (LIGHT_PATTERNS, STATUS_PATTERNS):
        assert {len(pattern) for pattern in patterns.values()} == {10}
        assert len(set(patterns.values())) == len(patterns)
    assert set(LIGHT_PATTERNS) == set(Light)
    assert len({status.colour for status in Status}) == len(STATUS_COLOURS) == len(Status)


def test_a_pattern_goes_round() -> None:
    assert [is_lit("X..", tick) for tick in range(5)] == [True, False, False, True, False]
