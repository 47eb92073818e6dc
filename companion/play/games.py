"""Many games of one kind in lock step, as arrays: what is legal, and what a turn comes to. It never rolls."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from companion.game import Game, Phase
from companion.game.position import ROWS_TO_END
from companion.play.layouts import (
    CELL_BITS,
    COLOUR_COUNT,
    CROSSES,
    LOCK_BIT,
    REACHED,
    ROW_POINTS,
    Bits,
    Flags,
    Print,
    Small,
    Spaces,
    print_of,
    spaces_of,
)
from companion.rules import COLOURS, MISTHROW_BOXES, MISTHROW_POINTS, SPACES, START, Cell, Layout, Side
from companion.rules.board import LAST_SPACES, LONGEST_MOVE
from companion.rules.layout import LAST

PASS = -1
WHITE_DICE = 2
SECOND_CHOICES = COLOUR_COUNT * WHITE_DICE  # of action 2: each colour with one white die, then the other
SECOND_COLOURS = np.repeat(np.arange(COLOUR_COUNT), WHITE_DICE)
NEVER = -1  # last turns are not counted yet

Index = NDArray[np.intp]


@dataclass(frozen=True)
class Kind:
    """What all games of a batch have in common."""

    layout: Layout
    players: int
    side: Side | None = None
    locks_at_once: bool = True

    @property
    def printed(self) -> Print:
        return print_of(self.layout)

    @property
    def spaces(self) -> Spaces | None:
        return None if self.side is None else spaces_of(self.side)


@dataclass(frozen=True)
class Dice:
    """One roll a game. Dice that are out of the game show a number too; it counts nothing."""

    white: Small  # [game, 2]
    coloured: Small  # [game, colour]

    def __getitem__(self, index: "Index | Flags") -> "Dice":
        return Dice(self.white[index], self.coloured[index])

    @property
    def white_sum(self) -> Index:
        total: Index = self.white.sum(axis=1, dtype=np.intp)
        return total

    @property
    def sums(self) -> Index:
        """The numbers of action 2's choices."""
        pairs = self.coloured[:, :, None] + self.white[:, None, :]
        return pairs.reshape(len(pairs), SECOND_CHOICES).astype(np.intp)

    def second_cell(self, choice: int) -> Cell:
        """What a choice of action 2 crosses with a single roll."""
        return Cell(COLOURS[SECOND_COLOURS[choice]], int(self.sums[0, choice]))

    def second_choice(self, cell: Cell) -> int:
        """A choice of action 2 that crosses the cell with a single roll; ValueError if there is none."""
        cells = [self.second_cell(choice) for choice in range(SECOND_CHOICES)]
        return cells.index(cell)


def roll(count: int, rng: np.random.Generator) -> Dice:
    pips = rng.integers(1, 7, (count, WHITE_DICE + COLOUR_COUNT), dtype=np.int8)
    return Dice(pips[:, :WHITE_DICE], pips[:, WHITE_DICE:])


@dataclass
class Games:
    """Games between two actions. Arrays belong to it alone: it changes them in place."""

    kind: Kind
    rows: Bits  # [game, seat, row]
    misthrows: Small  # [game, seat]
    closed: Flags  # [game, colour]: closed for all, the die is out of the game
    active: Index  # [game]
    pieces: Small  # [game, seat]; stays at the start without a board
    last_turns: Small  # [game]
    saved: Flags  # [game]: the active player crossed something in this turn
    over: Flags  # [game]

    @classmethod
    def begin(cls, kind: Kind, first: Index) -> "Games":
        count, seats = len(first), kind.players
        return cls(
            kind,
            rows=np.zeros((count, seats, COLOUR_COUNT), np.uint16),
            misthrows=np.zeros((count, seats), np.int8),
            closed=np.zeros((count, COLOUR_COUNT), np.bool_),
            active=first.astype(np.intp),
            pieces=np.full((count, seats), START, np.int8),
            last_turns=np.full(count, NEVER, np.int8),
            saved=np.zeros(count, np.bool_),
            over=np.zeros(count, np.bool_),
        )

    @classmethod
    def of(cls, games: Sequence[Game]) -> "Games":
        """The same games as arrays; all must be of one kind."""
        kind = kind_of(games[0])
        seats, count = range(kind.players), len(games)
        pieces = [game.pieces or (START,) * kind.players for game in games]
        last = [NEVER if game.last_turns is None else game.last_turns for game in games]
        return cls(
            kind,
            rows=np.array([[game.sheets[seat].rows for seat in seats] for game in games], np.uint16),
            misthrows=np.array([[game.sheets[seat].misthrows for seat in seats] for game in games], np.int8),
            closed=np.array([[colour in game.closed for colour in COLOURS] for game in games], np.bool_),
            active=np.array([game.active for game in games], np.intp),
            pieces=np.array(pieces, np.int8).reshape(count, kind.players),
            last_turns=np.array(last, np.int8),
            saved=np.array([game.turn is not None and game.turn.saved for game in games], np.bool_),
            over=np.array([game.phase is Phase.OVER for game in games], np.bool_),
        )

    def __len__(self) -> int:
        return len(self.over)

    def __getitem__(self, index: Index | Flags) -> "Games":
        """A copy of some of them, in that order; one may be taken more than once."""
        return replace(self, **{name: getattr(self, name)[index] for name in _ARRAYS})

    def put(self, index: Index, games: "Games") -> None:
        """Others in the place of some of them."""
        for name in _ARRAYS:
            getattr(self, name)[index] = getattr(games, name)

    @property
    def scores(self) -> NDArray[np.int64]:
        rows = ROW_POINTS[self.rows].astype(np.int64)
        points: NDArray[np.int64] = rows[..., 0] + rows[..., 1] + rows[..., 2] + rows[..., 3]
        points += MISTHROW_POINTS * self.misthrows
        spaces = self.kind.spaces
        return points if spaces is None else points + spaces.points[self.pieces]

    # --- action 1 --------------------------------------------------------------------------------------

    def legal_first(self, dice: Dice) -> Flags:
        """[game, seat, colour]: whether the seat may cross the white sum in that colour."""
        numbers = dice.white_sum
        printed = self.kind.printed
        games = np.arange(len(self))[:, None]
        row = printed.row[:, numbers].T  # [game, colour]
        bits = self.rows[games[:, :, None], np.arange(self.kind.players)[None, :, None], row[:, None, :]]
        shut = self.closed[games, printed.lock[row]]
        return self._may(bits, printed.place[:, numbers].T[:, None, :], shut[:, None, :])

    def _may(self, bits: Bits, place: NDArray[np.int8], shut: Flags) -> Flags:
        """Right of the rightmost cross, in an open row, with enough crosses before the last number."""
        enough = (place < LAST) | (CROSSES[bits] >= self.kind.printed.needs)
        legal: Flags = (place >= REACHED[bits]) & enough & ~shut
        return legal

    def cross_first(self, dice: Dice, choices: Index) -> None:
        """All seats cross at the same moment; a choice is a colour, or PASS. Rows close, games may end."""
        game, seat = np.nonzero(choices != PASS)
        colour = choices[game, seat]
        number = dice.white_sum[game]
        printed = self.kind.printed
        self.rows[game, seat, printed.row[colour, number]] |= printed.bit[colour, number]
        self.saved = choices[np.arange(len(self)), self.active] != PASS
        if self.kind.locks_at_once:
            self.close_rows()

    def close_rows(self) -> None:
        """Rows whose lock somebody crossed are closed for all; the second one ends the game."""
        locked = (self.rows & LOCK_BIT).any(axis=1)  # [game, row]
        self.closed[:, self.kind.printed.lock] |= locked
        self.over |= self.closed.sum(axis=1) >= ROWS_TO_END

    # --- action 2 --------------------------------------------------------------------------------------

    def legal_second(self, dice: Dice) -> Flags:
        """[game, choice]: what the active player may cross in action 2."""
        numbers, printed = dice.sums, self.kind.printed
        colour = SECOND_COLOURS
        row = printed.row[colour, numbers]
        games = np.arange(len(self))[:, None]
        bits = self.rows[games, self.active[:, None], row]
        shut = self.closed[games, printed.lock[row]] | self.closed[:, colour]
        return self._may(bits, printed.place[colour, numbers], shut) & ~self.over[:, None]

    def cross_second(self, dice: Dice, choices: Index) -> None:
        game = np.nonzero((choices != PASS) & ~self.over)[0]
        colour = SECOND_COLOURS[choices[game]]
        number = dice.sums[game, choices[game]]
        self._cross_active(game, colour, number)

    def _cross_active(self, game: Index, colour: Index, number: Index) -> None:
        printed = self.kind.printed
        self.rows[game, self.active[game], printed.row[colour, number]] |= printed.bit[colour, number]
        self.saved[game] = True
        if self.kind.locks_at_once:
            self.close_rows()

    # --- action 3 of On Board --------------------------------------------------------------------------

    def landings(self, seats: Index | None = None) -> Index:
        """[game, 5]: the next free spaces ahead of a piece, the active one if none is named; beyond the
        end of the board PASS."""
        count = len(self)
        piece = self.pieces[np.arange(count), self.active if seats is None else seats]
        ahead = np.arange(1, LONGEST_MOVE + self.kind.players)[None, :] + piece[:, None]
        free = (ahead[:, :, None] != self.pieces[:, None, :]).all(axis=2) & (ahead <= SPACES)
        order = np.argsort(~free, axis=1, kind="stable")[:, :LONGEST_MOVE]
        found: Index = np.take_along_axis(np.where(free, ahead, PASS), order, axis=1).astype(np.intp)
        return found

    def legal_third(self) -> Flags:
        """[game, 5]: where the active piece may land."""
        return self.legal_landings(self.active)

    def legal_landings(self, seats: Index) -> Flags:
        """[game, 5]: on which of the landings the number may be crossed, or is crossed already."""
        spaces, printed = self.kind.spaces, self.kind.printed
        if spaces is None:
            return np.zeros((len(self), LONGEST_MOVE), np.bool_)
        landings = self.landings(seats)
        colour, number = spaces.colour[landings], spaces.number[landings]
        row, place = printed.row[colour, number], printed.place[colour, number]
        games = np.arange(len(self))[:, None]
        bits = self.rows[games, seats[:, None], row]
        has = (bits >> place.astype(np.uint16)) & 1 != 0
        may = self._may(bits, place, self.closed[games, printed.lock[row]])
        legal: Flags = (landings != PASS) & (has | may) & ~self.over[:, None]
        return legal

    def move(self, choices: Index) -> None:
        """The active player moves to one of the landings, by its place among them, or stays (PASS)."""
        spaces, printed = self.kind.spaces, self.kind.printed
        game = np.nonzero((choices != PASS) & ~self.over)[0]
        if spaces is None or not len(game):
            return
        space = self.landings()[game, choices[game]]
        self.pieces[game, self.active[game]] = space
        colour, number = spaces.colour[space], spaces.number[space]
        bits = self.rows[game, self.active[game], printed.row[colour, number]]
        new = (bits & printed.bit[colour, number] & CELL_BITS) == 0
        self._cross_active(game[new], colour[new], number[new])

    # --- the end of a turn -----------------------------------------------------------------------------

    def finish_turn(self) -> None:
        """Misthrows, last turns of On Board, the next player. Games that are over stay as they are."""
        going = ~self.over
        if not self.kind.locks_at_once:
            self.close_rows()
        missed = np.nonzero(going & ~self.saved)[0]
        who = self.active[missed]
        self.misthrows[missed, who] += 1
        self.over[missed] |= self.misthrows[missed, who] == MISTHROW_BOXES
        if self.kind.side is not None:
            self._count_last_turns(~self.over)
        self.active = np.where(self.over, self.active, (self.active + 1) % self.kind.players)
        self.saved[:] = False

    def _count_last_turns(self, going: Flags) -> None:
        """Once a piece is near the end, every other player has one more turn."""
        counted = going & (self.last_turns != NEVER)
        self.last_turns[counted] -= 1
        piece = self.pieces[np.arange(len(self)), self.active]
        begun = going & ~counted & (piece > SPACES - LAST_SPACES)
        self.last_turns[begun] = self.kind.players - 1
        self.over |= going & (self.last_turns == 0)


_ARRAYS = ("rows", "misthrows", "closed", "active", "pieces", "last_turns", "saved", "over")


def kind_of(game: Game) -> Kind:
    return Kind(game.setup.layout, game.players, game.setup.board, game.locks_at_once)
