"""Entering the printed board in a real browser: by keys and by touch, checked, filed out and in."""

from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from companion.boards import house_board
from companion.boards.shelf import Shelf
from companion.rules import Side
from tests.browser.conftest import Phones
from tests.browser.sound import boxes, check, in_each_look

DESK = (1280, 800)
HOUSE = house_board()


def shelf_of(phones: Phones) -> Shelf:
    found = phones.stand.app.extensions["desk"].services.shelf
    assert isinstance(found, Shelf)
    return found


def space(page: Page, number: int) -> Locator:
    return page.locator(".space").nth(number - 1)


def typed(side: Side, yellow: str = "y", green: str = "g") -> str:
    """A whole side as somebody types it, all in one go."""
    names = {"red": "r", "yellow": yellow, "green": green, "blue": "b"}
    return "".join(f"{names[each.cell.colour]}{each.cell.number}" for each in side.spaces)


def finding(page: Page, text: str) -> Locator:
    return page.locator("#findings li", has_text=text)


def test_a_whole_board_is_typed_without_leaving_the_keys_and_is_in_the_lobby_at_once(phones: Phones) -> None:
    anna = phones.join("Anna")
    anna.click(".start-form summary")
    anna.select_option("#start-edition", "on-board")
    page = phones.page("/boards", DESK)
    page.fill("#board-name", "The printed one")
    space(page, 1).click()
    page.keyboard.type(typed(HOUSE.front))
    expect(page.locator("#told")).to_have_text("This side is full. On with the other one?")
    page.click("#side-back")
    page.keyboard.type(typed(HOUSE.back))
    expect(page.locator("#findings .fine")).to_be_visible()
    expect(page.locator("#findings .must")).to_have_count(0)
    page.click(".save")
    expect(page.locator("#kept li").first).to_contain_text("The printed one")
    [kept] = shelf_of(phones).own
    assert (kept.board.front, kept.board.back) == (HOUSE.front, HOUSE.back)
    expect(anna.locator("#start-board option").first).to_have_text("The printed one, front")
    expect(anna.locator("#start-edition")).to_have_value("on-board")  # chosen before the lobby was drawn anew
    anna.select_option("#start-board", f"{kept.id}-back")
    anna.click(".start-form button.main")
    phones.wait(lambda now: now.game is not None and now.game.setup.board == HOUSE.back)


def test_german_keys_are_german(phones: Phones) -> None:
    page = phones.page("/boards", DESK, locale="de-DE")
    space(page, 1).click()
    page.keyboard.type(typed(HOUSE.front, "ge", "gr"))
    expect(page.locator("#side-front")).to_have_text("Vorderseite · 40 von 40")
    expect(space(page, 1)).to_have_attribute("aria-label", "Feld 1: die grüne 12, zählt 1")
    expect(space(page, 4)).to_contain_text("Ge2")


def test_arrows_backspace_and_undo_do_what_they_say(phones: Phones) -> None:
    page = phones.page("/boards", DESK)
    space(page, 1).click()
    page.keyboard.type("r2r3y12")
    expect(space(page, 4)).to_have_attribute("aria-current", "true")
    page.keyboard.press("Backspace")
    expect(space(page, 3)).to_have_attribute("aria-label", "Space 3: empty, worth 2")
    page.keyboard.type("y1")
    expect(page.locator("#now")).to_have_text("Space 3: Y1 …")
    page.keyboard.press("Backspace")
    page.keyboard.type("11")
    expect(space(page, 3)).to_contain_text("Y11")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.keyboard.type("b7")
    expect(space(page, 2)).to_contain_text("B7")
    page.keyboard.press("Control+z")
    expect(space(page, 2)).to_contain_text("R3")
    expect(space(page, 2)).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(space(page, 12)).to_be_focused()


def test_keys_that_do_not_fit_are_answered_and_change_nothing(phones: Phones) -> None:
    page = phones.page("/boards", DESK)
    space(page, 1).click()
    for keys, answer in (
        ("7", "First the colour, then the number: r = red, y = yellow, g = green, b = blue."),
        ("q", "That key is no colour: r = red, y = yellow, g = green, b = blue."),
        ("r13", "Numbers are 2 to 12."),
    ):
        page.keyboard.type(keys)
        expect(page.locator("#told")).to_have_text(answer)
    expect(space(page, 1)).to_have_attribute("aria-label", "Space 1: empty, worth 1")


def test_slips_are_named_by_their_space_and_lead_there(phones: Phones) -> None:
    page = phones.page("/boards", DESK)
    page.get_by_role("button", name="Begin with a copy").click()
    page.fill("#board-name", "Ours")
    space(page, 5).click()
    page.keyboard.type("r8")
    expect(finding(page, "In the rule book’s example, space 5 is the green 10.")).to_be_visible()
    expect(finding(page, "Front, space 31: the red 8 is on space 5 too. Is that printed so?")).to_be_visible()
    page.click("#mode-points")
    space(page, 30).click()
    page.keyboard.type("3")
    wrong = finding(
        page, "Front, space 30: here go 15 to 20 extra points, never fewer than before; there stands “3”."
    )
    expect(wrong).to_be_visible()
    page.click(".save")
    expect(page.locator("#told")).to_have_text("Not saved yet: see what is still wrong below.")
    assert shelf_of(phones).own == ()
    wrong.locator("button").click()
    expect(space(page, 30)).to_be_focused()
    page.keyboard.type("15")
    expect(wrong).to_have_count(0)
    page.click(".save")
    expect(page.locator(".saved")).to_be_visible()
    assert shelf_of(phones).own[0].board.front.points(30) == 15


def test_points_are_typed_with_numbers_equals_and_plus(phones: Phones) -> None:
    page = phones.page("/boards", DESK)
    page.click("#mode-points")
    space(page, 1).click()
    page.keyboard.type("1")
    page.keyboard.press("Enter")
    page.keyboard.type("=+4")
    page.keyboard.type("12")
    points = [space(page, number).locator(".points").inner_text() for number in range(1, 7)]
    assert points == ["1", "1", "2", "4", "12", "3"]


def test_a_board_is_entered_by_touch_alone_on_a_phone(phones: Phones) -> None:
    page = phones.page("/boards", (412, 839))
    page.fill("#board-name", "By thumb")
    for number, each in enumerate(HOUSE.front.spaces, 1):
        page.locator(f".ink.{each.cell.colour}").tap()
        page.get_by_role("button", name=str(each.cell.number), exact=True).and_(page.locator(".number")).tap()
        if number in (8, 40):
            expect(page.locator("#side-front")).to_have_text(f"Front · {number} of 40")
            expect(space(page, min(40, number + 1))).to_be_in_viewport()
    page.locator("#side-back").tap()
    page.locator(".ink.red").tap()
    page.get_by_role("button", name="2", exact=True).and_(page.locator(".number")).tap()
    page.locator(".undo").tap()
    expect(page.locator("#side-back")).to_have_text("Back · 0 of 40")
    page.locator(".skip").tap()
    expect(space(page, 2)).to_have_attribute("aria-current", "true")
    for box in boxes(page, ".pad button"):
        assert min(box["width"], box["height"]) >= 44


def test_what_was_typed_is_there_again_after_a_reload(phones: Phones) -> None:
    page = phones.page("/boards", DESK)
    space(page, 1).click()
    page.keyboard.type("r7y3")
    page.reload()
    expect(page.locator("#side-front")).to_have_text("Front · 2 of 40")
    expect(space(page, 3)).to_have_attribute("aria-current", "true")


def test_a_board_goes_out_as_a_file_and_comes_in_again(phones: Phones, tmp_path: Path) -> None:
    page = phones.page("/boards", DESK)
    with page.expect_download() as download:
        page.locator("#kept a", has_text="Export").last.click()
    file = tmp_path / "mine.board"
    download.value.save_as(file)
    text = file.read_text(encoding="utf-8")
    assert text == str(HOUSE)
    file.write_text(text.replace("board Boxlid house board", "board Brought along"), encoding="utf-8")
    page.set_input_files("#import", file)
    expect(page.locator("#board-name")).to_have_value("Brought along")
    page.click(".save")
    expect(page.locator("#kept li").first).to_contain_text("Brought along")
    file.write_text(text.replace("4 Y2 2", "4 Q2 2"), encoding="utf-8")
    page.set_input_files("#import", file)
    expect(page.locator("#told")).to_have_text(
        "mine.board, line 6: a number is R, Y, G or B with 2 to 12, such as R7; there stands “Q2”."
    )


def test_deleting_and_leaving_what_is_not_saved_ask_first(phones: Phones) -> None:
    page = phones.page("/boards", DESK)
    page.get_by_role("button", name="Begin with a copy").click()
    page.fill("#board-name", "Ours")
    page.get_by_role("button", name="Enter a new one").click()
    page.get_by_role("button", name="Stay here").click()
    expect(page.locator("#board-name")).to_have_value("Ours")
    page.click(".save")
    expect(page.locator(".saved")).to_be_visible()
    page.get_by_role("button", name="Enter a new one").click()
    expect(page.locator("#board-name")).to_have_value("")
    page.get_by_role("button", name="Delete").click()
    assert len(shelf_of(phones).own) == 1
    page.get_by_role("alertdialog", name="Delete Ours?").get_by_text("Delete", exact=True).click()
    expect(page.locator("#kept li", has_text="Ours")).to_have_count(0)
    assert shelf_of(phones).own == ()


@pytest.mark.parametrize("size", [(412, 839), (320, 568), DESK], ids=str)
@in_each_look()
def test_the_page_is_sound_and_fits_the_width(
    size: tuple[int, int], scheme: str, locale: str, phones: Phones
) -> None:
    page = phones.page("/boards", size, color_scheme=scheme, locale=locale)
    space(page, 1).click()
    page.keyboard.type("r7r7q")
    expect(page.locator("#findings li").first).to_be_visible()
    assert page.evaluate("() => document.scrollingElement.scrollWidth") <= size[0]
    check(page)
    page.click("#mode-points")
    check(page)
