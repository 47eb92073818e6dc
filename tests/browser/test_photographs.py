"""A phone's photograph in a real browser: from the file to the roll, by page, server, reader and table."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from companion.game import Done, Phase, Rolled, Setup, Source
from companion.host import Host, Options, photographs
from companion.host.photographs import opened
from companion.rules import Roll
from companion.settings.config import Config, OfferFirst, TableConfig
from companion.table.seats import Mark, SeatTaken
from companion.table.snapshot import GameStarted
from companion.table.table import Command
from tests.browser.conftest import Pages, Phones
from tests.waiting import PATIENCE
from tests.web_table import TOKENS
from vision.image.arrays import Image
from vision.image.picture import size_in_header
from web import Photographed
from web.access.identity import PHONE_COOKIE, hash_of
from web.serving.server import Server

PICTURES = Path(__file__).parents[1] / "pictures"
SURE = PICTURES / "places" / "wood_110.jpg"
ROLL = Roll.parse("W2 W2 R5 Y5 G6 B5")
DIE_MISSING = PICTURES / "lids" / "cocked_100050.jpg"
SIZES = [(412, 839), (320, 454)]


@contextmanager
def sat(
    browser: Browser, state: Path, size: tuple[int, int], locale: str, config: Config | None = None
) -> Iterator[tuple[Pages, Page]]:
    """Anna's phone, whose turn it is, at a table without a camera of its own."""
    with Host(config or Config(), Options(state, simulate=True)) as host:
        for name, mark, token in zip(("Anna", "Ben"), Mark, TOKENS, strict=False):
            host.table.play(Command(SeatTaken(name, mark, hash_of(token))))
        host.table.play(Command(GameStarted(Setup(("Anna", "Ben")))))
        with Server(host.app) as server:
            pages = Pages(server.port, browser, host.table)
            page = pages.page("", size, locale=locale)
            page.context.add_cookies([{"name": PHONE_COOKIE, "value": TOKENS[0], "url": pages.address}])
            page.goto(f"{pages.address}/phone")
            try:
                yield pages, page
            finally:
                pages.close()
    assert pages.faults == []


def take(page: Page, button: str, file: Path) -> None:
    """The tap opens the phone's camera; what it gives is the file."""
    with page.expect_file_chooser() as chosen:
        page.get_by_role("button", name=button).tap()
    chosen.value.set_files(file)


def nothing_overflows(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


@dataclass(frozen=True)
class Words:
    """What a phone says on the way."""

    first: str
    again: str
    by_hand: str
    no_dice: str
    missing: str
    read: str


WORDS = {
    "en-GB": Words(
        "Photograph the dice",
        "Photograph the dice again",
        "Enter by hand",
        "No dice are seen: photograph them from above.",
        "The green die is missing: photograph all dice.",
        "White 2 + 2 = 4",
    ),
    "de-DE": Words(
        "Würfel fotografieren",
        "Die Würfel noch einmal fotografieren",
        "Von Hand",
        "Kein Würfel zu sehen: Fotografiere von oben.",
        "Der grüne Würfel fehlt: Fotografiere alle Würfel.",
        "Weiß 2 + 2 = 4",
    ),
}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("locale", WORDS)
def test_a_wall_is_a_sentence_a_doubtful_die_is_asked_and_a_sure_photograph_is_the_roll(
    browser: Browser, tmp_path: Path, size: tuple[int, int], locale: str
) -> None:
    words = WORDS[locale]
    wall = tmp_path / "wall.png"
    cv2.imwrite(str(wall), np.full((900, 1200, 3), 170, np.uint8))
    with sat(browser, tmp_path / "state", size, locale) as (pages, page):
        expect(page.locator(".roll-way").first).to_have_text(words.first)  # there is no camera here
        assert nothing_overflows(page)
        take(page, words.first, wall)
        expect(page.locator("#hint")).to_have_text(words.no_dice)
        expect(page.get_by_role("button", name=words.by_hand)).to_be_visible()
        take(page, words.again, DIE_MISSING)
        expect(page.locator("#hint")).to_have_text(words.missing)
        assert nothing_overflows(page)
        page.locator(".die.doubtful").first.tap()
        expect(page.locator("dialog img.crop")).to_be_visible()
        page.locator("dialog .icon-button").tap()
        take(page, words.again, SURE)
        expect(page.locator("#headline")).to_have_text(words.read)
        expect(page.locator("dialog")).to_have_count(0)
        game = pages.table.snapshot.game
        assert game is not None
        assert game.phase is Phase.FIRST
        assert game.turn is not None
        assert game.turn.roll == ROLL
        assert pages.table.journal.entries()[-1].line.endswith("camera")


def test_a_photograph_is_made_smaller_and_shown_while_it_is_read(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture = cv2.imread(str(SURE))
    assert picture is not None
    large = tmp_path / "large.png"
    cv2.imwrite(str(large), cv2.resize(picture, (4000, 3000)))
    sent: list[bytes] = []
    shown = threading.Event()

    def slowly(content: bytes) -> Image | Photographed:
        sent.append(content)
        assert shown.wait(PATIENCE)
        return opened(content)

    monkeypatch.setattr(photographs, "opened", slowly)
    with sat(browser, tmp_path / "state", SIZES[0], "en-GB") as (_, page):
        take(page, "Photograph the dice", large)
        expect(page.locator("dialog canvas")).to_be_visible()
        expect(page.locator("dialog [role=status]")).to_have_text("Reading the photo …")
        shown.set()
        expect(page.locator("#headline")).to_have_text("White 2 + 2 = 4")
    assert sent[0].startswith(b"\xff\xd8")
    assert size_in_header(sent[0]) == (1600, 1200)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (
            b"\x00\x00\x00\x18ftypheic" + bytes(500),
            "This phone sends its photos as HEIC. In its camera settings, choose “Most Compatible” (JPEG).",
        ),
        (
            b"no picture at all",
            "This is no picture that can be read. Take a photo, or enter the dice by hand.",
        ),
        (
            b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + b"\x00\x00\x27\x10" * 2 + bytes(40),
            "This picture has too many pixels. Choose a smaller picture size in the phone’s camera.",
        ),
        (
            bytes(15 * 1024 * 1024 + 1),
            "This photo is larger than 15 MB. Choose a smaller picture size in the phone’s camera.",
        ),
    ],
)
def test_a_file_that_is_no_photograph_is_a_sentence_and_the_pad_is_still_there(
    browser: Browser, tmp_path: Path, content: bytes, said: str
) -> None:
    file = tmp_path / "picture.jpg"
    file.write_bytes(content)
    with sat(browser, tmp_path / "state", SIZES[1], "en-GB") as (_, page):
        take(page, "Photograph the dice", file)
        expect(page.locator("#toast")).to_have_text(said)
        expect(page.locator("dialog")).to_have_count(0)
        page.get_by_role("button", name="Enter by hand").tap()
        expect(page.locator("dialog .key")).to_have_count(6)


def test_where_the_link_is_lost_the_photograph_is_said_not_to_have_arrived(
    browser: Browser, tmp_path: Path
) -> None:
    with sat(browser, tmp_path / "state", SIZES[0], "en-GB") as (_, page):
        page.route("**/api/photograph", lambda route: route.abort())
        take(page, "Photograph the dice", SURE)
        expect(page.locator("#toast")).to_have_text("The photo did not arrive. Please try again.")
        page.unroute("**/api/photograph")
        take(page, "Photograph the dice", SURE)
        expect(page.locator("#headline")).to_have_text("White 2 + 2 = 4")


def test_only_who_rolls_is_offered_it_and_after_the_button_where_there_is_a_camera(phones: Phones) -> None:
    phones.stand.start()
    anna, ben = phones.sit(0), phones.sit(1)
    expect(anna.locator(".roll-way").last).to_have_text("Photograph the dice")
    expect(ben.locator("#headline")).to_have_text("Anna rolls")
    expect(ben.locator(".roll-way")).to_have_count(0)


def test_where_the_photograph_is_first_it_is_the_one_big_button_and_the_other_one_is_beside_it(
    browser: Browser, tmp_path: Path
) -> None:
    first = Config(TableConfig(offer_first=OfferFirst.PHOTOGRAPH))
    with sat(browser, tmp_path, SIZES[1], "en-GB", first) as (pages, page):
        expect(page.locator("#hint")).to_have_text("Roll, then photograph the dice")
        expect(page.locator("#finish")).to_have_text("Photograph the dice")
        expect(page.locator(".roll-way").first).to_have_text("I rolled")
        assert nothing_overflows(page)
        with page.expect_file_chooser() as chosen:
            page.locator("#finish:not([data-held])").tap()
        chosen.value.set_files(SURE)
        expect(page.locator("#headline")).to_have_text("White 2 + 2 = 4")
        for seat in (0, 1, 0):
            pages.table.play(Command(Done(seat)))
        pages.table.play(Command(Rolled(ROLL, Source.HAND)))
        for seat in (0, 1, 1):
            pages.table.play(Command(Done(seat)))
        page.locator(".roll-way", has_text="I rolled").tap()  # drawn dice fall at this table
        expect(page.locator("#headline")).to_contain_text("White")
