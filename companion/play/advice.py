"""One decision weighed: every legal choice with what is expected of it, best first. Knows no sentences."""

from dataclasses import dataclass

import numpy as np

from companion.game import Game, Phase
from companion.game.states import GameState
from companion.play.choosing import (
    ChoiceOptions,
    Foreseeing,
    Foreseen,
    active_first,
    active_second,
    active_third,
    others_first,
)
from companion.play.expected import Expected, Expects
from companion.play.games import NEVER, PASS, Dice, Games, Kind
from companion.play.judgement import WIN_WEIGHT, Judgement, judgement, weights_of
from companion.play.simulation import Simulation
from companion.play.strategies import FourWeights
from companion.rules import COLOURS, START, Cell, Roll

PROMISING = 2  # later actions of a choice that are played to the end

ACTIONS = (Phase.FIRST, Phase.SECOND, Phase.THIRD)


@dataclass(frozen=True)
class Weighed:
    """A choice, and what is expected of it if everything after it is played well."""

    cell: Cell | None  # None: a pass
    points: float  # one's own at the end
    margin: float  # over the best of the others
    win: float  # chance, ties half
    worth: float  # what choices are compared by
    space: int | None = None  # action 3: where the piece lands


def action_of(game: Game) -> int | None:
    """Which action is open; None before a roll and after the end."""
    return ACTIONS.index(game.phase) + 1 if game.phase in ACTIONS else None


@dataclass(frozen=True)
class Moment:
    """A decision of one seat: the game as arrays of one, the dice, which action."""

    games: Games
    dice: Dice
    seat: int
    action: int

    @property
    def is_active(self) -> bool:
        return int(self.games.active[0]) == self.seat

    @classmethod
    def of_game(cls, game: Game, seat: int) -> "Moment":
        """What the seat has to decide now. The open choices of all seats are left out, its own too."""
        action = action_of(game)
        if game.turn is None or action is None:
            raise ValueError("a decision comes after a roll")
        return cls(Games.of([game]), dice_of(game.turn.roll), seat, action)

    @classmethod
    def of_state(cls, state: GameState, seat: int, action: int, *, crossed: bool = False) -> "Moment":
        """`crossed`: the active player crossed something in action 1 already."""
        games = Games(
            Kind(state.sheets[0].layout, len(state.sheets)),
            rows=np.array([[sheet.rows for sheet in state.sheets]], np.uint16),
            misthrows=np.array([[sheet.misthrows for sheet in state.sheets]], np.int8),
            closed=np.array([[colour in state.closed for colour in COLOURS]], np.bool_),
            active=np.array([state.active], np.intp),
            pieces=np.full((1, len(state.sheets)), START, np.int8),
            last_turns=np.full(1, NEVER, np.int8),
            saved=np.array([crossed], np.bool_),
            over=np.zeros(1, np.bool_),
        )
        return cls(games, dice_of(state.roll), seat, action)


def dice_of(roll: Roll) -> Dice:
    """One roll as arrays; a die that is out of the game shows a one, which counts nothing."""
    pips = dict(roll.coloured)
    return Dice(
        np.array([roll.white], np.int8), np.array([[pips.get(colour, 1) for colour in COLOURS]], np.int8)
    )


def judge_of(kind: Kind) -> Expects:
    """What was learnt where it knows the sheet, else a simulation."""
    weights = weights_of(kind)
    return Simulation() if weights is None else judgement(weights)


def foresee(judge: Expects, games: Games, dice: Dice) -> Foreseen | None:
    """What everybody will probably choose; at a glance where the judge takes long."""
    quick = judge if isinstance(judge, Judgement) else FourWeights()
    return Foreseeing(quick).foreseen(games, dice)


def weigh(
    moment: Moment, judge: Expects | None = None, foreseen: Foreseen | None = None
) -> tuple[Weighed, ...]:
    """Every legal choice once, best first; equal ones as they are printed, a pass last."""
    judge = judge or judge_of(moment.games.kind)
    if moment.action == 1 and foreseen is None:
        foreseen = foresee(judge, moment.games, moment.dice)
    options, cells, spaces = _options(moment, foreseen)
    expected = _after(judge, options.after, moment, moment.action)
    worths = expected.worth(WIN_WEIGHT)
    found: dict[tuple[Cell | None, int | None], Weighed] = {}
    for place in range(len(worths)):
        key = (cells[place], spaces[place])
        if key not in found:  # two white dice may make the same number
            points, margin = float(expected.points[place]), float(expected.margin[place])
            win, worth = float(expected.win[place]), float(worths[place])
            found[key] = Weighed(cells[place], points, margin, win, worth, spaces[place])
    return tuple(sorted(found.values(), key=lambda choice: (-choice.worth, choice.cell is None)))


def _options(
    moment: Moment, foreseen: Foreseen | None
) -> tuple[ChoiceOptions, list[Cell | None], list[int | None]]:
    """The choices as they are printed: cells, and in action 3 spaces."""
    games, dice = moment.games, moment.dice
    match moment.action:
        case 1:
            seats = np.array([moment.seat])
            options = (
                active_first(games, dice, foreseen)
                if moment.is_active
                else others_first(games, dice, np.zeros(1, np.intp), seats, foreseen)
            )
            total = int(dice.white_sum[0])
            cells = [None if c == PASS else Cell(COLOURS[c], total) for c in options.choice]
        case 2:
            options = active_second(games, dice)
            cells = [None if c == PASS else dice.second_cell(c) for c in options.choice]
        case _:
            return _landings(games)
    return options, cells, [None] * len(cells)


def _landings(games: Games) -> tuple[ChoiceOptions, list[Cell | None], list[int | None]]:
    options, landings, spaces = active_third(games), games.landings()[0], games.kind.spaces
    cells: list[Cell | None] = []
    reached: list[int | None] = []
    for choice in options.choice:
        space = None if choice == PASS else int(landings[choice])
        reached.append(space)
        known = spaces is not None and space is not None
        cells.append(Cell(COLOURS[spaces.colour[space]], int(spaces.number[space])) if known else None)  # type: ignore[union-attr]
    return options, cells, reached


def _after(judge: Expects, after: Games, moment: Moment, action: int) -> Expected:
    """What is expected after the choice: the active player's later actions at their best."""
    if not moment.is_active:
        return judge.expected(after, np.full(len(after), moment.seat))
    if action == 1:
        dice = moment.dice[np.zeros(len(after), np.intp)]
        return _best(judge, active_second(after, dice), moment, 2)
    if action == 2 and after.kind.side is not None:
        return _best(judge, active_third(after), moment, 3)
    after.finish_turn()
    return judge.expected(after, np.full(len(after), moment.seat))


def _best(judge: Expects, options: ChoiceOptions, moment: Moment, action: int) -> Expected:
    if not isinstance(judge, Judgement):
        options = _promising(options)
    expected = _after(judge, options.after, moment, action)
    return expected[options.best(expected.worth(WIN_WEIGHT))]


def _promising(options: ChoiceOptions) -> ChoiceOptions:
    """Of each decision the few that look best at a glance: to play on from all takes too long."""
    glance = FourWeights().worth(options.after, options.after.active)
    order = np.lexsort((-glance, options.decision))
    decision = options.decision[order]
    starts = np.flatnonzero(np.r_[True, decision[1:] != decision[:-1]])
    rank = np.arange(len(order)) - np.repeat(starts, np.diff(np.r_[starts, len(order)]))
    kept = np.sort(order[rank < PROMISING])
    return ChoiceOptions(options.decision[kept], options.choice[kept], options.after[kept])
