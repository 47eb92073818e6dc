"""The one table: check, keep, show; who may do what; corrections; moving on; waiting."""

from dataclasses import replace
from pathlib import Path

import pytest

from companion.game import Done, Game, Phase, Reopened, Setup, TookBack
from companion.journal import database
from companion.journal.journal import Doubt, DoubtKind, Journal, JournalFullError, JournalRefusedError
from companion.journal.lock import LOCK
from companion.rules import Cell, RuleError, Sheet
from companion.table.eyes import Eyes, EyesState, ShownDie
from companion.table.seats import Mark, SeatHeld, SeatLeft, SeatTaken
from companion.table.series import Series
from companion.table.snapshot import Correction, GameStarted, TableCleared
from companion.table.table import Command, StaleError, Table, replay
from tests.journals import no_file_longer_than
from tests.tabling import NAMES, ROLL, ask, game_of, open_table, play, playing, sit

# --- check, keep, show ---------------------------------------------------------------------------------


def test_what_is_played_is_kept_and_shown(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        table = Table(journal)
        shown = table.play(Command(SeatTaken("Anna", Mark.STAR, None), "c1", 0))
        assert shown is table.snapshot
        assert [seat.name for seat in shown.seats] == ["Anna"]
        (entry,) = journal.entries()
        assert (entry.line, entry.command, entry.seat) == ("seat taken star - Anna", "c1", 0)


@pytest.mark.parametrize(("state", "kept"), [(EyesState.ASK, 1), (EyesState.READY, 0)])
def test_what_the_camera_saw_last_stays_only_beside_the_answer_it_asked_for(
    state: EyesState, kept: int, tmp_path: Path
) -> None:
    with playing(tmp_path) as table:
        table.tell(Eyes(state, dice=(ShownDie("white", 3, 90, doubtful=False, crop="white-1"),)))
        eyes = play(table, ROLL.replace("by camera", "by hand")).eyes
        assert (eyes.state, len(eyes.dice)) == (EyesState.READY, kept)


def test_an_event_that_the_rules_refuse_is_neither_kept_nor_shown(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        table = Table(journal)
        before = table.snapshot
        with pytest.raises(RuleError, match="no game is being played"):
            table.play(Command(Done(0), "c1"))
        assert table.snapshot is before
        assert journal.entries() == ()
        assert not journal.knows("c1")


def test_an_event_that_cannot_be_kept_is_never_shown_and_can_be_sent_again(tmp_path: Path) -> None:
    with playing(tmp_path) as table:
        before, command = table.snapshot, replace(ask(ROLL), id="c1")
        with no_file_longer_than(0), pytest.raises(JournalFullError, match="nothing was changed"):
            table.play(command)
        assert table.snapshot is before
        assert table.play(command).version == before.version + 1
        after = table.snapshot
    with open_table(tmp_path) as table:
        assert table.snapshot == after


def test_a_command_sent_twice_is_carried_out_once(tmp_path: Path) -> None:
    with playing(tmp_path, ROLL) as table:
        command = replace(ask("0 crosses R7 in 1", 0), id="c1")
        shown = table.play(command)
        assert table.play(command) is shown
        play(table, "0 takes back")
        assert table.play(command) is table.snapshot
        assert game_of(table).turn is not None
        assert game_of(table).deciding == (0, 1, 2)
        after = table.snapshot
    with open_table(tmp_path) as table:  # after a restart too
        assert table.play(command) == after


def test_versions_rise_by_one_with_each_change(tmp_path: Path) -> None:
    with open_table(tmp_path) as table:
        versions = [
            table.play(Command(SeatTaken(n, m, None))).version for n, m in zip(NAMES, Mark, strict=False)
        ]
        versions.append(table.tell(Eyes(EyesState.READY)).version)
        assert versions == [1, 2, 3, 4]


def test_a_replay_equals_the_live_table(tmp_path: Path) -> None:
    with playing(tmp_path, ROLL, "0 crosses R7 in 1", "1 done", "0 done", "2 done") as table:
        before = table.snapshot
    with open_table(tmp_path) as table:
        assert table.snapshot == before
        assert game_of(table).phase is Phase.SECOND


def test_games_before_the_present_series_are_not_played_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_table(tmp_path) as table:
        sit(table)
        for number in (1, 1, 1, 2):
            table.play(Command(GameStarted(Setup(NAMES), 2, number)))
            play(table, "rolled W1 W1 R1 Y1 G1 B1 by camera")
            while game_of(table).phase is not Phase.OVER:
                play(
                    table,
                    *(
                        [ROLL]
                        if game_of(table).phase is Phase.ROLL
                        else [f"{game_of(table).deciding[0]} done"]
                    ),
                )
        before = table.snapshot
    begun: list[Setup] = []
    begin = Game.begin

    def noted(setup: Setup) -> Game:
        begun.append(setup)
        return begin(setup)

    monkeypatch.setattr(Game, "begin", noted)
    with open_table(tmp_path) as table:
        assert replace(table.snapshot, version=0) == replace(before, version=0)
        assert table.snapshot.series is not None
        assert len(table.snapshot.series.results) == 2
    assert len(begun) == 2


def test_a_journal_whose_entries_do_not_follow_is_refused_with_the_entry(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        journal.append("seat taken star - Anna")
        journal.append("0 done")
        with pytest.raises(JournalRefusedError, match="entry 2 of the journal does not follow: no game"):
            replay(journal)


def test_an_imported_game_never_comes_to_the_table(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        journal.append("seat taken star - Anna")
        journal.append_game([f"game imported 5.0 {Setup(NAMES)}", "0 stops"])
        assert replay(journal).game is None


def test_clock_jumps_of_years_do_not_matter(tmp_path: Path) -> None:
    times = iter([1e9, 5e9, -3e9, 0.0, 1e9])
    with Journal(tmp_path, clock=lambda: next(times, 2e9)) as journal:
        table = Table(journal)
        sit(table)
        table.play(Command(GameStarted(Setup(NAMES))))
        play(table, ROLL, "0 crosses R7 in 1")
        before = table.snapshot
        assert [entry.at for entry in journal.entries()][:4] == [1e9, 5e9, -3e9, 0.0]
    with open_table(tmp_path) as table:
        assert table.snapshot == before


# --- too late ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "meanwhile",
    [
        ["0 done", "1 done", "2 done"],
        ["0 corrects dice W3 W5 R2 Y5 G6 B1"],
        ["0 corrects dice W3 W4 R2 Y5 G6 B1"],
        ["1 corrects sheet 1 R2 R3"],
        ["2 reopens 0"],
        ["0 stops"],
    ],
)
def test_a_choice_made_before_the_table_moved_on_is_refused(tmp_path: Path, meanwhile: list[str]) -> None:
    with playing(tmp_path, ROLL) as table:
        moment = table.snapshot.moment
        before = play(table, *meanwhile)
        with pytest.raises(StaleError, match="the table has moved on"):
            table.play(ask("1 crosses R7 in 1", 1, moment=moment))
        assert table.snapshot is before


def test_choices_of_others_do_not_make_a_choice_too_late(tmp_path: Path) -> None:
    with playing(tmp_path, ROLL) as table:
        moment = table.snapshot.moment
        play(table, "0 crosses R7 in 1", "0 done", "2 done")
        table.tell(Eyes(EyesState.READY))
        table.play(ask("1 crosses R7 in 1", 1, moment=moment))
    with open_table(tmp_path / "lobby") as table:
        assert table.snapshot.moment == "lobby"


# --- who may -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "line", "seat", "refusal"),
    [
        ([], ROLL, 1, "Anna rolls"),
        ([ROLL], "1 crosses R7 in 1", 0, "seat 0 cannot play for seat 1 unless it says so"),
        ([ROLL], "1 done", 2, "seat 2 cannot play for seat 1"),
        ([ROLL], "1 corrects dice W3 W5 R2 Y5 G6 B1", 2, "seat 2 cannot play for seat 1"),
        ([ROLL], "0 reopens 0", 2, "seat 2 cannot play for seat 0"),
        ([ROLL], "1 done", 3, "seats are 0 to 2, got 3"),
        ([ROLL], "3 reopens 0", None, "seats are 0 to 2, got 3"),
        ([ROLL], "-1 stops", None, "seats are 0 to 2, got -1"),
        ([ROLL, "2 crosses R7 in 1"], "1 corrects dice W3 W5 R2 Y5 G6 B1", 1, "Anna corrects the dice"),
        ([ROLL, "0 crosses R3 in 2"], "1 corrects dice W3 W5 R2 Y5 G6 B1", 1, "Anna corrects the dice"),
    ],
)
def test_nobody_does_what_is_somebody_elses(
    tmp_path: Path, before: list[str], line: str, seat: int | None, refusal: str
) -> None:
    before = [one.replace("R3 in 2", "R5 in 2") for one in before]
    with playing(tmp_path, *before) as table:
        shown = table.snapshot
        with pytest.raises(RuleError, match=refusal):
            table.play(ask(line, seat))
        assert table.snapshot is shown


@pytest.mark.parametrize(
    ("before", "line", "seat"),
    [
        ([], ROLL, 0),
        ([], ROLL, None),
        ([ROLL], "1 crosses R7 in 1", 1),
        ([ROLL], "1 corrects dice W3 W5 R2 Y5 G6 B1", 1),
        ([ROLL, "2 crosses R7 in 1"], "0 corrects dice W3 W5 R2 Y5 G6 B1", 0),
        ([ROLL, "2 crosses R7 in 1"], "1 corrects dice W3 W5 R2 Y5 G6 B1", None),
        ([ROLL], "2 corrects sheet 0 R2", 2),
        ([ROLL], "2 stops", 2),
    ],
)
def test_each_does_what_is_theirs(tmp_path: Path, before: list[str], line: str, seat: int | None) -> None:
    with playing(tmp_path, *before) as table:
        shown = table.snapshot
        assert table.play(ask(line, seat)).version == shown.version + 1


def test_helping_another_is_allowed_once_it_is_said(tmp_path: Path) -> None:
    with playing(tmp_path) as table:
        table.play(ask(ROLL, 2, helping=True))
        table.play(ask("1 crosses R7 in 1", 0, helping=True))
        assert game_of(table).turn is not None


def test_seats_are_held_by_anybody_and_left_only_in_the_lobby(tmp_path: Path) -> None:
    with playing(tmp_path, ROLL) as table:
        assert table.play(Command(SeatHeld(1, "abc"), seat=2)).seats[1].holder == "abc"
        with pytest.raises(RuleError, match="seats change in the lobby"):
            table.play(Command(SeatLeft(1), seat=1))
    with open_table(tmp_path / "lobby") as table:
        sit(table)
        assert len(table.play(Command(SeatLeft(1), seat=0)).seats) == 2


# --- corrections ---------------------------------------------------------------------------------------


def test_r14_a_corrected_die_starts_the_turn_again_and_says_what_was_lost(tmp_path: Path) -> None:
    with playing(tmp_path, ROLL, "0 crosses R7 in 1", "1 crosses Y7 in 1") as table:
        shown = table.play(ask("0 corrects dice W3 W5 R2 Y5 G6 B1", 0))
        turn = game_of(table).turn
        assert turn is not None
        assert turn.choices == (None, None, None)
        assert set(turn.lost) == {(0, Cell.parse("R7")), (1, Cell.parse("Y7"))}
        assert isinstance(shown.corrected, Correction)


def test_r15_a_choice_is_taken_back_until_its_action_closes(tmp_path: Path) -> None:
    with playing(tmp_path, ROLL, "1 crosses R7 in 1", "1 done") as table:
        table.play(ask("1 takes back", 1))
        assert 1 in game_of(table).deciding
        play(table, "0 done", "1 crosses Y7 in 1", "1 done", "2 done")
        with pytest.raises(RuleError, match="no choice of an open action"):
            table.play(Command(TookBack(1), seat=1))


def test_r15_what_is_settled_changes_only_by_a_correction_that_all_see_and_the_record_keeps(
    tmp_path: Path,
) -> None:
    with playing(tmp_path, ROLL, "1 crosses R7 in 1", "0 done", "1 done", "2 done") as table:
        shown = table.play(ask("1 reopens 0", 1))
        assert shown.corrected == Correction(Reopened(1), 10, turn=1)
        assert game_of(table).phase is Phase.FIRST
        play(table, "0 done", "1 done", "2 done", "0 done")
        assert table.snapshot.corrected == shown.corrected  # in view until the next roll
    with open_table(tmp_path) as table:
        assert table.snapshot.corrected == shown.corrected
        assert play(table, ROLL).corrected is None


def test_r15_going_back_over_a_roll_is_announced(tmp_path: Path) -> None:
    with playing(tmp_path, ROLL, "0 done", "1 done", "2 done", "0 done", ROLL) as table:
        shown = table.play(ask("2 reopens 1", 2))
        assert shown.corrected is not None
        assert shown.corrected.what == Reopened(2, 1)
        assert game_of(table).number == 1


def test_a_corrected_sheet_is_announced_until_the_game_leaves_the_table(tmp_path: Path) -> None:
    with playing(tmp_path, ROLL) as table:
        shown = table.play(ask("2 corrects sheet 0 R2 R3", 2))
        assert shown.corrected is not None
        assert game_of(table).sheets[0] == Sheet.parse("R2 R3")
        play(table, "0 stops")
        assert table.play(Command(TableCleared())).corrected is None


def test_a_series_goes_on_over_a_restart(tmp_path: Path) -> None:
    with open_table(tmp_path) as table:
        sit(table)
        table.play(Command(GameStarted(Setup(NAMES), 3, 1)))
        assert table.snapshot.series == Series(NAMES, 3)
    with open_table(tmp_path) as table:
        assert table.snapshot.series == Series(NAMES, 3)
        assert database.check(tmp_path / "journal.db").last.id == 4


def test_what_may_be_missing_is_shown_until_somebody_decides(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        Table(journal)
    (tmp_path / LOCK).unlink()
    with Journal(tmp_path) as journal:
        table = Table(journal)
        assert table.snapshot.doubt == Doubt(DoubtKind.UNKNOWN)
        before = table.snapshot.version
        settled = table.settle()
        assert (settled.doubt, settled.version) == (None, before + 1)
    with Journal(tmp_path) as journal:
        assert Table(journal).snapshot.doubt is None


def test_who_waited_sits_down_and_who_is_not_named_leaves_when_the_next_game_starts(tmp_path: Path) -> None:
    with playing(tmp_path, "0 stops") as table:
        table.play(Command(SeatTaken("Zoe", Mark.STAR, None)))
        before = table.snapshot
        with pytest.raises(RuleError, match="the players are those on the seats"):
            table.play(Command(GameStarted(Setup(("Anna", "Nobody")))))
        assert table.snapshot is before  # nobody had to leave for a game that cannot be
        table.play(Command(GameStarted(Setup(("Anna", "Cleo", "Zoe")))))
        assert [seat.name for seat in table.snapshot.seats] == ["Anna", "Cleo", "Zoe"]
        assert (game_of(table).players, table.snapshot.waiting) == (3, ())
    with open_table(tmp_path) as again:
        assert [seat.name for seat in again.snapshot.seats] == ["Anna", "Cleo", "Zoe"]
