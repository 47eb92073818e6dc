"""What the camera saw, in a real browser: reached quietly, sound, and a report only after asking."""

import pytest
from playwright.sync_api import expect

from companion.table.eyes import Eyes, EyesState, ShownDie
from tests.browser.conftest import ROLL, Phones
from tests.browser.sound import check, in_each_look
from tests.test_web_seen import FakeSeen


def with_camera() -> pytest.MarkDecorator:
    return pytest.mark.parametrize("phones", [{"seen": FakeSeen()}], indirect=True, ids=["camera"])


@with_camera()
def test_phone_and_table_lead_there_quietly(phones: Phones) -> None:
    phones.stand.start()
    phones.stand.roll(ROLL)
    read = [("white", 3), ("white", 4), ("red", 2), ("yellow", 5), ("green", 6), ("blue", 1)]  # as ROLL says
    dice = tuple(ShownDie(colour, pips, 90, doubtful=False, crop="white-1") for colour, pips in read)
    phones.stand.table.tell(Eyes(EyesState.READY, dice=dice))
    anna, table = phones.sit(0), phones.page("/table", (1280, 720))
    anna.click("#menu")
    anna.get_by_role("link", name="What did the camera see?").click()
    expect(anna.locator("h1")).to_have_text("What did the camera see?")
    anna.get_by_role("link", name="Back to the game").click()
    anna.locator(".die.red").tap()
    expect(anna.get_by_role("link", name="What did the camera see?")).to_be_visible()
    table.get_by_role("link", name="What did the camera see?").click()
    expect(table.locator(".read li")).to_have_count(2)


@with_camera()
def test_a_report_asks_first_and_no_saves_nothing(phones: Phones) -> None:
    seen = phones.stand.app.extensions["desk"].services.seen
    before = len(seen.kept)
    page = phones.page("/seen", (412, 839))
    page.get_by_role("link", name="Save for a report …").click()
    expect(page.locator(".holds li")).to_have_count(4)
    page.get_by_role("link", name="No, save nothing").click()
    expect(page.locator(".verdict")).to_have_text("Not read for sure")
    assert len(seen.kept) == before
    page.get_by_role("link", name="Save for a report …").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").click()
    assert download.value.suggested_filename == "boxlid-report.zip"
    assert len(seen.kept) == before
    page.get_by_role("button", name="Keep it on the companion").click()
    expect(page.get_by_role("status")).to_contain_text("reports/report-1.zip")
    assert len(seen.kept) == before + 1


@with_camera()
@in_each_look()
def test_the_pages_are_sound_and_fit(scheme: str, locale: str, phones: Phones) -> None:
    page = phones.page("/seen", (320, 568), color_scheme=scheme, locale=locale)
    assert page.evaluate("() => document.scrollingElement.scrollWidth") <= 320
    check(page)
    page.goto(f"{phones.address}/seen/7/report")
    assert page.evaluate("() => document.scrollingElement.scrollWidth") <= 320
    check(page)
