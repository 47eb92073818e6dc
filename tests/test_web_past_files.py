"""Past games as files: they come in again as they went out, and no spreadsheet runs what they hold."""

import csv
import io
import json
from pathlib import Path

import pytest

from companion.commands.json_lines import json_lines, parse_json
from companion.past.records import Importer
from companion.table.seats import Mark, SeatTaken
from tests.heart.test_history import play_record
from tests.past_pages import PLAYERS, a_game, ids, rows, text_of, told, with_past_games
from tests.web_table import Stand, stand
from web.serving.spreadsheets import csv_text, safe

FORMULA = '=HYPERLINK("x")'


@pytest.fixture
def here(tmp_path: Path) -> Stand:
    return with_past_games(tmp_path)


def test_a_game_goes_out_as_boxlid_writes_it_and_comes_in_again(here: Stand, tmp_path: Path) -> None:
    oldest = ids(here)[-1]
    answer = here.display().get(f"/history/{oldest}.jsonl")
    name = f'attachment; filename="boxlid-game-{oldest}.jsonl"'
    assert answer.headers["Content-Disposition"] == name
    every = here.display().get("/history/games.jsonl").get_data()
    assert len(list(json_lines(every.splitlines(keepends=True)))) == 3
    assert answer.get_data() in every
    there = stand(tmp_path / "there")
    importer = Importer(there.table.journal)
    assert all(importer.keep(parse_json(line)) for _, line in json_lines(every.splitlines(keepends=True)))
    mine, theirs = (told(each.display(), "/api/statistics")["players"] for each in (here, there))
    assert mine == theirs


def test_results_and_turns_go_out_as_tables(here: Stand) -> None:
    display, oldest = here.display(), ids(here)[-1]
    results = rows(text_of(display, "/history/games.csv"))
    assert len(results) == 9
    assert [int(row["points"]) for row in results[:3]] == list(a_game(1).play().scores)
    assert {row["series_games"] for row in results} == {"1", "2"}
    turns = rows(text_of(display, f"/history/{oldest}.csv"))
    assert len(turns) == len(told(display, f"/api/history/{oldest}")["steps"])
    assert [int(turns[-1][f"points: {name}"]) for name in PLAYERS] == list(a_game(1).play().scores)
    players = rows(text_of(display, "/statistics/players.csv"))
    assert {row["player"]: row["games"] for row in players} == dict.fromkeys(PLAYERS, "3")
    dice = rows(text_of(display, "/statistics/dice.csv"))
    assert [row["die"] for row in dice[:5]] == ["white", "red", "yellow", "green", "blue"]
    assert all(sum(int(row[str(face)]) for face in range(1, 7)) == int(row["total"]) for row in dice)


def test_no_name_becomes_a_formula(tmp_path: Path) -> None:
    here = stand(tmp_path)
    names = (FORMULA, "@SUM(A1)", "+49", "-1")
    for name, mark in zip(names, Mark, strict=False):
        here.play(SeatTaken(name, mark, None))
    play_record(here.table, a_game(1, names))
    display, game = here.display(), ids(here)[0]
    for path in (f"/history/{game}.csv", "/history/games.csv", "/statistics/players.csv"):
        cells = [cell for row in csv.reader(io.StringIO(text_of(display, path))) for cell in row]
        assert not any(cell.startswith(("=", "@", "+")) for cell in cells)
        assert f"'{FORMULA}" in cells
        assert "'-1" in cells
        assert display.get(path).headers["Content-Disposition"].isascii()
    assert "&#34;x&#34;" in text_of(display, f"/history/{game}")  # nor markup
    value = json.loads(text_of(display, f"/history/{game}.jsonl"))
    assert '"=HYPERLINK(\\"x\\")"' in value["setup"]  # a record is no spreadsheet: names as they are


@pytest.mark.parametrize("text", ["=1", "+1", "-1", "@x", "\t=1", "  =1", "＝1", "\r=1", "\n-x"])
def test_whatever_a_spreadsheet_takes_for_a_formula_is_marked_as_text(text: str) -> None:
    assert safe(text) == f"'{text}"


def test_numbers_and_plain_text_stay_as_they_are() -> None:
    assert [safe(cell) for cell in (-5, 2.5, None, "Anna", "a=b")] == [-5, 2.5, None, "Anna", "a=b"]
    assert csv_text(["=a"], [[1, 'x"y']]) == '\ufeff\'=a\r\n1,"x""y"\r\n'
