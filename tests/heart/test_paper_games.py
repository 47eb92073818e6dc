"""A game that was played on paper: only its end is known, and what ended it stands on the sheets."""

from pathlib import Path

import pytest

from companion.boards import house_board
from companion.game import Edition, PaperEnded, Setup, SheetCorrected, parse_event, write_event
from companion.game.play import Game
from companion.journal.journal import Journal
from companion.rules import RuleError, Sheet
from companion.table.seats import Mark, SeatTaken
from companion.table.snapshot import GameStarted, Imported
from companion.table.table import Command, Table

FOURTH = PaperEnded((Sheet.parse("M4"), Sheet.parse("empty")))
TWO = Setup(("Anna", "Ben"))


def ended(*sheets: str, setup: Setup = TWO) -> Game:
    return Game.begin(setup).apply(PaperEnded(tuple(map(Sheet.parse, sheets))))


def test_the_end_on_paper_is_a_line_of_text() -> None:
    event = PaperEnded((Sheet.parse("R2 R3 M1"), Sheet.parse("empty")))
    assert write_event(event) == "ended on paper R2 R3 M1 / empty"
    assert parse_event(write_event(event)) == event


def test_two_closed_rows_or_a_fourth_misthrow_end_it() -> None:
    rows = "R2 R3 R4 R5 R6 R12"
    assert ended(rows, "Y2 Y3 Y4 Y5 Y6 Y12").ended_by == "locks"
    assert ended(rows, "M4").ended_by == "penalties"
    assert ended(rows, "M4").winners == (0,)
    with pytest.raises(RuleError, match="neither"):
        ended(rows, "M3")


def test_any_number_of_rows_may_have_closed_at_once() -> None:
    rows = "R2 R3 R4 R5 R6 R12 Y2 Y3 Y4 Y5 Y6 Y12 G12 G11 G10 G9 G8 G2 B12 B11 B10 B9 B8 B2"
    over = ended(rows, rows)
    assert over.scores == (4 * 28, 4 * 28)
    assert len(over.closed) == 4


def test_a_game_on_paper_has_a_sheet_for_each_player_no_turns_and_no_board() -> None:
    with pytest.raises(RuleError, match="a sheet for each of 2"):
        ended("M4")
    with pytest.raises(RuleError, match="was played on the classic sheet"):
        ended("mixx-a: M4", "empty")
    with pytest.raises(RuleError, match="and no board"):
        ended("M4", "empty", setup=Setup(TWO.players, edition=Edition.ON_BOARD, board=house_board().front))
    begun = Game.begin(TWO).apply(SheetCorrected(0, 0, Sheet.parse("R2")))
    with pytest.raises(RuleError, match="has begun"):
        begun.apply(FOURTH)
    rolled = Game.begin(TWO).apply(parse_event("rolled W3 W4 R1 Y1 G1 B1 by hand"))
    with pytest.raises(RuleError, match="has begun"):
        rolled.apply(FOURTH)


def test_a_table_keeps_it_as_history_and_plays_its_own_game_on(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        table = Table(journal)
        for name, mark in (("Anna", Mark.STAR), ("Ben", Mark.CIRCLE)):
            table.play(Command(SeatTaken(name, mark, None)))
        table.play(Command(GameStarted(TWO)))
        before = table.snapshot
        with pytest.raises(RuleError, match="kept as a whole"):
            table.play(Command(FOURTH))
        with pytest.raises(RuleError, match="neither"):
            table.keep_on_paper(Imported(TWO, 0.0), PaperEnded((Sheet.parse("R2"), Sheet.parse("empty"))))
        number = table.keep_on_paper(Imported(TWO, 0.0), FOURTH)
        assert table.snapshot == before
        lines = [entry.line for entry in journal.entries(game=number)]
        assert lines == [str(Imported(TWO, 0.0)), "ended on paper M4 / empty"]
        table.play(Command(parse_event("rolled W3 W4 R1 Y1 G1 B1 by hand")))
        shown = table.snapshot.game
    with Journal(tmp_path) as journal:
        assert Table(journal).snapshot.game == shown
