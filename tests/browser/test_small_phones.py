"""A full table on the smallest phone: whatever the table is told, the big button stays on the screen."""

import pytest
from playwright.sync_api import Page, expect

from companion.game import Crossed, Done
from companion.rules import Cell
from tests.browser.conftest import Phones
from tests.browser.people import menu
from tests.browser.sheet_page import sheet
from tests.browser.sound import boxes, check, in_each_look
from tests.games import event

SMALL = (320, 454)


def nothing_is_cut(page: Page) -> None:
    width, height = SMALL
    assert page.evaluate("() => document.scrollingElement.scrollHeight") <= height
    assert page.evaluate("() => document.scrollingElement.scrollWidth") <= width
    (top,) = boxes(page, ".top")
    (grid,) = boxes(page, ".mark-grid")
    assert grid["y"] >= top["y"]
    assert grid["y"] + grid["height"] <= top["y"] + top["height"]


@in_each_look()
def test_a_full_table_on_the_smallest_phone_cuts_nothing_off(
    scheme: str, locale: str, phones: Phones
) -> None:
    phones.stand.start(5)
    phones.stand.play(sheet(0, "R2 R3 R4 R5 R6 Y3 Y5 B12 M1"))
    phones.stand.play(sheet(1, "R2 R3 R4 R5 R6 G12 G8"))
    phones.stand.roll("W6 W6 R2 Y5 G6 B1")
    anna, cem = (phones.sit(seat, SMALL, color_scheme=scheme, locale=locale) for seat in (0, 2))
    expect(anna.locator(".sum")).to_be_visible()
    nothing_is_cut(anna)
    phones.stand.play(Crossed(1, Cell.parse("R12")))
    for page in (anna, cem):
        expect(page.locator(".banner.closing")).to_be_visible()
        nothing_is_cut(page)
    while (game := phones.table.snapshot.game) is not None and game.turn and len(game.deciding) > 1:
        phones.stand.play(Done(game.deciding[-1]))
    phones.stand.play(Done(0))
    expect(anna.locator("#finish")).to_have_attribute("data-look", "danger")
    nothing_is_cut(anna)
    for line in ("0 says 2 sits out", "0 says 3 plays no more"):
        phones.stand.play(event(line))
    expect(cem.locator(".banner")).to_have_count(2)
    nothing_is_cut(cem)
    check(cem, "who sits out")


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_two_who_sit_out_a_row_just_closed_and_a_misthrow_fit_too(locale: str, phones: Phones) -> None:
    phones.stand.start(5)
    for line in ("0 says 3 sits out", "0 says 4 sits out"):
        phones.stand.play(event(line))
    phones.stand.play(sheet(1, "R2 R3 R4 R5 R6"))
    phones.stand.roll("W6 W6 R2 Y5 G6 B1")
    phones.stand.play(Crossed(1, Cell.parse("R12")))
    for seat in (1, 2, 0):
        phones.stand.play(Done(seat))
    anna = phones.sit(0, SMALL, locale=locale)
    expect(anna.locator(".banner.closing")).to_be_visible()
    expect(anna.locator(".banner.several")).to_be_visible()
    expect(anna.locator("#finish")).to_have_attribute("data-look", "danger")
    nothing_is_cut(anna)


@pytest.mark.parametrize("size", [SMALL, SMALL[::-1]])
def test_a_corrected_sheet_is_saved_without_scrolling_for_the_button(
    size: tuple[int, int], phones: Phones
) -> None:
    phones.stand.start(2)
    anna = phones.sit(0, size)
    menu(anna, "Put something right").get_by_role("button", name="Correct a sheet: Ben").click()
    expect(anna.get_by_role("button", name="Save")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_five_short_names_stay_whole_at_the_end(locale: str, phones: Phones) -> None:
    phones.stand.start(5)
    phones.stand.play(sheet(1, "R2 R3 R4 R5 R6 R12 G12 G8 M4"))
    anna = phones.sit(0, SMALL, locale=locale)
    expect(anna.locator(".reckoning thead th")).to_have_count(5)
    heights = [box["height"] for box in boxes(anna, ".reckoning thead th > span:last-child")]
    assert len(heights) == 5
    assert max(heights) < 1.5 * min(heights)
    assert max(heights) < 24  # one line each
