"""How a game goes on: `Game.apply(event) -> Game`, turn by turn as in the rule books. Dice are fed in."""

from dataclasses import dataclass
from typing import assert_never

from companion.game.changed import changed
from companion.game.corrections import Corrections
from companion.game.events import (
    CameBack,
    Crossed,
    DiceCorrected,
    Done,
    Event,
    Moved,
    MovedOn,
    PaperEnded,
    PieceCorrected,
    PlaysNoMore,
    Presence,
    Reopened,
    Rolled,
    SatOut,
    SheetCorrected,
    Stopped,
    TookBack,
    TookBackDone,
)
from companion.game.position import ROWS_TO_END, EndedBy, Phase
from companion.game.setup import Setup
from companion.rules import MISTHROW_BOXES, START, Colour, RuleError, Sheet


@dataclass(frozen=True)
class Game(Corrections):
    """A game as the fold of its events. Every change is a new value; a refused event leaves the old one."""

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
        after = self._after(event)
        if after is self:
            return self
        if self._was_said_before(event):
            return changed(after, newest=self.newest, until=self.until)
        if isinstance(event, Done | SatOut | PlaysNoMore):
            return changed(after, newest=event, until=changed(self, newest=None, until=None))
        return after if after.newest is None else changed(after, newest=None, until=None)

    def _was_said_before(self, event: Event) -> bool:
        """Whether it only carries out action 2 as chosen before action 1 closed: nobody decided anew."""
        until = self.until
        if until is None or until.turn is None or self.turn is None or not isinstance(event, Done):
            return False
        in_advance = self.turn.second is not None and self.turn.second == until.turn.second
        return in_advance and (until.phase, self.phase) == (Phase.FIRST, Phase.SECOND)

    def _after(self, event: Event) -> "Game":
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
            case DiceCorrected() | Reopened() | SheetCorrected() | PieceCorrected():
                return self._corrected(event)
            case TookBackDone(seat):
                return self._took_back_done(seat)
            case SatOut() | PlaysNoMore() | CameBack():
                return self._presence(event)
            case Stopped():
                return self._over(EndedBy.STOPPED)
            case PaperEnded(sheets):
                return self._ended_on_paper(sheets)
        assert_never(event)

    def _ended_on_paper(self, sheets: tuple[Sheet, ...]) -> "Game":
        """A game of which only the end is known. What ended it stands on the sheets."""
        if self.turn is not None or any(sheet.cells or sheet.misthrows for sheet in self.sheets):
            raise RuleError("a game on paper has no turns, this one has begun")
        if self.setup.board is not None or len(sheets) != self.players:
            raise RuleError(f"a game on paper has a sheet for each of {self.players} players, and no board")
        if any(sheet.layout != self.setup.layout for sheet in sheets):
            raise RuleError(f"this game was played on the {self.setup.layout} sheet")
        closed = frozenset[Colour]().union(*[sheet.locks for sheet in sheets])
        after = changed(self, sheets=sheets, closed=closed)
        if any(sheet.misthrows == MISTHROW_BOXES for sheet in sheets):
            return after._over(EndedBy.PENALTIES)
        if len(closed) >= ROWS_TO_END:
            return after._over(EndedBy.LOCKS)
        raise RuleError(
            "two closed rows or a fourth misthrow end a game; these sheets have neither", "goes-on"
        )

    # --- what nothing has followed yet -----------------------------------------------------------------

    def _took_back_done(self, seat: int) -> "Game":
        self._need_seat(seat)
        if self.until is None or not self.may_take_back_done(seat):
            raise RuleError(
                "somebody has rolled or decided since; go back to the turn instead", "decided-since"
            )
        return self.until

    # --- who is there ----------------------------------------------------------------------------------

    def _presence(self, event: Presence) -> "Game":
        match event:
            case SatOut(_, owner):
                return self._sat_out(owner)
            case PlaysNoMore(_, owner):
                return self._plays_no_more(owner)
            case CameBack(_, owner):
                return self._came_back(owner)
        assert_never(event)

    def _sat_out(self, owner: int) -> "Game":
        """From now on the seat passes and is passed over. What it had chosen in the turn still counts."""
        self._need_leavable(owner)
        if owner in self.away:
            raise RuleError(f"{self.setup.players[owner]} sits out already", "sits-out")
        return self._without(owner)

    def _plays_no_more(self, owner: int) -> "Game":
        self._need_leavable(owner)
        if owner in self.gone:
            raise RuleError(f"{self.setup.players[owner]} plays no more already", "sits-out")
        after = self if owner in self.away else self._without(owner)
        return changed(after, gone=after.gone | {owner})

    def _without(self, owner: int) -> "Game":
        after = changed(self, away=self.away | {owner})
        if self.phase is Phase.FIRST:
            turn = self._turn(owner)
            return after._with_turn(changed(turn, done=turn.done | {owner}))._settle()
        if owner != self.active:
            return after
        if self.phase is Phase.ROLL:
            return after._pass_on(None if self.last_turns is None else self.last_turns - 1)
        return after._recheck_second() if self.phase is Phase.SECOND else after._recheck_third()

    def _came_back(self, owner: int) -> "Game":
        """To where they left, if nothing has happened since; else they join in with the next decision."""
        self._need_seat(owner)
        if owner not in self.away:
            raise RuleError(f"{self.setup.players[owner]} does not sit out", "sits-out")
        left = self.newest
        if isinstance(left, SatOut | PlaysNoMore) and left.owner == owner and self.until is not None:
            return self.until
        self._need_going()
        after = changed(self, away=self.away - {owner}, gone=self.gone - {owner})
        if self.turn is None or not after.legal_first(owner):
            return after
        return after._with_turn(changed(self.turn, done=self.turn.done - {owner}))

    def _need_leavable(self, owner: int) -> None:
        self._need_seat(owner)
        self._need_going()
        if self.away | {owner} == frozenset(range(self.players)):
            raise RuleError("somebody has to play on; end the game instead", "nobody-left")
