"""Players of the program at the table: what they decide goes through the one door, as from a phone.

What they do follows from the snapshot alone, so nothing is lost by a restart, and what was put right is seen.
"""

import logging
import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from companion.game import Crossed, Done, Game, Level, Moved, Pace, Phase, TookBack
from companion.host.showing import PATIENCE_SECONDS, Loop
from companion.journal.journal import JournalError
from companion.play.advice import action_of
from companion.play.judgement import WeightsError
from companion.play.seated import decide
from companion.process.fault_barrier import FaultBarrier
from companion.rules import Cell
from companion.table.snapshot import Snapshot, What
from companion.table.table import Command, StaleError, Table

LEAST_SECONDS, MOST_SECONDS = 0.8, 2.4  # a decision seems to take; never does anybody wait for it in action 1
MOMENT_PARTS = 4  # game, turn, action, dice; then the correction, if there was one
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Asked:
    """A seat of the program that has to decide, at a moment of the table."""

    moment: str
    seat: int

    @property
    def seed(self) -> int:
        """Of game, turn, action and dice alone: a turn that is opened again goes as it went."""
        parts = self.moment.split(".")[:MOMENT_PARTS]
        return zlib.crc32(f"{parts} {self.seat}".encode())

    @property
    def seconds(self) -> float:
        """How long a person would think."""
        return LEAST_SECONDS + (MOST_SECONDS - LEAST_SECONDS) * (self.seed % 1000) / 999


class Company(Loop):
    """Decides for every seat that the program plays."""

    def __init__(
        self, table: Table, barrier: FaultBarrier, clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(barrier)
        self._table, self._clock = table, clock
        self._since: Mapping[Asked, float] = {}  # who has to decide now, and since when
        self._trouble = ""
        self._told = False  # that the judgement cannot be read

    def _round(self) -> None:
        snapshot, wait = self._table.snapshot, PATIENCE_SECONDS
        with self._barrier:
            wait = min(wait, self.play(snapshot))
        self._table.wait(snapshot.version, wait)

    def play(self, snapshot: Snapshot) -> float:
        """Decide for whoever has thought long enough; in how many seconds the next one has."""
        now = self._clock()
        self._since = {asked: self._since.get(asked, now) for asked in asked_in(snapshot)}
        left = PATIENCE_SECONDS
        for asked, since in self._since.items():
            thinks = 0.0 if _hurries(snapshot) else since + asked.seconds - now
            if thinks > 0:
                left = min(left, thinks)
            elif not self._decide(snapshot, asked):
                break
        return left

    def _decide(self, snapshot: Snapshot, asked: Asked) -> bool:
        """Whether the table took it; it may have moved on, or the disk be full: then it is tried again."""
        game, level = snapshot.game, snapshot.seats[asked.seat].level
        if game is None or level is None:
            return False
        try:
            choice = self._choice(game, asked, level)
            for what in wishes(game, asked.seat, choice):
                self._table.play(Command(what, seat=asked.seat, moment=asked.moment))
        except StaleError:
            return False
        except JournalError as error:
            if str(error) != self._trouble:
                _log.warning("%s", error)
            self._trouble = str(error)
            return False
        self._trouble = ""
        return True

    def _choice(self, game: Game, asked: Asked, level: Level) -> Cell | int | None:
        """Nobody waits for a player whose judgement cannot be read: it plays on as well as it can without."""
        try:
            return decide(game, asked.seat, level, asked.seed)
        except WeightsError as error:
            if not self._told:
                _log.warning("%s; hard plays as medium", error)
            self._told = True
            return decide(game, asked.seat, Level.MEDIUM, asked.seed)


def asked_in(snapshot: Snapshot) -> Iterator[Asked]:
    """The seats of the program that the table waits for; the dice are rolled by people."""
    game = snapshot.game
    if game is None or game.phase in (Phase.ROLL, Phase.OVER):
        return
    for seat in game.deciding:
        if snapshot.plays_itself(seat):
            yield Asked(snapshot.moment, seat)


def _hurries(snapshot: Snapshot) -> bool:
    """At once if the table wants it so, and in action 1 if no person is deciding any more."""
    game = snapshot.game
    if game is None or game.setup.house.pace is Pace.AT_ONCE:
        return True
    return game.phase is Phase.FIRST and all(snapshot.plays_itself(seat) for seat in game.deciding)


def wishes(game: Game, seat: int, choice: Cell | int | None) -> Iterator[What]:
    """From what the seat has chosen so far to that choice, and Done."""
    turn, action = game.turn, action_of(game)
    if turn is None or action is None:
        raise ValueError("a decision comes after a roll")
    now: Cell | int | None = (turn.choices[seat], turn.second, turn.landing)[action - 1]
    if now is not None and now != choice:
        yield TookBack(seat)
    if isinstance(choice, Cell) and now != choice:
        yield Crossed(seat, choice, action)
    elif isinstance(choice, int) and now != choice:
        yield Moved(seat, choice)
    yield Done(seat)
