"""Where a game stands: sheets, turn, phase, and every question a screen asks. Nothing here changes it."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from companion.game.events import Done, PlaysNoMore, SatOut
from companion.game.setup import LocksTakeEffect, Setup
from companion.rules import COLOURS, START, Cell, Colour, Refusal, Roll, Sheet, Why

ROWS_TO_END = 2
ALL_COLOURS = frozenset(COLOURS)  # in every layout, each locks one row


class Phase(StrEnum):
    """What happens next."""

    ROLL = "roll"  # the active player rolls
    FIRST = "first"  # action 1: everybody may cross the white sum
    SECOND = "second"  # action 2: the active player may cross a white and a coloured die
    THIRD = "third"  # action 3 of On Board: the active player may move
    OVER = "over"


class EndedBy(StrEnum):
    """Why a game is over."""

    LOCKS = "locks"
    PENALTIES = "penalties"
    BOARD = "board"
    STOPPED = "stopped"


@dataclass(frozen=True)
class Turn:
    """One roll and what the players chose so far. It stays in view until the next roll."""

    roll: Roll
    choices: tuple[Cell | None, ...]  # action 1, by seat, sealed until it closes
    done: frozenset[int]  # seats that are done with the open action
    second: Cell | None = None
    landing: int | None = None
    saved: bool = False  # the active player crossed something: no misthrow
    lost: tuple[tuple[int, Cell], ...] = ()  # choices that a correction took away, by seat


@dataclass(frozen=True)
class Position:
    """A game at one moment."""

    setup: Setup
    sheets: tuple[Sheet, ...]
    active: int
    phase: Phase = Phase.ROLL
    closed: frozenset[Colour] = frozenset()  # rows closed for all; their dice are out of the game
    turn: Turn | None = None
    number: int = 1  # of the turn
    pieces: tuple[int, ...] = ()
    last_turns: int | None = None  # On Board: turns left once the end of the board was reached
    ended_by: EndedBy | None = None
    away: frozenset[int] = frozenset()  # seats that sit out: they pass, their turns are skipped
    gone: frozenset[int] = frozenset()  # those of them that play no more
    before: Self | None = None  # the position the present turn was rolled from
    newest: Done | SatOut | PlaysNoMore | None = None  # what may be taken back as long as nothing follows it
    until: Self | None = None  # the position before that

    # --- what is in play -------------------------------------------------------------------------------

    @property
    def players(self) -> int:
        return len(self.sheets)

    @property
    def dice_in_play(self) -> frozenset[Colour]:
        """The colours whose dice are still rolled, beside the two white ones."""
        return ALL_COLOURS - self.closed

    @property
    def locks_at_once(self) -> bool:
        return self.setup.house.locks_take_effect is LocksTakeEffect.AT_ONCE

    @property
    def announced(self) -> tuple[tuple[int, Colour], ...]:
        """Who is about to close which row in action 1, which the rules want said loudly."""
        if self.phase is not Phase.FIRST or self.turn is None:
            return ()
        closings = ((seat, self._closing(seat, cell)) for seat, cell in enumerate(self.turn.choices))
        return tuple((seat, colour) for seat, colour in closings if colour is not None)

    def _closing(self, seat: int, cell: Cell | None) -> Colour | None:
        return None if cell is None else self.sheets[seat].closes(cell)

    # --- who decides -----------------------------------------------------------------------------------

    @property
    def deciding(self) -> tuple[int, ...]:
        """The seats the table waits for."""
        match self.phase:
            case Phase.FIRST if self.turn is not None:
                done = self.turn.done
                return tuple(seat for seat in range(self.players) if seat not in done)
            case Phase.ROLL | Phase.SECOND | Phase.THIRD:
                return (self.active,)
            case _:
                return ()

    # --- what is legal ---------------------------------------------------------------------------------

    def legal_first(self, seat: int) -> tuple[Cell, ...]:
        """What the seat may cross in action 1, whatever it chose so far."""
        if self.phase is not Phase.FIRST or self.turn is None or seat in self.away:
            return ()
        return self.sheets[seat].legal(self.turn.roll.white_sum, self.closed)

    def legal_second(self) -> tuple[Cell, ...]:
        """What the active player may cross in action 2; during action 1, as a choice made in advance."""
        return () if self.active in self.away else self._pairs()

    def _pairs(self) -> tuple[Cell, ...]:
        """The same, whether the active player is there or left after choosing."""
        if self.turn is None or self.phase not in (Phase.FIRST, Phase.SECOND):
            return ()
        sheet, closed = self.sheets[self.active], self.closed
        if self.phase is Phase.FIRST and (choice := self.turn.choices[self.active]) is not None:
            sheet = sheet.cross(choice, closed)
        return sheet.legal_pairs(self.turn.roll, closed)

    def reach(self) -> tuple[int, ...]:
        """The free spaces ahead of the active player's piece, whatever the sheet says of their numbers."""
        side = self.setup.board
        if side is None or self.phase is Phase.OVER:
            return ()
        piece = self.pieces[self.active]
        return side.landings(piece, frozenset(self.pieces) - {START, piece})

    def landings(self) -> tuple[int, ...]:
        """The spaces that action 3 may reach."""
        side = self.setup.board
        if side is None or self.phase is not Phase.THIRD:
            return ()
        sheet = self.sheets[self.active]
        return tuple(space for space in self.reach() if self._may_land(sheet, side.cell(space)))

    def _may_land(self, sheet: Sheet, cell: Cell) -> bool:
        return sheet.has(cell) or sheet.allows(cell, self.closed)

    def why_not(self, seat: int, cell: Cell, action: int = 1) -> Refusal | None:
        """Why the seat may not cross that cell in that action; None if it may."""
        legal = self.legal_first(seat) if action == 1 else self.legal_second()
        if cell in legal:
            return None
        return self.sheets[seat].why_not(cell, self.closed) or Refusal(cell, Why.NOT_ROLLED)

    @property
    def passing_is_misthrow(self) -> bool:
        """Whether the active player's Done, as things stand, ends the turn with a misthrow."""
        if self.turn is None or self.turn.saved or self.active in self.away:
            return False
        if self.phase is Phase.SECOND:
            return self.turn.second is None and self.setup.board is None  # a move may still save it
        return self.phase is Phase.THIRD and self._landing_cross() is None

    def may_take_back_done(self, seat: int) -> bool:
        """Whether nobody rolled or decided after the seat's Done."""
        return self.newest == Done(seat)

    def _landing_cross(self) -> Cell | None:
        """The cell that the chosen landing crosses: none if it was crossed before."""
        side, turn = self.setup.board, self.turn
        if side is None or turn is None or turn.landing is None:
            return None
        cell = side.cell(turn.landing)
        return None if self.sheets[self.active].has(cell) else cell

    # --- what was done ---------------------------------------------------------------------------------

    @property
    def second_crossed(self) -> Cell | None:
        """What action 2 of the turn crossed. A choice made in advance is nothing if the game ended before."""
        turn, before = self.turn, self.before
        if turn is None or before is None or turn.second is None:
            return None
        crossed = self.sheets[before.active].has(turn.second) and turn.second != turn.choices[before.active]
        return turn.second if crossed else None

    # --- scores ----------------------------------------------------------------------------------------

    def extra_points(self, seat: int) -> int:
        """The points under the seat's piece on the board."""
        return self.setup.board.points(self.pieces[seat]) if self.setup.board else 0

    @property
    def scores(self) -> tuple[int, ...]:
        return tuple([sheet.score + self.extra_points(seat) for seat, sheet in enumerate(self.sheets)])

    @property
    def winners(self) -> tuple[int, ...]:
        """Who has the most points once the game was played to its end; several share a victory."""
        if self.phase is not Phase.OVER or self.ended_by is EndedBy.STOPPED:
            return ()
        scores = self.scores
        return tuple(seat for seat, score in enumerate(scores) if score == max(scores))
