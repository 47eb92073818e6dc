"""Paper in and out: blank sheets of every layout, and a finished paper game in history and statistics."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from flask.testing import FlaskClient

from companion.journal.journal import Journal
from companion.past.games import PastGames
from companion.past.records import export_game
from companion.rules import LAYOUTS
from companion.table.table import replay
from companion.view import SHEETS
from tests.past_pages import told, with_past_games
from tests.web_table import Stand, form, stand

ANNA = {"name-0": "Anna", "red-0": "7", "red-lock-0": "yes", "yellow-0": "8", "yellow-lock-0": "yes",
        "green-0": "3", "misthrows-0": "1"}  # fmt: skip
DORA = {"name-1": "Dora", "red-1": "4", "yellow-1": "3", "green-1": "7", "blue-1": "8", "misthrows-1": "2"}
DAY = {"date": "2024-05-05", "edition": "deluxe", "sheet": "classic"}
ANNA_POINTS, DORA_POINTS = 28 + 36 + 6 - 5, 70  # Dora's sheet is the example of the rule book


def keep(client: FlaskClient, **more: str) -> int:
    answer = form(client, "/history/paper", **{**DAY, **ANNA, **DORA, **more})
    assert answer.status_code == 303, answer.get_data(as_text=True)
    return int(answer.headers["Location"].rpartition("/")[2])


def wrong(client: FlaskClient, **more: str) -> str:
    answer = form(client, "/history/paper", **{**DAY, **ANNA, **DORA, **more})
    assert answer.status_code in {400, 409}
    page = answer.get_data(as_text=True)
    found = re.search(r'id="wrong">(.*?)</p>', page)
    assert found is not None
    assert 'value="Anna"' in page or more.get("name-0") == ""  # what was typed is still there
    return found[1]


@pytest.fixture
def here(tmp_path: Path) -> Stand:
    return stand(tmp_path)


# --- out -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [2, 4])
@pytest.mark.parametrize("layout", LAYOUTS.values() if isinstance(LAYOUTS, dict) else LAYOUTS, ids=str)
def test_every_layout_is_printed_with_all_its_numbers(layout: object, number: int, here: Stand) -> None:
    name = str(layout)
    answer = here.phone().get(f"/paper/{name}/{number}.svg")
    assert answer.mimetype == "image/svg+xml"
    page = ElementTree.fromstring(answer.get_data())
    assert (page.get("width"), page.get("height")) == ("210mm", "297mm")
    sheets = page.findall("{*}g")
    assert len(sheets) == number
    for sheet in sheets:
        texts = [each.text or "" for each in sheet.iter("{http://www.w3.org/2000/svg}text")]
        numbers = [text for text in texts if text.isdigit()]
        # each coloured number once, and the table of what crosses are worth
        assert len(numbers) == 44 + 24
        assert all(numbers.count(str(n)) >= 4 for n in range(2, 13))
        assert "78" in numbers
        for box in sheet.iter("{http://www.w3.org/2000/svg}rect"):
            left, wide = float(box.get("x") or 0), float(box.get("width") or 0)
            assert left >= 0
            assert left + wide <= 210 - 2 * 9 + 0.01


def test_the_pages_of_paper_name_every_sheet_and_nothing_else_is_drawn(here: Stand) -> None:
    page = here.phone().get("/paper").get_data(as_text=True)
    for sheet in SHEETS:
        assert f'href="/paper/{sheet}/4"' in page
        assert here.phone().get(f"/paper/{sheet}/2").status_code == 200
    for path in ("/paper/classic/3", "/paper/nothing/2", "/paper/classic/3.svg", "/paper/nothing/4.svg"):
        assert here.phone().get(path).status_code == 404


# --- in ------------------------------------------------------------------------------------------------


def test_a_paper_game_is_in_history_and_statistics_and_marked_as_such(here: Stand) -> None:
    here.seat(1)
    before = here.table.snapshot
    number = keep(here.phone(0))
    assert here.table.snapshot == before
    shown = told(here.display(), f"/api/history/{number}")
    game = shown["game"]
    assert (game["paper"], game["edition"], game["ended_by"]) == (True, "deluxe", "locks")
    assert game["date"].startswith("2024-05-05")
    assert (game["scores"], game["winners"]) == ([ANNA_POINTS, DORA_POINTS], [1])
    assert shown["steps"] == []
    assert [end["rows"] for end in shown["end"]] == [[28, 36, 6, 0], [10, 6, 28, 36]]
    for path in ("/history", f"/history/{number}"):
        page = here.display().get(path).get_data(as_text=True)
        assert "on paper" in page
        assert 'id="replay"' not in page
    found = told(here.display(), "/api/statistics")
    assert (found["games"], found["paper"]) == (1, 1)
    dora = next(each for each in found["players"] if each["name"] == "Dora")
    assert (dora["wins"], dora["best"], dora["locks"], dora["misthrows"]) == (1, DORA_POINTS, 0, 2)
    assert found["throws"] == 0
    page = here.display().get("/statistics").get_data(as_text=True)
    assert "1 of them was played on paper." in page
    row = page.partition(">Dora</th>")[2].partition("</tr>")[0]
    assert row.endswith("<td>–</td>")  # nobody counted what was crossed on others' turns


def test_averages_over_others_turns_leave_paper_games_out(tmp_path: Path) -> None:
    here = with_past_games(tmp_path)
    anna = next(each for each in told(here.display(), "/api/statistics")["players"] if each["name"] == "Anna")
    keep(here.display())
    after = next(
        each for each in told(here.display(), "/api/statistics")["players"] if each["name"] == "Anna"
    )
    assert after["games"] == anna["games"] + 1
    assert (after["followed"], after["on_others_turns"]) == (anna["games"], anna["on_others_turns"])


def test_a_paper_game_is_deleted_like_others_and_survives_a_restart(here: Stand, tmp_path: Path) -> None:
    first, second = keep(here.display()), keep(here.display())
    assert first != second  # the same result twice is two games
    assert form(here.display(), f"/history/{first}/delete", sure="yes").status_code == 303
    assert told(here.display(), "/api/history")["games"] == 1
    here.table.journal.close()
    with Journal(tmp_path) as journal:
        assert [game.id for game in PastGames(journal).all()] == [second]
        assert replay(journal).game is None


def test_a_paper_game_goes_out_as_a_record(here: Stand) -> None:
    number = keep(here.display())
    record = export_game(here.table.journal.entries(game=number))
    assert record["final_scores"] == [ANNA_POINTS, DORA_POINTS]
    text = here.display().get(f"/history/{number}.jsonl").get_data(as_text=True)
    assert "ended on paper" in text
    assert here.display().get(f"/history/{number}.csv").status_code == 200
    assert here.display().get("/history/games.jsonl").status_code == 200


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"name-0": "", "name-1": ""}, "A sheet without a name: whose is it?"),
        ({"name-1": "anna"}, "Two players are called Anna."),
        ({"red-1": "11"}, "Dora, the red row: a row has 0 to 10 crosses, or 7 to 12 with the lock."),
        ({"red-0": "6"}, "Anna, the red row: a row has 0 to 10 crosses, or 7 to 12 with the lock."),
        ({"blue-1": "x"}, "Dora, the blue row:"),
        ({"blue-1": "-1"}, "Dora, the blue row:"),
        ({"misthrows-1": "5"}, "Dora: there are 0 to 4 misthrows."),
        ({"yellow-lock-0": ""}, "This game is not over: two closed rows or a fourth misthrow end it."),
        ({"date": "soon"}, "On which day was it played?"),
        ({"date": "2999-01-01"}, "On which day was it played?"),
        ({"name-1": "x" * 25}, "A name has 1 to 24 letters."),
        ({"name-4": "E"} | {f"name-{n}": f"P{n}" for n in (2, 3)}, "at most 4 players"),
    ],
)
def test_what_cannot_be_on_paper_is_said_in_one_sentence(
    more: dict[str, str], said: str, here: Stand
) -> None:
    assert said in wrong(here.display(), **more)
    assert told(here.display(), "/api/history")["games"] == 0


def test_only_players_and_displays_enter_games(here: Stand) -> None:
    assert here.phone().get("/history/paper").status_code == 403
    assert form(here.phone(), "/history/paper", **DAY, **ANNA).status_code == 403
    assert here.display().get("/history/paper").status_code == 200


def test_a_fourth_misthrow_ends_a_paper_game_too(here: Stand) -> None:
    number = keep(here.display(), **{"yellow-lock-0": "", "misthrows-1": "4"})
    assert told(here.display(), f"/api/history/{number}")["game"]["ended_by"] == "penalties"
