"""Dice on phones, in a real browser: misread and put right, asked for, entered by hand, virtual."""

from playwright.sync_api import expect

from companion.table.eyes import Eyes, EyesState, Notice, ShownDie
from tests.browser.conftest import ROLL, Phones
from tests.browser.sheet_page import tap


def test_a_misread_die_is_tapped_and_put_right_for_all(phones: Phones) -> None:
    phones.stand.start()
    phones.stand.roll(ROLL)
    read = [("white", 3), ("white", 4), ("red", 2), ("yellow", 5), ("green", 6), ("blue", 1)]
    dice = tuple(ShownDie(colour, pips, 90, doubtful=False, crop="white-1") for colour, pips in read)
    phones.stand.table.tell(Eyes(EyesState.READY, dice=dice))
    anna, ben = phones.sit(0), phones.sit(1)
    ben.locator(".die.red").tap()
    expect(ben.locator("dialog")).to_be_visible()
    box = ben.locator(".key").first.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 64
    expect(ben.locator("dialog img.crop")).to_have_attribute("src", "/api/crops/white-1.jpg")
    ben.locator(".key").nth(4).tap()
    label = "red 5. Tap to correct, by hand, with white: 8, 9"
    expect(anna.locator(".die.red")).to_have_attribute("aria-label", label)
    expect(anna.locator(".die.red .hand")).to_be_visible()


def test_after_a_cross_only_the_active_player_corrects_and_a_lost_cross_is_shown(phones: Phones) -> None:
    phones.stand.start()
    phones.stand.roll(ROLL)
    anna, ben = phones.sit(0), phones.sit(1)
    tap(ben, "R7")
    phones.wait(lambda now: bool(now.game and now.game.turn and now.game.turn.choices[1]))
    ben.locator(".die.red").tap()
    expect(ben.locator("#toast")).to_have_text("Only Anna can correct the dice after the first cross.")
    anna.locator(".die.white").first.tap()
    anna.locator(".key").nth(4).tap()
    expect(ben.locator("#headline")).to_have_text("White 5 + 4 = 9")
    expect(ben.locator(".banner.warn")).to_contain_text("red 7 no longer fits")


def test_a_doubtful_die_is_asked_for_with_its_picture(phones: Phones) -> None:
    phones.stand.start()
    anna = phones.sit(0)
    sure = [("white", 3), ("red", 2), ("yellow", 5), ("green", 6), ("blue", 1)]
    dice = tuple(ShownDie(colour, pips, 90, doubtful=False) for colour, pips in sure)
    doubtful = ShownDie("white", 6, 40, doubtful=True, crop="white-1")
    notice = Notice("pips-doubtful", ("white",))
    phones.stand.table.tell(Eyes(EyesState.ASK, (notice,), (*dice, doubtful)))
    expect(anna.locator("#headline")).to_have_text("Which number is it?")
    anna.locator(".die.doubtful").tap()
    expect(anna.locator("dialog img.crop")).to_be_visible()
    anna.locator(".key").nth(3).tap()
    anna.locator(".dialog-foot button").tap()
    expect(anna.locator("#headline")).to_have_text("White 3 + 4 = 7")


def test_a_whole_roll_is_entered_by_hand(phones: Phones) -> None:
    phones.stand.start()
    anna = phones.sit(0)
    anna.get_by_role("button", name="Enter by hand").tap()
    for pips in (3, 4, 2, 5, 6, 1):
        anna.locator(".key").nth(pips - 1).tap()
    anna.locator(".dialog-foot button").tap()
    expect(anna.locator("#headline")).to_have_text("White 3 + 4 = 7")
    assert phones.stand.table.snapshot.game is not None
    assert phones.stand.table.snapshot.game.turn is not None
    assert str(phones.stand.table.snapshot.game.turn.roll) == ROLL


def test_a_virtual_roll_needs_no_dice(phones: Phones) -> None:
    phones.stand.start()
    anna = phones.sit(0)
    anna.get_by_role("button", name="Roll for me").tap()
    expect(anna.locator(".die")).to_have_count(6)


def test_the_rolled_button_on_the_phone_presses_the_table(phones: Phones) -> None:
    phones.stand.start()
    anna = phones.sit(0)
    anna.locator("#finish:not([data-held])").tap()
    phones.wait(lambda _: phones.stand.presses == ["rolled"])
