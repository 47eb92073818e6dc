"""The table display tells which part of the box is out of order, and covers nothing of the game with it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from companion.journal.journal import Journal
from companion.journal.lock import LOCK
from companion.process.fault_barrier import BoxPart
from tests.browser.conftest import FACTS, Phones
from tests.web_table import stand
from web.serving.server import Server

SAID = "Out of order: lamps and voice. The game goes on; more on the page /health."
ALL = tuple(BoxPart)


def test_a_part_that_is_out_of_order_is_named_until_it_works_again(phones: Phones) -> None:
    phones.stand.start()
    table = phones.page("/table", (1280, 720))
    line = table.locator("#broken")
    expect(line).to_be_hidden()
    phones.table.tell_broken((BoxPart.LAMPS, BoxPart.VOICE))
    expect(line).to_have_text(SAID)
    phones.table.tell_broken(())
    expect(line).to_be_hidden()


@pytest.mark.parametrize("language", ["en-GB", "de-DE"])
@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
def test_the_line_stands_below_the_players_and_inside_the_screen(
    phones: Phones, size: tuple[int, int], language: str
) -> None:
    phones.stand.start()
    phones.stand.roll("W6 W6 R2 Y5 G6 B1")
    phones.table.tell_broken(ALL)
    table = phones.page("/table", size, locale=language)
    expect(table.locator("#broken")).to_be_visible()
    line, players = table.locator("#broken").bounding_box(), table.locator(".players").bounding_box()
    assert line is not None
    assert players is not None
    assert players["y"] + players["height"] <= line["y"]
    assert line["y"] + line["height"] <= size[1]
    assert line["width"] <= size[0]


@pytest.fixture
def in_doubt(browser: Browser, tmp_path: Path) -> Iterator[Phones]:
    """A table whose journal lost its note."""
    Journal(tmp_path).close()
    (tmp_path / LOCK).unlink()
    here = stand(tmp_path, health=lambda _: FACTS)
    with Server(here.app) as server:
        phones = Phones(server.port, browser, here.table, stand=here)
        try:
            yield phones
        finally:
            phones.close()
    assert phones.faults == []


def test_what_may_be_missing_is_told_on_the_display_until_its_owner_decides(
    in_doubt: Phones,
) -> None:
    table = in_doubt.page("/table", (1280, 720), locale="de-DE")
    line = table.locator("#broken")
    expect(line).to_have_text(
        "Nichts sagt, ob die neuesten Ereignisse in der Aufzeichnung der Spiele stehen. Mehr unter /health."
    )
    health = in_doubt.page("/health", (412, 839))
    settle = health.get_by_role("button", name="It is right so: say no more about it")
    settle.click()
    expect(settle).to_be_hidden()
    expect(line).to_be_hidden()
