"""One Chromium for all browser tests, a served table for each, and phones as people hold them."""

import os
import shutil
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from companion.checks import State
from companion.rules import Roll
from companion.table.eyes import Eyes, EyesState, ShownDie
from companion.table.snapshot import Snapshot
from companion.table.table import Table
from companion.view.setting_up import Step
from tests.fake_set_up import FakeSetUp
from tests.waiting import PATIENCE
from tests.web_table import CODE, TOKENS, Stand, stand
from web import Fact
from web.access.identity import PHONE_COOKIE
from web.serving import live
from web.serving.server import Server

CHROMIUM = Path(os.environ.get("CHROMIUM") or shutil.which("chromium") or "/usr/bin/chromium")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP boxlid.local 127.0.0.1",
)
FACTS = (
    Fact("Camera", "Pi camera 0 gives pictures"),
    Fact("Memory", "100 MB are free", State.NOTE, "enough while Boxlid runs"),
    Fact("Disk", "3 MB are free", State.WRONG, "make room: 200 MB are wanted"),
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(here):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if not CHROMIUM.exists():
        pytest.fail(f"browser tests need Chromium at {CHROMIUM}: apt-get install chromium", pytrace=False)
    expect.set_options(timeout=PATIENCE * 1000)
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield found
        found.close()


@pytest.fixture(scope="module", autouse=True)
def streams_end_soon() -> Iterator[None]:
    """When a test's server stops, each of its streams looks once more whether its phone is still there."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(live, "LOOK_SECONDS", 0.05)
        yield


@dataclass
class Screens:
    """Browsers at a served table. What a page logs as an error is a fault of ours."""

    port: int
    browser: Browser
    faults: list[str] = field(default_factory=list, init=False)
    pages: list[Page] = field(default_factory=list, init=False)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def page(self, path: str = "", size: tuple[int, int] = (375, 553), **context: object) -> Page:
        width, height = size
        settings: dict[str, object] = {"locale": "en-GB", "has_touch": True, **context}
        opened = self.browser.new_context(viewport={"width": width, "height": height}, **settings)  # type: ignore[arg-type]
        opened.set_default_timeout(PATIENCE * 1000)
        page = opened.new_page()
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", self._log)
        self.pages.append(page)
        if path:
            page.goto(self.address + path)
        return page

    def _log(self, message: object) -> None:
        kind, text = getattr(message, "type", ""), getattr(message, "text", "")
        if kind == "error" and "Failed to load resource" not in text and "net::ERR" not in text:
            self.faults.append(text)

    def close(self) -> None:
        for page in self.pages:
            page.context.close()


@dataclass
class Pages(Screens):
    """Browsers at a table that stands in the same process."""

    table: Table

    def wait(self, true_of: Callable[[Snapshot], bool]) -> Snapshot:
        """Wait until the table is so."""
        deadline = threading.Event()
        timer = threading.Timer(PATIENCE, deadline.set)
        timer.start()
        try:
            while not deadline.is_set():
                snapshot = self.table.snapshot
                if true_of(snapshot):
                    return snapshot
                self.pages[0].wait_for_timeout(10)  # lets the browser's messages through
        finally:
            timer.cancel()
        now = self.table.snapshot
        raise AssertionError(f"the table never came to that: {now.moment}, {now.eyes}")


@dataclass
class Phones(Pages):
    """Phones at a table that a test leads by the hand."""

    stand: Stand = field(kw_only=True)

    def join(self, name: str, size: tuple[int, int] = (375, 553), **context: object) -> Page:
        """A phone that scanned the code and took a seat."""
        page = self.page(f"/join?code={CODE}", size, **context)
        page.fill("#name", name)
        page.click("button.main")
        page.wait_for_url("**/phone")
        return page

    def sit(self, seat: int, size: tuple[int, int] = (375, 553), **context: object) -> Page:
        """A phone that holds one of the seats a test put there."""
        page = self.page("", size, **context)
        page.context.add_cookies([{"name": PHONE_COOKIE, "value": TOKENS[seat], "url": self.address}])
        page.goto(f"{self.address}/phone")
        return page


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """Where the table's journal is; with a past where a file of tests wants one."""
    return tmp_path / "state"


@pytest.fixture
def phones(browser: Browser, state: Path, request: pytest.FixtureRequest) -> Iterator[Phones]:
    """Other services of the table come as the fixture's parameter."""
    here = stand(state, **{"addresses": (), **getattr(request, "param", {})})
    with Server(here.app) as server:
        found = Phones(server.port, browser, here.table, stand=here)
        try:
            yield found
        finally:
            found.close()
    if sys.exc_info()[0] is None:
        assert found.faults == []


@dataclass
class Setting:
    """Pages over a set-up that a test leads by the hand."""

    pages: Pages
    fake: FakeSetUp
    stand: Stand

    def open(self, step: Step | None, size: tuple[int, int] = (412, 839), **context: object) -> Page:
        self.fake.up_to(step)
        return self.pages.page("/setup", size, **context)


@pytest.fixture
def setting(browser: Browser, tmp_path: Path) -> Iterator[Setting]:
    fake = FakeSetUp()
    here = stand(tmp_path, addresses=(), setting_up=fake, health=lambda _: FACTS)
    with Server(here.app) as server:
        pages = Pages(server.port, browser, here.table)
        try:
            yield Setting(pages, fake, here)
        finally:
            pages.close()
    assert pages.faults == []


ROLL = "W3 W4 R2 Y5 G6 B1"


def read_as(text: str) -> Eyes:
    """The camera's side after it has read that roll for sure."""
    roll = Roll.parse(text)
    pairs = [*(("white", pips) for pips in roll.white), *roll.coloured]
    return Eyes(
        EyesState.READY, dice=tuple(ShownDie(colour, pips, 99, doubtful=False) for colour, pips in pairs)
    )
