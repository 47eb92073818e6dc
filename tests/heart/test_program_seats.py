"""Seats that the program plays: how they are taken, kept and handed on, and what people do for them."""

from pathlib import Path

import pytest

from boxlid.fields import FieldsError
from companion.game import (
    Crossed,
    DiceCorrected,
    Hints,
    HouseRules,
    Leaning,
    Level,
    Pace,
    Phase,
    Rolled,
    Setup,
    Stopped,
)
from companion.journal.journal import Journal
from companion.rules import Cell, NotationError, Roll, RuleError
from companion.table.seats import Mark, ProgramSeated, Seat, SeatHeld
from companion.table.snapshot import GameStarted, TableCleared
from companion.table.table import Command, Table
from companion.view import Asker, read_wish, refusal_view, view
from companion.view.values import Finish
from companion.view.wishes import Wish
from tests.program_seats import game_with, roll, table_with

EASY, MEDIUM, HARD = Level
DICE, OTHERS = "W3 W4 R2 Y5 G6 B1", "W3 W3 R2 Y5 G6 B1"


def wished(table: Table, **wish: object) -> Wish:
    return read_wish(wish, table.snapshot, Asker(frozenset({0})))


def test_a_set_up_keeps_whom_the_program_plays_and_the_house_rules_about_it() -> None:
    house = HouseRules(hints=Hints.ASKED, pace=Pace.AT_ONCE, leaning=Leaning.ROLLED_AGAIN)
    setup = Setup(("Anna", "Ada"), house=house, levels=(None, HARD))
    assert Setup.parse(str(setup)) == setup
    assert (setup.level(0), setup.level(1)) == (None, HARD)
    people = Setup(("Anna", "Ben"))
    assert people.level(1) is None
    assert not {"hints", "pace", "leaning", "levels"} & set(str(people).replace(",", "").split())


@pytest.mark.parametrize(
    ("levels", "refusal"),
    [
        ((HARD,), "2 players have as many levels, got 1"),
        ((None, None), "levels are left out where people play"),
    ],
)
def test_levels_that_do_not_go_with_the_players_are_refused(
    levels: tuple[Level | None, ...], refusal: str
) -> None:
    with pytest.raises(RuleError, match=refusal):
        Setup(("Anna", "Ben"), levels=levels)


@pytest.mark.parametrize(
    "wrong", ["levels - master", "hints sometimes, levels - hard", "pace slow, levels - hard"]
)
def test_a_line_of_an_unknown_level_hint_or_pace_is_refused(wrong: str) -> None:
    text = str(Setup(("Anna", "Ada"), levels=(None, HARD)))
    with pytest.raises(NotationError, match="got '"):
        Setup.parse(text.replace("levels - hard", wrong))


def test_players_of_the_program_get_names_and_marks_of_their_own_until_the_table_is_full(
    tmp_path: Path,
) -> None:
    table = table_with(tmp_path)
    for level in (HARD, EASY, MEDIUM, HARD):
        found = wished(table, do="seat-program", level=level.value)
        assert isinstance(found, Command)
        table.play(found)
    seats = table.snapshot.seats
    assert [seat.level for seat in seats] == [None, HARD, EASY, MEDIUM, HARD]
    assert len({seat.name for seat in seats}) == len({seat.mark for seat in seats}) == len(seats)
    with pytest.raises(RuleError) as full:
        wished(table, do="seat-program", level="hard")
    assert full.value.kind == "full"
    with pytest.raises(FieldsError) as caught:
        wished(table, do="seat-program", level="best")
    assert refusal_view(caught.value).text == 'level = "best": allowed is "easy", "medium" or "hard"'


def test_a_game_begins_with_the_program_on_its_seats_and_a_restart_knows_it(tmp_path: Path) -> None:
    table = table_with(tmp_path, HARD)
    started = wished(table, do="start", first=1)
    assert isinstance(started, Command)
    table.play(started)
    assert table.snapshot.game is not None
    assert table.snapshot.game.setup.levels == (None, HARD)
    table.journal.close()
    again = Table(Journal(tmp_path)).snapshot
    assert again.seats[1] == Seat("Ada", Mark.SQUARE, None, HARD)
    assert again.game == table.snapshot.game


def test_a_game_for_other_levels_than_those_on_the_seats_is_refused(tmp_path: Path) -> None:
    table = table_with(tmp_path, HARD)
    with pytest.raises(RuleError, match="whom the program plays is as on the seats"):
        table.play(Command(GameStarted(Setup(("Anna", "Ada"), levels=(None, EASY)))))


def test_somebody_takes_the_programs_seat_between_two_games_but_not_in_one(tmp_path: Path) -> None:
    table = game_with(tmp_path, HARD)
    with pytest.raises(RuleError) as playing:
        table.play(Command(SeatHeld(1, "ben")))
    assert playing.value.kind == "program-plays"
    table.play(Command(SeatHeld(1, None)))  # nobody holds it anyway: the program plays on
    assert table.snapshot.plays_itself(1)
    table.play(Command(Stopped(0)))
    table.play(Command(SeatHeld(1, "ben")))
    assert table.snapshot.seats[1] == Seat("Ada", Mark.SQUARE, "ben")
    again = wished(table, do="again")
    assert isinstance(again, Command)
    shown = table.play(again)
    assert shown.game is not None
    assert shown.game.setup.levels == ()


def test_a_player_of_the_program_that_comes_during_a_game_plays_in_the_next(tmp_path: Path) -> None:
    table = game_with(tmp_path, HARD)
    waiting = table.play(Command(ProgramSeated("Emmy", Mark.STAR, EASY)))
    assert not waiting.plays_itself(2)
    table.play(Command(Stopped(0)))
    assert table.play(Command(TableCleared())).plays_itself(2)


def test_the_program_is_there_without_a_phone(tmp_path: Path) -> None:
    """Nobody is asked whether it plays."""
    assert table_with(tmp_path, HARD).snapshot.absent == frozenset()


def test_anybody_rolls_for_the_program_and_is_shown_so(tmp_path: Path) -> None:
    table = game_with(tmp_path, HARD, first=1)
    own = view(table.snapshot, frozenset({0})).own[0]
    assert own.finish is Finish.ROLL_FOR
    shown = table.play(Command(Rolled(Roll.parse(DICE)), seat=0))
    assert shown.game is not None
    assert shown.game.phase is Phase.FIRST


def test_people_correct_the_dice_whatever_the_program_has_crossed(tmp_path: Path) -> None:
    """It decides within a moment, and again with the right dice."""
    table = game_with(tmp_path, HARD, first=1)
    roll(table, DICE)
    table.play(Command(Crossed(1, Cell.parse("R7")), seat=1))
    assert view(table.snapshot, frozenset({0})).own[0].corrects
    shown = table.play(Command(DiceCorrected(0, Roll.parse(OTHERS)), seat=0))
    assert shown.game is not None
    assert shown.game.turn is not None
    assert shown.game.turn.roll == Roll.parse(OTHERS)


def test_in_a_persons_turn_what_the_program_crossed_keeps_nobody_from_correcting_the_dice(
    tmp_path: Path,
) -> None:
    table = game_with(tmp_path, HARD, EASY, first=0)
    roll(table, DICE)
    table.play(Command(Crossed(1, Cell.parse("R7")), seat=1))
    table.play(Command(DiceCorrected(2, Roll.parse(OTHERS)), seat=2))
    table.play(Command(Crossed(0, Cell.parse("R6")), seat=0))
    with pytest.raises(RuleError, match="after the first cross, Anna corrects the dice"):
        table.play(Command(DiceCorrected(2, Roll.parse(DICE)), seat=2))


def test_anybody_moves_on_in_the_programs_turn_and_nobody_else_in_a_persons(tmp_path: Path) -> None:
    clock = iter(range(0, 10_000, 100))
    table = game_with(tmp_path / "its", HARD, EASY, first=1, house=HouseRules(patience=15))
    table = Table(table.journal, clock=lambda: float(next(clock)))
    roll(table, DICE)
    assert table.ask_to_move_on(0).moves_on_at is not None
    hers = game_with(tmp_path / "hers", HARD, EASY, first=0, house=HouseRules(patience=15))
    roll(hers, DICE)
    with pytest.raises(RuleError, match="moving on is the active player's"):
        hers.ask_to_move_on(2)
