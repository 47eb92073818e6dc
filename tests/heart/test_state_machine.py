"""A state machine of random legal and illegal moves: what must hold after every one of them."""

from typing import Any

import hypothesis.strategies as st
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from companion.boards import house_board
from companion.game import (
    CameBack,
    Crossed,
    DiceCorrected,
    Done,
    Edition,
    EndedBy,
    Event,
    Game,
    HouseRules,
    LocksTakeEffect,
    Moved,
    MovedOn,
    Phase,
    PieceCorrected,
    PlaysNoMore,
    Reopened,
    Rolled,
    SatOut,
    Setup,
    SheetCorrected,
    Stopped,
    TookBack,
    TookBackDone,
)
from companion.game.record import Record
from companion.rules import COLOURS, Cell, Roll, RuleError, Sheet
from tests.playing import NAMES
from tests.random_games import LAYOUTS

pips = st.integers(1, 6)
seats = st.integers(0, 3)
anything = st.one_of(
    st.builds(
        Crossed, seats, st.builds(Cell, st.sampled_from(COLOURS), st.integers(2, 12)), st.sampled_from([1, 2])
    ),
    st.builds(Done, seats),
    st.builds(TookBack, seats),
    st.builds(MovedOn, seats),
    st.builds(Moved, seats, st.integers(1, 40)),
    st.builds(Reopened, seats, st.integers(0, 2)),
    st.builds(TookBackDone, seats),
    st.builds(SatOut, seats, seats),
    st.builds(PlaysNoMore, seats, seats),
    st.builds(CameBack, seats, seats),
    st.builds(PieceCorrected, seats, seats, st.integers(0, 40)),
)


class AGameOfAnything(RuleBasedStateMachine):
    """Players who do whatever comes to their mind; the game takes what is legal and refuses the rest."""

    game: Game
    events: list[Event]

    @initialize(
        players=st.integers(1, 4),
        edition=st.sampled_from(Edition),
        layout=st.sampled_from(LAYOUTS),
        locks=st.sampled_from(LocksTakeEffect),
        by_itself=st.booleans(),
    )
    def begin(
        self, players: int, edition: Edition, layout: Any, locks: LocksTakeEffect, by_itself: bool
    ) -> None:
        board = house_board().back if edition is Edition.ON_BOARD else None
        house = HouseRules(locks, pass_by_itself=by_itself)
        self.setup = Setup(NAMES[:players], 0, edition, layout, board, house)
        self.game = Game.begin(self.setup)
        self.events = []

    def play(self, event: Event) -> None:
        before = self.game
        try:
            self.game = before.apply(event)
        except RuleError:
            assert self.game is before
            return
        self.events.append(event)

    @precondition(lambda self: self.game.phase is Phase.ROLL)
    @rule(white=st.tuples(pips, pips), coloured=st.tuples(pips, pips, pips, pips))
    def somebody_rolls(self, white: tuple[int, int], coloured: tuple[int, ...]) -> None:
        dice = tuple((c, n) for c, n in zip(COLOURS, coloured, strict=True) if c in self.game.dice_in_play)
        self.play(Rolled(Roll(white, dice)))
        assert self.game.turn is not None

    @rule(event=anything)
    def somebody_does_something(self, event: Event) -> None:
        self.play(event)

    @precondition(lambda self: self.game.phase is Phase.FIRST)
    @rule(data=st.data())
    def somebody_crosses_what_is_legal(self, data: st.DataObject) -> None:
        seat = data.draw(st.sampled_from(range(self.game.players)))
        legal = self.game.legal_first(seat)
        if legal:
            self.play(Crossed(seat, data.draw(st.sampled_from(legal))))
            assert isinstance(self.events[-1], Crossed)

    @precondition(lambda self: self.game.phase in (Phase.FIRST, Phase.SECOND))
    @rule(data=st.data())
    def the_active_player_crosses_a_pair(self, data: st.DataObject) -> None:
        legal = self.game.legal_second()
        if legal:
            self.play(Crossed(self.game.active, data.draw(st.sampled_from(legal)), 2))
            assert isinstance(self.events[-1], Crossed)

    @precondition(lambda self: self.game.phase is Phase.THIRD)
    @rule(data=st.data())
    def the_active_player_moves(self, data: st.DataObject) -> None:
        landings = self.game.landings()
        if landings:
            self.play(Moved(self.game.active, data.draw(st.sampled_from(landings))))
            assert isinstance(self.events[-1], Moved)

    @precondition(lambda self: self.game.deciding and self.game.phase is not Phase.ROLL)
    @rule()
    def everybody_is_done(self) -> None:
        for seat in self.game.deciding:
            self.play(Done(seat))

    @precondition(lambda self: self.game.turn is not None)
    @rule(white=st.tuples(pips, pips))
    def the_dice_are_corrected(self, white: tuple[int, int]) -> None:
        assert self.game.turn is not None
        self.play(DiceCorrected(0, Roll(white, self.game.turn.roll.coloured)))

    @rule(data=st.data())
    def a_sheet_is_put_right(self, data: st.DataObject) -> None:
        owner = data.draw(st.sampled_from(range(self.game.players)))
        sheet = self.game.sheets[owner]
        cells = [cell for row in sheet.layout.rows for cell in row.cells]
        prefix = "" if sheet.layout.name == "classic" else f"{sheet.layout.name}: "
        words = map(str, {*sheet.cells} ^ {data.draw(st.sampled_from(cells))})
        try:
            other = Sheet.parse(f"{prefix}{' '.join(words) or 'empty'}")
        except RuleError:
            return  # a lock without the five crosses before it
        self.play(SheetCorrected(0, owner, other))

    @precondition(lambda self: len(self.events) > 60)
    @rule()
    def the_table_stops(self) -> None:
        self.play(Stopped(0))

    @invariant()
    def every_row_was_crossed_from_left_to_right_and_closed_only_with_five(self) -> None:
        for sheet in self.game.sheets:
            assert type(sheet).parse(str(sheet)) == sheet
            for colour in sheet.locks:
                assert sheet.row_points()[[row.lock for row in sheet.layout.rows].index(colour)] >= 28

    @invariant()
    def rows_are_closed_by_those_who_crossed_their_lock_and_by_nobody_else(self) -> None:
        locks = frozenset().union(*[sheet.locks for sheet in self.game.sheets])
        assert self.game.closed <= locks
        if self.game.locks_at_once or self.game.phase in (Phase.ROLL, Phase.OVER):
            assert self.game.closed == locks

    @invariant()
    def an_ended_game_has_a_reason_and_a_going_one_has_somebody_to_wait_for(self) -> None:
        over = self.game.phase is Phase.OVER
        assert over == (self.game.ended_by is not None)
        assert over != bool(self.game.deciding)
        assert (over and self.game.ended_by is not EndedBy.STOPPED) == bool(self.game.winners)
        if not over:
            assert len(self.game.closed) < 2
            assert all(sheet.misthrows < 4 for sheet in self.game.sheets)

    @invariant()
    def who_sits_out_is_never_waited_for_and_somebody_plays(self) -> None:
        assert not self.game.away & {*self.game.deciding}
        assert self.game.gone <= self.game.away
        assert len(self.game.away) < self.game.players

    @invariant()
    def a_sheet_saved_unchanged_changes_nothing(self) -> None:
        if self.game.phase is not Phase.OVER:
            for owner, sheet in enumerate(self.game.sheets):
                assert self.game.apply(SheetCorrected(0, owner, sheet)) == self.game

    @invariant()
    def pieces_stand_apart_unless_on_the_start(self) -> None:
        moved = [piece for piece in self.game.pieces if piece]
        assert len(moved) == len(set(moved))

    @invariant()
    def what_is_offered_is_never_refused_with_a_reason(self) -> None:
        for seat in range(self.game.players):
            for cell in self.game.legal_first(seat):
                assert self.game.why_not(seat, cell) is None

    def teardown(self) -> None:
        if hasattr(self, "game"):
            assert Record(self.setup, tuple(self.events)).play() == self.game


TestAGameOfAnything = AGameOfAnything.TestCase
TestAGameOfAnything.settings = settings(max_examples=60, stateful_step_count=60)
