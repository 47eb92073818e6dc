"""Hints on a phone: a connection that fails says so, and the next try has it."""

import pytest
from playwright.sync_api import Page, Route, expect

from companion.game import Hints, HouseRules
from tests.browser.conftest import Phones

DICE = "W1 W1 R5 Y5 G6 B1"


def abort(route: Route) -> None:
    route.abort()


def refuse(route: Route) -> None:
    route.fulfill(status=500, body="")


def without_hints(phones: Phones, which: Hints, answer: object) -> Page:
    phones.stand.start(2, house=HouseRules(hints=which))
    phone = phones.sit(0)
    phone.route("**/api/hints/*", answer)  # type: ignore[arg-type]
    phones.stand.roll(DICE)
    expect(phone.locator("#finish:not([data-look=idle])")).to_be_visible()
    return phone


@pytest.mark.parametrize("answer", [abort, refuse])
@pytest.mark.parametrize("which", [Hints.ASKED, Hints.ALWAYS])
def test_a_hint_that_does_not_come_is_said_and_can_be_asked_for_again(
    which: Hints, answer: object, phones: Phones
) -> None:
    phone = without_hints(phones, which, answer)
    if which is Hints.ASKED:
        phone.click("#ask-hint")
    expect(phone.locator("#hint")).to_have_text("No hint came. Ask again.")
    phone.unroute("**/api/hints/*")
    phone.click("#ask-hint")
    expect(phone.locator("#hint[data-hint]")).to_contain_text("2.")
    expect(phone.locator(".cell[data-hint]")).to_have_count(1)
