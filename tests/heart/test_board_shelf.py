"""The owner's boards: kept whole, offered beside the house board, never taken from a game played on them."""

from dataclasses import replace
from pathlib import Path

import pytest

from companion.boards import house_board
from companion.boards.entering import EnteredBoard, board_of
from companion.boards.shelf import MOST_BOARDS, BrokenBoard, OfferedSide, Shelf, ShelfError
from companion.game import Edition, Moved, Setup
from companion.game.games import differences
from companion.journal.journal import Journal
from companion.past.records import by_game, export_game
from companion.table.seats import Mark, SeatTaken
from companion.table.snapshot import GameStarted
from companion.table.table import Command, Table
from tests.playing import choose, roll, second

HOUSE = EnteredBoard.of(house_board())
OURS = replace(HOUSE, name="Ours")


def test_the_house_board_is_always_there(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path / "boards")
    assert list(shelf) == ["house-front", "house-back"]
    assert shelf["house-back"] == house_board().back
    assert len(shelf) == 2
    assert not (tmp_path / "boards").exists()


def test_a_saved_board_is_offered_at_once_and_after_a_restart(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    before = shelf.version
    kept = shelf.save(OURS)
    assert shelf.version > before
    for found in (shelf, Shelf(tmp_path)):
        assert found.offers()[:2] == (
            OfferedSide(f"{kept.id}-front", "Ours", "front"),
            OfferedSide(f"{kept.id}-back", "Ours", "back"),
        )
        assert found[f"{kept.id}-front"] == board_of(OURS).front
        assert found.own == (kept,)
    assert [path.name for path in tmp_path.iterdir()] == [f"{kept.id}.board"]


def test_a_board_opened_again_replaces_itself_under_a_new_name_too(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    kept = shelf.save(OURS)
    changed = replace(OURS, front=("G11:1", *OURS.front[1:]))
    assert shelf.save(changed, kept.id).id == kept.id
    assert [str(each.board.front.cell(1)) for each in shelf.own] == ["G11"]
    renamed = shelf.save(replace(changed, name="Theirs"), kept.id)
    assert [each.board.name for each in Shelf(tmp_path).own] == ["Theirs"]
    assert str(shelf.find(renamed.id).front.cell(1)) == "G11"


def test_names_are_given_once(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    shelf.save(OURS)
    for name in ("Ours", "OURS", "Boxlid house board"):
        with pytest.raises(ShelfError) as caught:
            shelf.save(replace(OURS, name=name))
        assert caught.value.kind == "board-name-taken"
    assert len(shelf.own) == 1


def test_names_without_a_latin_letter_are_kept_apart(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    ids = {shelf.save(replace(OURS, name=name)).id for name in ("日本", "中国", "ä")}
    assert len(ids) == 3


def test_an_unfinished_board_is_not_kept(tmp_path: Path) -> None:
    with pytest.raises(ShelfError) as caught:
        Shelf(tmp_path).save(replace(OURS, front=("", *OURS.front[1:])))
    assert caught.value.kind == "board-unfinished"
    assert list(tmp_path.iterdir()) == []


def test_a_shelf_has_an_end(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    for number in range(MOST_BOARDS):
        kept = shelf.save(replace(OURS, name=f"Ours {number}"))
    with pytest.raises(ShelfError) as caught:
        shelf.save(OURS)
    assert caught.value.kind == "too-many-boards"
    assert shelf.save(OURS, kept.id).board.name == "Ours"


def test_a_deleted_board_is_gone_and_one_that_never_was_is_named(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    kept = shelf.save(OURS)
    shelf.delete(kept.id)
    assert (shelf.own, list(tmp_path.iterdir())) == ((), [])
    for missing in (kept.id, "house", "../key"):
        with pytest.raises(ShelfError) as caught:
            shelf.delete(missing)
        assert caught.value.kind == "no-such-board"
    with pytest.raises(ShelfError):
        shelf.find(kept.id)
    for key in (f"{kept.id}-front", "house", "house-top", "front"):
        assert key not in shelf


def test_a_broken_file_is_named_with_its_line_and_stays_until_it_is_deleted(tmp_path: Path) -> None:
    (tmp_path / "old.board").write_text("board Old\nside front\n1 R1 1\n", encoding="utf-8")
    shelf = Shelf(tmp_path)
    assert shelf.broken == (BrokenBoard("old", "old.board: line 3: a cell's number is 2 to 12, got 'R1'"),)
    assert list(shelf) == ["house-front", "house-back"]
    shelf.delete("old")
    assert not list(shelf.broken)
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_refuses_leaves_the_shelf_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "boards").touch()  # a file where the folder should be
    shelf = Shelf(tmp_path / "boards")
    with pytest.raises(ShelfError) as caught:
        shelf.save(OURS)
    assert caught.value.kind == "disk-full"
    assert shelf.own == ()


def test_a_game_keeps_the_board_it_was_begun_on_whatever_becomes_of_the_file(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path / "boards")
    kept = shelf.save(replace(OURS, front=("R2:1", *OURS.front[1:])))
    with Journal(tmp_path / "state") as journal:
        table = Table(journal)
        table.play(Command(SeatTaken("Anna", Mark.CIRCLE, None)))
        side = shelf[f"{kept.id}-front"]
        table.play(Command(GameStarted(Setup(("Anna",), edition=Edition.ON_BOARD, board=side))))
        shelf.save(OURS, kept.id)  # changed while it is played
        assert table.snapshot.game is not None
        assert str(table.snapshot.game.setup.board) == str(side)
        shelf.delete(kept.id)
        game = second(choose(roll(table.snapshot.game, (3, 4)), None), None).apply(Moved(0, 1))
        assert game.turn is not None
        assert game.turn.landing == 1
        exported = export_game(by_game(journal.entries())[0])
    assert list(differences(exported)) == []
    with Journal(tmp_path / "state") as journal:  # after a restart too
        assert Table(journal).snapshot.game == table.snapshot.game
