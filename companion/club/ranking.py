"""Who is how good: points, wins and places over many games; ties share a place."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from companion.club.values import Result, Scored
from companion.game.names import look_of


class RankingOrder(StrEnum):
    """What a ranking goes by first."""

    POINTS = "points"
    WINS = "wins"
    PLACES = "places"


@dataclass(frozen=True, slots=True)
class PlayerRecord:
    """What a player has reached; `points` may hold some that no game gave, such as those of a bye."""

    name: str
    points: int = 0
    places: tuple[int, ...] = ()  # of each game, 1 for the first

    @property
    def games(self) -> int:
        return len(self.places)

    @property
    def wins(self) -> int:
        return self.places.count(1)

    @property
    def mean_place(self) -> float:
        return sum(self.places) / len(self.places) if self.places else 0.0

    @property
    def mean_points(self) -> float:
        return self.points / self.games if self.games else 0.0


@dataclass(frozen=True, slots=True)
class RankingPlace:
    """A place in a ranking; those who tie have the same one, and the next is left out."""

    place: int
    record: PlayerRecord


@dataclass
class _Sums:
    name: str
    points: int = 0
    places: list[int] = field(default_factory=list)


def places(points: Sequence[int]) -> tuple[int, ...]:
    """The place of each, most points first: 40, 52, 40 gives 2, 1, 2."""
    return tuple(1 + sum(other > mine for other in points) for mine in points)


def records(games: Iterable[Sequence[Scored]]) -> tuple[PlayerRecord, ...]:
    """Everybody who played; two spellings that look the same are one player, named as last seen."""
    found = defaultdict[str, _Sums](lambda: _Sums(""))
    for players in games:
        for player, place in zip(players, places([each.points for each in players]), strict=True):
            sums = found[look_of(player.name)]
            sums.name = player.name
            sums.points += player.points
            sums.places.append(place)
    return tuple(PlayerRecord(each.name, each.points, tuple(each.places)) for each in found.values())


def _key(record: PlayerRecord, order: RankingOrder) -> tuple[float, ...]:
    """Larger is better."""
    mean = -record.mean_place if record.games else float("-inf")
    by: Mapping[RankingOrder, tuple[float, ...]] = {
        RankingOrder.POINTS: (record.points, record.wins, mean),
        RankingOrder.WINS: (record.wins, record.points, mean),
        RankingOrder.PLACES: (mean, record.wins, record.points),
    }
    return by[order]


def ranked(
    found: Iterable[PlayerRecord], order: RankingOrder = RankingOrder.POINTS
) -> tuple[RankingPlace, ...]:
    """Best first. Whoever is alike in points, wins and places shares a place, in the order of the names."""
    best_first = sorted(found, key=lambda record: look_of(record.name))
    best_first.sort(key=lambda record: _key(record, order), reverse=True)
    standings: list[RankingPlace] = []
    for number, record in enumerate(best_first, 1):
        ties = standings and _key(standings[-1].record, order) == _key(record, order)
        standings.append(RankingPlace(standings[-1].place if ties else number, record))
    return tuple(standings)


def ranking(results: Iterable[Result], order: RankingOrder = RankingOrder.POINTS) -> tuple[RankingPlace, ...]:
    """Of games that count; which do is for the caller to say."""
    return ranked(records(result.people for result in results), order)
