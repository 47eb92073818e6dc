"""How fast the rules are: one sheet, one event, whole random games through the public interface."""

import random
import statistics
import time
from collections.abc import Callable

from companion.benchmarks.figure import Figure, at_least, at_most
from companion.game import Crossed, Done, Game, Phase, Rolled, Setup
from companion.rules import COLOURS, Roll, Sheet

SHEET = Sheet.parse("R2 R5 Y3 Y7 Y8 G12 G10 B11 B7")
ROLL = Roll.parse("W3 W6 R2 Y5 G1 B4")
SETUP = Setup(("Anna", "Max"))


def microseconds(act: Callable[[], object], times: int = 2000, rounds: int = 15) -> float:
    """The median of several rounds, in processor time: other programs do not count."""
    taken = []
    for _ in range(rounds):
        start = time.process_time()
        for _ in range(times):
            act()
        taken.append((time.process_time() - start) / times)
    return statistics.median(taken) * 1e6


def ask_one_sheet() -> object:
    """What a screen asks of one sheet after a roll."""
    return SHEET.legal(ROLL.white_sum), SHEET.legal_pairs(ROLL), SHEET.score


def random_game(rng: random.Random) -> int:
    """A whole game of two who choose at random among their crosses and a pass; how many events it took."""
    game, events = Game.begin(SETUP), 0
    while game.phase is not Phase.OVER:
        dice = tuple((colour, rng.randint(1, 6)) for colour in COLOURS if colour in game.dice_in_play)
        game = game.apply(Rolled(Roll((rng.randint(1, 6), rng.randint(1, 6)), dice)))
        events += 1
        while game.phase in (Phase.FIRST, Phase.SECOND):
            seat = game.deciding[0]
            action = 1 if game.phase is Phase.FIRST else 2
            legal = game.legal_first(seat) if action == 1 else game.legal_second()
            chosen = rng.randrange(len(legal) + 1)
            if chosen < len(legal):
                game = game.apply(Crossed(seat, legal[chosen], action))
                events += 1
            game = game.apply(Done(seat))
            events += 1
    return events


def figures(seconds: float = 5.0) -> tuple[Figure, ...]:
    rng = random.Random(1)
    games = events = 0
    start = time.process_time()
    while (taken := time.process_time() - start) < seconds:
        events += random_game(rng)
        games += 1
    return (
        at_most("legal crosses and score of one sheet", microseconds(ask_one_sheet), 20, "µs"),
        at_most("one event applied, its questions and choice included", taken / events * 1e6, 60, "µs"),
        at_least("random games of two, complete", games / taken, 1500, "games/s"),
    )
