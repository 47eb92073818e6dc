"""The demo in a browser: to its end at high speed, on a laptop and on a phone, readable by all."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.host import Host, Options
from companion.settings.config import Config
from tests.browser.conftest import Pages
from tests.browser.sound import check
from web.serving.server import Server

LAPTOP, PHONE, SIDEWAYS, SMALL = (1280, 800), (412, 839), (839, 412), (320, 568)
WHOLE_SHOW = 300_000
AT_ONCE, BRISK = 1000.0, 4.0


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    with Host(Config(), Options(tmp_path / "state", simulate=True)) as running:
        assert running.demo is not None
        running.demo.factor = AT_ONCE
        yield running


@pytest.fixture
def at(browser: Browser, host: Host) -> Iterator[Pages]:
    with Server(host.app) as server:
        made = Pages(server.port, browser, host.table)
        yield made
        made.close()
        assert made.faults == []


def too_wide(page: Page) -> list[str]:
    """What stands out to the right."""
    script = """() => [...document.querySelectorAll("body *")]
        .filter((node) => node.getBoundingClientRect().right > innerWidth + 1)
        .map((node) => `${node.tagName} ${node.id} ${node.className}: ${node.textContent.slice(0, 40)}`)"""
    return list(page.evaluate(script))


@pytest.mark.slow
def test_a_visitor_sees_the_show_to_its_end_and_is_asked_to_play(at: Pages, host: Host) -> None:
    assert host.demo is not None
    host.demo.factor = BRISK  # slow enough to see the legal crosses
    laptop = at.page("/", LAPTOP)
    laptop.get_by_role("link", name="Show me").click()
    check(laptop)
    laptop.get_by_role("button", name="Start the show").click()
    expect(laptop.locator("#sheet .cell")).to_have_count(44)
    laptop.get_by_role("button", name="Pause").click()
    expect(laptop.get_by_role("button", name="Go on")).to_be_visible()
    others = [
        at.page("/demo", size, color_scheme="dark", locale="de-DE") for size in (PHONE, SIDEWAYS, SMALL)
    ]
    for page in (laptop, *others):
        expect(page.locator("#sheet .cell")).to_have_count(44)
        check(page)
        assert too_wide(page) == []
    laptop.get_by_role("button", name="Go on").click()
    expect(laptop.locator(".demo-die").first).to_be_visible()
    expect(laptop.locator("#lid")).to_have_js_property("complete", value=True)
    expect(laptop.locator("#sheet [data-legal]").first).to_be_visible()
    laptop.get_by_role("button", name="Faster").click()
    expect(laptop.locator("#after")).to_be_visible(timeout=WHOLE_SHOW)
    expect(laptop.locator("#caption")).to_contain_text("win")
    for page in (laptop, *others):
        expect(page.locator("#reckoning .total td")).to_have_count(3)
        check(page)
        assert too_wide(page) == []
    closed = laptop.locator("#sheet .row.closed")
    expect(closed.first).to_be_visible()
    for row in closed.all():
        colour = row.get_attribute("data-lock")
        expect(laptop.locator("#lamps li", has_text=f"{colour}: lit")).to_be_visible()
    laptop.get_by_role("link", name="Play for real").click()
    expect(laptop.locator("#name")).to_be_visible()
    assert at.table.snapshot.seats == ()
    assert at.table.snapshot.game is None


@pytest.mark.slow
def test_the_show_goes_on_beside_a_table_where_somebody_sits(at: Pages, host: Host) -> None:
    dora = at.page(f"/join?code={host.code}")
    dora.fill("#name", "Dora")
    dora.click("button.main")
    dora.wait_for_url("**/phone")
    viewer = at.page("/demo", PHONE)
    viewer.get_by_role("button", name="Start the show").click()
    expect(viewer.locator("#sheet .cell")).to_have_count(44)
    dora.click(".start-form button.main")
    expect(dora.locator("#headline")).to_have_text("Your roll")
    expect(viewer.locator("#after")).to_be_visible(timeout=WHOLE_SHOW)
    expect(viewer.locator("#reckoning .total td")).to_have_count(3)
    expect(dora.locator("#headline")).to_have_text("Your roll")


@pytest.mark.parametrize(("locale", "title"), [("en-GB", "Show me"), ("de-DE", "Zeig es mir")])
def test_the_start_page_is_whole_at_every_size(at: Pages, locale: str, title: str) -> None:
    for size, scheme in ((LAPTOP, "light"), (PHONE, "dark"), (SMALL, "light")):
        page = at.page("/", size, locale=locale, color_scheme=scheme)
        expect(page.get_by_role("link", name=title)).to_be_visible()
        check(page)
        assert too_wide(page) == []


def test_start_page_and_show_work_without_scripts(at: Pages) -> None:
    visitor = at.page("/", PHONE, java_script_enabled=False)
    visitor.get_by_role("link", name="Show me").click()
    visitor.get_by_role("button", name="Start the show").click()
    expect(visitor.locator("#caption")).not_to_be_empty()
    expect(visitor.locator("#controls")).to_be_hidden()
    expect(visitor.locator("#caption")).to_contain_text("The camera waits")
