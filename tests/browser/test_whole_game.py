"""A whole game of three phones over the simulated table: QR code, camera, sheets, final score."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.game import EndedBy, Game, Phase
from companion.host import Host, Options
from companion.settings.config import Config
from companion.table.eyes import EyesState
from companion.table.snapshot import Snapshot
from tests.browser.conftest import Pages
from tests.setting_up import HURRY
from web.serving.server import Server

MOST_ROLLS = 12
BUSY = (EyesState.READING, EyesState.MOVING)


def answered(at: Pages, version: int) -> Snapshot:
    """The table once the camera has said something after that version."""
    return at.wait(lambda now: now.version > version and now.eyes.state not in BUSY)


def roll(at: Pages, active: Page) -> None:
    """Press the button; the camera reads the dice, or asks for a doubtful one, or wants a second throw."""
    while game_of(at.table.snapshot).phase is Phase.ROLL:
        before = at.table.snapshot.version
        active.locator("#finish:not([data-held])").tap()
        now = answered(at, before)
        if game_of(now).phase is Phase.ROLL and any(die.doubtful for die in now.eyes.dice):
            active.locator(".die.doubtful").first.tap()
            while active.locator(".slots .face:not(:has(.pip))").count():
                active.locator(".key").first.tap()
            active.locator(".dialog-foot button").tap()
            at.wait(lambda now: game_of(now).phase is not Phase.ROLL)
    expect(active.locator("#dice .sum")).to_be_visible()


def decide(phone: Page, *, cross: bool) -> None:
    """Cross the first legal cell or nothing, and say so, once the phone shows this turn's dice."""
    expect(phone.locator("#dice:not([data-old]) .sum")).to_be_visible()
    button = phone.locator("#finish")
    if button.get_attribute("data-look") == "idle":
        return
    legal = phone.locator('.cell[data-legal*="1"]')
    if cross and legal.count():
        legal.first.tap()
        expect(button).to_have_text("Done")
    button.click()


def game_of(snapshot: Snapshot) -> Game:
    assert snapshot.game is not None
    return snapshot.game


def turn(at: Pages, phones: list[Page], *, cross: bool) -> None:
    """One turn, from the button to the next player's roll."""
    active = phones[game_of(at.table.snapshot).active]
    expect(active.locator("#headline")).to_have_text("Your roll")
    roll(at, active)
    for phone in phones:
        decide(phone, cross=cross)
    at.wait(lambda now: game_of(now).phase is not Phase.FIRST)
    if game_of(at.table.snapshot).phase is Phase.SECOND:
        expect(active.locator("#headline")).to_have_text("White + colour")
        active.locator("#finish:not([data-held])").click()
    at.wait(lambda now: game_of(now).phase in (Phase.ROLL, Phase.OVER))


def three_misthrows(phone: Page, name: str) -> None:
    """The table corrects a sheet, so that the game is short: one more misthrow ends it."""
    phone.click("#menu")
    phone.locator("dialog summary").last.click()
    phone.get_by_role("button", name=f"Correct a sheet: {name}").click()
    for _ in range(3):
        phone.get_by_role("button", name="+1").click()
    phone.get_by_role("button", name="Save").click()


@pytest.mark.slow
def test_a_whole_game_from_the_qr_code_to_the_final_score(browser: Browser, tmp_path: Path) -> None:
    with (
        Host(Config(), Options(tmp_path / "state", simulate=True, hurry=HURRY)) as host,
        Server(host.app) as server,
    ):
        at = Pages(server.port, browser, host.table)
        table = at.page("/table", (1280, 720))
        assert re.fullmatch(r"http://[\d.]+:\d+", host.addresses[0])  # the QR code holds numbers, no name
        phones = [at.page(f"/join?code={host.code}") for _ in range(3)]
        for phone, name in zip(phones, ("Anna", "Ben", "Cem"), strict=True):
            phone.fill("#name", name)
            phone.click("button.main")
            phone.wait_for_url("**/phone")
        phones[1].locator(".start-form button.main").tap()
        expect(table.locator(".turn h1")).to_contain_text("rolls")
        first = game_of(host.table.snapshot).active
        three_misthrows(phones[1], ("Anna", "Ben", "Cem")[first])
        for number in range(MOST_ROLLS):
            if game_of(host.table.snapshot).phase is Phase.OVER:
                break
            turn(at, phones, cross=number < 3)
        assert game_of(host.table.snapshot).ended_by is EndedBy.PENALTIES
        expect(table.locator(".turn h1")).to_contain_text("win")
        expect(phones[0].locator(".reckoning .total td")).to_have_count(3)
        totals = [
            int(text.replace("−", "-"))
            for text in phones[0].locator(".reckoning .total td").all_text_contents()
        ]
        assert sorted(totals) == sorted(game_of(host.table.snapshot).scores)
        at.close()
        assert at.faults == []
