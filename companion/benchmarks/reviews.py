"""How long hints and reviews take on every sheet: processor time, as on a core of its own."""

import random
import statistics
import time
from collections.abc import Callable, Iterator

from companion.benchmarks.figure import Figure, at_most
from companion.boards import house_board
from companion.game import Edition, Event, Game, HouseRules, Level, Phase, Rolled, Setup
from companion.game.record import Record
from companion.host.company import wishes
from companion.past.review import review
from companion.past.turns import replay
from companion.play.advice import Moment, weigh
from companion.play.seated import decide
from companion.rules import CLASSIC, COLOURS, MIXX_A, MIXX_B, Roll

SEED = 20
NAMES = ("Anna", "Ben", "Cleo", "Dan")
BY_HAND = HouseRules(pass_by_itself=False)
TABLES = {
    "original": Setup(NAMES, house=BY_HAND),
    "mixx-a": Setup(NAMES, layout=MIXX_A, house=BY_HAND),
    "mixx-b": Setup(NAMES, layout=MIXX_B, house=BY_HAND),
    "on board": Setup(NAMES, 0, Edition.ON_BOARD, CLASSIC, house_board().front, BY_HAND),
}


def figures() -> Iterator[Figure]:
    for name, setup in TABLES.items():
        hints = list[float]()
        record = Record(setup, tuple(_played(setup, hints.append)))
        yield at_most(f"a hint of {name}, median", statistics.median(hints), 300, "ms")
        yield at_most(f"a hint of {name}, the slowest", max(hints), 300, "ms")
        began = time.process_time()
        found = review(replay(record))
        taken = time.process_time() - began
        yield at_most(f"the review of {name}, four players, {len(found.turns)} turns", taken, 5, "s")


def _played(setup: Setup, told: Callable[[float], None]) -> Iterator[Event]:
    """A whole game of medium players; hears of each decision how many milliseconds a hint for it takes."""
    rng, game = random.Random(SEED), Game.begin(setup)
    while game.phase is not Phase.OVER:
        for event in list(_next(game, rng, told)):
            game = game.apply(event)
            yield event


def _next(game: Game, rng: random.Random, told: Callable[[float], None]) -> Iterator[Event]:
    if game.phase is Phase.ROLL:
        dice = [(colour, rng.randint(1, 6)) for colour in COLOURS if colour in game.dice_in_play]
        yield Rolled(Roll.of((rng.randint(1, 6), rng.randint(1, 6)), dice))
        return
    seat = game.deciding[0]
    began = time.process_time()
    weigh(Moment.of_game(game, seat))
    told(1000 * (time.process_time() - began))
    yield from wishes(game, seat, decide(game, seat, Level.MEDIUM, SEED))  # type: ignore[misc]
