"""Joining, taking a seat back, several seats on one phone."""

from collections.abc import Callable
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.table.seats import SeatHeld
from tests.web_table import CODE, TOKENS, form, post, stand, wish
from web.access.identity import PHONE_COOKIE, hash_of


def test_joining_works_with_a_plain_form(tmp_path: Path) -> None:
    here = stand(tmp_path)
    phone = here.phone()
    page = phone.get("/join", query_string={"code": CODE})
    assert f'value="{CODE}"' in page.get_data(as_text=True)
    answer = form(phone, "/join", name="Anna", mark="star", code=CODE.lower())
    assert (answer.status_code, answer.headers["Location"]) == (303, "/phone")
    assert [(seat.name, seat.mark) for seat in here.table.snapshot.seats] == [("Anna", "star")]
    assert "Anna" in phone.get("/phone").get_data(as_text=True)


def test_a_form_sent_twice_takes_one_seat(tmp_path: Path) -> None:
    here = stand(tmp_path)
    phone = here.phone()
    phone.get("/join")
    for _ in range(2):
        assert form(phone, "/join", name="Anna", code=CODE).status_code == 303
    assert len(here.table.snapshot.seats) == 1


def test_who_was_a_moment_later_with_the_same_mark_gets_another(tmp_path: Path) -> None:
    here = stand(tmp_path)
    for name in ("Anna", "Ben"):
        assert form(here.phone(), "/join", name=name, mark="circle", code=CODE).status_code == 303
    assert [seat.mark for seat in here.table.snapshot.seats] == ["circle", "square"]


def test_a_wrong_code_keeps_what_was_typed_and_says_so(tmp_path: Path) -> None:
    phone = stand(tmp_path).phone()
    answer = form(phone, "/join", name="Anna", code="AAAA")
    page = answer.get_data(as_text=True)
    assert answer.status_code == 403
    assert 'value="Anna"' in page
    assert "not the table" in page


def test_the_cookie_brings_a_seat_back(tmp_path: Path) -> None:
    here = stand(tmp_path)
    here.start()
    page = here.phone(0).get("/").get_data(as_text=True)
    assert "Carry on as Anna" in page


def test_one_phone_holds_several_seats(tmp_path: Path) -> None:
    here = stand(tmp_path)
    here.seat(1)
    phone = here.phone(0)
    assert form(phone, "/join", name="Child", mark="star").status_code == 303
    mine = [seat["name"] for seat in phone.get("/api/view").get_json()["view"]["seats"] if seat["mine"]]
    assert mine == ["Anna", "Child"]


def test_a_seat_held_by_nobody_is_taken_back_at_once(tmp_path: Path) -> None:
    here = stand(tmp_path)
    here.start()
    here.play(SeatHeld(1, None))
    phone = here.phone()
    assert form(phone, "/ask", seat="1", code=CODE).headers["Location"] == "/phone"
    assert phone.get("/api/asks/mine").get_json() == {"seated": True, "waiting": False}


def test_another_player_lets_a_new_phone_in_and_the_old_secret_dies(tmp_path: Path) -> None:
    here = stand(tmp_path)
    here.start()
    new, old, other = here.phone(), here.phone(1), here.phone(0)
    assert form(new, "/ask", seat="1", code=CODE).status_code == 303
    assert "Ben" in new.get("/phone").get_data(as_text=True)
    (ask,) = other.get("/api/view").get_json()["asks"]
    assert (ask["seat"], ask["name"], ask["answer"]) == (1, "Ben", True)
    assert post(other, f"/api/asks/{ask['id']}", {"yes": True}).status_code == 200
    assert new.get("/api/asks/mine").get_json()["seated"]
    assert old.get("/api/view").status_code == 403
    assert wish(old, "roll-virtual", seat=1).status_code == 403
    assert wish(new, "done", seat=1).status_code == 409  # its seat now; there is nothing to decide yet


def test_the_table_display_lets_a_new_phone_in(tmp_path: Path) -> None:
    here = stand(tmp_path)
    here.start()
    new = here.phone()
    post(new, "/api/asks", {"seat": 1, "code": CODE})
    (ask,) = here.display().get("/api/view").get_json()["asks"]
    assert post(here.display(), f"/api/asks/{ask['id']}", {"yes": True}).status_code == 200
    assert new.get("/api/asks/mine").get_json()["seated"]


def test_nobody_lets_themselves_in(tmp_path: Path) -> None:
    here = stand(tmp_path)
    here.start()
    new = here.phone()
    post(new, "/api/asks", {"seat": 1, "code": CODE})
    (ask,) = here.phone(0).get("/api/view").get_json()["asks"]
    assert post(new, f"/api/asks/{ask['id']}", {"yes": True}).status_code == 403
    assert post(here.phone(), f"/api/asks/{ask['id']}", {"yes": True}).status_code == 403
    assert here.table.snapshot.seats[1].holder == hash_of(TOKENS[1])


def test_a_seated_player_cannot_grant_themselves_a_second_seat(tmp_path: Path) -> None:
    here = stand(tmp_path)
    here.start(3)
    post(here.phone(0), "/api/asks", {"seat": 1})
    (ask,) = here.phone(0).get("/api/view").get_json()["asks"]
    assert not ask["answer"]
    assert post(here.phone(0), f"/api/asks/{ask['id']}", {"yes": True}).status_code == 403


def test_a_no_leaves_everything_as_it_was(tmp_path: Path) -> None:
    here = stand(tmp_path)
    here.start()
    new = here.phone()
    post(new, "/api/asks", {"seat": 1, "code": CODE})
    (ask,) = here.phone(0).get("/api/view").get_json()["asks"]
    assert post(here.phone(0), f"/api/asks/{ask['id']}", {"yes": False}).status_code == 200
    assert new.get("/api/asks/mine").get_json() == {"seated": False, "waiting": False}
    assert here.phone(1).get("/api/view").status_code == 200


@pytest.mark.parametrize(
    "ask",
    [
        lambda phone: form(phone, "/ask", seat="1", code=CODE),
        lambda phone: post(phone, "/api/asks", {"seat": 1, "code": CODE}),
    ],
    ids=["form", "json"],
)
def test_each_take_over_has_a_new_secret(ask: Callable[[FlaskClient], object], tmp_path: Path) -> None:
    here = stand(tmp_path)
    here.start()
    phone = here.phone()
    secrets_ = []
    for _ in range(2):
        here.play(SeatHeld(1, None))
        ask(phone)
        cookie = phone.get_cookie(PHONE_COOKIE)
        assert cookie is not None
        secrets_.append(cookie.value)
    assert len(set(secrets_)) == 2


def test_an_ask_ends_after_three_minutes(tmp_path: Path) -> None:
    here = stand(tmp_path)
    here.start()
    new = here.phone()
    post(new, "/api/asks", {"seat": 1, "code": CODE})
    before = here.phone(0).get("/api/view").get_json()
    here.clock.now += 181
    after = here.phone(0).get("/api/view").get_json()
    assert after["asks"] == []
    assert after["sequence"] > before["sequence"]


def test_asking_needs_the_code(tmp_path: Path) -> None:
    here = stand(tmp_path)
    here.start()
    assert post(here.phone(), "/api/asks", {"seat": 1, "code": "AAAA"}).status_code == 403


def test_a_wish_sent_twice_happens_once(tmp_path: Path) -> None:
    here = stand(tmp_path)
    here.start()
    for _ in range(2):
        assert wish(here.phone(0), "roll-virtual", seat=0, id="one").status_code == 200
    assert here.table.snapshot.game is not None
    assert here.table.snapshot.game.number == 1


def test_a_wish_made_for_an_older_moment_is_stale(tmp_path: Path) -> None:
    here = stand(tmp_path)
    here.start()
    moment = here.table.snapshot.moment
    here.roll("W3 W4 R2 Y5 G6 B1")
    answer = wish(here.phone(0), "cross", seat=0, cell="R7", moment=moment)
    assert (answer.status_code, answer.get_json()["error"]) == (409, "stale")


def test_an_illegal_cross_is_refused_with_its_reason(tmp_path: Path) -> None:
    here = stand(tmp_path)
    here.start()
    here.roll("W3 W4 R2 Y5 G6 B1")
    answer = wish(here.phone(0), "cross", seat=0, cell="R12")
    assert answer.status_code == 409
    assert answer.get_json()["why"]["kind"] == "needs-crosses"
