"""Points, wins and places over many games, evenings and seasons."""

from datetime import UTC, date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.club.evenings import Season, by_evening, evening_of, spans
from companion.club.ranking import RankingOrder, places, ranking
from companion.club.values import Status
from tests.club.results import NOON, a_result, kept

HOUR = 3600.0


def test_those_with_as_many_points_share_a_place_and_the_next_is_left_out() -> None:
    assert places([40, 52, 40, 12]) == (2, 1, 2, 4)
    assert places([]) == ()


GAMES = (
    a_result({"Anna": 80, "Ben": 60, "Cem": 40}),
    a_result({"Anna": 20, "Ben": 60, "Dora": 60}),
    a_result({"Cem": 60, "Dora": 0}),
)


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        (RankingOrder.POINTS, [(1, "Ben"), (2, "Cem"), (3, "Anna"), (4, "Dora")]),
        (RankingOrder.WINS, [(1, "Ben"), (2, "Cem"), (2, "Anna"), (4, "Dora")]),
        (RankingOrder.PLACES, [(1, "Ben"), (1, "Dora"), (3, "Anna"), (3, "Cem")]),
    ],
)
def test_a_ranking_goes_by_points_wins_or_places(
    order: RankingOrder, expected: list[tuple[int, str]]
) -> None:
    found = ranking(GAMES, order)
    by_name = {standing.record.name: standing for standing in found}
    assert [standing.place for standing in found] == sorted(standing.place for standing in found)
    assert (by_name["Ben"].record.points, by_name["Ben"].record.wins) == (120, 1)
    assert (by_name["Anna"].record.mean_place, by_name["Anna"].record.mean_points) == (2, 50)
    assert found[0].record.name == expected[0][1]


def test_whoever_is_alike_in_everything_shares_a_place_in_the_order_of_the_names() -> None:
    found = ranking([a_result({"Ben": 50, "anna": 50}), a_result({"Cem": 70, "Dora": 30})])
    assert [(each.place, each.record.name) for each in found] == [
        (1, "Cem"),
        (2, "anna"),
        (2, "Ben"),
        (4, "Dora"),
    ]


def test_two_spellings_that_look_the_same_are_one_player() -> None:
    (only,) = ranking([a_result({"ANNA": 10}), a_result({"Anna": 20})])
    assert (only.record.name, only.record.points, only.record.games) == ("Anna", 30, 2)


@given(st.lists(st.dictionaries(st.sampled_from("ABCDE"), st.integers(-20, 150), min_size=2), max_size=8))
def test_no_point_and_no_win_gets_lost_or_doubled(games: list[dict[str, int]]) -> None:
    for order in RankingOrder:
        found = ranking([a_result(points) for points in games], order)
        assert sum(each.record.points for each in found) == sum(sum(points.values()) for points in games)
        assert sum(each.record.games for each in found) == sum(map(len, games))
        assert sum(each.record.wins for each in found) >= len(games)
        assert [each.place for each in found] == sorted(each.place for each in found)


def test_a_game_after_midnight_belongs_to_the_evening_before() -> None:
    at = NOON + 12 * HOUR  # eight in the evening
    late = kept({"Anna": 1}, at + 5 * HOUR, ended=at + 5 * HOUR)
    early = kept({"Anna": 1}, at, ended=at)
    breakfast = kept({"Anna": 1}, at + 11 * HOUR, ended=at + 11 * HOUR)
    assert evening_of(late, UTC) == evening_of(early, UTC) == date(2027, 1, 15)
    assert by_evening([early, breakfast, late], UTC) == (
        (date(2027, 1, 16), (breakfast,)),
        (date(2027, 1, 15), (late, early)),
    )


@pytest.mark.parametrize("wrong", [0.0, NOON + 2 * HOUR, NOON - 3 * 366 * 24 * HOUR])
def test_a_box_with_a_plainly_wrong_clock_is_not_believed(wrong: float) -> None:
    assert evening_of(kept({"Anna": 1}, NOON, ended=wrong), UTC) == date(2027, 1, 15)


def test_a_game_that_was_left_out_stopped_or_deleted_does_not_count() -> None:
    assert kept({"Anna": 1}).counts
    assert not kept({"Anna": 1}, left_out=True).counts
    assert not kept({"Anna": 1}, stopped=True).counts
    assert not kept({"Anna": 1}, status=Status.DELETED).counts
    assert not kept({"Anna": 1}, status=Status.REOPENED).counts


def test_the_program_is_not_ranked() -> None:
    (only,) = ranking([a_result({"Anna": 10, "Robot": 90})])
    assert (only.record.name, only.record.wins) == ("Anna", 1)


def test_a_season_lasts_until_the_next_begins() -> None:
    spring, autumn = Season("Spring", date(2027, 1, 1)), Season("Autumn", date(2027, 9, 1))
    assert spans([]) == ()
    newest, oldest = spans([autumn, spring])
    assert (newest.season, newest.last) == (autumn, None)
    assert (oldest.season, oldest.last) == (spring, date(2027, 8, 31))
    assert [span.season.name for span in (newest, oldest) if span.holds(date(2027, 8, 31))] == ["Spring"]
    assert [span.season.name for span in (newest, oldest) if span.holds(date(2026, 8, 31))] == []
