"""Every step of the set-up fits, can be hit, and reads well; so does the page of the box's health."""

from dataclasses import replace

import pytest
from playwright.sync_api import Route, expect

from companion.table.eyes import Notice
from companion.view.setting_up import RollShown, Step
from tests.browser.conftest import FACTS, Setting
from tests.browser.set_up_page import SMALLEST, main_button
from tests.browser.sound import at_each, boxes, check
from tests.fake_set_up import CORNERS, DICE

SIZES = [(320, 568), (412, 839), (1280, 800)]


def shown_in_full(setting: Setting, step: Step | None) -> None:
    """The step with something in each of its parts."""
    trouble = (Notice("die-missing", ("green",)),)
    setting.fake.show(picture="p", corners=CORNERS, empty="1", dice_picture="1", dice=DICE)
    setting.fake.show(troubles=trouble, troubled=step, others=True)
    if step is Step.ROLLS:
        setting.fake.show(roll=RollShown("r", certain=True, judged=False, dice=DICE), right=1)
    if step is Step.PANEL:
        setting.fake.show(
            lamps=tuple(replace(lamp, lit=lamp.name == "red") for lamp in setting.fake.now.lamps)
        )


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_any_step(scheme: str, setting: Setting) -> None:
    page = setting.pages.page("", (412, 839), color_scheme=scheme)
    for step in [*Step, None]:
        shown_in_full(setting, step)
        setting.fake.up_to(step)
        page.goto(f"{setting.pages.address}/setup")
        expect(page.locator("#step h2")).to_be_visible()
        check(page, str(step))
    page.goto(f"{setting.pages.address}/health")
    check(page, "health")


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_every_step_fits_and_every_button_can_be_hit(locale: str, setting: Setting) -> None:
    page = setting.pages.page("", SIZES[0], locale=locale)
    for step in [*Step, None]:
        shown_in_full(setting, step)
        setting.fake.up_to(step)
        page.goto(f"{setting.pages.address}/setup")
        expect(page.locator("#step h2")).to_be_visible()
        for width, _ in at_each(page, SIZES):
            assert page.evaluate("() => document.scrollingElement.scrollWidth") <= width, step
            for box in boxes(page, "#step button:visible, #step a:visible"):
                assert box["height"] >= SMALLEST - 0.5, (step, width, box)
                assert box["x"] >= 0 or "handle" in box["name"]
    page.goto(f"{setting.pages.address}/health")
    for width, _ in at_each(page, SIZES):
        assert page.evaluate("() => document.scrollingElement.scrollWidth") <= width


def test_no_button_moves_away_when_a_picture_comes(setting: Setting) -> None:
    """Under a finger that is on its way it would be missed."""
    page = setting.open(Step.EMPTY)
    setting.fake.show(corners=tuple(replace(place, x=place.x / 2) for place in CORNERS))
    page.wait_for_function("() => document.querySelector('img.sees')?.naturalWidth > 0")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/pictures/empty.jpg*", hold)
    main_button(page).click()
    onward = page.locator("[data-keep='setup.next']:enabled")
    expect(onward).to_be_visible()
    before = onward.bounding_box()
    page.wait_for_function("() => document.querySelector('img.sees')?.naturalWidth === 0")
    for route in held:
        route.continue_()
    page.wait_for_function("() => document.querySelector('img.sees')?.naturalWidth > 0")
    assert onward.bounding_box() == before


def test_health_keeps_itself_fresh(setting: Setting) -> None:
    page = setting.pages.page("/health", (412, 839))
    expect(page.locator("#sum")).to_have_text("Needs a hand: 1")
    services = setting.stand.app.extensions["desk"].services
    object.__setattr__(services, "health", lambda _: FACTS[:2])
    expect(page.locator("#sum")).to_have_text("All is well.")
    expect(page.locator(".fact")).to_have_count(2)


def test_a_doubtful_die_is_marked_in_the_picture_of_the_set_up(setting: Setting) -> None:
    page = setting.open(Step.ROLLS)
    dice = (replace(DICE[0], doubtful=True), *DICE[1:])
    setting.fake.show(roll=RollShown("r", certain=False, judged=False, dice=dice))
    expect(page.locator(".tag")).to_have_count(6)
    expect(page.locator(".tag.doubtful")).to_have_text("W 3?")
    expect(page.locator(".stage polygon.doubtful")).to_have_count(1)
