"""Fingers that tap twice, keys that are held down, and questions before what is grave."""

import pytest
from playwright.sync_api import Locator, Page, expect

from companion.boards import house_board
from companion.game import Done, Edition, EndedBy, Phase
from tests.browser.conftest import ROLL, Phones
from tests.browser.sheet_page import cell, hold_the_clock
from tests.browser.sound import at_each, boxes, check, in_each_look

SIZES = [(320, 454), (412, 839), (553, 320), (839, 412)]
MOMENT = 400  # milliseconds in which what has just changed takes no tap


def finger(page: Page, node: Locator) -> None:
    """A touch in the middle of the node, whatever takes it there."""
    box = node.bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def phase_of(phones: Phones) -> Phase:
    game = phones.table.snapshot.game
    assert game is not None
    return game.phase


def on_board(phones: Phones) -> Page:
    """Anna's phone, in a game of three actions in which Ben is done already."""
    phones.stand.start(edition=Edition.ON_BOARD, board=house_board().front)
    phones.stand.roll(ROLL)
    phones.stand.play(Done(1))
    anna = phones.sit(0)
    expect(anna.locator("#finish")).to_have_text("Pass")
    hold_the_clock(anna)
    return anna


def test_done_tapped_three_times_ends_one_action_and_not_three(phones: Phones) -> None:
    anna = on_board(phones)
    cell(anna, "R7").tap()
    button = anna.locator("#finish")
    expect(button).to_have_text("Done")
    finger(anna, button)
    expect(anna.locator("#headline")).to_have_text("White + colour")
    finger(anna, button)
    finger(anna, button)
    anna.clock.run_for(MOMENT)
    button.tap()  # a new wish
    expect(anna.locator("#headline")).to_have_text("Move your piece")
    finger(anna, button)
    anna.clock.run_for(MOMENT)
    cell(anna, "R12").tap()
    expect(anna.locator("#toast")).to_be_visible()  # what was tapped before has been answered by now
    assert phase_of(phones) is Phase.THIRD


def test_enter_pressed_twice_ends_one_action_and_not_two(phones: Phones) -> None:
    anna = on_board(phones)
    cell(anna, "R7").tap()
    anna.locator("#finish").focus()
    anna.keyboard.press("Enter")
    expect(anna.locator("#headline")).to_have_text("White + colour")
    anna.keyboard.press("Enter")
    anna.locator("#finish").evaluate("(button) => button.click()")  # as screen readers do
    anna.clock.run_for(MOMENT)
    anna.keyboard.press("Enter")
    expect(anna.locator("#headline")).to_have_text("Move your piece")
    assert phase_of(phones) is Phase.THIRD
    expect(anna.locator("#finish")).to_be_focused()
    assert anna.locator("#finish").get_attribute("aria-disabled") is None  # nothing new for ears


def test_two_taps_on_a_number_cross_it(phones: Phones) -> None:
    anna = on_board(phones)
    finger(anna, cell(anna, "R7"))
    expect(cell(anna, "R7")).to_have_attribute("data-chosen", "1")
    finger(anna, cell(anna, "R7"))
    expect(cell(anna, "R7")).to_have_attribute("data-chosen", "1")
    finger(anna, cell(anna, "Y7"))  # another number is another wish
    expect(cell(anna, "Y7")).to_have_attribute("data-chosen", "1")
    expect(cell(anna, "R7")).not_to_have_attribute("data-chosen", "1")
    anna.clock.run_for(MOMENT)
    finger(anna, cell(anna, "Y7"))  # after a moment, the second tap takes it back
    expect(cell(anna, "Y7")).not_to_have_attribute("data-chosen", "1")


def test_two_taps_on_roll_for_me_do_not_open_a_die(phones: Phones) -> None:
    phones.stand.start()
    anna = phones.sit(0)
    way = anna.get_by_text("Roll for me")
    expect(way).to_be_visible()
    hold_the_clock(anna)
    box = way.bounding_box()
    assert box is not None
    anna.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(anna.locator(".sum")).to_be_visible()
    dice = boxes(anna, "#dice .die")
    under = [die for die in dice if die["x"] < box["x"] + box["width"] and die["x"] + die["width"] > box["x"]]
    for die in under:
        anna.touchscreen.tap(die["x"] + die["width"] / 2, die["y"] + die["height"] / 2)
    expect(anna.locator("dialog")).to_have_count(0)
    anna.clock.run_for(MOMENT)
    anna.locator("#dice .die").first.tap()
    expect(anna.locator("dialog")).to_have_count(1)


def test_a_key_held_down_is_one_wish(phones: Phones) -> None:
    anna = on_board(phones)
    cell(anna, "R7").focus()
    anna.keyboard.down("Enter")
    expect(cell(anna, "R7")).to_have_attribute("data-chosen", "1")
    anna.clock.run_for(MOMENT)
    anna.keyboard.down("Enter")  # the keyboard repeats it
    anna.keyboard.up("Enter")
    expect(cell(anna, "R7")).to_have_attribute("data-chosen", "1")
    phones.wait(lambda now: bool(now.game and now.game.turn and str(now.game.turn.choices[0]) == "R7"))


def test_done_right_after_ones_own_cross_is_taken(phones: Phones) -> None:
    anna = on_board(phones)
    finger(anna, cell(anna, "R7"))
    finger(anna, anna.locator("#finish"))
    expect(anna.locator("#headline")).to_have_text("White + colour")


def test_pass_tapped_as_it_turns_into_a_misthrow_takes_none(phones: Phones) -> None:
    phones.stand.start(players=1)
    phones.stand.roll(ROLL)
    anna = phones.sit(0)
    button = anna.locator("#finish")
    expect(button).to_have_text("Pass")
    hold_the_clock(anna)
    finger(anna, button)
    expect(button).to_have_text("Take −5")
    finger(anna, button)
    expect(anna.locator(".boxes .next")).to_have_count(1)
    anna.clock.run_for(MOMENT)
    cell(anna, "Y8").tap()
    expect(button).to_have_text("Done")
    anna.clock.run_for(MOMENT)
    cell(anna, "Y8").tap()  # back to nothing, which is grave
    expect(button).to_have_text("Take −5")
    finger(anna, button)
    assert phase_of(phones) is Phase.SECOND
    anna.clock.run_for(MOMENT)
    finger(anna, button)
    expect(anna.locator(".boxes .marked")).to_have_count(1)


# --- what is grave --------------------------------------------------------------------------------------


def apart(one: Locator, other: Locator) -> bool:
    first, second = one.bounding_box(), other.bounding_box()
    assert first is not None
    assert second is not None
    beside = first["x"] + first["width"] <= second["x"] or second["x"] + second["width"] <= first["x"]
    return (
        beside or first["y"] + first["height"] <= second["y"] or second["y"] + second["height"] <= first["y"]
    )


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize(
    "tapped", ["End the game now", "Free the seat of Ben", "Leave this phone’s seat"], ids=str
)
def test_what_is_grave_is_asked_on_another_spot(tapped: str, size: tuple[int, int], phones: Phones) -> None:
    phones.stand.start()
    anna = phones.sit(0, size)
    anna.click("#menu")
    spot = anna.get_by_role("button", name=tapped)
    harmless = anna.locator("dialog summary").last
    assert apart(spot, harmless)
    spot.scroll_into_view_if_needed()
    before = phones.table.snapshot.version
    hold_the_clock(anna)
    finger(anna, spot)
    question = anna.get_by_role("alertdialog")
    yes, no = question.locator("button.danger"), question.locator("button.main")
    expect(yes).to_be_visible()
    assert apart(yes, spot)
    assert apart(no, spot)
    expect(no).to_be_focused()
    for box in boxes(anna, ".question button"):
        assert 0 <= box["y"] <= box["y"] + box["height"] <= size[1]
        assert box["height"] >= 44
    finger(anna, spot)
    finger(anna, yes)  # too early to be meant
    anna.clock.run_for(MOMENT)
    expect(question).to_be_visible()
    no.tap()
    expect(question).to_have_count(0)
    assert phones.table.snapshot.version == before


def test_a_yes_to_the_question_is_carried_out(phones: Phones) -> None:
    phones.stand.start()
    anna, ben = phones.sit(0), phones.sit(1)
    anna.click("#menu")
    anna.get_by_role("button", name="Free the seat of Ben").click()
    anna.get_by_role("button", name="Free the seat", exact=True).click()
    expect(ben.locator(".banner p")).to_have_text("A phone wants to free Ben’s seat.")
    anna.click("#menu")
    anna.get_by_role("button", name="End the game now").click()
    anna.get_by_role("button", name="End the game", exact=True).click()
    phones.wait(lambda now: bool(now.game and now.game.ended_by is EndedBy.STOPPED))


def test_taking_somebody_off_the_table_is_asked_in_the_lobby(phones: Phones) -> None:
    phones.stand.seat(3)
    anna = phones.sit(0, (320, 454))
    leave = anna.get_by_role("button", name="Leave: Cem")
    leave.tap()
    question = anna.get_by_role("alertdialog", name="Take Cem off the table?")
    assert apart(question.locator("button.danger"), leave)
    question.get_by_text("Keep the seat").tap()
    leave.tap()
    question.get_by_text("Take off").tap()
    phones.wait(lambda now: [seat.name for seat in now.seats] == ["Anna", "Ben"])


@in_each_look()
def test_questions_are_sound_and_fit_the_screen(scheme: str, locale: str, phones: Phones) -> None:
    phones.stand.start()
    anna = phones.sit(0, SIZES[0], color_scheme=scheme, locale=locale)
    anna.click("#menu")
    expect(anna.locator("dialog > .graves > button").first).to_be_visible()
    for each in anna.locator("dialog > .graves > button").all():
        each.click()
        expect(anna.locator(".question")).to_be_visible()
        for size in at_each(anna, SIZES):
            for side in ("Height", "Width"):
                fits = f"(node) => node.scroll{side} <= node.client{side}"
                assert anna.locator(".question").evaluate(fits), size
        anna.set_viewport_size({"width": SIZES[0][0], "height": SIZES[0][1]})
        check(anna, each.text_content() or "")
        anna.keyboard.press("Escape")
