"""A damaged journal in a real browser: the choice is sound, asks first, and leads on to the table."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.host import Options
from companion.host.rescue import Front, JournalRescue, rescue_app
from companion.settings.config import Config
from tests.browser.conftest import Pages
from tests.browser.sound import check, in_each_look
from tests.test_rescue import damaged, rescue_of
from tests.web_table import stand
from web.serving.server import Server


class Rescued(Pages):
    """Pages of a companion in distress."""

    rescue: JournalRescue
    front: Front
    folder: Path


@pytest.fixture
def pages(browser: Browser, tmp_path: Path) -> Iterator[Rescued]:
    folder = tmp_path / "state"
    folder.mkdir()
    damaged(folder)
    rescue = rescue_of(folder)
    front = Front(rescue_app(rescue, Config(), Options(folder, port=8000)))
    with Server(front) as server:
        found = Rescued(server.port, browser, stand(tmp_path / "other").table)
        found.rescue, found.front, found.folder = rescue, front, folder
        try:
            yield found
        finally:
            found.close()
    assert found.faults == []


def sound(page: Page, where: str) -> None:
    check(page, where)
    width = page.viewport_size["width"] if page.viewport_size else 0
    assert page.evaluate("() => document.scrollingElement.scrollWidth") <= width


@in_each_look()
def test_the_choice_is_sound_and_asks_before_it_restores(scheme: str, locale: str, pages: Rescued) -> None:
    page = pages.page("/", (320, 568), color_scheme=scheme, locale=locale, java_script_enabled=True)
    sound(page, "choice")
    page.locator(".door.first").click()
    sound(page, "asked")
    page.locator("a.button").last.click()  # no, choose again
    expect(page.locator(".doors li")).to_have_count(2)
    assert not pages.rescue.is_done


def test_after_the_choice_the_table_opens_by_itself(pages: Rescued) -> None:
    page = pages.page("/table", (412, 839))
    page.locator(".door.first").click()
    page.locator("button.main").click()
    expect(page.get_by_role("status")).to_have_text("The table opens in a moment.")
    assert pages.rescue.is_done
    pages.front.app = stand(pages.folder).app  # as `boxlid run` does now
    expect(page.locator(".door.first")).to_contain_text("Join in")
