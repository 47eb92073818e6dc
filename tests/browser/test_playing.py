"""Playing on phones, as people do it, in a real browser."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from companion.boards import house_board
from companion.eyes import AskedDie, Eyes, EyesState, Notice
from companion.game import Done, Edition, HouseRules, LocksTakeEffect, Phase, Setup, SheetCorrected
from companion.rules import Sheet
from companion.seats import SeatHeld
from companion.snapshot import GameStarted
from companion.table import LOT_SECONDS
from tests.browser.conftest import ROLL, Phones
from tests.web_table import CODE, NAMES


def cell(page: Page, name: str) -> Locator:
    return page.locator(f'[data-cell="{name}"]')


def sheet(seat: int, text: str) -> SheetCorrected:
    return SheetCorrected(0, seat, Sheet.parse(text))


def test_three_phones_join_start_and_play_a_turn(phones: Phones) -> None:
    table = phones.page("/table", (1280, 720))
    anna, ben, cem = (phones.join(name) for name in NAMES[:3])
    expect(table.locator("#seats li")).to_have_count(3)
    expect(anna.locator(".seats li")).to_have_count(3)
    anna.select_option("#start-first", "0")
    anna.click(".start-form button.main")
    expect(anna.locator("#headline")).to_have_text("Your roll")
    expect(ben.locator("#headline")).to_have_text("Anna rolls")
    phones.stand.roll(ROLL)
    expect(ben.locator("#headline")).to_have_text("White 3 + 4 = 7")
    expect(table.locator(".white-sum")).to_contain_text("7")
    cell(ben, "R7").tap()
    expect(cell(ben, "R7")).to_have_attribute("data-chosen", "1")
    expect(cell(anna, "R7")).not_to_have_attribute("data-chosen", "1")
    for phone in (ben, cem, anna):
        phone.click("#finish")
    expect(cell(ben, "R7")).to_have_attribute("data-state", "crossed")
    expect(cell(ben, "R5")).to_have_attribute("data-state", "skipped")
    expect(anna.locator("#headline")).to_have_text("White + colour")
    expect(anna.locator("#finish")).to_have_text("Take −5")
    cell(anna, "Y8").tap()
    expect(anna.locator("#finish")).to_have_text("Done")
    anna.click("#finish")
    expect(ben.locator("#headline")).to_have_text("Your roll")
    expect(cell(anna, "Y8")).to_have_attribute("data-state", "crossed")


def test_all_watch_the_lot_and_then_see_who_begins(phones: Phones) -> None:
    phones.stand.seat(3)
    table = phones.page("/table", (1280, 720))
    anna, ben = phones.sit(0), phones.sit(1)
    anna.click(".start-form button.main")
    for page in (anna, ben, table):
        expect(page.locator(".lot li")).to_have_text(list(NAMES[:3]))
    expect(ben.locator("#headline")).to_have_text("Who begins?")
    expect(table.locator("h1").last).to_have_text("Who begins?")
    phones.stand.clock.now += LOT_SECONDS
    game = phones.table.tick().game
    assert game is not None
    first = NAMES[game.active]
    for page in (anna, ben, table):
        expect(page.locator(".lot b")).to_have_text(f"{first} begins!")
        expect(page.locator(".lot li.lit")).to_have_text(first)
    for page in (anna, ben, table):
        expect(page.locator(".lot")).to_have_count(0)


def test_an_illegal_tap_says_why_and_changes_nothing(phones: Phones) -> None:
    phones.stand.start()
    phones.stand.roll(ROLL)
    anna = phones.sit(0)
    cell(anna, "R12").tap()
    expect(anna.locator("#toast")).to_have_text("red 12 needs 5 crosses before it, you have 0.")
    before = phones.stand.table.snapshot.version
    cell(anna, "G12").tap()
    expect(anna.locator("#toast")).to_have_text("green 12 was not rolled.")
    assert phones.stand.table.snapshot.version == before


def test_undo_takes_the_choice_back(phones: Phones) -> None:
    phones.stand.start()
    phones.stand.roll(ROLL)
    anna = phones.sit(0)
    cell(anna, "R7").tap()
    expect(anna.locator("#finish")).to_have_text("Done")
    cell(anna, "Y8").tap()
    phones.wait(lambda now: bool(now.game and now.game.turn and now.game.turn.second))
    anna.click("#undo")
    expect(cell(anna, "Y8")).not_to_have_attribute("data-chosen", "2")
    expect(cell(anna, "R7")).to_have_attribute("data-chosen", "1")
    anna.click("#undo")
    expect(cell(anna, "R7")).not_to_have_attribute("data-chosen", "1")
    expect(anna.locator("#finish")).to_have_text("Pass")
    phones.wait(lambda now: bool(now.game and now.game.turn and not any(now.game.turn.choices)))


def test_two_fingers_on_two_cells_leave_the_last_one_chosen(phones: Phones) -> None:
    phones.stand.start()
    phones.stand.roll(ROLL)
    ben = phones.sit(1)
    ben.evaluate(
        """() => {
            for (const name of ["R7", "Y7"]) document.querySelector(`[data-cell="${name}"]`).click();
        }"""
    )
    expect(cell(ben, "Y7")).to_have_attribute("data-chosen", "1")
    expect(cell(ben, "R7")).not_to_have_attribute("data-chosen", "1")
    phones.wait(lambda now: bool(now.game and now.game.turn and str(now.game.turn.choices[1]) == "Y7"))


def test_take_minus_five_cannot_be_hit_by_a_second_tap_meant_for_pass(phones: Phones) -> None:
    phones.stand.start(players=1)
    phones.stand.roll(ROLL)
    anna = phones.sit(0)
    expect(anna.locator("#finish")).to_have_text("Pass")
    anna.evaluate("""() => { const b = document.querySelector("#finish"); b.click(); }""")
    expect(anna.locator("#finish")).to_have_text("Take −5")
    anna.evaluate("""() => document.querySelector("#finish").click()""")
    assert phones.stand.table.snapshot.game is not None
    assert phones.stand.table.snapshot.game.phase is Phase.SECOND
    expect(anna.locator(".boxes .next")).to_have_count(1)
    anna.wait_for_timeout(650)  # the button's own guard, not a guess
    anna.click("#finish")
    expect(anna.locator(".boxes .marked")).to_have_count(1)


def test_a_misread_die_is_tapped_and_put_right_for_all(phones: Phones) -> None:
    phones.stand.start()
    phones.stand.roll(ROLL)
    read = [("white", 3), ("white", 4), ("red", 2), ("yellow", 5), ("green", 6), ("blue", 1)]
    dice = tuple(AskedDie(colour, pips, 0.9, doubtful=False, crop="white-1") for colour, pips in read)
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
    cell(ben, "R7").tap()
    phones.wait(lambda now: bool(now.game and now.game.turn and now.game.turn.choices[1]))
    ben.locator(".die.red").tap()
    expect(ben.locator("#toast")).to_have_text("Only Anna can correct the dice after the first cross.")
    anna.locator(".die.white").first.tap()
    anna.locator(".key").nth(4).tap()
    expect(ben.locator("#headline")).to_have_text("White 5 + 4 = 9")
    expect(ben.locator(".banner.warn")).to_contain_text("red 7 is gone")


def test_a_doubtful_die_is_asked_for_with_its_picture(phones: Phones) -> None:
    phones.stand.start()
    anna = phones.sit(0)
    sure = [("white", 3), ("red", 2), ("yellow", 5), ("green", 6), ("blue", 1)]
    dice = tuple(AskedDie(colour, pips, 0.9, doubtful=False) for colour, pips in sure)
    doubtful = AskedDie("white", None, 0.4, doubtful=True, crop="white-1")
    notice = Notice("pips-doubtful", "the white die is hard to read", "white")
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
    anna.locator("#finish").tap()
    phones.wait(lambda _: phones.stand.presses == ["rolled"])


def test_a_lock_is_announced_while_others_can_still_answer(phones: Phones) -> None:
    phones.stand.start()
    phones.stand.play(sheet(0, "R2 R3 R4 R5 R6"))
    phones.stand.roll("W6 W6 R2 Y5 G6 B1")
    anna, ben = phones.sit(0), phones.sit(1)
    cell(anna, "R12").tap()
    expect(ben.locator(".banner.closing")).to_contain_text("Anna closes red! You may still close red too")
    expect(ben.locator("dialog")).to_have_count(0)  # a banner, not a modal
    cell(ben, "G12").tap()
    anna.click("#finish")
    ben.click("#finish")
    expect(ben.locator(".row.red")).to_have_class("row red closed")
    expect(ben.locator(".banner.closing")).to_have_text("Take the red die out of the lid.")
    expect(anna.locator(".row.red .lock")).to_have_attribute("aria-label", "lock, crossed")


def test_two_locks_end_it_with_the_reckoning_and_a_rematch(phones: Phones) -> None:
    phones.stand.start()
    phones.stand.play(sheet(0, "R2 R3 R4 R5 R6 R12 Y2 Y3 Y4 Y5 Y6"))
    phones.stand.roll("W6 W6 Y5 G6 B1")
    anna, ben = phones.sit(0), phones.sit(1)
    table = phones.page("/table", (1280, 720))
    cell(anna, "Y12").tap()
    for phone in (anna, ben):
        phone.click("#finish")
    expect(ben.locator("#headline")).to_have_text("Anna wins!")
    expect(ben.locator("#hint")).to_have_text("Two rows are locked.")
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


HOUSE = HouseRules(LocksTakeEffect.END_OF_TURN, scores_hidden=True, pass_by_itself=False, patience=45)


@pytest.mark.parametrize("phones", [{"house": HOUSE}], indirect=True)
def test_the_lobby_offers_the_house_rules_of_the_settings(phones: Phones) -> None:
    phones.stand.seat(2)
    anna = phones.sit(0)
    anna.get_by_text("How do you play?").click()
    expect(anna.locator("#start-patience")).to_have_value("45")
    anna.click(".start-form button.main")
    phones.wait(lambda now: now.game is not None and now.game.setup.house == HOUSE)


def test_choices_in_the_lobby_stay_when_somebody_sits_down_or_moves(phones: Phones) -> None:
    phones.stand.seat(2)
    anna = phones.sit(0)
    anna.get_by_text("How do you play?").click()
    expect(anna.locator("#start-board")).to_be_hidden()
    anna.select_option("#start-edition", "on-board")
    expect(anna.locator("#start-board")).to_be_visible()
    anna.select_option("#start-edition", "deluxe")
    expect(anna.locator("#start-board")).to_be_hidden()
    anna.select_option("#start-first", label="Ben")
    anna.get_by_label("Hide scores until the end").check()
    phones.join("Cem")
    anna.get_by_role("button", name="Ben one up").click()
    expect(anna.locator(".seats li").first).to_contain_text("Ben")
    expect(anna.locator(".seats li")).to_have_count(3)
    anna.click(".start-form button.main")
    game = phones.wait(lambda now: now.game is not None).game
    assert game is not None
    assert (game.setup.edition, game.setup.players[game.setup.first]) == (Edition.DELUXE, "Ben")
    assert game.setup.house.scores_hidden


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
    expect(anna.locator(".reckoning .total td").first).to_have_text("56")


def test_equal_points_share_the_victory(phones: Phones) -> None:
    phones.stand.start()
    anna = phones.sit(0)
    anna.click("#menu")
    anna.get_by_text("Put something right").click()
    stop = anna.get_by_role("button", name="End the game now")
    stop.click()
    anna.get_by_role("button", name="Really?").click()
    expect(anna.locator("#headline")).to_have_text("Anna and Ben win together!")
    assert anna.locator(".reckoning .place td").all_text_contents() == ["1.", "1."]


def test_a_new_phone_takes_a_seat_over_with_another_players_yes(phones: Phones) -> None:
    phones.stand.start()
    anna, old = phones.sit(0), phones.sit(1)
    new = phones.page(f"/join?code={CODE}")
    new.get_by_role("button", name="I am Ben").click()
    expect(new.locator("h1")).to_have_text("One moment")
    anna.get_by_role("button", name="Yes, that is Ben").click()
    new.wait_for_url("**/phone")
    expect(new.locator("#headline")).to_have_text("Anna rolls")
    old.wait_for_url("**/join")


def test_a_freed_seat_sends_its_phone_to_the_door(phones: Phones) -> None:
    phones.stand.start()
    ben = phones.sit(1)
    expect(ben.locator("#headline")).to_have_text("Anna rolls")
    phones.stand.play(SeatHeld(1, None))
    ben.wait_for_url("**/join")


def test_what_the_rules_refuse_is_said_in_words(phones: Phones) -> None:
    phones.stand.seat(5)
    anna = phones.sit(0)
    anna.get_by_text("How do you play?").click()
    anna.select_option("#start-edition", "deluxe")
    anna.click(".start-form button.main")
    expect(anna.locator("#toast")).to_have_text("This edition is for at most 4 players.")


def test_who_gets_up_in_the_lobby_is_at_the_door_again(phones: Phones) -> None:
    phones.stand.seat(2)
    ben = phones.sit(1)
    ben.get_by_role("button", name="Leave: Ben").click()
    ben.wait_for_url("**/join")
    phones.wait(lambda now: [seat.name for seat in now.seats] == ["Anna"])


def test_others_sheets_are_one_tap_away(phones: Phones) -> None:
    phones.stand.start(players=3)
    phones.stand.play(sheet(1, "R4 R5 G9 M1"))
    anna = phones.sit(0)
    anna.click("#others")
    card = anna.locator(".player", has_text="Ben")
    expect(card.locator(".player-score")).to_have_text("-1 points")
    expect(card.locator('.mini.red [data-state="crossed"]')).to_have_text(["4", "5"])
    expect(card.locator('.mini.red [data-state="skipped"]')).to_have_text(["2", "3"])


def test_one_phone_plays_two_seats(phones: Phones) -> None:
    anna = phones.join("Anna")
    anna.goto(f"{phones.address}/join?add=1")
    anna.fill("#name", "Child")
    anna.click("button.main")
    anna.wait_for_url("**/phone")
    anna.select_option("#start-first", "0")
    anna.click(".start-form button.main")
    expect(anna.locator(".tab")).to_have_count(2)
    phones.stand.roll(ROLL)
    cell(anna, "R7").tap()
    anna.get_by_role("tab", name="Child").click()
    cell(anna, "Y7").tap()
    expect(cell(anna, "R7")).not_to_have_attribute("data-chosen", "1")
    now = phones.wait(lambda now: bool(now.game and now.game.turn and all(now.game.turn.choices)))
    assert now.game is not None
    assert now.game.turn is not None
    assert [str(choice) for choice in now.game.turn.choices] == ["R7", "Y7"]


def test_on_board_the_piece_moves_to_a_space_ahead(phones: Phones) -> None:
    board = house_board().front
    phones.stand.start(edition=Edition.ON_BOARD, board=board)
    phones.stand.roll(ROLL)
    anna = phones.sit(0)
    for seat in (1, 0, 0):  # all pass; what is left is action 3
        phones.stand.play(Done(seat))
    expect(anna.locator("#headline")).to_have_text("Move your piece")
    expect(anna.locator("#finish")).to_have_text("Take −5")
    landing = anna.locator(".landing").last
    expect(landing).to_have_attribute("aria-label", re.compile(r"space \d, |space \d: "))
    landing.tap()
    expect(landing).to_have_attribute("aria-pressed", "true")
    expect(anna.locator("#finish")).to_have_text("Done")
    anna.click("#finish")
    moved = phones.wait(lambda now: bool(now.game and any(now.game.pieces)))
    assert moved.game is not None
    assert str(moved.game.sheets[0]) == str(board.cell(moved.game.pieces[0]))


def test_a_sheet_put_right_is_told_to_all(phones: Phones) -> None:
    phones.stand.start()
    phones.stand.play(sheet(0, "R4"))
    anna, ben = phones.sit(0), phones.sit(1)
    anna.click("#menu")
    anna.locator("dialog summary").last.click()
    anna.get_by_role("button", name="Correct a sheet: Ben").click()
    anna.get_by_role("button", name="G 11", exact=True).click()
    anna.get_by_role("button", name="+1").click()
    anna.get_by_role("button", name="Save").click()
    expect(cell(ben, "G11")).to_have_attribute("data-state", "crossed")
    expect(ben.locator("#misthrows .marked")).to_have_count(1)
    expect(ben.locator(".banner")).to_have_text("Anna corrected the sheet of Ben.")


def test_german_speaks_german(phones: Phones) -> None:
    phones.stand.start()
    phones.stand.roll(ROLL)
    anna = phones.sit(0, locale="de-DE")
    expect(anna.locator("#headline")).to_have_text("Weiß 3 + 4 = 7")
    cell(anna, "R12").tap()
    expect(anna.locator("#toast")).to_have_text("rot 12 braucht 5 Kreuze davor, du hast 0.")
    anna.click("#menu")
    anna.locator("dialog").get_by_role("button", name="English").click()
    expect(anna.locator("#hint")).to_contain_text("Your turn")


def test_everything_works_by_keyboard(phones: Phones) -> None:
    phones.stand.start()
    phones.stand.roll(ROLL)
    anna = phones.sit(0)
    cell(anna, "R2").focus()
    for _ in range(5):
        anna.keyboard.press("ArrowRight")
    expect(cell(anna, "R7")).to_be_focused()
    anna.keyboard.press("Enter")
    expect(cell(anna, "R7")).to_have_attribute("aria-pressed", "true")
    expect(cell(anna, "R7")).to_have_attribute("aria-label", "red 7, chosen with white")
    expect(anna.locator("#live")).to_have_text("red 7 chosen.")


def test_without_scripts_one_joins_and_reads_the_sheet(phones: Phones) -> None:
    phone = phones.page(f"/join?code={CODE}", java_script_enabled=False)
    phone.fill("#name", "Anna")
    phone.click("button.main")
    phone.wait_for_url("**/phone")
    expect(phone.locator(".seats li")).to_have_text("Anna")
    setup = Setup(("Anna",))
    phones.stand.play(GameStarted(setup))
    phones.stand.play(sheet(0, "R4 M1"))
    phones.stand.roll(ROLL)
    phone.reload()
    expect(phone.locator("#headline")).to_have_text("White 3 + 4 = 7")
    expect(phone.locator(".plain-dice")).to_have_text("white 3, white 4, red 2, yellow 5, green 6, blue 1")
    expect(cell(phone, "R4")).to_have_attribute("aria-label", "red 4, crossed")
    expect(phone.locator("#misthrows .marked")).to_have_count(1)
