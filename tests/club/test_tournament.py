"""A tournament from its events and the boxes' results: entries, rounds, corrections, byes, who leads."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.club.tournament import (
    PointsSource,
    Tournament,
    apply,
    bye_points,
    draw,
    opened,
    play,
    standings,
    with_results,
)
from companion.club.tournament_events import (
    Drawn,
    Entered,
    Event,
    Left,
    Opened,
    PointsCleared,
    PointsSet,
    Renamed,
    Returned,
    TournamentError,
    Undone,
    read,
    write,
)
from companion.club.values import Status
from tests.club.results import NOON, kept

NAMES = ("Anna", "Ben", "Cem", "Dora", "Emil", "Fay", "Gus")
ENTERED: tuple[Event, ...] = (Opened("Cup", 3, 0), *map(Entered, NAMES))
DRAWN = Drawn(((0, 1, 2, 3), (4, 5, 6)), (), NOON)


def after(*events: Event) -> Tournament:
    return play((*ENTERED, *events))


def places(tournament: Tournament) -> list[tuple[int, str, int]]:
    return [(each.place, each.record.name, each.record.points) for each in standings(tournament)]


numbers = st.integers(0, 99)
points = st.lists(st.one_of(st.none(), st.integers(-99, 999))).map(tuple)
EVENTS = st.one_of(
    st.builds(Opened, st.text(), numbers, numbers),
    st.builds(Entered, st.text()),
    st.builds(Renamed, numbers, st.text()),
    st.builds(Left, numbers),
    st.builds(Returned, numbers),
    st.builds(
        Drawn,
        st.lists(st.lists(numbers).map(tuple)).map(tuple),
        st.lists(numbers).map(tuple),
        st.floats(0, 1e9),
    ),
    st.builds(PointsSet, numbers, numbers, points),
    st.builds(PointsCleared, numbers, numbers),
    st.just(Undone()),
)


@given(EVENTS)
def test_every_event_is_read_as_it_was_written(event: Event) -> None:
    assert read(write(event)) == event
    assert "\n" not in write(event)


def test_a_round_is_complete_once_every_table_has_its_points() -> None:
    one = after(DRAWN, PointsSet(0, 0, (80, 60, 60, 20)))
    assert one.waits_for_results
    both = apply(one, PointsSet(0, 1, (10, 90, 50)))
    assert not both.waits_for_results
    assert places(both) == [
        (1, "Fay", 90),
        (2, "Anna", 80),
        (3, "Ben", 60),
        (3, "Cem", 60),
        (5, "Gus", 50),
        (6, "Dora", 20),
        (7, "Emil", 10),
    ]


def test_a_box_brings_the_points_of_the_table_whose_players_played_there() -> None:
    game = kept({"ben": 44, "Anna": 70, "Dora": 9, "CEM": 33}, NOON + 60, box="lid-3")
    group = with_results(after(DRAWN), [game]).rounds[0].groups[0]
    assert (group.points, group.source, group.box) == ((70, 44, 33, 9), PointsSource.BOX, "lid-3")


@pytest.mark.parametrize(
    "game",
    [
        kept({"Anna": 1, "Ben": 2, "Cem": 3}, NOON + 60),  # Dora is missing
        kept({"Anna": 1, "Ben": 2, "Cem": 3, "Dora": 4, "Emil": 5}, NOON + 60),
        kept({"Anna": 1, "Ben": 2, "Cem": 3, "Dora": 4}, NOON - 60),  # before the draw
        kept({"Anna": 1, "Ben": 2, "Cem": 3, "Dora": 4}, NOON + 60, stopped=True),
        kept({"Anna": 1, "Ben": 2, "Cem": 3, "Dora": 4}, NOON + 60, status=Status.DELETED),
        kept({"Anna": 1, "Ben": 2, "Cem": 3, "Dora": 4}, NOON + 60, left_out=True),
    ],
)
def test_another_game_is_not_the_tables(game: object) -> None:
    assert with_results(after(DRAWN), [game]).rounds[0].groups[0].source is PointsSource.OPEN  # type: ignore[list-item]


def test_the_first_game_counts_and_a_game_counts_for_one_round() -> None:
    games = [kept({"Emil": n, "Fay": 50, "Gus": 60}, NOON + n) for n in (10, 20)]
    again = Drawn(((4, 5, 6),), (), NOON + 5)
    found = with_results(after(DRAWN, again), games[::-1])
    assert found.rounds[0].groups[1].points == (10, 50, 60)
    assert found.rounds[1].groups[0].points == (20, 50, 60)


def test_who_left_may_be_missing_in_the_game() -> None:
    found = with_results(after(DRAWN, Left(3)), [kept({"Anna": 1, "Ben": 2, "Cem": 3}, NOON + 1)])
    assert found.rounds[0].groups[0].points == (1, 2, 3, None)
    assert {each.record.name: each.record.games for each in standings(found)}["Dora"] == 0


def test_points_by_hand_win_over_the_box_until_they_are_cleared() -> None:
    game = kept({"Emil": 10, "Fay": 50, "Gus": 60}, NOON + 1)
    by_hand = with_results(after(DRAWN, PointsSet(0, 1, (11, 50, 60))), [game])
    assert (by_hand.rounds[0].groups[1].points, by_hand.rounds[0].groups[1].source) == (
        (11, 50, 60),
        PointsSource.HAND,
    )
    cleared = with_results(after(DRAWN, PointsSet(0, 1, (11, 50, 60)), PointsCleared(0, 1)), [game])
    assert cleared.rounds[0].groups[1].points == (10, 50, 60)


def test_a_bye_is_worth_the_average_of_the_round_once_it_is_complete() -> None:
    drawn = Drawn(((0, 1, 2),), (3,), NOON)
    assert bye_points(after(drawn).rounds[0]) == 0
    done = after(drawn, PointsSet(0, 0, (30, 41, 60)))
    assert bye_points(done.rounds[0]) == 44
    assert (3, "Ben", 41) in places(done)
    assert (2, "Dora", 44) in places(done)


def test_who_left_is_seated_no_more_and_again_when_back() -> None:
    points = (PointsSet(0, 0, (4, 3, 2, 1)), PointsSet(0, 1, (9, 8, 7)))
    gone = after(DRAWN, *points, Left(0))
    seated = draw(gone, range(7), NOON)
    assert sorted(player for table in seated.tables for player in table) == [1, 2, 3, 4, 5, 6]
    assert 0 in draw(apply(gone, Returned(0)), range(7), NOON).tables[0]
    assert "Anna" in {each.record.name for each in standings(gone)}


def test_lots_decide_where_strength_does_not() -> None:
    lots = (6, 5, 4, 3, 2, 1, 0)
    assert draw(after(), lots, NOON).tables[0][0] == 6
    assert draw(after(), range(7), NOON).tables[0][0] == 0


def test_the_last_thing_can_be_taken_back_and_the_opening_cannot() -> None:
    assert len(after(DRAWN, Undone()).rounds) == 0
    assert len(after(DRAWN, Undone(), Undone()).entries) == 6
    assert play([*ENTERED[:1], Undone(), Undone()]).name == "Cup"


@pytest.mark.parametrize(
    ("event", "kind"),
    [
        (Entered("anna"), "club-name-taken"),
        (Entered("  "), "name-bad"),
        (Entered("x" * 25), "name-bad"),
        (Renamed(1, "Anna"), "club-name-taken"),
        (Renamed(9, "Zoe"), "not-found"),
        (Left(-1), "not-found"),
        (Returned(7), "not-found"),
        (PointsSet(0, 2, (1, 2, 3)), "not-found"),
        (PointsSet(1, 0, (1, 2, 3)), "not-found"),
        (PointsSet(0, 1, (1, 2)), "club-points-missing"),
        (PointsSet(0, 1, (None, None, None)), "club-points-missing"),
        (PointsSet(0, 1, (1, 2, 1000)), "club-points"),
        (PointsCleared(0, 2), "not-found"),
    ],
)
def test_what_cannot_be_is_refused(event: Event, kind: str) -> None:
    with pytest.raises(TournamentError) as caught:
        apply(after(DRAWN), event)
    assert caught.value.kind == kind


def test_a_name_can_be_put_right() -> None:
    assert apply(after(), Renamed(0, "ANNA")).entries[0].name == "ANNA"


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (("", 3, 0), "club-title"),
        (("x" * 61, 3, 0), "club-title"),
        (("Cup", 0, 0), "club-rounds"),
        (("Cup", 21, 0), "club-rounds"),
        (("Cup", 3, -1), "club-tables"),
        (("Cup", 3, 101), "club-tables"),
    ],
)
def test_a_tournament_that_cannot_be_is_not_opened(values: tuple[str, int, int], kind: str) -> None:
    with pytest.raises(TournamentError) as caught:
        opened(*values)
    assert caught.value.kind == kind


def test_no_round_is_drawn_while_one_is_played_or_with_too_few() -> None:
    with pytest.raises(TournamentError, match="not all tables"):
        draw(after(DRAWN), range(7), NOON)
    with pytest.raises(TournamentError, match="takes 3 players"):
        draw(play(ENTERED[:3]), range(2), NOON)
    assert not after().is_over
