"""How the demo's evening goes with the throws of a seed, by the simulated table's own truth: no camera.

`python -m tests.evenings` looks for seeds that make a good show.
"""

import sys
from dataclasses import dataclass
from itertools import count

from companion.game import Crossed, Done, EndedBy, Event, Game, Phase, Rolled, Source
from companion.host.demo.evening import MOST_ROLLS, opening
from companion.host.demo.players import choice
from companion.host.hands import SimulatedHands
from companion.rules import COLOURS, Colour, Roll
from companion.table.snapshot import Snapshot, What
from vision.reading import DieColour
from vision.simulation.table import SimulatedTable


@dataclass(frozen=True)
class Evening:
    """What happened: rolls in all, the roll that closed the first row, misthrows on the way, why it ended."""

    rolls: int
    first_lock: int | None
    misthrows: int
    ended_by: EndedBy | None

    @property
    def is_a_show(self) -> bool:
        """A row is closed in the first half, another one ends it, and it is neither over at once nor long."""
        early = self.first_lock is not None and 2 <= self.first_lock <= 4
        return early and 5 <= self.rolls <= 7 and self.ended_by is EndedBy.LOCKS


class _Play:
    def __init__(self) -> None:
        self.snapshot = Snapshot()
        self._number = 0

    def play(self, what: What) -> None:
        self._number += 1
        self.snapshot = self.snapshot.after(what, self._number)

    @property
    def game(self) -> Game:
        assert self.snapshot.game is not None
        return self.snapshot.game


def evening(seed: int) -> Evening:
    at, table = _Play(), SimulatedTable(seed)
    hands = SimulatedHands(table)
    for what in opening():
        at.play(what)
    before = [sheet.misthrows for sheet in at.game.sheets]
    rolls, first_lock = 0, None
    while at.game.phase is not Phase.OVER and rolls < MOST_ROLLS:
        rolls += 1
        hands.follow(at.snapshot)
        table.throw()
        at.play(Rolled(true_roll(table), Source.CAMERA))
        while (event := _next(at.game)) is not None:
            at.play(event)
        if at.game.closed and first_lock is None:
            first_lock = rolls
    after = [sheet.misthrows for sheet in at.game.sheets]
    return Evening(rolls, first_lock, sum(after) - sum(before), at.game.ended_by)


def true_roll(table: SimulatedTable) -> Roll:
    dice = [(die.colour, die.pips or 0) for die in table.truth().dice]
    white = [pips for colour, pips in dice if colour is DieColour.WHITE]
    coloured = [(Colour(colour.value), pips) for colour, pips in dice if colour is not DieColour.WHITE]
    return Roll((white[0], white[1]), tuple(sorted(coloured, key=lambda pair: COLOURS.index(pair[0]))))


def _next(game: Game) -> Event | None:
    """The next thing somebody does, or None once the turn is over."""
    if game.phase not in (Phase.FIRST, Phase.SECOND) or game.turn is None:
        return None
    seat = game.deciding[0]
    chosen = game.turn.choices[seat] if game.phase is Phase.FIRST else game.turn.second
    cell = choice(game, seat) if chosen is None else None
    return Done(seat) if cell is None else Crossed(seat, cell, 1 if game.phase is Phase.FIRST else 2)


if __name__ == "__main__":
    found = 0
    for seed in count(1):
        seen = evening(seed)
        if seen.is_a_show:
            found += 1
            sys.stdout.write(f"seed {seed}: {seen}\n")
            sys.stdout.flush()
        if found == 8:
            break
