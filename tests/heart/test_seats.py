"""Seats: who may sit where, and that every event survives its line of text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.game import Level
from companion.rules import NotationError, RuleError
from companion.table.seats import (
    MOST_SEATS,
    NO_SEATS,
    Mark,
    ProgramSeated,
    Seat,
    SeatEvent,
    SeatHeld,
    SeatLeft,
    Seats,
    SeatsOrdered,
    SeatTaken,
    apply_seat_event,
    is_seat_event,
    parse_seat_event,
    write_seat_event,
)

ANNA, BEN, CLEO = (
    Seat(name, mark, name.lower()) for name, mark in zip(("Anna", "Ben", "Cleo"), Mark, strict=False)
)
THREE: Seats = (ANNA, BEN, CLEO)

words = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=20)
holders = st.none() | words.filter(lambda word: word != "-" and word.isprintable())
names = st.lists(words, min_size=1, max_size=3).map("  ".join)
events = st.one_of(
    st.builds(SeatTaken, names, st.sampled_from(Mark), holders),
    st.builds(ProgramSeated, names, st.sampled_from(Mark), st.sampled_from(Level)),
    st.builds(SeatHeld, st.integers(0, 4), holders),
    st.builds(SeatLeft, st.integers(0, 4)),
    st.builds(SeatsOrdered, st.permutations(range(5)).map(tuple)),
)


@given(events)
def test_every_event_survives_its_line_of_text(event: SeatEvent) -> None:
    assert parse_seat_event(write_seat_event(event)) == event


def test_who_sits_down_comes_last() -> None:
    assert apply_seat_event(NO_SEATS, SeatTaken("Anna", Mark.CIRCLE, "anna")) == (ANNA,)
    assert apply_seat_event((ANNA, BEN), SeatTaken("Cleo", Mark.TRIANGLE, "cleo")) == THREE


@pytest.mark.parametrize(
    ("event", "refusal"),
    [
        (SeatTaken("aNNa", Mark.STAR, None), "aNNa sits here already; please choose another name"),
        (SeatTaken("Dora", Mark.SQUARE, None), "the square is taken; please choose another mark"),
        (SeatTaken("", Mark.STAR, None), "a name is 1 to 24 printable characters, got ''"),
        (SeatTaken("Do\nra", Mark.STAR, None), "a name is 1 to 24 printable"),
        (SeatTaken("Dora", Mark.STAR, "-"), "a holder is one printable word, got '-'"),
        (SeatTaken("Dora", Mark.STAR, "two words"), "a holder is one printable word"),
        (SeatHeld(0, ""), "a holder is one printable word, got ''"),
        (SeatHeld(0, "a\u200b"), "a holder is one printable word"),
        (SeatHeld(3, "dora"), "there are 3 seats, got seat 3"),
        (SeatLeft(-1), "there are 3 seats, got seat -1"),
        (SeatsOrdered((0, 1)), r"an order names each of 3 seats once, got \(0, 1\)"),
        (SeatsOrdered((0, 1, 1)), "an order names each of 3 seats once"),
    ],
)
def test_what_cannot_be_is_refused_in_words(event: SeatEvent, refusal: str) -> None:
    with pytest.raises(RuleError, match=refusal):
        apply_seat_event(THREE, event)


def test_five_may_sit_and_a_sixth_may_not() -> None:
    seats = NO_SEATS
    for number, mark in enumerate(Mark):
        seats = apply_seat_event(seats, SeatTaken(f"player {number}", mark, None))
    assert len(seats) == MOST_SEATS
    with pytest.raises(RuleError, match="all 5 seats are taken"):
        apply_seat_event(seats, SeatTaken("Dora", Mark.STAR, None))


def test_a_phone_takes_a_seat_over_and_gives_it_up() -> None:
    held = apply_seat_event(THREE, SeatHeld(1, "another"))
    assert [seat.holder for seat in held] == ["anna", "another", "cleo"]
    assert [seat.holder for seat in apply_seat_event(held, SeatHeld(1, None))] == ["anna", None, "cleo"]


def test_those_behind_a_seat_given_up_move_up() -> None:
    assert apply_seat_event(THREE, SeatLeft(0)) == (BEN, CLEO)


def test_seats_come_in_the_order_round_the_table() -> None:
    assert apply_seat_event(THREE, SeatsOrdered((2, 0, 1))) == (CLEO, ANNA, BEN)


@pytest.mark.parametrize(
    "line",
    [
        "seat",
        "seat taken star -",
        "seat taken hexagon - Anna",
        "seat held x -",
        "seat left one",
        "seats ordered a",
    ],
)
def test_a_line_that_is_no_seat_event_is_named(line: str) -> None:
    with pytest.raises(NotationError, match=repr(line)):
        parse_seat_event(line)


@given(events)
def test_a_seat_event_is_told_from_those_of_a_game_by_its_line(event: SeatEvent) -> None:
    assert is_seat_event(write_seat_event(event))
    assert not is_seat_event("roll W1 W2 R3 Y4 G5 B6")
