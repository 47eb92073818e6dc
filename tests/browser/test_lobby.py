"""The lobby and the seats, in a real browser: house rules, who sits, who leaves, who takes over."""

import pytest
from playwright.sync_api import expect

from companion.game import Edition, HouseRules, Leaning, LocksTakeEffect
from companion.table.seats import SeatHeld
from tests.browser.conftest import Phones
from tests.web_table import CODE, wish

HOUSE = HouseRules(
    LocksTakeEffect.END_OF_TURN,
    scores_hidden=True,
    pass_by_itself=False,
    patience=45,
    leaning=Leaning.ROLLED_AGAIN,
)


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
    ben.get_by_role("button", name="Take off").click()
    ben.wait_for_url("**/join")
    phones.wait(lambda now: [seat.name for seat in now.seats] == ["Anna"])


def test_a_phone_is_freed_once_another_one_says_yes(phones: Phones) -> None:
    phones.stand.start(3)
    anna, ben, cem = phones.sit(0), phones.sit(1), phones.sit(2)
    expect(anna.locator("#headline")).to_have_text("Your roll")
    wish(phones.stand.phone(0), "free", seat=0, owner=1)
    expect(anna.locator(".banner")).to_have_text("Ben’s seat is freed once somebody else says yes.")
    expect(ben.locator(".banner p")).to_have_text("A phone wants to free Ben’s seat.")
    cem.get_by_role("button", name="Yes", exact=True).click()
    ben.wait_for_url("**/join")
    expect(anna.locator(".banner")).to_have_count(0)


@pytest.mark.parametrize("phones", [{"new_code": lambda: "AB29", "health": lambda _: ()}], indirect=True)
def test_a_new_code_made_with_one_button_is_shown_on_phones_and_display(phones: Phones) -> None:
    phones.stand.seat(2)
    anna, display, owner = phones.sit(0), phones.page("/table"), phones.page("/health")
    expect(display.locator("#code")).to_have_text(CODE)
    expect(anna.locator(".seats li")).to_have_count(2)
    owner.get_by_text("New code …").click()
    owner.get_by_role("button", name="Make a new code").click()
    expect(owner.locator("strong.code")).to_have_text("AB29")
    expect(anna.locator("#toast")).to_have_text("New table code: AB29")
    expect(anna.locator(".invite-code").first).to_contain_text("AB29")
    expect(display.locator("#code")).to_have_text("AB29")
    expect(display.locator("#qr")).to_have_attribute("src", "/qr.svg?AB29")
