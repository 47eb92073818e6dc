"""Seating: three to five at a table, nobody twice with the same if it can be avoided, byes in turn."""

import itertools
import random
from collections import Counter
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.club.seating import FEWEST, MOST, Pair, Seating, Tables, pairs, plans, repeats, seat


def note(met: Counter[Pair], tables: Tables) -> None:
    met.update(each for table in tables for each in pairs(table))


def every_way(players: Sequence[int], sizes: tuple[int, ...]) -> Iterator[Tables]:
    """All ways to divide so few players into tables of these sizes."""
    if not players:
        yield ()
        return
    for size in set(sizes):
        left = list(sizes)
        left.remove(size)
        for others in itertools.combinations(players[1:], size - 1):
            rest = [player for player in players[1:] if player not in others]
            for tables in every_way(rest, tuple(left)):
                yield ((players[0], *others), *tables)


def check(found: Seating, players: Sequence[int]) -> None:
    seated = [player for table in found.tables for player in table]
    assert sorted([*seated, *found.byes]) == sorted(players)
    assert all(FEWEST <= len(table) <= MOST for table in found.tables)


@given(st.integers(3, 40), st.integers(1, 4), st.randoms(use_true_random=False))
@settings(max_examples=15)
def test_everybody_sits_at_one_table_of_three_to_five(count: int, rounds: int, chance: random.Random) -> None:
    met, order = Counter[Pair](), list(range(count))
    for _ in range(rounds):
        chance.shuffle(order)
        found = seat(order, met)
        check(found, order)
        assert found.byes == ()
        note(met, found.tables)


@given(st.integers(3, 9), st.integers(1, 3), st.randoms(use_true_random=False))
@settings(max_examples=15)
def test_nobody_meets_again_more_often_than_the_best_of_all_seatings_needs(
    count: int, rounds: int, chance: random.Random
) -> None:
    met, order = Counter[Pair](), list(range(count))
    for _ in range(rounds):
        chance.shuffle(order)
        found = seat(order, met)
        best = min(repeats(way, met) for sizes in plans(count) for way in every_way(order, sizes))
        assert repeats(found.tables, met) == best
        note(met, found.tables)


@pytest.mark.parametrize(("count", "rounds"), [(9, 4), (12, 4), (20, 4), (24, 4), (25, 5), (40, 5), (100, 4)])
def test_nobody_meets_twice_in_a_tournament_of_the_usual_size(count: int, rounds: int) -> None:
    chance = random.Random(count)
    met, order = Counter[Pair](), list(range(count))
    for _ in range(rounds):
        chance.shuffle(order)
        note(met, seat(order, met).tables)
    assert max(met.values()) == 1


def test_where_exchanging_people_finds_no_way_a_thorough_search_does() -> None:
    """Thirteen in their fourth round: found by trying many."""
    chance, met, order = random.Random(913), Counter[Pair](), list(range(13))
    for _ in range(4):
        chance.shuffle(order)
        note(met, seat(order, met).tables)
    assert max(met.values()) == 1


def test_twenty_four_sit_four_at_a_table_and_the_strong_together() -> None:
    found = seat(range(24), {})
    assert found.tables == tuple(tuple(range(first, first + 4)) for first in range(0, 24, 4))


@pytest.mark.parametrize(
    ("players", "best"),
    [(3, (3,)), (5, (5,)), (7, (4, 3)), (9, (3, 3, 3)), (10, (4, 3, 3)), (16, (4,) * 4), (24, (4,) * 6)],
)
def test_tables_are_near_four_and_leave_room_to_go_different_ways(
    players: int, best: tuple[int, ...]
) -> None:
    assert plans(players)[0] == best


@given(st.integers(6, 16), st.integers(1, 2), st.randoms(use_true_random=False))
@settings(max_examples=15)
def test_nobody_has_a_second_bye_before_everybody_had_one(
    count: int, most_tables: int, chance: random.Random
) -> None:
    met, had, order = Counter[Pair](), Counter[int](), list(range(count))
    for _ in range(4):
        chance.shuffle(order)
        found = seat(order, met, had, most_tables)
        check(found, order)
        assert len(found.tables) <= most_tables
        assert len(found.byes) == max(0, count - MOST * most_tables)
        had.update(found.byes)
        note(met, found.tables)
        assert max(had[player] for player in order) - min(had[player] for player in order) <= 1


def test_the_weakest_have_the_first_byes() -> None:
    assert seat([3, 1, 4, 0, 2, 5, 6], {}, {}, 1).byes == (6, 5)


@pytest.mark.parametrize("count", [0, 1, 2])
def test_fewer_than_three_are_no_round(count: int) -> None:
    with pytest.raises(ValueError, match="3 players or more"):
        seat(range(count), {})


def test_the_same_question_has_the_same_answer() -> None:
    met = Counter[Pair]()
    note(met, seat(range(17), {}).tables)
    assert seat(range(17), met) == seat(range(17), met)
