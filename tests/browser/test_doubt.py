"""A doubt goes the whole way: from the pixels of one die to the page on which somebody taps its number."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from companion.game import Phase
from companion.host import seeing
from companion.host.looking import Looker
from companion.table.eyes import EyesState
from tests.browser.conftest import Phones
from tests.lids import true_lids
from tests.looking import FakeEye
from tests.web_table import stand
from vision.cameras.camera import Frame
from vision.image.arrays import Image
from vision.reader import read_dice
from vision.reading import DieColour
from web.serving.server import Server

PLAIN = next(lid for lid in true_lids() if lid.path.stem == "easy_1002")
BLUR = 0.15  # of a die's size: its pips run together
SLOTS = "dialog .slots .die"


def blurred() -> Image:
    """The picture with a red die of which nobody can tell the number."""
    picture = PLAIN.picture()
    red = next(die for die in read_dice(picture, PLAIN.expected).dice if die.colour is DieColour.RED)
    face = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillConvexPoly(face, np.array(red.outline).round().astype(np.int32), 255)
    smeared = cv2.GaussianBlur(picture, (0, 0), BLUR * red.size)
    picture[face > 0] = smeared[face > 0]
    return picture


class PictureEye(FakeEye):
    """A lid that nothing moves over; its pictures come one after the other, again and again."""

    def __init__(self, *pictures: Image) -> None:
        super().__init__()
        self._pictures = cycle(pictures)

    def frame(self, timeout: float = 3.0, since: float | None = None) -> Frame:
        return Frame(next(self._pictures), self._next(), self._number * 0.4)


@contextmanager
def looking(browser: Browser, folder: Path, eye: FakeEye) -> Iterator[tuple[Phones, Looker]]:
    """A table with pages, over which the real reader looks at the eye's pictures."""
    lookers: list[Looker] = []

    def crop(name: str) -> bytes | None:
        return lookers[0].crop(name)

    here = stand(folder, addresses=(), crop=crop)
    here.start()
    lookers.append(Looker(here.table, eye))
    lookers[0].start()
    with Server(here.app) as server:
        phones = Phones(server.port, browser, here.table, stand=here)
        try:
            yield phones, lookers[0]
        finally:
            phones.close()
            lookers[0].close()
    assert phones.faults == []


def asked(phones: Phones, looker: Looker) -> Page:
    """Anna's phone, after a press that ended in a question."""
    anna = phones.sit(0)
    assert looker.ask()
    now = phones.wait(lambda now: now.eyes.state is EyesState.ASK)
    assert now.game is not None
    assert now.game.phase is Phase.ROLL
    expect(anna.locator("#headline")).to_have_text("Which number is it?")
    return anna


def red_alone_is_asked_for(anna: Page) -> None:
    """It is marked on the strip; in the pad it is empty, and all others have their numbers."""
    expect(anna.locator("#dice .die")).to_have_count(6)
    expect(anna.locator("#dice .die.doubtful")).to_have_count(1)
    red = anna.locator("#dice .die.red.doubtful")
    red.tap()
    expect(anna.locator(SLOTS)).to_have_count(6)
    expect(anna.locator(f"{SLOTS}:not(:has(.pip))")).to_have_count(1)
    expect(anna.locator(f"{SLOTS}.red .pip")).to_have_count(0)
    expect(anna.locator(f"{SLOTS}.red")).to_have_attribute("aria-current", "true")
    expect(anna.locator("dialog .dialog-foot button")).to_be_disabled()
    expect(anna.locator("dialog img.crop")).to_be_visible()


def test_a_die_that_cannot_be_read_in_the_picture_is_marked_and_empty_in_the_pad_until_it_is_tapped(
    browser: Browser, tmp_path: Path
) -> None:
    with looking(browser, tmp_path, PictureEye(blurred())) as (phones, looker):
        anna = asked(phones, looker)
        red_alone_is_asked_for(anna)
        number = next(die.number for die in PLAIN.inside if str(die.colour) == "red")
        assert number is not None
        anna.locator("dialog .key").nth(number - 1).tap()
        anna.locator("dialog .dialog-foot button").tap()
        now = phones.wait(lambda now: bool(now.game and now.game.phase is Phase.FIRST))
        assert now.game is not None
        assert now.game.turn is not None
        roll = now.game.turn.roll
        rolled = [("white", pips) for pips in roll.white] + [(str(c), pips) for c, pips in roll.coloured]
        assert sorted(rolled) == sorted((str(die.colour), die.number) for die in PLAIN.inside)


def test_two_looks_of_which_one_is_certain_and_one_is_not_are_a_question_on_the_phones(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seeing, "LAST_START", 0.0)  # so slow a computer that no third look is begun
    with looking(browser, tmp_path, PictureEye(PLAIN.picture(), blurred())) as (phones, looker):
        red_alone_is_asked_for(asked(phones, looker))
