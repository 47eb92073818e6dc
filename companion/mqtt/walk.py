"""From the journal's entries, one after the other, to the messages they ask for. Sends nothing."""

import logging
from dataclasses import dataclass

from companion.game import Game, PaperEnded, Phase, parse_event
from companion.journal.journal import LAST_NUMBER, Entry, Journal
from companion.mqtt.happenings import Happening, fields_of, happenings, started
from companion.mqtt.payloads import SeriesState, in_full, written
from companion.mqtt.results import EndedGame, Origin, ResultStatus, id_of, result_of, time_of
from companion.mqtt.topics import Topics
from companion.past.records import begun
from companion.rules import NotationError, RuleError
from companion.table.snapshot import begins_series

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Letter:
    """One message; a result is kept until it is acknowledged, an event only for a while."""

    topic: str
    payload: bytes
    at: float  # when it happened
    is_result: bool


class Playing:
    """One game of the journal, followed entry by entry."""

    def __init__(self, first: Entry) -> None:
        self.first, self.begun = first, begun(first)
        self.game = Game.begin(self.begun.setup)
        self.told: Entry | None = None  # the newest entry that said something of the result
        self._on_paper = False

    def follow(self, entry: Entry) -> tuple[Happening, ...]:
        event, before = parse_event(entry.line), self.game
        self.game = before.apply(event)
        self._on_paper = self._on_paper or isinstance(event, PaperEnded)
        if self.game is not before and Phase.OVER in (before.phase, self.game.phase):
            self.told = entry
        return tuple(happenings(before, event, self.game))

    @property
    def is_ours(self) -> bool:
        """Played at this table, or entered from its paper; what was imported is told to nobody."""
        return self._on_paper or not self.begun.imported

    @property
    def origin(self) -> Origin:
        return Origin.PAPER if self._on_paper else Origin.TABLE

    @property
    def status(self) -> ResultStatus:
        return ResultStatus.FINAL if self.game.phase is Phase.OVER else ResultStatus.REOPENED


class Walk:
    """Goes through the journal of one table. What cannot be read or played again is left out, and said."""

    def __init__(self, journal: Journal, topics: Topics) -> None:
        self._journal, self._topics = journal, topics
        self._playing: Playing | None = None
        self._unreadable: int | None = None  # the game

    def letters(self, entry: Entry) -> tuple[Letter, ...]:
        """What is to be told of that entry. Entries come in order; the first may be any."""
        game = entry.game if entry.deletes is None else entry.deletes
        if game is None or game == self._unreadable:
            return ()
        try:
            return self._deleted(game, entry) if entry.game is None else self._played(game, entry)
        except (NotationError, RuleError) as error:
            self._playing, self._unreadable = None, game
            _log.warning("game %d is not told by MQTT: entry %d cannot be played (%s)", game, entry.id, error)
            return ()

    def result_of(self, game: int, deleted_by: Entry | None = None) -> Letter | None:
        """The result of a game as it is told last; None if it has none."""
        try:
            playing = self._replayed(game)
        except (NotationError, RuleError):
            return None
        if not playing.is_ours:
            return None
        if deleted_by is not None:
            return self._result(playing, deleted_by, ResultStatus.DELETED)
        return None if playing.told is None else self._result(playing, playing.told, playing.status)

    def _deleted(self, game: int, entry: Entry) -> tuple[Letter, ...]:
        letter = self.result_of(game, entry)
        return () if letter is None else (letter,)

    def _played(self, game: int, entry: Entry) -> tuple[Letter, ...]:
        if entry.id == game:
            self._playing = Playing(entry)
            return self._events(self._playing, entry, (started(self._playing.game),))
        if self._playing is None or self._playing.first.id != game:
            self._playing = self._replayed(game, entry.id - 1)
        playing = self._playing
        letters = self._events(playing, entry, playing.follow(entry))
        if playing.told is not entry or not playing.is_ours:
            return letters
        return (*letters, self._result(playing, entry, playing.status))

    def _replayed(self, game: int, until: int = LAST_NUMBER) -> Playing:
        first, *rest = self._journal.entries(game=game, until=until)
        playing = Playing(first)
        for entry in rest:
            playing.follow(entry)
        return playing

    def _events(self, playing: Playing, entry: Entry, found: tuple[Happening, ...]) -> tuple[Letter, ...]:
        """Of games at the table only: nobody sees what is entered or imported happen."""
        if playing.begun.imported:
            return ()
        game, at = id_of(playing.first), time_of(entry)
        return tuple(
            Letter(
                self._topics.event,
                in_full(
                    self._topics.box,
                    id=f"{id_of(entry)}.{number}",
                    at=at,
                    game=game,
                    **fields_of(happening),
                ),
                entry.at,
                is_result=False,
            )
            for number, happening in enumerate(found, 1)
        )

    def _result(self, playing: Playing, newest: Entry, status: ResultStatus) -> Letter:
        ended = EndedGame(
            playing.first, playing.begun, newest, playing.game, playing.origin, self._series(playing)
        )
        payload = written(self._topics.box, result_of(ended, status))
        return Letter(self._topics.result, payload, newest.at, is_result=True)

    def _series(self, playing: Playing) -> SeriesState | None:
        begun = playing.begun
        if begun.games == 1:
            return None
        return SeriesState(id_of(first_of_series(self._journal, playing.first)), begun.number, begun.games)


def first_of_series(journal: Journal, start: Entry) -> Entry:
    """The entry that began the series which the game of that entry is part of."""
    if begins_series(start.line):
        return start
    entries = journal.table_entries()
    before = [entry for entry in entries if entry.id <= start.id and begins_series(entry.line)]
    return before[-1] if before else start
