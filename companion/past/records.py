"""Games of the journal as records: how each began, what was played; out as JSON, and in again."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from companion.game import (
    Crossed,
    Done,
    Event,
    Game,
    HouseRules,
    Phase,
    Rolled,
    Setup,
    Source,
    write_event,
)
from companion.game.fields import JSON, a_cell, a_list, a_roll, a_text, an_integer, need
from companion.game.games import a_record, differences, game_json
from companion.game.record import Record
from companion.journal.journal import Entry, Journal
from companion.rules import NotationError
from companion.table.snapshot import GameStarted, Imported, TableEvent, is_imported, parse_line

_EARLIEST, _LATEST = datetime(1, 1, 2, tzinfo=UTC), datetime(9999, 12, 30, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Begun:
    """A game as its first entry tells of it. The clock may have been wrong; the order of games never is."""

    id: int
    setup: Setup
    date: datetime
    number: int = 1  # in its series
    games: int = 1
    imported: bool = False


def by_game(entries: Sequence[Entry]) -> list[tuple[Entry, ...]]:
    """The entries of each game that was not deleted, in the order the games were started."""
    found: dict[int, list[Entry]] = {}
    for entry in entries:
        if entry.game is not None:
            found.setdefault(entry.game, []).append(entry)
        elif entry.deletes is not None:
            found.pop(entry.deletes, None)
    return [tuple(game) for game in found.values()]


def begun(first: Entry) -> Begun:
    """What the entry that starts a game says."""
    start = _start(first)
    if isinstance(start, Imported):
        return Begun(first.id, start.setup, moment(start.at), imported=True)
    return Begun(first.id, start.setup, moment(first.at), start.number, start.games)


def record_of(entries: Sequence[Entry]) -> Record:
    """The game as it was played: its setup and events. NotationError names an entry that is none of it."""
    found = read_record(entries)
    if found.trouble is not None:
        raise NotationError(found.trouble)
    return found.record


@dataclass(frozen=True, slots=True)
class ReadRecord:
    """A game as far as its entries can be read, and why not further."""

    record: Record
    trouble: str | None = None


def read_record(entries: Sequence[Entry]) -> ReadRecord:
    """The game up to the first entry that cannot be read; NotationError only if not even the first can."""
    setup, events = _start(entries[0]).setup, list[Event]()
    for entry in entries[1:]:
        try:
            events.append(_event(entry))
        except NotationError as error:
            return ReadRecord(Record(setup, tuple(events)), str(error))
    return ReadRecord(Record(setup, tuple(events)))


def _start(entry: Entry) -> GameStarted | Imported:
    if is_imported(entry.line):
        return Imported.parse(entry.line)
    what = parse_line(entry.line)
    if not isinstance(what, GameStarted):
        raise NotationError(f"a game begins with its start, entry {entry.id} is {entry.line!r}")
    return what


def _event(entry: Entry) -> Event:
    what = parse_line(entry.line)
    if isinstance(what, TableEvent):
        raise NotationError(f"a game is made of its events, entry {entry.id} is {entry.line!r}")
    return what


def moment(at: float) -> datetime:
    """That time in UTC; what a mad clock gave is moved to the nearest that a calendar has."""
    bounded = min(max(at, _EARLIEST.timestamp()), _LATEST.timestamp())
    return datetime.fromtimestamp(bounded, UTC)


# --- records out and in ----------------------------------------------------------------------------------


def export_game(entries: Sequence[Entry]) -> JSON:
    """The game in the format of the records, with its date."""
    return {"date": begun(entries[0]).date.isoformat(), **game_json(record_of(entries))}


class Importer:
    """Adds finished games to a journal as history; each game only once, also one that was played here."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._known = {_content(record) for record in _records(journal)}

    def keep(self, value: object) -> bool:
        """Whether the game is new. NotationError says why it cannot be kept."""
        found = next(differences(value), None)
        if found is not None:
            raise NotationError(f"the record and the rules part: {found}")
        own = isinstance(value, dict) and "events" in value
        record = a_record(value) if own else _record_of_turns(value)
        if record.play().phase is not Phase.OVER:
            raise NotationError("a finished game is wanted, this one goes on")
        start = Imported(record.setup, _played_at(value, self._journal))
        if (content := _content(record)) in self._known:
            return False
        self._journal.append_game([str(start), *map(write_event, record.events)])
        self._known.add(content)
        return True


def _records(journal: Journal) -> Iterator[Record]:
    """The games that are there; one that cannot be read is not known either."""
    for entries in by_game(journal.entries()):
        try:
            yield record_of(entries)
        except NotationError:
            continue


def _content(record: Record) -> str:
    return hashlib.sha256(str(record).encode()).hexdigest()


def _played_at(value: object, journal: Journal) -> float:
    if not isinstance(value, dict) or "date" not in value:
        return journal.now()
    text = a_text(value["date"], "the date of a game")
    try:
        date = datetime.fromisoformat(text)
    except ValueError:
        raise NotationError(f"a date is such as 2026-11-18T20:15:00+00:00, got {text!r}") from None
    return (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp()


def _record_of_turns(value: object) -> Record:
    """The events behind a record of turns that is known to follow the rules."""
    players = an_integer(need(value, "players", "a game"), "players", 1, 5)
    first = an_integer(need(value, "first", "a game"), "first", 0, players - 1)
    names = tuple(f"player {seat}" for seat in range(players))
    setup = Setup(names, first, house=HouseRules(pass_by_itself=False))
    game, events = Game.begin(setup), list[Event]()
    for turn in a_list(need(value, "turns", "a game"), "turns"):
        for event in _turn_events(turn, game.active):
            if isinstance(event, Done) and game.phase is Phase.OVER:
                break  # the game ended in action 1
            game = game.apply(event)
            events.append(event)
    return Record(setup, tuple(events))


def _turn_events(turn: object, active: int) -> list[Event]:
    choices = [a_cell(cell, "a choice") for cell in a_list(need(turn, "choice1", "a turn"), "choice1")]
    second = a_cell(turn.get("choice2"), "choice2") if isinstance(turn, dict) else None
    events: list[Event] = [Rolled(a_roll(need(turn, "dice", "a turn"), "dice"), Source.HAND)]
    events += [Crossed(seat, cell) for seat, cell in enumerate(choices) if cell is not None]
    events += [Done(seat) for seat in range(len(choices))]
    if second is not None:
        events.append(Crossed(active, second, 2))
    return [*events, Done(active)]
