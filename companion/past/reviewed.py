"""A review as it is kept, exported and shown: plain values, and these as a line of text. Judges nothing."""

import json
from dataclasses import asdict, dataclass

from boxlid.fields import FieldsError, read
from companion.past.review import Decision, Review
from companion.rules import Cell

VERSION = 2  # of what is told; a kept line of another version is made again
DIGITS = 3

Choice = str | int | None  # a cell, in action 3 a space, or a pass


@dataclass(frozen=True, slots=True)
class ReviewedDecision:
    """What was chosen, what was best, and what the difference cost: points, and chance of winning."""

    turn: int
    seat: int
    action: int
    chosen: Choice
    best: Choice
    points: float
    win: float


@dataclass(frozen=True, slots=True)
class ReviewedTurn:
    """The chances of winning before a turn's roll, and the points that its dice gave above the average."""

    turn: int
    wins: tuple[float, ...]
    luck: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class ReviewedPlayer:
    """Play and luck of one player, apart, in points."""

    decisions: int
    mean_loss: float
    luck: float


@dataclass(frozen=True, slots=True)
class ReviewedGame:
    """What a whole game was worth; `moments` are the decisions that cost most, the dearest first."""

    players: tuple[ReviewedPlayer, ...]
    moments: tuple[ReviewedDecision, ...]
    turns: tuple[ReviewedTurn, ...]
    decisions: tuple[ReviewedDecision, ...]

    @classmethod
    def of(cls, review: Review, players: int) -> "ReviewedGame":
        return cls(
            tuple(_player(review, seat) for seat in range(players)),
            tuple(map(_decision, review.decisive)),
            tuple(ReviewedTurn(turn.turn, _rounded(turn.wins), _rounded(turn.luck)) for turn in review.turns),
            tuple(map(_decision, review.decisions)),
        )

    def write(self) -> str:
        return json.dumps([VERSION, asdict(self)], separators=(",", ":"))

    @classmethod
    def parse(cls, text: str) -> "ReviewedGame | None":
        """The review behind a kept line; None if it is not one of this version."""
        try:
            version, value = json.loads(text)
            return read(cls, value) if version == VERSION else None
        except (FieldsError, ValueError, TypeError):
            return None


def _player(review: Review, seat: int) -> ReviewedPlayer:
    decisions = sum(decision.seat == seat for decision in review.decisions)
    return ReviewedPlayer(decisions, round(review.mean_loss(seat), DIGITS), round(review.luck(seat), DIGITS))


def _decision(decision: Decision) -> ReviewedDecision:
    return ReviewedDecision(
        decision.turn,
        decision.seat,
        decision.action,
        _choice(decision.chosen),
        _choice(decision.best),
        round(decision.points, DIGITS),
        round(decision.win, DIGITS),
    )


def _choice(choice: Cell | int | None) -> Choice:
    return str(choice) if isinstance(choice, Cell) else choice


def _rounded(values: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(round(value, DIGITS) for value in values)
