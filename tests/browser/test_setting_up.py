"""The set-up in a real browser: left and taken up again, what it asks for, and what it says."""

from dataclasses import replace

import pytest
from playwright.sync_api import Page, expect

from companion.table.eyes import Notice
from companion.view.setting_up import (
    ChooseCamera,
    Focus,
    JudgeLamp,
    KeepPlayers,
    Light,
    LightLamp,
    SetUpFault,
    Sight,
    Step,
    UseAddress,
)
from tests.browser.conftest import Setting
from tests.browser.set_up_page import main_button, wait_for_wish
from tests.fake_set_up import CORNERS, DICE
from tests.waiting import until


def sign_of_life(page: Page) -> None:
    """The next time that the page says it is there: about once a second."""
    page.wait_for_event("request", lambda request: request.url.endswith("/api/setup/here"))


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
    page.wait_for_function("() => document.querySelector('.stage img')?.naturalWidth > 0")
    for _ in range(3):
        page.wait_for_event("request", lambda request: "live.jpg" in request.url)
    page.locator("#steps button").nth(6).tap()
    expect(page.locator(".stage img")).to_have_count(0)
    sign_of_life(page)
    asked.clear()
    sign_of_life(page)
    sign_of_life(page)
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
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert until(lambda: len(setting.fake.left) == 1)


def test_another_camera_is_chosen_and_the_steps_after_it_begin_anew(setting: Setting) -> None:
    page = setting.open(Step.CAMERA)
    webcam = page.get_by_role("button", name="Webcam")
    expect(webcam).to_have_attribute("aria-pressed", "false")
    webcam.tap()
    expect(webcam).to_have_attribute("aria-pressed", "true")
    assert setting.fake.wishes == [ChooseCamera("usb:0")]


def test_each_other_camera_shows_its_picture_and_an_address_can_be_typed(setting: Setting) -> None:
    page = setting.open(Step.CAMERA, (320, 568))
    webcam = page.get_by_role("button", name="Webcam")
    expect(webcam.get_by_alt_text("What Webcam sees")).to_be_visible()
    page.wait_for_function("() => document.querySelector('.choice img')?.naturalWidth > 0")
    page.get_by_label("A camera in the network").fill("rtsp://anna:s3cret@192.168.1.20/live")
    setting.fake.show(camera_says="the camera was unplugged")  # a repaint takes nothing away
    expect(page.get_by_text("the camera was unplugged")).to_be_visible()
    page.get_by_role("button", name="Use it").tap()
    expect(page.get_by_role("button", name="network camera 192.168.1.20")).to_have_attribute(
        "aria-pressed", "true"
    )
    assert setting.fake.wishes == [UseAddress("rtsp://anna:s3cret@192.168.1.20/live")]
    expect(page.get_by_label("A camera in the network")).to_have_value("")
    assert "s3cret" not in page.content()
    expect(page.get_by_text("as long as boxlid.toml names no camera")).to_be_visible()
    assert page.evaluate("() => document.scrollingElement.scrollWidth") <= 320


def test_a_camera_that_the_settings_name_is_said_to_count(setting: Setting) -> None:
    setting.fake.show(camera_fixed=True, cameras=(), camera="USB camera 2")
    page = setting.open(Step.CAMERA)
    expect(page.get_by_text("boxlid.toml) name the camera: USB camera 2. It counts")).to_be_visible()
    expect(page.get_by_label("A camera in the network")).to_have_count(0)


def test_what_is_no_address_is_said_and_can_be_put_right(setting: Setting) -> None:
    page = setting.open(Step.CAMERA)
    setting.fake.refuse = SetUpFault.ADDRESS
    page.get_by_label("A camera in the network").fill("my phone")
    page.get_by_role("button", name="Use it").tap()
    expect(page.get_by_role("alert")).to_have_text(
        "This is no address of a camera. It begins with http:// or rtsp://."
    )
    expect(page.get_by_label("A camera in the network")).to_have_value("my phone")


def test_sideways_the_whole_picture_with_its_corners_is_on_the_screen(setting: Setting) -> None:
    setting.fake.show(picture="p", corners=CORNERS, corners_found=True)
    page = setting.open(Step.LID, (839, 412))
    stage = page.locator(".stage")
    expect(page.locator(".handle.corner")).to_have_count(4)
    page.wait_for_function("() => document.querySelector('.stage img')?.naturalWidth > 0")
    box = stage.bounding_box()
    assert box is not None
    assert box["height"] <= 412


def test_the_picture_of_the_empty_lid_is_cut_to_the_lid(setting: Setting) -> None:
    setting.fake.show(corners=CORNERS)
    page = setting.open(Step.EMPTY)
    main_button(page).tap()
    expect(page.locator(".stage.cut polygon.lid")).to_be_visible()
    page.wait_for_function("() => document.querySelector('.cut img')?.naturalWidth > 0")
    frame, picture = page.locator(".stage.cut").bounding_box(), page.locator(".cut img").bounding_box()
    assert frame is not None
    assert picture is not None
    lid = 0.6 + 2 * 0.03  # of the picture, with its margin
    assert frame["width"] == pytest.approx(lid * picture["width"], rel=0.01)
    assert frame["height"] == pytest.approx(lid * picture["height"], rel=0.01)


def test_where_the_table_learnt_before_is_kept_is_said(setting: Setting) -> None:
    setting.fake.show(right=2)
    page = setting.open(Step.ROLLS, (320, 568), locale="de-DE")
    main_button(page).tap()
    page.get_by_role("button", name="Ja, alle sechs").tap()
    expect(page.get_by_text("Der gelernte Tisch gilt ab jetzt")).to_be_visible()
    assert page.get_by_text("vorher gelernte").count() == 0  # there was none
    setting.fake.show(before="/var/lib/boxlid/calibration-before.toml")
    page.reload()
    page.locator("#steps button").nth(5).tap()
    expect(page.get_by_text("vorher gelernte").locator("code")).to_have_text(setting.fake.now.before)
    assert page.evaluate("() => document.scrollingElement.scrollWidth") <= 320


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
        (Notice("hand"), "Take the hand away", "Die Hand von den Würfeln wegnehmen"),
        (Notice("camera"), "The camera does not answer", "Die Kamera antwortet nicht"),
        (Notice("die-missing", ("green",)), "misses the green die", "vermisst den grünen Würfel"),
        (Notice("too-dark"), "Switch on a light", "Licht"),
    ],
)
def test_a_mishap_is_one_sentence_in_the_pages_language(
    trouble: Notice, english: str, german: str, setting: Setting
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
    setting.fake.sees = Sight(None, None, 0, lid=False, troubles=(Notice("camera"),))
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


def test_what_looks_like_a_die_in_the_empty_lid_is_told_of_and_may_be_printed_there(setting: Setting) -> None:
    page = setting.open(Step.EMPTY)
    trouble = Notice("like-a-die")
    setting.fake.show(empty="1", troubles=(trouble,), troubled=Step.EMPTY, corners=CORNERS)
    setting.fake.reach(Step.EMPTY)
    expect(page.get_by_role("alert")).to_contain_text("looks like a die")
    expect(main_button(page)).to_have_text("Take it again")
    page.get_by_role("button", name="It is printed: go on").tap()
    expect(page.get_by_role("heading", name="Six dice")).to_be_visible()


def test_a_die_that_was_left_in_the_empty_lid_leads_back_to_that_step_with_a_word(setting: Setting) -> None:
    page = setting.open(Step.DICE)
    expect(page.get_by_role("heading", name="Six dice")).to_be_visible()
    setting.fake.show(troubles=(Notice("die-was-left"),), troubled=Step.EMPTY)
    setting.fake.up_to(Step.EMPTY)
    expect(page.get_by_role("heading", name="Without dice")).to_be_visible()
    expect(page.get_by_role("alert")).to_contain_text("A die lay there")
    expect(main_button(page)).to_have_text("Take the picture")
