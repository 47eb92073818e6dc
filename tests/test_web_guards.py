"""The guards of the pages: each of these fails when its guard is taken away."""

import json
import re
from pathlib import Path

import pytest
from flask import Request
from werkzeug.exceptions import RequestEntityTooLarge

from companion.journal.journal import JournalFullError
from tests.web_table import CODE, NAMES, ORIGIN, TOKENS, form, post, stand, wish
from web.access.codes import CODE_LENGTH, LETTERS, WRONG_IN_ALL, WRONG_PER_ADDRESS
from web.access.guard import BIGGEST_BODY, check_body
from web.access.identity import DISPLAY_COOKIE, PHONE_COOKIE

# --- host: DNS rebinding --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "host", ["evil.example", "8.8.8.8", "boxlid.local.evil.example", "[2001:db8::1]", ""]
)
def test_a_foreign_host_name_is_misdirected(host: str, tmp_path: Path) -> None:
    assert stand(tmp_path).phone().get("/", headers={"Host": host}).status_code == 421


@pytest.mark.parametrize(
    "host",
    [
        "localhost:8000",
        "127.0.0.1",
        "192.168.1.7:8000",
        "10.0.0.2",
        "172.20.1.1",
        "169.254.3.4",
        "[::1]:8000",
        "[fe80::1]",
        "boxlid.local",
        "BOXLID.local.",
    ],
)
def test_addresses_of_a_house_and_listed_names_are_served(host: str, tmp_path: Path) -> None:
    assert stand(tmp_path).phone().get("/", headers={"Host": host}).status_code == 200


# --- origin: CSRF ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "null"},
        {"Origin": "http://evil.example"},
        {"Origin": "http://localhost:9999"},
        {"Origin": "https://localhost"},
        {"Origin": "http://localhost", "Sec-Fetch-Site": "cross-site"},
        {"Origin": "http://localhost", "Sec-Fetch-Site": "same-site"},
    ],
)
@pytest.mark.parametrize("path", ["/api/wishes", "/api/seats", "/api/press", "/join", "/ask", "/language"])
def test_a_change_from_another_page_is_refused(path: str, headers: dict[str, str], tmp_path: Path) -> None:
    here = stand(tmp_path)
    here.start()
    answer = here.phone(0).post(path, json={"do": "roll-virtual", "seat": 0}, headers=headers)
    assert answer.status_code == 403
    assert here.table.snapshot.game is not None
    assert here.table.snapshot.game.turn is None


def test_a_change_from_our_own_page_is_carried_out(tmp_path: Path) -> None:
    here = stand(tmp_path)
    here.start()
    answer = wish(here.phone(0), "roll-virtual", seat=0)
    assert answer.status_code == 200
    same = post(here.phone(0), "/api/press", {}, **{"Sec-Fetch-Site": "same-origin"})
    assert same.status_code == 200


def test_only_json_changes_anything(tmp_path: Path) -> None:
    here = stand(tmp_path)
    here.start()
    phone = here.phone(0)
    body = json.dumps({"do": "roll-virtual", "seat": 0})
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        answer = phone.post("/api/wishes", data=body, content_type=kind, headers=ORIGIN)
        assert answer.status_code == 415


def test_forms_come_as_our_pages_send_them(tmp_path: Path) -> None:
    phone = stand(tmp_path).phone()
    for kind in ("text/plain", "multipart/form-data; boundary=x"):
        answer = phone.post("/language", data="language=de", content_type=kind, headers=ORIGIN)
        assert answer.status_code == 415


# --- seats ----------------------------------------------------------------------------------------------


def test_the_secret_of_a_seat_is_long_and_kept_from_scripts(tmp_path: Path) -> None:
    answer = stand(tmp_path).phone().get("/join")
    cookie = answer.headers["Set-Cookie"]
    token = re.match(rf"{PHONE_COOKIE}=([^;]+)", cookie)
    assert token is not None
    assert len(token[1]) >= 43  # 256 bits in base64
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie


def test_only_the_hash_of_a_secret_is_kept(tmp_path: Path) -> None:
    here = stand(tmp_path)
    phone = here.phone()
    phone.get("/join")
    form(phone, "/join", name="Anna", code=CODE)
    cookie = phone.get_cookie(PHONE_COOKIE)
    assert cookie is not None
    assert here.table.snapshot.seats[0].holder is not None
    kept = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert cookie.value.encode() not in kept


def test_no_secret_is_in_any_page_view_or_picture(tmp_path: Path) -> None:
    here = stand(tmp_path)
    here.start()
    phone = here.phone(0)
    holder = here.table.snapshot.seats[0].holder
    assert holder is not None
    for path in ("/", "/join", "/phone", "/api/view", "/qr.svg", "/help"):
        text = phone.get(path).get_data(as_text=True)
        assert TOKENS[0] not in text, path
        assert holder not in text, path


def test_a_phone_plays_for_its_own_seat_only(tmp_path: Path) -> None:
    here = stand(tmp_path)
    here.start()
    assert wish(here.phone(1), "roll-virtual", seat=0).status_code == 403
    assert wish(here.phone(), "roll-virtual", seat=0).status_code == 403


@pytest.mark.parametrize(
    "path", ["/api/view", "/api/live", "/api/picture.jpg", "/api/crops/white-1.jpg", "/api/panel", "/qr.svg"]
)
def test_who_is_not_at_the_table_sees_nothing_of_it(path: str, tmp_path: Path) -> None:
    here = stand(tmp_path)
    here.start()
    assert here.phone().get(path).status_code == 403
    assert here.phone(1).get(path).status_code == 200


@pytest.mark.parametrize("path", ["/table", "/panel"])
def test_a_display_from_the_house_needs_the_code(path: str, tmp_path: Path) -> None:
    here = stand(tmp_path)
    stranger = here.phone()
    answer = stranger.get(path)
    assert answer.status_code == 403
    assert CODE not in answer.get_data(as_text=True)
    assert form(stranger, "/show", code="WRNG").status_code == 403
    assert form(stranger, "/show", code=CODE).status_code == 303
    assert stranger.get(path).status_code == 200


def test_a_forged_display_cookie_shows_nothing(tmp_path: Path) -> None:
    here = stand(tmp_path)
    stranger = here.phone()
    for forged in ("x", "x.y", "x.", ".", "x." + "0" * 64):
        stranger.set_cookie(DISPLAY_COOKIE, forged)
        assert stranger.get("/api/view").status_code == 403


def test_a_seat_is_not_bound_to_an_address(tmp_path: Path) -> None:
    here = stand(tmp_path)
    here.start()
    assert here.phone(0, address="192.168.1.99").get("/api/view").status_code == 200
    assert here.phone(0, address="fd00::99").get("/api/view").status_code == 200


# --- code -----------------------------------------------------------------------------------------------


def test_codes_have_four_characters_from_thirty() -> None:
    assert len(set(LETTERS)) == 30
    assert len(CODE) == CODE_LENGTH
    assert set(CODE) <= set(LETTERS)


def test_guessing_stops_after_five_wrong_codes_from_one_address(tmp_path: Path) -> None:
    here = stand(tmp_path)
    guesser = here.phone()
    for _ in range(WRONG_PER_ADDRESS):
        assert post(guesser, "/api/seats", {"name": "Eve", "code": "AAAA"}).status_code == 403
    stopped = post(guesser, "/api/seats", {"name": "Eve", "code": CODE})
    assert stopped.status_code == 429
    assert 1 <= int(stopped.headers["Retry-After"]) <= 60
    assert (
        post(here.phone(address="192.168.1.31"), "/api/seats", {"name": "Ben", "code": CODE}).status_code
        == 201
    )
    here.clock.now += 61
    assert post(guesser, "/api/seats", {"name": "Eve", "code": CODE}).status_code == 201


def test_changing_the_address_buys_no_more_guesses_than_all_have(tmp_path: Path) -> None:
    here = stand(tmp_path)
    answers = [
        post(here.phone(address=f"fd00::{n}"), "/api/seats", {"name": "Eve", "code": "AAAA"}).status_code
        for n in range(1, WRONG_IN_ALL + 2)
    ]
    assert answers == [403] * WRONG_IN_ALL + [429]


def test_guessing_from_many_addresses_stops_too_but_never_a_seated_player(tmp_path: Path) -> None:
    here = stand(tmp_path)
    here.seat(1)
    for n in range(WRONG_IN_ALL):
        guesser = here.phone(address=f"192.168.2.{n}")
        assert post(guesser, "/api/seats", {"name": "Eve", "code": "AAAA"}).status_code == 403
    late = here.phone(address="192.168.3.1")
    assert post(late, "/api/seats", {"name": "Late", "code": CODE}).status_code == 429
    assert form(late, "/show", code=CODE).status_code == 429
    assert post(here.phone(0), "/api/seats", {"name": "Child"}).status_code == 201


# --- scripts and headers --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path", ["/", "/join", "/table", "/panel", "/help", "/api/view", "/nowhere", "/phone"]
)
def test_every_answer_carries_the_headers(path: str, tmp_path: Path) -> None:
    headers = stand(tmp_path).display().get(path).headers
    policy = headers["Content-Security-Policy"]
    for part in (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "manifest-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "object-src 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    ):
        assert part in policy.split("; ")
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "camera=()" in headers["Permissions-Policy"]
    assert "Strict-Transport-Security" not in headers
    assert "Cross-Origin-Opener-Policy" not in headers


def test_a_name_made_of_markup_stays_text(tmp_path: Path) -> None:
    here = stand(tmp_path)
    phone = here.phone()
    phone.get("/join")
    name = "<b>x</b></script>"
    form(phone, "/join", name=name, code=CODE)
    assert here.table.snapshot.seats[0].name == name
    for path in ("/phone", "/join", "/"):
        page = phone.get(path).get_data(as_text=True)
        assert "<b>x" not in page
        assert page.count("</script>") == page.count("<script")


def test_a_redirect_stays_here(tmp_path: Path) -> None:
    phone = stand(tmp_path).phone()
    for back in ("//evil.example", "https://evil.example", "/\\evil.example"):
        assert form(phone, "/language", language="de", back=back).headers["Location"] == "/"


# --- floods, privacy, disk ------------------------------------------------------------------------------


def test_a_body_beyond_sixteen_kilobytes_is_refused(tmp_path: Path) -> None:
    here = stand(tmp_path)
    here.start()
    big = wish(here.phone(0), "done", seat=0, id="x" * BIGGEST_BODY)
    assert big.status_code == 413
    with pytest.raises(RequestEntityTooLarge):  # before anything of it is read: older Flasks would read JSON
        check_body(Request({"CONTENT_LENGTH": str(BIGGEST_BODY + 1), "PATH_INFO": "/"}), form=True)
    assert form(here.phone(), "/join", name="x" * BIGGEST_BODY).status_code == 413


def test_pictures_are_never_stored_by_browsers(tmp_path: Path) -> None:
    here = stand(tmp_path)
    here.start()
    for path in ("/api/picture.jpg", "/api/crops/white-1.jpg", "/api/view", "/phone", "/qr.svg"):
        assert here.phone(0).get(path).headers["Cache-Control"] == "no-store"


def test_a_full_disk_is_said_and_nothing_happens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = stand(tmp_path)
    here.start()
    before = here.table.snapshot

    def full(*_: object, **__: object) -> None:
        raise JournalFullError("this could not be kept on disk")

    monkeypatch.setattr(here.table._journal, "append", full)
    answer = wish(here.phone(0), "roll-virtual", seat=0)
    assert answer.status_code == 507
    assert answer.get_json()["error"] == "disk-full"
    assert here.table.snapshot == before


def test_names_are_checked_by_the_table(tmp_path: Path) -> None:
    here = stand(tmp_path)
    here.seat(2)
    phone = here.phone()
    phone.get("/join")
    for name in ("", "x" * 25, "a\u202eb", "\ud800"):
        assert post(phone, "/api/seats", {"name": name, "code": CODE}).status_code in {400, 409}
    told = form(phone, "/join", name="x" * 25, mark="star", code=CODE).get_data(as_text=True)
    assert "A name has 1 to 24 letters." in told
    taken = post(phone, "/api/seats", {"name": NAMES[0].upper(), "code": CODE})
    assert taken.get_json()["error"] == "name-taken"
