"""How a game ends on phones, in a real browser: locks, the reckoning, a rematch, a series, a tie."""

import json
import re
import time
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, expect

from companion.game import Crossed, Done, Setup, Stopped
from companion.rules import Cell
from companion.table.snapshot import GameStarted
from tests.browser.conftest import Phones
from tests.browser.sheet_page import sheet, tap
from tests.browser.sound import check
from tests.web_table import NAMES, TOKENS
from web.access.identity import PHONE_COOKIE


def test_a_lock_is_announced_while_others_can_still_answer(phones: Phones) -> None:
    phones.stand.start(3)
    phones.stand.play(sheet(0, "R2 R3 R4 R5 R6"))
    phones.stand.play(sheet(2, "R2 R3 R4 R5 R6 R7"))
    phones.stand.roll("W6 W6 R2 Y5 G6 B1")
    anna, ben, cem = phones.sit(0), phones.sit(1), phones.sit(2, locale="de-DE")
    table = phones.page("/table", (1280, 720))
    tap(anna, "R12")
    closing = ".banner.closing"
    expect(anna.locator(closing)).to_have_text("You are closing the red row.")
    expect(ben.locator(closing)).to_have_text("Anna closes the red row! You may still change your cross.")
    expect(cem.locator(closing)).to_have_text(
        "Anna schließt die rote Reihe ab! Du kannst sie auch abschließen oder dein Kreuz ändern."
    )
    said = "Anna closes the red row! Anybody with five crosses there may close it too."
    expect(table.locator(".loud")).to_have_text(said)
    expect(ben.locator("dialog")).to_have_count(0)  # a banner, not a modal
    tap(ben, "G12")
    for phone in (anna, ben, cem):
        phone.click("#finish:not([data-held])")
    expect(ben.locator(".row.red")).to_have_class("row red closed")
    expect(ben.locator(".banner.closing")).to_have_text("Take the red die out of the lid.")
    expect(anna.locator(".row.red .lock")).to_have_attribute("aria-label", "lock, crossed")


def test_two_locks_end_it_with_the_reckoning_and_a_rematch(phones: Phones) -> None:
    phones.stand.start()
    phones.stand.play(sheet(0, "R2 R3 R4 R5 R6 R12 Y2 Y3 Y4 Y5 Y6"))
    phones.stand.roll("W6 W6 Y5 G6 B1")
    anna, ben = phones.sit(0), phones.sit(1)
    table = phones.page("/table", (1280, 720))
    tap(anna, "Y12")
    for phone in (anna, ben):
        phone.click("#finish:not([data-held])")
    expect(ben.locator("#headline")).to_have_text("Anna wins!")
    expect(ben.locator("#hint")).to_have_text("Two rows are closed.")
    cells = ben.locator(".reckoning .total td").all_text_contents()
    assert cells == ["56", "0"]
    expect(table.locator(".turn h1")).to_have_text("Anna wins!")
    ben.get_by_role("button", name="Play again").tap()
    expect(ben.locator("#headline")).to_have_text("Your roll")
    expect(anna.locator("#headline")).to_have_text("Ben rolls")


def test_a_series_shows_its_standings_and_goes_on(phones: Phones) -> None:
    phones.stand.seat(2)
    anna = phones.sit(0)
    anna.select_option("#start-first", "0")
    anna.get_by_text("How do you play?").click()
    anna.select_option("#start-games", "2")
    anna.click(".start-form button.main")
    expect(anna.locator("#headline")).to_have_text("Your roll")
    phones.stand.play(sheet(1, "R2 R3 R4 R5 R6 R12 Y2 Y3 Y4 Y5 Y6 Y12"))
    expect(anna.locator(".series caption")).to_have_text("Series, game 1 of 2")
    expect(anna.locator(".series tbody th").first).to_have_text("1. Ben")
    anna.get_by_role("button", name="Next game").tap()
    expect(anna.locator("#headline")).to_have_text("Ben rolls")


def test_hidden_scores_show_at_the_end_only(phones: Phones) -> None:
    phones.stand.seat(2)
    anna = phones.sit(0)
    anna.get_by_text("How do you play?").click()
    anna.get_by_label("Hide scores until the end").check()
    anna.click(".start-form button.main")
    phones.wait(lambda now: now.game is not None)
    phones.stand.play(sheet(1, "R2 R3 R4 R5 R6 R12"))
    expect(anna.locator("#score")).to_have_text("")
    anna.click("#others")
    expect(anna.locator(".player", has_text="Ben").locator(".player-score")).to_have_text("hidden")
    anna.keyboard.press("Escape")
    phones.stand.play(sheet(1, "R2 R3 R4 R5 R6 R12 Y2 Y3 Y4 Y5 Y6 Y12"))
    expect(anna.locator(".reckoning .total td").last).to_have_text("56")


def test_equal_points_share_the_victory(phones: Phones) -> None:
    phones.stand.start()
    anna = phones.sit(0)
    phones.stand.play(sheet(0, "R2 R3 R4 R5 R6 R12"))
    phones.stand.play(sheet(1, "Y2 Y3 Y4 Y5 Y6 Y12"))
    expect(anna.locator("#headline")).to_have_text("Anna and Ben win together!")
    assert anna.locator(".reckoning .place td").all_text_contents() == ["1", "1"]
    expect(anna.locator(".reckoning .crown")).to_have_count(2)


@pytest.mark.parametrize(
    ("sheets", "ahead"),
    [(("R2 R3", "Y2"), "Anna was ahead."), (("R2", "Y2"), "Anna and Ben were level in the lead.")],
)
def test_nobody_wins_a_game_that_was_ended_early(sheets: tuple[str, str], ahead: str, phones: Phones) -> None:
    phones.stand.start()
    for seat, text in enumerate(sheets):
        phones.stand.play(sheet(seat, text))
    anna, table = phones.sit(0), phones.page("/table?speak", (1280, 720))
    expect(table.locator(".player")).to_have_count(2)
    expect(anna.locator("#headline")).to_have_text("Your roll")
    phones.stand.play(Stopped(0))
    for title, why in (
        (anna.locator("#headline"), anna.locator("#hint")),
        (table.locator(".over h1"), table.locator(".over p")),
    ):
        expect(title).to_have_text("Ended early")
        expect(why).to_have_text(ahead)
    for page in (anna, table):
        expect(page.locator("#live")).to_have_text("The game was ended early.")
        expect(page.locator(".crown")).to_have_count(0)
        expect(page.locator(".reckoning .won")).to_have_count(0)
    expect(anna.locator(".own-place")).to_have_count(0)
    assert phones.table.snapshot.game is not None
    assert phones.table.snapshot.game.winners == ()


# What an eye sees of the count, one line for each change: the title, and the totals.
RECORDER = """() => {
    window.seen = [];
    const look = () => {
        const title = document.querySelector("#headline, .turn h1")?.textContent ?? "";
        const totals = [...document.querySelectorAll(".total td")].map((node) => node.textContent);
        const waiting = document.querySelectorAll(".reckoning .waiting").length;
        const now = JSON.stringify([title, totals, waiting]);
        if (totals.length && window.seen.at(-1) !== now) window.seen.push(now);
    };
    new MutationObserver(look).observe(document.body, {subtree: true, childList: true, characterData: true,
                                                       attributes: true});
}"""


def seen(page: Page) -> list[tuple[str, list[int], int]]:
    found = [json.loads(line) for line in page.evaluate("() => window.seen")]
    return [
        (title, [int(each.replace("−", "-")) for each in totals], waiting) for title, totals, waiting in found
    ]


def last_roll(phones: Phones) -> None:
    """Anna is about to close her second row; Ben has points and a misthrow."""
    phones.stand.start()
    phones.stand.play(sheet(0, "R2 R3 R4 R5 R6 R12 Y2 Y3 Y4 Y5 Y6"))
    phones.stand.play(sheet(1, "G12 G11 B12 M1"))
    phones.stand.roll("W6 W6 Y5 G6 B1")


def end_it(phones: Phones) -> None:
    phones.stand.play(Crossed(0, Cell.parse("Y12")))
    for number in phones.table.snapshot.game.deciding:  # type: ignore[union-attr]
        phones.stand.play(Done(number))


def test_at_the_end_the_points_are_counted_up_row_by_row_and_then_it_is_said_who_won(phones: Phones) -> None:
    last_roll(phones)
    ben, table = phones.sit(1), phones.page("/table", (1280, 720))
    expect(ben.locator("#sheet .cell")).to_have_count(44)
    expect(table.locator(".player")).to_have_count(2)
    for page in (ben, table):
        page.evaluate(RECORDER)
    end_it(phones)
    expect(ben.locator("#headline")).to_have_text("Anna wins!")
    expect(table.locator(".over h1")).to_have_text("Anna wins!")
    for page in (ben, table):
        counted = seen(page)
        titles = [title for title, _, _ in counted]
        assert titles.index("Final score") < titles.index("Anna wins!")
        assert "Final score" not in titles[titles.index("Anna wins!") :]
        waiting = [left for title, _, left in counted if title == "Final score"]
        assert waiting == sorted(waiting, reverse=True)
        assert waiting[0] == 4
        anna = [totals[0] for _, totals, _ in counted]
        assert anna == sorted(anna)
        assert {0, 28, 56} <= set(anna)  # before, after and between two rows
        assert len(set(anna)) > 3  # it counts; it does not jump
        assert counted[-1][1] == [56, -1]
        expect(page.locator(".reckoning .crown")).to_have_count(1)
    expect(ben.locator(".own-place")).to_have_text("Place 2 of 2−1 points")
    expect(ben.locator("#hint")).to_have_text("Two rows are closed.")
    expect(table.locator(".over p")).to_have_text("Two rows are closed.")


def test_a_tap_shows_the_end_at_once(phones: Phones) -> None:
    last_roll(phones)
    anna = phones.page("", (375, 553))
    anna.clock.install()
    anna.context.add_cookies([{"name": PHONE_COOKIE, "value": TOKENS[0], "url": phones.address}])
    anna.goto(f"{phones.address}/phone")
    expect(anna.locator("#sheet .cell")).to_have_count(44)
    anna.clock.pause_at(time.time() + 3600)  # nothing counts any more, however long it takes to look
    end_it(phones)
    expect(anna.locator("#headline")).to_have_text("Final score")
    expect(anna.locator(".reckoning .waiting")).to_have_count(4)
    expect(anna.get_by_role("button", name="Play again")).to_be_hidden()
    anna.locator("#headline").tap()
    expect(anna.locator("#headline")).to_have_text("Anna wins!")
    assert anna.locator(".reckoning .total td").all_text_contents() == ["56", "−1"]
    expect(anna.get_by_role("button", name="Play again")).to_be_visible()


def test_a_game_that_begins_while_the_last_one_is_counted_is_shown(phones: Phones) -> None:
    last_roll(phones)
    ben, table = phones.page("", (375, 553)), phones.page("", (1280, 720))
    ben.context.add_cookies([{"name": PHONE_COOKIE, "value": TOKENS[1], "url": phones.address}])
    for page, path in ((ben, "/phone"), (table, "/table")):
        page.clock.install()
        page.goto(phones.address + path)
    expect(ben.locator("#sheet .cell")).to_have_count(44)
    expect(table.locator(".player")).to_have_count(2)
    for page in (ben, table):
        page.clock.pause_at(time.time() + 3600)
    end_it(phones)
    for page in (ben, table):
        expect(page.locator(".counting")).to_be_visible()
    phones.stand.play(GameStarted(Setup(NAMES[:2], first=1)))
    expect(ben.locator("#headline")).to_have_text("Your roll")
    expect(table.locator(".turn h1")).to_have_text("Ben rolls")
    for page in (ben, table):
        page.clock.run_for(10_000)
    expect(ben.locator("#headline")).to_have_text("Your roll")
    expect(table.locator(".turn h1")).to_have_text("Ben rolls")


def test_who_wants_no_motion_sees_the_end_at_once_and_so_does_who_comes_late(phones: Phones) -> None:
    last_roll(phones)
    anna = phones.sit(0, reduced_motion="reduce")
    expect(anna.locator("#sheet .cell")).to_have_count(44)
    anna.evaluate(RECORDER)
    end_it(phones)
    expect(anna.locator("#headline")).to_have_text("Anna wins!")
    assert {title for title, _, _ in seen(anna)} & {"Final score"} == set()
    assert {tuple(totals) for _, totals, _ in seen(anna)} == {(56, -1)}
    late = phones.sit(1)
    expect(late.locator("#headline")).to_have_text("Anna wins!")
    expect(late.locator(".counting")).to_have_count(0)


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_the_result_is_kept_as_one_picture(locale: str, tmp_path: Path, phones: Phones) -> None:
    last_roll(phones)
    end_it(phones)
    anna = phones.sit(0, (412, 839), locale=locale)
    anna.get_by_role("button", name=re.compile("Picture of the result|Bild vom Ergebnis")).tap()
    shown = anna.locator("canvas.result")
    expect(shown).to_have_attribute("aria-label", re.compile("Anna: 56 Ben: −1"))
    save = anna.locator("a[download]:not([aria-disabled])")
    with anna.expect_download() as download:
        save.tap()
    assert re.fullmatch(r"qwixx-\d{4}-\d\d-\d\d\.png", download.value.suggested_filename)
    kept = tmp_path / "kept.png"
    download.value.save_as(kept)
    picture = cv2.imread(str(kept))
    assert picture is not None
    assert picture.shape[1] == 1080
    for colour in ((36, 16, 140), (51, 221, 255), (138, 181, 53), (163, 79, 31)):  # the four rows, as BGR
        assert np.count_nonzero(np.all(picture == colour, axis=2)) > 1500
    check(anna)


def test_the_display_starts_the_next_game_too(phones: Phones) -> None:
    last_roll(phones)
    end_it(phones)
    table = phones.page("/table", (1280, 720))
    expect(table.locator(".over h1")).to_have_text("Anna wins!")
    table.get_by_role("button", name="Play again").click()
    expect(table.locator(".turn h1")).to_have_text("Ben rolls")
