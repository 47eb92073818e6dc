"""The table on a phone's home screen, and a phone that knows whose it is."""

import struct
from pathlib import Path

import pytest

from companion.table.seats import SeatLeft
from tests.web_table import CODE, form, stand
from web.access.identity import NAME_COOKIE


@pytest.mark.parametrize(("language", "about"), [("en", "sheets for Qwixx"), ("de", "Zettel für Qwixx")])
def test_a_phone_finds_everything_for_its_home_screen(language: str, about: str, tmp_path: Path) -> None:
    phone = stand(tmp_path).phone()
    page = phone.get("/join").get_data(as_text=True)
    assert '<link rel="manifest" href="/manifest.webmanifest">' in page
    answer = phone.get("/manifest.webmanifest", headers={"Accept-Language": language})
    assert answer.mimetype == "application/manifest+json"
    told = answer.get_json(force=True)
    assert (told["name"], told["display"], told["start_url"]) == ("Boxlid", "standalone", "/phone")
    assert about in told["description"]
    icons = {(each["sizes"], each["purpose"]): each["src"] for each in told["icons"]}
    assert {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")} == set(icons)
    touch = page.partition('<link rel="apple-touch-icon" href="')[2].partition('"')[0]
    for src, size in (
        (touch, 180),
        *((src, int(sizes.partition("x")[0])) for (sizes, _), src in icons.items()),
    ):
        found = phone.get(src, headers={"Accept-Encoding": "identity"})
        assert (found.status_code, found.mimetype) == (200, "image/png")
        assert struct.unpack(">II", found.get_data()[16:24]) == (size, size)


def test_name_and_mark_are_offered_again_when_the_phone_joins_the_next_time(tmp_path: Path) -> None:
    here = stand(tmp_path)
    phone = here.phone()
    assert form(phone, "/join", name="Zoë B.", mark="star", code=CODE).status_code == 303
    here.play(SeatLeft(0))
    page = phone.get("/join").get_data(as_text=True)
    assert 'name="name" value="Zoë B."' in page
    assert 'value="star" checked' in page
    assert page.count(" checked") == 1
    here.seat(5)  # the star is Emil's now
    here.play(SeatLeft(3))
    taken = phone.get("/join").get_data(as_text=True)
    assert 'name="name" value="Zoë B."' in taken
    assert 'value="diamond" checked' in taken


def test_somebody_else_on_the_same_phone_is_not_whose_phone_it_is(tmp_path: Path) -> None:
    here = stand(tmp_path)
    phone = here.phone()
    form(phone, "/join", name="Anna", mark="star", code=CODE)
    assert 'name="name" value=""' in phone.get("/join?add=1").get_data(as_text=True)
    form(phone, "/join", name="Kind", mark="circle")
    for _ in range(2):
        here.play(SeatLeft(0))
    assert 'name="name" value="Anna"' in phone.get("/join").get_data(as_text=True)


@pytest.mark.parametrize("cookie", ["", "star", "star %FF%FE", "nonsense x", "star " + "x" * 999, "star <b>"])
def test_a_cookie_that_is_none_of_ours_does_no_harm(cookie: str, tmp_path: Path) -> None:
    phone = stand(tmp_path).phone()
    phone.set_cookie(NAME_COOKIE, cookie)
    answer = phone.get("/join")
    page = answer.get_data(as_text=True)
    assert answer.status_code == 200
    assert "<b>" not in page
    assert "x" * 25 not in page
    assert page.count(" checked") == 1
