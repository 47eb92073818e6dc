"""Phones that sleep, lose the network, or meet a stranger who floods the server."""

import contextlib
import socket
import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from companion.game import Done
from tests.browser.conftest import ROLL, Phones
from tests.browser.proxy import DeafProxy
from tests.browser.sheet_page import cell, tap
from tests.web_table import NAMES, TOKENS
from web.access.identity import PHONE_COOKIE


@pytest.fixture
def proxy(phones: Phones) -> Iterator[DeafProxy]:
    with DeafProxy(phones.port) as found:
        yield found
        for page in phones.pages:
            page.context.close()
        phones.pages.clear()


def behind(proxy: DeafProxy, phones: Phones, seat: int) -> Page:
    """A phone whose way to the table leads through the proxy."""
    phone = phones.page()
    address = f"http://127.0.0.1:{proxy.port}"
    phone.context.add_cookies([{"name": PHONE_COOKIE, "value": TOKENS[seat], "url": address}])
    phone.goto(f"{address}/phone")
    expect(phone.locator("body")).to_have_attribute("data-link", "live")
    return phone


WAKE = "() => document.dispatchEvent(new Event('visibilitychange'))"
TWO_FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def test_a_phone_that_wakes_on_a_dead_socket_shows_the_newest_state_at_once(
    phones: Phones, proxy: DeafProxy
) -> None:
    phones.stand.start()
    phone = behind(proxy, phones, 1)
    assert proxy.go_deaf() >= 1
    phones.stand.roll(ROLL)
    phone.evaluate(TWO_FRAMES)
    expect(phone.locator("#headline")).to_have_text("Anna rolls")  # it cannot know
    started = time.monotonic()
    phone.evaluate(WAKE)
    expect(phone.locator("#headline")).to_have_text("White 3 + 4 = 7")
    assert time.monotonic() - started < 10  # the watchdog alone would take 14


def test_who_slept_through_a_roll_is_told_so(phones: Phones, proxy: DeafProxy) -> None:
    phones.stand.start()
    phone = behind(proxy, phones, 1)
    proxy.go_deaf()
    phones.stand.roll(ROLL)
    for seat in (0, 1, 0):  # both pass, the active player takes the misthrow
        phones.stand.play(Done(seat))
    phone.evaluate(WAKE)
    expect(phone.locator("#toast")).to_have_text("You missed 1 roll.")


def cross_offline(phone: Page) -> None:
    expect(phone.locator("body")).to_have_attribute("data-link", "live")
    phone.context.set_offline(True)
    expect(phone.locator("#line")).to_be_visible()
    tap(phone, "R7")
    expect(cell(phone, "R7")).to_have_attribute("data-chosen", "1")


def test_a_phone_offline_keeps_its_cross_and_sends_it_when_back(phones: Phones) -> None:
    phones.stand.start()
    phones.stand.roll(ROLL)
    anna = phones.sit(0)
    cross_offline(anna)
    anna.context.set_offline(False)
    phones.wait(lambda now: bool(now.game and now.game.turn and str(now.game.turn.choices[0]) == "R7"))
    expect(anna.locator("#line")).to_be_hidden()
    expect(cell(anna, "R7")).to_have_attribute("data-chosen", "1")


def test_a_cross_that_came_too_late_is_visibly_taken_back(phones: Phones) -> None:
    phones.stand.start(players=2)
    phones.stand.roll(ROLL)
    ben = phones.sit(1)
    cross_offline(ben)
    for seat in (0, 1, 0):  # both pass, the active player takes the misthrow
        phones.stand.play(Done(seat))
    ben.context.set_offline(False)
    expect(ben.locator("#toast")).to_have_text("The table has moved on. Please look again.")
    expect(cell(ben, "R7")).not_to_have_attribute("data-chosen", "1")
    expect(cell(ben, "R7")).to_have_attribute("data-state", "open")


def test_the_newest_page_of_a_phone_has_the_stream_and_the_older_says_so(phones: Phones) -> None:
    phones.stand.start()
    older = phones.sit(0)
    expect(older.locator("body")).to_have_attribute("data-link", "live")
    newer = older.context.new_page()
    newer.goto(f"{phones.address}/phone")
    expect(older.locator("#line")).to_contain_text("open in another window")
    phones.stand.roll(ROLL)
    expect(newer.locator("#headline")).to_have_text("White 3 + 4 = 7")
    older.get_by_role("button", name="Use it here").click()
    expect(older.locator("#headline")).to_have_text("White 3 + 4 = 7")


def test_eight_screens_at_once_all_follow(phones: Phones) -> None:
    phones.stand.start(players=5)
    seated = [phones.sit(seat) for seat in range(len(NAMES))]
    displays = [phones.page("/table", (800, 600)) for _ in range(3)]
    for page in [*seated, *displays]:
        expect(page.locator("body")).to_have_attribute("data-link", "live")
    phones.stand.roll(ROLL)
    for page in seated:
        expect(page.locator("#headline")).to_have_text("White 3 + 4 = 7")
        tap(page, "G7")
    for page in displays:
        expect(page.locator(".white-sum")).to_contain_text("7")
    for page in seated:
        page.click("#finish:not([data-held])")
    for page in seated:
        expect(cell(page, "G7")).to_have_attribute("data-state", "crossed")


@contextlib.contextmanager
def hostile(port: int, count: int, request: bytes) -> Iterator[list[socket.socket]]:
    sockets = [socket.create_connection(("127.0.0.1", port)) for _ in range(count)]
    try:
        for each in sockets:
            with contextlib.suppress(OSError):
                each.sendall(request)
        yield sockets
    finally:
        for each in sockets:
            each.close()


@pytest.mark.parametrize(
    "request_line",
    [b"GET /api/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", b"GET / HTTP/1.1\r\nHost: 127", b""],
    ids=["streams", "half-requests", "silent"],
)
def test_two_hundred_idle_strangers_do_not_stop_the_players(request_line: bytes, phones: Phones) -> None:
    phones.stand.start()
    anna = phones.sit(0)
    expect(anna.locator("body")).to_have_attribute("data-link", "live")
    with hostile(phones.port, 200, request_line):
        ben = phones.sit(1)  # a player who comes back finds a place
        phones.stand.roll(ROLL)
        for page in (anna, ben):
            expect(page.locator("#headline")).to_have_text("White 3 + 4 = 7")
            tap(page, "R7")
            page.click("#finish:not([data-held])")
        expect(cell(ben, "R7")).to_have_attribute("data-state", "crossed")
        expect(anna.locator("#headline")).to_have_text("White + colour")
