"""The club's pages: read by all, changed by whoever knows the code, whole without scripts."""

import json
import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.club.listening import BrokerLink
from companion.words import catalogues
from tests.club import payloads
from tests.club.stand import ClubStand, club_stand
from tests.web_table import CODE, form


@pytest.fixture
def here(tmp_path: Path) -> ClubStand:
    return club_stand(tmp_path)


def text(client: FlaskClient, path: str, language: str = "en") -> str:
    answer = client.get(path, headers={"Accept-Language": language})
    assert answer.status_code == 200, (path, answer.get_data(as_text=True)[-800:])
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.get_data(as_text=True).partition("<body")[2]))


def evening(here: ClubStand) -> None:
    here.play("kitchen", {"Anna": 72, "Ben": 41})
    here.play("parlour", {"Cem": 55, "Ben": 41, "Dora": 55})
    here.play("parlour", {"Cem": 99, "Dora": 1}, stopped=True)


EMPTY = ("/", "/evenings", "/seasons", "/seasons/all", "/tournaments")
FULL = (*EMPTY, "/evenings/2026-11-20", "/evenings/2026-11-20?by=wins", "/seasons/2026-01-01?by=places")
OF_ONE = ("/tournaments/1", "/tournaments/1/print")


def test_everybody_in_the_network_reads_everything_and_changes_nothing(here: ClubStand) -> None:
    owner, visitor = here.owner(), here.visitor()
    for path in EMPTY:
        assert "Something" not in text(visitor, path)
    evening(here)
    form(owner, "/seasons", name="Winter", first="2026-01-01")
    form(owner, "/tournaments", name="Cup", rounds="2", tables="")
    form(owner, "/tournaments/1/enter", names="Anna\nBen\n\nCem\n")
    for language in ("en", "de"):
        for path in (*FULL, *OF_ONE):
            text(visitor, path, language)
            text(owner, path, language)
    changes = {
        "/seasons": {"name": "Mine", "first": "2026-02-02"},
        "/seasons/2026-01-01/drop": {"sure": "yes"},
        "/results/left-out": {"box": "kitchen", "id": "x", "left_out": "yes"},
        "/tournaments": {"name": "Mine", "rounds": "1"},
        "/tournaments/1/enter": {"names": "Zoe"},
        "/tournaments/1/player": {"player": "0", "do": "leave"},
        "/tournaments/1/draw": {"rounds": "0"},
        "/tournaments/1/points": {"round": "1", "table": "1", "players": "3"},
        "/tournaments/1/clear": {"round": "1", "table": "1"},
        "/tournaments/1/undo": {"events": "4"},
    }
    posts = {str(rule) for rule in here.app.url_map.iter_rules() if "POST" in (rule.methods or set())}
    assert len(posts - {"/show", "/language"}) == len(changes)
    before = here.club.books
    for path, fields in changes.items():
        assert form(visitor, path, **fields).status_code == 403, path
    assert here.club.books == before


def test_with_the_code_a_browser_leads_from_then_on(here: ClubStand) -> None:
    visitor = here.visitor()
    form(here.owner(), "/tournaments", name="Cup", rounds="2")
    asked = visitor.get("/tournaments/1/lead")
    assert asked.status_code == 403
    assert 'name="code"' in asked.get_data(as_text=True)
    wrong = form(visitor, "/show", code="AAAA", back="/tournaments/1/lead")
    assert "not the club’s code" in wrong.get_data(as_text=True)
    assert form(visitor, "/show", code=CODE.lower(), back="/tournaments/1/lead").status_code == 303
    assert "Enter players" in text(visitor, "/tournaments/1/lead")
    assert visitor.get("/code").status_code == 303


def test_a_page_of_another_site_changes_nothing(here: ClubStand) -> None:
    answer = here.owner().post("/seasons", data={"name": "x"}, headers={"Origin": "http://evil.example"})
    assert answer.status_code == 403
    assert here.owner().get("/", headers={"Host": "evil.example"}).status_code == 421


def test_the_first_page_shows_every_table_without_a_script(here: ClubStand) -> None:
    assert "No table has reported yet" in text(here.visitor(), "/")
    here.tell("kitchen/available", b"online")
    here.tell("kitchen/state", payloads.state("kitchen"))
    here.tell("parlour/state", payloads.lobby("parlour"))
    here.tell("attic/state", payloads.state("attic", phase="over", winners=(1,)))
    here.tell("attic/available", b"offline")
    shown = text(here.visitor(), "/")
    assert "kitchen Deciding: Ben Anna 7 Ben 17 turn 3" in shown
    assert "White 7 green" in shown
    assert "parlour Free" in shown
    assert "attic not connected" in shown
    assert "Tables: 3, playing: 1" in shown
    assert "Entscheidet: Ben" in text(here.visitor(), "/", "de")


def test_a_lost_broker_is_said(here: ClubStand) -> None:
    here.listener.link = BrokerLink(connected=False, problem="it hung up")
    assert "No connection to the broker" in text(here.visitor(), "/")


def test_a_page_is_sent_only_what_changed_since(here: ClubStand) -> None:
    visitor = here.visitor()
    for box in ("kitchen", "parlour"):
        here.tell(f"{box}/state", payloads.state(box))
    first = json.loads(visitor.get("/api/view").get_data())
    assert [table["box"] for table in first["tables"]] == ["kitchen", "parlour"]
    has = f"/api/view?run={first['run']}&tables={first['at']}&books={first['books']}"
    assert json.loads(visitor.get(has).get_data())["tables"] == []
    here.tell("parlour/state", payloads.state("parlour", 2, turn=4))
    here.play("kitchen", {"Anna": 72, "Ben": 41})
    then = json.loads(visitor.get(has).get_data())
    assert [(table["box"], table["turn"]) for table in then["tables"]] == [("parlour", 4)]
    assert [game["players"] for game in then["games"]] == [[["Anna", 72, 1], ["Ben", 41, 2]]]
    other_run = visitor.get(has.replace(first["run"], "another"))
    assert len(json.loads(other_run.get_data())["tables"]) == 2
    for nonsense in (
        "run=x&tables=y",
        f"run={first['run']}&tables=-1&books=1e9",
        f"run={first['run']}&tables=²",
    ):
        assert visitor.get(f"/api/view?{nonsense}").status_code == 200


def test_an_evening_has_its_ranking_by_points_wins_and_places(here: ClubStand) -> None:
    evening(here)
    shown = text(here.visitor(), "/evenings/2026-11-20")
    assert "1. Ben 82 0 2" in shown
    assert "2. Anna 72 1 1" in shown
    assert "3. Cem 55 1 1" in shown
    assert "3. Dora 55 1 1" in shown
    assert "ended early" in shown
    by_wins = text(here.visitor(), "/evenings/2026-11-20?by=wins")
    assert "1. Anna 72 1 1" in by_wins
    assert "3 games · Ahead: Ben" in text(here.visitor(), "/evenings")


@pytest.mark.parametrize(
    ("language", "means"), [("en", "Ben 82 0 2 2.50 41.0"), ("de", "Ben 82 0 2 2,50 41,0")]
)
def test_mean_places_are_written_as_the_language_writes_numbers(
    language: str, means: str, here: ClubStand
) -> None:
    evening(here)
    assert means in text(here.visitor(), "/evenings/2026-11-20", language)


def test_a_game_that_is_left_out_does_not_count_until_it_is_counted_again(here: ClubStand) -> None:
    evening(here)
    game = next(kept.result for kept in here.club.books.results if kept.result.box == "kitchen")
    owner = here.owner()
    about = {"box": game.box, "id": game.id, "back": "/evenings/2026-11-20"}
    answer = form(owner, "/results/left-out", left_out="yes", **about)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/evenings/2026-11-20")
    assert "Anna 72 1" not in text(owner, "/evenings/2026-11-20")
    assert "not counted" in text(owner, "/evenings/2026-11-20")
    form(owner, "/results/left-out", **about)
    assert "Anna 72 1" in text(owner, "/evenings/2026-11-20")
    assert form(owner, "/results/left-out", box="kitchen", id="nobody").status_code == 404


def test_a_season_holds_its_games_and_goes_without_them(here: ClubStand) -> None:
    owner = here.owner()
    evening(here)
    form(owner, "/seasons", name="  Winter   2026 ", first="2026-11-20")
    form(owner, "/seasons", name="Later", first="2026-11-21")
    assert "Winter 2026 2026-11-20 to 2026-11-20" in text(owner, "/seasons")
    assert "Anna 72" in text(owner, "/seasons/2026-11-20")
    assert "Nobody is ranked yet" in text(owner, "/seasons/2026-11-21")
    form(owner, "/seasons/2026-11-20/drop", sure="yes")
    assert owner.get("/seasons/2026-11-20").status_code == 404
    assert "Anna 72" in text(owner, "/seasons/all")
    assert form(owner, "/seasons", name="x", first="tomorrow").status_code == 400
    assert form(owner, "/seasons", name=" ", first="2026-11-20").status_code == 409


def test_results_can_be_taken_along_and_no_name_is_a_formula(here: ClubStand) -> None:
    here.play("kitchen", {"=1+1": 72, "Ben": -4})
    visitor = here.visitor()
    ranking = visitor.get("/evenings/2026-11-20/ranking.csv")
    assert ranking.headers["Content-Disposition"] == 'attachment; filename="boxlid-evening-ranking.csv"'
    lines = ranking.get_data(as_text=True).splitlines()
    assert lines[1:] == ["1,'=1+1,72,1,1,1.0,72.0", "2,Ben,-4,0,1,2.0,-4.0"]
    games = visitor.get("/seasons/all/games.csv").get_data(as_text=True).splitlines()
    assert games[1].endswith(",original,0,0,1,'=1+1,72")
    found = json.loads(visitor.get("/seasons/all.json").get_data())
    assert found["ranking"][0] == {
        "place": 1,
        "name": "=1+1",
        "points": 72,
        "wins": 1,
        "games": 1,
        "mean_place": 1.0,
        "mean_points": 72.0,
    }
    assert found["games"][0]["players"] == [["=1+1", 72, 1], ["Ben", -4, 2]]


@pytest.mark.parametrize(
    "path",
    [
        "/evenings/2026-11-19",
        "/evenings/today",
        "/evenings/2026-11-20.json",
        "/seasons/x",
        "/seasons/2026-13-01",
        "/tournaments/9",
        "/tournaments/9.json",
        "/tournaments/9/lead",
        "/tournaments/x",
        "/nothing",
    ],
)
def test_what_is_not_there_is_not_found(path: str, here: ClubStand) -> None:
    assert here.owner().get(path).status_code == 404
    assert here.owner().get("/seasons/all?by=luck").status_code == 400


def test_the_code_for_phones_leads_to_this_club(here: ClubStand) -> None:
    for path in ("/qr.svg", "/qr.svg?to=/tournaments/1", "/qr.svg?to=//evil.example", "/qr.svg?to=evil"):
        assert here.visitor().get(path).mimetype == "image/svg+xml"


def test_every_word_of_the_club_is_said_in_every_language() -> None:
    keys = [
        {key for key in words.texts if key.startswith(("club", "error.club"))}
        for words in catalogues().values()
    ]
    assert all(each == keys[0] for each in keys)
