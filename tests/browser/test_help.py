"""The rules in short in a real browser: without scripts, on a small phone, sound for everybody."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Phones
from tests.browser.sound import check, in_each_look


@pytest.mark.parametrize("size", [(320, 568), (412, 839), (1280, 800)], ids=str)
@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_the_rules_are_whole_without_scripts_and_fit_the_width(
    size: tuple[int, int], locale: str, phones: Phones
) -> None:
    page = phones.page("/help", size, locale=locale, java_script_enabled=False)
    expect(page.locator("section.rule")).to_have_count(11)
    for strip in page.locator(".strips .strip").all():
        box = strip.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= size[0]
    page.locator(".jumps a").last.click()
    expect(page.locator("#rings h2")).to_be_in_viewport()


@in_each_look()
def test_the_rules_are_sound(scheme: str, locale: str, phones: Phones) -> None:
    page = phones.page("/help", (375, 667), color_scheme=scheme, locale=locale)
    assert page.evaluate("() => document.scrollingElement.scrollWidth") <= 375
    check(page)
