"""What people do with their phones on an evening, through pages alone. Knows no table and no server."""

from collections.abc import Iterable

from playwright.sync_api import Locator, Page, expect

from companion.rules import Roll
from companion.rules.cells import colour_of
from tests.browser.conftest import Screens
from tests.browser.sheet_page import cell, tap

READ = "#dice:not([data-old]) .sum"
# The camera has read the dice, asks for one of them, or gave up.
ANSWERED = f"""() => document.querySelector("{READ}") || document.querySelector("#dice .die.doubtful")
    || /needs a hand|Look at the lid/.test(document.querySelector("#headline")?.textContent)"""


def fill_in(phone: Page, name: str, code: str) -> None:
    """The form of who comes: name and code typed, small letters as fingers do."""
    phone.fill("#name", name)
    phone.fill("#code", "")
    phone.locator("#code").press_sequentially(code.lower())
    phone.click("button.main")


def sit_down(at: Screens, name: str, code: str, size: tuple[int, int]) -> Page:
    """A phone whose owner types name and code."""
    phone = at.page("/join", size)
    sit_down_here(phone, name, code)
    return phone


def sit_down_here(phone: Page, name: str, code: str) -> None:
    fill_in(phone, name, code)
    phone.wait_for_url("**/phone")
    expect(phone.locator("body")).to_have_attribute("data-link", "live")


def menu(phone: Page, part: str) -> Locator:
    """A part of the menu, unfolded."""
    phone.click("#menu")
    phone.click(f"dialog summary:has-text('{part}')")
    return phone.locator("dialog")


def say_yes(phone: Page) -> None:
    phone.click("dialog.question:not([data-held]) button.danger")


def finish(phone: Page, says: str) -> None:
    """The big button, once it says that."""
    expect(phone.locator("#finish")).to_have_text(says)
    phone.click("#finish:not([data-held])")


def cross(phone: Page, name: str, action: int = 1) -> None:
    """A cross that the companion has taken; the sheet shows it while the wish is still on its way."""
    with phone.expect_response(lambda answer: answer.url.endswith("/api/wishes") and answer.ok):
        tap(phone, name)
    expect(cell(phone, name)).to_have_attribute("data-chosen", str(action))


def correct(phone: Page, owner: str, *, crosses: Iterable[str] = (), misthrows: int = 0) -> None:
    """Put crosses and misthrows on somebody's sheet that are missing there."""
    menu(phone, "Put something right").get_by_role("button", name=f"Correct a sheet: {owner}").click()
    for name in crosses:
        row = phone.locator(f"dialog .mini.{colour_of(name[0])}")
        row.locator(".fix-cell").get_by_text(name[1:], exact=True).click()
    for _ in range(misthrows):
        phone.locator("dialog").get_by_role("button", name="+1").click()
    phone.locator("dialog").get_by_role("button", name="Save").click()
    expect(phone.locator(".banner", has_text=f"corrected the sheet of {owner}")).to_be_visible()


def roll_into_the_lid(active: Page) -> None:
    """Roll and press; the camera reads the dice, or somebody tells what it could not read."""
    finish(active, "I rolled")
    active.wait_for_function(ANSWERED)
    if not active.locator(READ).count():
        active.locator("#dice .die.doubtful, #dice .roll-way").first.tap()
        while active.locator(".slots .face:not(:has(.pip))").count():
            active.locator(".key").first.tap()
        active.locator(".dialog-foot button").tap()
    expect(active.locator(READ)).to_be_visible()


def enter(active: Page, dice: str) -> None:
    """The whole roll by hand, die after die in the order of the pad."""
    roll = Roll.parse(dice)
    active.get_by_role("button", name="Enter by hand").tap()
    for pips in (*roll.white, *(each for _, each in roll.coloured)):
        active.locator(".key").nth(pips - 1).tap()
    active.get_by_role("button", name="These are the dice").tap()
    expect(active.locator(READ)).to_be_visible()


def decide(phone: Page) -> None:
    """Cross the first number that may be crossed in action 1, if there is one, and say so."""
    expect(phone.locator(READ)).to_be_visible()
    if phone.locator("#finish").get_attribute("data-look") == "idle":
        return  # nothing fits: passed by itself
    legal = phone.locator('.cell[data-legal*="1"]')
    if legal.count() and not phone.locator('.cell[data-chosen="1"]').count():
        legal.first.tap()
        expect(phone.locator("#finish")).to_have_text("Done")
    phone.click("#finish:not([data-held])")
