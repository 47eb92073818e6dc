"""A game turn by turn: what counted in the end, who crossed what, and nothing of an open action."""

import contextlib
import json
import random
from pathlib import Path

import pytest

from companion.benchmarks.wishes import wish
from companion.game import EndedBy, Event, Game, HouseRules, Phase, Setup, Source, parse_event
from companion.game.games import differences, game_json
from companion.game.record import Record
from companion.journal.journal import Journal
from companion.past.records import by_game, export_game, record_of
from companion.past.turns import StepKind, crosses_on_others_turns, replay, rounds
from companion.rules import Cell, Roll, RuleError
from companion.table.table import Command, Table
from tests.random_games import any_record

SETUP = Setup(("Anna", "Ben"), house=HouseRules(pass_by_itself=False))
ROLL = "rolled W3 W4 R2 Y5 G6 B1 by camera"
TURN = (ROLL, "0 crosses R7 in 1", "1 crosses G7 in 1", "0 crosses Y9 in 2", "0 done", "1 done", "0 done")


def record(*lines: str, setup: Setup = SETUP) -> Record:
    return Record(setup, tuple(map(parse_event, lines)))


def cells(*texts: str | None) -> tuple[Cell | None, ...]:
    return tuple(None if text is None else Cell.parse(text) for text in texts)


def test_a_turn_tells_the_dice_who_crossed_what_and_how_it_stood() -> None:
    (step,) = replay(record(*TURN)).steps
    assert (step.kind, step.number, step.active, step.complete) == (StepKind.TURN, 1, 0, True)
    assert step.roll == Roll.parse("W3 W4 R2 Y5 G6 B1")
    assert (step.choices, step.second) == (cells("R7", "G7"), Cell.parse("Y9"))
    assert [str(sheet) for sheet in step.sheets] == ["R7 Y9", "G7"]
    assert (step.scores, step.misthrow) == ((2, 1), False)


@pytest.mark.parametrize("seed", range(12))
def test_every_game_has_the_turns_that_its_record_tells_and_the_end_it_came_to(seed: int) -> None:
    played = any_record(seed)
    found = replay(played)
    assert found.end == played.play()
    told = game_json(played)["turns"]
    assert isinstance(told, list)
    assert [list(step.scores) for step in found.steps] == [turn["scores"] for turn in told]
    assert [step.active for step in found.steps] == [turn["active"] for turn in told]
    assert [step.number for step in found.steps] == list(range(1, len(told) + 1))
    assert found.steps[-1].sheets == found.end.sheets
    assert found.trouble is None


@pytest.mark.parametrize("seed", range(3))
def test_corrected_and_reopened_games_come_to_their_end_and_go_out_by_the_rules(
    tmp_path: Path, seed: int
) -> None:
    rng = random.Random(seed)
    with Journal(tmp_path) as journal:
        table = Table(journal)
        for _ in range(1200):
            with contextlib.suppress(RuleError):  # a correction that cannot be
                table.play(Command(wish(table.snapshot, rng)))
        games = by_game(journal.entries())
    assert len(games) > 1
    for entries in games:
        played = record_of(entries)
        found = replay(played)
        assert (found.end, found.trouble) == (played.play(), None)
        turns = [step.number for step in found.steps if step.kind is StepKind.TURN]
        assert turns == list(range(1, len(turns) + 1))
        assert list(differences(json.loads(json.dumps(export_game(entries))))) == []


def test_choices_of_an_open_action_are_not_told() -> None:
    """While others decide, nothing; in action 2, what action 1 came to and not what is being chosen."""
    first = replay(record(*TURN[:5])).steps[-1]
    assert (first.complete, first.choices, first.second) == (False, cells(None, None), None)
    assert [str(sheet) for sheet in first.sheets] == ["empty", "empty"]
    second = replay(record(*TURN[:6])).steps[-1]
    assert (second.complete, second.choices, second.second) == (False, cells("R7", "G7"), None)
    assert list(rounds(replay(record(*TURN[:6])).steps)) == []


def test_a_misthrow_is_told_of_the_turn_it_was_made_in() -> None:
    steps = replay(record(ROLL, "0 done", "1 done", "0 done", ROLL, "0 done", "1 crosses R7 in 1")).steps
    assert [step.misthrow for step in steps] == [True, False]
    assert steps[0].scores == (-5, 0)


def test_a_corrected_roll_is_the_one_that_counts_and_keeps_its_source() -> None:
    found = replay(record(ROLL, "0 corrects dice W6 W4 R2 Y5 G6 B1", *TURN[4:6]))
    assert found.steps[0].roll == Roll.parse("W6 W4 R2 Y5 G6 B1")
    assert [(str(throw.roll), throw.source) for throw in found.throws] == [
        ("W6 W4 R2 Y5 G6 B1", Source.CAMERA)
    ]


def test_a_turn_played_again_takes_the_place_of_what_was_there_and_the_throws_stay_thrown() -> None:
    back = (
        "rolled W1 W1 R1 Y1 G1 B1 by virtual",
        "1 reopens 1",
        "0 crosses B7 in 1",
        "0 done",
        "1 done",
        "0 done",
    )
    found = replay(record(*TURN, *back, "0 corrects dice W5 W5 R2 Y5 G6 B1"))
    assert [step.number for step in found.steps] == [1]
    assert [(str(throw.roll), throw.source) for throw in found.throws] == [
        ("W5 W5 R2 Y5 G6 B1", Source.CAMERA),
        ("W1 W1 R1 Y1 G1 B1", Source.VIRTUAL),
    ]


def test_a_corrected_sheet_is_a_step_of_its_own_between_turns_and_before_the_turn_it_was_made_in() -> None:
    found = replay(record(*TURN, "1 corrects sheet 0 R2 R3 R4", *TURN[:1]))
    assert [(step.kind, step.number) for step in found.steps] == [
        (StepKind.TURN, 1),
        (StepKind.SHEET, 2),
        (StepKind.TURN, 2),
    ]
    assert (found.steps[1].active, str(found.steps[1].sheets[0]), found.steps[1].roll) == (
        0,
        "R2 R3 R4",
        None,
    )
    locked = "0 corrects sheet 0 R2 R3 R4 R5 R6 R12"
    closed = replay(record(ROLL, locked))
    assert [step.kind for step in closed.steps] == [StepKind.SHEET, StepKind.TURN]
    assert [change.after for change in closed.steps[0].changes] == ["R2", "R3", "R4", "R5", "R6", "R12"]
    assert closed.end.phase is Phase.FIRST


def test_what_was_chosen_in_advance_and_never_crossed_is_not_told_nor_exported() -> None:
    sheets = ("R2 R3 R4 R5 R6 R7", "Y2 Y3 Y4 Y5 Y6 Y7")
    start = [f"0 corrects sheet {seat} {sheet}" for seat, sheet in enumerate(sheets)]
    turn = (
        "rolled W6 W6 R1 Y1 G1 B1 by hand",
        "0 crosses R12 in 1",
        "1 crosses Y12 in 1",
        "0 crosses G7 in 2",
    )
    played = record(*start, *turn, "0 done", "1 done")
    step = replay(played).steps[-1]
    assert (step.choices, step.second, step.complete) == (cells("R12", "Y12"), None, True)
    assert played.play().ended_by is EndedBy.LOCKS
    told = game_json(played)["turns"]
    assert isinstance(told, list)
    assert [turn.get("choice2") for turn in told] == [None]


def test_a_game_stopped_in_the_midst_of_a_turn_leaves_that_turn_open() -> None:
    found = replay(record(*TURN[:5], "1 stops"))
    assert (found.end.ended_by, found.steps[-1].complete) == (EndedBy.STOPPED, False)
    assert found.steps[-1].choices == cells(None, None)


def test_an_event_that_cannot_be_is_named_and_what_was_before_it_stays() -> None:
    found = replay(record(*TURN, "0 done", ROLL))
    assert found.trouble == "event 8 of the game cannot be: seat 0 has nothing to decide, the game is at roll"
    assert len(found.steps) == 1


def test_crosses_on_others_turns_are_those_of_action_1_on_somebody_elses_roll() -> None:
    steps = replay(record(*TURN)).steps
    assert [crosses_on_others_turns(steps, seat) for seat in (0, 1)] == [0, 1]


def positions(events: tuple[Event, ...]) -> list[Game]:
    return list(Record(SETUP, events).positions())


def test_what_action_2_crossed_is_nothing_before_it_was() -> None:
    found = positions(record(*TURN).events)
    assert [str(game.second_crossed) for game in (found[0], found[4], found[6], found[7])] == [
        "None",
        "None",
        "None",
        "Y9",
    ]
