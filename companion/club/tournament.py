"""A tournament: its players, its rounds, and who leads. Its state is its events, plus the boxes' results."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import assert_never

from companion.club.ranking import PlayerRecord, RankingOrder, RankingPlace, places, ranked
from companion.club.seating import FEWEST, Pair, pairs, seat
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
    effective,
)
from companion.club.values import KeptResult
from companion.game.names import entered_name, look_of
from companion.rules import RuleError

MOST_PLAYERS = 300
MOST_ROUNDS = 20
MOST_TABLES = 100
LONGEST_TITLE = 60
MOST_POINTS = 999
LEAST_POINTS = -99


class PointsSource(StrEnum):
    """Where a table's points come from."""

    OPEN = "open"  # the table still plays
    BOX = "box"
    HAND = "hand"


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player of the tournament."""

    name: str
    left: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """The players at one table of a round; their points once they are known, None for who did not play on."""

    players: tuple[int, ...]
    points: tuple[int | None, ...] | None = None
    source: PointsSource = PointsSource.OPEN
    box: str = ""  # which box the points came from


@dataclass(frozen=True, slots=True)
class Round:
    """One round."""

    groups: tuple[Group, ...]
    byes: tuple[int, ...]
    at: float

    @property
    def is_complete(self) -> bool:
        return all(group.points is not None for group in self.groups)


@dataclass(frozen=True, slots=True)
class Tournament:
    """All there is to know at one moment."""

    name: str
    planned: int
    most_tables: int
    entries: tuple[Entrant, ...] = ()
    rounds: tuple[Round, ...] = ()

    @property
    def playing(self) -> tuple[int, ...]:
        """The players who are seated in the next round."""
        return tuple(number for number, entry in enumerate(self.entries) if not entry.left)

    @property
    def waits_for_results(self) -> bool:
        return bool(self.rounds) and not self.rounds[-1].is_complete

    @property
    def is_over(self) -> bool:
        return len(self.rounds) >= self.planned and not self.waits_for_results

    @property
    def met(self) -> Mapping[Pair, int]:
        """How often two have sat at one table."""
        return Counter(
            each for round_ in self.rounds for group in round_.groups for each in pairs(group.players)
        )

    @property
    def byes_had(self) -> Mapping[int, int]:
        return Counter(player for round_ in self.rounds for player in round_.byes)


# --- events ----------------------------------------------------------------------------------------------


def play(events: Sequence[Event]) -> Tournament:
    """The tournament after these events, the first of which opens it."""
    first, *others = effective(events)
    if not isinstance(first, Opened):
        raise TypeError(f"a tournament begins when it is opened, got {first}")
    tournament = Tournament(first.name, first.rounds, first.most_tables)
    for event in others:
        tournament = apply(tournament, event)
    return tournament


def apply(tournament: Tournament, event: Event) -> Tournament:
    """The tournament after an event; TournamentError if it cannot be."""
    match event:
        case Entered(name):
            return _entered(tournament, name)
        case Renamed(player, name):
            entry = replace(_entry(tournament, player), name=_free_name(tournament, name, player))
            return _with_entry(tournament, player, entry)
        case Left(player):
            return _with_entry(tournament, player, replace(_entry(tournament, player), left=True))
        case Returned(player):
            return _with_entry(tournament, player, replace(_entry(tournament, player), left=False))
        case Drawn(tables, byes, at):
            return replace(
                tournament, rounds=(*tournament.rounds, Round(tuple(map(Group, tables)), byes, at))
            )
        case PointsSet(number, table, points):
            _check_points(_group(tournament, number, table), points)
            return _with_points(tournament, number, table, points)
        case PointsCleared(number, table):
            _group(tournament, number, table)
            return _with_points(tournament, number, table, None)
        case Opened() | Undone():
            raise TypeError(f"{event} is no step of a tournament")
    assert_never(event)


def _entered(tournament: Tournament, name: str) -> Tournament:
    if len(tournament.entries) >= MOST_PLAYERS:
        text = f"a tournament has up to {MOST_PLAYERS} players"
        raise TournamentError("club-full", text, MOST_PLAYERS)
    return replace(tournament, entries=(*tournament.entries, Entrant(_free_name(tournament, name))))


def _free_name(tournament: Tournament, name: str, but: int = -1) -> str:
    try:
        name = entered_name(name)
    except RuleError as error:
        raise TournamentError(error.kind, str(error), error.number) from None
    taken = {look_of(entry.name) for number, entry in enumerate(tournament.entries) if number != but}
    if look_of(name) in taken:
        raise TournamentError("club-name-taken", f"{name} has entered already")
    return name


def _entry(tournament: Tournament, player: int) -> Entrant:
    if not 0 <= player < len(tournament.entries):
        raise TournamentError("not-found", f"there is no player {player}")
    return tournament.entries[player]


def _with_entry(tournament: Tournament, player: int, entry: Entrant) -> Tournament:
    entries = (*tournament.entries[:player], entry, *tournament.entries[player + 1 :])
    return replace(tournament, entries=entries)


def _group(tournament: Tournament, number: int, table: int) -> Group:
    if not (0 <= number < len(tournament.rounds) and 0 <= table < len(tournament.rounds[number].groups)):
        raise TournamentError("not-found", f"there is no table {table} in round {number}")
    return tournament.rounds[number].groups[table]


def _check_points(group: Group, points: tuple[int | None, ...]) -> None:
    if len(points) != len(group.players) or all(each is None for each in points):
        raise TournamentError("club-points-missing", "each player who played on has points")
    if any(each is not None and not LEAST_POINTS <= each <= MOST_POINTS for each in points):
        raise TournamentError("club-points", f"points are {LEAST_POINTS} to {MOST_POINTS}", MOST_POINTS)


def _with_points(
    tournament: Tournament, number: int, table: int, points: tuple[int | None, ...] | None
) -> Tournament:
    group = tournament.rounds[number].groups[table]
    source = PointsSource.OPEN if points is None else PointsSource.HAND
    return _with_group(tournament, number, table, Group(group.players, points, source))


def _with_group(tournament: Tournament, number: int, table: int, group: Group) -> Tournament:
    round_ = tournament.rounds[number]
    groups = (*round_.groups[:table], group, *round_.groups[table + 1 :])
    rounds = (*tournament.rounds[:number], replace(round_, groups=groups), *tournament.rounds[number + 1 :])
    return replace(tournament, rounds=rounds)


# --- results of boxes -------------------------------------------------------------------------------------


def with_results(tournament: Tournament, results: Iterable[KeptResult]) -> Tournament:
    """Tables whose players finished a game on a box have its points, unless somebody set them by hand.

    A game is a table's if those who played it sit there, it came after the round was drawn, and no earlier
    round has it; whoever left the tournament may be missing.
    """
    games = sorted((kept for kept in results if kept.counts), key=lambda kept: kept.received)
    by_player = defaultdict[str, list[tuple[KeptResult, dict[str, int]]]](list)
    for kept in games:
        points = {look_of(each.name): each.points for each in kept.result.people}
        for name in points:
            by_player[name].append((kept, points))
    used: set[tuple[str, str]] = set()
    for number, round_ in enumerate(tournament.rounds):
        for table, group in enumerate(round_.groups):
            if group.points is not None:
                continue
            names = [look_of(tournament.entries[player].name) for player in group.players]
            must = {
                name
                for name, player in zip(names, group.players, strict=True)
                if not tournament.entries[player].left
            }
            for kept, points in by_player[min(must or names)]:
                fits = must <= points.keys() <= set(names) and len(points) > 1
                if fits and kept.received >= round_.at and (kept.result.box, kept.result.id) not in used:
                    used.add((kept.result.box, kept.result.id))
                    own = tuple(points.get(name) for name in names)
                    found = Group(group.players, own, PointsSource.BOX, kept.result.box)
                    tournament = _with_group(tournament, number, table, found)
                    break
    return tournament


# --- who leads --------------------------------------------------------------------------------------------


def bye_points(round_: Round) -> int:
    """What a bye is worth: the round's average, once all have played."""
    points = [each for group in round_.groups for each in group.points or () if each is not None]
    return round(sum(points) / len(points)) if points and round_.is_complete else 0


def standings(tournament: Tournament) -> tuple[RankingPlace, ...]:
    """Everybody, best first: by points, then wins, then places; who is alike in all shares a place."""
    return tuple(standing for standing, _ in numbered_standings(tournament))


def numbered_standings(tournament: Tournament) -> tuple[tuple[RankingPlace, int], ...]:
    """The same, each with the player's number."""
    found = {entry.name: PlayerRecord(entry.name) for entry in tournament.entries}
    for round_ in tournament.rounds:
        for group in round_.groups:
            _add_game(found, tournament, group)
        for player in round_.byes:
            name = tournament.entries[player].name
            found[name] = replace(found[name], points=found[name].points + bye_points(round_))
    numbers = {entry.name: number for number, entry in enumerate(tournament.entries)}
    return tuple((each, numbers[each.record.name]) for each in ranked(found.values(), RankingOrder.POINTS))


def _add_game(found: dict[str, PlayerRecord], tournament: Tournament, group: Group) -> None:
    played = [
        (tournament.entries[player].name, points)
        for player, points in zip(group.players, group.points or (), strict=False)
        if points is not None
    ]
    for (name, points), place in zip(played, places([points for _, points in played]), strict=True):
        record = found[name]
        found[name] = replace(record, points=record.points + points, places=(*record.places, place))


# --- the next round ---------------------------------------------------------------------------------------


def draw(tournament: Tournament, lots: Sequence[int], at: float) -> Drawn:
    """The next round's seating. `lots`, all players in a drawn order, decide where strength does not."""
    if tournament.waits_for_results:
        raise TournamentError("club-still-playing", "not all tables of this round have a result")
    if len(tournament.rounds) >= MOST_ROUNDS:
        raise TournamentError("club-rounds", f"a tournament has up to {MOST_ROUNDS} rounds", MOST_ROUNDS)
    playing = set(tournament.playing)
    if len(playing) < FEWEST:
        text = f"a round takes {FEWEST} players, got {len(playing)}"
        raise TournamentError("club-too-few", text, FEWEST)
    lot = {player: place for place, player in enumerate(lots)}
    found = [(standing.place, lot[player], player) for standing, player in numbered_standings(tournament)]
    strongest_first = [player for _, _, player in sorted(found) if player in playing]
    seating = seat(strongest_first, tournament.met, tournament.byes_had, tournament.most_tables)
    return Drawn(seating.tables, seating.byes, at)


def opened(name: str, rounds: int, most_tables: int) -> Opened:
    """A new tournament, if it can be one."""
    name = " ".join(name.split())
    if not 1 <= len(name) <= LONGEST_TITLE or not name.isprintable():
        raise TournamentError(
            "club-title", f"a tournament has a name of 1 to {LONGEST_TITLE} letters", LONGEST_TITLE
        )
    if not 1 <= rounds <= MOST_ROUNDS:
        raise TournamentError("club-rounds", f"a tournament has 1 to {MOST_ROUNDS} rounds", MOST_ROUNDS)
    if not 0 <= most_tables <= MOST_TABLES:
        raise TournamentError("club-tables", f"tables are 0 to {MOST_TABLES}", MOST_TABLES)
    return Opened(name, rounds, most_tables)
