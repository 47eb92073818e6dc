"""What a reading means at the table: the dice it has to find, the roll it shows, words for its problems."""

from collections import Counter
from collections.abc import Sequence

from companion.game import DiceCorrected, Event, Phase, Rolled, Source
from companion.rules import COLOURS, Colour, Roll
from companion.table.eyes import Eyes, Notice, ShownDie
from companion.table.snapshot import Snapshot
from vision.reading import DieColour, Problem, Reading, SeenDie


def is_wanted(snapshot: Snapshot, *, again: bool) -> bool:
    """Whether there is anything to look for: dice to roll, or dice of this turn to look at again."""
    game = snapshot.game
    return game is not None and (game.phase is Phase.ROLL or (again and game.phase is not Phase.OVER))


def is_same_turn(now: Snapshot, before: Snapshot) -> bool:
    """The same game and turn, at the same roll or still waiting for it."""
    if now.game is None or before.game is None or now.game_id != before.game_id:
        return False
    one, other = now.game, before.game
    rolls = [game.turn.roll if game.turn and game.phase is not Phase.ROLL else None for game in (one, other)]
    return one.number == other.number and rolls[0] == rolls[1]


def event_of(now: Snapshot, roll: Roll, eyes: Eyes, *, again: bool) -> Event | None:
    """A new roll as these eyes saw it; or, looked at again within a turn, a correction if the dice differ."""
    game = now.game
    if game is None or game.phase is Phase.ROLL or game.turn is None:
        return Rolled(roll, Source.SIMULATED if eyes.simulated else Source.CAMERA)
    same = Counter(game.turn.roll.white) == Counter(roll.white) and game.turn.roll.coloured == roll.coloured
    return DiceCorrected(game.active, roll) if again and not same else None


def expected_dice(snapshot: Snapshot) -> tuple[DieColour, ...]:
    """The dice in play: two white ones, and one of each open colour."""
    game = snapshot.game
    open_colours = COLOURS if game is None else [colour for colour in COLOURS if colour in game.dice_in_play]
    return (DieColour.WHITE, DieColour.WHITE, *[DieColour(colour.value) for colour in open_colours])


def roll_of(reading: Reading) -> Roll:
    """The roll that a certain reading shows."""
    whites = [die.pips for die in reading.dice if die.colour is DieColour.WHITE]
    coloured = [
        (Colour(die.colour.value), die.pips) for die in reading.dice if die.colour is not DieColour.WHITE
    ]
    return Roll.of((whites[0], whites[1]), coloured)


def shown_dice(dice: Sequence[SeenDie]) -> tuple[ShownDie, ...]:
    return tuple(
        ShownDie(die.colour, die.pips, int(100 * die.confidence), die.doubtful, str(number))
        for number, die in enumerate(dice)
    )


def notice_of(problem: Problem) -> Notice:
    return Notice(problem.kind, problem.colours)
