"""How a game ends on phones, in a real browser: locks, the reckoning, a rematch, a series, a tie."""

from playwright.sync_api import expect

from tests.browser.conftest import Phones
from tests.browser.sheet_page import cell, sheet


def test_a_lock_is_announced_while_others_can_still_answer(phones: Phones) -> None:
    phones.stand.start()
    phones.stand.play(sheet(0, "R2 R3 R4 R5 R6"))
    phones.stand.roll("W6 W6 R2 Y5 G6 B1")
    anna, ben = phones.sit(0), phones.sit(1)
    cell(anna, "R12").tap()
    expect(ben.locator(".banner.closing")).to_contain_text("Anna closes red! You may still close red too")
    expect(ben.locator("dialog")).to_have_count(0)  # a banner, not a modal
    cell(ben, "G12").tap()
    anna.click("#finish")
    ben.click("#finish")
    expect(ben.locator(".row.red")).to_have_class("row red closed")
    expect(ben.locator(".banner.closing")).to_have_text("Take the red die out of the lid.")
    expect(anna.locator(".row.red .lock")).to_have_attribute("aria-label", "lock, crossed")


def test_two_locks_end_it_with_the_reckoning_and_a_rematch(phones: Phones) -> None:
    phones.stand.start()
    phones.stand.play(sheet(0, "R2 R3 R4 R5 R6 R12 Y2 Y3 Y4 Y5 Y6"))
    phones.stand.roll("W6 W6 Y5 G6 B1")
    anna, ben = phones.sit(0), phones.sit(1)
    table = phones.page("/table", (1280, 720))
    cell(anna, "Y12").tap()
    for phone in (anna, ben):
        phone.click("#finish")
    expect(ben.locator("#headline")).to_have_text("Anna wins!")
    expect(ben.locator("#hint")).to_have_text("Two rows are locked.")
    cells = ben.locator(".reckoning .total td").all_text_contents()
    assert cells == ["56", "0"]
    expect(table.locator(".turn h1")).to_have_text("Anna wins!")
    ben.get_by_role("button", name="Play again").tap()
    expect(ben.locator("#headline")).to_have_text("Your roll")
    expect(anna.locator("#headline")).to_have_text("Ben rolls")


def test_a_series_shows_its_standings_and_goes_on(phones: Phones) -> None:
    phones.stand.seat(2)
    anna = phones.sit(0)
    anna.select_option("#start-first", "0")
    anna.get_by_text("How do you play?").click()
    anna.select_option("#start-games", "2")
    anna.click(".start-form button.main")
    expect(anna.locator("#headline")).to_have_text("Your roll")
    phones.stand.play(sheet(1, "R2 R3 R4 R5 R6 R12 Y2 Y3 Y4 Y5 Y6 Y12"))
    expect(anna.locator(".series caption")).to_have_text("Series, game 1 of 2")
    expect(anna.locator(".series tbody th").first).to_have_text("1. Ben")
    anna.get_by_role("button", name="Next game").tap()
    expect(anna.locator("#headline")).to_have_text("Ben rolls")


def test_hidden_scores_show_at_the_end_only(phones: Phones) -> None:
    phones.stand.seat(2)
    anna = phones.sit(0)
    anna.get_by_text("How do you play?").click()
    anna.get_by_label("Hide scores until the end").check()
    anna.click(".start-form button.main")
    phones.wait(lambda now: now.game is not None)
    phones.stand.play(sheet(1, "R2 R3 R4 R5 R6 R12"))
    expect(anna.locator("#score")).to_have_text("")
    anna.click("#others")
    expect(anna.locator(".player", has_text="Ben").locator(".player-score")).to_have_text("hidden")
    anna.keyboard.press("Escape")
    phones.stand.play(sheet(1, "R2 R3 R4 R5 R6 R12 Y2 Y3 Y4 Y5 Y6 Y12"))
    expect(anna.locator(".reckoning .total td").first).to_have_text("56")


def test_equal_points_share_the_victory(phones: Phones) -> None:
    phones.stand.start()
    anna = phones.sit(0)
    anna.click("#menu")
    anna.get_by_text("Put something right").click()
    stop = anna.get_by_role("button", name="End the game now")
    stop.click()
    anna.get_by_role("button", name="Really?").click()
    expect(anna.locator("#headline")).to_have_text("Anna and Ben win together!")
    assert anna.locator(".reckoning .place td").all_text_contents() == ["1.", "1."]
