"""Playing on phones, as people do it, in a real browser: taps, keys, fingers, words."""

import re

from playwright.sync_api import expect

from companion.boards import house_board
from companion.game import Done, Edition, Setup
from companion.table.snapshot import GameStarted
from companion.table.table import LOT_SECONDS
from tests.browser.conftest import ROLL, Phones
from tests.browser.sheet_page import cell, sheet, tap
from tests.web_table import CODE, NAMES


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
    tap(ben, "R7")
    expect(cell(ben, "R7")).to_have_attribute("data-chosen", "1")
    expect(cell(anna, "R7")).not_to_have_attribute("data-chosen", "1")
    for phone in (ben, cem, anna):
        phone.click("#finish:not([data-held])")
    expect(cell(ben, "R7")).to_have_attribute("data-state", "crossed")
    expect(cell(ben, "R5")).to_have_attribute("data-state", "skipped")
    expect(anna.locator("#headline")).to_have_text("White + colour")
    expect(anna.locator("#finish")).to_have_text("Take −5")
    tap(anna, "Y8")
    expect(anna.locator("#finish")).to_have_text("Done")
    anna.click("#finish:not([data-held])")
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
    tap(anna, "R12")
    expect(anna.locator("#toast")).to_have_text("The red 12 needs 5 crosses before it, you have 0.")
    before = phones.stand.table.snapshot.version
    tap(anna, "G12")
    expect(anna.locator("#toast")).to_have_text("The green 12 was not rolled.")
    assert phones.stand.table.snapshot.version == before


def test_undo_takes_the_choice_back(phones: Phones) -> None:
    phones.stand.start()
    phones.stand.roll(ROLL)
    anna = phones.sit(0)
    tap(anna, "R7")
    expect(anna.locator("#finish")).to_have_text("Done")
    tap(anna, "Y8")
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


def test_others_sheets_are_one_tap_away(phones: Phones) -> None:
    phones.stand.start(players=3)
    phones.stand.play(sheet(1, "R4 R5 G9 M1"))
    anna = phones.sit(0)
    anna.click("#others")
    card = anna.locator(".player", has_text="Ben")
    expect(card.locator(".player-score")).to_have_text("−1 points")
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
    tap(anna, "R7")
    anna.get_by_role("tab", name="Child").click()
    tap(anna, "Y7")
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
    expect(landing).to_have_attribute("aria-label", re.compile(r"Space \d: "))
    landing.tap()
    expect(landing).to_have_attribute("aria-pressed", "true")
    expect(anna.locator("#finish")).to_have_text("Done")
    anna.click("#finish:not([data-held])")
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
    anna.get_by_role("button", name="green 11", exact=True).click()
    anna.get_by_role("button", name="+1").click()
    anna.get_by_role("button", name="Save").click()
    expect(cell(ben, "G11")).to_have_attribute("data-state", "crossed")
    expect(ben.locator("#misthrows .marked")).to_have_count(1)
    expect(ben.locator(".banner")).to_have_text(
        "Anna corrected the sheet of Ben: the green 11 crossed, misthrows: 0 → 1."
    )


def test_german_speaks_german(phones: Phones) -> None:
    phones.stand.start()
    phones.stand.roll(ROLL)
    anna = phones.sit(0, locale="de-DE")
    expect(anna.locator("#headline")).to_have_text("Weiß 3 + 4 = 7")
    tap(anna, "R12")
    expect(anna.locator("#toast")).to_have_text("Die rote 12 braucht 5 Kreuze davor, du hast 0.")
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
    expect(anna.locator("#live")).to_have_text("The red 7: chosen.")


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
