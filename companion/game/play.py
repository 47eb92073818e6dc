"""How a game goes on: `Game.apply(event) -> Game`, turn by turn as in the rule books. Dice are fed in."""

from dataclasses import dataclass
from typing import TypeVar, assert_never

from companion.game.changed import changed
from companion.game.events import (
    Crossed,
    DiceCorrected,
    Done,
    Event,
    Moved,
    MovedOn,
    Reopened,
    Rolled,
    SheetCorrected,
    Stopped,
    TookBack,
)
from companion.game.position import ROWS_TO_END, EndedBy, Phase, Position, Turn
from companion.game.setup import Setup
from companion.rules import MISTHROW_BOXES, START, Cell, Colour, IllegalCrossError, Roll, RuleError, Sheet


@dataclass(frozen=True)
class Game(Position):
    """A game as the fold of its events. Every change is a new value; a refused event leaves the old one."""

    before: "Game | None" = None

    @classmethod
    def begin(cls, setup: Setup) -> "Game":
        players = len(setup.players)
        return cls(
            setup,
            sheets=(Sheet(setup.layout),) * players,
            active=setup.first,
            pieces=(START,) * players if setup.board else (),
        )

    def apply(self, event: Event) -> "Game":
        """The game after the event; RuleError if the rules do not allow it."""
        match event:
            case Rolled(roll):
                return self._rolled(roll)
            case Crossed(seat, cell, action):
                return self._crossed(seat, cell, action)
            case Done(seat):
                return self._done(seat)
            case TookBack(seat):
                return self._took_back(seat)
            case Moved(seat, space):
                return self._moved(seat, space)
            case MovedOn(seat):
                return self._moved_on(seat)
            case DiceCorrected(_, roll):
                return self._again(roll)
            case Reopened(_, back):
                return self._reopened(back)
            case SheetCorrected(_, owner, sheet):
                return self._sheet_corrected(owner, sheet)
            case Stopped():
                return self._over(EndedBy.STOPPED)
        assert_never(event)

    # --- action 1 --------------------------------------------------------------------------------------

    def _rolled(self, roll: Roll) -> "Game":
        if self.phase is not Phase.ROLL:
            raise RuleError(f"a roll comes before action 1, the game is at {self.phase}", "stale")
        return self._open(roll)._settle()

    def _open(self, roll: Roll) -> "Game":
        """Action 1 begins: everybody may choose, who cannot passes by itself."""
        if roll.colours != self.dice_in_play:
            raise RuleError(f"dice in play are {_colours(self.dice_in_play)}, got {_colours(roll.colours)}")
        done: frozenset[int] = frozenset()
        if self.setup.house.pass_by_itself:
            total, closed = roll.white_sum, self.closed
            done = frozenset(
                [seat for seat, sheet in enumerate(self.sheets) if not sheet.legal(total, closed)]
            )
        turn = Turn(roll, (None,) * len(self.sheets), done)
        return changed(self, phase=Phase.FIRST, turn=turn, ended_by=None, before=self)

    def _crossed(self, seat: int, cell: Cell, action: int) -> "Game":
        turn = self._turn(seat)
        if action == 1:
            self._need_phase(Phase.FIRST, "action 1")
        elif seat != self.active:
            raise RuleError(f"action 2 is the active player's, seat {self.active}, got seat {seat}")
        elif self.phase is not Phase.FIRST:  # there, it is a choice in advance
            self._need_phase(Phase.SECOND, "action 2")
        refusal = self.why_not(seat, cell, action)
        if refusal is not None:
            raise IllegalCrossError(refusal, self.sheets[seat])
        if action == 1:
            return self._with_turn(
                changed(turn, choices=_put(turn.choices, seat, cell), done=turn.done - {seat})
            )
        return self._with_turn(changed(turn, second=cell))

    def _took_back(self, seat: int) -> "Game":
        """Back to no choice in the open action; in action 1 that includes one made in advance."""
        turn = self._turn(seat)
        if self.phase is Phase.FIRST:
            second = None if seat == self.active else turn.second
            choices = _put(turn.choices, seat, None)
            done = turn.done - {seat} if self.legal_first(seat) else turn.done
            return self._with_turn(changed(turn, choices=choices, second=second, done=done))
        if self.phase not in (Phase.SECOND, Phase.THIRD) or seat != self.active:
            raise RuleError(f"seat {seat} has no choice of an open action to take back")
        if self.phase is Phase.SECOND:
            return self._with_turn(changed(turn, second=None))
        return self._with_turn(changed(turn, landing=None))

    def _done(self, seat: int) -> "Game":
        turn = self._turn(seat)
        if seat not in self.deciding or self.phase is Phase.ROLL:
            raise RuleError(f"seat {seat} has nothing to decide, the game is at {self.phase}")
        if self.phase is Phase.FIRST:
            return self._with_turn(changed(turn, done=turn.done | {seat}))._settle()
        return self._close_second() if self.phase is Phase.SECOND else self._close_third()

    def _moved_on(self, seat: int) -> "Game":
        turn = self._turn(seat)
        self._need_phase(Phase.FIRST, "moving on")
        if seat != self.active:
            raise RuleError(f"the active player moves on, seat {self.active}, got seat {seat}")
        return self._with_turn(changed(turn, done=frozenset(range(self.players))))._settle()

    def _settle(self) -> "Game":
        """Close action 1 once everybody is done."""
        if self.turn is None or self.phase is not Phase.FIRST or len(self.turn.done) < self.players:
            return self
        return self._close_first(self.turn)

    def _close_first(self, turn: Turn) -> "Game":
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

    def _recheck_second(self) -> "Game":
        """A choice made in advance may be lost now; a player who can only pass need not say so."""
        turn = self._turn(self.active)
        legal = self.legal_second()
        if turn.second is not None and turn.second not in legal:
            lost = (*turn.lost, (self.active, turn.second))
            return changed(self, turn=changed(turn, second=None, lost=lost))._recheck_second()
        if not legal and self.setup.house.pass_by_itself and not self.passing_is_misthrow:
            return self._close_second()
        return self

    def _close_second(self) -> "Game":
        turn, after = self._turn(self.active), self
        if turn.second is not None:
            sheet = self.sheets[self.active].cross(turn.second, self.closed)
            sheets = _put(self.sheets, self.active, sheet)
            after = changed(self, sheets=sheets, turn=changed(turn, saved=True))
            after = after._close_rows() if self.locks_at_once else after
        if after.phase is Phase.OVER:
            return after
        if self.setup.board is None:
            return after._finish_turn()
        return changed(after, phase=Phase.THIRD)._recheck_third()

    def _recheck_third(self) -> "Game":
        turn, landings = self._turn(self.active), self.landings()
        side = self.setup.board
        if side is not None and turn.landing is not None and turn.landing not in landings:
            lost = (*turn.lost, (self.active, side.cell(turn.landing)))
            return changed(self, turn=changed(turn, landing=None, lost=lost))._recheck_third()
        if not landings and self.setup.house.pass_by_itself and not self.passing_is_misthrow:
            return self._finish_turn()
        return self

    def _moved(self, seat: int, space: int) -> "Game":
        turn = self._turn(seat)
        self._need_phase(Phase.THIRD, "action 3")
        if seat != self.active:
            raise RuleError(f"action 3 is the active player's, seat {self.active}, got seat {seat}")
        if space not in self.landings():
            reach = " ".join(map(str, self.landings())) or "none"
            raise RuleError(f"a move reaches space {reach}, got {space}")
        return self._with_turn(changed(turn, landing=space))

    def _close_third(self) -> "Game":
        turn = self._turn(self.active)
        if turn.landing is None:
            return self._finish_turn()
        after = changed(self, pieces=_put(self.pieces, self.active, turn.landing))
        cell = self._landing_cross()
        if cell is not None:
            sheets = _put(self.sheets, self.active, self.sheets[self.active].cross(cell, self.closed))
            after = changed(after, sheets=sheets, turn=changed(turn, saved=True))
            after = after._close_rows() if self.locks_at_once else after
        return after if after.phase is Phase.OVER else after._finish_turn()

    # --- the end of a turn, and of the game ------------------------------------------------------------

    def _close_rows(self) -> "Game":
        """Rows whose lock somebody crossed are closed for all; the second one ends the game."""
        closed = self.closed.union(*[sheet.locks for sheet in self.sheets])
        after = self if closed == self.closed else changed(self, closed=closed)
        return after._over(EndedBy.LOCKS) if len(closed) >= ROWS_TO_END else after

    def _finish_turn(self) -> "Game":
        after = self._close_rows()
        if not self._turn(self.active).saved:
            sheet = self.sheets[self.active].mark_misthrow()
            after = changed(after, sheets=_put(self.sheets, self.active, sheet))
            if sheet.misthrows == MISTHROW_BOXES:
                return changed(after, phase=Phase.OVER, ended_by=EndedBy.PENALTIES)
        if after.phase is Phase.OVER:
            return after
        last_turns = after._count_last_turns()
        if last_turns == 0:
            return changed(after, last_turns=0)._over(EndedBy.BOARD)
        return changed(
            after,
            phase=Phase.ROLL,
            active=(self.active + 1) % self.players,
            number=self.number + 1,
            last_turns=last_turns,
        )

    def _count_last_turns(self) -> int | None:
        """On Board: once a piece is near the end, every other player has one more turn."""
        if self.last_turns is not None:
            return self.last_turns - 1
        side = self.setup.board
        if side is not None and side.is_near_end(self.pieces[self.active]):
            return self.players - 1
        return None

    def _over(self, ended_by: EndedBy) -> "Game":
        if self.phase is Phase.OVER:
            raise RuleError("the game is over already", "over")
        return changed(self, phase=Phase.OVER, ended_by=ended_by)

    # --- corrections -----------------------------------------------------------------------------------

    def _again(self, roll: Roll) -> "Game":
        """The turn once more from these dice: choices that stay legal are kept, others are shown as lost."""
        if self.before is None or self.turn is None:
            raise RuleError("there is no roll of this turn to correct")
        return self.before._open(roll)._keep_choices(self.turn, closed=self.phase is not Phase.FIRST)

    def _reopened(self, back: int) -> "Game":
        """Action 1 of this turn, or of one before, open again with the choices made then."""
        position: Game | None = self
        for _ in range(back):
            position = position.before if position is not None else None
        if position is None or position.before is None or position.turn is None:
            raise RuleError(f"there is no turn to reopen {back} before this one", "no-turn")
        reopened = position.before._open(position.turn.roll)
        done = reopened._turn(reopened.active).done
        return reopened._with_turn(changed(position.turn, done=done, saved=False, lost=()))._settle()

    def _sheet_corrected(self, owner: int, sheet: Sheet) -> "Game":
        """The owner's sheet as the table says; a turn under way starts again from its dice."""
        self._need_seat(owner)
        if self.phase is Phase.OVER:
            raise RuleError("the game is over; reopen its last turn to correct a sheet", "over")
        if sheet.layout != self.setup.layout:
            raise RuleError(f"this game is played on the {self.setup.layout} sheet, got {sheet.layout}")
        if self.phase is not Phase.ROLL and self.before is not None and self.turn is not None:
            base = self.before._with_sheet(owner, sheet)
            if base.phase is Phase.OVER or base.dice_in_play != self.turn.roll.colours:
                return base
            return base._open(self.turn.roll)._keep_choices(self.turn, closed=self.phase is not Phase.FIRST)
        return self._with_sheet(owner, sheet)

    def _with_sheet(self, owner: int, sheet: Sheet) -> "Game":
        """Corrected, with nothing left to reopen: what was before does not hold any more."""
        sheets = _put(self.sheets, owner, sheet)
        closed = frozenset[Colour]().union(*[each.locks for each in sheets])
        after = changed(self, sheets=sheets, closed=closed, turn=None, before=None)
        if sheet.misthrows == MISTHROW_BOXES:
            return after._over(EndedBy.PENALTIES)
        return after._over(EndedBy.LOCKS) if len(closed) >= ROWS_TO_END else after

    def _keep_choices(self, old: Turn, *, closed: bool) -> "Game":
        """Put back the choices made before a correction that are legal now; `closed`: action 1 had closed."""
        turn = self._turn(self.active)
        pairs = list(enumerate(old.choices))
        choices = tuple([cell if cell in self.legal_first(seat) else None for seat, cell in pairs])
        lost = [(seat, cell) for seat, cell in pairs if cell is not None and choices[seat] is None]
        done = turn.done
        if turn.roll.white_sum == old.roll.white_sum:  # action 1 is what it was; so are the decisions
            was_done = frozenset(range(self.players)) if closed else old.done
            done = (done | was_done) - {seat for seat, _ in lost}
        kept = changed(turn, choices=choices, done=done, landing=old.landing)
        after = self._with_turn(kept)
        if old.second is not None:
            if old.second in after.legal_second():
                kept = changed(kept, second=old.second)
            else:
                lost.append((self.active, old.second))
        return self._with_turn(changed(kept, lost=tuple(lost)))._settle()

    # --- small things ----------------------------------------------------------------------------------

    def _turn(self, seat: int) -> Turn:
        self._need_seat(seat)
        if self.turn is None:
            raise RuleError("nobody has rolled yet", "no-roll")
        return self.turn

    def _with_turn(self, turn: Turn) -> "Game":
        return changed(self, turn=turn)

    def _need_seat(self, seat: int) -> None:
        if not 0 <= seat < self.players:
            raise RuleError(f"seats are 0 to {self.players - 1}, got {seat}")

    def _need_phase(self, phase: Phase, what: str) -> None:
        if self.phase is not phase:
            raise RuleError(f"{what} is not open, the game is at {self.phase}", "stale")


_T = TypeVar("_T")


def _put(values: tuple[_T, ...], index: int, value: _T) -> tuple[_T, ...]:
    return (*values[:index], value, *values[index + 1 :])


def _colours(colours: frozenset[Colour]) -> str:
    return "white " + " ".join(sorted(colours))
