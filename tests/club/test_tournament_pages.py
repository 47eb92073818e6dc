"""Leading a tournament by its forms: what is refused, what is undone, and what everybody sees of it."""

import itertools
import json
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from tests.club.results import NOON
from tests.club.stand import ClubStand, club_stand
from tests.club.test_pages import text
from tests.web_table import form

NAMES = ("Anna", "Ben", "Cem", "Dora", "Emil", "Fay")


@pytest.fixture
def here(tmp_path: Path) -> ClubStand:
    found = club_stand(tmp_path)
    form(found.owner(), "/tournaments", name="Cup", rounds="2", tables="")
    assert form(found.owner(), "/tournaments/1/enter", names="\n".join(NAMES)).status_code == 303
    return found


def drawn(here: ClubStand, rounds: int = 0) -> list[list[str]]:
    """The next round; the names at each table."""
    assert form(here.owner(), "/tournaments/1/draw", rounds=str(rounds)).status_code == 303
    tournament = here.club.tournament(1)
    assert tournament is not None
    here.now[0] += 60
    return [
        [tournament.entries[player].name for player in group.players]
        for group in tournament.rounds[-1].groups
    ]


def said(client: FlaskClient, path: str, **fields: str) -> str:
    answer = form(client, path, **fields)
    assert answer.status_code in (400, 404, 409), answer.status_code
    return answer.get_data(as_text=True)


def test_results_of_the_boxes_come_by_themselves_and_a_correction_of_the_box_too(here: ClubStand) -> None:
    tables = drawn(here)
    assert [len(table) for table in tables] == [3, 3]
    here.play(
        "kitchen", {name: 60 - 10 * place for place, name in enumerate(tables[0])}, identity="g", revision=1
    )
    shown = text(here.visitor(), "/tournaments/1")
    assert "Table 1 from kitchen" in shown
    assert f"{tables[0][0]} 60" in shown
    assert "Table 2 is played" in shown
    here.play("kitchen", {name: 61 - place for place, name in enumerate(tables[0])}, identity="g", revision=2)
    assert f"{tables[0][0]} 61 {tables[0][1]} 60" in text(here.visitor(), "/tournaments/1")


def test_no_round_is_drawn_twice_or_before_all_have_played(here: ClubStand) -> None:
    owner, tables = here.owner(), drawn(here)
    assert "moved on" in said(owner, "/tournaments/1/draw", rounds="0")
    assert "Not all tables of this round" in said(owner, "/tournaments/1/draw", rounds="1")
    for number in range(1, len(tables) + 1):
        points = {f"points{seat}": str(10 * seat) for seat in range(3)}
        fields = {"round": "1", "table": str(number), "players": "3", **points}
        assert form(owner, "/tournaments/1/points", **fields).status_code == 303
    assert said(owner, "/tournaments/1/draw", rounds="0")
    assert len(drawn(here, 1)) == 2
    tournament = here.club.tournament(1)
    assert tournament is not None
    assert len(tournament.rounds) == 2


def test_the_last_step_is_undone_once(here: ClubStand) -> None:
    owner = here.owner()
    drawn(here)
    events = len(here.club.books.tournaments[0].events)
    assert form(owner, "/tournaments/1/undo", events=str(events)).status_code == 303
    assert said(owner, "/tournaments/1/undo", events=str(events))
    assert "Entries are open" in text(owner, "/tournaments/1")


def test_a_player_is_renamed_leaves_and_comes_back(here: ClubStand) -> None:
    owner = here.owner()
    form(owner, "/tournaments/1/player", player="0", do="rename", name="Annalena")
    form(owner, "/tournaments/1/player", player="1", do="leave")
    assert sorted(itertools.chain(*drawn(here))) == ["Annalena", "Cem", "Dora", "Emil", "Fay"]
    form(owner, "/tournaments/1/player", player="1", do="return")
    tournament = here.club.tournament(1)
    assert tournament is not None
    assert tournament.playing == tuple(range(6))


@pytest.mark.parametrize(
    ("path", "fields", "words"),
    [
        ("enter", {"names": "Zoe\nanna"}, "entered already"),
        ("enter", {"names": "x" * 25}, "1 to 24 letters"),
        ("player", {"player": "9", "do": "leave"}, "nothing here"),
        ("player", {"player": "x", "do": "leave"}, "whole number"),
        ("points", {"round": "1", "table": "9", "players": "3", "points0": "1"}, "nothing here"),
        ("points", {"round": "1", "table": "1", "players": "3"}, "needs points"),
        ("points", {"round": "1", "table": "1", "players": "3", "points0": "1e3"}, "whole number"),
        ("points", {"round": "1", "table": "1", "players": "3", "points0": "1000"}, "−99 to 999"),
        ("points", {"round": "0", "table": "0", "players": "3", "points0": "1"}, "nothing here"),
        ("clear", {"round": "7", "table": "1"}, "nothing here"),
    ],
)
def test_what_cannot_be_is_refused_in_words_and_changes_nothing(
    path: str, fields: dict[str, str], words: str, here: ClubStand
) -> None:
    drawn(here)
    before = here.club.books
    assert words in said(here.owner(), f"/tournaments/1/{path}", **fields)
    assert here.club.books == before


@pytest.mark.parametrize(
    "fields", [{"name": "", "rounds": "2"}, {"name": "Cup", "rounds": "0"}, {"name": "Cup", "rounds": "two"}]
)
def test_a_tournament_that_cannot_be_is_not_opened(fields: dict[str, str], here: ClubStand) -> None:
    assert said(here.owner(), "/tournaments", **fields)
    assert len(here.club.books.tournaments) == 1


def test_the_view_for_all_the_paper_and_the_files_tell_the_same(here: ClubStand) -> None:
    owner, tables = here.owner(), drawn(here)
    form(
        owner,
        "/tournaments/1/points",
        round="1",
        table="1",
        players="3",
        points0="70",
        points1="-5",
        points2="",
    )
    winner = tables[0][0]
    for path in ("/tournaments/1", "/tournaments/1/print"):
        shown = text(here.visitor(), path)
        assert f"1. {winner} 70 1 1" in shown
        assert "by hand" in shown
    ranking = owner.get("/tournaments/1/ranking.csv").get_data(as_text=True).splitlines()
    assert ranking[1].startswith(f"1,{winner},70,1,1")
    rounds = owner.get("/tournaments/1/rounds.csv").get_data(as_text=True).splitlines()
    assert rounds[1:4] == [
        f"1,1,{winner},70,hand",
        f"1,1,{tables[0][1]},-5,hand",
        f"1,1,{tables[0][2]},,hand",
    ]
    found = json.loads(owner.get("/tournaments/1.json").get_data())
    assert (found["name"], found["ranking"][0]["name"]) == ("Cup", winner)
    assert len(found["rounds"][0]) == 6
    form(owner, "/tournaments/1/clear", round="1", table="1")
    assert "Table 1 is played" in text(owner, "/tournaments/1")


def test_with_too_few_tables_somebody_has_a_bye(here: ClubStand) -> None:
    owner = here.owner()
    form(owner, "/tournaments", name="Small", rounds="2", tables="1")
    form(owner, "/tournaments/2/enter", names="\n".join(NAMES))
    form(owner, "/tournaments/2/draw", rounds="0")
    tournament = here.club.tournament(2)
    assert tournament is not None
    (bye,) = tournament.rounds[0].byes
    assert f"Bye: {NAMES[bye]}" in text(here.visitor(), "/tournaments/2")
    assert here.now[0] == NOON
