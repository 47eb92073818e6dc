"""What a game was worth: what each decision cost, what was luck, how the chances went. Knows no journal."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from operator import sub

import numpy as np

from companion.game import Game
from companion.past.average import average_points
from companion.past.turns import PastStep, Replay, StepKind
from companion.play.advice import Moment, Weighed, dice_of, foresee, judge_of, weigh
from companion.play.expected import Expected, Expects
from companion.play.games import NEVER, PASS, Games, kind_of
from companion.play.judgement import Judgement
from companion.rules import COLOURS, START, Cell

DECISIVE = 3  # so many moments are named
Progress = Callable[[float], None]


@dataclass(frozen=True, slots=True)
class Decision:
    """One choice, beside the best there was."""

    turn: int
    seat: int
    action: int
    chosen: Cell | int | None  # a cell, in action 3 a space; None: a pass
    best: Cell | int | None
    points: float  # what it cost at the end; less than nothing where points were not what decided
    win: float  # what it cost of the chance of winning
    worth: float  # both taken together, as choices are compared


@dataclass(frozen=True, slots=True)
class TurnReview:
    """One turn: the chances before its roll, and what the dice gave to each seat."""

    turn: int
    wins: tuple[float, ...]
    points: tuple[float, ...]  # expected at the end
    luck: tuple[float, ...]  # points above the average throw


@dataclass(frozen=True, slots=True)
class Review:
    """A whole game."""

    turns: tuple[TurnReview, ...]
    decisions: tuple[Decision, ...]

    @property
    def decisive(self) -> tuple[Decision, ...]:
        """The decisions that cost most, the dearest first."""
        ranked = sorted(self.decisions, key=lambda decision: -decision.worth)
        return tuple(decision for decision in ranked[:DECISIVE] if decision.worth > 0)

    def mean_loss(self, seat: int) -> float:
        """The points that a decision of that seat cost on average."""
        losses = [decision.points for decision in self.decisions if decision.seat == seat]
        return sum(losses) / len(losses) if losses else 0.0

    def luck(self, seat: int) -> float:
        return sum(turn.luck[seat] for turn in self.turns)


def review(replay: Replay, progress: Progress | None = None, judge: Expects | None = None) -> Review:
    """Each complete turn judged; `progress` hears of the share that is done."""
    begun = Game.begin(replay.record.setup)
    judge = judge or judge_of(kind_of(begun))
    turns, decisions = list[TurnReview](), list[Decision]()
    before = Games.of([begun])
    for number, step in enumerate(replay.steps):
        if step.kind is StepKind.TURN and step.complete and step.roll is not None:
            before.active[:] = step.active
            turn = _Turn(judge, before, step)
            turns.append(turn.review())
            decisions += turn.decisions()
        before = _after(before, step)
        if progress is not None:
            progress((number + 1) / len(replay.steps))
    return Review(tuple(turns), tuple(decisions))


def _after(before: Games, step: PastStep) -> Games:
    """The game as the step left it."""
    players = len(step.sheets)
    return Games(
        before.kind,
        rows=np.array([[sheet.rows for sheet in step.sheets]], np.uint16),
        misthrows=np.array([[sheet.misthrows for sheet in step.sheets]], np.int8),
        closed=np.array([[colour in step.closed for colour in COLOURS]], np.bool_),
        active=np.array([step.active], np.intp),
        pieces=np.array([step.pieces or (START,) * players], np.int8),
        last_turns=np.full(1, NEVER, np.int8),
        saved=np.zeros(1, np.bool_),
        over=np.zeros(1, np.bool_),
    )


class _Turn:
    """One turn: every seat's choices weighed as they stood when they were made."""

    def __init__(self, judge: Expects, before: Games, step: PastStep) -> None:
        if step.roll is None:
            raise ValueError("a turn has a roll")
        self.judge, self.before, self.step = judge, before, step
        self.dice = dice_of(step.roll)
        self.seats = range(before.kind.players)
        moments = [Moment(before, self.dice, seat, 1) for seat in self.seats]
        foreseen = foresee(judge, before, self.dice)
        self.first = [weigh(moment, judge, foreseen) for moment in moments]

    def review(self) -> TurnReview:
        """Luck is what the best play of the roll promises, less what it does of an average one."""
        games = self.before[np.zeros(len(self.seats), np.intp)]
        expected = self.judge.expected(games, np.arange(len(self.seats)))
        best = [choices[0].points for choices in self.first]
        luck = tuple(map(sub, best, self._average(expected)))
        wins, points = map(float, expected.win), map(float, expected.points)
        return TurnReview(self.step.number, tuple(wins), tuple(points), luck)

    def _average(self, expected: Expected) -> list[float]:
        """By simulation all throws would take too long: there it is what was expected before."""
        if not isinstance(self.judge, Judgement):
            return list(map(float, expected.points))
        return average_points(self.judge, self.before)

    def decisions(self) -> Iterator[Decision]:
        for seat in self.seats:
            yield from self._decision(seat, 1, self.first[seat], self.step.choices[seat])
        after = self.before[np.zeros(1, np.intp)]
        after.cross_first(self.dice, self._first_choices())
        if after.over[0]:
            return
        active = self.step.active
        yield from self._decision(active, 2, self._weigh(after, 2), self.step.second)
        if after.kind.side is not None:
            after = self._crossed(after)
            if not after.over[0]:
                yield from self._decision(active, 3, self._weigh(after, 3), self.step.landing)

    def _weigh(self, games: Games, action: int) -> tuple[Weighed, ...]:
        return weigh(Moment(games, self.dice, self.step.active, action), self.judge)

    def _first_choices(self) -> np.ndarray:
        choices = [PASS if cell is None else COLOURS.index(cell.colour) for cell in self.step.choices]
        return np.array([choices], np.intp)

    def _crossed(self, games: Games) -> Games:
        """After action 2 as it was chosen."""
        after, second = games[np.zeros(1, np.intp)], self.step.second
        if second is not None:
            after.cross_second(self.dice, np.array([self.dice.second_choice(second)]))
        return after

    def _decision(
        self, seat: int, action: int, choices: tuple[Weighed, ...], chosen: Cell | int | None
    ) -> Iterator[Decision]:
        """Nothing if there was nothing to choose, or what was chosen came about otherwise (a correction)."""
        said = {_said(choice, action): choice for choice in choices}
        if len(choices) < 2 or chosen not in said:
            return
        best, taken = choices[0], said[chosen]
        yield Decision(
            self.step.number,
            seat,
            action,
            chosen,
            _said(best, action),
            best.points - taken.points,
            best.win - taken.win,
            best.worth - taken.worth,
        )


def _said(choice: Weighed, action: int) -> Cell | int | None:
    return choice.space if action == 3 else choice.cell
