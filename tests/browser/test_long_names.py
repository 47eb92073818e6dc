"""Five players with the longest names on the table display: everything is shown, whole, in every phase."""

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, expect

from companion.boards import house_board
from companion.game import LONGEST_NAME, Crossed, Done, Edition, Phase, Rolled, Setup, SheetCorrected, Stopped
from companion.rules import Cell, Roll, Sheet
from companion.table.seats import Mark, SeatLeft, SeatTaken
from companion.table.snapshot import GameStarted
from companion.table.table import Command
from tests.browser.conftest import ROLL, Phones, read_as
from tests.browser.sound import at_each, boxes
from tests.web_table import TOKENS
from web.access.identity import hash_of

DISPLAYS = [(1280, 720), (1920, 1080)]
USUAL = (
    "Maximiliane-Charlotte An",
    "Christopher Montgomery B",
    "Annalena von der Wiesent",
    "Bartholomäus Feuerstein",
    "Wilhelmina Grünenwald-Mu",
)
WIDE = tuple(f"{letter} WWWWWW MMMMMMM WWWWWWW" for letter in "ABCDE")
UNBROKEN = tuple(letter + "M" * (LONGEST_NAME - 1) for letter in "ABCDE")
CLOSING = "W6 W6 R2 Y5 G6 B1"
READY = "R2 R3 R4 R5 R6 Y2 Y3 Y4 Y5 Y6 M1"

# What stands out of the window or of the box around it; dice and names one by one.
OUTSIDE = """() => {
    const out = [];
    const beyond = (inner, outer) => inner.left < outer.left - 1 || inner.right > outer.right + 1
        || inner.top < outer.top - 1 || inner.bottom > outer.bottom + 1;
    const screen = {left: 0, top: 0, right: innerWidth, bottom: innerHeight};
    for (const node of document.querySelectorAll("#screen *")) {
        if (!node.getClientRects().length) continue;
        const box = node.getBoundingClientRect();
        const name = `${node.tagName}.${node.className} ${node.textContent.slice(0, 30)}`;
        if (beyond(box, screen)) out.push(`off the screen: ${name}`);
        if (getComputedStyle(node).textOverflow === "ellipsis") out.push(`shortened: ${name}`);
        const around = node.parentElement.closest(".middle, .player, .turn, .table-lobby, .end-table");
        const hangs = node.matches(".thinks"); // on the card's edge, on purpose
        const leaves = around && !hangs && beyond(box, around.getBoundingClientRect());
        if (leaves) out.push(`out of its box: ${name}`);
    }
    return out;
}"""


def lid(_letters: str) -> bytes:
    """A picture as large as a camera's."""
    done, data = cv2.imencode(".jpg", np.full((960, 1280, 3), 90, np.uint8))
    assert done
    return data.tobytes()


def seat(phones: Phones, names: tuple[str, ...]) -> None:
    for name, mark, token in zip(names, Mark, TOKENS, strict=True):
        phones.stand.play(SeatTaken(name, mark, hash_of(token)))


def to_sheets(phones: Phones) -> None:
    for number in range(5):
        phones.stand.play(SheetCorrected(0, number, Sheet.parse(READY)))


def roll(phones: Phones) -> None:
    phones.stand.play(Rolled(Roll.parse(CLOSING)))


def close_rows(phones: Phones) -> None:
    for number in range(5):
        phones.stand.play(Crossed(number, Cell.parse("R12" if number % 2 else "Y12")))


def to_action_2(phones: Phones) -> None:
    phones.stand.play(Crossed(1, Cell.parse("R12")))
    while (game := phones.stand.table.snapshot.game) is not None and game.phase is Phase.FIRST:
        phones.stand.play(Done(game.deciding[0]))


STEPS: dict[str, tuple[Callable[[Phones], object], ...]] = {
    "roll": (to_sheets,),
    "first": (to_sheets, roll),
    "closing": (to_sheets, roll, close_rows),
    "second": (to_sheets, roll, to_action_2),
    "over": (to_sheets, lambda phones: phones.stand.play(Stopped(0))),
}


def all_is_shown(table: Page, names: tuple[str, ...], where: str) -> None:
    for width, height in at_each(table, DISPLAYS):
        scrolls = table.evaluate(
            "() => [document.scrollingElement.scrollWidth, document.scrollingElement.scrollHeight]"
        )
        assert scrolls == [width, height], where
        assert table.evaluate(OUTSIDE) == [], (where, width)
        text = table.locator("#screen").inner_text().replace("\n", " ")
        for name in names:
            assert name in text, (where, name)


@pytest.fixture(params=[USUAL, WIDE, UNBROKEN], ids=["usual", "wide", "unbroken"])
def names(request: pytest.FixtureRequest) -> tuple[str, ...]:
    given: tuple[str, ...] = tuple(name.strip() for name in request.param)
    return given


@pytest.mark.parametrize("phones", [{"picture": lid}], indirect=True, ids=["lid"])
@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_the_display_holds_five_long_names_in_every_phase(
    locale: str, names: tuple[str, ...], phones: Phones
) -> None:
    assert LONGEST_NAME == 24
    seat(phones, names)
    table = phones.page("/table", DISPLAYS[0], locale=locale)
    expect(table.locator("#seats li")).to_have_count(5)
    all_is_shown(table, names, "lobby")
    for phase, steps in STEPS.items():
        phones.stand.play(GameStarted(Setup(names)))
        for step in steps:
            step(phones)
        phones.stand.table.tell(read_as(CLOSING))
        shown = ".reckoning" if phase == "over" else ".player >> nth=4"
        expect(table.locator(shown)).to_be_visible()
        expect(table.locator(".thinks:visible")).to_have_count(
            {"first": 5, "closing": 5, "second": 1}.get(phase, 0)
        )
        all_is_shown(table, names, phase)
        if phase != "over":
            phones.stand.play(Stopped(0))
            expect(table.locator(".reckoning")).to_be_visible()


def test_the_lot_holds_five_long_names(names: tuple[str, ...], phones: Phones) -> None:
    seat(phones, names)
    phones.stand.table.play(Command(GameStarted(Setup(names)), by_lot=True))
    table = phones.page("/table", DISPLAYS[0])
    expect(table.locator(".lot li")).to_have_count(5)
    for width, height in at_each(table, DISPLAYS):
        for box in boxes(table, ".lot b, .lot li"):
            assert box["x"] >= 0
            assert box["y"] >= 0
            assert box["x"] + box["width"] <= width, box
            assert box["y"] + box["height"] <= height, box


@pytest.mark.parametrize("phones", [{"picture": lid}], indirect=True, ids=["lid"])
def test_the_display_holds_four_long_names_beside_the_board(names: tuple[str, ...], phones: Phones) -> None:
    seat(phones, names)
    phones.stand.play(SeatLeft(4))
    phones.stand.play(GameStarted(Setup(names[:4], edition=Edition.ON_BOARD, board=house_board().front)))
    phones.stand.table.tell(read_as(ROLL))
    table = phones.page("/table", DISPLAYS[0])
    expect(table.locator(".player")).to_have_count(4)
    all_is_shown(table, names[:4], "on board")
    phones.stand.roll(ROLL)
    expect(table.locator(".thinks:visible")).to_have_count(4)
    all_is_shown(table, names[:4], "on board, action 1")


def test_the_lobby_of_a_full_table_says_nothing_that_is_no_word(phones: Phones) -> None:
    phones.stand.seat(5)
    anna = phones.sit(0)
    expect(anna.locator(".seats li")).to_have_count(5)
    assert "null" not in anna.locator("#lobby").inner_text()
