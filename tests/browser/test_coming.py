"""Phones that come late, and seats without one, as pages show them."""

from playwright.sync_api import Page, expect

from companion.table.seats import SeatHeld
from tests.browser.conftest import ROLL, Phones
from tests.games import event
from web.access.phones_away import AWAY_SECONDS


def test_a_phone_that_comes_late_watches_and_plays_in_the_next_game(phones: Phones) -> None:
    phones.stand.start(2)
    zoe = phones.join("Zoe")
    expect(zoe.locator("#hint")).to_have_text("You watch, and play in the next game that has room")
    expect(zoe.locator(".watch .player")).to_have_count(2)
    phones.stand.roll(ROLL)
    expect(zoe.locator(".watch .thrown .face")).to_have_count(6)
    phones.stand.play(event("0 stops"))
    anna = phones.sit(0)
    anna.click(".end-buttons button.main:not([data-held])")
    expect(zoe.locator("#sheet .cell").first).to_be_visible()
    expect(zoe.locator(".watch")).to_have_count(0)


def test_a_seat_without_a_phone_is_marked_and_asked_about_before_the_start(phones: Phones) -> None:
    phones.stand.seat(3)
    phones.stand.play(SeatHeld(1, None))
    anna, display = phones.sit(0), phones.page("/table", (1280, 720))
    expect(anna.locator(".seats li", has_text="Ben")).to_contain_text("no phone")
    expect(display.locator("#seats li", has_text="Ben")).to_contain_text("no phone")
    anna.click(".start-form button.main")
    anna.click("dialog:not([data-held]) button:has-text('Without Ben')")
    snapshot = phones.wait(lambda snapshot: snapshot.game is not None)
    assert snapshot.game is not None
    assert snapshot.game.setup.players == ("Anna", "Cem")


def test_a_phone_that_is_gone_is_marked_everywhere_asked_about_and_back_at_once(phones: Phones) -> None:
    phones.stand.seat(3)
    anna, ben, display = phones.sit(0), phones.sit(1), phones.page("/table", (1280, 720))
    expect(ben.locator(".seats li", has_text="Ben")).to_contain_text("you")
    gone(phones, ben, seat=1)
    expect(anna.locator(".seats li", has_text="Ben")).to_contain_text("phone away")
    expect(display.locator("#seats li", has_text="Ben")).to_have_text("Ben (phone away)")
    anna.click(".start-form button.main")
    expect(anna.locator("dialog")).to_contain_text("Not here just now: Ben.")
    anna.keyboard.press("Escape")
    phones.sit(1)
    expect(anna.locator(".seats li", has_text="Ben")).not_to_contain_text("phone away")
    expect(display.locator("#seats li", has_text="Ben")).to_have_text("Ben")
    anna.click(".start-form button.main")
    snapshot = phones.wait(lambda snapshot: snapshot.game is not None)
    assert snapshot.game is not None
    assert snapshot.game.players == 3


def test_who_decides_and_has_gone_with_the_phone_is_let_sit_out_by_one_tap(phones: Phones) -> None:
    phones.stand.start(3)
    anna, ben, display = phones.sit(0), phones.sit(1), phones.page("/table", (1280, 720))
    phones.stand.roll(ROLL)
    expect(ben.locator("#sheet .cell").first).to_be_visible()
    gone(phones, ben, seat=1)
    card = display.locator(".player", has_text="Ben").locator(".thinks")
    expect(card).to_have_text("phone away")
    expect(anna.locator("#others .mark.away")).to_have_count(1)
    anna.click("#others")
    expect(anna.locator("dialog .player", has_text="Ben")).to_contain_text("phone away")
    anna.keyboard.press("Escape")
    anna.click(".banner:has-text('Ben’s phone is away.') button:has-text('Ben sits out')")
    expect(card).to_have_text("sits out")
    expect(anna.locator(".banner", has_text="phone is away")).to_have_count(0)


def gone(phones: Phones, page: Page, seat: int) -> None:
    """That phone is switched off, and a minute passes once its stream has ended."""
    holder = phones.table.snapshot.seats[seat].holder
    page.context.close()
    streams = phones.stand.app.extensions["desk"].streams
    phones.pages.remove(page)
    phones.wait(lambda _: holder not in streams.phones)
    phones.stand.clock.now += AWAY_SECONDS
