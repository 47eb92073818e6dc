"""What the table puts right: dice, turns, sheets, pieces. What was chosen in a turn stays where it can."""

from dataclasses import dataclass
from typing import Self, assert_never, cast

from companion.game.changed import changed
from companion.game.events import CorrectionEvent, DiceCorrected, PieceCorrected, Reopened, SheetCorrected
from companion.game.position import ROWS_TO_END, EndedBy, Phase, Turn
from companion.game.turns import Turns, need_dice, put
from companion.rules import MISTHROW_BOXES, SPACES, START, Colour, Roll, RuleError, Sheet


@dataclass(frozen=True)
class Corrections(Turns):
    """Turns that can be played once more from what lay before them."""

    def _corrected(self, event: CorrectionEvent) -> Self:
        match event:
            case DiceCorrected(_, roll):
                return self._again(roll)
            case Reopened(_, back):
                return self._reopened(back)
            case SheetCorrected(_, owner, sheet):
                return self._sheet_corrected(owner, sheet)
            case PieceCorrected(_, owner, space):
                return self._piece_corrected(owner, space)
        assert_never(event)

    # --- dice, and turns from their start ------------------------------------------------------------

    def _again(self, roll: Roll) -> Self:
        """The turn once more from these dice: choices that stay legal are kept, others are shown as lost."""
        turn, before = self.turn, self._rolled_from
        if before is None or turn is None:
            raise RuleError("there is no roll of this turn to correct")
        need_dice(roll, turn.roll.colours)
        stands = roll.white_sum == turn.roll.white_sum  # action 1 is what it was; so are the decisions
        done = self._decided(turn) if stands else frozenset[int]()
        return self._start(before).opened(roll)._keep(turn, done)

    def _reopened(self, back: int) -> Self:
        """Action 1 of this turn, or of one before, open again with the choices made then."""
        position: Self | None = self
        for _ in range(back):
            position = position._rolled_from if position is not None else None
        before = position._rolled_from if position is not None else None
        if position is None or before is None or position.turn is None:
            raise RuleError(f"there is no turn to reopen {back} before this one", "no-turn")
        reopened = self._start(before).opened(position.turn.roll)
        done = reopened._turn(reopened.active).done
        return reopened._with_turn(changed(position.turn, done=done, saved=False, lost=()))._settle()

    @property
    def _rolled_from(self) -> Self | None:
        """What `before` is; the type check takes the Self of a field for its class."""
        return cast(Self | None, self.before)

    def _start(self, before: Self) -> Self:
        """Where a turn was rolled from. Who is there and who is not is no part of what was played."""
        return changed(before, away=self.away, gone=self.gone)

    def _decided(self, turn: Turn) -> frozenset[int]:
        return turn.done if self.phase is Phase.FIRST else frozenset(range(self.players))

    def _keep(self, old: Turn, done: frozenset[int]) -> Self:
        """Put back the choices made before a correction that are legal now; `done`: who had decided."""
        turn, total = self._turn(self.active), self._turn(self.active).roll.white_sum
        pairs = list(enumerate(old.choices))
        choices = tuple(
            [cell if cell in self.sheets[seat].legal(total, self.closed) else None for seat, cell in pairs]
        )
        lost = [(seat, cell) for seat, cell in pairs if cell is not None and choices[seat] is None]
        done = ((turn.done | done) - {seat for seat, _ in lost}) | self.away
        kept = changed(turn, choices=choices, done=done, landing=old.landing)
        after = self._with_turn(kept)
        if old.second is not None:
            if old.second in after._pairs():
                kept = changed(kept, second=old.second)
            else:
                lost.append((self.active, old.second))
        return self._with_turn(changed(kept, lost=(*old.lost, *lost)))._settle()

    # --- sheets --------------------------------------------------------------------------------------

    def _sheet_corrected(self, owner: int, sheet: Sheet) -> Self:
        """The owner's sheet as the table says: in a turn, that changes what lay before it."""
        self._need_correctable(owner)
        if sheet.layout != self.setup.layout:
            raise RuleError(f"this game is played on the {self.setup.layout} sheet, got {sheet.layout}")
        if self.setup.rules < 2:
            return self._sheet_replaced(owner, sheet)
        if sheet == self.sheets[owner]:
            return self
        before, turn = self._rolled_from, self.turn
        if before is None or turn is None:
            return self._with_sheet(owner, sheet)
        made = set(self.sheets[owner].cells) - set(before.sheets[owner].cells)
        if self.phase is Phase.ROLL:
            return self._sheet_after_turn(owner, sheet)
        base = sheet.without(made)
        if base is None:
            text = f"without this turn's crosses, nobody could have had the sheet {sheet}"
            raise RuleError(text, "before-turn")
        start = self._start(before)._with_sheet(owner, base)
        if start.phase is Phase.OVER:
            over = self._with_sheet(owner, sheet)
            return changed(over, phase=Phase.OVER, ended_by=start.ended_by, turn=self._settled(turn))
        return self._on_from(start, owner)

    def _settled(self, turn: Turn) -> Turn:
        """What had become crosses when the game broke off."""
        nobody = (None,) * self.players
        return changed(
            turn,
            choices=nobody if self.phase is Phase.FIRST else turn.choices,
            second=turn.second if self.phase is Phase.THIRD else None,
            landing=None,
        )

    def _on_from(self, start: Self, owner: int) -> Self:
        """This turn from a start that was put right, up to where it had come, unless a choice was lost."""
        old = self._turn(self.active)
        after, done = start.opened(old.roll), self._decided(old)
        if self.phase is Phase.FIRST and not self.legal_first(owner) and after.legal_first(owner):
            done -= {owner}  # passed by itself for want of a cross
        after = after._keep(old, done)
        second = after._turn(after.active).second
        if self.phase is Phase.THIRD and after.phase is Phase.SECOND and second == old.second:
            return after._close_second()
        return after

    def _sheet_after_turn(self, owner: int, sheet: Sheet) -> Self:
        """The sheet just as it is said; to go back to the turn before, its crosses are taken from it."""
        after, before, turn = self._with_sheet(owner, sheet), self._rolled_from, self._turn(self.active)
        if before is None or after.phase is Phase.OVER:
            return after
        now, old = self.sheets[owner], before.sheets[owner]
        base = sheet.without(set(now.cells) - set(old.cells), now.misthrows - old.misthrows)
        if base is None:
            return after
        choice = turn.choices[owner]
        kept = choice if choice is None or sheet.has(choice) else None
        turn = changed(turn, choices=put(turn.choices, owner, kept))
        if owner == before.active and turn.second is not None and not sheet.has(turn.second):
            turn = changed(turn, second=None)
        start = before._with_sheet(owner, base)
        return changed(after, turn=turn, before=start) if start._leads_on(turn) else after

    def _leads_on(self, turn: Turn) -> bool:
        """Whether the whole turn can be played from here, so that one may go back to it."""
        after = self.opened(turn.roll)._keep(turn, frozenset(range(self.players)))
        after = after._close_second() if after.phase is Phase.SECOND else after
        return after.turn is not None and after.turn.lost == turn.lost

    def _with_sheet(self, owner: int, sheet: Sheet) -> Self:
        sheets = put(self.sheets, owner, sheet)
        closed = frozenset[Colour]().union(*[each.locks for each in sheets])
        after = changed(self, sheets=sheets, closed=closed)
        if sheet.misthrows == MISTHROW_BOXES:
            return after._over(EndedBy.PENALTIES)
        return after._over(EndedBy.LOCKS) if len(closed) >= ROWS_TO_END else after

    def _sheet_replaced(self, owner: int, sheet: Sheet) -> Self:
        """As it was by the first rules: the turn starts again from its dice, on top of the sheet."""
        before, turn = self._rolled_from, self.turn
        if self.phase is Phase.ROLL or before is None or turn is None:
            return changed(self._with_sheet(owner, sheet), turn=None, before=None)
        base = changed(self._start(before)._with_sheet(owner, sheet), turn=None, before=None)
        if base.phase is Phase.OVER or base.dice_in_play != turn.roll.colours:
            return base
        return base.opened(turn.roll)._keep(turn, self._decided(turn))

    # --- pieces --------------------------------------------------------------------------------------

    def _piece_corrected(self, owner: int, space: int) -> Self:
        """The owner's piece where the table says it stands: in a turn, that changes what lay before it."""
        self._need_correctable(owner)
        if self.setup.board is None:
            raise RuleError("there are no pieces in this game: it is played without a board", "no-board")
        if not START <= space <= SPACES:
            raise RuleError(f"a piece stands on space {START} to {SPACES}, got {space}", "no-space", SPACES)
        if space == self.pieces[owner]:
            return self
        if space != START and space in self.pieces:
            name = self.setup.players[self.pieces.index(space)]
            raise RuleError(f"space {space} is taken by {name}", "space-taken", space)
        after, before = self._with_piece(owner, space), self._rolled_from
        if before is not None and self.turn is not None and before.pieces[owner] == self.pieces[owner]:
            start = before._with_piece(owner, space)
            if space not in before.pieces and (self.phase is not Phase.ROLL or start._leads_on(self.turn)):
                after = changed(after, before=start)
        return after._recheck_third() if self.phase is Phase.THIRD else after

    def _with_piece(self, owner: int, space: int) -> Self:
        """Where no piece is near the end any more, there is no last round either."""
        pieces, side = put(self.pieces, owner, space), self.setup.board
        near = side is not None and any(side.is_near_end(piece) for piece in pieces)
        return changed(self, pieces=pieces, last_turns=self.last_turns if near else None)

    def _need_correctable(self, owner: int) -> None:
        self._need_seat(owner)
        if self.phase is Phase.OVER:
            raise RuleError("the game is over; reopen its last turn to correct a sheet", "over")
