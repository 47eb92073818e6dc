"""A language is one file: its own plural forms are said by the server and by the pages' scripts alike."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from companion.game import SheetCorrected
from companion.rules import Sheet
from companion.view.sayings import Saying
from hardware.spoken import sentence
from tests.browser.conftest import Phones
from tests.third_language import FEW, LANGUAGE, forgotten, spoken


@pytest.fixture(autouse=True)
def polish(tmp_path: Path) -> Iterator[None]:
    folder = tmp_path / "languages"
    folder.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        spoken(patch, folder)
        yield
        forgotten(patch)


def test_a_phone_says_few_where_a_third_language_does(phones: Phones) -> None:
    phones.stand.start()
    anna = phones.sit(0, locale="pl-PL")
    boxes = anna.locator("#misthrows")
    expect(anna.locator("html")).to_have_attribute("lang", "pl")
    for misthrows, said in ((1, "1 of 4"), (2, f"{FEW}2 of 4"), (3, f"{FEW}3 of 4")):
        phones.stand.play(SheetCorrected(0, 0, Sheet.parse(f"M{misthrows}")))
        expect(boxes).to_have_attribute("aria-label", f"{said} misthrows")
    assert (
        f'aria-label="{FEW}3 of 4 misthrows"'
        in anna.request.get(anna.url, headers={"Accept-Language": "pl"}).text()
    )


def test_the_voice_says_few_where_a_third_language_does() -> None:
    for points, said in ((1, "1 point"), (3, "3 points"), (11, "11 points")):
        words = sentence(Saying("winner", ("Anna",), number=points), LANGUAGE)
        assert words == f"{FEW if points == 3 else ''}Anna wins with {said}."
