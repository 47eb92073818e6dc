"""The outline of where the dice lie, drawn by finger, mouse and keys in a real browser."""

import math

import pytest
from playwright.sync_api import Locator, Page, expect

from companion.table.eyes import Notice, Place
from companion.view.setting_up import DiceOutside, Doubt, KeepCorners, Shape, Step, TakeDice
from tests.browser.conftest import Setting
from tests.browser.set_up_page import SMALLEST, main_button, wait_for_wish
from tests.fake_set_up import CORNERS, DICE


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


SIZES = [(320, 454), (412, 839), (839, 412)]


def at_the_outline(setting: Setting, size: tuple[int, int] = (412, 839), **context: object) -> Page:
    page = setting.open(Step.LID, size, **context)
    main_button(page).tap()
    expect(corners(page)).to_have_count(4)
    page.wait_for_function(
        "() => [...document.images].every((image) => image.complete && image.naturalWidth)"
    )
    return page


def corners(page: Page) -> Locator:
    return page.locator(".handle.corner:visible")


def tool(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def kept(page: Page, setting: Setting) -> KeepCorners:
    """What the page sends to be kept."""
    number = len(setting.fake.wishes)
    main_button(page).click()  # a tap so soon after a drag may count as its end: Chromium swallows it
    wait_for_wish(page, setting, number + 1)
    wish = setting.fake.wishes[-1]
    assert isinstance(wish, KeepCorners)
    return wish


def near(one: Place, x: float, y: float, away: float = 0.006) -> bool:
    return math.dist((one.x, one.y), (x, y)) < away


def picture_of(page: Page) -> dict[str, float]:
    box = page.locator(".stage img").first.bounding_box()
    assert box is not None
    return {"width": box["width"], "height": box["height"]}


@pytest.mark.parametrize("size", SIZES)
def test_a_corner_is_dragged_by_finger_from_wherever_it_is_taken(
    size: tuple[int, int], setting: Setting
) -> None:
    page = at_the_outline(setting, size)
    picture = picture_of(page)
    handle = corners(page).nth(2)
    handle.scroll_into_view_if_needed()
    box = handle.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= SMALLEST
    before = middle(handle)
    drag(page, handle, -30, 24)
    assert middle(corners(page).nth(2)) == pytest.approx((before[0] - 30, before[1] + 24), abs=1.5)
    wish = kept(page, setting)
    assert (wish.moved, wish.shape) == (True, Shape.CORNERS)
    assert near(wish.corners[2], CORNERS[2].x - 30 / picture["width"], CORNERS[2].y + 24 / picture["height"])
    assert wish.corners[:2] == CORNERS[:2]


def test_arrow_keys_move_a_corner_and_say_where_it_is(setting: Setting) -> None:
    page = at_the_outline(setting)
    handle = corners(page).first
    handle.focus()
    for key in ("ArrowRight", "ArrowRight", "Shift+ArrowDown", "ArrowLeft"):
        page.keyboard.press(key)
    expect(handle).to_have_attribute("aria-label", "Corner 1 of 4: 20 % from the left, 21 % from the top")
    first = kept(page, setting).corners[0]
    assert (first.x, first.y) == pytest.approx((0.201, 0.21))


def test_crossing_sides_cannot_be_kept_until_they_are_put_right(setting: Setting) -> None:
    page = at_the_outline(setting)
    far = 0.7 * picture_of(page)["width"]
    drag(page, corners(page).first, far, 0)
    expect(page.get_by_text("Sides of this outline cross")).to_be_visible()
    expect(main_button(page)).to_be_disabled()
    expect(page.locator("polygon.bad")).to_have_count(1)
    drag(page, corners(page).first, -far, 0)
    expect(page.get_by_text("Sides of this outline cross")).to_be_hidden()
    expect(main_button(page)).to_be_enabled()
    assert len(setting.fake.wishes) == 1


def test_an_outline_nobody_changed_is_kept_as_found(setting: Setting) -> None:
    page = at_the_outline(setting)
    assert kept(page, setting) == KeepCorners(CORNERS, moved=False)
    expect(page.get_by_role("heading", name="Without dice")).to_be_visible()


def test_a_drag_on_a_sides_plus_adds_a_corner_where_the_finger_leaves_it(setting: Setting) -> None:
    page = at_the_outline(setting)
    picture = picture_of(page)
    between = page.locator(".handle.between:visible").first
    box = between.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= SMALLEST
    drag(page, between, 12, -20)
    expect(corners(page)).to_have_count(5)
    wish = kept(page, setting)
    assert len(wish.corners) == 5
    assert near(wish.corners[1], 0.5 + 12 / picture["width"], 0.2 - 20 / picture["height"])
    assert (wish.corners[0], wish.corners[2]) == (CORNERS[0], CORNERS[1])


def test_a_tap_adds_a_corner_a_button_removes_it_and_undo_brings_it_back(setting: Setting) -> None:
    page = at_the_outline(setting)
    expect(tool(page, "Undo")).to_be_disabled()
    expect(tool(page, "Remove corner")).to_be_disabled()
    page.get_by_role("button", name="Add a corner between 1 and 2").tap()
    expect(corners(page)).to_have_count(5)
    tool(page, "Add a corner").click()
    expect(corners(page)).to_have_count(6)
    corners(page).first.tap()
    tool(page, "Remove corner").click()
    expect(corners(page)).to_have_count(5)
    for left in (6, 5, 4):
        tool(page, "Undo").click()
        expect(corners(page)).to_have_count(left)
    expect(tool(page, "Undo")).to_be_disabled()
    assert kept(page, setting) == KeepCorners(CORNERS, moved=False)


def test_by_keys_a_corner_is_added_removed_and_brought_back(setting: Setting) -> None:
    page = at_the_outline(setting)
    page.get_by_role("button", name="Add a corner between 1 and 2").focus()
    page.keyboard.press("Enter")
    expect(corners(page)).to_have_count(5)
    expect(corners(page).nth(1)).to_be_focused()
    page.keyboard.press("Delete")
    page.keyboard.press("Delete")
    expect(corners(page)).to_have_count(3)
    page.keyboard.press("Delete")  # a place has three corners at least
    expect(corners(page)).to_have_count(3)
    page.keyboard.press("Control+z")
    expect(corners(page)).to_have_count(4)
    wish = kept(page, setting)
    assert wish.corners == CORNERS


def test_a_mouse_drags_corners_too(setting: Setting) -> None:
    page = at_the_outline(setting, (1280, 800))
    before = middle(corners(page).first)
    page.mouse.move(*before)
    page.mouse.down()
    page.mouse.move(before[0] + 40, before[1] + 30, steps=3)
    expect(page.locator(".loupe")).to_be_visible()
    page.mouse.up()
    assert middle(corners(page).first) == pytest.approx((before[0] + 40, before[1] + 30), abs=1.5)


def test_a_round_place_is_moved_resized_and_tilted(setting: Setting) -> None:
    page = at_the_outline(setting)
    tool(page, "Round").tap()
    expect(page.locator(".handle.centre:visible")).to_have_count(1)
    picture = picture_of(page)
    drag(page, page.locator(".handle.centre:visible"), 10, 6)
    drag(page, page.locator(".handle.end:visible").first, -25, 12)
    wish = kept(page, setting)
    assert wish.shape is Shape.ROUND
    assert len(wish.corners) == 24
    wide, high = picture["width"], picture["height"]
    inside = [(place.x * wide, place.y * high) for place in wish.corners]
    x, y = (sum(each) / 24 for each in zip(*inside, strict=True))
    assert (x, y) == pytest.approx((0.5 * wide + 10, 0.5 * high + 6), abs=1.5)
    (ax, ay), (bx, by) = ((inside[n][0] - x, inside[n][1] - y) for n in (0, 6))
    radius = math.sqrt(0.36 * wide * high / math.pi)
    assert (ax, ay) == pytest.approx((radius - 25, 12), abs=2)
    assert math.hypot(bx, by) == pytest.approx(radius, abs=2)  # the other axis is as long as it was
    assert ax * bx + ay * by == pytest.approx(0, abs=60)  # and square to it


def test_a_place_without_an_edge_has_no_handles_and_sends_none(setting: Setting) -> None:
    page = at_the_outline(setting)
    tool(page, "No edge: the whole picture").tap()
    expect(page.locator(".handle:visible")).to_have_count(0)
    expect(page.get_by_text("All dice that the camera sees count")).to_be_visible()
    assert kept(page, setting) == KeepCorners((), moved=True, shape=Shape.WHOLE)


def test_where_no_edge_was_found_the_whole_picture_is_offered_and_corners_can_be_drawn(
    setting: Setting,
) -> None:
    setting.fake.show(picture="p", corners=(), shape=Shape.WHOLE)
    page = setting.open(Step.LID)
    whole = tool(page, "No edge: the whole picture")
    expect(whole).to_have_attribute("aria-pressed", "true")
    tool(page, "Corners").tap()
    expect(corners(page)).to_have_count(4)
    wish = kept(page, setting)
    assert (wish.moved, wish.shape, len(wish.corners)) == (True, Shape.CORNERS, 4)


def test_an_outline_that_holds_too_few_dice_is_doubted_and_taken_all_the_same_only_if_asked(
    setting: Setting,
) -> None:
    setting.fake.doubts = Doubt(held=4, seen=6)
    page = at_the_outline(setting)
    assert not kept(page, setting).anyway
    doubt = page.get_by_text("shows 6 things that look like dice, this outline holds 4")
    expect(doubt).to_be_visible()
    expect(main_button(page)).to_have_text("Take it all the same")
    drag(page, corners(page).first, -8, -8)  # another outline: nobody has doubted it yet
    expect(doubt).to_be_hidden()
    expect(main_button(page)).to_have_text("That is right")
    assert not kept(page, setting).anyway
    expect(doubt).to_be_visible()
    assert kept(page, setting).anyway
    expect(page.get_by_role("heading", name="Without dice")).to_be_visible()


@pytest.mark.parametrize(
    ("answer", "outside"),
    [
        ("No edge: the whole picture", DiceOutside.WHOLE),
        ("Take it all the same", DiceOutside.KEEP),
    ],
)
def test_dice_laid_beside_the_outline_are_asked_about(
    answer: str, outside: DiceOutside, setting: Setting
) -> None:
    apart = (Notice("die-apart"),)
    setting.fake.show(dice_picture="1", dice=DICE, corners=CORNERS, troubles=apart, troubled=Step.DICE)
    page = setting.open(Step.DICE)
    expect(page.get_by_text("The outline does not hold all six dice")).to_be_visible()
    expect(page.locator(".tag")).to_have_count(6)
    tool(page, answer).tap()
    wait_for_wish(page, setting, 1)
    assert setting.fake.wishes == [TakeDice(outside)]


def test_a_doubted_outline_can_be_changed_from_the_step_of_the_dice(setting: Setting) -> None:
    apart = (Notice("die-apart"),)
    setting.fake.show(dice_picture="1", dice=DICE, corners=CORNERS, troubles=apart, troubled=Step.DICE)
    page = setting.open(Step.DICE)
    tool(page, "Change the outline").tap()
    expect(page.get_by_role("heading", name="Place (step")).to_be_visible()
