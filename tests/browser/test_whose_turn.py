"""Whose turn it is: the phone of who has to act says so, and goes from hand to hand."""

import pytest
from playwright.sync_api import Page, expect

from companion.game import Done, Setup, TookBack
from companion.table.seats import SeatHeld
from companion.table.snapshot import GameStarted
from tests.browser.conftest import ROLL, Phones
from tests.browser.sheet_page import cell, tap
from tests.browser.sound import Size, at_each, boxes, check, in_each_look
from tests.browser.test_look import SIZES, SMALLEST
from tests.web_table import NAMES, TOKENS
from web.access.identity import hash_of

LISTEN = """
    window.tones = 0;
    window.buzzes = [];
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...when) {
        window.tones += 1;
        return start.apply(this, when);
    };
    navigator.vibrate = (length) => { window.buzzes.push(length); return true; };
"""
HEADER = """(node) => {
    const style = getComputedStyle(node);
    const size = getComputedStyle(node.querySelector("h1")).fontSize;
    return [style.backgroundColor, style.borderRadius, parseFloat(size)];
}"""


def of_one_phone(phones: Phones, *seats: int, players: int) -> None:
    """The phone of the first of these seats holds the others too."""
    phones.stand.start(players)
    for seat in seats[1:]:
        phones.stand.play(SeatHeld(seat, hash_of(TOKENS[seats[0]])))


# --- eyes -----------------------------------------------------------------------------------------------


def test_the_header_changes_ground_shape_and_size_for_who_has_to_act(phones: Phones) -> None:
    phones.stand.start()
    anna, ben = phones.sit(0), phones.sit(1)
    expect(anna.locator("#headline")).to_have_text("Your roll")
    expect(ben.locator("#headline")).to_have_text("Anna rolls")
    acting, waiting = (phone.locator(".top").evaluate(HEADER) for phone in (anna, ben))
    assert acting[0] != waiting[0]
    assert acting[1] != waiting[1]
    assert acting[2] >= 1.15 * waiting[2]
    phones.stand.roll(ROLL)
    expect(ben.locator("#screen")).to_have_attribute("data-acts", "true")  # a passive player decides too
    ben.locator("#finish:not([data-held])").tap()
    expect(ben.locator("#screen")).not_to_have_attribute("data-acts", "true")
    tap(ben, "R7")  # changed one's mind: to be said Done again
    expect(ben.locator("#screen")).to_have_attribute("data-acts", "true")


def test_the_name_of_the_page_says_who_has_to_act(phones: Phones) -> None:
    phones.stand.seat(2)
    lobby = phones.sit(0)
    expect(lobby).to_have_title("Who plays? · Boxlid")
    phones.stand.play(GameStarted(Setup(NAMES[:2])))
    anna, ben = phones.sit(0), phones.sit(1)
    expect(anna).to_have_title("● Your turn · Boxlid")
    expect(ben).to_have_title("Anna rolls · Boxlid")
    phones.stand.roll(ROLL)
    expect(ben).to_have_title("● Cross or pass · Boxlid")
    ben.locator("#finish:not([data-held])").tap()
    expect(ben).to_have_title("White 3 + 4 = 7 · Boxlid")


def test_who_is_not_on_turn_is_told_whose_turn_it_is(phones: Phones) -> None:
    phones.stand.start(3)
    ben, cem = phones.sit(1), phones.sit(2)
    expect(ben.locator("#headline")).to_have_text("Anna rolls")
    phones.stand.roll(ROLL)
    expect(ben.locator("#hint")).to_contain_text("Anna’s turn · ")
    ben.locator("#finish:not([data-held])").tap()
    expect(ben.locator("#hint")).to_have_text("Anna’s turn · Waiting for Anna and Cem · you may change")
    cem.locator("#finish:not([data-held])").tap()
    phones.stand.play(Done(0))
    expect(cem.locator("#headline")).to_have_text("Anna: white + colour")


@in_each_look()
def test_the_larger_header_leaves_room_for_the_sheet(scheme: str, locale: str, phones: Phones) -> None:
    of_one_phone(phones, 0, 1, 2, players=3)
    phones.stand.roll(ROLL)
    anna = phones.sit(0, SIZES[0], color_scheme=scheme, locale=locale)
    expect(anna.locator("#screen")).to_have_attribute("data-acts", "true")
    for width, height in at_each(anna, SIZES):
        assert anna.evaluate("() => document.scrollingElement.scrollHeight") <= height, (width, height)
        assert anna.evaluate("() => document.scrollingElement.scrollWidth") <= width, (width, height)
        for box in boxes(anna, ".cell"):
            assert min(box["width"], box["height"]) >= SMALLEST, (width, height, box)
    check(anna, "whose turn")


# --- ears and fingers -----------------------------------------------------------------------------------


def heard(page: Page) -> tuple[int, int]:
    """Tones and the buzzes that call; a cross has a shorter one of its own."""
    tones, buzzes = page.evaluate("() => [window.tones, window.buzzes.filter((each) => each > 8).length]")
    return int(tones), int(buzzes)


def listening(phones: Phones, seat: int) -> Page:
    page = phones.sit(seat)
    page.context.add_init_script(LISTEN)
    page.reload()
    return page


def tapped_once(page: Page) -> None:
    """Somebody touched the page, so that it may sound."""
    with page.expect_response("**/tone.js"):
        page.locator("#headline").tap()


def test_a_tone_and_a_buzz_call_who_has_to_act_and_nobody_else(phones: Phones) -> None:
    phones.stand.start()
    anna, ben = listening(phones, 0), listening(phones, 1)
    for page in (anna, ben):
        expect(page.locator("body")).to_have_attribute("data-link", "live")
        tapped_once(page)
    phones.stand.roll(ROLL)
    ben.wait_for_function("() => window.tones === 1")
    assert heard(ben) == (1, 1)
    assert heard(anna) == (0, 0)  # her turn goes on
    phones.stand.play(Done(1))
    phones.stand.play(Done(0))
    expect(anna.locator("#headline")).to_have_text("White + colour")
    phones.stand.play(Done(0))
    ben.wait_for_function("() => window.tones === 2")
    expect(anna.locator("#headline")).to_have_text("Ben rolls")
    assert heard(anna) == (0, 0)


def test_before_the_first_tap_the_page_is_silent(phones: Phones) -> None:
    phones.stand.start()
    ben = listening(phones, 1)
    phones.stand.roll(ROLL)
    expect(ben.locator("#screen")).to_have_attribute("data-acts", "true")
    assert heard(ben) == (0, 0)


def test_the_tone_is_switched_off_in_the_menu_and_stays_off(phones: Phones) -> None:
    phones.stand.start()
    ben = listening(phones, 1)
    ben.locator("#menu").tap()
    switch = ben.get_by_role("button", name="Tone on your turn")
    expect(switch).to_have_attribute("aria-pressed", "true")
    switch.tap()
    expect(switch).to_have_attribute("aria-pressed", "false")
    ben.reload()
    expect(ben.locator("body")).to_have_attribute("data-link", "live")
    tapped_once(ben)
    phones.stand.roll(ROLL)
    expect(ben.locator("#screen")).to_have_attribute("data-acts", "true")
    assert heard(ben) == (0, 0)
    ben.locator("#menu").tap()
    switch.tap()  # on again, and heard at once
    expect(switch).to_have_attribute("aria-pressed", "true")
    ben.wait_for_function("() => window.buzzes.length === 1")


# --- one phone, several people --------------------------------------------------------------------------


def tab(page: Page) -> str:
    return page.locator('.tab[aria-selected="true"]').inner_text()


def test_the_phone_goes_to_the_other_one_by_itself(phones: Phones) -> None:
    of_one_phone(phones, 0, 1, players=3)
    phone = phones.sit(0)
    phones.stand.roll(ROLL)
    expect(phone.locator("#headline")).to_have_text("Anna, your turn")
    tap(phone, "R7")
    phone.locator("#finish:not([data-held])").tap()
    expect(phone.locator("#headline")).to_have_text("Ben, your turn")
    expect(phone.locator("#hint")).to_contain_text("Anna rolled · ")
    assert tab(phone) == "Ben"
    expect(cell(phone, "R7")).not_to_have_attribute("data-chosen", "1")
    tap(phone, "Y7")
    phone.locator("#finish:not([data-held])").tap()
    now = phones.wait(lambda now: bool(now.game and now.game.turn and now.game.turn.done == {0, 1}))
    assert now.game is not None
    assert now.game.turn is not None
    assert [str(choice) for choice in now.game.turn.choices[:2]] == ["R7", "Y7"]
    phones.stand.play(Done(2))
    expect(phone.locator("#headline")).to_have_text("Anna, your turn")  # action 2 is hers


def test_with_three_on_it_a_tap_hands_it_on(phones: Phones) -> None:
    of_one_phone(phones, 0, 1, 2, players=3)
    phone = phones.sit(0)
    phones.stand.roll(ROLL)
    button = phone.locator("#finish")
    expect(button).to_have_text("Pass")
    phone.locator("#finish:not([data-held])").tap()
    expect(button).to_have_text("Ben, your turn ›")
    assert tab(phone) == "Anna"
    phone.locator("#finish:not([data-held])").tap()
    expect(phone.locator("#headline")).to_have_text("Ben, your turn")
    phone.locator("#finish:not([data-held])").tap()
    expect(phone.locator("#headline")).to_have_text("Cem, your turn")  # the only one left
    assert tab(phone) == "Cem"


def test_who_looks_at_another_sheet_is_not_sent_back(phones: Phones) -> None:
    of_one_phone(phones, 0, 1, players=3)
    phone = phones.sit(0)
    phones.stand.roll(ROLL)
    expect(phone.locator(".dice .die")).to_have_count(6)
    phone.locator("#finish:not([data-held])").tap()  # a button that has just changed takes no tap
    expect(phone.locator("#headline")).to_have_text("Ben, your turn")
    phone.get_by_role("tab", name="Anna").tap()
    phones.stand.play(Done(2))
    phones.stand.play(TookBack(2))
    expect(phone.locator("#hint")).to_have_text("Waiting for Ben and Cem · you may change")
    assert tab(phone) == "Anna"
    expect(phone.locator("#finish")).to_have_text("Ben, your turn ›")


def test_the_phone_goes_to_who_rolls_next(phones: Phones) -> None:
    of_one_phone(phones, 0, 1, players=2)
    phone = phones.sit(0)
    phones.stand.roll(ROLL)
    for seat in (0, 1, 0):
        phones.stand.play(Done(seat))
    expect(phone.locator("#headline")).to_have_text("Ben, your turn")
    expect(phone.locator("#finish")).to_have_text("I rolled")


@pytest.mark.parametrize("size", [(320, 454), (412, 839)], ids=str)
def test_a_double_tap_on_done_is_not_taken_for_the_next_ones(size: Size, phones: Phones) -> None:
    of_one_phone(phones, 0, 1, players=3)
    phone = phones.sit(0, size)
    phones.stand.roll(ROLL)
    expect(phone.locator("#headline")).to_have_text("Anna, your turn")
    phone.evaluate(
        """() => {
            const button = document.querySelector("#finish");
            const again = new MutationObserver(() => button.click());
            again.observe(document.querySelector("#headline"), {childList: true, subtree: true});
        }"""
    )
    phone.locator("#finish:not([data-held])").tap()
    expect(phone.locator("#headline")).to_have_text("Ben, your turn")
    tap(phone, "R12")
    expect(phone.locator("#toast")).to_be_visible()
    game = phones.table.snapshot.game
    assert game is not None
    assert game.deciding == (1, 2)
