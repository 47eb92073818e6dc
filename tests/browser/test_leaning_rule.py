"""The house rule for a die that leans, from the lobby's choice to what the phone says of the dice."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.game import Phase
from companion.host import Host, Options
from tests.browser.conftest import Pages
from tests.laid_pictures import LaidPictures
from web.serving.server import Server

# The green 5 leans by 19 degrees on a wall; all others lie flat.
LEANS = Path(__file__).parents[1] / "pictures" / "leaning" / "green_19_degrees.jpg"


@pytest.mark.parametrize("again", [False, True])
def test_the_lobby_chooses_whether_a_die_that_leans_counts(
    again: bool, browser: Browser, tmp_path: Path
) -> None:
    pictures = LaidPictures(tmp_path / "pictures")
    pictures.lay(LEANS)
    with Host(pictures.config, Options(tmp_path / "state")) as host, Server(host.app) as server:
        at = Pages(server.port, browser, host.table)
        pictures.lay_before(host, LEANS)
        anna = at.page(f"/join?code={host.code}", (412, 839))
        start(anna, again=again)
        anna.locator("#finish:not([data-held])").tap()
        if again:
            expect(anna.locator(".die.green.doubtful")).to_be_visible()
            expect(anna.locator("#dice .doubtful")).to_have_count(1)
        else:
            at.wait(lambda now: now.game is not None and now.game.phase is not Phase.ROLL)
            expect(anna.locator("#dice:not([data-old]) .sum")).to_have_text("9")
        game = host.table.snapshot.game
        assert game is not None
        assert (game.phase is Phase.ROLL) == again
        at.close()
    assert at.faults == []


def start(phone: Page, *, again: bool) -> None:
    """Anna sits down and starts a game alone, after a look at the house rules."""
    phone.fill("#name", "Anna")
    phone.click("button.main")
    phone.wait_for_url("**/phone")
    phone.get_by_text("How do you play?").click()
    rule = phone.get_by_label("A die that leans is rolled again")
    expect(rule).not_to_be_checked()
    if again:
        rule.check()
    phone.click(".start-form button.main")
    expect(phone.locator("#finish")).to_have_text("I rolled")
