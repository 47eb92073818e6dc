"""The club in a real browser: tables as they play, and a tournament from the entries to the ranking."""

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.club.seating import pairs
from companion.club.tournament import PointsSource, Tournament
from companion.club.tournament_events import Entered, PointsSet
from tests.browser.conftest import Screens
from tests.browser.sound import check, in_each_look
from tests.club import payloads
from tests.club.stand import ClubStand, club_stand
from web.serving.server import Server

NAMES = tuple(f"{first}{last}" for first, last in itertools.product("ABCDEF", ("lma", "runo", "leo", "ykke")))
PHONE, SIDEWAYS, WALL = (320, 568), (667, 375), (1280, 800)


@dataclass
class ClubScreens:
    """Browsers at a club that a test leads by the hand."""

    screens: Screens
    here: ClubStand

    def open(self, path: str, size: tuple[int, int] = WALL, **context: object) -> Page:
        return self.screens.page(path, size, **context)


@pytest.fixture
def club(browser: Browser, tmp_path: Path) -> Iterator[ClubScreens]:
    here = club_stand(tmp_path)
    with Server(here.app) as server:
        screens = Screens(server.port, browser)
        try:
            yield ClubScreens(screens, here)
        finally:
            screens.close()
    assert screens.faults == []


def narrow(page: Page) -> None:
    assert page.evaluate("() => document.scrollingElement.scrollWidth <= innerWidth")


def test_a_page_shows_what_happens_at_the_tables_as_it_happens(club: ClubScreens) -> None:
    here = club.here
    here.tell("kitchen/state", payloads.state("kitchen"))
    page = club.open("/")
    kitchen = page.locator('[data-box="kitchen"]')
    expect(kitchen).to_contain_text("Deciding: Ben")
    here.tell("kitchen/state", payloads.state("kitchen", 2, phase="roll", turn=4, deciding=()))
    expect(kitchen).to_contain_text("Anna rolls")
    expect(kitchen).to_contain_text("turn 4")
    here.tell("attic/state", payloads.lobby("attic"))
    expect(page.locator(".club-table").first).to_contain_text("attic")
    expect(page.locator("#count")).to_have_text("Tables: 2, playing: 1")
    here.play("kitchen", {"Anna": 72, "Ben": 41})
    expect(page.locator("#games li")).to_contain_text("Anna 72")
    here.tell("kitchen/available", b"offline")
    expect(kitchen).to_contain_text("not connected")
    expect(page.locator("#count")).to_have_text("Tables: 2, playing: 0")
    page.fill("#find", "BEN")
    expect(page.locator(".club-table:visible")).to_have_count(1)
    expect(page.locator("#not-found")).to_be_hidden()
    page.fill("#find", "nobody")
    expect(page.locator("#not-found")).to_be_visible()


def test_among_many_tables_each_is_where_its_number_says_and_the_newest_results_are_a_tap_away(
    club: ClubScreens,
) -> None:
    here = club.here
    for number in (10, 1, 100, 9):
        here.tell(f"lid-{number}/state", payloads.state(f"lid-{number}"))
    page = club.open("/", PHONE)
    boxes = page.locator(".club-table h2")
    expect(boxes).to_have_text(["lid-1", "lid-9", "lid-10", "lid-100"])
    here.tell("lid-20/state", payloads.state("lid-20"))  # comes while somebody looks
    expect(boxes).to_have_text(["lid-1", "lid-9", "lid-10", "lid-20", "lid-100"])
    here.play("lid-9", {"Anna": 72, "Ben": 41})
    expect(page.locator("#games")).not_to_be_in_viewport()
    page.get_by_role("link", name="Newest results").click()
    expect(page.locator("#games")).to_be_in_viewport()


def test_a_ranking_shows_the_newest_by_itself_but_never_under_somebody_who_writes(club: ClubScreens) -> None:
    club.here.play("kitchen", {"Anna": 72, "Ben": 41})
    page, writing = club.open("/seasons/all"), club.open("/seasons")
    writing.fill("#name", "Winter")
    club.here.play("kitchen", {"Anna": 9, "Cem": 80})
    expect(page.locator(".club-ranking tbody tr").nth(1)).to_contain_text("Cem")
    expect(writing.locator("#fresh")).to_be_visible()
    expect(writing.locator("#name")).to_have_value("Winter")


# --- a tournament ----------------------------------------------------------------------------------------


def tournament(club: ClubScreens) -> Tournament:
    found = club.here.club.tournament(1)
    assert found is not None
    return found


def games_of_a_round(club: ClubScreens, chance: random.Random) -> None:
    """Every table of the newest round plays on a box and has its result from there."""
    found = tournament(club)
    for number, group in enumerate(found.rounds[-1].groups, 1):
        players = [found.entries[player] for player in group.players]
        names = [entry.name for entry in players if not entry.left]
        club.here.now[0] += 1
        club.here.play(f"lid-{number}", {name: chance.randrange(10, 110) for name in names})


@pytest.mark.slow
def test_a_tournament_of_24_over_four_rounds_goes_from_the_entries_to_the_ranking(club: ClubScreens) -> None:
    chance = random.Random(24)
    leader = club.open("/tournaments")
    leader.fill("#name", "Winter Cup")
    leader.fill("#rounds", "4")
    leader.get_by_role("button", name="Open it").click()
    leader.fill("#names", "\n".join(NAMES))
    leader.get_by_role("button", name="Enter", exact=True).click()
    expect(leader.locator(".lead").first).to_contain_text("24 players")
    public = club.open("/tournaments/1", PHONE)
    for number in range(1, 5):
        club.here.now[0] += 60
        leader.get_by_role("button", name=f"Draw round {number}").click()
        expect(leader.locator("section form.club-group").first).to_be_visible()
        expect(public.get_by_role("heading", name=f"Round {number}", exact=True)).to_be_visible()
        games_of_a_round(club, chance)
        if number == 2:
            expect(leader.get_by_role("button", name="Draw round 3")).to_be_visible()  # all results have come
            correct_a_table(club, leader)
            have_somebody_leave(club, leader)
    expect(leader.get_by_role("button", name="One more round")).to_be_visible()
    check_rounds(tournament(club))
    expect(public.locator(".lead").first).to_contain_text("Over · 24 players")
    check_ranking(tournament(club), public)


def correct_a_table(club: ClubScreens, leader: Page) -> None:
    """Points that were counted wrongly are put right by hand; the box's own come back and go again."""
    table = leader.locator("#table-2-3")
    expect(table).to_contain_text("from lid-3")
    table.locator("input[type=number]").first.fill("111")
    table.get_by_role("button", name="Keep").click()
    expect(table).to_contain_text("by hand")
    assert (tournament(club).rounds[1].groups[2].points or (0,))[0] == 111
    table.get_by_role("button", name="Take the box’s points again").click()
    expect(table).to_contain_text("from lid-3")
    leader.get_by_role("button", name="Undo the last step").click()
    expect(table).to_contain_text("by hand")


def have_somebody_leave(club: ClubScreens, leader: Page) -> None:
    leader.locator("#players summary").click()
    leader.locator("#players li").nth(5).get_by_role("button", name="Leaves").click()
    leader.locator("#players summary").click()
    expect(leader.locator("#players li").nth(5).get_by_role("button", name="Comes back")).to_be_visible()
    assert tournament(club).entries[5].left


def check_rounds(found: Tournament) -> None:
    assert [len(round_.groups) for round_ in found.rounds[:2]] == [6, 6]
    met = [each for round_ in found.rounds for group in round_.groups for each in pairs(group.players)]
    assert len(met) == len(set(met)), "somebody met twice"
    assert all(3 <= len(group.players) <= 5 for round_ in found.rounds for group in round_.groups)
    gone = [
        number for number, round_ in enumerate(found.rounds) for group in round_.groups if 5 in group.players
    ]
    assert gone == [0, 1]
    assert found.rounds[1].groups[2].source is PointsSource.HAND


def check_ranking(found: Tournament, page: Page) -> None:
    """As anybody would add it up."""
    sums = dict.fromkeys(NAMES, 0)
    for round_ in found.rounds:
        for group in round_.groups:
            for player, points in zip(group.players, group.points or (), strict=True):
                sums[found.entries[player].name] += points or 0
    rows = page.locator(".club-ranking tbody tr")
    expect(rows).to_have_count(24)
    best = max(sums, key=lambda name: sums[name])
    expect(rows.first).to_contain_text(f"1.{best}{sums[best]}")
    shown = {row.split()[1]: int(row.split()[2]) for row in rows.all_inner_texts()}
    assert shown == sums


# --- how it looks -----------------------------------------------------------------------------------------


@in_each_look()
def test_every_page_of_the_club_is_sound_on_a_phone_and_on_a_wall(
    scheme: str, locale: str, club: ClubScreens
) -> None:
    here = club.here
    for box in ("kitchen", "a-table-with-a-long-name-in-the-hall"):
        here.tell(f"{box}/state", payloads.state(box, names=("Anna", "W" * 24, "Cem")))
        here.play(box, {"Anna": 72, "W" * 24: -5, "Cem": 41})
    here.tell("attic/available", b"offline")
    identity = here.club.open_tournament("Winter Cup", 3, 1)
    here.club.change(identity, [Entered(name) for name in ("W" * 24, *NAMES[:6])])
    here.club.draw(identity, 0)
    here.club.change(identity, [PointsSet(0, 0, (70, -5, 41, 3, 12))])
    here.club.put_season("Winter", date(2026, 11, 1))
    page = club.open("/", PHONE, color_scheme=scheme, locale=locale)
    for path in ("/", "/evenings", "/evenings/2026-11-20", "/seasons", "/tournaments", "/seasons/all"):
        page.goto(club.screens.address + path)
        check(page, path)
        narrow(page)
    for path in ("/tournaments/1", "/tournaments/1/print", "/tournaments/1/lead"):
        for width, height in (PHONE, SIDEWAYS, WALL):
            page.set_viewport_size({"width": width, "height": height})
            page.goto(club.screens.address + path)
            narrow(page)
        check(page, path)
