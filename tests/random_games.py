"""Random games for tests: legal from beginning to end, reproducible from a seed."""

import random
from collections.abc import Iterator

from companion.boards import house_board
from companion.game import (
    Crossed,
    Done,
    Edition,
    Event,
    Game,
    HouseRules,
    LocksTakeEffect,
    Moved,
    Phase,
    Rolled,
    Setup,
    Source,
)
from companion.game.record import Record
from companion.rules import CLASSIC, COLOURS, MIXX_A, MIXX_B, Cell, Roll, Sheet
from tests.playing import NAMES

LAYOUTS = (CLASSIC, MIXX_A, MIXX_B)


def any_setup(rng: random.Random) -> Setup:
    edition = rng.choice(list(Edition))
    players = rng.randint(1, edition.most_players)
    return Setup(
        NAMES[:players],
        rng.randrange(players),
        edition,
        rng.choice(LAYOUTS),
        house_board().front if edition is Edition.ON_BOARD else None,
        HouseRules(
            rng.choice(list(LocksTakeEffect)), rng.random() < 0.5, rng.random() < 0.5, rng.choice([0, 30])
        ),
    )


def any_roll(game: Game, rng: random.Random) -> Roll:
    dice = [(colour, rng.randint(1, 6)) for colour in COLOURS if colour in game.dice_in_play]
    return Roll((rng.randint(1, 6), rng.randint(1, 6)), tuple(dice))


def skipped(sheet: Sheet, cell: Cell) -> int:
    """How many cells that cross leaves out."""
    row, place = sheet.layout.places[cell]
    return place - min(sheet.rows[row].bit_length(), place)


def next_events(game: Game, rng: random.Random, eager: float) -> Iterator[Event]:
    """What somebody may do now: the roll, or the choice and word of one seat the table waits for."""
    if game.phase is Phase.ROLL:
        yield Rolled(any_roll(game, rng), rng.choice(list(Source)))
        return
    seat = rng.choice(game.deciding)
    if game.phase is Phase.THIRD:
        landings = game.landings()
        if landings and rng.random() < eager:
            yield Moved(seat, rng.choice(landings))
    else:
        action = 1 if game.phase is Phase.FIRST else 2
        legal = game.legal_first(seat) if action == 1 else game.legal_second()
        if legal and rng.random() < eager:
            best = min(legal, key=lambda cell: skipped(game.sheets[seat], cell))
            careful = eager < 1 or skipped(game.sheets[seat], best) < 3  # those who always cross look ahead
            if careful:
                yield Crossed(seat, best if eager >= 1 else rng.choice(legal), action)
    yield Done(seat)


def any_record(seed: int, setup: Setup | None = None, eager: float = 0.8) -> Record:
    """A whole random game; players of eagerness 1 leave out as little as they can, and close rows."""
    rng = random.Random(seed)
    setup = setup or any_setup(rng)
    game, events = Game.begin(setup), []
    while game.phase is not Phase.OVER:
        for event in next_events(game, rng, eager):
            game = game.apply(event)
            events.append(event)
    return Record(setup, tuple(events))
