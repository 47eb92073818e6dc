"""A round tray, a hexagon and a bare table set up in a real browser, up to a roll read for sure in a game."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.game import Phase
from companion.host import Host, Options
from companion.rules import Roll
from tests.browser.conftest import Pages
from tests.browser.set_up_page import main_button
from tests.laid_pictures import LaidPictures
from web.serving.server import Server

PLACES = Path(__file__).parents[1] / "pictures" / "places"
EMPTY, DICE, THROW = "empty.jpg", "calibrate.jpg", "throw_00.jpg"


def true_roll(place: Path) -> Roll:
    truths = map(json.loads, (place / "truth.jsonl").read_text().splitlines())
    dice = next(truth["dice"] for truth in truths if truth["file"] == THROW)
    return Roll.parse(" ".join(f"{die['colour'][0].upper()}{die['true_pips']}" for die in dice))


def step(page: Page, name: str) -> None:
    expect(page.get_by_role("heading", name=f"{name} (step")).to_be_visible()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("place", "shape", "corners"),
    [("table", "Round", None), ("hexagon", "Corners", 3), ("bare", "No edge: the whole picture", None)],
)
def test_a_place_of_any_shape_is_set_up_and_a_roll_in_it_is_read_for_sure(
    place: str, shape: str, corners: int | None, browser: Browser, tmp_path: Path
) -> None:
    pictures = LaidPictures(tmp_path / "pictures")
    pictures.lay(PLACES / place / EMPTY)
    with Host(pictures.config, Options(tmp_path / "state")) as host, Server(host.app) as server:
        at = Pages(server.port, browser, host.table)
        pictures.lay_before(host, PLACES / place / EMPTY)
        page = at.page("/setup", (412, 839))
        page.locator(".choice", has_text="English").tap()
        main_button(page).tap()
        page.get_by_role("button", name="Find the edge").tap()
        expect(page.get_by_role("button", name=shape, exact=True)).to_have_attribute("aria-pressed", "true")
        if corners is not None:
            assert page.locator(".handle.corner:visible").count() >= corners
        main_button(page).tap()
        step(page, "Without dice")
        page.get_by_role("button", name="Take the picture").tap()
        page.locator("[data-keep='setup.next'], [data-keep='setup.printed']").and_(
            page.locator(":enabled")
        ).tap()
        step(page, "Six dice")
        pictures.lay_before(host, PLACES / place / DICE)
        page.get_by_role("button", name="Learn the dice").tap()
        expect(page.locator(".tag")).to_have_count(6)
        page.get_by_role("button", name="Next step").tap()
        step(page, "Three rolls")
        pictures.lay_before(host, PLACES / place / THROW)
        for _ in range(3):
            page.get_by_role("button", name="I have rolled: read").tap()
            page.get_by_role("button", name="Yes, all six").and_(page.locator(":enabled")).tap()
        expect(page.get_by_text("is in force from now on")).to_be_visible()
        known = host.looker.calibration
        assert known is not None
        assert (known.lid is None) == (place == "bare")
        play(page, at, true_roll(PLACES / place))
        at.close()
    assert at.faults == []


def play(page: Page, at: Pages, roll: Roll) -> None:
    """Anna plays alone; her press is answered with the dice that lie there."""
    page.goto(f"{at.address}/join")
    page.fill("#name", "Anna")
    page.click("button.main")
    page.wait_for_url("**/phone")
    page.click(".start-form button.main")
    expect(page.locator("#finish")).to_have_text("I rolled")
    page.locator("#finish:not([data-held])").tap()
    game = at.wait(lambda now: now.game is not None and now.game.phase is not Phase.ROLL).game
    assert game is not None
    assert game.turn is not None
    read = game.turn.roll
    assert (sorted(read.white), read.coloured) == (sorted(roll.white), roll.coloured)
    expect(page.locator("#dice:not([data-old]) .sum")).to_have_text(str(sum(roll.white)))
