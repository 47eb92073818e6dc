"""Players who leave and come back, and what the menu puts right, as phones show it."""

from playwright.sync_api import Page, expect

from companion.game import Phase
from companion.rules import Sheet
from tests.browser.conftest import ROLL, Phones
from tests.games import event


def said(phones: Phones, *lines: str) -> None:
    for line in lines:
        phones.stand.play(event(line))


def menu(page: Page, part: str) -> None:
    page.click("#menu")
    page.click(f"summary:has-text('{part}')")


def test_a_seat_sits_out_for_all_to_see_and_comes_back_with_one_tap(phones: Phones) -> None:
    phones.stand.start(3)
    anna, ben = phones.sit(0), phones.sit(1)
    display = phones.page("/table", (1280, 720))
    menu(anna, "Who plays")
    anna.click("button:has-text('Cem sits out')")
    expect(ben.locator(".banner", has_text="Cem sits out")).to_be_visible()
    expect(display.locator(".player", has_text="Cem").locator(".thinks")).to_have_text("sits out")
    ben.click("#others")
    expect(ben.locator("dialog .player", has_text="Cem")).to_contain_text("sits out")
    ben.keyboard.press("Escape")
    ben.click(".banner:has-text('Cem sits out') button")
    expect(anna.locator(".banner", has_text="Cem sits out")).to_have_count(0)
    expect(display.locator(".player", has_text="Cem").locator(".thinks")).to_have_text("")


def test_two_who_sit_out_are_one_line_with_a_tap_for_each(phones: Phones) -> None:
    phones.stand.start(4)
    said(phones, "0 says 2 sits out", "0 says 3 sits out")
    anna = phones.sit(0)
    line = anna.locator(".banner", has_text="Sitting out. Back in:")
    expect(line).to_have_count(1)
    line.get_by_role("button", name="Cem is back").tap()
    expect(anna.locator(".banner", has_text="Dora sits out.")).to_be_visible()
    expect(anna.locator(".banner")).to_have_count(1)
    phones.wait(lambda snapshot: snapshot.game is not None and snapshot.game.away == {3})


def test_who_sits_out_sees_it_and_comes_back_with_the_main_button(phones: Phones) -> None:
    phones.stand.start(2)
    ben = phones.sit(1)
    menu(ben, "Who plays")
    ben.click("button:has-text('Ben sits out')")
    expect(ben.locator("#headline")).to_have_text("You sit out")
    expect(ben.locator("#finish")).to_have_text("I’m back")
    ben.click("#finish:not([data-held])")
    expect(ben.locator("#headline")).not_to_have_text("You sit out")
    phones.wait(lambda snapshot: snapshot.game is not None and not snapshot.game.away)


def test_playing_no_more_is_asked_first_and_the_points_stay(phones: Phones) -> None:
    phones.stand.start(3)
    anna = phones.sit(0)
    menu(anna, "Who plays")
    anna.click("button:has-text('Ben plays no more')")
    expect(anna.locator("dialog.question")).to_contain_text("points stay as they are")
    anna.click("dialog.question:not([data-held]) button.danger")
    phones.wait(lambda snapshot: snapshot.game is not None and snapshot.game.gone == {1})
    expect(anna.locator(".banner", has_text="Ben plays no more")).to_be_visible()


def test_deciding_for_somebody_says_what_it_will_do(phones: Phones) -> None:
    phones.stand.start(2)
    phones.stand.roll(ROLL)
    ben = phones.sit(1)
    menu(ben, "Put something right")
    expect(ben.locator("dialog")).to_contain_text("Done for Anna: what is chosen counts, else a pass")
    ben.keyboard.press("Escape")
    said(phones, "0 done", "1 done")
    expect(ben.locator("#headline")).to_contain_text("Anna")
    ben.click("#menu")
    ben.click("button:has-text('Take −5 for Anna')")
    ben.click("dialog.question:not([data-held]) button.danger")
    phones.wait(lambda snapshot: snapshot.game is not None and snapshot.game.sheets[0].misthrows == 1)


def test_a_done_is_taken_back_with_undo_while_nobody_decided_after_it(phones: Phones) -> None:
    phones.stand.start(2)
    phones.stand.roll(ROLL)
    ben = phones.sit(1)
    said(phones, "0 done")
    ben.click("#finish:not([data-held])")
    phones.wait(lambda snapshot: snapshot.game is not None and snapshot.game.phase is Phase.SECOND)
    ben.click("#undo:not([data-held]):not([aria-disabled])")
    phones.wait(lambda snapshot: snapshot.game is not None and snapshot.game.deciding == (1,))
    expect(ben.locator(".banner")).to_contain_text("Ben took “Done” back.")


def test_any_turn_of_the_game_is_gone_back_to_from_the_menu(phones: Phones) -> None:
    phones.stand.start(2)
    for number in range(3):
        phones.stand.roll(ROLL)
        said(phones, "0 done", "1 done")
        said(phones, f"{number % 2} done")
    anna = phones.sit(0)
    menu(anna, "Put something right")
    anna.click("button:has-text('Go back to an earlier turn')")
    expect(anna.locator(".turns li")).to_have_count(3)
    anna.click(".turns button:has-text('Turn 1 · Anna')")
    anna.click("dialog.question:not([data-held]) button.danger")
    phones.wait(lambda snapshot: snapshot.game is not None and snapshot.game.number == 1)
    expect(anna.locator(".banner")).to_contain_text("Anna went back to turn 1.")


def test_a_sheet_is_corrected_in_action_2_and_its_crosses_of_the_turn_stay(phones: Phones) -> None:
    phones.stand.start(2)
    phones.stand.roll(ROLL)
    said(phones, "0 crosses R7 in 1", "1 crosses B7 in 1", "0 done", "1 done")
    ben = phones.sit(1)
    menu(ben, "Put something right")
    ben.click("button:has-text('Correct a sheet: Anna')")
    expect(ben.locator(".fix-cell", has_text="7").first).to_be_disabled()
    ben.click(".mini.red .fix-cell:has-text('2') >> nth=0")
    ben.click("dialog button.main")
    game = phones.wait(lambda snapshot: snapshot.corrected is not None).game
    assert game is not None
    assert (game.phase, game.sheets[0], game.sheets[1]) == (
        Phase.SECOND,
        Sheet.parse("R2 R7"),
        Sheet.parse("B7"),
    )
    expect(ben.locator(".banner")).to_contain_text("Ben corrected the sheet of Anna: the red 2 crossed.")


def test_a_sheet_saved_unchanged_is_no_correction(phones: Phones) -> None:
    phones.stand.start(2)
    anna = phones.sit(0)
    before = phones.table.snapshot.version
    menu(anna, "Put something right")
    anna.click("button:has-text('Correct a sheet: Ben')")
    anna.click("dialog button.main")
    expect(anna.locator("dialog")).to_have_count(0)
    assert phones.table.snapshot.version == before


def test_a_corrected_die_says_what_it_was_and_is(phones: Phones) -> None:
    phones.stand.start(2)
    phones.stand.roll(ROLL)
    ben, display = phones.sit(1), phones.page("/table", (1280, 720))
    said(phones, "0 corrects dice W3 W1 R2 Y5 G6 B1")
    expect(display.locator(".loud")).to_have_text("Anna corrected the dice: white 4 → 1.")
    expect(ben.locator(".banner")).to_contain_text("Anna corrected the dice: white 4 → 1.")
