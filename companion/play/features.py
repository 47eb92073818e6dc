"""What a judgement sees of a position between two turns. Knows no weights."""

from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from companion.play.games import NEVER, Games, Index
from companion.play.layouts import CROSSES, REACHED
from companion.rules import CLASSIC, MISTHROW_BOXES, MIXX_A, MIXX_B, SPACES, Layout
from companion.rules.board import HIGHEST_POINTS, LONGEST_MOVE
from companion.rules.cells import HIGHEST, LOWEST
from companion.rules.layout import LAST

MOST_PLAYERS = 5
LEARNT = (CLASSIC, MIXX_A, MIXX_B)  # the sheets that judgements were learnt on
ROWS = 4
CROSSED = 13  # a row holds 0 to 12 crosses, and reaches as far
READY, CLOSED = 2, 3  # how many others may close an open row: none, one, more; then: it is closed
ROW_CODES = (CLOSED + 1) * CROSSED * CROSSED
POINTS = 50.0  # points are told in fifties
SKIPS = 3  # chances of a white sum that skips none, at most one, at most two; then of any at all
_PLAIN = 3 + 2 * (MISTHROW_BOXES + 1) + 2 * MOST_PLAYERS + 2
_OUTLOOK = SKIPS + 2  # of a seat: chances of white sums, and of the next numbers by what they bring
_BOARD = 8
_NUMBERS = _PLAIN + 2 * _OUTLOOK + len(LEARNT) - 1 + _BOARD


@dataclass(frozen=True)
class Features:
    """Of one seat in each game: codes of its own rows, of the others' rows, and a few numbers."""

    own: NDArray[np.int16]  # [position, row]
    others: NDArray[np.int16]  # [position, other seat and row]
    numbers: NDArray[np.float32]  # [position, ...]

    SIZE: ClassVar[int] = _NUMBERS
    SCORE: ClassVar[int] = 0  # where in the numbers stand one's own points
    AHEAD: ClassVar[int] = _PLAIN - 2  # and by how much one is ahead


def features(games: Games, seats: Index) -> Features:
    count, players = len(games), games.kind.players
    index = np.arange(count)
    order = (seats[:, None] + np.arange(players)[None, :]) % players  # oneself, then the others in turn
    rows = games.rows[index[:, None], order]
    codes = _row_codes(rows, games.closed[:, games.kind.printed.lock], games.kind.printed.needs)
    others = codes[:, 1:].reshape(count, ROWS * (players - 1))
    found = np.zeros((count, _NUMBERS), np.float32)
    found[:, :_PLAIN] = _plain(games, seats, order)
    outlook, place = _outlook(games, rows), _PLAIN
    found[:, place : place + _OUTLOOK] = outlook[:, 0]
    place += _OUTLOOK
    if players > 1:
        found[:, place : place + _OUTLOOK] = outlook[:, 1:].mean(axis=1)
    place += _OUTLOOK
    for layout in LEARNT[1:]:
        found[:, place] = games.kind.layout == layout
        place += 1
    if games.kind.side is not None:
        found[:, place:] = _board(games, seats, order)
    return Features(codes[:, 0], others, found)


def _row_codes(rows: NDArray[np.uint16], closed: NDArray[np.bool_], needs: int) -> NDArray[np.int16]:
    """How far a row reaches, its crosses, and who else might close it; the same for every row."""
    crosses, reached = CROSSES[rows], REACHED[rows]
    may_close = crosses >= needs
    ready = may_close.sum(axis=1, dtype=np.int16)[:, None, :] - may_close
    state = np.where(closed[:, None, :], CLOSED, np.minimum(ready, READY))
    return ((state * CROSSED + reached) * CROSSED + crosses).astype(np.int16)


def possible_codes() -> NDArray[np.bool_]:
    """A row has no more crosses than it reaches."""
    codes = np.arange(ROW_CODES)
    possible: NDArray[np.bool_] = codes % CROSSED <= codes // CROSSED % CROSSED
    return possible


def _plain(games: Games, seats: Index, order: Index) -> NDArray[np.float32]:
    count, players = len(games), games.kind.players
    index = np.arange(count)
    scores = games.scores[index[:, None], order]
    misthrows = games.misthrows[index[:, None], order].astype(np.intp)
    most_of_others = scores[:, 1:].max(axis=1) if players > 1 else scores[:, 0]
    found = np.zeros((count, _PLAIN), np.float32)
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


def _outlook(games: Games, rows: NDArray[np.uint16]) -> NDArray[np.float32]:
    """[position, seat, ...]: what the white sums can do in all rows together."""
    layout = games.kind.layout
    crosses, reached = CROSSES[rows], REACHED[rows].astype(np.intp)
    numbers = np.arange(ROWS)
    open_rows = ~games.closed[:, None, games.kind.printed.lock]
    may_close = (crosses >= layout.lock_needs).astype(np.intp)
    fits = np.where(open_rows, _sums(layout)[numbers, reached, may_close], 0)
    sums = (
        fits[..., 0] | fits[..., 1] | fits[..., 2] | fits[..., 3]
    )  # much quicker than a reduction over four
    shifts = (np.arange(SKIPS + 1) * _BITS_A_SUM).astype(np.uint64)
    chances = _chances()[(sums[:, :, None] >> shifts) & np.uint64(_ALL_SUMS)]
    brings = open_rows * _next_chance(layout)[numbers, reached, may_close] * (crosses + 1)
    return np.concatenate([chances, brings @ np.full((ROWS, 1), 1 / ROWS, np.float32)], axis=2)


_BITS_A_SUM = 16
_ALL_SUMS = (1 << (HIGHEST - LOWEST + 1)) - 1


@cache
def _sums(layout: Layout) -> NDArray[np.uint64]:
    """[row, reached, may close]: the white sums that fit, as bits, for each number of skips."""
    found = np.zeros((ROWS, CROSSED, 2), np.uint64)
    for row, reached, may_close in product(range(ROWS), range(CROSSED), range(2)):
        for place in range(reached, LAST + may_close):
            number = layout.rows[row].cells[place].number
            for skips in range(min(place - reached, SKIPS), SKIPS + 1):
                found[row, reached, may_close] |= np.uint64(1 << (skips * _BITS_A_SUM + number - LOWEST))
    return found


@cache
def _chances() -> NDArray[np.float32]:
    """The chance that the white sum is one of those bits."""
    ways = np.array([6 - abs(7 - number) for number in range(LOWEST, HIGHEST + 1)], np.float32)
    bits = np.arange(_ALL_SUMS + 1)[:, None] >> np.arange(len(ways)) & 1
    found: NDArray[np.float32] = (bits @ ways / 36).astype(np.float32)
    return found


@cache
def _next_chance(layout: Layout) -> NDArray[np.float32]:
    """[row, reached, may close]: the chance of the row's next number."""
    return _chances()[(_sums(layout) & np.uint64(_ALL_SUMS)).astype(np.intp)]


def _board(games: Games, seats: Index, order: Index) -> NDArray[np.float32]:
    """On Board: how far the pieces are, what that brings, where one's own may land, when it ends."""
    spaces, index = games.kind.spaces, np.arange(len(games))
    found = np.zeros((len(games), _BOARD), np.float32)
    if spaces is None:
        return found
    pieces = games.pieces[index[:, None], order].astype(np.intp)
    legal, landings = games.legal_landings(seats), games.landings(seats)
    points = spaces.points[pieces]
    found[:, 0], found[:, 1] = pieces[:, 0] / SPACES, points[:, 0] / HIGHEST_POINTS
    if games.kind.players > 1:
        found[:, 2] = pieces[:, 1:].max(axis=1) / SPACES
        found[:, 3] = points[:, 1:].max(axis=1) / HIGHEST_POINTS
    found[:, 4] = legal.sum(axis=1) / LONGEST_MOVE
    found[:, 5] = np.where(legal, landings - pieces[:, :1], 0).max(axis=1) / LONGEST_MOVE
    found[:, 6] = games.last_turns != NEVER
    found[:, 7] = (games.last_turns + 1) / MOST_PLAYERS
    return found
