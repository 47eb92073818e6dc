"""What pages of the club show, as values: no HTML, no words. Everything follows from the books."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from companion.club.club import Books
from companion.club.evenings import Span, by_evening, ended, evening_of, spans
from companion.club.ranking import PlayerRecord, RankingOrder, RankingPlace, ranking
from companion.club.tournament import PointsSource, Tournament, bye_points, numbered_standings
from companion.club.values import KeptResult

MOST_NEWEST = 12
ALL_TIME = "all"


@dataclass(frozen=True, slots=True)
class ShownPlayer:
    """Somebody in a game or at a table."""

    name: str
    points: int | None
    place: int | None = None
    number: int = 0  # in the tournament
    left: bool = False


@dataclass(frozen=True, slots=True)
class GameShown:
    """A game that ended; players with most points first."""

    box: str
    id: str
    at: float
    players: tuple[ShownPlayer, ...]
    edition: str
    stopped: bool
    left_out: bool


@dataclass(frozen=True, slots=True)
class EveningShown:
    """An evening in the list."""

    day: date
    games: int
    leaders: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RankingShown:
    """A ranking over some games, and those games, newest first."""

    order: RankingOrder
    standings: tuple[RankingPlace, ...]
    games: tuple[GameShown, ...]


@dataclass(frozen=True, slots=True)
class GroupShown:
    """A table of a round, numbered from 1."""

    number: int
    players: tuple[ShownPlayer, ...]
    source: PointsSource
    box: str


@dataclass(frozen=True, slots=True)
class RoundShown:
    """A round, numbered from 1."""

    number: int
    groups: tuple[GroupShown, ...]
    byes: tuple[ShownPlayer, ...]
    complete: bool


@dataclass(frozen=True, slots=True)
class TournamentShown:
    """A tournament as a page shows it; rounds newest first."""

    id: int
    name: str
    planned: int
    most_tables: int
    rounds: tuple[RoundShown, ...]
    standings: tuple[tuple[RankingPlace, ShownPlayer], ...]
    players: tuple[ShownPlayer, ...]
    events: int
    waits: bool
    over: bool


def game_shown(kept: KeptResult) -> GameShown:
    points = [player.points for player in kept.result.players]
    players = (
        ShownPlayer(each.name, each.points, 1 + sum(other > each.points for other in points))
        for each in kept.result.players
    )
    return GameShown(
        kept.result.box,
        kept.result.id,
        ended(kept),
        tuple(sorted(players, key=lambda player: player.place or 0)),
        kept.result.edition,
        kept.result.stopped,
        kept.left_out,
    )


def _there(results: Sequence[KeptResult]) -> tuple[KeptResult, ...]:
    """Those with an end; games that were deleted or go on are not shown."""
    return tuple(kept for kept in results if kept.result.players)


def newest(books: Books) -> tuple[GameShown, ...]:
    return tuple(game_shown(kept) for kept in _there(books.results)[::-1][:MOST_NEWEST])


def evenings(books: Books) -> tuple[EveningShown, ...]:
    found = []
    for day, results in by_evening(_there(books.results)):
        standings = ranking(kept.result for kept in results if kept.counts)
        leaders = tuple(each.record.name for each in standings if each.place == 1)
        found.append(EveningShown(day, len(results), leaders))
    return tuple(found)


def evening(books: Books, day: date, order: RankingOrder) -> RankingShown | None:
    """None if nobody played then."""
    results = [kept for kept in _there(books.results) if evening_of(kept) == day]
    return _ranking_shown(results, order) if results else None


def season(books: Books, name: str, order: RankingOrder) -> tuple[Span | None, RankingShown] | None:
    """Of the season with that first day, or of all time; None if there is none."""
    if name == ALL_TIME:
        return None, _ranking_shown(_there(books.results), order)
    span = next((each for each in spans(books.seasons) if each.season.first.isoformat() == name), None)
    if span is None:
        return None
    results = [kept for kept in _there(books.results) if span.holds(evening_of(kept))]
    return span, _ranking_shown(results, order)


def _ranking_shown(results: Sequence[KeptResult], order: RankingOrder) -> RankingShown:
    standings = ranking((kept.result for kept in results if kept.counts), order)
    return RankingShown(order, standings, tuple(game_shown(kept) for kept in results[::-1]))


def tournament_shown(identity: int, tournament: Tournament, events: int) -> TournamentShown:
    players = [
        ShownPlayer(entry.name, None, number=number, left=entry.left)
        for number, entry in enumerate(tournament.entries)
    ]
    rounds = tuple(
        RoundShown(
            number,
            tuple(
                GroupShown(
                    place,
                    tuple(
                        ShownPlayer(players[player].name, points, number=player, left=players[player].left)
                        for player, points in zip(
                            group.players, group.points or (None,) * len(group.players), strict=True
                        )
                    ),
                    group.source,
                    group.box,
                )
                for place, group in enumerate(round_.groups, 1)
            ),
            tuple(
                ShownPlayer(players[player].name, bye_points(round_) if round_.is_complete else None)
                for player in round_.byes
            ),
            round_.is_complete,
        )
        for number, round_ in enumerate(tournament.rounds, 1)
    )
    standings = tuple((standing, players[number]) for standing, number in numbered_standings(tournament))
    return TournamentShown(
        identity,
        tournament.name,
        tournament.planned,
        tournament.most_tables,
        rounds[::-1],
        standings,
        tuple(players),
        events,
        tournament.waits_for_results,
        tournament.is_over,
    )


RECORD_COLUMNS = ("place", "name", "points", "wins", "games", "mean_place", "mean_points")


def record_row(standing: RankingPlace) -> tuple[str | int | float, ...]:
    """For a spreadsheet, in the order of RECORD_COLUMNS."""
    record: PlayerRecord = standing.record
    mean_place, mean_points = round(record.mean_place, 2), round(record.mean_points, 1)
    return (standing.place, record.name, record.points, record.wins, record.games, mean_place, mean_points)
