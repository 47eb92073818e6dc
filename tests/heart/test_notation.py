"""Notation: setups, events and whole games read back what they write, and errors show the text."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.game import (
    CameBack,
    Crossed,
    DiceCorrected,
    Done,
    Event,
    HouseRules,
    Moved,
    MovedOn,
    PieceCorrected,
    PlaysNoMore,
    Reopened,
    Rolled,
    SatOut,
    Setup,
    SheetCorrected,
    Source,
    Stopped,
    TookBack,
    TookBackDone,
    check_name,
    parse_event,
    write_event,
)
from companion.game.record import Record
from companion.rules import COLOURS, Cell, NotationError, Roll, RuleError, Sheet
from tests.random_games import any_record, any_setup

seats = st.integers(0, 4)
pips = st.integers(1, 6)
any_cell = st.builds(Cell, st.sampled_from(COLOURS), st.integers(2, 12))
rolls = st.builds(
    lambda white, coloured: Roll.of(white, coloured.items()),
    st.tuples(pips, pips),
    st.dictionaries(st.sampled_from(COLOURS), pips),
)
events: st.SearchStrategy[Event] = st.one_of(
    st.builds(Rolled, rolls, st.sampled_from(Source)),
    st.builds(Crossed, seats, any_cell, st.sampled_from([1, 2])),
    st.builds(Moved, seats, st.integers(1, 40)),
    st.builds(TookBack, seats),
    st.builds(Done, seats),
    st.builds(MovedOn, seats),
    st.builds(DiceCorrected, seats, rolls),
    st.builds(Reopened, seats, st.integers(0, 9)),
    st.builds(SheetCorrected, seats, seats, st.sampled_from([Sheet(), Sheet.parse("R2 G12 M2")])),
    st.builds(PieceCorrected, seats, seats, st.integers(0, 40)),
    st.builds(TookBackDone, seats),
    st.builds(SatOut, seats, seats),
    st.builds(PlaysNoMore, seats, seats),
    st.builds(CameBack, seats, seats),
    st.builds(Stopped, seats),
)


@given(events)
def test_an_event_reads_back_what_it_writes(event: Event) -> None:
    assert parse_event(write_event(event)) == event


@given(st.integers(0, 10_000))
def test_a_setup_reads_back_what_it_writes(seed: int) -> None:
    setup = any_setup(random.Random(seed))
    assert Setup.parse(str(setup)) == setup


@pytest.mark.parametrize("seed", range(12))
def test_a_whole_game_reads_back_what_it_writes(seed: int) -> None:
    record = any_record(seed)
    assert Record.parse(str(record)) == record
    assert Record.parse(str(record)).play() == record.play()


def test_names_with_quotes_commas_and_umlauts_read_back() -> None:
    setup = Setup(('Zoë "Z"', "Jörg, sen.", "李"))
    assert Setup.parse(str(setup)) == setup


def test_a_game_in_text_may_hold_comments_and_empty_lines() -> None:
    record = Record(Setup(("Anna",)), (Rolled(Roll.parse("W1 W2 R1 Y1 G1 B1")), Done(0)))
    first, *rest = str(record).splitlines()
    text = "\n".join(["# a game", first, "", *[f"{line} # said" for line in rest]])
    assert Record.parse(text) == record


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("0 crosses R13 in 1", "a cell's number is 2 to 12, got 'R13' in event '0 crosses R13 in 1'"),
        ("0 crosses R7 in 3", "an event is a line such as '0 crosses R7 in 1', got '0 crosses R7 in 3'"),
        ("x done", "in event 'x done'"),
        ("rolled W1 W2 by magic", "in event 'rolled W1 W2 by magic'"),
        ("", "an event is a line such as '0 crosses R7 in 1', got ''"),
    ],
)
def test_a_text_that_is_no_event_says_what_is_wrong(line: str, complaint: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_event(line)
    assert complaint in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("original", "classic", 'a game is "original, sheet classic, …, players …", got'),
        (", players", ", people", 'a game is "original, sheet classic, …, players …", got'),
        ("sheet classic, ", "", "a game names its sheet"),
        ("sheet classic", "sheet round", "a sheet is one of classic, mixx-a, mixx-b, got 'round'"),
        ("scores open", "scores maybe", "either hidden or open, got 'maybe'"),
        ("passing by-itself", "passing never", "either by-itself or by-hand, got 'never'"),
        ('"Max"', "Max", "names are quoted such as \"Anna\", got 'Max'"),
    ],
)
def test_a_text_that_is_no_setup_says_what_is_wrong(old: str, new: str, complaint: str) -> None:
    text = str(Setup(("Anna", "Max"), house=HouseRules()))
    assert old in text
    with pytest.raises(NotationError) as caught:
        Setup.parse(text.replace(old, new))
    assert complaint in str(caught.value)


def test_a_broken_line_of_a_game_is_named_by_its_number() -> None:
    text = f"{Setup(('Anna',))}\nrolled W1 W2 R1 Y1 G1 B1 by hand\n0 dances\n"
    with pytest.raises(NotationError, match=r"line 3: an event is a line such as"):
        Record.parse(text)
    with pytest.raises(NotationError, match="a game begins with its setup, got an empty text"):
        Record.parse("# nothing\n\n")


def test_an_event_that_the_rules_refuse_is_named_by_its_number() -> None:
    record = Record(Setup(("Anna",)), (Rolled(Roll.parse("W1 W2 R1 Y1 G1 B1")), Crossed(0, Cell.parse("R4"))))
    with pytest.raises(RuleError, match=r"event 2 \(0 crosses R4 in 1\): illegal cross: R4 was not rolled"):
        record.play()


@pytest.mark.parametrize("name", ["", " Anna", "Anna ", "A" * 25, "An\nna", "\u202eAnna"])
def test_a_name_that_cannot_be_shown_is_refused(name: str) -> None:
    with pytest.raises(RuleError, match="a name is 1 to 24 printable characters"):
        check_name(name)


def test_players_need_different_names_and_a_first_among_them() -> None:
    with pytest.raises(RuleError, match="players need different names, got Anna, ANNA"):
        Setup(("Anna", "ANNA"))
    with pytest.raises(RuleError, match="the first player is one of seats 0 to 1, got 2"):
        Setup(("Anna", "Max"), first=2)


def test_a_setup_names_its_rules_and_one_without_is_of_the_first() -> None:
    setup = Setup(("Anna",))
    assert ", rules 2, " in str(setup)
    first = Setup.parse(str(setup).replace(", rules 2", ""))
    assert (first.rules, str(first)) == (1, str(setup).replace(", rules 2", ""))
    with pytest.raises(RuleError, match="this Boxlid plays rules 1 to 2, got 3"):
        Setup.parse(str(setup).replace("rules 2", "rules 3"))


@pytest.mark.parametrize(
    ("written", "instead", "said"),
    [
        ("first 0", "first " + "1" * 5001, "the first of a game is a number of up to 3 digits, got '1111"),
        ("first 0", "first \u00b2", "the first of a game is a number of up to 3 digits, got '\u00b2'"),
        ("patience 0", "patience -1", "the patience of a game is a number of up to 3 digits, got '-1'"),
        ("locks at-once", "locks never", "locks take effect"),
    ],
)
def test_a_setup_that_no_game_wrote_is_named_in_a_short_line(written: str, instead: str, said: str) -> None:
    text = str(Setup(("Anna", "Ben")))
    assert Setup.parse(text) == Setup(("Anna", "Ben"))
    assert written in text
    with pytest.raises(NotationError) as error:
        Setup.parse(text.replace(written, instead))
    assert str(error.value).startswith(said)
    assert len(str(error.value)) < 200
