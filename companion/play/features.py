"""What a judgement sees of a position between two turns. Knows no weights."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from companion.play.games import Games, Index
from companion.play.layouts import CROSSES, REACHED
from companion.rules import MISTHROW_BOXES

MOST_PLAYERS = 5
ROWS = 4
CROSSED = 13  # a row holds 0 to 12 crosses, and reaches as far
READY, CLOSED = 2, 3  # how many others may close an open row: none, one, more; then: it is closed
ROW_CODES = (CLOSED + 1) * CROSSED * CROSSED
POINTS = 50.0  # points are told in fifties
_NUMBERS = 3 + 2 * (MISTHROW_BOXES + 1) + 2 * MOST_PLAYERS + 2


@dataclass(frozen=True)
class Features:
    """Of one seat in each game: codes of its own rows, of the others' rows, and a few numbers."""

    own: NDArray[np.int16]  # [position, row]
    others: NDArray[np.int16]  # [position, other seat and row]
    numbers: NDArray[np.float32]  # [position, ...]

    SIZE: ClassVar[int] = _NUMBERS
    SCORE: ClassVar[int] = 0  # where in the numbers stand one's own points
    AHEAD: ClassVar[int] = _NUMBERS - 2  # and by how much one is ahead


def features(games: Games, seats: Index) -> Features:
    count, players = len(games), games.kind.players
    index = np.arange(count)
    order = (seats[:, None] + np.arange(players)[None, :]) % players  # oneself, then the others in turn
    rows = games.rows[index[:, None], order]
    codes = _row_codes(rows, games.closed[:, games.kind.printed.lock], games.kind.printed.needs)
    others = codes[:, 1:].reshape(count, ROWS * (players - 1))
    return Features(codes[:, 0], others, _numbers(games, seats, order))


def _row_codes(rows: NDArray[np.uint16], closed: NDArray[np.bool_], needs: int) -> NDArray[np.int16]:
    """How far a row reaches, its crosses, and who else might close it; the same for every row."""
    crosses, reached = CROSSES[rows], REACHED[rows]
    may_close = crosses >= needs
    ready = may_close.sum(axis=1, dtype=np.int16)[:, None, :] - may_close
    state = np.where(closed[:, None, :], CLOSED, np.minimum(ready, READY))
    return ((state * CROSSED + reached) * CROSSED + crosses).astype(np.int16)


def _numbers(games: Games, seats: Index, order: Index) -> NDArray[np.float32]:
    count, players = len(games), games.kind.players
    index = np.arange(count)
    scores = games.scores[index[:, None], order]
    misthrows = games.misthrows[index[:, None], order].astype(np.intp)
    most_of_others = scores[:, 1:].max(axis=1) if players > 1 else scores[:, 0]
    found = np.zeros((count, _NUMBERS), np.float32)
    found[:, 0] = scores[:, 0] / POINTS
    found[:, 1] = most_of_others / POINTS
    found[:, 2] = games.closed.sum(axis=1)
    boxes, place = MISTHROW_BOXES + 1, 3
    found[index, place + misthrows[:, 0]] = 1
    place += boxes
    if players > 1:
        found[index, place + misthrows[:, 1:].max(axis=1)] = 1
    place += boxes
    found[:, place + players - 1] = 1
    place += MOST_PLAYERS
    found[index, place + (games.active - seats) % players] = 1  # how long until one's own turn
    place += MOST_PLAYERS
    found[:, place] = (scores[:, 0] - most_of_others) / POINTS
    found[:, place + 1] = np.tanh((scores[:, 0] - most_of_others) / 10.0)
    return found
