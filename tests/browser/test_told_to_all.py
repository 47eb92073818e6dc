"""What everybody at the table is told: whose turn it is, a press too early, the way in, the series."""

import re

import pytest
from playwright.sync_api import Locator, expect

from companion.game import Done, Setup, SheetCorrected
from companion.rules import Sheet
from companion.table.snapshot import GameStarted
from tests.browser.conftest import ROLL, Phones
from tests.browser.sound import at_each, check
from tests.web_table import CODE, NAMES

DISPLAYS = [(1280, 720), (1920, 1080), (1024, 768)]
COLOURS = """() => {
    const ground = (node) => getComputedStyle(node).backgroundColor;
    const band = document.querySelector(".turn");
    const cards = [...document.querySelectorAll(".player")];
    return [ground(band), getComputedStyle(band).color, ...cards.map(ground)];
}"""
BAND = """() => {
    const band = document.querySelector(".turn");
    const name = getComputedStyle(band.querySelector("h1"));
    return [band.getBoundingClientRect().width, parseFloat(name.fontSize)];
}"""


# --- whose turn, from the door --------------------------------------------------------------------------


def luminance(colour: str) -> float:
    parts = [int(each) / 255 for each in re.findall(r"\d+", colour)[:3]]
    red, green, blue = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("seat", range(5))
def test_the_active_player_is_seen_from_the_door(seat: int, phones: Phones) -> None:
    """A band as wide as the screen and a card in the player's colour; the name a twelfth of its height."""
    phones.stand.start(5, first=seat)
    table = phones.page("/table", DISPLAYS[0])
    expect(table.locator(".turn h1")).to_have_text(f"{NAMES[seat]} rolls")
    for width, height in at_each(table, DISPLAYS):
        band, name = table.evaluate(BAND)
        assert band >= width
        assert name >= min(width * 9 / 16, height) / 12
    ground, ink, *cards = table.evaluate(COLOURS)
    assert (luminance(ground) + 0.05) / (luminance(ink) + 0.05) >= 7
    assert cards[seat] == ground
    assert cards.count(ground) == 1
    check(table, "the band")


def test_while_the_lot_is_drawn_nobody_is_on_turn(phones: Phones) -> None:
    phones.stand.seat(3)
    anna, table = phones.sit(0), phones.page("/table", DISPLAYS[0])
    anna.locator(".start-form button.main").tap()
    expect(table.locator(".lot")).to_be_visible()
    expect(table.locator("[data-mark]")).to_have_count(0)


# --- a press too early ----------------------------------------------------------------------------------


def test_a_press_too_early_is_answered_on_phones_and_display(phones: Phones) -> None:
    phones.stand.start(3)
    phones.stand.roll(ROLL)
    phones.stand.play(Done(1))
    anna, ben, table = phones.sit(0), phones.sit(1), phones.page("/table", DISPLAYS[0])
    for page in (anna, ben, table):
        expect(page.locator("body")).to_have_attribute("data-link", "live")
    phones.stand.table.press_too_early()
    for page in (anna, ben):
        expect(page.locator("#toast")).to_have_text("Anna and Cem still decide.")
    expect(table.locator("#answer")).to_have_text("Anna and Cem still decide.")
    check(table, "the answer")
    phones.stand.play(Done(2))
    phones.stand.table.press_too_early()
    expect(anna.locator("#toast")).to_have_text("All wait for you.")
    expect(ben.locator("#toast")).to_have_text("Anna still decides.")
    expect(table.locator("#answer")).to_have_text("Anna still decides.")


def test_the_answer_goes_by_itself_and_a_new_page_does_not_repeat_it(phones: Phones) -> None:
    phones.stand.start(3)
    phones.stand.roll(ROLL)
    table = phones.page("", DISPLAYS[0])
    table.clock.install()
    table.goto(f"{phones.address}/table")
    expect(table.locator("body")).to_have_attribute("data-link", "live")
    phones.stand.table.press_too_early()
    expect(table.locator("#answer")).to_be_visible()
    table.clock.run_for(7000)
    expect(table.locator("#answer")).to_be_hidden()
    table.reload()
    expect(table.locator("body")).to_have_attribute("data-link", "live")
    expect(table.locator("#answer")).to_be_hidden()


# --- the way in -----------------------------------------------------------------------------------------


def code_in(where: Locator) -> None:
    expect(where.locator(".invite-code")).to_contain_text(CODE)
    where.get_by_text("Invite others").tap()
    expect(where.locator(".qr")).to_be_visible()


def test_the_code_is_on_the_phone_in_the_lobby_in_its_menu_and_in_a_game(phones: Phones) -> None:
    phones.stand.seat(2)
    anna = phones.sit(0, (320, 454))
    code_in(anna.locator("#lobby"))
    anna.locator("#menu").tap()
    code_in(anna.locator("dialog"))
    check(anna, "menu with the code")
    anna.keyboard.press("Escape")
    phones.stand.play(GameStarted(Setup(NAMES[:2])))
    expect(anna.locator("#headline")).to_have_text("Your roll")
    anna.locator("#menu").tap()
    code_in(anna.locator("dialog"))


# --- a series -------------------------------------------------------------------------------------------


def a_game_of_two(phones: Phones, number: int) -> None:
    phones.stand.play(GameStarted(Setup(NAMES[:3], first=number % 3), 2, number))


def end(phones: Phones, sheet: str) -> None:
    phones.stand.play(SheetCorrected(0, 0, Sheet.parse(sheet)))


def test_the_display_tells_the_game_of_the_series_and_how_it_stands(phones: Phones) -> None:
    phones.stand.seat(3)
    a_game_of_two(phones, 1)
    table = phones.page("/table", DISPLAYS[0])
    expect(table.locator(".round")).to_have_text("Series, game 1 of 2")
    expect(table.locator(".standing")).to_have_count(0)  # nothing stands yet
    end(phones, "R2 R3 R4 R5 R6 R12 Y2 Y3 Y4 Y5 Y6 Y12")
    expect(table.locator(".standings li")).to_have_text(["1. Anna 56", "2. Ben 0", "2. Cem 0"])
    a_game_of_two(phones, 2)
    expect(table.locator(".round")).to_have_text("Series, game 2 of 2")
    expect(table.locator(".standing")).to_have_text(["Series: 56 (1.)", "Series: 0 (2.)", "Series: 0 (2.)"])
    check(table, "a series")
    end(phones, "R2 M4")
    expect(table.locator(".standings li").first).to_have_text("1. Anna 37")
    expect(table.locator(".round")).to_have_text("Series, game 2 of 2")


def test_a_single_game_tells_of_no_series(phones: Phones) -> None:
    phones.stand.start()
    table = phones.page("/table", DISPLAYS[0])
    expect(table.locator(".turn h1")).to_have_text("Anna rolls")
    expect(table.locator(".round, .standing")).to_have_count(0)
