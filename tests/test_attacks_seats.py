"""Attacks on seats: freeing one to take it, old secrets, names that nobody can read, names for strangers."""

from pathlib import Path

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.game import LONGEST_NAME
from companion.table.seats import SeatHeld
from tests.attacking import Caller, as_installed
from tests.web_table import CODE, NAMES, TOKENS, Stand, form, post, stand, wish
from web.access.identity import PHONE_COOKIE, hash_of

FAMILY = "👨\u200d👩\u200d👧\u200d👦"


@pytest.fixture
def here(tmp_path: Path) -> Stand:
    found = stand(tmp_path)
    found.start(3)
    return found


def asks_of(client: FlaskClient) -> list[dict[str, object]]:
    found: list[dict[str, object]] = client.get("/api/view").get_json()["asks"]
    return found


def holder(here: Stand, seat: int) -> str | None:
    return here.table.snapshot.seats[seat].holder


# --- freeing ----------------------------------------------------------------------------------------------


def test_a_seated_phone_frees_no_other_seat_by_itself(here: Stand) -> None:
    with as_installed(here) as server:
        thief = Caller(server.port, seat=0)
        assert thief.post("/api/wishes", {"do": "free", "seat": 0, "owner": 1}).status == 200
        assert holder(here, 1) == hash_of(TOKENS[1])
        assert thief.post("/api/asks", {"seat": 1}).status == 201  # no seat of nobody: it has to ask
        assert holder(here, 1) == hash_of(TOKENS[1])
    (ask,) = asks_of(here.phone(0))
    assert ask["mine"]
    assert not ask["answer"]
    assert post(here.phone(0), f"/api/asks/{ask['id']}", {"yes": True}).status_code == 403


@pytest.mark.parametrize("who", ["another player", "the seat itself", "the display"])
def test_a_seat_is_freed_with_the_yes_of_somebody_else(who: str, here: Stand) -> None:
    assert wish(here.phone(0), "free", seat=0, owner=1).status_code == 200
    others = {
        "another player": here.phone(2),
        "the seat itself": here.phone(1),
        "the display": here.display(),
    }
    (ask,) = asks_of(others[who])
    assert (ask["name"], ask["frees"], ask["answer"]) == (NAMES[1], True, True)
    assert post(others[who], f"/api/asks/{ask['id']}", {"yes": True}).status_code == 200
    assert holder(here, 1) is None
    assert asks_of(here.phone(0)) == []


def test_a_no_leaves_the_seat_with_its_phone(here: Stand) -> None:
    wish(here.phone(0), "free", seat=0, owner=1)
    (ask,) = asks_of(here.phone(1))
    assert post(here.phone(1), f"/api/asks/{ask['id']}", {"yes": False}).status_code == 200
    assert holder(here, 1) == hash_of(TOKENS[1])


def test_the_own_seat_is_freed_at_once_and_any_by_the_display(here: Stand) -> None:
    assert wish(here.phone(0), "free", seat=0, owner=0).status_code == 200
    assert holder(here, 0) is None
    assert wish(here.display(), "free", owner=1).status_code == 200
    assert holder(here, 1) is None


def test_freeing_is_refused_where_there_is_no_such_seat_or_the_table_moved_on(here: Stand) -> None:
    assert wish(here.phone(0), "free", seat=0, owner=4).status_code == 404
    assert wish(here.phone(0), "free", seat=0, owner=-1).status_code == 400
    assert wish(here.phone(0), "free", seat=0, owner=1, moment="old").get_json()["error"] == "stale"
    here.play(SeatHeld(1, None))
    assert wish(here.phone(0), "free", seat=0, owner=1).status_code == 200  # it is free
    assert asks_of(here.phone(0)) == []


# --- secrets ----------------------------------------------------------------------------------------------


def secret(client: FlaskClient) -> str:
    cookie = client.get_cookie(PHONE_COOKIE)
    assert cookie is not None
    return cookie.value


def by_page(phone: FlaskClient) -> TestResponse:
    phone.get("/join", query_string={"code": CODE})
    return form(phone, "/join", name="Zoe", code=CODE)


def by_form(phone: FlaskClient) -> TestResponse:
    return form(phone, "/join", name="Zoe", code=CODE)


def by_interface(phone: FlaskClient) -> TestResponse:
    return post(phone, "/api/seats", {"name": "Zoe", "code": CODE})


@pytest.mark.parametrize("join", [by_page, by_form, by_interface])
@pytest.mark.parametrize("restarted", [False, True])
def test_a_phone_that_leaves_and_joins_again_has_a_new_secret(
    join: object, restarted: bool, tmp_path: Path
) -> None:
    assert callable(join)
    here = stand(tmp_path)
    phone = here.phone()
    assert join(phone).status_code in (201, 303)
    stolen = secret(phone)
    assert wish(phone, "leave", seat=0).status_code == 200
    if restarted:
        here.table.journal.close()
        here = stand(tmp_path)
        phone = here.phone()
        phone.set_cookie(PHONE_COOKIE, stolen)
    assert join(phone).status_code in (201, 303)
    assert secret(phone) != stolen
    assert phone.get("/api/view").status_code == 200
    thief = here.phone()
    thief.set_cookie(PHONE_COOKIE, stolen)
    assert thief.get("/api/view").status_code == 403


def test_a_phone_with_a_seat_keeps_its_secret(tmp_path: Path) -> None:
    here = stand(tmp_path)
    here.seat(1)
    phone = here.phone(0)
    phone.get("/join?add=1")
    assert form(phone, "/join", name="Child").status_code == 303
    assert secret(phone) == TOKENS[0]


# --- names ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "\u3164",
        "\u2800",
        "\u2800\u2800",
        "Anna\u3164",
        "\u115fx",
        "\uffa0",
        "\u200d",
        "\u200dAnna",
        "Anna\u200d",
        "a\u200b",
        "\ufe0f",
        "\u0301",
        "\u034f",
        "a\u202eb",
        "\u00ad",
        "x" * (LONGEST_NAME + 1),
    ],
)
def test_a_name_that_nobody_can_read_is_refused(name: str, tmp_path: Path) -> None:
    here = stand(tmp_path)
    answer = post(here.phone(), "/api/seats", {"name": name, "code": CODE})
    assert (answer.status_code, answer.get_json()["error"]) == (409, "name-bad")
    assert here.table.snapshot.seats == ()


@pytest.mark.parametrize("name", [FAMILY, "❤️", "Ömer", "José", "علی\u200cرضا", "李雷", "क्‍ष", "🎲 Anna"])
def test_names_of_all_scripts_and_families_of_emoji_are_names(name: str, tmp_path: Path) -> None:
    here = stand(tmp_path)
    phone = here.phone()
    assert post(phone, "/api/seats", {"name": name, "code": CODE}).status_code == 201
    assert phone.get("/api/view").get_json()["view"]["seats"][0]["name"] == name
    assert wish(phone, "start").status_code == 200
    here.table.journal.close()
    assert [seat.name for seat in stand(tmp_path).table.snapshot.seats] == [name]


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Jos\u00e9", "Jose\u0301"),
        ("Anna", "ＡＮＮＡ"),
        ("Anna", "An\u200dna"),
        ("Straße", "STRASSE"),
        ("❤", "❤\ufe0f"),
    ],
)
def test_two_names_that_look_the_same_are_one(one: str, two: str, tmp_path: Path) -> None:
    here = stand(tmp_path)
    assert post(here.phone(), "/api/seats", {"name": one, "code": CODE}).status_code == 201
    taken = post(here.phone(), "/api/seats", {"name": two, "code": CODE})
    assert (taken.status_code, taken.get_json()["error"]) == (409, "name-taken")


def test_a_name_is_kept_in_one_form_however_a_keyboard_writes_it(tmp_path: Path) -> None:
    here = stand(tmp_path)
    assert post(here.phone(), "/api/seats", {"name": "Jose\u0301", "code": CODE}).status_code == 201
    assert here.table.snapshot.seats[0].name == "Jos\u00e9"


# --- names for strangers ----------------------------------------------------------------------------------


def shows_names(answer: TestResponse) -> bool:
    return any(name in answer.get_data(as_text=True) for name in NAMES[:3])


def test_who_has_no_code_is_shown_no_names(here: Stand) -> None:
    stranger = here.phone()
    for path in ("/", "/join", "/join?code=AAAA", "/join?add=1", "/phone", "/table", "/history", "/panel"):
        assert not shows_names(stranger.get(path, follow_redirects=True)), path
    for path in ("/join", "/ask"):
        assert not shows_names(form(stranger, path, name="Eve", seat="1", code="AAAA")), path


def test_who_has_the_code_takes_a_seat_back_by_its_name(here: Stand) -> None:
    phone = here.phone()
    assert shows_names(phone.get("/join", query_string={"code": CODE}))
    assert form(phone, "/ask", seat="1", code=CODE).headers["Location"] == "/phone"
    assert shows_names(here.phone(0).get("/join?add=1")) or shows_names(here.phone(0).get("/join"))


def test_guessing_by_the_address_of_the_join_page_counts_too(here: Stand) -> None:
    stranger = here.phone()
    answers = [stranger.get("/join?code=AAAA").status_code for _ in range(6)]
    assert answers == [403] * 5 + [429]
    assert not shows_names(stranger.get("/join", query_string={"code": CODE}))
