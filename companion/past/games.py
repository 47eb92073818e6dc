"""The games of a journal, newest first. One is played again for its own page, or once for its figures."""

import logging
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from companion.journal.journal import Entry, Journal, JournalError
from companion.past.figures import GameFigures, figures_of, unreadable
from companion.past.kept import KeptFigures
from companion.past.records import Begun, begun, read_record
from companion.past.turns import Replay, replay
from companion.rules import NotationError, RuleError
from companion.table.seats import NO_SEATS, Mark, Seats, apply_seat_event, is_seat_event, parse_seat_event
from companion.table.series import Series

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class PastGame:
    """One game; `begun` is None if not even its first entry can be read."""

    id: int
    begun: Begun | None
    figures: GameFigures
    marks: tuple[Mark, ...]  # of the players, as they sat; of a game played elsewhere by their order

    @property
    def hides_scores(self) -> bool:
        """While it is played, nobody sees the points if the table wants it so."""
        return self.begun is not None and self.begun.setup.house.scores_hidden and not self.figures.over


@dataclass(frozen=True)
class Evening:
    """A single game, or the games of one series in the order they were played."""

    games: tuple[PastGame, ...]

    @property
    def is_series(self) -> bool:
        return any(game.begun is not None and game.begun.games > 1 for game in self.games)

    @cached_property
    def series(self) -> Series | None:
        """The standings, from the games that were played to their end."""
        first = self.games[0].begun
        if first is None or not self.is_series:
            return None
        series = Series(first.setup.players, first.games)
        for game in self.games:
            if game.figures.counts and not series.over:
                series = series.note(tuple(player.score for player in game.figures.players))
        return series


class PastGames:
    """All games of a journal. Safe to call from any thread."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._kept = KeptFigures(journal.folder)
        self._mutex = threading.Lock()
        self._begun: dict[int, Begun | None] = {}
        self._seated: dict[int, Seats] = {}  # by game: who sat where when it was started
        self._figures: dict[int, tuple[str, GameFigures]] | None = None
        self._counting: threading.Thread | None = None

    def ids(self) -> tuple[int, ...]:
        """The games that there are, newest first."""
        return tuple(reversed(list(self._journal.games())))

    def game(self, game: int) -> PastGame | None:
        """One of them; None if there is none of that number, or it was deleted."""
        newest = self._journal.newest_of(game)
        if newest is None:
            return None
        begun = self._begin(game)
        return PastGame(game, begun, self._count(game, newest.chain), self._marks_of(game, begun))

    def all(self) -> Iterator[PastGame]:
        """Every game, oldest first."""
        return filter(None, map(self.game, reversed(self.ids())))

    def counted(self, patience: float) -> tuple[PastGame, ...]:
        """Those known after so many seconds, oldest first; the others are counted beside the play."""
        until, found = time.monotonic() + patience, list[PastGame]()
        for number in reversed(self.ids()):
            if time.monotonic() < until or self._is_counted(number):
                found += filter(None, [self.game(number)])
        if len(found) < len(self.ids()):
            self._count_beside()
        return tuple(found)

    def evenings(self, first: int, count: int) -> tuple[Evening, ...]:
        """Single games and series, newest first, from that place on; others are not looked at."""
        groups = self._groups()[first : first + count]
        return tuple(Evening(tuple(filter(None, map(self.game, group)))) for group in groups)

    def evenings_count(self) -> int:
        return len(self._groups())

    def entries(self, game: int) -> tuple[Entry, ...]:
        return self._journal.entries(game=game) if self._journal.newest_of(game) else ()

    def chain(self, game: int) -> str | None:
        """The hash of its newest entry; None if there is no such game."""
        newest = self._journal.newest_of(game)
        return None if newest is None else newest.chain

    def replay(self, game: int) -> Replay | None:
        """The game turn by turn as far as it can be played again; None if nothing of it can."""
        entries = self.entries(game)
        return _replay(entries) if entries and self._begin(game) is not None else None

    # --- what is known of each -------------------------------------------------------------------------

    def _is_counted(self, game: int) -> bool:
        newest = self._journal.newest_of(game)
        with self._mutex:
            known = (self._figures or {}).get(game)
        return newest is not None and known is not None and known[0] == newest.chain

    def _count_beside(self) -> None:
        with self._mutex:
            if self._counting is None or not self._counting.is_alive():
                self._counting = threading.Thread(target=self._count_all, name="counting", daemon=True)
                self._counting.start()

    def _count_all(self) -> None:
        try:
            for _ in self.all():
                pass
        except JournalError:
            _log.info("the journal was closed before every game was counted; the rest is for another time")

    def _begin(self, game: int) -> Begun | None:
        with self._mutex:
            if game not in self._begun:
                entry = self._journal.entry(game)
                self._begun[game] = None if entry is None else _begun(entry)
            return self._begun[game]

    def _marks_of(self, game: int, begun: Begun | None) -> tuple[Mark, ...]:
        """The marks that the players had chosen when the game was started."""
        names = () if begun is None else begun.setup.players
        with self._mutex:
            if game not in self._seated:
                self._seated = _seated(self._journal.table_entries())
            seats = self._seated.get(game, ())
        if tuple(seat.name for seat in seats) == names:
            return tuple(seat.mark for seat in seats)
        return tuple(Mark)[: len(names)]

    def _count(self, game: int, chain: str) -> GameFigures:
        """The figures of a game, counted once for each entry that it ends with."""
        with self._mutex:
            if self._figures is None:
                self._figures = self._kept.read()
            known = self._figures.get(game)
        if known is not None and known[0] == chain:
            return known[1]
        found = _figures(self._journal.entries(game=game))
        with self._mutex:
            self._figures[game] = (chain, found)
        if found.over and found.trouble is None:
            self._kept.write(game, chain, found)
        return found

    def _groups(self) -> list[tuple[int, ...]]:
        """The numbers of games that belong together, newest first."""
        groups: list[list[int]] = []
        running: Begun | None = None  # the newest of the series that may go on
        for game in self._journal.started():
            found = self._begin(game)
            if found is None or found.imported:
                groups.append([game])
                continue
            if running is not None and _goes_on(running, found):
                next(group for group in reversed(groups) if running.id in group).append(game)
            else:
                groups.append([game])
            running = found
        there = self._journal.games()
        kept = [tuple(game for game in group if game in there) for group in reversed(groups)]
        return [group for group in kept if group]


def _goes_on(before: Begun, now: Begun) -> bool:
    """Whether that game is of the same series; one that was stopped is played again under its number."""
    same = (now.games, now.setup.players) == (before.games, before.setup.players)
    return same and now.number > 1 and now.number in (before.number, before.number + 1)


def _seated(entries: Sequence[Entry]) -> dict[int, Seats]:
    """Who sat where at the start of each game, as far as the seats can be followed."""
    found, seats = dict[int, Seats](), NO_SEATS
    for entry in entries:
        if entry.game is not None:
            found[entry.game] = seats
            continue
        try:
            if is_seat_event(entry.line):
                seats = apply_seat_event(seats, parse_seat_event(entry.line))
        except (NotationError, RuleError):
            break
    return found


def _begun(entry: Entry) -> Begun | None:
    try:
        return begun(entry)
    except NotationError:
        return None


def _replay(entries: Sequence[Entry]) -> Replay:
    """As far as its entries can be read and played."""
    found = read_record(entries)
    played = replay(found.record)
    return played if played.trouble else replace(played, trouble=found.trouble)


def _figures(entries: Sequence[Entry]) -> GameFigures:
    if _begun(entries[0]) is None:
        return unreadable(f"entry {entries[0].id} starts no game that this Boxlid knows")
    return figures_of(_replay(entries))
