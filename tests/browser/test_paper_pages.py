"""Paper in a browser: a game is typed in from the sheets, a page of blank sheets is as large as A4."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Phones
from tests.browser.sound import boxes, check, in_each_look

SHEETS = (
    ("Anna", ("7", "8", "3", ""), ("red", "yellow"), "1"),
    ("Ben", ("4", "3", "7", "8"), (), "2"),
    ("Cem", ("2", "", "5", "6"), (), ""),
)


@pytest.mark.parametrize("size", [(320, 454), (412, 839), (1280, 720)], ids=str)
def test_a_game_on_paper_is_typed_in_and_shown(size: tuple[int, int], phones: Phones) -> None:
    phones.stand.seat(1)
    anna = phones.sit(0, size)
    anna.goto(f"{phones.address}/history")
    anna.get_by_role("link", name="Enter a game on paper").click()
    assert anna.evaluate("() => document.scrollingElement.scrollWidth") <= size[0]
    for box in boxes(anna, "form input, form select, form button"):
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= size[0] + 0.5, box
    for place, (name, rows, locks, misthrows) in enumerate(SHEETS):
        anna.fill(f'[name="name-{place}"]', name)
        for colour, crosses in zip(("red", "yellow", "green", "blue"), rows, strict=True):
            anna.fill(f'[name="{colour}-{place}"]', crosses)
            if colour in locks:
                anna.check(f'[name="{colour}-lock-{place}"]')
        anna.fill(f'[name="misthrows-{place}"]', misthrows)
    anna.get_by_role("button", name="Keep the game").click()
    expect(anna.locator("h1")).to_have_text("Ben wins!")
    expect(anna.locator(".lead")).to_contain_text("on paper")
    assert sorted(anna.locator(".total td").all_text_contents()) == ["39", "65", "70"]
    check(anna)


@in_each_look()
def test_the_pages_of_paper_are_sound(scheme: str, locale: str, phones: Phones) -> None:
    phones.stand.seat(1)
    for path in ("/paper", "/paper/mixx-a/4", "/history/paper"):
        page = phones.sit(0, (412, 839), color_scheme=scheme, locale=locale)
        page.goto(phones.address + path)
        check(page, path)
        assert page.evaluate("() => document.scrollingElement.scrollWidth") <= 412


def test_a_page_of_blank_sheets_is_printed_alone_and_as_large_as_a4(phones: Phones) -> None:
    page = phones.page("/paper/classic/2", (412, 839))
    page.evaluate("() => { window.print = () => { window.printed = true; }; }")
    page.get_by_role("button", name="Print").click()
    assert page.evaluate("() => window.printed") is True
    page.emulate_media(media="print")
    expect(page.locator(".ways")).to_be_hidden()
    sheet = page.locator(".paper-page").bounding_box()
    assert sheet is not None
    assert abs(sheet["width"] - 210 / 25.4 * 96) < 1
    assert abs(sheet["height"] - 297 / 25.4 * 96) < 1
    assert page.locator("main > *:visible").count() == 1
