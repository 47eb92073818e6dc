"""On Board on the screens: the board on the table display, the spaces to land on upon the phone."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, expect

from companion.boards import house_board
from companion.game import Done, Edition, Phase
from companion.rules import Sheet
from tests.browser.conftest import ROLL, Phones, read_as
from tests.browser.sound import at_each, boxes, check

SHEETS = ("G10 R3 B12 B9", "G8 Y5 Y6 B10 M1", "empty", "R2 R3 R4 Y3 Y4 B11 B10 B7 M2")
DISPLAYS = [(1920, 1080), (1024, 768), (1280, 720), (800, 1280)]
CUT_OFF = """(nodes) => nodes.filter((node) =>
    node.scrollWidth > node.clientWidth + 1 || node.scrollHeight > node.clientHeight + 1
).map((node) => node.textContent)"""


def on_board(phones: Phones, pieces: tuple[int, ...] = (7, 9, 0, 21)) -> None:
    """A game that has been going on for a while."""
    phones.stand.start(len(pieces), edition=Edition.ON_BOARD, board=house_board().front)
    table = phones.stand.table
    game = table.snapshot.game
    assert game is not None
    sheets = tuple(Sheet.parse(text) for text in SHEETS[: len(pieces)])
    table._snapshot = replace(table.snapshot, game=replace(game, pieces=pieces, sheets=sheets))


def lid(_letters: str) -> bytes:
    """A picture as large as a camera's."""
    done, data = cv2.imencode(".jpg", np.full((960, 1280, 3), 90, np.uint8))
    assert done
    return data.tobytes()


def to_action_3(phones: Phones) -> None:
    phones.stand.roll(ROLL)
    while (game := phones.stand.table.snapshot.game) is not None and game.phase is not Phase.THIRD:
        phones.stand.play(Done(game.deciding[0]))


def steps(page: Page) -> list[str]:
    return page.locator(".board .step:visible").all_text_contents()


@pytest.mark.parametrize("phones", [{"picture": lid}], indirect=True, ids=["lid"])
@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_the_board_fits_the_display_beside_everything_else(locale: str, phones: Phones) -> None:
    on_board(phones)
    phones.stand.roll(ROLL)
    phones.stand.table.tell(read_as(ROLL))
    table = phones.page("/table", DISPLAYS[0], locale=locale)
    expect(table.locator(".board .space")).to_have_count(40)
    table.wait_for_function("() => document.querySelector('.lid-picture')?.naturalWidth === 1280")
    for width, height in at_each(table, DISPLAYS):
        for axis, length in (("Width", width), ("Height", height)):
            assert table.evaluate(f"() => document.scrollingElement.scroll{axis}") <= length
        assert table.locator(".board .space").evaluate_all(CUT_OFF) == [], (width, height)
        numbers = table.locator(".board .space b").first.evaluate(
            "(node) => parseFloat(getComputedStyle(node).fontSize)"
        )
        # two and a half hundredths of the screen's width: read from three metres
        assert numbers >= width * 0.026


def test_the_display_shows_pieces_and_after_the_roll_the_free_spaces_ahead(phones: Phones) -> None:
    on_board(phones)
    table = phones.page("/table", (1920, 1080))
    expect(table.locator(".board .start .mark.triangle")).to_be_visible()
    expect(table.locator(".board .space").nth(6).locator(".mark.circle")).to_be_visible()
    expect(table.locator(".board .space").nth(20).locator(".mark.diamond")).to_be_visible()
    assert steps(table) == []
    phones.stand.roll(ROLL)
    expect(table.locator(".board [data-step]")).to_have_count(5)
    assert steps(table) == ["1", "2", "3", "4", "5"]  # space 9 is occupied and not counted
    assert table.locator(".board .space").nth(8).get_attribute("data-step") is None


def test_in_action_3_the_display_keeps_only_the_spaces_that_may_be_landed_on(phones: Phones) -> None:
    on_board(phones, (0, 9))
    table = phones.page("/table", (1024, 768))
    to_action_3(phones)
    game = phones.stand.table.snapshot.game
    assert game is not None
    assert 0 < len(game.landings()) < len(game.reach())
    expect(table.locator(".board [data-lands]")).to_have_count(len(game.landings()))
    assert len(steps(table)) == len(game.landings())


def test_a_landing_on_the_phone_says_whether_its_number_is_crossed_and_moves_the_piece(
    phones: Phones,
) -> None:
    on_board(phones)
    table, anna = phones.page("/table", (1280, 720)), phones.sit(0, (320, 568))
    to_action_3(phones)
    expect(anna.locator(".landing")).to_have_count(5)
    crossed = anna.locator(".landing", has=anna.locator(".crossed"))
    expect(crossed).to_have_count(1)
    expect(crossed).to_have_attribute(
        "aria-label", "Space 11: the blue 9, worth 6, crossed already, so no new cross"
    )
    for box in boxes(anna, ".landing"):
        assert box["width"] >= 44
    crossed.tap()
    expect(anna.locator("#finish")).to_have_text("Take −5")
    anna.locator(".landing").first.tap()
    expect(anna.locator("#finish")).to_have_text("Done")
    anna.click("#finish:not([data-held])")
    expect(table.locator(".board .space").nth(7).locator(".mark.circle")).to_be_visible()


def test_a_phone_shows_the_board_above_everybodys_sheets(phones: Phones) -> None:
    on_board(phones)
    ben = phones.sit(1, (320, 568), locale="de-DE")
    ben.click("#others")
    expect(ben.locator("dialog .board .space")).to_have_count(40)
    tenth = ben.locator("dialog .board .space").nth(9)
    expect(tenth).to_have_attribute("aria-label", "Feld 10: die rote 5, zählt 5")
    phones.stand.roll(ROLL)  # the open sheets follow the table
    expect(tenth).to_have_attribute("aria-label", "Feld 10: die rote 5, zählt 5, 2 weiter")
    assert ben.evaluate("() => document.querySelector('dialog').scrollWidth") <= 320
    check(ben)


def test_axe_finds_nothing_on_the_board(phones: Phones) -> None:
    on_board(phones)
    to_action_3(phones)
    table, anna = phones.page("/table", (1920, 1080)), phones.sit(0)
    expect(table.locator(".board [data-lands]").first).to_be_visible()
    expect(anna.locator(".landing").first).to_be_visible()
    for page in (table, anna):
        check(page)
