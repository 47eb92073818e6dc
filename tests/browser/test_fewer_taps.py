"""Turns in few taps: action 2 chosen in advance, a landing chosen on the sheet."""

from playwright.sync_api import Page, expect

from companion.game import Done
from tests.browser.conftest import ROLL, Phones
from tests.browser.sheet_page import cell, sheet, tap
from tests.browser.sound import check
from tests.browser.test_on_board_screens import on_board, to_action_3

COUNT = """() => {
    window.taps = 0;
    addEventListener("click", (event) => (window.taps += event.isTrusted), true);
}"""


def taps(page: Page) -> int:
    return int(page.evaluate("() => window.taps"))


def test_an_active_turn_takes_four_taps(phones: Phones) -> None:
    phones.stand.start()
    anna, ben = phones.sit(0), phones.sit(1)
    anna.evaluate(COUNT)
    expect(anna.locator("#finish")).to_have_text("I rolled")
    with anna.expect_response("**/api/press"):
        anna.locator("#finish:not([data-held])").tap()
    assert phones.stand.presses == ["rolled"]
    phones.stand.roll(ROLL)
    expect(anna.locator(".sum")).to_be_visible()
    tap(anna, "R7")
    tap(anna, "Y8")
    anna.locator("#finish:not([data-held])").tap()
    ben.locator("#finish:not([data-held])").tap()
    expect(anna.locator("#headline")).to_have_text("Ben rolls")
    expect(cell(anna, "R7")).to_have_attribute("data-state", "crossed")
    expect(cell(anna, "Y8")).to_have_attribute("data-state", "crossed")
    assert taps(anna) == 4


def test_the_same_four_taps_where_the_active_player_is_done_last(phones: Phones) -> None:
    phones.stand.start()
    anna = phones.sit(0)
    phones.stand.roll(ROLL)
    phones.stand.play(Done(1))
    expect(anna.locator(".sum")).to_be_visible()
    tap(anna, "Y8")
    tap(anna, "R7")
    anna.locator("#finish:not([data-held])").tap()
    expect(anna.locator("#headline")).to_have_text("Ben rolls")
    expect(cell(anna, "Y8")).to_have_attribute("data-state", "crossed")


def test_a_choice_in_advance_that_somebody_elses_cross_took_away_is_asked_again(phones: Phones) -> None:
    phones.stand.start()
    phones.stand.play(sheet(1, "R2 R3 R4 R5 R6"))
    anna, ben = phones.sit(0), phones.sit(1)
    phones.stand.roll("W6 W6 R2 Y5 G6 B1")
    expect(anna.locator(".sum")).to_be_visible()
    expect(ben.locator(".sum")).to_be_visible()
    tap(anna, "R8")
    tap(ben, "R12")
    for phone in (anna, ben):
        phone.locator("#finish:not([data-held])").tap()
    expect(anna.locator("#headline")).to_have_text("White + colour")
    expect(anna.locator("#finish")).to_have_text("Take −5")


def test_the_sheet_shows_where_a_landing_would_cross_before_it_is_chosen(phones: Phones) -> None:
    on_board(phones)
    anna = phones.sit(0, (320, 568))
    to_action_3(phones)
    expect(anna.locator('.cell[data-legal="3"]')).to_have_count(4)  # of five landings one is crossed already
    game = phones.table.snapshot.game
    assert game is not None
    side = game.setup.board
    assert side is not None
    landing = game.landings()[0]
    name = str(side.cell(landing))
    there = cell(anna, name)
    expect(there).to_have_attribute("data-legal", "3")
    faint = there.evaluate("(node) => getComputedStyle(node, '::after').display")
    assert faint == "block"
    check(anna, "landings on the sheet")
    there.tap()
    expect(there).to_have_attribute("data-chosen", "3")
    expect(anna.locator('.landing[aria-pressed="true"]')).to_have_count(1)
    expect(anna.locator("#finish")).to_have_text("Done")
    there.tap()
    expect(there).not_to_have_attribute("data-chosen", "3")
    expect(anna.locator("#finish")).to_have_text("Take −5")
    anna.locator(".landing").first.tap()
    expect(there).to_have_attribute("data-chosen", "3")
    anna.locator("#finish:not([data-held])").tap()
    moved = phones.wait(lambda now: bool(now.game and now.game.pieces[0] == landing))
    assert moved.game is not None
    assert side.cell(landing) in moved.game.sheets[0].cells


def test_a_number_where_no_landing_is_says_so(phones: Phones) -> None:
    on_board(phones)
    anna = phones.sit(0)
    to_action_3(phones)
    expect(anna.locator(".landing").first).to_be_visible()
    tap(anna, "Y12")
    expect(anna.locator("#toast")).to_have_text("Your piece cannot land on the yellow 12 now.")
    tap(anna, "G10")
    expect(anna.locator("#toast")).to_have_text("The green 10 is crossed already.")
