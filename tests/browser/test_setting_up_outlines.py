"""The corners of the lid, dragged by finger and moved by keys, in a real browser."""

import math

import pytest
from playwright.sync_api import Locator, Page, expect

from companion.table.eyes import Place
from companion.view.setting_up import (
    KeepCorners,
    Step,
)
from tests.browser.conftest import Setting
from tests.browser.set_up_page import SMALLEST, main_button, wait_for_wish
from tests.fake_set_up import CORNERS


def middle(handle: Locator) -> tuple[float, float]:
    box = handle.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, handle: Locator, dx: float, dy: float) -> None:
    """A finger takes the handle a little beside its middle and drags it."""
    handle.scroll_into_view_if_needed()
    x, y = (place + beside for place, beside in zip(middle(handle), (9, -7), strict=True))
    finger = page.context.new_cdp_session(page)

    def touch(kind: str, *points: dict[str, float]) -> None:
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})

    touch("touchStart", {"x": x, "y": y})
    for part in (0.3, 0.7, 1.0):
        touch("touchMove", {"x": x + dx * part, "y": y + dy * part})
    expect(page.locator(".loupe")).to_be_visible()
    touch("touchEnd")
    expect(page.locator(".loupe")).to_have_count(0)  # the page has heard of it


def at_the_corners(setting: Setting) -> Page:
    page = setting.open(Step.LID)
    main_button(page).tap()
    expect(page.locator(".handle")).to_have_count(4)
    page.wait_for_function(
        "() => [...document.images].every((image) => image.complete && image.naturalWidth)"
    )
    return page


def test_a_corner_is_dragged_by_finger_from_wherever_it_is_taken(setting: Setting) -> None:
    page = at_the_corners(setting)
    picture = page.locator(".stage img").first.bounding_box()
    assert picture is not None
    handle = page.locator(".handle").nth(2)
    box = handle.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= SMALLEST
    before = middle(handle)
    drag(page, handle, -30, 24)
    after = middle(page.locator(".handle").nth(2))
    assert after == pytest.approx((before[0] - 30, before[1] + 24), abs=1.5)
    main_button(page).click()  # a tap so soon after a drag may count as its end: Chromium swallows it
    wait_for_wish(page, setting, 2)
    kept = setting.fake.wishes[-1]
    assert isinstance(kept, KeepCorners)
    assert kept.moved
    wanted = Place(CORNERS[2].x - 30 / picture["width"], CORNERS[2].y + 24 / picture["height"])
    assert math.dist((kept.corners[2].x, kept.corners[2].y), (wanted.x, wanted.y)) < 0.006
    assert kept.corners[:2] == CORNERS[:2]


def test_arrow_keys_move_a_corner_and_say_where_it_is(setting: Setting) -> None:
    page = at_the_corners(setting)
    handle = page.locator(".handle").first
    handle.focus()
    for key in ("ArrowRight", "ArrowRight", "Shift+ArrowDown", "ArrowLeft"):
        page.keyboard.press(key)
    expect(handle).to_have_attribute("aria-label", "Corner 1 of 4: 20 % from the left, 21 % from the top")
    main_button(page).click()
    wait_for_wish(page, setting, 2)
    kept = setting.fake.wishes[-1]
    assert isinstance(kept, KeepCorners)
    assert (kept.corners[0].x, kept.corners[0].y) == pytest.approx((0.201, 0.21))


def test_crossed_corners_cannot_be_kept_until_they_are_put_right(setting: Setting) -> None:
    page = at_the_corners(setting)
    width = page.locator(".stage img").first.bounding_box()
    assert width is not None
    far = 0.7 * width["width"]
    drag(page, page.locator(".handle").first, far, 0)
    expect(page.get_by_text("These corners cross")).to_be_visible()
    expect(main_button(page)).to_be_disabled()
    expect(page.locator("polygon.bad")).to_have_count(1)
    drag(page, page.locator(".handle").first, -far, 0)
    expect(page.get_by_text("These corners cross")).to_be_hidden()
    expect(main_button(page)).to_be_enabled()
    assert len(setting.fake.wishes) == 1


def test_corners_nobody_moved_are_kept_as_found(setting: Setting) -> None:
    page = at_the_corners(setting)
    main_button(page).tap()
    wait_for_wish(page, setting, 2)
    assert setting.fake.wishes[-1] == KeepCorners(CORNERS, moved=False)
    expect(page.get_by_role("heading", name="Empty lid")).to_be_visible()
