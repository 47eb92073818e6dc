"""What a phone shows: the own choice and the legal cells, and nothing it must not know."""

import json
from pathlib import Path

import pytest

from companion.boards import house_board
from companion.game import (
    Crossed,
    DiceCorrected,
    Done,
    Edition,
    HouseRules,
    Reopened,
    Rolled,
    SheetCorrected,
    Source,
    TookBack,
)
from companion.rules import Cell, Roll, Sheet
from companion.table.eyes import Eyes, EyesState, Notice, ShownDie
from companion.table.table import Command
from companion.view import view
from companion.view.values import CellState, Finish
from tests.viewing import CLOSING, FIRST_ROLL, cell, playing, read, rolled, seen
from web.desk import to_json


def test_choices_of_an_open_action_are_in_nobody_elses_view(tmp_path: Path) -> None:
    table = playing(tmp_path, FIRST_ROLL)
    before = view(table.snapshot, frozenset({1}))
    table.play(Command(Crossed(0, Cell.parse("R7"))))
    after = view(table.snapshot, frozenset({1}))
    assert to_json(after).replace(f'"version":{after.version}', "") == to_json(before).replace(
        f'"version":{before.version}', ""
    )
    assert to_json(view(table.snapshot)).count('"R7"') == 1  # only as printed on every sheet


def test_the_own_choice_is_shown_with_its_action(tmp_path: Path) -> None:
    table = playing(tmp_path, FIRST_ROLL, Crossed(0, Cell.parse("R7")), Crossed(0, Cell.parse("Y8"), 2))
    own = seen(table).own[0]
    assert (own.first, own.second, own.undo) == ("R7", "Y8", True)
    assert cell(seen(table), "R7").chosen == 1
    assert cell(seen(table), "Y8").chosen == 2


def test_legal_cells_name_the_actions_that_may_cross_them(tmp_path: Path) -> None:
    shown = seen(playing(tmp_path, FIRST_ROLL))
    assert cell(shown, "R7").legal == (1,)
    assert cell(shown, "Y8").legal == (2,)  # 3 + yellow 5
    assert cell(shown, "R5").legal == (2,)
    assert cell(seen(playing(tmp_path / "2", FIRST_ROLL), seat=1), "Y8").legal == ()


def test_an_illegal_cell_says_why_by_kind(tmp_path: Path) -> None:
    table = playing(tmp_path, SheetCorrected(0, 0, Sheet.parse("R7 Y2")), FIRST_ROLL)
    shown = seen(table)
    left = cell(shown, "R5").why
    assert left is not None
    assert (left.kind, left.other) == ("not-right-of", "R7")
    lock = cell(shown, "Y12").why
    assert lock is not None
    assert (lock.kind, lock.needs, lock.has) == ("needs-crosses", 5, 1)
    not_rolled = cell(shown, "B9").why
    assert not_rolled is not None
    assert not_rolled.kind == "not-rolled"


def test_passed_over_cells_look_skipped_and_crossed_ones_crossed(tmp_path: Path) -> None:
    shown = seen(playing(tmp_path, SheetCorrected(0, 0, Sheet.parse("R4"))))
    states = [cell(shown, name).state for name in ("R2", "R3", "R4", "R5")]
    assert states == [CellState.SKIPPED, CellState.SKIPPED, CellState.CROSSED, CellState.OPEN]


def test_the_button_names_a_misthrow_before_it_happens(tmp_path: Path) -> None:
    table = playing(tmp_path, FIRST_ROLL)
    assert seen(table).own[0].finish is Finish.PASS
    table.play(Command(Done(0)))
    assert seen(table).own[0].finish is Finish.NOTHING
    table.play(Command(Done(1)))
    assert seen(table).own[0].finish is Finish.MISTHROW
    table.play(Command(Crossed(0, Cell.parse("Y8"), 2)))
    assert seen(table).own[0].finish is Finish.DONE
    assert seen(table, seat=1).own[0].finish is Finish.NOTHING


def test_who_decided_may_still_change_until_the_action_closes(tmp_path: Path) -> None:
    table = playing(tmp_path, FIRST_ROLL, Crossed(0, Cell.parse("R7")), Done(0))
    own = seen(table).own[0]
    assert own.finish is Finish.WAITING
    assert own.undo
    table.play(Command(TookBack(0)))
    assert seen(table).own[0].finish is Finish.PASS


def test_hidden_scores_are_in_no_view_until_the_game_is_over(tmp_path: Path) -> None:
    hidden = HouseRules(scores_hidden=True)
    table = playing(tmp_path, SheetCorrected(0, 0, Sheet.parse("R4 R5")), house=hidden)
    shown = seen(table)
    assert shown.game is not None
    assert [player.score for player in shown.game.players] == [None, None]
    assert shown.own[0].score is None
    assert all(row.points is None for row in shown.own[0].rows)
    table.play(Command(read(table, {"do": "stop", "seat": 0})))
    after = seen(table).game
    assert after is not None
    assert [player.score for player in after.players] == [3, 0]
    assert [(end.total, end.place) for end in after.end] == [(3, 1), (0, 2)]


def test_a_closing_is_announced_and_its_die_is_to_be_taken_out(tmp_path: Path) -> None:
    table = playing(tmp_path, CLOSING, rolled("W6 W6 R2 Y5 G6 B1"), Crossed(0, Cell.parse("R12")))
    game = seen(table, seat=1).game
    assert game is not None
    assert [(closing.seat, closing.colour) for closing in game.announced] == [(0, "red")]
    for seat in table.snapshot.game.deciding if table.snapshot.game else ():
        table.play(Command(Done(seat)))
    after = seen(table, seat=1)
    assert after.game is not None
    assert after.game.take_out == ("red",)
    assert after.game.closed == ("red",)
    assert all(each.state is not CellState.OPEN for each in after.own[0].rows[0].cells)


def test_a_choice_lost_to_corrected_dice_is_shown_to_its_owner_only(tmp_path: Path) -> None:
    table = playing(tmp_path, FIRST_ROLL, Crossed(1, Cell.parse("R7")))
    table.play(Command(DiceCorrected(0, Roll.parse("W3 W5 R2 Y5 G6 B1"))))
    assert seen(table, seat=1).own[0].lost == ("R7",)
    assert seen(table, seat=0).own[0].lost == ()


def test_who_crossed_leaves_correcting_the_dice_to_the_active_player(tmp_path: Path) -> None:
    table = playing(tmp_path, FIRST_ROLL)
    assert seen(table, seat=1).own[0].corrects
    table.play(Command(Crossed(1, Cell.parse("R7"))))
    assert not seen(table, seat=1).own[0].corrects
    assert seen(table, seat=0).own[0].corrects


def test_a_die_that_the_camera_did_not_read_so_is_marked_by_hand(tmp_path: Path) -> None:
    table = playing(tmp_path, rolled("W3 W4 R2 Y5 G6 B1"))
    read_by_camera = [("white", 3), ("white", 4), ("red", 5), ("yellow", 5), ("green", 6), ("blue", 1)]
    dice = tuple(ShownDie(colour, pips, 90, doubtful=False) for colour, pips in read_by_camera)
    table.tell(Eyes(EyesState.READY, dice=dice))
    game = seen(table).game
    assert game is not None
    assert [die.colour for die in game.dice if die.by_hand] == ["red"]


@pytest.mark.parametrize("source", [Source.VIRTUAL, Source.HAND])
def test_what_the_camera_saw_of_another_roll_marks_no_die(tmp_path: Path, source: Source) -> None:
    table = playing(tmp_path)
    table.tell(Eyes(EyesState.READY, dice=(ShownDie("red", 6, 90, doubtful=False),)))
    table.play(Command(Rolled(FIRST_ROLL.roll, source)))
    game = seen(table).game
    assert game is not None
    assert not [die for die in game.dice if die.by_hand]


def test_a_virtual_roll_ends_the_cameras_question(tmp_path: Path) -> None:
    table = playing(tmp_path)
    asked = (ShownDie("red", 6, 20, doubtful=True),)
    table.tell(Eyes(EyesState.ASK, (Notice("pips-doubtful"),), asked))
    table.play(Command(Rolled(FIRST_ROLL.roll, Source.VIRTUAL)))
    assert (seen(table).eyes.state, seen(table).eyes.notices, seen(table).eyes.dice) == ("ready", (), ())


def test_a_correction_is_shown_to_all_until_the_next_roll(tmp_path: Path) -> None:
    table = playing(tmp_path, CLOSING)
    shown = seen(table, seat=1).corrected
    assert shown is not None
    assert (shown.kind, shown.seat, shown.owner) == ("sheet", 0, 0)
    table.play(Command(FIRST_ROLL))
    assert seen(table, seat=1).corrected is None
    table.play(Command(Reopened(1)))
    again = seen(table).corrected
    assert again is not None
    assert (again.kind, again.seat) == ("reopened", 1)
    table.play(Command(DiceCorrected(0, Roll.parse("W3 W5 R2 Y5 G6 B1"))))
    dice = seen(table).corrected
    assert dice is not None
    assert dice.kind == "dice"


def test_a_roll_entered_by_hand_answers_the_cameras_question(tmp_path: Path) -> None:
    table = playing(tmp_path)
    doubtful = (ShownDie("red", 6, 20, doubtful=True),)
    table.tell(Eyes(EyesState.ASK, (Notice("pips-doubtful"),), doubtful))
    table.play(Command(Rolled(FIRST_ROLL.roll, Source.HAND)))
    eyes = seen(table).eyes
    assert (eyes.state, eyes.notices) == ("ready", ())
    assert eyes.dice  # what it saw stays, so that dice read otherwise are marked by hand


def test_dice_show_their_sums_with_white(tmp_path: Path) -> None:
    game = seen(playing(tmp_path, FIRST_ROLL)).game
    assert game is not None
    assert game.white_sum == 7
    assert {die.colour: die.sums for die in game.dice if die.sums} == {
        "red": (5, 6),
        "yellow": (8, 9),
        "green": (9, 10),
        "blue": (4, 5),
    }


def test_on_board_shows_the_spaces_and_where_the_pieces_stand(tmp_path: Path) -> None:
    table = playing(tmp_path, edition=Edition.ON_BOARD, board=house_board().front)
    game = seen(table).game
    assert game is not None
    assert len(game.board) == 40
    assert [number for number, space in enumerate(game.board, 1) if space.near_end] == [36, 37, 38, 39, 40]
    assert [player.piece for player in game.players] == [0, 0]


def test_the_spaces_ahead_are_shown_once_the_dice_lie_and_those_to_land_on_in_action_3(
    tmp_path: Path,
) -> None:
    table = playing(tmp_path, edition=Edition.ON_BOARD, board=house_board().front)

    def ahead() -> tuple[tuple[int, ...], tuple[int, ...]]:
        game = seen(table).game
        assert game is not None
        return game.reach, game.landings

    assert ahead() == ((), ())
    table.play(Command(Rolled(Roll.parse("W1 W1 R6 Y6 G6 B6"))))
    assert ahead() == ((1, 2, 3, 4, 5), ())
    for event in (Done(0), Done(1), Done(0)):
        table.play(Command(event))
    assert ahead() == ((1, 2, 3, 4, 5), (1, 2, 3, 4, 5))


def test_a_view_is_json(tmp_path: Path) -> None:
    text = to_json(seen(playing(tmp_path, FIRST_ROLL)))
    assert json.loads(text)["own"][0]["rows"][0]["cells"][5]["cell"] == "R7"
