"""An evening, from the code on the display to "again": the real command, its camera, phones, a display."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import people
from tests.browser.conftest import Screens
from tests.browser.sheet_page import cell
from tools.soak.companion_process import CompanionProcess

SEED = 21  # of the throws
SIZES = {
    "Anna": (375, 553),
    "Ben": (412, 839),
    "Cem": (320, 454),
    "Dora": (360, 640),
    "Emil": (390, 664),
}
TWO_TO_SIX = {row: [f"{row}{number}" for number in range(2, 7)] for row in "RY"}  # five, as a lock needs


@dataclass
class Evening:
    """The companion as a process of its own, the display, and everybody's phone."""

    companion: CompanionProcess
    at: Screens
    display: Page
    phones: dict[str, Page] = field(default_factory=dict)  # of who plays
    watcher: Page | None = None

    @property
    def code(self) -> str:
        return self.display.locator("#code").text_content() or ""

    def sit_down(self, name: str) -> None:
        self.phones[name] = people.sit_down(self.at, name, self.code, SIZES[name])

    def who_rolls(self) -> str:
        """Whose turn it is, as the display tells."""
        heading = self.display.locator(".turn h1")
        expect(heading).to_contain_text(" rolls")
        return (heading.text_content() or "").removesuffix(" rolls")

    def all_decide(self) -> None:
        """Action 1 of everybody who takes part."""
        for phone in self.phones.values():
            people.decide(phone)

    def nothing_more(self, active: str, *, misthrow: bool = False) -> None:
        """Action 2 without a cross."""
        phone = self.phones[active]
        expect(phone.locator("#headline")).to_have_text("White + colour")
        people.finish(phone, "Take −5" if misthrow else "Pass")


@pytest.fixture
def evening(browser: Browser, tmp_path: Path) -> Iterator[Evening]:
    companion = CompanionProcess(tmp_path / "state", seed=SEED)
    companion.start()
    at = Screens(companion.port, browser)
    try:
        yield Evening(companion, at, at.page("/table", (1280, 720)))
    finally:
        at.close()
        code = companion.stop()
    assert code == 0
    assert at.faults == []


@pytest.mark.slow
def test_an_evening_that_nothing_stops(evening: Evening) -> None:
    five_sit_down(evening)
    a_first_game(evening)
    on_board_seats_four_and_the_fifth_watches(evening)
    a_phone_dies_and_one_sits_out(evening)
    a_sheet_is_corrected_in_action_2_and_dinner_is_served(evening)
    a_row_is_closed_by_two(evening)
    the_end(evening)
    again(evening)


def five_sit_down(evening: Evening) -> None:
    wrong = evening.at.page("/join")
    people.fill_in(wrong, "Anna", "NOPE")
    expect(wrong.get_by_role("alert")).to_contain_text("That is not the table’s code.")
    wrong.context.close()
    evening.at.pages.remove(wrong)
    for name in SIZES:
        evening.sit_down(name)
    expect(evening.display.locator("#seats li")).to_have_text(list(SIZES))
    for phone in evening.phones.values():
        expect(phone.locator(".seats li")).to_have_count(5)


def a_first_game(evening: Evening) -> None:
    """The original, the first player by lot; two turns of crosses, and one that ends it."""
    evening.phones["Emil"].locator(".start-form button.main").tap()
    expect(evening.display.locator(".lot")).to_be_visible()
    first = evening.who_rolls()
    players = list(SIZES)
    order = [players[(players.index(first) + step) % 5] for step in range(2)]
    people.roll_into_the_lid(evening.phones[order[0]])
    evening.all_decide()
    evening.nothing_more(order[0])
    assert evening.who_rolls() == order[1]
    last = evening.phones[order[1]]
    people.correct(evening.phones[first], order[1], misthrows=3)
    people.roll_into_the_lid(last)
    for name, phone in evening.phones.items():
        if name != order[1]:
            people.decide(phone)
    people.finish(last, "Pass")
    evening.nothing_more(order[1], misthrow=True)
    for phone in evening.phones.values():
        expect(phone.locator("#headline")).to_contain_text(" win")
        expect(phone.locator("#hint")).to_have_text("The fourth misthrow ends the game.")
    last.get_by_role("button", name="Other players").tap()
    expect(evening.display.locator("#seats li")).to_have_count(5)


def on_board_seats_four_and_the_fifth_watches(evening: Evening) -> None:
    anna, emil = evening.phones["Anna"], evening.phones["Emil"]
    anna.select_option("#start-first", "0")
    anna.get_by_text("How do you play?").click()
    anna.select_option("#start-edition", "on-board")
    anna.locator(".start-form button.main").tap()
    expect(anna.locator("#toast")).to_have_text("This edition is for at most 4 players.")
    emil.get_by_role("button", name="Leave: Emil").tap()
    people.say_yes(emil)
    emil.wait_for_url("**/join")
    expect(anna.locator(".seats li")).to_have_count(4)
    anna.locator(".start-form button.main").tap()
    assert evening.who_rolls() == "Anna"
    emil.reload()
    people.sit_down_here(emil, "Emil", evening.code)
    expect(emil.locator(".watch .player")).to_have_count(4)
    expect(evening.display.locator(".board .space")).to_have_count(40)
    evening.watcher = evening.phones.pop("Emil")


def a_phone_dies_and_one_sits_out(evening: Evening) -> None:
    """Ben's phone dies with a cross chosen; Dora sits out; the turn goes on with both of it."""
    anna, cem, dora = (evening.phones[name] for name in ("Anna", "Cem", "Dora"))
    people.enter(anna, "W3 W4 R2 Y5 G6 B1")
    people.cross(evening.phones["Ben"], "G7")
    evening.phones["Ben"].context.close()
    evening.at.pages.remove(evening.phones["Ben"])
    fresh = evening.at.page("/join", SIZES["Ben"])
    fresh.get_by_role("button", name="I am Ben").click()
    expect(fresh.get_by_role("status")).to_contain_text("Somebody at the table has to say yes to “Ben”.")
    expect(cem.locator(".banner.ask")).to_contain_text("A new phone asks for Ben’s seat.")
    cem.get_by_role("button", name="Yes, that is Ben").click()
    fresh.wait_for_url("**/phone")
    evening.phones["Ben"] = fresh
    expect(cell(fresh, "G7")).to_have_attribute("data-chosen", "1")
    people.menu(dora, "Who plays").get_by_role("button", name="Dora sits out").click()
    expect(anna.locator(".banner", has_text="Dora sits out.")).to_be_visible()
    expect(evening.display.locator(".player", has_text="Dora").locator(".thinks")).to_have_text("sits out")
    people.cross(anna, "R7")
    for name in ("Ben", "Cem", "Anna"):
        people.decide(evening.phones[name])
    expect(cell(fresh, "G7")).to_have_attribute("data-state", "crossed")
    evening.nothing_more("Anna")
    people.finish(anna, "Stay")
    assert evening.who_rolls() == "Ben"


def a_sheet_is_corrected_in_action_2_and_dinner_is_served(evening: Evening) -> None:
    """Ben has chosen his second cross when Cem's sheet is put right, and when the companion is stopped."""
    ben, cem, dora = (evening.phones[name] for name in ("Ben", "Cem", "Dora"))
    people.roll_into_the_lid(ben)
    before = dora.locator(".boxes .marked").count()
    for name in ("Anna", "Cem", "Ben"):
        people.decide(evening.phones[name])
    expect(ben.locator("#headline")).to_have_text("White + colour")
    for name in ("Anna", "Cem"):
        expect(evening.phones[name].locator("#headline")).to_have_text("Ben: white + colour")
    settled = {name: crossed(phone) for name, phone in evening.phones.items()}
    second = ben.locator('.cell[data-legal*="2"]').first.get_attribute("data-cell") or ""
    people.cross(ben, second, action=2)
    people.correct(cem, "Cem", crosses=["B12"])
    settled["Cem"].append("B12")
    for name, phone in evening.phones.items():
        expect(
            phone.locator(".banner", has_text="Cem corrected the sheet of Cem: the blue 12")
        ).to_be_visible()
        assert sorted(crossed(phone)) == sorted(settled[name])
    dinner(evening)
    for name, phone in evening.phones.items():
        assert sorted(crossed(phone)) == sorted(settled[name])
    expect(cell(ben, second)).to_have_attribute("data-chosen", "2")
    people.finish(ben, "Done")
    ben.locator(".landing").first.tap()
    people.finish(ben, "Done")
    expect(cell(ben, second)).to_have_attribute("data-state", "crossed")
    people.finish(dora, "I’m back")
    expect(dora.locator("#headline")).to_have_text("Cem rolls")
    assert dora.locator(".boxes .marked").count() == before == 0


def dinner(evening: Evening) -> None:
    """The companion is stopped, and started on what it kept; nobody reloads a page."""
    screens = [*evening.at.pages]
    assert evening.companion.stop() == 0
    for screen in screens:
        expect(screen.locator("#line")).to_be_visible()
    evening.companion.start()
    for screen in screens:
        expect(screen.locator("body")).to_have_attribute("data-link", "live")
        expect(screen.locator("#line")).to_be_hidden()


def crossed(phone: Page) -> list[str]:
    """The crosses that stand on the sheet."""
    cells = phone.locator('.cell[data-state="crossed"]').evaluate_all(
        "(all) => all.map((each) => each.dataset.cell)"
    )
    return [str(name) for name in cells]


def a_row_is_closed_by_two(evening: Evening) -> None:
    """Anna and Dora have five red crosses each, and cross the red 12 in the same action 1."""
    anna, cem, dora = (evening.phones[name] for name in ("Anna", "Cem", "Dora"))
    assert evening.who_rolls() == "Cem"
    for name in ("Anna", "Dora"):
        have = crossed(evening.phones[name])
        people.correct(cem, name, crosses=[each for each in TWO_TO_SIX["R"] if each not in have])
    people.enter(cem, "W6 W6 R1 Y2 G3 B4")
    people.cross(anna, "R12")
    expect(dora.locator(".banner.closing")).to_have_text(
        "Anna closes the red row! You can close it too, or change your cross."
    )
    expect(evening.display.locator(".loud", has_text="Anna closes the red row!")).to_be_visible()
    people.cross(dora, "R12")
    expect(dora.locator(".banner.closing")).to_have_text("You are closing the red row.")
    people.cross(cem, "G12")
    evening.all_decide()
    for phone in (anna, dora):
        expect(phone.locator(".row.red .lock")).to_have_attribute("aria-label", "lock, crossed")
    for phone in evening.phones.values():
        expect(phone.locator(".banner.closing")).to_have_text("Take the red die out of the lid.")
    evening.nothing_more("Cem")
    people.finish(cem, "Stay")
    assert evening.who_rolls() == "Dora"


def the_end(evening: Evening) -> None:
    """Ben closes the second row in Dora's turn; every screen counts the same."""
    ben, dora = evening.phones["Ben"], evening.phones["Dora"]
    have = crossed(ben)
    people.correct(dora, "Ben", crosses=[each for each in TWO_TO_SIX["Y"] if each not in have])
    people.enter(dora, "W6 W6 Y2 G3 B4")
    people.cross(ben, "Y12")
    evening.all_decide()
    for phone in evening.phones.values():
        expect(phone.locator("#headline")).to_contain_text(" win")
        expect(phone.locator("#hint")).to_have_text("Two rows are closed.")
    expect(evening.display.locator(".over h1")).to_contain_text(" win")
    totals = [
        page.locator(".reckoning .total td").all_text_contents()
        for page in (evening.display, *evening.phones.values())
    ]
    assert len(totals[0]) == 4
    assert all(each == totals[0] for each in totals)


def again(evening: Evening) -> None:
    """The next in order begins; who watches goes on watching, as the board seats no fifth."""
    evening.phones["Ben"].get_by_role("button", name="Play again").tap()
    assert evening.who_rolls() == "Ben"
    for phone in evening.phones.values():
        expect(phone.locator("#sheet .cell:not([data-state='open'])")).to_have_count(0)
    assert evening.watcher is not None
    expect(evening.watcher.locator("#headline")).to_have_text("Ben’s turn")
    expect(evening.watcher.locator(".watch .player")).to_have_count(4)
