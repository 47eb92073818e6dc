"""What every screen must keep: nothing cut off, big enough to hit, readable by all eyes and by axe."""

import re
from itertools import combinations

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from companion.game import Crossed, SheetCorrected
from companion.rules import Cell, Sheet
from companion.table.eyes import Eyes, EyesState, ShownDie
from tests.browser.colours import DEFICIENCIES, Array, ciede2000, distance
from tests.browser.conftest import ROLL, Phones
from tests.browser.sound import at_each, boxes, check, still
from tests.web_table import CODE

UPRIGHT = [(320, 454), (375, 553), (412, 839)]
SIDEWAYS = [(height, width) for width, height in UPRIGHT]
SIZES = UPRIGHT + SIDEWAYS
SMALLEST, WANTED = 24, 44


def middle_of_a_game(phones: Phones) -> None:
    phones.stand.start(players=3)
    phones.stand.play(SheetCorrected(0, 0, Sheet.parse("R3 R5 R6 Y4 Y9 G12 G11 G9 G8 G7 B10 M2")))
    phones.stand.roll("W5 W6 R2 Y5 G6 B1")


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_the_sheet_fits_without_scrolling_and_every_box_can_be_hit(locale: str, phones: Phones) -> None:
    middle_of_a_game(phones)
    anna = phones.sit(0, SIZES[0], locale=locale)
    expect(anna.locator(".sum")).to_be_visible()
    for width, height in at_each(anna, SIZES):
        assert anna.evaluate("() => document.scrollingElement.scrollHeight") <= height
        assert anna.evaluate("() => document.scrollingElement.scrollWidth") <= width
        cells = boxes(anna, ".cell")
        assert len(cells) == 44
        for box in cells + boxes(anna, "button:visible"):
            assert min(box["width"], box["height"]) >= SMALLEST, (width, height, box)
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= width + 0.5
            assert box["y"] + box["height"] <= height + 0.5
        if width < height:
            assert min(box["width"] for box in cells) >= WANTED
        if (width, height) == (412, 839):
            assert min(box["height"] for box in cells) >= WANTED
        for one, two in combinations(cells, 2):
            apart = one["x"] + one["width"] <= two["x"] or two["x"] + two["width"] <= one["x"]
            above = one["y"] + one["height"] <= two["y"] or two["y"] + two["height"] <= one["y"]
            assert apart or above


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_two_rows_closed_at_once_are_said_without_scrolling(locale: str, phones: Phones) -> None:
    phones.stand.start(players=3)
    for seat in range(3):
        phones.stand.play(SheetCorrected(0, seat, Sheet.parse("R2 R3 R5 R6 R10 Y5 Y6 Y7 Y8 Y9")))
    phones.stand.roll("W6 W6 R2 Y5 G6 B1")
    phones.stand.play(Crossed(1, Cell.parse("R12")))
    phones.stand.play(Crossed(2, Cell.parse("Y12")))
    anna = phones.sit(0, SIZES[0], locale=locale)
    expect(anna.locator(".banner")).to_have_count(2)
    for width, height in at_each(anna, SIZES):
        assert anna.evaluate("() => document.scrollingElement.scrollHeight") <= height, (width, height)
        for box in boxes(anna, ".cell"):
            assert min(box["width"], box["height"]) >= SMALLEST, (width, height, box)


def test_upright_each_colour_has_two_lines_and_sideways_one(phones: Phones) -> None:
    middle_of_a_game(phones)
    for size, lines in (((375, 553), 2), ((667, 375), 1)):
        anna = phones.sit(0, size)
        expect(anna.locator(".row")).to_have_count(4)
        for row in ("red", "yellow", "green", "blue"):
            tops = {round(box["y"]) for box in boxes(anna, f".row.{row} .cell")}
            assert len(tops) == lines


def test_text_twice_as_large_stays_on_the_screen(phones: Phones) -> None:
    middle_of_a_game(phones)
    anna = phones.sit(0, (375, 553))
    expect(anna.locator(".sum")).to_be_visible()
    anna.evaluate("() => document.documentElement.style.setProperty('font-size', '200%')")
    assert anna.evaluate("() => document.scrollingElement.scrollWidth") <= 375
    for box in boxes(anna, "button:visible"):
        assert box["x"] + box["width"] <= 375.5
    for selector in (".cell span", "#finish", "#undo", "#headline"):
        for each in anna.locator(selector).all():
            assert each.evaluate("(node) => node.scrollWidth <= node.clientWidth + 1 || !node.clientWidth")


def rgb(text: str) -> Array:
    numbers = re.findall(r"[\d.]+", text)
    return np.array([float(number) for number in numbers[:3]])


def test_the_measure_of_colours_is_the_published_one() -> None:
    """Pairs 1, 7 and 17 of Sharma, Wu, Dalal 2005."""
    for one, two, wanted in (
        ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
        ((50, 0, 0), (50, -1, 2), 2.3669),
        ((50, 2.5, 0), (73, 25, -18), 27.1492),
    ):
        assert ciede2000(np.array(one, float), np.array(two, float)) == pytest.approx(wanted, abs=1e-4)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_rows_and_dice_stay_apart_under_every_colour_vision(scheme: str, phones: Phones) -> None:
    phones.stand.start()
    phones.stand.roll(ROLL)
    anna = phones.sit(0, color_scheme=scheme)
    shown(anna, ".die.red .face")
    still(anna)
    background = "(node) => getComputedStyle(node).backgroundColor"
    for selector in (".row.{}", ".die.{} .face"):
        colours = [
            rgb(anna.locator(selector.format(name)).evaluate(background))
            for name in ("red", "yellow", "green", "blue")
        ]
        for deficiency in DEFICIENCIES:
            for one, two in combinations(colours, 2):
                assert distance(one, two, deficiency) >= 20, (selector, deficiency, one, two)


def test_every_row_and_die_has_its_letter_and_shape(phones: Phones) -> None:
    phones.stand.start()
    phones.stand.roll(ROLL)
    ben = phones.sit(1)
    expect(ben.locator(".row-head b")).to_have_text(["R", "Y", "G", "B"])
    expect(ben.locator(".row-head .shape")).to_have_count(4)
    expect(ben.locator(".die:not(.white) .below")).to_have_text(["R", "Y", "G", "B"])


def test_actions_differ_in_the_shape_of_their_ring_not_in_hue(phones: Phones) -> None:
    phones.stand.start()
    phones.stand.roll(ROLL)
    anna = phones.sit(0)
    ring = "(node) => getComputedStyle(node).boxShadow"
    first = anna.locator('[data-legal="1"]').first.evaluate(ring)
    second = anna.locator('[data-legal="2"]').first.evaluate(ring)
    assert (first.count("inset"), second.count("inset")) == (1, 3)
    assert first.split("px")[0].rsplit(" ", 1)[0] in second  # the same ink


def test_nothing_moves_for_who_wants_no_motion(phones: Phones) -> None:
    phones.stand.start()
    phones.stand.roll(ROLL)
    anna = phones.sit(0, reduced_motion="reduce")
    anna.locator('[data-cell="R12"]').tap()
    expect(anna.locator("#toast")).to_be_visible()
    assert anna.evaluate("() => document.getAnimations().length") == 0


def test_forced_colours_keep_crosses_and_rings(phones: Phones) -> None:
    middle_of_a_game(phones)
    anna = phones.sit(0, forced_colors="active")
    legal = anna.locator('.cell[data-legal="1"]').first
    assert legal.evaluate("(node) => getComputedStyle(node).borderTopWidth") == "4px"
    crossed = anna.locator('.cell[data-state="crossed"]').first
    ink = crossed.evaluate("(node) => getComputedStyle(node, '::after').backgroundColor")
    ground = crossed.evaluate("(node) => getComputedStyle(node).backgroundColor")
    assert ink != ground


# --- axe ------------------------------------------------------------------------------------------------


def shown(page: Page, selector: str) -> Locator:
    found = page.locator(selector).first
    expect(found).to_be_visible()
    return found


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_the_pages_around_the_game(scheme: str, phones: Phones) -> None:
    page = phones.page("", color_scheme=scheme)
    for path in ("/", f"/join?code={CODE}", "/table", "/panel", "/help", "/nowhere"):
        page.goto(phones.address + path)
        check(page, path)
    phones.stand.seat(3)
    page.goto(f"{phones.address}/join")
    check(page, "/join with seats")
    lobby = phones.sit(0, color_scheme=scheme)
    for summary in lobby.locator("summary").all():
        summary.click()
    check(lobby, "lobby")
    page.goto(f"{phones.address}/table")
    check(page, "table lobby")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_a_game(scheme: str, phones: Phones) -> None:
    middle_of_a_game(phones)
    anna, ben = phones.sit(0, color_scheme=scheme), phones.sit(1, color_scheme=scheme)
    table = phones.page("/table", (1280, 720), color_scheme=scheme)
    shown(anna, ".sum")
    anna.locator('[data-legal="1"]').first.tap()
    check(anna, "sheet")
    check(ben, "sheet of another")
    check(table, "table")
    anna.click("#others")
    check(anna, "others")
    anna.keyboard.press("Escape")
    anna.click("#menu")
    anna.locator("dialog summary").last.click()
    check(anna, "menu")
    anna.keyboard.press("Escape")
    anna.locator(".die.red").tap()
    check(anna, "pad")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_where_the_camera_asks_and_at_the_end(scheme: str, phones: Phones) -> None:
    phones.stand.start()
    dice = tuple(ShownDie("white", 3, 90, doubtful=bool(n), crop="white-1") for n in range(2))
    phones.stand.table.tell(Eyes(EyesState.ASK, dice=dice))
    anna = phones.sit(0, color_scheme=scheme)
    shown(anna, ".die.doubtful").tap()
    check(anna, "whole roll")
    anna.keyboard.press("Escape")
    phones.stand.play(SheetCorrected(0, 0, Sheet.parse("R2 R3 R4 R5 R6 R12 Y2 Y3 Y4 Y5 Y6 Y12")))
    shown(anna, ".reckoning")
    check(anna, "end")
    table = phones.page("/table", (1280, 720), color_scheme=scheme)
    shown(table, ".reckoning")
    check(table, "end on the table")
