"""The set-up in a real browser: dragged by finger, led through to the end, left and taken up again."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, expect

from companion.checks import State
from companion.config import Config
from companion.host import Host, Options
from companion.state_folder import CALIBRATION
from tests.browser.conftest import Pages
from tests.fake_set_up import CORNERS, DICE, FakeSetUp
from tests.web_table import Stand, stand
from web import Fact
from web.server import Server
from web.setting_up import (
    ChooseCamera,
    Focus,
    JudgeLamp,
    KeepCorners,
    KeepPlayers,
    Light,
    LightLamp,
    Place,
    RollShown,
    SetUpFault,
    Sight,
    Step,
    Trouble,
)

SIZES = [(320, 568), (412, 839), (1280, 800)]
SMALLEST = 44
PATIENCE = 60_000  # milliseconds, on a machine that is busy with other tests
MOST_TRIES = 12
FACTS = (
    Fact("Camera", "Pi camera 0 gives pictures"),
    Fact("Memory", "100 MB are free", State.NOTE, "enough while Boxlid runs"),
    Fact("Disk", "3 MB are free", State.WRONG, "make room: 200 MB are wanted"),
)


@dataclass
class Setting:
    """Pages over a set-up that a test leads by the hand."""

    pages: Pages
    fake: FakeSetUp
    stand: Stand

    def open(self, step: Step | None, size: tuple[int, int] = (412, 839), **context: object) -> Page:
        self.fake.up_to(step)
        return self.pages.page("/setup", size, **context)


@pytest.fixture
def setting(browser: Browser, tmp_path: Path) -> Iterator[Setting]:
    fake = FakeSetUp()
    here = stand(tmp_path, addresses=(), setting_up=fake, health=lambda _: FACTS)
    with Server(here.app) as server:
        pages = Pages(server.port, browser, here.table)
        try:
            yield Setting(pages, fake, here)
        finally:
            pages.close()
    assert pages.faults == []


def main_button(page: Page) -> Locator:
    return page.locator("#step button.main")


def wait_for_wish(page: Page, setting: Setting, number: int) -> None:
    """Until the host has heard so many wishes."""
    for _ in range(600):
        if len(setting.fake.wishes) >= number:
            return
        page.wait_for_timeout(20)
    raise AssertionError(f"{number} wishes wanted, got {setting.fake.wishes}")


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
    finger.detach()


def at_the_corners(setting: Setting) -> Page:
    page = setting.open(Step.LID)
    main_button(page).tap()
    expect(page.locator(".handle")).to_have_count(4)
    return page


# --- corners ---------------------------------------------------------------------------------------------


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
    expect(page.locator(".loupe")).to_have_count(0)
    main_button(page).tap()
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


# --- pages and people ------------------------------------------------------------------------------------


def test_a_reload_goes_on_with_the_step_that_comes_next(setting: Setting) -> None:
    page = setting.open(Step.EMPTY)
    main_button(page).tap()
    expect(page.get_by_text("is kept.")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="Six dice")).to_be_visible()
    page.locator("#steps button").nth(1).tap()  # any step that was done can be done again
    expect(page.get_by_role("heading", name="Camera (step")).to_be_visible()
    expect(page.locator("#steps button").nth(7)).to_be_disabled()


def test_the_live_picture_is_asked_for_only_while_its_step_is_shown(setting: Setting) -> None:
    page = setting.open(Step.PANEL)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.locator("#steps button").nth(1).tap()
    expect(page.locator(".sights")).to_contain_text("The picture is sharp.")
    page.wait_for_function("() => document.querySelector('.stage img').naturalWidth > 0")
    page.wait_for_timeout(2000)
    live = [url for url in asked if "live.jpg" in url]
    assert 2 <= len(live) <= 9  # about three a second
    page.locator("#steps button").nth(6).tap()
    page.wait_for_timeout(800)
    asked.clear()
    page.wait_for_timeout(1000)
    assert [url for url in asked if "live.jpg" in url or "sight" in url] == []


def test_a_game_is_only_stopped_when_asked_for(setting: Setting) -> None:
    setting.fake.show(game=True, here=False, held=False)
    page = setting.open(Step.CAMERA)
    expect(page.get_by_role("heading", name="A game is being played")).to_be_visible()
    assert page.locator(".stage").count() == 0
    main_button(page).tap()
    expect(page.get_by_role("heading", name="Camera (step")).to_be_visible()
    expect(page.get_by_text("It waits while this page is open")).to_be_visible()


def test_another_screen_is_told_of_and_its_step_is_seen_here(setting: Setting) -> None:
    page = setting.open(Step.DICE)
    setting.fake.show(others=True, dice_picture="9", dice=DICE)
    setting.fake.reach(Step.DICE)
    expect(page.get_by_text("open on another screen too")).to_be_visible()
    expect(page.get_by_text("All six dice are learnt")).to_be_visible()
    expect(page.locator(".tag")).to_have_count(6)


def test_leaving_the_page_gives_camera_and_buttons_back(setting: Setting) -> None:
    page = setting.open(Step.CAMERA)
    expect(page.locator(".sights")).to_contain_text("The light is good.")
    page.goto(f"{setting.pages.address}/help")
    for _ in range(200):
        if setting.fake.left:
            break
        page.wait_for_timeout(20)
    assert len(setting.fake.left) == 1


def test_another_camera_is_chosen_and_the_steps_after_it_begin_anew(setting: Setting) -> None:
    page = setting.open(Step.CAMERA)
    webcam = page.get_by_role("button", name="Webcam")
    expect(webcam).to_have_attribute("aria-pressed", "false")
    webcam.tap()
    expect(webcam).to_have_attribute("aria-pressed", "true")
    assert setting.fake.wishes == [ChooseCamera("usb:0")]


def test_sideways_the_whole_picture_with_its_corners_is_on_the_screen(setting: Setting) -> None:
    setting.fake.show(picture="p", corners=CORNERS, corners_found=True)
    page = setting.open(Step.LID, (839, 412))
    stage = page.locator(".stage")
    expect(page.locator(".handle")).to_have_count(4)
    page.wait_for_function("() => document.querySelector('.stage img').naturalWidth > 0")
    box = stage.bounding_box()
    assert box is not None
    assert box["height"] <= 412


def test_a_roll_read_wrongly_leads_back_to_the_dice_with_the_reason(setting: Setting) -> None:
    page = setting.open(Step.ROLLS)
    main_button(page).tap()
    page.get_by_role("button", name="No, something is wrong").tap()
    expect(page.get_by_role("heading", name="Six dice")).to_be_visible()
    expect(page.get_by_text("Good that you looked.")).to_be_visible()


# --- words -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("trouble", "english", "german"),
    [
        (Trouble("hand", "x"), "Take the hand away", "Die Hand vom Deckel nehmen"),
        (Trouble("camera", "x"), "The camera does not answer", "Die Kamera antwortet nicht"),
        (Trouble("die-missing", "x", ("green",)), "misses the green die", "vermisst den grünen Würfel"),
        (Trouble("too-dark", "x"), "Switch on a light", "Licht"),
    ],
)
def test_a_mishap_is_one_sentence_in_the_pages_language(
    trouble: Trouble, english: str, german: str, setting: Setting
) -> None:
    setting.fake.show(troubles=(trouble, trouble), troubled=Step.DICE)
    for locale, words in (("en-GB", english), ("de-DE", german)):
        page = setting.open(Step.DICE, locale=locale)
        expect(page.locator(".trouble")).to_have_count(1)
        expect(page.locator(".trouble")).to_contain_text(words)
        expect(main_button(page)).to_be_enabled()


def test_what_the_camera_sees_badly_is_said_with_what_to_do(setting: Setting) -> None:
    setting.fake.sees = Sight(Light.DARK, Focus.SOFT, 62, lid=False)
    page = setting.open(Step.CAMERA)
    for words in ("put a lamp over the lid", "wipe or focus the lens", "push it under the camera"):
        expect(page.locator(".sights")).to_contain_text(words)
    setting.fake.sees = Sight(None, None, 0, lid=False, troubles=(Trouble("camera", "x"),))
    expect(page.locator(".sights")).to_contain_text("The camera does not answer")


def test_a_refusal_is_shown_and_the_step_stays(setting: Setting) -> None:
    page = setting.open(Step.EMPTY)
    setting.fake.refuse = SetUpFault.BUSY
    main_button(page).tap()
    expect(page.get_by_text("Another step is under way")).to_be_visible()
    setting.fake.refuse = None
    main_button(page).tap()
    expect(page.get_by_text("is kept.")).to_be_visible()


# --- panel and names -------------------------------------------------------------------------------------


def test_lamps_are_asked_for_one_by_one_and_buttons_are_seen(setting: Setting) -> None:
    page = setting.open(Step.PANEL)
    page.get_by_role("button", name="Light: Seat 1").tap()
    for answer in ("Yes", "No", "Yes"):
        expect(page.get_by_text("Is this lamp lit")).to_have_count(1)
        number = len(setting.fake.wishes)
        page.get_by_role("button", name=answer, exact=True).tap()
        wait_for_wish(page, setting, number + 2)
    judged = [wish for wish in setting.fake.wishes if isinstance(wish, JudgeLamp)]
    assert judged == [
        JudgeLamp("seat 1", seen=True),
        JudgeLamp("red", seen=False),
        JudgeLamp("status ready", seen=True),
    ]
    assert setting.fake.wishes[-1] == LightLamp("")
    expect(page.locator(".parts li", has_text="Row red")).to_contain_text("not seen: check its wire")
    rolled = page.locator(".parts li", has_text="Rolled")
    expect(rolled).to_contain_text("GPIO5 · not pressed yet")
    setting.fake.show(buttons=tuple(replace(each, seen=True) for each in setting.fake.now.buttons))
    expect(rolled).to_contain_text("GPIO5 · seen")


def test_names_are_typed_and_kept(setting: Setting) -> None:
    page = setting.open(Step.PLAYERS)
    page.get_by_label("Name 1", exact=True).fill("Anna")
    page.get_by_role("button", name="Another name").tap()
    page.get_by_label("Name 2", exact=True).fill("Jörg")
    main_button(page).tap()
    expect(page.get_by_role("heading", name="The table is set up")).to_be_visible()
    assert setting.fake.wishes == [KeepPlayers(("Anna", "Jörg"))]


# --- looks -----------------------------------------------------------------------------------------------


def check(page: Page, where: str) -> None:
    results = Axe().run(page)
    assert results.violations_count == 0, f"{where}\n{results.generate_report()}"


def shown_in_full(setting: Setting, step: Step | None) -> None:
    """The step with something in each of its parts."""
    trouble = (Trouble("die-missing", "x", ("green",)),)
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
    for step in [*Step, None]:
        shown_in_full(setting, step)
        page = setting.open(step, color_scheme=scheme)
        expect(page.locator("#step h2")).to_be_visible()
        check(page, str(step))
        page.context.close()
    setting.pages.pages.clear()
    health = setting.pages.page("/health", (412, 839), color_scheme=scheme)
    check(health, "health")


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_every_step_fits_and_every_button_can_be_hit(
    size: tuple[int, int], locale: str, setting: Setting
) -> None:
    page = setting.pages.page("", size, locale=locale)
    for step in [*Step, None]:
        shown_in_full(setting, step)
        setting.fake.up_to(step)
        page.goto(f"{setting.pages.address}/setup")
        expect(page.locator("#step h2")).to_be_visible()
        assert page.evaluate("() => document.scrollingElement.scrollWidth") <= size[0], step
        for button in page.locator("#step button:visible, #step a:visible").all():
            box = button.bounding_box()
            assert box is not None
            assert box["height"] >= SMALLEST - 0.5, (step, button.inner_text(), box)
            assert box["x"] >= 0 or "handle" in (button.get_attribute("class") or "")
    page.goto(f"{setting.pages.address}/health")
    assert page.evaluate("() => document.scrollingElement.scrollWidth") <= size[0]


def test_health_keeps_itself_fresh(setting: Setting) -> None:
    page = setting.pages.page("/health", (412, 839))
    expect(page.locator("#sum")).to_have_text("Needs a hand: 1")
    services = setting.stand.app.extensions["desk"].services
    object.__setattr__(services, "health", lambda _: FACTS[:2])
    expect(page.locator("#sum")).to_have_text("All is well.", timeout=PATIENCE)
    expect(page.locator(".fact")).to_have_count(2)


# --- the whole way ---------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_simulated_table_is_set_up_from_nothing_to_a_calibrated_reading(
    browser: Browser, tmp_path: Path
) -> None:
    with Host(Config(), Options(tmp_path, simulate=True, seed=3)) as host, Server(host.app) as server:
        at = Pages(server.port, browser, host.table)
        page = at.page("/setup", (412, 839))
        page.context.set_default_timeout(PATIENCE)
        expect.set_options(timeout=PATIENCE)
        page.locator(".choice", has_text="English").tap()
        expect(page.locator(".sights")).to_contain_text("The lid is seen.")
        main_button(page).tap()
        page.get_by_role("button", name="Find the lid").tap()
        expect(page.locator(".handle")).to_have_count(4)
        page.get_by_role("button", name="These are the corners").tap()
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
    expect.set_options(timeout=15_000)
    assert at.faults == []


def confirm_three_rolls(page: Page) -> None:
    for _ in range(MOST_TRIES):
        page.get_by_role("button", name="Roll and read").tap()
        judged = page.get_by_role("button", name="Yes, all six")
        expect(judged.or_(page.get_by_text("so it does not count"))).to_be_visible()
        if judged.is_visible():
            judged.tap()
            expect(judged).to_be_hidden()
        if page.get_by_text("is in force from now on").is_visible():
            return
    raise AssertionError("no three rolls were read for sure")
