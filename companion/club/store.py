"""What a club keeps: results, seasons, tournaments; the database decides by ids what is new. No broker."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from companion.club.database import Database, Row, StoreError, Work
from companion.club.evenings import Season
from companion.club.tournament_events import Event, read, write
from companion.club.values import KeptResult, Result, Scored, Status

SCHEMA = 1
_TABLES = (
    "CREATE TABLE IF NOT EXISTS club (version INTEGER NOT NULL, number INTEGER NOT NULL)",
    """CREATE TABLE IF NOT EXISTS result (
        box TEXT NOT NULL, id TEXT NOT NULL, revision INTEGER NOT NULL, status TEXT NOT NULL,
        number INTEGER NOT NULL, received REAL NOT NULL, started REAL NOT NULL, ended REAL NOT NULL,
        edition TEXT NOT NULL, stopped INTEGER NOT NULL, players TEXT NOT NULL,
        left_out INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (box, id))""",
    "CREATE INDEX IF NOT EXISTS result_number ON result (number)",
    "CREATE TABLE IF NOT EXISTS season (first TEXT PRIMARY KEY, name TEXT NOT NULL)",
    """CREATE TABLE IF NOT EXISTS tournament_event (
        tournament INTEGER NOT NULL, number INTEGER NOT NULL, line TEXT NOT NULL,
        PRIMARY KEY (tournament, number))""",
    "CREATE TABLE IF NOT EXISTS server (client TEXT PRIMARY KEY, beat INTEGER NOT NULL)",
)
_KEEP = """INSERT INTO result
    (box, id, revision, status, number, received, started, ended, edition, stopped, players)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (box, id) DO UPDATE SET revision = excluded.revision, status = excluded.status,
    number = excluded.number, started = excluded.started, ended = excluded.ended,
    edition = excluded.edition, stopped = excluded.stopped, players = excluded.players
    WHERE result.revision < excluded.revision"""
_COLUMNS = "box, id, revision, status, number, received, started, ended, edition, stopped, players, left_out"


class ChangedMeanwhileError(Exception):
    """Somebody else changed it meanwhile; nothing was done."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A tournament as it is kept: its number and all its events."""

    id: int
    events: tuple[Event, ...]


class Store:
    """The results, seasons and tournaments of a club, in a database that several servers may share.

    `number` rises with every change, in the order in which changes can be seen: whoever knows it can ask for
    what is newer.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self.name = database.name
        with database.transaction() as work:
            work.alone()
            for statement in _TABLES:
                work.run(statement)
            if not work.rows("SELECT version FROM club"):
                work.run("INSERT INTO club (version, number) VALUES (?, 0)", SCHEMA)
            version = _whole(work.rows("SELECT version FROM club")[0][0])
        if version != SCHEMA:
            raise StoreError(
                f"the results in {self.name} are of version {version}, this Boxlid knows {SCHEMA}; "
                "take a newer one, or other --results"
            )

    def close(self) -> None:
        self._database.close()

    @property
    def number(self) -> int:
        """Of the last change."""
        with self._database.transaction(reading=True) as work:
            return _whole(work.rows("SELECT number FROM club")[0][0])

    # --- results -----------------------------------------------------------------------------------------

    def keep(self, results: Iterable[Result], received: float) -> int:
        """How many of them were new. Once this returns they are on disk, and each is there once."""
        with self._database.transaction() as work:
            number = _next_number(work)
            return sum(work.run(_KEEP, *_written(result, number, received)) for result in results)

    def results_since(self, number: int) -> tuple[KeptResult, ...]:
        """Those that changed after that, oldest change first."""
        with self._database.transaction(reading=True) as work:
            rows = work.rows(
                f"SELECT {_COLUMNS} FROM result WHERE number > ? ORDER BY number, received, box, id", number
            )
        return tuple(map(_read, rows))

    def leave_out(self, box: str, identity: str, *, left_out: bool) -> bool:
        """Whether a result counts; whether there is such a result."""
        with self._database.transaction() as work:
            statement = "UPDATE result SET left_out = ?, number = ? WHERE box = ? AND id = ?"
            return work.run(statement, int(left_out), _next_number(work), box, identity) > 0

    # --- seasons -----------------------------------------------------------------------------------------

    def seasons(self) -> tuple[Season, ...]:
        with self._database.transaction(reading=True) as work:
            rows = work.rows("SELECT first, name FROM season ORDER BY first")
        return tuple(Season(str(name), date.fromisoformat(str(first))) for first, name in rows)

    def put_season(self, season: Season) -> None:
        """A season that begins on the same day is called so from now on."""
        with self._database.transaction() as work:
            _next_number(work)
            work.run(
                "INSERT INTO season (first, name) VALUES (?, ?) "
                "ON CONFLICT (first) DO UPDATE SET name = excluded.name",
                season.first.isoformat(),
                season.name,
            )

    def drop_season(self, first: date) -> None:
        """The games stay; they belong to the season before."""
        with self._database.transaction() as work:
            _next_number(work)
            work.run("DELETE FROM season WHERE first = ?", first.isoformat())

    # --- tournaments -------------------------------------------------------------------------------------

    def tournaments(self) -> tuple[Kept, ...]:
        """All, newest first."""
        with self._database.transaction(reading=True) as work:
            rows = work.rows("SELECT tournament, line FROM tournament_event ORDER BY tournament DESC, number")
        found: dict[int, list[Event]] = {}
        for tournament, line in rows:
            found.setdefault(_whole(tournament), []).append(read(str(line)))
        return tuple(Kept(identity, tuple(events)) for identity, events in found.items())

    def tournament(self, identity: int) -> Kept | None:
        with self._database.transaction(reading=True) as work:
            rows = work.rows(
                "SELECT line FROM tournament_event WHERE tournament = ? ORDER BY number", identity
            )
        return Kept(identity, tuple(read(str(line)) for (line,) in rows)) if rows else None

    def new_tournament(self, events: Sequence[Event]) -> int:
        """Its number."""
        with self._database.transaction() as work:
            _next_number(work)  # who else opens one waits here
            rows = work.rows("SELECT COALESCE(MAX(tournament), 0) + 1 FROM tournament_event")
            identity = _whole(rows[0][0])
            _append(work, identity, 0, events)
        return identity

    def append(self, kept: Kept, events: Sequence[Event]) -> None:
        """More events after those that are known; StaleError if there are others meanwhile."""
        with self._database.transaction() as work:
            _next_number(work)
            rows = work.rows("SELECT COUNT(*) FROM tournament_event WHERE tournament = ?", kept.id)
            if _whole(rows[0][0]) != len(kept.events):
                raise ChangedMeanwhileError
            _append(work, kept.id, len(kept.events), events)

    # --- servers -----------------------------------------------------------------------------------------

    def beat(self, client: str) -> None:
        """That server lives."""
        with self._database.transaction() as work:
            work.run(
                "INSERT INTO server (client, beat) VALUES (?, 1) "
                "ON CONFLICT (client) DO UPDATE SET beat = server.beat + 1",
                client,
            )

    def beats(self) -> dict[str, int]:
        """How often each server said so; one that is dead says it no more."""
        with self._database.transaction(reading=True) as work:
            return {
                str(client): _whole(beat) for client, beat in work.rows("SELECT client, beat FROM server")
            }

    def take_over(self, client: str, beat: int) -> bool:
        """Whether it is left to the caller to end what a dead server began: one of several gets it."""
        with self._database.transaction() as work:
            return work.run("DELETE FROM server WHERE client = ? AND beat = ?", client, beat) > 0


def _next_number(work: Work) -> int:
    """Whoever changes something waits here for others who do: numbers are seen in their order."""
    work.run("UPDATE club SET number = number + 1")
    return _whole(work.rows("SELECT number FROM club")[0][0])


def _append(work: Work, identity: int, first: int, events: Sequence[Event]) -> None:
    for number, event in enumerate(events, first):
        statement = "INSERT INTO tournament_event (tournament, number, line) VALUES (?, ?, ?)"
        work.run(statement, identity, number, write(event))


def _written(result: Result, number: int, received: float) -> tuple[str | int | float, ...]:
    players = [[each.name, each.points, each.program] for each in result.players]
    return (
        result.box,
        result.id,
        result.revision,
        result.status,
        number,
        received,
        result.started,
        result.ended,
        result.edition,
        int(result.stopped),
        json.dumps(players, ensure_ascii=False, separators=(",", ":")),
    )


def _read(row: Row) -> KeptResult:
    box, identity, revision, status, number, received, started, ended, edition, stopped, players, out = row
    result = Result(
        box=str(box),
        id=str(identity),
        revision=_whole(revision),
        players=tuple(Scored(*player) for player in json.loads(str(players))),
        edition=str(edition),
        started=float(started or 0),
        ended=float(ended or 0),
        stopped=bool(stopped),
        status=Status(str(status)),
    )
    return KeptResult(result, _whole(number), float(received or 0), bool(out))


def _whole(value: object) -> int:
    if not isinstance(value, int):
        raise TypeError(f"a whole number was kept here, got {value!r}")
    return value
