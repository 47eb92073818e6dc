"""A phone that is reloaded, closed, or left with the back button: it shows the table as it is, at once."""

import pytest
from playwright.sync_api import Page, expect

from companion.game import Done
from companion.table.eyes import Eyes, EyesState, Notice
from tests.browser.conftest import ROLL, Phones
from tests.browser.sheet_page import cell, tap


def seated_with_a_choice(phones: Phones) -> Page:
    phones.stand.start()
    phones.stand.roll(ROLL)
    anna = phones.sit(0)
    expect(anna.locator("body")).to_have_attribute("data-link", "live")
    tap(anna, "R7")
    expect(cell(anna, "R7")).to_have_attribute("data-chosen", "1")
    phones.wait(lambda now: bool(now.game and now.game.turn and now.game.turn.choices[0]))
    return anna


def test_a_phone_reloaded_in_the_middle_of_a_choice_shows_it_again(phones: Phones) -> None:
    anna = seated_with_a_choice(phones)
    anna.reload()
    expect(cell(anna, "R7")).to_have_attribute("data-chosen", "1")
    expect(anna.locator("body")).to_have_attribute("data-link", "live")


def test_a_phone_closed_and_opened_again_holds_its_seat_and_its_choice(phones: Phones) -> None:
    anna = seated_with_a_choice(phones)
    context = anna.context
    anna.close()
    again = context.new_page()
    again.goto(f"{phones.address}/")
    again.goto(f"{phones.address}/phone")
    expect(cell(again, "R7")).to_have_attribute("data-chosen", "1")
    again.click("#finish:not([data-held])")
    phones.stand.play(Done(1))
    expect(cell(again, "R7")).to_have_attribute("data-state", "crossed")


def test_the_back_button_leads_to_the_newest_state_and_not_to_the_one_left(phones: Phones) -> None:
    phones.stand.start()
    anna = phones.sit(0)
    expect(anna.locator("#headline")).to_have_text("Your roll")
    anna.goto(f"{phones.address}/help")
    phones.stand.roll(ROLL)
    anna.go_back()
    expect(anna.locator("#headline")).to_have_text("White 3 + 4 = 7")
    expect(anna.locator("body")).to_have_attribute("data-link", "live")
    anna.go_forward()
    anna.go_back()
    expect(anna.locator("body")).to_have_attribute("data-link", "live")


@pytest.mark.parametrize(
    ("eyes", "kind", "says"),
    [
        (EyesState.MOVING, "hand", "Take the hand away from the lid."),
        (EyesState.ASK, "die-leans", "The red die leans: lay it flat."),
        (EyesState.TROUBLE, "camera", "Check the camera’s cable: the camera does not answer."),
        (EyesState.TROUBLE, "disk-full", "Free some space on the companion’s disk, then press again."),
    ],
)
def test_what_the_camera_needs_is_said_on_the_phone_and_on_the_table_display(
    eyes: EyesState, kind: str, says: str, phones: Phones
) -> None:
    phones.stand.start()
    anna, display = phones.sit(0), phones.page("/table", (1024, 768))
    expect(anna.locator("#headline")).to_have_text("Your roll")
    phones.stand.table.tell(Eyes(eyes, (Notice(kind, ("red",)),)))
    expect(anna.locator("#hint")).to_have_text(says)
    expect(display.locator(".turn p").first).to_contain_text(says)
