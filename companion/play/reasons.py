"""Why a choice is the best: one true thing that decided, as a kind and values. Knows no sentences."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from companion.game.position import ROWS_TO_END
from companion.play.advice import Moment, Weighed
from companion.play.games import Games
from companion.play.layouts import CROSSES, REACHED
from companion.rules import COLOURS, Cell, Colour
from companion.rules.layout import LAST

FEW_SKIPS = 2
RARE_WAYS = 3  # of 36: such a number comes seldom
SOME_POINTS = 0.05  # fewer are not worth a word
SOME_CHANCE = 0.005


class Why(StrEnum):
    """What decided, in the order in which it is asked for."""

    ONLY_PASS = "only-pass"
    ENDS_AHEAD = "ends-ahead"
    CLOSES = "closes"
    MISTHROW = "misthrow"
    FIFTH = "fifth"
    CLOSING = "closing"  # another player may close the row
    RARE = "rare"
    NO_SKIP = "no-skip"
    FEWEST_SKIPS = "fewest-skips"
    WORTH = "worth"  # nothing plainer: so many points more than a pass
    WINS = "wins"  # or so much a better chance
    PASS_BEHIND = "pass-behind"
    PASS_SECOND = "pass-second"
    PASS_SKIPS = "pass-skips"
    PASS_WORTH = "pass-worth"
    PASS_WINS = "pass-wins"
    MOVES = "moves"
    STAYS = "stays"
    EVEN = "even"  # it makes no difference that could be told


@dataclass(frozen=True)
class Reason:
    """A kind, and what a sentence about it needs."""

    why: Why
    cell: Cell | None = None
    row: Colour | None = None
    count: int = 0
    points: float = 0.0


@dataclass(frozen=True)
class Case:
    """The decision and its best choice, with the questions that reasons ask."""

    moment: Moment
    choices: Sequence[Weighed]

    @property
    def best(self) -> Weighed:
        return self.choices[0]

    @property
    def cell(self) -> Cell | None:
        return self.best.cell

    @property
    def games(self) -> Games:
        return self.moment.games

    @property
    def others(self) -> list[int]:
        return [seat for seat in range(self.games.kind.players) if seat != self.moment.seat]

    @property
    def lead(self) -> int:
        """By how many points one is ahead now, if the best choice is crossed and nothing else."""
        scores = self.games.scores[0]
        return int(scores[self.moment.seat]) - max((int(scores[seat]) for seat in self.others), default=0)

    def place(self, cell: Cell) -> tuple[int, int]:
        printed, colour = self.games.kind.printed, COLOURS.index(cell.colour)
        return int(printed.row[colour, cell.number]), int(printed.place[colour, cell.number])

    def lock(self, cell: Cell) -> Colour:
        return COLOURS[int(self.games.kind.printed.lock[self.place(cell)[0]])]

    def crosses(self, seat: int, cell: Cell) -> int:
        return int(CROSSES[self.games.rows[0, seat, self.place(cell)[0]]])

    def skips(self, cell: Cell) -> int:
        row, place = self.place(cell)
        return place - int(REACHED[self.games.rows[0, self.moment.seat, row]])

    def closes(self, cell: Cell) -> bool:
        return self.place(cell)[1] == LAST

    def ends(self, cell: Cell) -> bool:
        return self.closes(cell) and int(self.games.closed.sum()) == ROWS_TO_END - 1

    def lead_with(self, cell: Cell) -> int:
        """The lead once that cell and its lock are crossed."""
        before = self.crosses(self.moment.seat, cell)
        return self.lead + (before + 1) + (before + 2 if self.closes(cell) else 0)


def reason(moment: Moment, choices: Sequence[Weighed], *, scores_hidden: bool = False) -> Reason:
    """The first thing that is true of the best choice, the weightiest asked first. Where scores are hidden,
    nothing is told of who is ahead."""
    case = Case(moment, choices)
    questions = _OF_PASS if case.cell is None else _OF_CROSS
    if moment.action == 3:
        questions = (_only_pass, _moves)
    if scores_hidden:
        questions = tuple(question for question in questions if question not in _OF_SCORES)
    return next(found for found in (question(case) for question in (*questions, _even)) if found is not None)


# --- of a cross ------------------------------------------------------------------------------------------


def _ends_ahead(case: Case) -> Reason | None:
    cell = _crossed(case)
    lead = case.lead_with(cell)
    if not case.ends(cell) or lead <= 0 or not case.others:
        return None
    return Reason(Why.ENDS_AHEAD, cell, case.lock(cell), count=lead)


def _closes(case: Case) -> Reason | None:
    cell = _crossed(case)
    if not case.closes(cell):
        return None
    before = case.crosses(case.moment.seat, cell)
    return Reason(Why.CLOSES, cell, case.lock(cell), count=2 * before + 3)


def _misthrow(case: Case) -> Reason | None:
    """The active player crossed nothing yet, and has no other action to do so."""
    moment = case.moment
    if not moment.is_active or case.games.saved[0] or case.games.kind.side is not None:
        return None
    if moment.action == 1 and case.games.legal_second(moment.dice).any():
        return None
    return Reason(Why.MISTHROW, case.cell)


def _fifth(case: Case) -> Reason | None:
    cell, needs = _crossed(case), case.games.kind.printed.needs
    if case.crosses(case.moment.seat, cell) + 1 != needs:
        return None
    return Reason(Why.FIFTH, cell, case.lock(cell), count=needs)


def _closing(case: Case) -> Reason | None:
    cell, needs = _crossed(case), case.games.kind.printed.needs
    if not any(case.crosses(seat, cell) >= needs for seat in case.others):
        return None
    return Reason(Why.CLOSING, cell, case.lock(cell))


def _rare(case: Case) -> Reason | None:
    cell = _crossed(case)
    ways = ways_of(cell.number)
    if case.skips(cell) > 0 or ways > RARE_WAYS:
        return None
    return Reason(Why.RARE, cell, count=ways)


def _no_skip(case: Case) -> Reason | None:
    cell = _crossed(case)
    return Reason(Why.NO_SKIP, cell, case.lock(cell)) if case.skips(cell) == 0 else None


def _fewest_skips(case: Case) -> Reason | None:
    cell = _crossed(case)
    skips = case.skips(cell)
    others = [case.skips(choice.cell) for choice in case.choices[1:] if choice.cell is not None]
    if skips > FEW_SKIPS or any(other <= skips for other in others):
        return None
    return Reason(Why.FEWEST_SKIPS, cell, case.lock(cell), count=skips)


def _worth(case: Case) -> Reason | None:
    """More points than a pass."""
    passed = next(choice for choice in case.choices if choice.cell is None)
    more = case.best.points - passed.points
    return Reason(Why.WORTH, case.cell, points=more) if more > SOME_POINTS else None


def _wins(case: Case) -> Reason | None:
    """A better chance than with a pass, in hundredths."""
    passed = next(choice for choice in case.choices if choice.cell is None)
    more = case.best.win - passed.win
    return Reason(Why.WINS, case.cell, count=round(100 * more)) if more > SOME_CHANCE else None


# --- of a pass -------------------------------------------------------------------------------------------


def _only_pass(case: Case) -> Reason | None:
    return Reason(Why.ONLY_PASS) if len(case.choices) == 1 else None


def _pass_behind(case: Case) -> Reason | None:
    """The next best would end the game while one is behind."""
    cell = case.choices[1].cell
    if cell is None or not case.ends(cell) or case.lead_with(cell) >= 0:
        return None
    return Reason(Why.PASS_BEHIND, cell, case.lock(cell), count=-case.lead_with(cell))


def _pass_second(case: Case) -> Reason | None:
    """The active player has something that skips less in action 2."""
    moment, games = case.moment, case.games
    if not moment.is_active or moment.action != 1:
        return None
    legal = np.flatnonzero(games.legal_second(moment.dice)[0])
    cells = [moment.dice.second_cell(int(choice)) for choice in legal]
    least = min(
        (case.skips(choice.cell) for choice in case.choices[1:] if choice.cell is not None), default=0
    )
    better = [cell for cell in cells if case.skips(cell) < least]
    if not better:
        return None
    return Reason(Why.PASS_SECOND, min(better, key=case.skips))


def _pass_skips(case: Case) -> Reason | None:
    least = min(case.skips(choice.cell) for choice in case.choices if choice.cell is not None)
    return Reason(Why.PASS_SKIPS, count=least) if least >= FEW_SKIPS else None


def _pass_worth(case: Case) -> Reason | None:
    other = case.choices[1]
    more = case.best.points - other.points
    return Reason(Why.PASS_WORTH, other.cell, points=more) if more > SOME_POINTS else None


def _pass_wins(case: Case) -> Reason | None:
    other = case.choices[1]
    more = case.best.win - other.win
    return Reason(Why.PASS_WINS, other.cell, count=round(100 * more)) if more > SOME_CHANCE else None


# --- of any choice ---------------------------------------------------------------------------------------


def _moves(case: Case) -> Reason | None:
    if case.best.space is None:
        return Reason(Why.STAYS)
    return Reason(Why.MOVES, case.cell, count=case.best.space)


def _even(case: Case) -> Reason:
    return Reason(Why.EVEN, case.cell)


def ways_of(number: int) -> int:
    """In how many of the 36 throws of two dice that sum comes."""
    return 6 - abs(7 - number)


def _crossed(case: Case) -> Cell:
    if case.cell is None:
        raise ValueError("this is asked of a cross only")
    return case.cell


_Question = Callable[[Case], Reason | None]
_OF_CROSS: tuple[_Question, ...] = (
    _ends_ahead,
    _closes,
    _misthrow,
    _fifth,
    _closing,
    _rare,
    _no_skip,
    _fewest_skips,
    _worth,
    _wins,
)
_OF_PASS: tuple[_Question, ...] = (
    _only_pass,
    _pass_behind,
    _pass_second,
    _pass_skips,
    _pass_worth,
    _pass_wins,
)
_OF_SCORES: tuple[_Question, ...] = (_ends_ahead, _pass_behind)
