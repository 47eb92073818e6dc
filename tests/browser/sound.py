"""What every screen must keep: sound to axe, and its boxes where a finger finds them."""

from collections.abc import Iterable, Iterator
from typing import TypedDict, cast

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

Size = tuple[int, int]

SCHEMES_AND_LANGUAGES = [("light", "en-GB"), ("dark", "de-DE")]  # neither changes what axe finds in the other
MEASURE = """(nodes) => nodes.filter((node) => node.getClientRects().length).map((node) => {
    const {x, y, width, height} = node.getBoundingClientRect();
    return {x, y, width, height, name: `${node.id || node.className} ${node.textContent.trim()}`};
})"""


class Box(TypedDict):
    """Where something stands in the window, in CSS pixels, and what it is."""

    x: float
    y: float
    width: float
    height: float
    name: str


def boxes(page: Page, selector: str) -> list[Box]:
    """All that is shown of what the selector names, measured at once; there is something of it."""
    found = cast(list[Box], page.locator(selector).evaluate_all(MEASURE))
    assert found, f"nothing is shown of {selector}"
    return found


def at_each(page: Page, sizes: Iterable[Size]) -> Iterator[Size]:
    """The page at one size after the other, as if the phone was turned or the window pulled larger."""
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        yield width, height


def still(page: Page) -> None:
    """Nothing is on its way to another colour or place any more."""
    page.evaluate(
        """() => Promise.allSettled(
            document.getAnimations()
                .filter((each) => each.effect.getComputedTiming().iterations !== Infinity)
                .map((each) => each.finished),
        )"""
    )


def check(page: Page, where: str = "") -> None:
    """Axe finds nothing, once all is still: colours halfway are not those that people read."""
    still(page)
    results = Axe().run(page)
    assert results.violations_count == 0, f"{where}\n{results.generate_report()}"


def in_each_look() -> pytest.MarkDecorator:
    """Light and dark, English and German, each of them once."""
    return pytest.mark.parametrize(("scheme", "locale"), SCHEMES_AND_LANGUAGES)
