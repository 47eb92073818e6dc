"""The past in a browser: a game replayed by finger, keys and slider, files saved, deletion asked first."""

import json
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from companion.game import EndedBy, Setup, Stopped
from companion.past.games import PastGames
from companion.past.turns import Replay
from companion.table.snapshot import TableCleared
from tests.browser.conftest import Phones
from tests.browser.sound import at_each, boxes, check, in_each_look
from tests.browser.test_look import SMALLEST
from tests.heart.test_history import play_record
from tests.random_games import any_record
from tests.web_table import NAMES, stand

PLAYERS = NAMES[:3]
UPRIGHT, SMALL, WIDE = (412, 839), (320, 568), (1280, 800)


def swipe(page: Page, along: tuple[int, int], down: int = 0) -> None:
    """A finger on the dice of the turn, from one place to another."""
    box = page.locator(".steps").bounding_box()
    assert box is not None
    finger = page.context.new_cdp_session(page)
    for part in range(6):
        x, y = along[0] + (along[1] - along[0]) * part / 5, box["y"] + 20 + down * part / 5
        kind = "touchMove" if part else "touchStart"
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The journal of two past games and a table that is clear."""
    folder = tmp_path_factory.mktemp("evening")
    here = stand(folder)
    here.seat(3)
    for seed in (1, 2):
        play_record(here.table, any_record(seed, Setup(PLAYERS, seed), eager=1.0))
    here.play(TableCleared())
    here.table.journal.close()
    return folder


@pytest.fixture
def state(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A copy of the evening for whoever asks for what was `played`."""
    folder = tmp_path / "state"
    if "played" in request.fixturenames:
        shutil.copytree(request.getfixturevalue("evening"), folder)
    return folder


@pytest.fixture
def played(phones: Phones) -> Replay:
    """The newest past game turn by turn."""
    past = PastGames(phones.table.journal)
    found = past.replay(past.ids()[0])
    assert found is not None
    return found


def newest(phones: Phones) -> str:
    return f"/history/{PastGames(phones.table.journal).ids()[0]}"


def crossed(page: Page, seat: int) -> list[str]:
    """The numbers that the shown sheet has crossed, row by row."""
    rows = page.locator(".past-sheet").nth(seat).locator(".past-row").all()
    return [",".join(row.locator('[data-state="crossed"]').all_text_contents()) for row in rows]


def expected(played: Replay, step: int, seat: int) -> list[str]:
    if step == 0:
        return [""] * 4
    sheet = played.steps[step - 1].sheets[seat]
    pairs = zip(sheet.layout.rows, sheet.rows, strict=True)
    return [
        ",".join(str(cell.number) for place, cell in enumerate(row.cells) if bits >> place & 1)
        for row, bits in pairs
    ]


def shows(page: Page, played: Replay, step: int) -> None:
    """Exactly that step: its turn, everybody's sheet and points, the slider, the mark in the picture."""
    expect(page.locator(".steps > li:visible")).to_have_count(1)
    expect(page.locator(f'.steps > li[data-step="{step}"]')).to_be_visible()
    expect(page.locator("#slider")).to_have_value(str(step))
    for seat in range(3):
        assert crossed(page, seat) == expected(played, step, seat)
        score = played.steps[step - 1].scores[seat] if step else 0
        expect(page.locator(".past-score b").nth(seat)).to_have_text(str(score).replace("-", "−"))


def test_a_game_opens_at_its_end_and_is_stepped_through_by_buttons(phones: Phones, played: Replay) -> None:
    page, last = phones.page(newest(phones), UPRIGHT), len(played.steps)
    shows(page, played, last)
    page.locator("#back").tap()
    shows(page, played, last - 1)
    page.locator("#first").tap()
    shows(page, played, 0)
    page.locator("#back").tap(force=True)
    shows(page, played, 0)
    page.locator("#next").tap()
    shows(page, played, 1)
    said = page.locator("#live")
    expect(said).to_contain_text("Turn 1")
    page.locator("#last").tap()
    shows(page, played, last)


def test_a_game_is_replayed_by_keys_and_by_the_slider(phones: Phones, played: Replay) -> None:
    page, last = phones.page(newest(phones), WIDE), len(played.steps)
    page.keyboard.press("Home")  # scrolls, unless one is at the replay
    shows(page, played, last)
    page.keyboard.press("ArrowLeft")
    shows(page, played, last - 1)
    page.locator("#all").focus()
    for key, step in (("Home", 0), ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", last)):
        page.keyboard.press(key)
        shows(page, played, step)
    page.locator("#slider").focus()
    page.keyboard.press("ArrowLeft")
    shows(page, played, last - 1)
    page.locator("#slider").fill("5")
    shows(page, played, 5)
    assert page.url.endswith("#turn-5")
    page.reload()
    shows(page, played, 5)


def test_a_game_is_replayed_by_swiping_and_scrolling_is_no_swipe(phones: Phones, played: Replay) -> None:
    page, last = phones.page(newest(phones), UPRIGHT), len(played.steps)
    shows(page, played, last)
    swipe(page, (100, 260), 5)
    shows(page, played, last - 1)
    swipe(page, (260, 100), -5)
    shows(page, played, last)
    swipe(page, (100, 125))
    swipe(page, (100, 160), -120)
    page.wait_for_function("() => document.scrollingElement.scrollTop > 0")  # it scrolled
    shows(page, played, last)


def test_what_was_crossed_in_the_shown_turn_stands_out(phones: Phones, played: Replay) -> None:
    page = phones.page(newest(phones), UPRIGHT)
    step = next(number for number, each in enumerate(played.steps, 1) if any(each.choices))
    page.goto(f"{phones.address}{newest(phones)}#turn-{step}")
    page.reload()
    wanted = sum(choice is not None for choice in played.steps[step - 1].choices)
    wanted += played.steps[step - 1].second is not None
    expect(page.locator("[data-fresh][data-state=crossed]")).to_have_count(wanted)


def test_all_turns_can_be_read_as_a_list(phones: Phones, played: Replay) -> None:
    page = phones.page(newest(phones), UPRIGHT)
    page.locator("#all").tap()
    expect(page.locator(".steps > li:visible")).to_have_count(len(played.steps) + 1)
    expect(page.locator("#all")).to_have_attribute("aria-pressed", "true")
    page.locator("#all").tap()
    expect(page.locator(".steps > li:visible")).to_have_count(1)


def test_without_scripts_every_turn_and_the_final_sheets_are_there(phones: Phones, played: Replay) -> None:
    page = phones.page(newest(phones), UPRIGHT, java_script_enabled=False)
    expect(page.locator(".steps > li:visible")).to_have_count(len(played.steps) + 1)
    for seat in range(3):
        assert crossed(page, seat) == expected(played, len(played.steps), seat)
    expect(page.locator(".controls")).to_be_hidden()


def test_a_saved_game_is_the_one_that_was_played(phones: Phones, played: Replay, tmp_path: Path) -> None:
    page = phones.page(newest(phones), UPRIGHT)
    with page.expect_download() as saving:
        page.locator('a[href$=".jsonl"]').tap()
    assert saving.value.suggested_filename == f"boxlid-game-{newest(phones).rpartition('/')[2]}.jsonl"
    saving.value.save_as(tmp_path / "saved")
    assert json.loads((tmp_path / "saved").read_text())["final_scores"] == list(played.end.scores)


def test_deleting_asks_first_and_then_the_game_is_gone(phones: Phones, played: Replay) -> None:
    page, address = phones.page(newest(phones), UPRIGHT), newest(phones)
    page.locator("a.danger").tap()
    expect(page.locator("h1")).to_have_text("Delete this game?")
    assert newest(phones) == address
    page.get_by_text("No, keep it").tap()
    page.wait_for_url(f"**{address}")
    page.locator("a.danger").tap()
    page.get_by_text("Yes, delete it").tap()
    page.wait_for_url("**/history")
    expect(page.locator(".past-game")).to_have_count(1)
    assert newest(phones) != address


@pytest.mark.parametrize("size", [(320, 454), (412, 839), (839, 412)], ids=str)
def test_a_second_tap_on_delete_deletes_nothing(
    size: tuple[int, int], phones: Phones, played: Replay
) -> None:
    page, address = phones.page(newest(phones), size), newest(phones)
    link = page.locator("a.danger")
    link.scroll_into_view_if_needed()
    spot = boxes(page, "a.danger")[0]
    link.tap()
    expect(page.locator("h1")).to_have_text("Delete this game?")
    for box in boxes(page, ".answers > :not([type=hidden])"):
        assert box["y"] + box["height"] <= spot["y"]
    assert newest(phones) == address


def test_a_phone_comes_to_the_past_from_its_menu_and_from_the_end(phones: Phones) -> None:
    play_record_of_two(phones)
    anna = phones.sit(0, UPRIGHT)
    anna.get_by_text("This game, turn by turn").tap()
    anna.wait_for_url("**/history/*")
    anna.goto(f"{phones.address}/phone")
    anna.locator("#menu").tap()
    anna.get_by_text("Games and statistics").tap()
    anna.wait_for_url("**/history")
    expect(anna.locator(".past-game")).to_have_count(1)
    anna.goto(phones.address)
    anna.get_by_text("Games and statistics").tap()
    anna.wait_for_url("**/history")


def play_record_of_two(phones: Phones) -> None:
    phones.stand.start(2)
    phones.stand.roll("W3 W4 R2 Y5 G6 B1")
    phones.stand.play(Stopped(0))
    game = phones.table.snapshot.game
    assert game is not None
    assert game.ended_by is EndedBy.STOPPED


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_nothing_is_cut_off_and_every_button_can_be_hit(locale: str, phones: Phones, played: Replay) -> None:
    page = phones.page("", SMALL, locale=locale)
    for path in ("/history", newest(phones), f"{newest(phones)}/delete", "/statistics"):
        page.goto(phones.address + path)
        for width, height in at_each(page, (SMALL, UPRIGHT, WIDE)):
            where = f"{path} at {width}x{height}"
            assert page.evaluate("() => document.scrollingElement.scrollWidth") <= width, where
            for box in boxes(page, "button:visible, a.button:visible, .past-game, #slider:visible"):
                assert min(box["width"], box["height"]) >= SMALLEST, (where, box)
                assert box["x"] >= 0
                assert box["x"] + box["width"] <= width + 0.5


@in_each_look()
def test_axe_finds_nothing_on_the_pages_of_the_past(
    scheme: str, locale: str, phones: Phones, played: Replay
) -> None:
    page = phones.page("", UPRIGHT, color_scheme=scheme, locale=locale)
    for path in ("/history", newest(phones), f"{newest(phones)}/delete", "/statistics"):
        page.goto(phones.address + path)
        for summary in page.locator("summary").all():
            summary.click()
        check(page, path)
    page.goto(phones.address + newest(phones))
    page.locator("#first").tap()
    page.locator("#all").tap()
    check(page, "all turns")
