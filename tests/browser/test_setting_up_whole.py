"""A simulated table set up in a real browser, from nothing to a calibrated reading."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.host import Host, Options
from companion.settings.config import Config
from companion.settings.state_folder import CALIBRATION
from tests.browser.conftest import Pages
from tests.browser.set_up_page import main_button
from tests.setting_up import HURRY, MOST_TRIES
from web.serving.server import Server


@pytest.mark.slow
def test_a_simulated_table_is_set_up_from_nothing_to_a_calibrated_reading(
    browser: Browser, tmp_path: Path
) -> None:
    with (
        Host(Config(), Options(tmp_path, simulate=True, seed=3, hurry=HURRY)) as host,
        Server(host.app) as server,
    ):
        at = Pages(server.port, browser, host.table)
        page = at.page("/setup", (412, 839))
        page.locator(".choice", has_text="English").tap()
        expect(page.locator(".sights")).to_contain_text("A lid or tray is seen.")
        main_button(page).tap()
        page.get_by_role("button", name="Find the edge").tap()
        expect(page.locator(".handle.corner")).to_have_count(4)
        page.get_by_role("button", name="That is right").tap()
        page.get_by_role("button", name="Take the picture").tap()
        page.get_by_role("button", name="Next step").tap()
        page.get_by_role("button", name="Learn the dice").tap()
        expect(page.locator(".tag")).to_have_count(6)
        page.get_by_role("button", name="Next step").tap()
        confirm_three_rolls(page)
        page.get_by_role("button", name="Next step").tap()
        known = host.looker.calibration
        assert known is not None
        assert (host.home / CALIBRATION).exists()
        page.reload()  # left and taken up again
        page.get_by_role("button", name="Light: Row red").tap()
        page.get_by_role("button", name="Yes", exact=True).tap()
        page.get_by_role("button", name="Press: Rolled").tap()
        expect(page.locator(".parts li", has_text="Rolled")).to_contain_text("seen")
        page.get_by_role("button", name="Done with buttons and lamps").tap()
        page.get_by_label("Name 1", exact=True).fill("Anna")
        main_button(page).tap()
        expect(page.get_by_role("heading", name="The table is set up")).to_be_visible()
        page.goto(f"{at.address}/join")
        page.get_by_role("button", name="Anna").tap()
        page.wait_for_url("**/phone")
        assert host.setting_up.is_finished
        at.close()
    assert at.faults == []


def confirm_three_rolls(page: Page) -> None:
    roll = page.get_by_role("button", name="Roll and read")
    in_force = page.get_by_text("is in force from now on")
    for _ in range(MOST_TRIES):
        roll.tap()
        judged = page.get_by_role("button", name="Yes, all six")
        expect(judged.or_(page.get_by_text("so it does not count"))).to_be_visible()
        if judged.is_visible():
            judged.tap()
            expect(judged).to_be_hidden()
            expect(roll.and_(page.locator(":enabled")).or_(in_force)).to_be_visible()
        if in_force.is_visible():
            return
    raise AssertionError("no three rolls were read for sure")
