"""Leads the show: the players press, cross and pass, one after the other, and each step has its caption."""

import time
from collections.abc import Callable
from typing import Protocol

from companion.game import Crossed, Done, Event, Game, Phase
from companion.host.demo.evening import MOST_ROLLS
from companion.host.demo.pace import CurtainError, ScenePace
from companion.host.demo.players import choice
from companion.host.hands import SimulatedHands
from companion.rules import Cell, Colour
from companion.table.eyes import EyesState
from companion.table.snapshot import Snapshot
from companion.table.table import Command, Table
from companion.view.stage import Caption, Ending, Says

BUSY = (EyesState.READING, EyesState.MOVING)
REFUSED = (EyesState.ASK, EyesState.TROUBLE)
READING_SECONDS = 30.0
MOST_PRESSES = 6  # a throw that is still not read by then never will be
# How long each caption stands, in seconds; the first turn of a show is explained at leisure.
STANDS = {
    Says.SETS_UP: 0.0,  # as long as it takes
    Says.JOINS: 3.2,
    Says.ROLLS: 1.4,
    Says.LOOKS: 0.0,
    Says.ASKS: 2.0,
    Says.READ: 2.4,
    Says.NONE_FITS: 1.4,
    Says.CROSSES: 1.3,
    Says.PASSES: 1.1,
    Says.CLOSES: 2.6,
    Says.SECOND: 1.6,
    Says.MISTHROW: 2.2,
    Says.TAKE_OUT: 2.6,
    Says.OVER: 0.0,
}
LEISURE = 1.5


class DemoLooker(Protocol):
    """Whoever reads the lid when asked."""

    def ask(self, *, again: bool = False) -> bool: ...


class Director:
    """One show, from the players' first press to the final score."""

    def __init__(
        self,
        table: Table,
        looker: DemoLooker,
        hands: SimulatedHands,
        pace: ScenePace,
        say: Callable[[Caption], None],
    ) -> None:
        self._table, self._looker, self._hands = table, looker, hands
        self._pace = pace
        self._say = say
        self._out: frozenset[Colour] = frozenset()  # dice that are out of the lid

    def lead(self) -> Ending:
        """Play until the game is over; CurtainError if something else ends the show."""
        self._tell(Says.JOINS)
        for _ in range(MOST_ROLLS):
            self._roll()
            self._first()
            self._second()
            if self._game.phase is Phase.OVER:
                break
        self._say(Caption(Says.OVER))
        return Ending.PLAYED

    # --- the roll --------------------------------------------------------------------------------------

    def _roll(self) -> None:
        active = self._game.active
        self._tell(Says.ROLLS, active)
        for _ in range(MOST_PRESSES):
            if self._read().phase is not Phase.ROLL:
                self._tell(Says.READ, active)
                return
            self._tell(Says.ASKS, active)
        raise CurtainError(Ending.TROUBLE)

    def _read(self) -> Game:
        """Press the button, and wait until the camera has said something."""
        self._say(Caption(Says.LOOKS, self._game.active))
        before = self._table.snapshot.version
        until = time.monotonic() + READING_SECONDS
        pressed = False
        snapshot = self._table.snapshot
        while not (pressed and _answered(snapshot, before)):
            self._pace.check()
            if time.monotonic() > until:
                raise CurtainError(Ending.TROUBLE)
            pressed = pressed or self._looker.ask()  # it may still be at the end of the last reading
            snapshot = self._table.wait(snapshot.version, 0.1)
        return self._game

    # --- the crosses -----------------------------------------------------------------------------------

    def _first(self) -> None:
        """Everybody in turn, the active player first. Whom nothing fits is passed over by the table."""
        if not self._game.deciding or self._game.phase is not Phase.FIRST:
            self._tell(Says.NONE_FITS)
            return
        players = self._game.players
        for seat in [(self._game.active + number) % players for number in range(players)]:
            if self._game.phase is Phase.FIRST and seat in self._game.deciding:
                self._decide(seat, 1)
        self._follow()

    def _second(self) -> None:
        if self._game.phase is Phase.SECOND:
            self._decide(self._game.active, 2)
            self._follow()

    def _decide(self, seat: int, action: int) -> None:
        game = self._game
        cell = choice(game, seat)
        colour = None if cell is None else game.sheets[seat].closes(cell)
        if cell is not None:
            self._say(Caption(Says.CROSSES if action == 1 else Says.SECOND, seat, str(cell), cell.colour))
            self._play(Crossed(seat, cell, action))
            self._stand(Says.CROSSES if action == 1 else Says.SECOND)
        else:
            self._tell(Says.MISTHROW if game.passing_is_misthrow else Says.PASSES, seat)
        if colour is not None:
            self._tell(Says.CLOSES, seat, cell, colour)
        self._play(Done(seat))

    def _follow(self) -> None:
        """The hands take the dice of closed rows out of the lid."""
        self._hands.follow(self._table.snapshot)
        new, self._out = self._game.closed - self._out, self._game.closed
        if self._game.phase is not Phase.OVER:
            for colour in sorted(new):
                self._tell(Says.TAKE_OUT, None, None, colour)

    # --- small things ----------------------------------------------------------------------------------

    @property
    def _game(self) -> Game:
        game = self._table.snapshot.game
        if game is None:
            raise CurtainError(Ending.TROUBLE)
        return game

    def _play(self, what: Event) -> None:
        self._table.play(Command(what))

    def _tell(
        self, kind: Says, seat: int | None = None, cell: Cell | None = None, colour: str | None = None
    ) -> None:
        self._say(Caption(kind, seat, None if cell is None else str(cell), colour))
        self._stand(kind)

    def _stand(self, kind: Says) -> None:
        self._pace.wait(STANDS[kind] * (LEISURE if self._game.number == 1 else 1.0))


def _answered(snapshot: Snapshot, before: int) -> bool:
    """Whether the camera has read a roll since that version, or refused to."""
    game, state = snapshot.game, snapshot.eyes.state
    if snapshot.version <= before or state in BUSY:
        return False
    return state in REFUSED or (game is not None and game.phase is not Phase.ROLL)
