"""The owner's boards through the pages: who may, what is checked, files out and in, offered at once."""

from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import TestResponse

from companion.boards import house_board
from companion.boards.entering import EnteredBoard
from companion.words import catalogues
from tests.web_table import CODE, Stand, form, post, stand, wish

HOUSE = EnteredBoard.of(house_board())
OURS = {"name": "Ours", "front": list(HOUSE.front), "back": list(HOUSE.back)}


def told(answer: TestResponse) -> Any:  # whatever JSON it is
    return answer.get_json()


def saved(here: Stand, **changes: object) -> str:
    """The id of a board that was just kept."""
    answer = post(here.display(), "/api/boards", {**OURS, **changes})
    assert answer.status_code == 200, answer.get_data(as_text=True)
    [board] = [each for each in told(answer)["boards"] if each["name"] == changes.get("name", "Ours")]
    return str(board["id"])


ROUTES = (
    ("GET", "/boards"),
    ("GET", "/api/boards"),
    ("POST", "/api/boards"),
    ("POST", "/api/boards/check"),
    ("POST", "/api/boards/read"),
    ("GET", "/api/boards/house.board"),
    ("POST", "/api/boards/house/delete"),
)


@pytest.mark.parametrize(("method", "path"), ROUTES)
def test_only_the_owner_sees_and_changes_boards(method: str, path: str, tmp_path: Path) -> None:
    here = stand(tmp_path)
    here.seat(1)
    for client in (here.phone(), here.phone(0)):
        answer = client.get(path) if method == "GET" else post(client, path, {**OURS, "text": ""})
        assert answer.status_code == 403
    assert here.app.extensions["desk"].services.shelf.own == ()


def test_a_phone_with_the_code_may_enter_a_board(tmp_path: Path) -> None:
    phone = stand(tmp_path).phone()
    assert 'name="code"' in phone.get("/boards").get_data(as_text=True)
    assert form(phone, "/show", code=CODE, back="/boards").headers["Location"] == "/boards"
    assert phone.get("/boards").status_code == 200


def test_a_saved_board_is_in_the_lobby_at_once_and_a_game_is_played_on_it(tmp_path: Path) -> None:
    here = stand(tmp_path)
    here.seat(2)
    phone = here.phone(0)
    assert [each["key"] for each in told(phone.get("/api/view"))["boards"]] == ["house-front", "house-back"]
    before = told(phone.get("/api/view"))["sequence"]
    key = f"{saved(here, front=['R2:1', *HOUSE.front[1:]])}-front"
    seen = told(phone.get("/api/view"))
    assert seen["sequence"] > before
    assert seen["boards"][0] == {"key": key, "name": "Ours", "side": "front"}
    started = wish(phone, "start", edition="on-board", board=key)
    assert told(started)["view"]["game"]["board"][0] == {"cell": "R2", "points": 1, "near_end": False}
    assert told(started)["boards"] == []


def test_the_check_names_what_is_wrong_by_space(tmp_path: Path) -> None:
    here = stand(tmp_path)
    body = {**OURS, "name": "", "front": ["", "R13:1", *HOUSE.front[2:]]}
    found = told(post(here.display(), "/api/boards/check", body))["findings"]
    assert [(each["kind"], each["side"], each["space"]) for each in found if each["forbids"]] == [
        ("name", "", 0),
        ("empty", "front", 1),
        ("points", "front", 1),
        ("cell", "front", 2),
    ]


def test_an_unfinished_board_and_a_name_given_before_are_refused_in_words(tmp_path: Path) -> None:
    here = stand(tmp_path)
    saved(here)
    for changes, kind in (({"front": [""] * 40}, "board-unfinished"), ({}, "board-name-taken")):
        answer = post(here.display(), "/api/boards", {**OURS, "name": "ours", **changes})
        assert (answer.status_code, told(answer)["error"]) == (409, kind)
        assert f"error.{kind}" in catalogues()["de"].texts


def test_a_board_is_changed_renamed_and_deleted(tmp_path: Path) -> None:
    here = stand(tmp_path)
    identity = saved(here)
    other = saved(here, id=identity, name="Theirs")
    names = [each["name"] for each in told(here.display().get("/api/boards"))["boards"]]
    assert names == ["Theirs"]
    assert told(post(here.display(), f"/api/boards/{other}/delete", {}))["boards"] == []
    assert post(here.display(), f"/api/boards/{other}/delete", {}).status_code == 404


def test_a_board_goes_out_as_a_file_and_comes_back_the_same(tmp_path: Path) -> None:
    here = stand(tmp_path)
    identity = saved(here)
    file = here.display().get(f"/api/boards/{identity}.board")
    assert file.headers["Content-Disposition"] == f'attachment; filename="{identity}.board"'
    assert file.mimetype == "text/plain"
    read = told(post(here.display(), "/api/boards/read", {"text": "\ufeff" + file.get_data(as_text=True)}))
    assert read == {"board": {"id": "", **OURS}, "fault": None}
    assert here.display().get("/api/boards/nowhere.board").status_code == 404


def test_a_broken_file_is_told_with_its_line(tmp_path: Path) -> None:
    text = str(house_board()).replace("4 Y2 2", "4 Y2 1")
    fault = told(post(stand(tmp_path).display(), "/api/boards/read", {"text": text}))["fault"]
    assert (fault["kind"], fault["line"], fault["got"], fault["wanted"]) == ("points", 6, "1", 2)
    long = told(post(stand(tmp_path / "2").display(), "/api/boards/read", {"text": "x" * 500}))["fault"]
    assert len(long["got"]) == 40


def test_bodies_that_are_no_boards_are_refused(tmp_path: Path) -> None:
    display = stand(tmp_path).display()
    bodies: list[object] = [[], {}, {**OURS, "front": "R7"}, {**OURS, "front": [7]}, {**OURS, "name": None}]
    for body in bodies:
        assert post(display, "/api/boards/check", body).status_code == 400


def test_a_table_without_boards_says_so(tmp_path: Path) -> None:
    here = stand(tmp_path, shelf=None)
    assert here.display().get("/boards").status_code == 404
    assert "/boards" not in here.display().get("/").get_data(as_text=True)
    here.seat(1)
    assert told(here.phone(0).get("/api/view"))["boards"] == []


def test_the_start_page_shows_the_owner_the_way_to_the_boards(tmp_path: Path) -> None:
    here = stand(tmp_path)
    assert 'href="/boards"' in here.display().get("/").get_data(as_text=True)
    assert 'href="/boards"' not in here.phone().get("/").get_data(as_text=True)
