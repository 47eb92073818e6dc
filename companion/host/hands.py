"""The hands at a simulated table: they throw, take locked dice out, and push a leaning die flat."""

import random

from companion.table.snapshot import Snapshot
from vision.reading import ALL_SIX, DieColour
from vision.simulation.table import SimulatedTable

PLAIN_THROWS = 6  # a new table is not begun with a question


class SimulatedHands:
    """Does with the simulated dice what the players would do with real ones."""

    def __init__(self, table: SimulatedTable, odd: float = 0.0, seed: int = 1) -> None:
        """So many of the throws, after the first ones, are `odd`: the camera has to ask about a die."""
        self._table = table
        self._odd, self._random = odd, random.Random(seed)
        self._throws = 0
        self._put_right = False

    def pressed(self, *, refused: bool) -> None:
        """Before the reading: a throw. Dice that were refused are put right once, then thrown again."""
        if refused and not self._put_right and self._table.dice_in_lid:
            self._put_right = True
            self._table.nudge()
        else:
            self._put_right = False
            self._throws += 1
            asked = self._random.random() < self._odd
            self._table.throw(odd=asked and self._throws > PLAIN_THROWS)

    def follow(self, snapshot: Snapshot) -> None:
        """The dice of closed rows are out of the lid; a new game, or a row opened again, has them back."""
        game = snapshot.game
        closed = {DieColour(colour.value) for colour in game.closed} if game is not None else set()
        if set(ALL_SIX) - set(self._table.dice) - closed:
            self._table.put_back()
        for colour in sorted(closed & set(self._table.dice)):
            self._table.take_out(colour)
