"""Loaded dice are called loaded, fair ones are not, and false alarms are as rare as promised."""

from itertools import product

import numpy as np
import pytest

from companion.past.fairness import (
    FEWEST,
    LOADED,
    UNEVEN,
    Verdict,
    beyond,
    chance_of,
    holm,
    judge,
    log_odds,
    noticeable,
)

DICE = ("white", "red", "yellow", "green", "blue")
FAIR = [1 / 6] * 6
SEED = 5


def thrown(rng: np.random.Generator, throws: int, **loads: list[float]) -> dict[str, list[int]]:
    """So many rolls: the white pair has two dice in each."""
    return {
        die: rng.multinomial(throws * (1 + (die == "white")), loads.get(die, FAIR)).tolist() for die in DICE
    }


@pytest.mark.parametrize(
    ("chi_square", "chance"),
    [(0.0, 1.0), (1.145, 0.95), (4.351, 0.50), (11.070, 0.05), (15.086, 0.01), (20.515, 0.001)],
)
def test_the_tail_of_chi_square_is_that_of_the_printed_tables(chi_square: float, chance: float) -> None:
    assert beyond(chi_square) == pytest.approx(chance, rel=2e-3)


def test_the_chance_is_that_of_pearsons_statistic() -> None:
    """The textbook's die: 120 throws, chi-square 13.5."""
    counts = [13, 28, 16, 10, 32, 21]
    assert sum((count - 20) ** 2 / 20 for count in counts) == pytest.approx(18.7)
    assert chance_of(counts) == pytest.approx(beyond(18.7))


def test_holm_corrects_the_smallest_most_and_never_turns_the_order() -> None:
    found = holm({"a": 0.01, "b": 0.04, "c": 0.03, "d": 0.9})
    assert found == pytest.approx({"a": 0.04, "c": 0.09, "b": 0.09, "d": 0.9})
    assert holm({"a": 0.7, "b": 0.8}) == {"a": 1.0, "b": 1.0}
    assert holm({}) == {}


def test_too_few_throws_are_no_verdict_and_do_not_weaken_the_others() -> None:
    few, many = [FEWEST // 6] * 5 + [FEWEST // 6 - 1], [10, 10, 10, 10, 10, 50]
    found = {each.die: each for each in judge({"red": few, "blue": many, "white": [0] * 6})}
    assert found["red"].verdict is found["white"].verdict is Verdict.TOO_FEW
    assert (found["red"].chance, found["red"].ever, found["red"].noticed) == (None, None, None)
    assert found["white"].total == 0
    assert found["blue"].chance == pytest.approx(chance_of(many))  # one die looked at: nothing to correct
    assert found["blue"].verdict is Verdict.LOADED
    assert (found["blue"].often, found["blue"].seldom) == ((6,), ())


def test_an_even_die_has_no_faces_that_stand_out() -> None:
    (found,) = judge({"red": [100, 101, 99, 100, 102, 98]})
    assert (found.verdict, found.often, found.seldom) == (Verdict.FAIR, (), ())


def test_a_loaded_die_is_found_and_only_that_one() -> None:
    """Some twenty games: a red die whose six comes up in three throws of ten."""
    rng = np.random.default_rng(SEED)
    found = [judge(thrown(rng, 600, red=[0.14] * 5 + [0.30])) for _ in range(200)]
    reds = [next(each for each in dice if each.die == "red") for dice in found]
    assert sum(red.verdict is Verdict.LOADED for red in reds) >= 198
    assert all(6 in red.often for red in reds if red.verdict is Verdict.LOADED)
    others = [each for dice in found for each in dice if each.die != "red"]
    assert sum(each.verdict is Verdict.LOADED for each in others) <= 2


def test_one_loaded_white_die_shows_though_two_are_pooled() -> None:
    rng = np.random.default_rng(SEED)
    for _ in range(20):
        counts = thrown(rng, 0)
        loaded, fair = rng.multinomial(600, [0.12] * 5 + [0.40]), rng.multinomial(600, FAIR)
        counts["white"] = (loaded + fair).tolist()
        white = judge(counts)[0]
        assert (white.verdict, white.often[-1:]) == (Verdict.LOADED, (6,))


@pytest.mark.parametrize("throws", [60, 300, 3000])
def test_fair_tables_raise_a_false_alarm_as_rarely_as_promised(throws: int) -> None:
    """Over 2,000 tables of five fair dice, looked at once; the bounds are three standard deviations wide."""
    rng, tables = np.random.default_rng(SEED), 2000
    found = [judge(thrown(rng, throws)) for _ in range(tables)]
    uneven = np.mean([min(each.chance or 0 for each in dice) < UNEVEN for dice in found])
    spread = (UNEVEN / tables) ** 0.5
    assert UNEVEN - 4 * spread < uneven < UNEVEN + 3 * spread
    loaded = np.mean([any(each.verdict is Verdict.LOADED for each in dice) for dice in found])
    assert loaded <= LOADED


def test_fair_tables_that_are_looked_at_after_every_game_are_as_rarely_alarmed() -> None:
    """200 tables of five fair dice, each looked at after each of fifty games of 27 throws."""
    rng, tables, games = np.random.default_rng(SEED), 200, 50
    alarmed, uneven = 0, 0
    for _ in range(tables):
        played = {die: np.cumsum([counts[die] for counts in evenings(rng, games)], axis=0) for die in DICE}
        looks = [judge({die: played[die][game].tolist() for die in DICE}) for game in range(games)]
        alarmed += any(die.verdict is Verdict.LOADED for look in looks for die in look)
        uneven += any((die.chance or 1) < LOADED for look in looks for die in look)
    assert alarmed / tables <= LOADED
    assert uneven / tables > 5 * LOADED  # a test made for one look would have cried wolf


def evenings(rng: np.random.Generator, games: int) -> list[dict[str, list[int]]]:
    return [thrown(rng, 27) for _ in range(games)]


def test_the_odds_are_fair_bets_against_a_fair_die() -> None:
    """A bet at these odds wins nothing in the mean: over every way that four throws can fall."""
    falls = list(product(range(6), repeat=4))
    odds = [np.exp(log_odds(np.bincount(fall, minlength=6).tolist())) for fall in falls]
    assert np.mean(odds) == pytest.approx(1)


@pytest.mark.parametrize("throws", [150, 500, 2000])
def test_what_would_be_noticed_mostly_is(throws: int) -> None:
    """A face just as likely as said to be noticeable is called loaded in about four tables of five."""
    rng = np.random.default_rng(SEED)
    chance = noticeable(throws, len(DICE))
    load = [(1 - chance) / 5] * 5 + [chance]
    found = [judge(thrown(rng, throws, blue=load))[-1].verdict is Verdict.LOADED for _ in range(1000)]
    assert 0.7 < float(np.mean(found)) < 0.9
