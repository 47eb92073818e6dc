"""The page of the set-up, for tests that lead it by the hand: what is pressed, and what the host hears."""

from playwright.sync_api import Locator, Page

from tests.browser.conftest import Setting

SMALLEST = 44  # pixels that a finger hits


def main_button(page: Page) -> Locator:
    return page.locator("#step button.main")


def wait_for_wish(page: Page, setting: Setting, number: int) -> None:
    """Until the host has heard so many wishes."""
    for _ in range(600):
        if len(setting.fake.wishes) >= number:
            return
        page.wait_for_timeout(20)
    raise AssertionError(f"{number} wishes wanted, got {setting.fake.wishes}")
