"""The hands at a simulated table: they throw, take locked dice out, and push a leaning die flat."""

from companion.game import Phase
from companion.snapshot import Snapshot
from vision.reading import ALL_SIX, DieColour
from vision.simulated import SimulatedTable


class SimulatedHands:
    """Does with the simulated dice what the players would do with real ones."""

    def __init__(self, table: SimulatedTable) -> None:
        self._table = table
        self._put_right = False

    def pressed(self, *, refused: bool) -> None:
        """Before the reading: a throw. Dice that were refused are put right once, then thrown again."""
        if refused and not self._put_right:
            self._put_right = True
            self._table.nudge()
        else:
            self._put_right = False
            self._table.throw()

    def follow(self, snapshot: Snapshot) -> None:
        """Take the dice of closed rows out of the lid; a new game has all six again."""
        game = snapshot.game
        if game is None or (game.number == 1 and game.phase is Phase.ROLL):
            if len(self._table.dice) < len(ALL_SIX):
                self._table.put_back()
            return
        for colour in game.closed:
            if DieColour(colour.value) in self._table.dice:
                self._table.take_out(DieColour(colour.value))
