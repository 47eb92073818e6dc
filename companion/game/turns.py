"""How a turn goes: actions 1 to 3, and what ends it and the game. Every step is a new value."""

from dataclasses import dataclass
from typing import Self, TypeVar

from companion.game.changed import changed
from companion.game.position import ROWS_TO_END, EndedBy, Phase, Position, Turn
from companion.rules import MISTHROW_BOXES, Cell, Colour, IllegalCrossError, Roll, RuleError


@dataclass(frozen=True)
class Turns(Position):
    """A position that goes on. A step that the rules refuse leaves the old one."""

    # --- action 1 --------------------------------------------------------------------------------------

    def _rolled(self, roll: Roll) -> Self:
        if self.phase is not Phase.ROLL:
            raise RuleError(f"a roll comes before action 1, the game is at {self.phase}", "stale")
        need_dice(roll, self.dice_in_play)
        return self.opened(roll)._settle()

    def opened(self, roll: Roll) -> Self:
        """Action 1 begins: everybody may choose, who sits out passes, who cannot passes by itself."""
        done = self.away
        if self.setup.house.pass_by_itself:
            total, closed = roll.white_sum, self.closed
            done = done.union(
                [seat for seat, sheet in enumerate(self.sheets) if not sheet.legal(total, closed)]
            )
        turn = Turn(roll, (None,) * len(self.sheets), done)
        before = changed(self, newest=None, until=None)
        return changed(self, phase=Phase.FIRST, turn=turn, ended_by=None, before=before)

    def _crossed(self, seat: int, cell: Cell, action: int) -> Self:
        turn = self._turn_of(seat)
        if action == 1:
            self._need_phase(Phase.FIRST, "action 1")
        elif seat != self.active:
            raise RuleError(f"action 2 is the active player's, seat {self.active}, got seat {seat}")
        elif self.phase is not Phase.FIRST:  # there, it is a choice in advance
            self._need_phase(Phase.SECOND, "action 2")
        refusal = self.why_not(seat, cell, action)
        if refusal is not None:
            raise IllegalCrossError(refusal, self.sheets[seat])
        if action == 2:
            return self._with_turn(changed(turn, second=cell))
        asked = {seat, *self._could_close_too(seat, cell)}
        return self._with_turn(changed(turn, choices=put(turn.choices, seat, cell), done=turn.done - asked))

    def _could_close_too(self, closer: int, cell: Cell) -> frozenset[int]:
        """Who is asked again because a row was announced just now: those who could close it as well."""
        colour = self.sheets[closer].closes(cell)
        if self.setup.rules < 2 or colour is None or (closer, colour) in self.announced:
            return frozenset()
        could = [
            seat
            for seat in range(self.players)
            if (seat, colour) not in self.announced
            and any(self.sheets[seat].closes(other) is colour for other in self.legal_first(seat))
        ]
        return frozenset(could)

    def _took_back(self, seat: int) -> Self:
        """Back to no choice in the open action; in action 1 that includes one made in advance."""
        turn = self._turn_of(seat)
        if self.phase is Phase.FIRST:
            second = None if seat == self.active else turn.second
            choices = put(turn.choices, seat, None)
            done = turn.done - {seat} if self.legal_first(seat) else turn.done
            return self._with_turn(changed(turn, choices=choices, second=second, done=done))
        if self.phase not in (Phase.SECOND, Phase.THIRD) or seat != self.active:
            raise RuleError(f"seat {seat} has no choice of an open action to take back")
        if self.phase is Phase.SECOND:
            return self._with_turn(changed(turn, second=None))
        return self._with_turn(changed(turn, landing=None))

    def _done(self, seat: int) -> Self:
        turn = self._turn_of(seat)
        if seat not in self.deciding or self.phase is Phase.ROLL:
            raise RuleError(f"seat {seat} has nothing to decide, the game is at {self.phase}")
        if self.phase is Phase.FIRST:
            return self._with_turn(changed(turn, done=turn.done | {seat}))._settle()
        return self._close_second() if self.phase is Phase.SECOND else self._close_third()

    def _moved_on(self, seat: int) -> Self:
        turn = self._turn(seat)
        self._need_phase(Phase.FIRST, "moving on")
        if seat != self.active:
            raise RuleError(f"the active player moves on, seat {self.active}, got seat {seat}")
        return self._with_turn(changed(turn, done=frozenset(range(self.players))))._settle()

    def _settle(self) -> Self:
        """Close action 1 once everybody is done."""
        if self.turn is None or self.phase is not Phase.FIRST or len(self.turn.done) < self.players:
            return self
        return self._close_first(self.turn)

    def _close_first(self, turn: Turn) -> Self:
        """All choices become crosses at the same moment, then rows close."""
        sheets = tuple(
            [
                sheet if cell is None else sheet.cross(cell, self.closed)
                for sheet, cell in zip(self.sheets, turn.choices, strict=True)
            ]
        )
        saved = turn.choices[self.active] is not None
        after = changed(
            self, sheets=sheets, phase=Phase.SECOND, turn=changed(turn, saved=saved, done=frozenset())
        )
        after = after._close_rows() if self.locks_at_once else after
        if after.phase is Phase.OVER:
            return after
        return after._recheck_second()

    # --- actions 2 and 3 -------------------------------------------------------------------------------

    def _recheck_second(self) -> Self:
        """A choice made in advance may be lost now; a player who can only pass need not say so."""
        turn = self._turn(self.active)
        legal = self._pairs()
        if turn.second is not None and turn.second not in legal:
            lost = (*turn.lost, (self.active, turn.second))
            return changed(self, turn=changed(turn, second=None, lost=lost))._recheck_second()
        if self.active in self.away:
            return self._close_second()
        if not legal and self.setup.house.pass_by_itself and not self.passing_is_misthrow:
            return self._close_second()
        return self

    def _close_second(self) -> Self:
        turn, after = self._turn(self.active), self
        if turn.second is not None:
            sheet = self.sheets[self.active].cross(turn.second, self.closed)
            sheets = put(self.sheets, self.active, sheet)
            after = changed(self, sheets=sheets, turn=changed(turn, saved=True))
            after = after._close_rows() if self.locks_at_once else after
        if after.phase is Phase.OVER:
            return after
        if self.setup.board is None:
            return after._finish_turn()
        return changed(after, phase=Phase.THIRD)._recheck_third()

    def _recheck_third(self) -> Self:
        turn, landings = self._turn(self.active), self.landings()
        side = self.setup.board
        if side is not None and turn.landing is not None and turn.landing not in landings:
            lost = (*turn.lost, (self.active, side.cell(turn.landing)))
            return changed(self, turn=changed(turn, landing=None, lost=lost))._recheck_third()
        if self.active in self.away:
            return self._close_third()
        if not landings and self.setup.house.pass_by_itself and not self.passing_is_misthrow:
            return self._finish_turn()
        return self

    def _moved(self, seat: int, space: int) -> Self:
        turn = self._turn(seat)
        self._need_phase(Phase.THIRD, "action 3")
        if seat != self.active:
            raise RuleError(f"action 3 is the active player's, seat {self.active}, got seat {seat}")
        if space not in self.landings():
            reach = " ".join(map(str, self.landings())) or "none"
            raise RuleError(f"a move reaches space {reach}, got {space}")
        return self._with_turn(changed(turn, landing=space))

    def _close_third(self) -> Self:
        turn = self._turn(self.active)
        if turn.landing is None:
            return self._finish_turn()
        after = changed(self, pieces=put(self.pieces, self.active, turn.landing))
        cell = self._landing_cross()
        if cell is not None:
            sheets = put(self.sheets, self.active, self.sheets[self.active].cross(cell, self.closed))
            after = changed(after, sheets=sheets, turn=changed(turn, saved=True))
            after = after._close_rows() if self.locks_at_once else after
        return after if after.phase is Phase.OVER else after._finish_turn()

    # --- the end of a turn, and of the game ------------------------------------------------------------

    def _close_rows(self) -> Self:
        """Rows whose lock somebody crossed are closed for all; the second one ends the game."""
        closed = self.closed.union(*[sheet.locks for sheet in self.sheets])
        after = self if closed == self.closed else changed(self, closed=closed)
        return after._over(EndedBy.LOCKS) if len(closed) >= ROWS_TO_END else after

    def _finish_turn(self) -> Self:
        after = self._close_rows()
        if not self._turn(self.active).saved and self.active not in self.away:
            sheet = self.sheets[self.active].mark_misthrow()
            after = changed(after, sheets=put(self.sheets, self.active, sheet))
            if sheet.misthrows == MISTHROW_BOXES:
                return changed(after, phase=Phase.OVER, ended_by=EndedBy.PENALTIES)
        if after.phase is Phase.OVER:
            return after
        passed = after._pass_on(after._count_last_turns())
        return passed if passed.phase is Phase.OVER else changed(passed, number=self.number + 1)

    def _pass_on(self, last_turns: int | None) -> Self:
        """The next player who is there rolls; who sits out has had that turn, be it one of the last."""
        active = self.active
        while last_turns != 0:
            active = (active + 1) % self.players
            if active not in self.away:
                return changed(self, phase=Phase.ROLL, active=active, last_turns=last_turns)
            last_turns = None if last_turns is None else last_turns - 1
        return changed(self, last_turns=0)._over(EndedBy.BOARD)

    def _count_last_turns(self) -> int | None:
        """On Board: once a piece is near the end, every other player has one more turn."""
        if self.last_turns is not None:
            return self.last_turns - 1
        side = self.setup.board
        if side is not None and side.is_near_end(self.pieces[self.active]):
            return self.players - 1
        return None

    def _over(self, ended_by: EndedBy) -> Self:
        self._need_going()
        return changed(self, phase=Phase.OVER, ended_by=ended_by)

    # --- small things ----------------------------------------------------------------------------------

    def _turn(self, seat: int) -> Turn:
        self._need_seat(seat)
        if self.turn is None:
            raise RuleError("nobody has rolled yet", "no-roll")
        return self.turn

    def _turn_of(self, seat: int) -> Turn:
        """For what only a player who is there may do."""
        turn = self._turn(seat)
        if seat in self.away:
            raise RuleError(f"{self.setup.players[seat]} sits out and has nothing to decide", "sits-out")
        return turn

    def _with_turn(self, turn: Turn) -> Self:
        return changed(self, turn=turn)

    def _need_going(self) -> None:
        if self.phase is Phase.OVER:
            raise RuleError("the game is over already", "over")

    def _need_seat(self, seat: int) -> None:
        if not 0 <= seat < self.players:
            raise RuleError(f"seats are 0 to {self.players - 1}, got {seat}")

    def _need_phase(self, phase: Phase, what: str) -> None:
        if self.phase is not phase:
            raise RuleError(f"{what} is not open, the game is at {self.phase}", "stale")


_T = TypeVar("_T")


def put(values: tuple[_T, ...], index: int, value: _T) -> tuple[_T, ...]:
    return (*values[:index], value, *values[index + 1 :])


def need_dice(roll: Roll, colours: frozenset[Colour]) -> None:
    if roll.colours != colours:
        raise RuleError(f"dice in play are {_colours(colours)}, got {_colours(roll.colours)}")


def _colours(colours: frozenset[Colour]) -> str:
    return "white " + " ".join(sorted(colours))
