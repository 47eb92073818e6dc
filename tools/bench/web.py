"""How fast a tap is painted and reaches the other phones, and how much a phone loads. Needs a Chromium."""

import multiprocessing
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, sync_playwright

from companion.benchmarks.figure import Figure, at_most
from companion.benchmarks.screens import Screen, post
from companion.game import Rolled, Setup
from companion.journal.journal import Journal
from companion.process.command_error import CallFault, CommandError
from companion.rules import Roll
from companion.table.seats import Mark, SeatTaken
from companion.table.snapshot import GameStarted
from companion.table.table import Command, Table
from tools.bench.lighthouse import lighthouse
from web import Services, create_app
from web.access.identity import PHONE_COOKIE, hash_of
from web.serving.server import Server

NAMES = ("Anna", "Ben", "Cem", "Dora", "Emil")
DISPLAYS = 3  # with five players: eight screens
TAPS = 40
SLOWER = 6  # a cheap phone beside this machine
CHROMIUM = Path("/usr/bin/chromium")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
]
PAINTED = """
() => { window.taps = []; document.addEventListener("click", (event) => {
  requestAnimationFrame(() => { const channel = new MessageChannel();
    channel.port1.onmessage = () => window.taps.push(performance.now() - event.timeStamp);
    channel.port2.postMessage(0); }); }, true); }
"""


def figures() -> Iterator[Figure]:
    with served() as port:
        others, own = reached(port)
        yield at_most("tap to the other phones, eight screens, p95", _p95(others), 60, "ms")
        yield at_most("tap acknowledged, p95", _p95(own), 60, "ms")
        with _chromium() as browser:
            size, requests = first_load(browser, port)
            yield at_most("first load of the sheet", size / 1000, 40, "kB")
            yield at_most("requests of the first load", requests, 11, "")
            name = f"tap to paint, CPU {SLOWER} times slower, median"
            yield at_most(name, statistics.median(painted(browser, port)), 50, "ms")
        cookie = {"Cookie": f"{PHONE_COOKIE}=Ben"}
        yield from lighthouse(f"http://localhost:{port}/phone", cookie, CHROMIUM)


# --- the table being measured ----------------------------------------------------------------------------


@contextmanager
def served() -> Iterator[int]:
    """A table of five in the middle of action 1, in a process of its own."""
    ours, theirs = multiprocessing.get_context("spawn").Pipe()
    process = multiprocessing.get_context("spawn").Process(target=_serve, args=(theirs,), daemon=True)
    process.start()
    try:
        yield int(ours.recv())
    finally:
        ours.send("stop")
        process.join(timeout=10)


def _serve(pipe: Connection) -> None:
    with tempfile.TemporaryDirectory() as folder, Journal(Path(folder)) as journal:
        table = Table(journal)
        for name, mark in zip(NAMES, Mark, strict=True):
            table.play(Command(SeatTaken(name, mark, hash_of(name))))
        table.play(Command(GameStarted(Setup(NAMES))))
        table.play(Command(Rolled(Roll.parse("W3 W4 R2 Y5 G6 B1"))))
        with Server(create_app(table, Services(code="AAAA", key=b"bench" * 7))) as server:
            pipe.send(server.port)
            pipe.recv()


# --- tap to the other phones -----------------------------------------------------------------------------


def reached(port: int) -> tuple[list[float], list[float]]:
    """Milliseconds until the other seven screens and the own phone have a tap."""
    listeners = [Screen(port, name) for name in (*NAMES, *[None] * DISPLAYS)]
    for each in listeners:
        each.start()
        each.wait_for(0)
    others, own = list[float](), list[float]()
    for tap in range(TAPS):
        wish = {"do": "cross", "seat": 0, "cell": ("R7", "Y7")[tap % 2]}
        started = time.monotonic()
        answer = post(port, wish, NAMES[0])
        own.append(1000 * (time.monotonic() - started))
        came = [each.wait_for(answer) for each in listeners[1:]]
        others += [1000 * (at - started) for at in came]
    return others, own


# --- in a browser ----------------------------------------------------------------------------------------


@contextmanager
def _chromium() -> Iterator[Browser]:
    if not CHROMIUM.exists():
        text = f"measuring pages needs a Chromium at {CHROMIUM}: apt-get install chromium"
        raise CommandError(CallFault.TEXT, text=text)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


def _phone(browser: Browser, port: int, name: str) -> BrowserContext:
    phone = browser.new_context(viewport={"width": 375, "height": 553}, has_touch=True, is_mobile=True)
    phone.add_cookies([{"name": PHONE_COOKIE, "value": name, "url": f"http://127.0.0.1:{port}"}])
    return phone


def first_load(browser: Browser, port: int) -> tuple[int, int]:
    """Bytes and requests until a phone shows its sheet for the first time, its stream among them."""
    phone = _phone(browser, port, "Ben")
    page = phone.new_page()
    found: list[int] = []
    page.on("requestfinished", lambda request: found.append(request.sizes()["responseBodySize"]))
    page.goto(f"http://127.0.0.1:{port}/phone", wait_until="load")
    page.locator("body[data-link=live]").wait_for()
    page.wait_for_timeout(500)  # late requests count too
    phone.close()
    return sum(found), len(found) + 1


def painted(browser: Browser, port: int) -> list[float]:
    """Milliseconds from a finger's tap to the painted cell."""
    phone = _phone(browser, port, "Ben")
    page = phone.new_page()
    page.goto(f"http://127.0.0.1:{port}/phone")
    page.locator("body[data-link=live]").wait_for()
    phone.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.evaluate(PAINTED)
    for tap in range(TAPS):
        cell = page.locator(f'[data-cell="{("R7", "Y7")[tap % 2]}"]')
        cell.tap()
        page.locator(f'[data-cell="{("R7", "Y7")[tap % 2]}"][data-chosen]').wait_for()
    found = page.evaluate("() => window.taps")
    phone.close()
    return [float(each) for each in found]


def _p95(values: list[float]) -> float:
    return statistics.quantiles(values, n=20)[-1]
