"""The page of the set-up, for tests that lead it by the hand: what is pressed, and what the host hears."""

import time

from playwright.sync_api import Locator, Page

from tests.browser.conftest import Setting
from tests.waiting import PATIENCE

SMALLEST = 44  # pixels that a finger hits


def main_button(page: Page) -> Locator:
    return page.locator("#step button.main")


def wait_for_wish(page: Page, setting: Setting, number: int) -> None:
    """Until the host has heard so many wishes."""
    ends = time.monotonic() + PATIENCE
    while time.monotonic() < ends:
        if len(setting.fake.wishes) >= number:
            return
        page.wait_for_timeout(20)  # lets the browser's messages through
    raise AssertionError(f"{number} wishes wanted, got {setting.fake.wishes}")
