"""The pages of the past: who may, what they show, what stays hidden, what stays deleted."""

import re
from pathlib import Path

import pytest

from companion.game import Done, HouseRules, Setup, Stopped, write_event
from companion.journal.journal import Journal
from companion.journal.restoring import restore
from companion.table.seats import Mark, SeatTaken
from companion.table.snapshot import GameStarted, TableCleared, write_line
from tests.heart.test_history import play_record
from tests.past_pages import PLAYERS, a_game, ids, rows, text_of, told, with_past_games
from tests.web_table import CODE, NAMES, TOKENS, Stand, form, post, stand
from web.access.identity import hash_of
from web.past.chronicle import EVENINGS_ON_A_PAGE


@pytest.fixture
def here(tmp_path: Path) -> Stand:
    return with_past_games(tmp_path)


# --- who may -------------------------------------------------------------------------------------------


PAGES = ("/history", "/history/{}", "/statistics")
FILES = (
    "/api/history",
    "/api/history/{}",
    "/api/statistics",
    "/history/{}.jsonl",
    "/history/{}.csv",
    "/history/games.jsonl",
    "/history/games.csv",
    "/statistics/players.csv",
    "/statistics/dice.csv",
)


@pytest.mark.parametrize("path", PAGES + FILES)
def test_phones_with_a_seat_and_displays_see_the_past_and_nobody_else(path: str, here: Stand) -> None:
    path = path.format(ids(here)[0])
    assert here.phone(0).get(path).status_code == 200
    assert here.display().get(path).status_code == 200
    stranger = here.phone().get(path)
    assert stranger.status_code == 403
    assert ('name="code"' in stranger.get_data(as_text=True)) == (
        path not in [f.format(ids(here)[0]) for f in FILES]
    )


@pytest.mark.parametrize("way", ["/history/{}/delete", "/api/history/{}/delete"])
def test_only_who_knows_the_code_deletes_a_game(way: str, here: Stand) -> None:
    newest = ids(here)[0]
    path = way.format(newest)
    for client in (here.phone(), here.phone(0)):
        assert (post(client, path, {}) if "api" in way else form(client, path, sure="yes")).status_code == 403
        assert 'name="code"' in client.get(f"/history/{newest}/delete").get_data(as_text=True)
    assert newest in ids(here)
    phone = here.phone(0)
    form(phone, "/show", code=CODE)
    answer = post(phone, path, {}) if "api" in way else form(phone, path, sure="yes")
    assert answer.status_code == (200 if "api" in way else 303)
    assert newest not in ids(here)


@pytest.mark.parametrize("number", ["0", "99999", "-1", "x", "1e3", "٣", "9" * 40, "games"])
@pytest.mark.parametrize("path", ["/history/{}", "/api/history/{}", "/history/{}/delete"])
def test_what_is_no_game_is_not_found(path: str, number: str, here: Stand) -> None:
    answer = here.display().get(path.format(number))
    assert answer.status_code == 404


# --- what they show ------------------------------------------------------------------------------------


def test_the_list_has_series_together_newest_first_with_points_and_winners(here: Stand) -> None:
    shown = told(here.display(), "/api/history")
    series, single = shown["evenings"]
    assert (shown["page"], shown["pages"], shown["games"]) == (1, 1, 3)
    assert (len(series["games"]), series["series"], len(single["games"])) == (2, True, 1)
    end = a_game(1).play()
    assert single["games"][0]["scores"] == list(end.scores)
    assert single["games"][0]["winners"] == list(end.winners)
    assert series["standings"][0]["place"] == 1
    page = text_of(here.display(), "/history")
    assert page.count('class="past-game"') == 3


def test_many_games_come_page_by_page_and_a_page_that_is_none_is_the_nearest(here: Stand) -> None:
    for seed in range(EVENINGS_ON_A_PAGE):
        play_record(here.table, a_game(10 + seed))
    display = here.display()
    first, second = told(display, "/api/history"), told(display, "/api/history?page=2")
    assert (len(first["evenings"]), len(second["evenings"]), first["pages"]) == (EVENINGS_ON_A_PAGE, 2, 2)
    for asked, page in (("0", 1), ("7", 2), ("x", 1), ("9" * 30, 1)):
        assert told(display, f"/api/history?page={asked}")["page"] == page
    assert 'rel="next"' in text_of(display, "/history")
    assert 'rel="prev"' in text_of(display, "/history?page=2")


def test_a_game_is_shown_with_its_reckoning_and_every_turn_without_scripts(here: Stand) -> None:
    oldest = ids(here)[-1]
    end = a_game(1).play()
    page = text_of(here.display(), f"/history/{oldest}")
    assert "<tfoot>" in page
    assert all(f"<td>{score}</td>" in page.replace("−", "-") for score in end.scores)
    steps = told(here.display(), f"/api/history/{oldest}")["steps"]
    assert page.count("data-step=") == len(steps) + 2  # the start, and the picture
    assert steps[-1]["scores"] == list(end.scores)
    assert "Two rows are closed" in page or "fourth misthrow" in page


def test_dates_that_no_clock_can_mean_are_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = stand(tmp_path)
    here.seat(3)
    times = {1: 5.0, 2: 1_795_000_000.0, 3: 4e9}  # 1970, 2026, far in the future
    for seed, at in times.items():
        monkeypatch.setattr(here.table.journal, "_clock", lambda at=at: at)
        play_record(here.table, a_game(seed))
    monkeypatch.setattr(here.table.journal, "_clock", lambda: 1_795_100_000.0)
    evenings = told(here.display(), "/api/history")["evenings"]
    dates = [evening["games"][0]["date"] for evening in evenings]
    assert [date and date[:4] for date in dates] == [None, "2026", None]
    assert "Date unknown" in text_of(here.display(), "/history")


@pytest.mark.parametrize("hidden", [True, False])
def test_a_game_under_way_tells_neither_hidden_points_nor_open_choices(tmp_path: Path, hidden: bool) -> None:
    here = stand(tmp_path)
    house = HouseRules(scores_hidden=hidden, pass_by_itself=False)
    here.seat(2)
    here.play(GameStarted(Setup(NAMES[:2], house=house)))
    here.roll("W3 W4 R2 Y5 G6 B1")
    for seat in (0, 1, 0):
        here.play(Done(seat))
    here.roll("W1 W1 R2 Y5 G6 B1")
    game = ids(here)[0]
    paths = ("/api/history", f"/api/history/{game}", f"/history/{game}", "/history", "/api/statistics")
    before = [here.phone(1).get(path).get_data(as_text=True) for path in paths]
    post(here.phone(0), "/api/wishes", {"do": "cross", "cell": "R2"})
    after = [here.phone(1).get(path).get_data(as_text=True) for path in paths]
    assert before == after  # what Anna chose is nobody's to know yet
    line = told(here.phone(1), f"/api/history/{game}")
    assert line["game"]["running"]
    assert line["game"]["scores"] == (None if hidden else [-5, 0])
    assert line["steps"][0]["scores"] == (None if hidden else [-5, 0])
    assert line["end"] == []
    assert ('class="lines"' in after[2]) != hidden
    for path in (f"/history/{game}.jsonl", f"/history/{game}.csv"):
        assert here.phone(1).get(path).status_code == 409
    assert text_of(here.phone(1), "/history/games.jsonl") == ""
    assert rows(text_of(here.phone(1), "/history/games.csv")) == []
    here.play(Stopped(0))
    assert told(here.phone(1), f"/api/history/{game}")["game"]["scores"] == [-5, 0]


def test_a_damaged_game_says_so_and_the_others_are_as_they_were(here: Stand) -> None:
    before = told(here.display(), "/api/statistics")
    here.table.journal.append_game(["game started by the future"])
    start = f"game imported 5.0 {Setup(PLAYERS)}"
    here.table.journal.append_game([start, "rolled W3 W4 R2 Y5 G6 B1 by camera", "0 dances"])
    broken, unknown, *others = ids(here)
    assert len(others) == 3
    assert "0 dances" in text_of(here.display(), f"/history/{broken}")
    assert "cannot be played again" in text_of(here.display(), f"/history/{unknown}")
    assert "Damaged" in text_of(here.display(), "/history")
    for path in (f"/history/{broken}.jsonl", f"/history/{broken}.csv", f"/history/{unknown}.jsonl"):
        assert here.display().get(path).status_code == 409
    assert len(text_of(here.display(), "/history/games.jsonl").splitlines()) == 3
    after = told(here.display(), "/api/statistics")
    assert after["players"] == before["players"]
    assert after["left_out"] == before["left_out"] + 2
    assert post(here.display(), f"/api/history/{broken}/delete", {}).status_code == 200
    assert ids(here) == [unknown, *others]


# --- deleting ------------------------------------------------------------------------------------------


def test_deleting_asks_first_and_changes_nothing_until_answered(here: Stand) -> None:
    newest = ids(here)[0]
    page = text_of(here.display(), f"/history/{newest}/delete")
    assert "Delete this game?" in page
    assert f'action="/history/{newest}/delete"' in page
    assert newest in ids(here)


def test_a_deleted_game_is_nowhere_and_comes_back_neither_by_restart_nor_by_restore(
    here: Stand, tmp_path: Path
) -> None:
    journal, display = here.table.journal, here.display()
    old = journal.backup()
    gone, kept, _ = ids(here)
    before = told(display, "/api/statistics")
    assert form(display, f"/history/{gone}/delete", sure="yes").headers["Location"] == "/history"
    assert form(display, f"/history/{gone}/delete", sure="yes").status_code == 404
    for path in ("/history/{}", "/api/history/{}", "/history/{}.jsonl", "/history/{}.csv"):
        assert display.get(path.format(gone)).status_code == 404
    after = told(display, "/api/statistics")
    assert (before["games"], after["games"]) == (3, 2)
    assert len(text_of(display, "/history/games.jsonl").splitlines()) == 2
    journal.close()
    again = stand(journal.folder)
    assert gone not in ids(again)
    again.table.journal.close()
    assert restore(journal.folder, old).deleted == 1
    restored = stand(journal.folder)
    assert gone not in ids(restored)
    assert kept in ids(restored)
    assert told(restored.display(), "/api/statistics")["games"] == 2


def test_a_game_on_the_table_or_of_its_series_is_not_deleted(here: Stand) -> None:
    here.play(GameStarted(Setup(PLAYERS), 2, 1))
    display, running = here.display(), ids(here)[0]
    refused = post(display, f"/api/history/{running}/delete", {})
    assert (refused.status_code, refused.get_json()["error"]) == (409, "still-played")
    assert display.get(f"/history/{running}/delete").status_code == 409
    here.play(Stopped(0))
    refused = post(display, f"/api/history/{running}/delete", {})
    assert (refused.status_code, refused.get_json()["error"]) == (409, "on-table")
    here.play(TableCleared())
    assert post(display, f"/api/history/{running}/delete", {}).status_code == 200
    assert running not in ids(here)


def test_players_have_the_marks_in_history_that_they_chose_at_the_table(tmp_path: Path) -> None:
    start = GameStarted(a_game(1).setup)
    with Journal(tmp_path) as journal:
        chosen = (Mark.STAR, Mark.TRIANGLE, Mark.CIRCLE)
        for name, mark, token in zip(PLAYERS, chosen, TOKENS, strict=False):
            journal.append(write_line(SeatTaken(name, mark, hash_of(token))))
        first = journal.append_game([write_line(start), *map(write_event, a_game(1).events)])
        journal.append(write_line(TableCleared()))
        for line in ("seat left 0", f"seat taken diamond - {PLAYERS[0]}", "seats ordered 2 0 1"):
            journal.append(line)
        second = journal.append_game([write_line(start), *map(write_event, a_game(1).events)])
    here = stand(tmp_path)
    for game, marks in ((first, ["star", "triangle", "circle"]), (second, ["diamond", "triangle", "circle"])):
        shown = told(here.display(), f"/api/history/{game.id}")
        assert shown["game"]["marks"] == marks
        page = text_of(here.display(), f"/history/{game.id}")
        sheets = re.findall(
            r'<h3><span class="mark (\w+)" aria-hidden="true"></span><span class="past-name"', page
        )
        assert sheets == marks
