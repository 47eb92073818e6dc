"""Which phones are there: those that show the table, and those that ask for something."""

import threading
from collections.abc import Callable

from companion.table.table import Table
from web.serving.live import Streams

AWAY_SECONDS = 60.0  # a screen that goes dark between two turns is no phone that is gone


class PhonesAway:
    """Tells the table which phones are away: they showed it once, and nothing was heard of them for long.

    Whoever never showed it (a program, a page without scripts) plays by asking, and is never away. Phones
    that held a seat when the companion started showed it: they were there before it stopped.
    """

    def __init__(self, table: Table, streams: Streams, clock: Callable[[], float]) -> None:
        self._table = table
        self._streams = streams
        self._clock = clock
        self._mutex = threading.Lock()
        held = [seat.holder for seat in table.snapshot.coming if seat.holder is not None]
        self._heard = dict.fromkeys(
            held, clock()
        )  # of each phone that showed the table: when it was last there

    def heard(self, phone: str | None) -> None:
        """It asks for something, with or without a stream."""
        with self._mutex:
            if phone in self._heard:
                self._heard[phone] = self._clock()
        self.look()

    def look(self) -> None:
        """Called by all who watch the table, several times a second, and before each wish."""
        with self._mutex:  # an older look is never told after a newer one
            now = self._clock()
            seated = {seat.holder for seat in self._table.snapshot.coming}
            self._heard |= dict.fromkeys(self._streams.phones, now)
            self._heard = {phone: at for phone, at in self._heard.items() if phone in seated}
            away = [phone for phone, at in self._heard.items() if now - at >= AWAY_SECONDS]
            self._table.tell_phones_away(frozenset(away))
