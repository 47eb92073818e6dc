"""A round tray, a hexagon and a bare table set up in a real browser, up to a roll read for sure in a game."""

import json
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from companion.game import Phase
from companion.host import Host, Options
from companion.rules import Roll
from companion.settings.config import CameraConfig, CameraKind, Config, VoiceConfig
from tests.browser.conftest import Pages
from tests.browser.set_up_page import main_button
from tests.waiting import until
from vision.cameras.camera import CameraError
from vision.image.arrays import Image
from web.serving.server import Server

PLACES = Path(__file__).parents[1] / "pictures" / "places"
EMPTY, DICE, THROW = "empty.jpg", "calibrate.jpg", "throw_00.jpg"
ALIKE = 4  # grey levels between two looks at the same picture, with the noise of a camera
LOOKS = 3  # the pictures of a folder are shown in turn


class Camera:
    """A folder in which a test lays what the camera is to see."""

    def __init__(self, place: Path, folder: Path) -> None:
        self._place, self.folder = place, folder
        folder.mkdir()

    def shows(self, name: str) -> Image:
        """Two looks at the same picture, each put there whole."""
        image = cv2.imread(str(self._place / name))
        assert image is not None
        for number in (1, 2):
            noise = np.random.default_rng(number).integers(0, 2, image.shape, np.uint8)
            unfinished = self.folder / "unfinished"
            unfinished.write_bytes(cv2.imencode(".png", cv2.add(image, noise))[1].tobytes())
            unfinished.replace(self.folder / f"{number}.png")
        return image.astype(np.uint8, copy=False)

    def true_roll(self) -> Roll:
        truths = map(json.loads, (self._place / "truth.jsonl").read_text().splitlines())
        dice = next(truth["dice"] for truth in truths if truth["file"] == THROW)
        return Roll.parse(" ".join(f"{die['colour'][0].upper()}{die['true_pips']}" for die in dice))


def sees(host: Host, image: Image) -> bool:
    """Whether the companion's camera shows nothing else any more."""
    try:
        looks = [host.camera.frame(timeout=1.0).image for _ in range(LOOKS)]
    except CameraError:
        return False
    return all(np.abs(look.astype(int) - image).max() < ALIKE for look in looks)


def until_seen(host: Host, image: Image) -> bool:
    return until(lambda: sees(host, image))


def step(page: Page, name: str) -> None:
    expect(page.get_by_role("heading", name=f"{name} (step")).to_be_visible()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("place", "shape", "corners"),
    [("table", "Round", None), ("hexagon", "Corners", 3), ("bare", "No edge: the whole picture", None)],
)
def test_a_place_of_any_shape_is_set_up_and_a_roll_in_it_is_read_for_sure(
    place: str, shape: str, corners: int | None, browser: Browser, tmp_path: Path
) -> None:
    camera = Camera(PLACES / place, tmp_path / "pictures")
    empty = camera.shows(EMPTY)
    config = Config(
        camera=CameraConfig(kind=CameraKind.FOLDER, folder=str(camera.folder)), voice=VoiceConfig(on=False)
    )
    with Host(config, Options(tmp_path / "state")) as host, Server(host.app) as server:
        at = Pages(server.port, browser, host.table)
        shown = partial(until_seen, host)
        assert shown(empty)
        page = at.page("/setup", (412, 839))
        page.locator(".choice", has_text="English").tap()
        main_button(page).tap()
        page.get_by_role("button", name="Find the edge").tap()
        expect(page.get_by_role("button", name=shape, exact=True)).to_have_attribute("aria-pressed", "true")
        if corners is not None:
            assert page.locator(".handle.corner:visible").count() >= corners
        main_button(page).tap()
        step(page, "Without dice")
        page.get_by_role("button", name="Take the picture").tap()
        page.locator("[data-keep='setup.next'], [data-keep='setup.printed']").and_(
            page.locator(":enabled")
        ).tap()
        step(page, "Six dice")
        assert shown(camera.shows(DICE))
        page.get_by_role("button", name="Learn the dice").tap()
        expect(page.locator(".tag")).to_have_count(6)
        page.get_by_role("button", name="Next step").tap()
        step(page, "Three rolls")
        assert shown(camera.shows(THROW))
        for _ in range(3):
            page.get_by_role("button", name="I have rolled: read").tap()
            page.get_by_role("button", name="Yes, all six").and_(page.locator(":enabled")).tap()
        expect(page.get_by_text("is in force from now on")).to_be_visible()
        known = host.looker.calibration
        assert known is not None
        assert (known.lid is None) == (place == "bare")
        play(page, at, camera.true_roll())
        at.close()
    assert at.faults == []


def play(page: Page, at: Pages, roll: Roll) -> None:
    """Anna plays alone; her press is answered with the dice that lie there."""
    page.goto(f"{at.address}/join")
    page.fill("#name", "Anna")
    page.click("button.main")
    page.wait_for_url("**/phone")
    page.click(".start-form button.main")
    expect(page.locator("#finish")).to_have_text("I rolled")
    page.locator("#finish:not([data-held])").tap()
    game = at.wait(lambda now: now.game is not None and now.game.phase is not Phase.ROLL).game
    assert game is not None
    assert game.turn is not None
    read = game.turn.roll
    assert (sorted(read.white), read.coloured) == (sorted(roll.white), roll.coloured)
    expect(page.locator("#dice:not([data-old]) .sum")).to_have_text(str(sum(roll.white)))
