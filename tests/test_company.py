"""Players of the program: they decide through the table's one door, in time, and see nothing sealed."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from companion.boards import house_board
from companion.game import (
    Crossed,
    DiceCorrected,
    Done,
    Edition,
    Game,
    HouseRules,
    Level,
    LocksTakeEffect,
    Pace,
    Phase,
    Reopened,
    SatOut,
    SheetCorrected,
    TookBack,
)
from companion.host.company import MOST_SECONDS, Company
from companion.journal.journal import Journal, JournalFullError
from companion.play.judgement import WeightsError
from companion.play.seated import decide
from companion.process.fault_barrier import BoxPart, FaultBarrier
from companion.rules import Cell, Roll, Sheet, layout_named
from companion.table.snapshot import Snapshot, What
from companion.table.table import Command, Table
from tests.program_seats import game_with, roll
from tests.waiting import until

EASY, MEDIUM, HARD = Level
DICE = "W3 W4 R2 Y5 G6 B1"
HURRIED = HouseRules(pace=Pace.AT_ONCE)


@dataclass
class Clock:
    now: float = 100.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Playing:
    """A table, the company at it, and the clock by which it thinks."""

    table: Table
    clock: Clock
    company: Company

    @property
    def game(self) -> Game:
        assert self.table.snapshot.game is not None
        return self.table.snapshot.game

    def deciding(self) -> tuple[int, ...]:
        return self.game.deciding

    def phase(self) -> Phase:
        return self.game.phase

    def look(self, after: float = 0.0) -> None:
        """The company looks at the newest snapshot, so many seconds later."""
        self.clock.now += after
        self.company.play(self.table.snapshot)

    def play(self, what: What) -> Snapshot:
        return self.table.play(Command(what))


def playing(folder: Path, *levels: Level, **setup: object) -> Playing:
    clock, table = Clock(), game_with(folder, *levels, **setup)
    return Playing(table, clock, Company(table, FaultBarrier(BoxPart.COMPANY), clock))


def test_it_thinks_while_people_do_and_is_never_the_last(tmp_path: Path) -> None:
    at = playing(tmp_path, HARD, EASY, first=0)
    roll(at.table, DICE)
    at.look()
    assert at.deciding() == (0, 1, 2)
    at.look(after=MOST_SECONDS)
    assert at.deciding() == (0,)


def test_it_decides_at_once_when_all_people_have(tmp_path: Path) -> None:
    at = playing(tmp_path, HARD, EASY, first=1)
    roll(at.table, DICE)
    at.look()
    at.play(Done(0))
    assert at.deciding() == (1, 2)
    at.look()
    assert at.phase() is not Phase.FIRST


def test_a_table_that_wants_it_at_once_never_waits(tmp_path: Path) -> None:
    at = playing(tmp_path, HARD, first=1, house=HURRIED)
    roll(at.table, DICE)
    at.look()
    assert at.deciding() == (0,)
    at.play(Done(0))
    at.look()
    assert at.phase() is Phase.ROLL


def test_action_2_takes_a_moment_so_that_all_see_what_action_1_did(tmp_path: Path) -> None:
    at = playing(tmp_path, HARD, first=1)
    roll(at.table, DICE)
    at.play(Done(0))
    at.look()
    assert (at.phase(), at.deciding()) == (Phase.SECOND, (1,))
    at.look()
    assert at.phase() is Phase.SECOND
    at.look(after=MOST_SECONDS)
    assert at.phase() is Phase.ROLL


@pytest.mark.parametrize("level", Level)
def test_what_others_chose_and_what_is_open_changes_nothing(tmp_path: Path, level: Level) -> None:
    at = playing(tmp_path, HARD, first=0)
    roll(at.table, DICE)
    alone = decide(at.game, 1, level, seed=5)
    at.play(Crossed(0, Cell.parse("R7")))
    at.play(Crossed(1, Cell.parse("B7")))
    assert decide(at.game, 1, level, seed=5) == alone


def test_who_was_killed_between_crossing_and_done_goes_on_with_it(tmp_path: Path) -> None:
    at = playing(tmp_path, HARD, first=0, house=HURRIED)
    roll(at.table, "W1 W1 R2 Y5 G6 B1")
    chosen = decide(at.game, 1, HARD, seed=0)
    assert isinstance(chosen, Cell)
    at.play(Crossed(1, chosen))
    at.table.journal.close()
    table = Table(Journal(tmp_path))
    again = Playing(table, at.clock, Company(table, FaultBarrier(BoxPart.COMPANY), at.clock))
    assert again.deciding() == (0, 1)
    again.look()
    assert again.deciding() == (0,)
    assert again.game.turn is not None
    assert again.game.turn.choices[1] == chosen


def test_a_choice_it_would_not_make_is_taken_back_first(tmp_path: Path) -> None:
    """Somebody helped, or the dice were corrected."""
    at = playing(tmp_path, HARD, first=0, house=HURRIED)
    roll(at.table, "W6 W6 R2 Y5 G6 B1")
    at.play(Crossed(1, Cell.parse("G12")))
    wanted = decide(at.game, 1, HARD, seed=0)
    at.look()
    assert at.game.turn is not None
    assert at.game.turn.choices[1] == wanted


CLOSES, COULD = "R2 R3 R4 R5 R6", "R2 R3 R4 R5 R7"


def test_a_closing_that_is_announced_makes_it_decide_again(tmp_path: Path) -> None:
    at = playing(tmp_path, HARD, first=0, house=HURRIED)
    for seat, sheet in enumerate((CLOSES, COULD)):
        at.play(SheetCorrected(0, seat, Sheet.parse(sheet)))
    roll(at.table, "W6 W6 R2 Y5 G6 B1")
    at.look()
    assert at.deciding() == (0,)
    at.play(TookBack(1))
    at.play(Done(1))
    at.play(Crossed(0, Cell.parse("R12")))
    assert at.deciding() == (0, 1)
    at.look()
    assert at.deciding() == (0,)


def test_corrected_dice_are_decided_on_anew(tmp_path: Path) -> None:
    at = playing(tmp_path, HARD, first=0, house=HURRIED)
    roll(at.table, DICE)
    at.look()
    at.play(DiceCorrected(0, Roll.parse("W1 W1 R2 Y5 G6 B1")))
    at.look()
    assert at.game.turn is not None
    assert at.game.turn.choices[1] == decide(at.game, 1, HARD, seed=0)
    assert at.deciding() == (0,)


@pytest.mark.parametrize("level", Level)
def test_a_turn_that_is_opened_again_goes_as_it_went(tmp_path: Path, level: Level) -> None:
    at = playing(tmp_path, level, first=1, house=HURRIED)
    roll(at.table, DICE)
    at.play(Done(0))
    at.look()
    at.look()
    before = at.game.sheets
    at.play(Reopened(0))
    at.play(Done(0))
    at.look()
    at.look()
    assert at.game.sheets == before


def test_whoever_sits_out_has_nothing_to_decide_for_it(tmp_path: Path) -> None:
    at = playing(tmp_path, HARD, EASY, first=0, house=HURRIED)
    at.play(SatOut(0, 1))
    roll(at.table, DICE)
    at.look()
    at.play(Done(0))
    at.look()
    at.play(Done(0))
    assert at.game.active == 2
    assert not at.game.sheets[1].cells


def test_what_the_table_moved_on_from_is_left(tmp_path: Path) -> None:
    at = playing(tmp_path, HARD, first=0, house=HURRIED)
    roll(at.table, DICE)
    old = at.table.snapshot
    at.play(DiceCorrected(0, Roll.parse("W1 W1 R2 Y5 G6 B1")))
    at.company.play(old)
    assert at.deciding() == (0, 1)


def test_a_full_disk_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    at = playing(tmp_path, HARD, first=0, house=HURRIED)
    roll(at.table, DICE)

    def full(*_: object, **__: object) -> None:
        raise JournalFullError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(at.table.journal, "append", full)
        at.look()
        assert at.deciding() == (0, 1)
    at.look()
    assert at.deciding() == (0,)


def test_a_judgement_that_cannot_be_read_makes_nobody_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def unread(*_: object) -> None:
        raise WeightsError("the weights cannot be read")

    monkeypatch.setattr("companion.play.advice.judgement", unread)
    at = playing(tmp_path, HARD, first=1, house=HURRIED)
    roll(at.table, DICE)
    at.look()
    at.play(Done(0))
    at.look()
    at.look()
    assert at.phase() is Phase.ROLL
    assert caplog.messages == ["the weights cannot be read; hard plays as medium"]


SETUPS: list[dict[str, object]] = [
    {"layout": layout_named("mixx-a")},
    {"layout": layout_named("mixx-b")},
    {"edition": Edition.ON_BOARD, "board": house_board().front},
    {"house": HouseRules(LocksTakeEffect.END_OF_TURN, pass_by_itself=False, pace=Pace.AT_ONCE)},
]


@pytest.mark.parametrize("setup", SETUPS, ids=["mixx-a", "mixx-b", "on-board", "by-hand"])
def test_it_plays_every_sheet_board_and_house_rule_by_the_rules(
    tmp_path: Path, setup: dict[str, object]
) -> None:
    at = playing(tmp_path, HARD, MEDIUM, EASY, first=1, **{"house": HURRIED, **setup})
    for dice in (DICE, "W6 W6 R2 Y5 G6 B1", "W1 W2 R3 Y4 G5 B6"):
        roll(at.table, dice)
        for _ in range(4):
            if 0 in at.deciding() and at.phase() is Phase.FIRST:
                at.play(Done(0))
            at.look()
        assert at.phase() is Phase.ROLL
    assert at.game.active == 0
    assert all(sheet.cells or sheet.misthrows for sheet in at.game.sheets[1:])


def test_its_thread_plays_and_ends(tmp_path: Path) -> None:
    at = playing(tmp_path, HARD, first=0, house=HURRIED)
    at.company.start()
    try:
        roll(at.table, DICE)
        assert until(lambda: at.deciding() == (0,))
    finally:
        at.company.stop()
        at.company.join()
