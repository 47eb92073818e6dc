"""Mixx A: every picture of a sheet shows each cell in its own colour, not in that of its row's lock."""

from collections import defaultdict
from itertools import pairwise

import pytest
from playwright.sync_api import Page, expect

from companion.game import Crossed, Done, Setup, SheetCorrected, Stopped
from companion.rules import Cell, Sheet, layout_named
from companion.table.snapshot import GameStarted, TableCleared
from tests.browser.conftest import ROLL, Phones
from tests.browser.sheet_page import cell, tap
from tests.browser.sound import boxes, check, in_each_look
from tests.web_table import NAMES

MIXX = layout_named("mixx-a")
OWN = {str(cell): str(cell.colour) for row in MIXX.rows for cell in row.cells if cell.colour is not row.lock}
ANNA = "mixx-a: Y2 Y4 B6 R4 G4 G6 B8 B11 R6 G11 R9 Y6"
COLOURS = ("red", "yellow", "green", "blue")
# Of each cell: what it is, how it stands, and how it looks.
LOOKS = """(nodes) => nodes.map((node) => {
    const style = getComputedStyle(node);
    const {state, legal, chosen, fresh} = node.dataset;
    const pressed = node.getAttribute("aria-pressed");
    return {classes: [...node.classList], stands: [state, legal, chosen, fresh, pressed].join(" "),
            look: style.backgroundColor + style.boxShadow};
})"""


def in_own_colours(page: Page, selector: str, sheets: int = 1) -> None:
    """Of the same standing, cells of one colour look alike and those of two colours do not."""
    expect(page.locator(selector).first).to_be_visible()
    found = page.locator(f"{selector}.own").evaluate_all(LOOKS)
    assert len(found) == sheets * len(OWN)
    looks: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for each in found:
        (colour,) = [name for name in each["classes"] if name in COLOURS]
        looks[each["stands"]][colour].add(each["look"])
    assert len(looks) > 1
    for stands, by_colour in looks.items():
        assert all(len(each) == 1 for each in by_colour.values()), (stands, by_colour)
        assert len(set.union(*by_colour.values())) == len(by_colour), (stands, by_colour)


def of_mixed_rows(phones: Phones) -> None:
    phones.stand.seat(2)
    phones.stand.play(GameStarted(Setup(NAMES[:2], layout=MIXX)))
    phones.stand.play(SheetCorrected(0, 0, Sheet.parse(ANNA)))


@in_each_look()
def test_ones_own_sheet_also_where_cells_are_legal_or_chosen(
    scheme: str, locale: str, phones: Phones
) -> None:
    of_mixed_rows(phones)
    phones.stand.roll(ROLL)
    anna = phones.sit(0, (320, 454), color_scheme=scheme, locale=locale)
    expect(anna.locator(".cell.own[data-legal]")).to_have_count(3)
    for name, colour in OWN.items():
        assert colour in (cell(anna, name).get_attribute("class") or "").split()
    in_own_colours(anna, ".cell")
    expect(anna.locator(".cell.own .badge .shape")).to_have_count(len(OWN))  # colour never stands alone
    tap(anna, "B7")
    expect(cell(anna, "B7")).to_have_attribute("data-chosen", "1")
    check(anna, "mixed rows")


def test_the_sheets_of_others_and_the_one_that_is_put_right(phones: Phones) -> None:
    of_mixed_rows(phones)
    anna = phones.sit(0, (320, 454))
    anna.locator("#others").tap()
    in_own_colours(anna, ".mini > i", sheets=2)
    expect(anna.locator(".player").first.locator(".mini.red")).to_have_attribute(
        "aria-label", "red: yellow 2, yellow 4, blue 6"
    )
    anna.keyboard.press("Escape")
    anna.locator("#menu").tap()
    anna.get_by_text("Put something right").tap()
    anna.get_by_role("button", name="Correct a sheet: Anna").tap()
    in_own_colours(anna, ".fix-cell")
    expect(anna.get_by_role("button", name="yellow 4", exact=True)).to_have_attribute("aria-pressed", "true")
    found = boxes(anna, ".mini.big.red .fix-cell")
    for one, other in pairwise(found):
        assert one["width"] >= 24
        assert one["x"] + one["width"] <= other["x"] or one["y"] < other["y"]


@pytest.mark.parametrize("java_script_enabled", [True, False], ids=["replay", "without-scripts"])
def test_the_past_in_its_colours_and_with_the_sheets_name(java_script_enabled: bool, phones: Phones) -> None:
    of_mixed_rows(phones)
    phones.stand.roll(ROLL)
    phones.stand.play(Crossed(1, Cell.parse("B7")))
    for seat in (1, 0):
        phones.stand.play(Done(seat))
    phones.stand.play(Stopped(0))
    phones.stand.play(TableCleared())
    page = phones.page("/history", (412, 839), java_script_enabled=java_script_enabled)
    expect(page.locator(".past-how")).to_contain_text("Original · Mixx A")
    page.locator(".past-game").tap()
    expect(page.locator(".past-top")).to_contain_text("Mixx A")
    in_own_colours(page, ".past-row > i", sheets=2)
    expect(page.locator(".past-sheet").nth(1).locator(".past-row.red")).to_have_attribute(
        "aria-label", "red: blue 7"
    )


def test_the_usual_sheet_has_no_second_colour_and_no_name(phones: Phones) -> None:
    phones.stand.start()
    phones.stand.play(Stopped(0))
    page = phones.page("/history", (412, 839))
    expect(page.locator(".past-how")).to_contain_text("Original")
    expect(page.locator(".past-how")).not_to_contain_text("Classic")
    anna = phones.sit(0)
    expect(anna.locator(".cell")).to_have_count(44)
    expect(anna.locator(".own")).to_have_count(0)
