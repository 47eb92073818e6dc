"""What the journal still has to tell the broker: the journal is the queue, little of it is in memory."""

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from companion.journal.entry import Link
from companion.journal.journal import Entry, Journal
from companion.mqtt.position import KeptPosition
from companion.mqtt.topics import Topics
from companion.mqtt.walk import Letter, Walk

LATE_SECONDS = 300.0  # lamps and sounds for what was longer ago would only confuse
CHUNK = 50  # entries read at once
MOST_ASKED = 200  # results sent again for one that asks
SAVE_SECONDS = 5.0  # after an event; a result is noted at once


@dataclass(frozen=True, slots=True, eq=False)
class Item:
    """A letter, and what it is done for: an entry of the journal, or a game whose result was asked for."""

    letter: Letter
    entry: int = 0
    asked: int = 0


@dataclass(slots=True)
class _Open:
    """An entry whose letters are not all acknowledged."""

    link: Link
    left: int


class Outbox:
    """Gives letters in their order, and forgets an entry once all its letters are acknowledged."""

    def __init__(self, journal: Journal, topics: Topics, clock: Callable[[], float] | None = None) -> None:
        self._journal, self._topics, self._clock = journal, topics, clock or journal.now
        self._kept = KeptPosition(journal.folder)
        self._position = self._kept.read(journal)
        self._saved: Link | None = None
        self._saved_at = 0.0
        self.trouble = ""  # why the position is not kept
        self._asked: dict[int, Entry | None] = {}  # games, and what deleted them
        self._under_way: dict[int, Entry | None] = {}
        self.rewind()
        self.save()

    @property
    def position(self) -> int:
        """All entries up to this one are acknowledged."""
        return self._position.id

    @property
    def waiting(self) -> int:
        """How many entries are not acknowledged, with some that ask for no letter."""
        return self._journal.next_id - 1 - self._position.id

    def rewind(self) -> None:
        """Everything that was not acknowledged is to be sent, once more or for the first time."""
        self._walk = Walk(self._journal, self._topics)
        self._read_to = self._position.id
        self._ready: deque[Item] = deque()
        self._open: deque[_Open] = deque()
        self._asked |= self._under_way
        self._under_way = {}

    def next(self) -> Item | None:
        """The next letter; None while there is none. It stays open until `acknowledged`."""
        while not self._ready and self._read_on():
            pass
        if self._ready:
            return self._ready.popleft()
        while self._asked:
            game, deletion = self._asked.popitem()
            if (letter := self._walk.result_of(game, deletion)) is not None:
                self._under_way[game] = deletion
                return Item(letter, asked=game)
        return None

    def acknowledged(self, item: Item) -> None:
        self._under_way.pop(item.asked, None)
        for each in self._open:
            if each.link.id == item.entry:
                each.left -= 1
        self._move_on()
        if item.letter.is_result or time.monotonic() - self._saved_at > SAVE_SECONDS:
            self.save()

    def save(self) -> None:
        """Keep the position; one that lags behind has some letters sent again, and that is all."""
        if self._saved == self._position:
            return
        try:
            self._kept.write(self._position)
        except OSError as error:
            self.trouble = f"how far the broker came is not kept ({error.strerror})"
            return
        self._saved, self._saved_at, self.trouble = self._position, time.monotonic(), ""

    def ask(self, since: float) -> None:
        """Send the results since then again, those of the newest games at most."""
        deletions = {entry.deletes: entry for entry in self._journal.table_entries() if entry.deletes}
        for game in self._journal.started()[-MOST_ASKED:]:
            deletion = deletions.get(game)
            newest = self._journal.newest_of(game)
            said = self._journal.entry(newest.id) if newest is not None else deletion
            if said is not None and said.at >= since and game not in self._under_way:
                self._asked[game] = deletion

    def _read_on(self) -> bool:
        """Whether there was anything left to read."""
        entries = self._journal.entries(after=self._read_to, until=self._read_to + CHUNK)
        for entry in entries:
            letters = [letter for letter in self._walk.letters(entry) if not self._is_late(letter)]
            self._open.append(_Open(entry.link, len(letters)))
            self._ready.extend(Item(letter, entry=entry.id) for letter in letters)
            self._read_to = entry.id
        self._move_on()
        return bool(entries)

    def _move_on(self) -> None:
        while self._open and self._open[0].left == 0:
            self._position = self._open.popleft().link

    def _is_late(self, letter: Letter) -> bool:
        return not letter.is_result and self._clock() - letter.at > LATE_SECONDS
