"""The page of statistics: one edition at a time, a loaded die in plain words, and the charts it draws."""

import random
from pathlib import Path

import pytest

from companion.game import Done, Edition, HouseRules, Rolled, Setup, Source, Stopped
from companion.rules import Roll
from companion.table.snapshot import GameStarted
from tests.past_pages import PLAYERS, text_of, told, with_past_games
from tests.test_past_games import join_counting
from tests.web_table import Stand, stand
from web.past import history as history_module
from web.past.charts import bar_chart, line_chart


@pytest.fixture
def here(tmp_path: Path) -> Stand:
    return with_past_games(tmp_path)


def test_statistics_of_one_edition_are_a_page_of_their_own(here: Stand) -> None:
    assert 'aria-current="true"' not in text_of(here.display(), "/statistics").partition("<footer")[0]
    here.play(GameStarted(Setup(PLAYERS, edition=Edition.DELUXE)))
    here.play(Stopped(0))
    page = text_of(here.display(), "/statistics?edition=deluxe")
    assert "/statistics/players.csv?edition=deluxe" in page
    assert told(here.display(), "/api/statistics?edition=deluxe")["players"] == []
    assert len(told(here.display(), "/api/statistics?edition=original")["players"]) == 3
    assert len(told(here.display(), "/api/statistics?edition=none")["players"]) == 3


def test_statistics_do_not_keep_anybody_waiting(here: Stand, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history_module, "PATIENCE_SECONDS", 0.0)
    assert "3 games are still being counted." in text_of(here.display(), "/statistics")
    join_counting()
    page = text_of(here.display(), "/statistics")
    assert "Still being counted" not in page
    assert "Games played to their end: 3." in page


def test_a_loaded_die_is_named_in_plain_words(tmp_path: Path) -> None:
    here = stand(tmp_path)
    here.seat(3)
    house = HouseRules(pass_by_itself=False)
    rng = random.Random(3)
    for _ in range(9):
        here.play(GameStarted(Setup(PLAYERS, house=house)))
        for turn in range(9):
            pips = [rng.randint(1, 6) for _ in range(5)]
            text = f"W{pips[0]} W{pips[1]} R6 Y{pips[2]} G{pips[3]} B{pips[4]}"
            here.play(Rolled(Roll.parse(text), Source.CAMERA))
            for seat in (0, 1, 2, turn % 3):
                here.play(Done(seat))
        here.play(Stopped(0))
    found = told(here.display(), "/api/statistics")
    assert {die["die"]: die["verdict"] for die in found["dice"]} == {
        "white": "fair",
        "red": "loaded",
        "yellow": "fair",
        "green": "fair",
        "blue": "fair",
    }
    page = text_of(here.display(), "/statistics")
    assert "Looks loaded. Too often: 6." in page
    assert page.count("Nothing unusual.") == 4


# --- charts --------------------------------------------------------------------------------------------


def test_lines_go_through_every_value_and_ticks_are_round() -> None:
    chart = line_chart([(0, -5, 20), (0, 3, 47)])
    assert [tick.value for tick in chart.across] == [-20, 0, 20, 40, 60]
    assert len(chart.lines[0].points.split()) == 3
    assert chart.lines[1].y < chart.lines[0].y
    assert [tick.value for tick in chart.along] == [0, 1, 2]


def test_bars_are_as_tall_as_their_counts() -> None:
    chart = bar_chart([2, 4, 0, 0, 0, 0])
    assert chart.bars[1].height == pytest.approx(2 * chart.bars[0].height, abs=0.2)
    assert chart.bars[2].height == 0
    assert chart.expected == pytest.approx(chart.base - chart.bars[0].height / 2, abs=0.2)
    assert bar_chart([0] * 6).expected == chart.base
