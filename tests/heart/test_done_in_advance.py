"""Action 2 chosen in advance: one Done ends both actions, as an event of its own."""

from pathlib import Path

import pytest

from companion.boards import house_board
from companion.game import Edition, HouseRules, Phase, Setup
from companion.journal.journal import Journal
from companion.rules import Sheet
from companion.table.snapshot import GameStarted
from companion.table.table import Command, Table, replay
from tests.tabling import BY_HAND, NAMES, ROLL, Clock, game_of, open_table, play, playing, sit

CHOSEN = ("0 crosses R7 in 1", "0 crosses Y8 in 2")


@pytest.mark.parametrize(
    "dones", [("0 done", "1 done", "2 done"), ("1 done", "2 done", "0 done")], ids=["first", "last"]
)
def test_one_done_ends_both_actions_and_is_kept_as_two(dones: tuple[str, ...], tmp_path: Path) -> None:
    with playing(tmp_path, ROLL, *CHOSEN, *dones) as table:
        game = game_of(table)
        assert (game.phase, game.active, game.sheets[0]) == (Phase.ROLL, 1, Sheet.parse("R7 Y8"))
        lines = [entry.line for entry in table.journal.entries()]
        assert lines[-1] == "0 done"
        assert lines.count("0 done") == 2
        assert replay(table.journal).game == game


def test_what_was_kept_when_it_took_two_dones_is_still_the_same(tmp_path: Path) -> None:
    """As a journal holds it that was written before: each Done by the player."""
    with Journal(tmp_path) as journal:
        table = Table(journal)
        sit(table)
        started = table.play(Command(GameStarted(Setup(NAMES, house=BY_HAND))))
        for line in (ROLL, *CHOSEN, "1 done", "2 done", "0 done", "0 done"):
            journal.append(line, game=started.game_id, command=None, seat=None, starts_game=False)
        game = replay(journal).game
        assert game is not None
        assert (game.phase, game.sheets[0]) == (Phase.ROLL, Sheet.parse("R7 Y8"))


def test_who_was_moved_on_without_a_done_decides_action_2(tmp_path: Path) -> None:
    clock = Clock()
    patient = HouseRules(pass_by_itself=False, patience=30)
    with playing(tmp_path, ROLL, *CHOSEN, house=patient, clock=clock) as table:
        clock.now += 30
        table.ask_to_move_on(0)
        clock.now += 3
        table.tick()
        game = game_of(table)
        assert (game.phase, game.turn and str(game.turn.second)) == (Phase.SECOND, "Y8")


def test_who_said_done_and_moved_the_others_on_has_said_it_for_both(tmp_path: Path) -> None:
    clock = Clock()
    patient = HouseRules(pass_by_itself=False, patience=30)
    with playing(tmp_path, ROLL, *CHOSEN, "0 done", house=patient, clock=clock) as table:
        clock.now += 30
        table.ask_to_move_on(0)
        clock.now += 3
        table.tick()
        assert (game_of(table).phase, game_of(table).active) == (Phase.ROLL, 1)


def test_a_choice_in_advance_that_was_lost_is_asked_for_again(tmp_path: Path) -> None:
    """Ben closes red with the white dice: Anna's red cross in advance is gone."""
    with playing(tmp_path, "0 corrects sheet 1 R2 R3 R4 R5 R6") as table:
        play(table, "rolled W6 W6 R2 Y5 G6 B1 by camera")
        play(table, "0 crosses R8 in 2", "1 crosses R12 in 1", "0 done", "2 done", "1 done")
        game = game_of(table)
        assert game.turn is not None
        assert (game.phase, game.turn.second) == (Phase.SECOND, None)


def test_on_board_what_is_left_to_decide_is_the_move(tmp_path: Path) -> None:
    with open_table(tmp_path) as table:
        sit(table)
        board = house_board().front
        table.play(Command(GameStarted(Setup(NAMES, edition=Edition.ON_BOARD, board=board, house=BY_HAND))))
        play(table, ROLL, *CHOSEN, "1 done", "2 done", "0 done")
        assert (game_of(table).phase, game_of(table).sheets[0]) == (Phase.THIRD, Sheet.parse("R7 Y8"))
