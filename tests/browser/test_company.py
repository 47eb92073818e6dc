"""One person and two players of the program: a whole game over the simulated table, hints and review too."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.game import Done, Game, HouseRules, Level, Pace, Phase, Setup, SheetCorrected, Stopped
from companion.host import Host, Options
from companion.host.pages import lamps_of
from companion.rules import MISTHROW_BOXES, Sheet
from companion.settings.config import Config
from companion.table.eyes import EyesState
from companion.table.seats import Mark, ProgramSeated, SeatTaken
from companion.table.snapshot import GameStarted
from companion.table.table import Command
from companion.view.sayings import sayings
from hardware.panel import Press
from hardware.spoken import sentence
from tests.browser.conftest import Pages, Phones
from tests.setting_up import HURRY
from tests.waiting import PATIENCE, until
from tests.web_table import CODE
from web.serving.server import Server

MOST_TURNS, MOST_PRESSES = 60, 400
BUSY = (EyesState.READING, EyesState.MOVING)
SEATS = ("seat 1", "seat 2", "seat 3")
ANNA = 0


def game_of(host: Host) -> Game:
    game = host.table.snapshot.game
    assert game is not None
    return game


def waits_for_anna(host: Host) -> bool:
    game = game_of(host)
    return game.phase in (Phase.ROLL, Phase.OVER) or ANNA in game.deciding


def answered(at: Pages, before: int) -> None:
    at.wait(lambda now: now.version > before and now.eyes.state not in BUSY)


def roll(at: Pages, host: Host, phone: Page) -> None:
    """Anna's phone has the button, whoever it is for; a throw that is asked about is made again."""
    while game_of(host).phase is Phase.ROLL:
        before = host.table.snapshot.version
        phone.locator("#finish:not([data-held])").click()
        answered(at, before)


def begin_without_phones(host: Host) -> None:
    """Anna's seat has no phone, and nor has the program's: the game is begun at the display."""
    for what in (
        SeatTaken("Anna", Mark.CIRCLE, None),
        ProgramSeated("Ada", Mark.SQUARE, Level.HARD),
        ProgramSeated("Blaise", Mark.STAR, Level.EASY),
    ):
        host.table.play(Command(what))
    levels = (None, Level.HARD, Level.EASY)
    setup = Setup(("Anna", "Ada", "Blaise"), 1, house=HouseRules(pace=Pace.AT_ONCE), levels=levels)
    host.table.play(Command(GameStarted(setup)))


def sit_down(phone: Page) -> None:
    phone.fill("#name", "Anna")
    phone.click("button.main")
    phone.wait_for_url("**/phone")
    for number, level in enumerate(("Hard", "Easy"), 2):
        phone.locator(".program").get_by_role("button", name=level).click()
        expect(phone.locator(".seats li")).to_have_count(number)


def short(phone: Page) -> None:
    """The table corrects Anna's sheet: one more misthrow of hers ends the game."""
    phone.click("#menu")
    phone.locator("dialog summary").last.click()
    phone.get_by_role("button", name="Correct a sheet: Anna").click()
    for _ in range(3):
        phone.get_by_role("button", name="+1").click()
    phone.get_by_role("button", name="Save").click()


def bring_to_an_end(host: Host) -> None:
    """Anna's next turn without a cross is her fourth misthrow."""
    if game_of(host).sheets[ANNA].misthrows < MISTHROW_BOXES - 1:
        host.table.play(Command(SheetCorrected(ANNA, ANNA, Sheet(misthrows=MISTHROW_BOXES - 1))))


def decide(phone: Page, host: Host, *, hinted: bool) -> None:
    """As the hint says, or a pass."""
    expect(phone.locator("#finish:not([data-look=idle])")).to_be_visible()
    if hinted:
        phone.click("#ask-hint")
        expect(phone.locator("#hint[data-hint]")).not_to_be_empty()
        if phone.locator(".cell[data-hint]").count():
            phone.locator(".cell[data-hint]").click()
            expect(phone.locator(".cell[data-chosen]")).to_be_visible()
    phase = game_of(host).phase
    phone.click("#finish:not([data-held])")
    assert until(lambda: game_of(host).phase is not phase or ANNA not in game_of(host).deciding)


@pytest.mark.slow
def test_one_person_plays_a_whole_game_with_the_program_and_looks_back(
    browser: Browser, tmp_path: Path
) -> None:
    with (
        Host(Config(), Options(tmp_path / "state", simulate=True, hurry=HURRY)) as host,
        Server(host.app) as server,
    ):
        at = Pages(server.port, browser, host.table)
        table = at.page("/table", (1280, 720))
        phone = at.page(f"/join?code={host.code}", (412, 839))
        sit_down(phone)
        expect(table.locator("#seats")).to_contain_text("program, hard")
        phone.select_option("#start-first", index=2)
        phone.click(".start-form button.main")
        expect(phone.locator("#finish")).to_have_text("I rolled for Ada")
        expect(table.locator(".turn h1")).to_have_text("Roll for Ada")
        hinted = set[int]()
        for number in range(MOST_TURNS):
            if number == 3:
                short(phone)
            if game_of(host).phase is Phase.OVER:
                break
            roll(at, host, phone)
            at.wait(lambda _: waits_for_anna(host))
            while ANNA in game_of(host).deciding and game_of(host).phase not in (Phase.ROLL, Phase.OVER):
                decide(phone, host, hinted=number < 3)
                hinted.add(number)
                at.wait(lambda _: waits_for_anna(host))
        assert game_of(host).phase is Phase.OVER
        assert {0, 1, 2} & hinted
        assert all(game_of(host).sheets[seat].cells for seat in (1, 2))
        past = at.page(f"/history/{host.table.snapshot.game_id}", (412, 839))
        expect(past.locator(".review thead").first).to_contain_text("Ada")
        expect(past.locator("body")).to_contain_text("program, hard")
        expect(past.get_by_role("img", name="Chances of winning, in percent")).to_be_visible()
        past.get_by_text("Every decision").click()
        assert past.locator(".review details tbody tr").count() >= len(hinted)
        at.close()
        assert at.faults == []


@pytest.mark.slow
def test_without_any_phone_voice_and_lamps_lead_through_a_whole_game_with_the_program(tmp_path: Path) -> None:
    """The panel alone: what the others do is heard, whose turn it is is lit, and who has won is said."""
    with Host(Config(), Options(tmp_path / "state", simulate=True, hurry=HURRY)) as host:
        begin_without_phones(host)
        heard, lit = list[str](), set[str]()
        newest = host.table.snapshot
        for _ in range(MOST_PRESSES):
            if newest.game is not None and newest.game.phase is Phase.OVER:
                break
            if len(lit) == len(SEATS) and "Ada crosses" in " ".join(heard):
                bring_to_an_end(host)
            if game_of(host).phase is Phase.ROLL and newest.eyes.state not in BUSY:
                host.buttons.pressed(Press.ROLLED)
            elif ANNA in game_of(host).deciding and game_of(host).phase is not Phase.ROLL:
                host.table.play(Command(Done(ANNA)))
            after = host.table.wait(newest.version, PATIENCE)
            heard += [sentence(saying, "en") for saying in sayings(newest, after)]
            lit |= {lamp.name for lamp in lamps_of(after) if lamp.name in SEATS and "X" in lamp.pattern}
            newest = after
        assert "Roll for Ada." in heard or "Roll for Blaise." in heard
        assert "Ada crosses" in " ".join(heard)
        assert lit == set(SEATS)
        assert game_of(host).phase is Phase.OVER
        assert "win" in heard[-1]


def test_a_person_plays_instead_of_the_program_from_the_next_game_on(phones: Phones) -> None:
    phones.stand.seat(1)
    phones.stand.play(ProgramSeated("Ada", Mark.SQUARE, Level.HARD))
    phones.stand.play(GameStarted(Setup(("Anna", "Ada"), levels=(None, Level.HARD))))
    anna, ben = phones.sit(0), phones.page(f"/join?code={CODE}")
    instead = ben.get_by_role("button", name="Play instead of Ada")
    expect(ben.locator("main")).to_be_visible()
    assert instead.count() == 0
    phones.stand.play(Stopped(0))
    ben.reload()
    instead.click()
    ben.wait_for_url("**/phone")
    anna.get_by_role("button", name="Play again").click()
    game = phones.wait(lambda now: now.game is not None and now.game.phase is Phase.ROLL).game
    assert game is not None
    assert game.setup.levels == ()
    expect(ben.locator("#headline")).to_be_visible()
