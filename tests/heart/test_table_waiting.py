"""Moving the table on with patience and notice; telling without keeping; waiting that wakes at once."""

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from companion.game import HouseRules, MovedOn, Phase, Setup, Stopped
from companion.journal.journal import Journal
from companion.process.fault_barrier import BoxPart
from companion.rules import RuleError, Sheet
from companion.table.eyes import Eyes, EyesState
from companion.table.seats import Mark, SeatTaken
from companion.table.snapshot import GameStarted, Snapshot, TableCleared
from companion.table.table import LOT_SECONDS, NOTICE_SECONDS, Command, Table
from tests.tabling import NAMES, ROLL, Clock, ask, game_of, open_table, play, playing, sit
from tests.waiting import PATIENCE

PATIENT = HouseRules(pass_by_itself=False, patience=30)


# --- moving on -----------------------------------------------------------------------------------------


def test_moving_on_waits_for_patience_then_gives_notice_then_closes_action_1(tmp_path: Path) -> None:
    clock = Clock()
    with playing(tmp_path, ROLL, "1 crosses R7 in 1", "0 done", house=PATIENT, clock=clock) as table:
        clock.now += 29.5
        with pytest.raises(RuleError, match="please wait 1 more seconds"):
            table.ask_to_move_on(0)
        clock.now += 0.5
        shown = table.ask_to_move_on(0)
        assert shown.moves_on_at == clock.now + NOTICE_SECONDS
        assert table.ask_to_move_on(0) is shown  # once is enough
        assert table.tick() is shown
        clock.now += NOTICE_SECONDS - 0.01
        assert table.tick() is shown
        clock.now += 0.01
        after = table.tick()
        assert after.moves_on_at is None
        assert game_of(table).phase is Phase.SECOND
        assert game_of(table).sheets[1] == Sheet.parse("R7")  # a choice made is kept
        assert table.tick() is after


def test_a_lot_is_watched_for_a_moment_or_until_something_happens(tmp_path: Path) -> None:
    clock = Clock()
    setup = Setup(("Anna", "Ben"), 1)
    with open_table(tmp_path, clock=clock) as table:
        sit(table, *setup.players)
        drawn = table.play(Command(GameStarted(setup), by_lot=True))
        assert drawn.lot_ends_at == clock.now + LOT_SECONDS
        clock.now += LOT_SECONDS - 0.01
        assert table.tick() is drawn
        clock.now += 0.01
        shown = table.tick()
        assert (shown.lot_ends_at, shown.version) == (None, drawn.version + 1)
        assert table.tick() is shown
        table.play(Command(Stopped(0)))
        table.play(Command(TableCleared()))
        table.play(Command(GameStarted(setup), by_lot=True))
        assert play(table, ROLL).lot_ends_at is None


@pytest.mark.parametrize(
    "line", ["1 done", "2 corrects sheet 2 R2", "0 corrects dice W3 W5 R2 Y5 G6 B1", "0 reopens 0", "0 stops"]
)
def test_the_notice_ends_when_everybody_decided_or_action_1_begins_again(tmp_path: Path, line: str) -> None:
    clock = Clock()
    with playing(tmp_path, ROLL, "0 done", "2 done", house=PATIENT, clock=clock) as table:
        clock.now += 60
        assert table.ask_to_move_on(0).moves_on_at is not None
        shown = table.play(ask(line))
        assert shown.moves_on_at is None
        clock.now += 60
        assert table.tick() is shown


def test_the_notice_stays_while_somebody_still_decides(tmp_path: Path) -> None:
    clock = Clock()
    with playing(tmp_path, ROLL, house=PATIENT, clock=clock) as table:
        clock.now += 60
        due = table.ask_to_move_on(0).moves_on_at
        assert play(table, "1 crosses R7 in 1", "1 done").moves_on_at == due


def test_patience_begins_anew_with_corrected_dice(tmp_path: Path) -> None:
    clock = Clock()
    with playing(tmp_path, ROLL, house=PATIENT, clock=clock) as table:
        clock.now += 29
        play(table, "0 corrects dice W3 W5 R2 Y5 G6 B1")
        clock.now += 29
        with pytest.raises(RuleError, match="please wait 1 more"):
            table.ask_to_move_on(0)


@pytest.mark.parametrize(
    ("lines", "seat", "house", "refusal"),
    [
        ([ROLL], 1, PATIENT, "the active player's"),
        ([], 0, PATIENT, "while others decide in action 1"),
        ([ROLL, "0 done", "1 done", "2 done"], 0, PATIENT, "while others decide in action 1"),
        ([ROLL], 0, HouseRules(pass_by_itself=False), "this table waits for everybody"),
    ],
)
def test_moving_on_is_refused_where_it_is_not_due(
    tmp_path: Path, lines: list[str], seat: int, house: HouseRules, refusal: str
) -> None:
    with playing(tmp_path, *lines, house=house) as table, pytest.raises(RuleError, match=refusal):
        table.ask_to_move_on(seat)


def test_nobody_moves_on_without_the_notice_and_an_empty_table_never_does(tmp_path: Path) -> None:
    with playing(tmp_path, ROLL, house=PATIENT) as table, pytest.raises(RuleError, match="all are told"):
        table.play(Command(MovedOn(0), seat=0))
    with open_table(tmp_path / "empty") as table:
        with pytest.raises(RuleError, match="the active player's"):
            table.ask_to_move_on(0)
        assert table.tick() is table.snapshot


# --- telling and waiting -------------------------------------------------------------------------------


def test_what_the_camera_tells_is_shown_and_not_kept(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        table = Table(journal)
        eyes = Eyes(EyesState.READING)
        shown = table.tell(eyes)
        assert shown.eyes == eyes
        assert shown.version == 1
        assert table.tell(eyes) is shown  # nothing new
        assert journal.entries() == ()


def test_what_the_camera_tells_with_a_roll_is_shown_in_the_same_snapshot(tmp_path: Path) -> None:
    with playing(tmp_path) as table:
        table.tell(Eyes(EyesState.READING))
        before, ready = table.snapshot, Eyes(EyesState.READY, simulated=True)
        shown = table.play(replace(ask(ROLL), eyes=ready))
        assert shown.version == before.version + 1
        assert shown.eyes == ready
        assert shown.game is not None
        assert shown.game.phase is Phase.FIRST


class Waiter:
    """A thread that waits for the table, as a page's stream does."""

    def __init__(self, table: Table, after: int) -> None:
        self.seen: list[Snapshot] = []
        self.seconds = -1.0
        self.begun = threading.Event()
        self.thread = threading.Thread(target=self._wait, args=(table, after), daemon=True)
        self.thread.start()
        assert self.begun.wait(PATIENCE)

    def _wait(self, table: Table, after: int) -> None:
        begin = time.monotonic()
        self.begun.set()
        self.seen.append(table.wait(after, 60))
        self.seconds = time.monotonic() - begin

    def done(self) -> Snapshot:
        self.thread.join(PATIENCE)
        assert self.seconds >= 0
        return self.seen[0]


@pytest.mark.parametrize(
    "change",
    [
        lambda table: play(table, "1 crosses R7 in 1"),
        lambda table: table.tell(Eyes(EyesState.TROUBLE)),
        lambda table: table.ask_to_move_on(0),
    ],
)
def test_everybody_who_waits_wakes_at_once_when_something_changes(
    tmp_path: Path, change: Callable[[Table], Snapshot]
) -> None:
    clock = Clock()
    with playing(tmp_path, ROLL, house=PATIENT, clock=clock) as table:
        clock.now += 60
        waiters = [Waiter(table, table.snapshot.version) for _ in range(5)]
        shown = change(table)
        for waiter in waiters:
            assert waiter.done() is shown
            assert waiter.seconds < 20


def test_waiting_ends_with_the_time(tmp_path: Path) -> None:
    with open_table(tmp_path) as table:
        assert table.wait(table.snapshot.version, 0.01) is table.snapshot


def test_who_knows_an_older_state_or_one_from_before_a_restart_is_shown_the_newest_at_once(
    tmp_path: Path,
) -> None:
    with playing(tmp_path, ROLL) as table:
        for known in (-1, 0, table.snapshot.version - 1, table.snapshot.version + 1000):
            waiter = Waiter(table, known)
            assert waiter.done() is table.snapshot
            assert waiter.seconds < 20


def test_which_parts_are_out_of_order_is_shown_once_and_kept_by_nobody(tmp_path: Path) -> None:
    with open_table(tmp_path) as table:
        sit(table)
        before = table.snapshot
        shown = table.tell_broken((BoxPart.LAMPS,))
        assert (shown.broken, shown.version) == ((BoxPart.LAMPS,), before.version + 1)
        assert table.tell_broken((BoxPart.LAMPS,)) is shown
        assert table.tell_broken(()).broken == ()
    with open_table(tmp_path) as again:
        assert again.snapshot.broken == ()


def test_which_phones_are_away_is_shown_once_and_kept_by_nobody(tmp_path: Path) -> None:
    with open_table(tmp_path) as table:
        for name, mark, phone in zip(NAMES, Mark, ("a", "b", "b"), strict=False):
            table.play(Command(SeatTaken(name, mark, phone)))
        before = table.snapshot
        shown = table.tell_phones_away(frozenset({"b"}))
        assert (shown.absent, shown.version) == (frozenset({1, 2}), before.version + 1)
        assert table.tell_phones_away(frozenset({"b"})) is shown
        assert table.tell_phones_away(frozenset()).absent == frozenset()
        table.tell_phones_away(frozenset({"a"}))
    with open_table(tmp_path) as again:
        assert again.snapshot.absent == frozenset()


def test_a_press_too_early_is_told_to_all_and_kept_by_nobody(tmp_path: Path) -> None:
    with playing(tmp_path) as table:
        before = table.snapshot
        assert table.press_too_early() is before  # the roll is wanted
        play(table, ROLL)
        entries, rolled = len(table.journal.entries()), table.snapshot
        shown = table.press_too_early()
        assert (shown.early, shown.version) == (1, rolled.version + 1)
        assert replace(shown, early=0, version=rolled.version) == rolled
        assert len(table.journal.entries()) == entries
        play(table, "0 stops")
        assert table.press_too_early().early == 1
    with open_table(tmp_path) as table:
        assert table.press_too_early().early == 0
