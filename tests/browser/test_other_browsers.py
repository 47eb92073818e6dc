"""A smoke test in WebKit and in Gecko, where they are installed: the pages are no Chromium pages."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import request

from companion.game import Setup
from companion.table.snapshot import GameStarted
from companion.view.setting_up import Step
from tests.browser.conftest import ROLL
from tests.browser.webdriver import WebDriver
from tests.fake_set_up import FakeSetUp
from tests.web_table import CODE, Stand, stand
from web.serving.server import Server

WEBKIT = ("WebKitWebDriver", "xvfb-run")
GECKO = ("firefox-esr",)


def need(*programs: str) -> None:
    missing = [name for name in programs if shutil.which(name) is None]
    if missing:
        text = f"{', '.join(missing)} not installed; apt-get install webkit2gtk-driver xvfb firefox-esr"
        if os.environ.get("CI") == "true":
            pytest.fail(text, pytrace=False)  # where everything is tested, a missing browser is a fault
        pytest.skip(text)


@pytest.fixture
def here(tmp_path: Path) -> Stand:
    return stand(tmp_path / "state", addresses=())


@pytest.fixture
def webkit() -> Iterator[WebDriver]:
    need(*WEBKIT)
    browser = {"binary": "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser", "args": ["--automation"]}
    places = Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser")
    browser["binary"] = str(next(iter(places), browser["binary"]))
    capabilities: dict[str, object] = {"webkitgtk:browserOptions": browser}
    with WebDriver(["xvfb-run", "-a", "WebKitWebDriver"], capabilities) as driver:
        yield driver


def test_webkit_joins_crosses_and_follows(here: Stand, webkit: WebDriver) -> None:
    with Server(here.app) as server:
        webkit.go(f"http://127.0.0.1:{server.port}/join?code={CODE}")
        webkit.write("#name", "Anna")
        webkit.click("button.main")
        webkit.find(".start-form")
        here.play(GameStarted(Setup(("Anna",))))
        here.roll(ROLL)
        webkit.click('[data-cell="R7"][data-legal]')
        webkit.find('[data-cell="R7"][data-chosen="1"]')
        assert webkit.text("#headline").endswith("3 + 4 = 7")
        webkit.click('#finish[data-action="done"][data-look="main"]')
        webkit.find('[data-cell="R7"][data-state="crossed"]')


READY = "#step:not([aria-busy]) [data-keep='setup.{}']:enabled"  # the answer before has been painted


def test_webkit_leads_through_the_set_up_with_its_pictures(tmp_path: Path, webkit: WebDriver) -> None:
    fake = FakeSetUp()
    here = stand(tmp_path / "state", addresses=(), setting_up=fake)
    fake.up_to(Step.CAMERA)
    with Server(here.app) as server:
        webkit.go(f"http://127.0.0.1:{server.port}/setup")
        webkit.find(".sights meter")
        for key in ("camera_ok", "lid_find"):
            webkit.press(READY.format(key))
        webkit.find(".handle")
        for key in ("lid_ok", "take", "next", "learn"):
            webkit.press(READY.format(key))
        webkit.find(".tag")
    assert fake.now.step is Step.ROLLS


def test_gecko_runs_the_table_display(here: Stand, tmp_path: Path) -> None:
    need(*GECKO)
    asked: list[str] = []

    @here.app.before_request
    def note() -> None:
        asked.append(request.path)

    here.start()
    here.roll(ROLL)
    shot = tmp_path / "shot.png"
    profile = tmp_path / "profile"
    profile.mkdir()
    with Server(here.app) as server:
        command = ["firefox-esr", "--headless", "--no-remote", "--profile", str(profile)]
        command += ["--screenshot", str(shot), f"http://127.0.0.1:{server.port}/table"]
        subprocess.run(command, check=True, capture_output=True, timeout=120)
    assert shot.stat().st_size > 10_000
    assert "/api/live" in asked  # its modules ran, under our Content-Security-Policy
