"""The running club: what the store has, kept at hand; the tables now; one door for every change. No pages."""

import contextlib
import logging
import random
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date

from companion.club.board import Board
from companion.club.database import StoreError
from companion.club.evenings import Season, ended
from companion.club.listening import BrokerLink, Inheritance, Listener
from companion.club.store import ChangedMeanwhileError, Kept, Store
from companion.club.tournament import Tournament, apply, draw, opened, play, with_results
from companion.club.tournament_events import Event, TournamentError, Undone
from companion.club.values import KeptResult, Result

LOOK_SECONDS = 0.1  # how soon what another server kept is seen here
BEAT_SECONDS = 2.0
DEAD_SECONDS = 20.0  # without a beat
ASK_BACK_SECONDS = 2 * 24 * 3600  # before the newest result: boxes that were away, revisions
ASK_AT_FIRST_SECONDS = 30 * 24 * 3600
MOST_TRIES = 5  # against others who change the same tournament
LONGEST_SEASON = 60
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Books:
    """All that is kept, as of `number`."""

    number: int = 0
    results: tuple[KeptResult, ...] = ()  # in the order in which their games ended
    seasons: tuple[Season, ...] = ()
    tournaments: tuple[Kept, ...] = ()  # newest first


class Club:
    """Everything a page shows, and every change it may ask for. Methods may be called from any thread."""

    def __init__(
        self, store: Store, clock: Callable[[], float] = time.time, chance: random.Random | None = None
    ) -> None:
        self.board = Board()
        self.broker = ""  # its name, for people
        self.listener: Listener | None = None
        self._store = store
        self._clock = clock
        self._chance = chance or random.SystemRandom()
        self._mutex = threading.Lock()
        self._results: dict[tuple[str, str], KeptResult] = {}
        self._books = Books()
        self._played: dict[int, tuple[int, Tournament]] = {}
        self.trouble = ""  # with the store, as long as it lasts
        self.refresh()

    # --- what is kept -----------------------------------------------------------------------------------

    @property
    def books(self) -> Books:
        """The newest; a page never waits for the database, which waits for its disk."""
        return self._books

    def refresh(self) -> bool:
        """Take over what changed in the store, whoever changed it; whether anything did."""
        with self._mutex:
            if (number := self._store.number) == self._books.number:
                return False
            for kept in self._store.results_since(self._books.number):
                self._results[kept.result.box, kept.result.id] = kept
            self._books = Books(
                number,
                tuple(sorted(self._results.values(), key=ended)),
                self._store.seasons(),
                self._store.tournaments(),
            )
        self.board.nudge()
        return True

    def tournament(self, identity: int) -> Tournament | None:
        """With the results of the boxes."""
        books = self.books
        found = next((kept for kept in books.tournaments if kept.id == identity), None)
        if found is None:
            return None
        number, tournament = self._played.get(identity, (-1, None))
        if tournament is None or number != books.number:
            tournament = with_results(play(found.events), books.results)
            self._played[identity] = books.number, tournament
        return tournament

    @property
    def link(self) -> BrokerLink:
        """How the connection to the broker is."""
        return self.listener.link if self.listener is not None else BrokerLink(connected=False)

    # --- results ----------------------------------------------------------------------------------------

    def keep(self, results: list[Result]) -> None:
        """From the broker."""
        if self._store.keep(results, self._clock()):
            self.refresh()

    def ask_since(self) -> float:
        results = self.books.results
        if not results:
            return self._clock() - ASK_AT_FIRST_SECONDS
        return ended(results[-1]) - ASK_BACK_SECONDS

    def leave_out(self, box: str, identity: str, *, left_out: bool) -> bool:
        found = self._store.leave_out(box, identity, left_out=left_out)
        self.refresh()
        return found

    # --- seasons ----------------------------------------------------------------------------------------

    def put_season(self, name: str, first: date) -> None:
        name = " ".join(name.split())
        if not 1 <= len(name) <= LONGEST_SEASON or not name.isprintable():
            text = f"a season has a name of 1 to {LONGEST_SEASON} letters"
            raise TournamentError("club-title", text, LONGEST_SEASON)
        self._store.put_season(Season(name, first))
        self.refresh()

    def drop_season(self, first: date) -> None:
        self._store.drop_season(first)
        self.refresh()

    # --- tournaments ------------------------------------------------------------------------------------

    def open_tournament(self, name: str, rounds: int, most_tables: int) -> int:
        identity = self._store.new_tournament([opened(name, rounds, most_tables)])
        self.refresh()
        return identity

    def change(self, identity: int, events: Sequence[Event]) -> None:
        """What somebody did to a tournament, all of it or nothing; TournamentError if it cannot be."""

        def steps(tournament: Tournament) -> Sequence[Event]:
            for event in events:
                tournament = apply(tournament, event)
            return events

        self._append(identity, steps)

    def draw(self, identity: int, rounds: int) -> None:
        """The next round after so many: a page that knows fewer is outdated."""

        def steps(tournament: Tournament) -> Sequence[Event]:
            if len(tournament.rounds) != rounds:
                raise TournamentError("stale", "somebody has drawn this round already")
            found = with_results(tournament, self.books.results)
            lots = list(range(len(found.entries)))
            self._chance.shuffle(lots)
            return [draw(found, lots, self._clock())]

        self._append(identity, steps)

    def undo(self, identity: int, events: int) -> None:
        """Take the last thing back, if it is still the last one that the page knows of."""
        kept = self._kept(identity)
        if len(kept.events) != events:
            raise TournamentError("stale", "something has happened since")
        with contextlib.suppress(ChangedMeanwhileError):
            self._store.append(kept, [Undone()])
        self.refresh()

    def _append(self, identity: int, steps: Callable[[Tournament], Sequence[Event]]) -> None:
        for _ in range(MOST_TRIES):
            kept = self._kept(identity)
            try:
                self._store.append(kept, steps(play(kept.events)))
            except ChangedMeanwhileError:
                continue
            self.refresh()
            return
        raise TournamentError("busy", "others are changing this tournament; please try again")

    def _kept(self, identity: int) -> Kept:
        kept = self._store.tournament(identity)
        if kept is None:
            raise TournamentError("not-found", "there is no such tournament")
        return kept


@dataclass
class Watch:
    """The thread that sees what other servers kept, says that this one lives, and inherits from the dead."""

    club: Club
    store: Store
    identity: str
    inherit: Callable[[str], Inheritance]
    clock: Callable[[], float] = time.monotonic
    _seen: dict[str, tuple[int, float]] = field(default_factory=dict)  # beats, and since when so many
    _stop: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    def start(self) -> None:
        self._thread = threading.Thread(target=self._work, name="club watch", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._stop.set()
        if self._thread is not None:
            self._thread.join(timeout=DEAD_SECONDS)

    def _work(self) -> None:
        next_beat = self.clock()
        while not self._stop.wait(LOOK_SECONDS):
            try:
                self.club.refresh()
                if self.clock() >= next_beat:
                    next_beat = self.clock() + BEAT_SECONDS
                    self.beat()
                self._tell("")
            except StoreError as error:
                self._tell(str(error))
                self._stop.wait(1.0)

    def _tell(self, trouble: str) -> None:
        if trouble and not self.club.trouble:
            _log.warning("%s", trouble)
        if trouble != self.club.trouble:
            self.club.trouble = trouble
            self.club.board.nudge()

    def beat(self) -> None:
        """Say that we live, and see who does not any more."""
        self.store.beat(self.identity)
        for client, beat in self.store.beats().items():
            if client == self.identity:
                continue
            before, since = self._seen.get(client, (-1, 0.0))
            if beat != before:
                self._seen[client] = beat, self.clock()
            elif self.clock() - since >= DEAD_SECONDS and self.store.take_over(client, beat):
                self._inherit(client)

    def _inherit(self, client: str) -> None:
        _log.warning("the club server %s is gone: what the broker holds for it is taken over", client)
        if not self.inherit(client).take(self._stop):
            self.store.beat(client)  # so that it is tried again
        if self.club.listener is not None:
            self.club.listener.ask()  # the tables tell again what may have been lost with it
