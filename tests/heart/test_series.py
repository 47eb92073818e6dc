"""A series notes each player's result of each game; the sum is the program's own standing."""

import pytest

from companion.table.series import MOST_GAMES, Series, Standing

PLAYERS = ("Anna", "Ben", "Cleo")


def test_the_results_of_each_game_are_noted_and_added_up() -> None:
    series = Series(PLAYERS, 3).note((70, 12, -5)).note((10, 80, 5))
    assert series.results == ((70, 12, -5), (10, 80, 5))
    assert series.totals == (80, 92, 0)
    assert not series.over


def test_a_series_is_over_after_its_games_and_notes_no_more() -> None:
    series = Series(PLAYERS, 1)
    assert not series.over
    series = series.note((1, 2, 3))
    assert series.over
    with pytest.raises(ValueError, match="a series of 1 games is over"):
        series.note((1, 2, 3))


def test_the_book_plays_up_to_five_games_in_a_row() -> None:
    assert MOST_GAMES == Series(PLAYERS).games == 5


def test_a_result_has_a_score_for_each_player() -> None:
    with pytest.raises(ValueError, match="a result has 3 scores, got 2"):
        Series(PLAYERS).note((1, 2))


def test_a_result_is_taken_back_when_its_game_is_played_on() -> None:
    series = Series(PLAYERS, 2).note((1, 2, 3)).note((4, 5, 6)).take_back()
    assert series.results == ((1, 2, 3),)
    assert not series.over


@pytest.mark.parametrize(
    ("scores", "places"),
    [((30, 10, 20), {0: 1, 2: 2, 1: 3}), ((10, 30, 30), {1: 1, 2: 1, 0: 3}), ((5, 5, 5), {0: 1, 1: 1, 2: 1})],
)
def test_the_best_stands_first_and_equal_totals_share_a_place(
    scores: tuple[int, ...], places: dict[int, int]
) -> None:
    standings = Series(PLAYERS).note(scores).standings
    assert standings == tuple(Standing(seat, scores[seat], place) for seat, place in places.items())


def test_before_the_first_game_all_share_the_first_place() -> None:
    assert [standing.place for standing in Series(PLAYERS).standings] == [1, 1, 1]
