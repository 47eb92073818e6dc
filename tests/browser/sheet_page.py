"""The sheet on a phone's page, for tests that play on it."""

from datetime import UTC, datetime, timedelta

from playwright.sync_api import Locator, Page

from companion.game import SheetCorrected
from companion.rules import Sheet


def cell(page: Page, name: str) -> Locator:
    return page.locator(f'[data-cell="{name}"]')


def tap(page: Page, name: str) -> None:
    """A tap on a number that means it: one that has just changed its meaning takes none for a moment."""
    page.locator(f'[data-cell="{name}"]:not([data-held])').tap()


def sheet(seat: int, text: str) -> SheetCorrected:
    return SheetCorrected(0, seat, Sheet.parse(text))


def hold_the_clock(page: Page) -> None:
    """From now on no time passes on the page but what a test lets pass."""
    page.clock.install()
    page.clock.pause_at(datetime.now(UTC) + timedelta(seconds=2))
