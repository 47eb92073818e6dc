"""The screen stays on where the browser lets a page ask for it; where not, the phone says so once."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Phones
from tests.web_table import TOKENS
from web.access.identity import PHONE_COOKIE

DARK = "This screen may go dark while you wait"
# What the page asked the browser for; the browser of the tests has no screen to keep on.
FAKE = """() => {
    window.asked = [];
    navigator.wakeLock.request = async (kind) => {
        window.asked.push(kind);
        const lock = new EventTarget();
        lock.release = () => { window.asked.push("released"); lock.dispatchEvent(new Event("release")); };
        return lock;
    };
}"""


def asked(page: Page) -> list[str]:
    found: list[str] = page.evaluate("() => window.asked")
    return found


def test_while_a_game_is_played_the_screen_is_kept_on(phones: Phones) -> None:
    phones.stand.seat(2)
    anna = phones.page("", (412, 839))
    anna.add_init_script(f"({FAKE})()")
    anna.context.add_cookies([{"name": PHONE_COOKIE, "value": TOKENS[0], "url": phones.address}])
    anna.goto(f"{phones.address}/phone")
    expect(anna.locator(".start-form")).to_be_visible()
    assert asked(anna) == []
    anna.click(".start-form button.main")
    expect(anna.locator("#sheet .cell")).to_have_count(44)
    anna.wait_for_function("() => window.asked.length === 1")
    anna.click("#menu")
    anna.get_by_role("button", name="End the game now").click()
    anna.get_by_role("button", name="End the game", exact=True).click()
    anna.wait_for_function("() => window.asked.includes('released')")
    assert asked(anna) == ["screen", "released"]
    expect(anna.locator("body")).not_to_contain_text(DARK)


def test_over_plain_http_the_phone_says_once_that_it_may_go_dark(phones: Phones) -> None:
    phones.stand.start()
    anna = phones.page("", (412, 839))
    address = f"http://boxlid.local:{phones.port}"
    anna.context.add_cookies([{"name": PHONE_COOKIE, "value": TOKENS[0], "url": address}])
    anna.goto(f"{address}/phone")
    assert anna.evaluate("() => 'wakeLock' in navigator") is False
    expect(anna.locator("#toast")).to_contain_text(DARK)
    anna.reload()
    expect(anna.locator("#sheet .cell")).to_have_count(44)
    expect(anna.locator("#headline")).not_to_be_empty()
    expect(anna.locator("#toast")).not_to_contain_text(DARK)


@pytest.mark.parametrize(("size", "there"), [((1280, 800), True), ((412, 839), False)])
def test_the_start_page_has_the_code_for_phones_on_a_laptop_only(
    size: tuple[int, int], there: bool, phones: Phones
) -> None:
    page = phones.page("/", size)
    expect(page.get_by_role("heading", name="Qwixx with real dice")).to_be_visible()
    picture = page.locator(".hero img")
    expect(picture).to_be_visible()
    page.wait_for_function("() => document.querySelector('.hero img')?.naturalWidth > 0")
    assert page.locator(".scan").is_visible() is there
    if there:
        page.wait_for_function("() => document.querySelector('.scan img')?.naturalWidth > 0")
