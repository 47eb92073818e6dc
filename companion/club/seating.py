"""Who sits at which table: three to five at each, strong with strong, nobody twice if it can be avoided.

It minimises, in this order, meetings of people who met before, and how far apart in strength those at a table
are. Pure: the same question has the same answer.
"""

import itertools
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

FEWEST, BEST_SIZE, MOST = 3, 4, 5  # players at a table
_SHUFFLES = 24  # starts of the quick search
_MOST_STEPS = 200_000  # of the thorough search, over all it tries: about a second
_MOST_PLANS = 16  # ways to divide people into tables that are tried

Pair = tuple[int, int]  # of players, the smaller number first
Tables = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Seating:
    """The tables of a round, and who has a bye. Players are numbers that the caller gave them."""

    tables: Tables
    byes: tuple[int, ...]


class _OutOfStepsError(Exception):
    """The thorough search gives up."""


def pair(one: int, two: int) -> Pair:
    return (one, two) if one < two else (two, one)


def pairs(table: Sequence[int]) -> Iterator[Pair]:
    return (pair(one, two) for one, two in itertools.combinations(table, 2))


def repeats(tables: Tables, met: Mapping[Pair, int]) -> int:
    """How often people at these tables have met before, all together."""
    return sum(met.get(each, 0) for table in tables for each in pairs(table))


def plans(players: int, most_tables: int = 0) -> tuple[tuple[int, ...], ...]:
    """The ways to divide so many into tables of three to five, best first.

    Where no table is larger than the number of tables, all can go different ways afterwards, so that comes
    first; then tables near four, rather more of them than fewer.
    """
    found = []
    for fives in range(players // MOST + 1):
        for fours in range((players - MOST * fives) // BEST_SIZE + 1):
            threes, left = divmod(players - MOST * fives - BEST_SIZE * fours, FEWEST)
            sizes = (MOST,) * fives + (BEST_SIZE,) * fours + (FEWEST,) * threes
            if left == 0 and sizes and (not most_tables or len(sizes) <= most_tables):
                found.append(sizes)
    return tuple(sorted(found, key=_preference)[:_MOST_PLANS])


def _preference(sizes: tuple[int, ...]) -> tuple[bool, int, int]:
    return max(sizes) > len(sizes), sum(abs(size - BEST_SIZE) for size in sizes), -len(sizes)


def seat(
    strongest_first: Sequence[int],
    met: Mapping[Pair, int],
    byes_had: Mapping[int, int] | None = None,
    most_tables: int = 0,
) -> Seating:
    """The next round. `most_tables` 0: there are enough. ValueError if they are fewer than three."""
    if len(strongest_first) < FEWEST:
        raise ValueError(f"a round has {FEWEST} players or more, got {len(strongest_first)}")
    byes = _byes(strongest_first, byes_had or {}, most_tables)
    playing = [player for player in strongest_first if player not in byes]
    ranks = _Ranks(playing, met)
    best = ranks.best(plans(len(playing), most_tables))
    named = sorted(
        sorted(table) for table in best
    )  # by rank: the strongest table first, and at it the strongest
    return Seating(tuple(tuple(playing[rank] for rank in table) for table in named), byes)


def _byes(strongest_first: Sequence[int], had: Mapping[int, int], most_tables: int) -> tuple[int, ...]:
    """Those for whom there is no seat: who had fewest byes; of them, the weakest."""
    count = max(0, len(strongest_first) - MOST * most_tables) if most_tables else 0
    rank = {player: place for place, player in enumerate(strongest_first)}
    in_turn = sorted(strongest_first, key=lambda player: (had.get(player, 0), -rank[player]))
    return tuple(in_turn[:count])


class _Ranks:
    """Players by their rank, 0 the strongest, with who met whom how often."""

    def __init__(self, players: Sequence[int], met: Mapping[Pair, int]) -> None:
        self.count = len(players)
        self.met = [[met.get(pair(one, two), 0) for two in players] for one in players]
        self._steps = 0

    def best(self, sizes_to_try: Sequence[tuple[int, ...]]) -> list[list[int]]:
        """Quick first; where that leaves people who meet again, a thorough search for fewer."""
        found: list[tuple[int, int, list[list[int]]]] = []
        for number, sizes in enumerate(sizes_to_try):
            tables = self._quick(sizes)
            found.append((self._repeats(tables), number, tables))
            if found[-1][0] == 0:
                return tables
        least, _, tables = min(found)
        try:
            for fewer in range(least):
                for sizes in sizes_to_try:
                    thorough = self._thorough(sizes, fewer)
                    if thorough is not None:
                        return self._settled(thorough)
        except _OutOfStepsError:
            pass
        return tables

    # --- quick: exchange people between tables as long as that makes it better ----------------------------

    def _quick(self, sizes: Sequence[int]) -> list[list[int]]:
        chance = random.Random(self.count)
        order = list(range(self.count))
        tries = []
        for _ in range(_SHUFFLES):
            tables = self._settled(_divided(order, sizes))
            tries.append((self._repeats(tables), self._spread(tables), tables))
            if tries[-1][0] == 0:
                break
            chance.shuffle(order)
        return min(tries)[2]

    def _settled(self, tables: list[list[int]]) -> list[list[int]]:
        better = True
        while better:
            better = False
            for one, two in itertools.combinations(tables, 2):
                for here, there in itertools.product(range(len(one)), range(len(two))):
                    better |= self._exchanged(one, two, here, there)
        return tables

    def _exchanged(self, one: list[int], two: list[int], here: int, there: int) -> bool:
        """Whether it was better, else it is as before."""
        before = self._cost(one), self._cost(two)
        one[here], two[there] = two[there], one[here]
        after = self._cost(one), self._cost(two)
        if _sum(after) < _sum(before):
            return True
        one[here], two[there] = two[there], one[here]
        return False

    def _cost(self, table: Sequence[int]) -> tuple[int, int]:
        again = spread = 0
        for one, two in itertools.combinations(table, 2):
            again += self.met[one][two]
            spread += abs(one - two)
        return again, spread

    def _repeats(self, tables: Sequence[Sequence[int]]) -> int:
        return sum(self._cost(table)[0] for table in tables)

    def _spread(self, tables: Sequence[Sequence[int]]) -> int:
        return sum(self._cost(table)[1] for table in tables)

    # --- thorough: every way, as long as the steps last ---------------------------------------------------

    def _thorough(self, sizes: Sequence[int], allowed: int) -> list[list[int]] | None:
        """Tables with no more than so many repeats, or None if there are none."""
        return self._seated(list(range(self.count)), list(sizes), allowed)

    def _seated(self, free: list[int], sizes: list[int], allowed: int) -> list[list[int]] | None:
        if not free:
            return []
        for size in sorted(set(sizes), reverse=True):
            others = sizes.copy()
            others.remove(size)
            for table, left in self._tables([free[0]], free[1:], size, allowed):
                rest = self._seated([player for player in free if player not in table], others, left)
                if rest is not None:
                    return [table, *rest]
        return None

    def _tables(
        self, table: list[int], free: Sequence[int], size: int, allowed: int
    ) -> Iterator[tuple[list[int], int]]:
        self._steps += 1
        if self._steps > _MOST_STEPS:
            raise _OutOfStepsError
        if len(table) == size:
            yield table, allowed
            return
        for place, player in enumerate(free):
            left = allowed - sum(self.met[player][other] for other in table)
            if left >= 0:
                yield from self._tables([*table, player], free[place + 1 :], size, left)


def _divided(order: Sequence[int], sizes: Sequence[int]) -> list[list[int]]:
    ends = list(itertools.accumulate(sizes))
    return [list(order[end - size : end]) for end, size in zip(ends, sizes, strict=True)]


def _sum(costs: tuple[tuple[int, int], tuple[int, int]]) -> tuple[int, int]:
    return costs[0][0] + costs[1][0], costs[0][1] + costs[1][1]
