"""States and games checked against independent engines, and the JSON formats from both sides."""

import json
from pathlib import Path

import pytest

from companion.game import DiceCorrected, HouseRules, Reopened, Rolled, Setup, SheetCorrected, Stopped
from companion.game.fields import a_cell, a_roll, a_sheet, sheet_json
from companion.game.games import a_record, differences, game_json
from companion.game.record import Record
from companion.game.states import a_state
from companion.rules import COLOURS, NotationError, Roll, Sheet
from tests.random_games import any_record

VECTORS = Path(__file__).parent.parent / "vectors"
STATES = [json.loads(line) for line in (VECTORS / "states.jsonl").read_text().splitlines()]
GAMES = [json.loads(line) for line in (VECTORS / "games.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("state", STATES, ids=range(len(STATES)))
def test_a_state_has_the_legal_crosses_and_scores_of_two_other_engines(state: dict[str, object]) -> None:
    answer = a_state(state).answer()
    assert {key: state[key] for key in answer} == answer


@pytest.mark.parametrize("game", GAMES, ids=range(len(GAMES)))
def test_a_recorded_game_agrees_with_the_rules(game: dict[str, object]) -> None:
    assert list(differences(game)) == []


@pytest.mark.parametrize("seed", range(20))
def test_our_own_game_agrees_with_the_rules_and_comes_back_whole(seed: int) -> None:
    record = any_record(seed)
    told = json.loads(json.dumps(game_json(record)))
    assert list(differences(told)) == []
    assert a_record(told) == record


def test_a_game_told_without_its_events_still_agrees() -> None:
    setup = Setup(("Anna", "Max"), first=1, house=HouseRules(pass_by_itself=True))
    told = dict(game_json(any_record(3, setup, eager=1.0)))
    del told["setup"], told["events"]
    assert list(differences(json.loads(json.dumps(told)))) == []


def corrected_game() -> Record:
    """A game with a misread die, a reopened turn and a corrected sheet in it, stopped in the end."""
    whole = any_record(8, eager=1.0)
    half = whole.events[: len(whole.events) // 2]
    game = Record(whole.setup, half).play()
    assert game.turn is not None
    roll = game.turn.roll
    other = Roll.of((roll.white[1], roll.white[0]), roll.coloured)
    events = (*half, DiceCorrected(0, other), Reopened(0), SheetCorrected(0, 0, game.sheets[0]), Stopped(0))
    return Record(whole.setup, events)


def test_a_game_with_corrections_is_told_as_it_counts_in_the_end_and_comes_back_whole() -> None:
    record = corrected_game()
    told = json.loads(json.dumps(game_json(record)))
    assert told["ended_by"] == "stopped"
    assert list(differences(told)) == []
    assert a_record(told) == record


def test_an_unfinished_game_has_no_final_scores() -> None:
    whole = any_record(5)
    half = Record(whole.setup, whole.events[:7])
    told = json.loads(json.dumps(game_json(half)))
    assert (told["final_scores"], told["ended_by"]) == (None, None)
    assert list(differences(told)) == []


# --- where a record and the rules part -------------------------------------------------------------------


def parted(game: dict[str, object], turn: int | None = None, **changes: object) -> list[str]:
    """What is said of the first game once some of its entries are others."""
    game = json.loads(json.dumps(game))
    place = game if turn is None else game["turns"][turn]  # type: ignore[index]
    place.update(changes)
    return [str(difference) for difference in differences(game)]


def test_a_wrong_score_is_said_with_its_turn() -> None:
    assert parted(GAMES[0], turn=2, scores=[3, 5]) == [
        "turn 3: scores: the record has [3, 5], the rules [3, 4]"
    ]


def test_a_legal_cross_left_out_is_said() -> None:
    said = parted(GAMES[0], turn=0, legal2=[["blue", 8], ["green", 9]])
    assert said == [
        'turn 1: legal2: the record has [["blue", 8], ["green", 9]], '
        'the rules [["blue", 8], ["green", 9], ["red", 5]]'
    ]


def test_legal_crosses_compare_in_any_order() -> None:
    assert parted(GAMES[0], turn=0, legal2=[["red", 5], ["green", 9], ["blue", 8]]) == []


def test_a_choice_that_the_rules_refuse_ends_the_comparison() -> None:
    said = parted(GAMES[0], turn=0, choice2=["red", 6])
    assert said == ['turn 1: the record goes on, the rules refuse: illegal cross: R6 was not rolled in "Y8"']


def test_a_wrong_active_player_ends_the_comparison() -> None:
    assert parted(GAMES[0], turn=1, active=0) == ["turn 2: the record has player 0 active, the rules 1"]


def test_a_record_that_goes_on_after_the_end_is_said() -> None:
    turns = GAMES[0]["turns"]
    last = len(turns)
    assert parted(GAMES[0], turns=[*turns, turns[0]]) == [
        f"turn {last + 1}: the game was over by penalties, the record goes on"
    ]


def test_a_record_that_ends_too_early_is_said() -> None:
    assert parted(GAMES[0], turns=GAMES[0]["turns"][:3]) == ["the record ends, the rules go on"]


def test_an_action_2_after_the_game_ended_in_action_1_is_said() -> None:
    ended_in_1 = next(game for game in GAMES if "legal2" not in game["turns"][-1])
    said = parted(ended_in_1, turn=-1, choice2=["red", 7])
    assert said == [
        f"turn {len(ended_in_1['turns'])}: the record goes on, the rules refuse: "
        "the game ended in action 1, there is no action 2 for R7"
    ]


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"legal2": []}, "legal2: the record has [], but the game was over by locks"),
        ({"choice2": None}, "choice2: the record has null, but the game was over by locks"),
        ({"landing": None}, "landing: the record has null, but the game was over by locks"),
    ],
)
def test_what_a_record_lists_after_the_game_ended_in_action_1_is_said(
    change: dict[str, object], text: str
) -> None:
    ended_in_1 = next(game for game in GAMES if "legal2" not in game["turns"][-1])
    assert parted(ended_in_1, turn=-1, **change) == [f"turn {len(ended_in_1['turns'])}: {text}"]


def test_what_is_listed_after_the_end_is_said_of_our_own_games_too() -> None:
    games = (game_json(any_record(seed, eager=1.0)) for seed in range(200))
    told = next(game for game in games if game["ended_by"] and "legal2" not in game["turns"][-1])  # type: ignore[index]
    said = parted(dict(told), turn=-1, legal2=[["red", 7]])
    assert said == [
        f'turn {len(told["turns"])}: legal2: the record has [["red", 7]], '  # type: ignore[arg-type]
        f"but the game was over by {told['ended_by']}"
    ]


def test_a_wrong_end_is_said() -> None:
    assert parted(GAMES[0], ended_by="locks") == ['ended_by: the record has "locks", the rules "penalties"']


def test_events_that_do_not_make_the_turns_beside_them_are_said() -> None:
    told = json.loads(json.dumps(game_json(any_record(1))))
    fewer = {**told, "turns": told["turns"][:-1]}
    said = [str(difference) for difference in differences(fewer)]
    assert said == [f"the record has {len(told['turns']) - 1} turns, its events make {len(told['turns'])}"]
    illegal = {**told, "events": ["0 done", *told["events"]]}
    assert "event 1 (0 done): nobody has rolled yet" in [
        str(difference) for difference in differences(illegal)
    ]


# --- broken JSON -----------------------------------------------------------------------------------------

GOOD = STATES[0]


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"sheets": []}, "a state has 1 to 5 sheets, got 0"),
        ({"sheets": 3}, "sheets is a list, got 3"),
        ({"sheets": [{}]}, "sheet 0 has no 'rows'"),
        ({"sheets": [[]]}, "sheet 0 is an object, got []"),
        (
            {"sheets": [{"rows": {"red": []}, "penalties": 0}]},
            "the rows of sheet 0 are red, yellow, green, blue",
        ),
        ({"active": 5}, "active is 0 to 4, got 5"),
        ({"active": True}, "active is 0 to 4, got True"),
        ({"locked": ["white"]}, "a locked row is one of red, yellow, green, blue, got 'white'"),
        ({"locked": [["red"]]}, "a locked row is one of red, yellow, green, blue, got ['red']"),
        ({"locked": ["red"]}, "the coloured dice of dice are those of the open rows, blue green yellow"),
        ({"dice": {"white": [1, 2, 3]}}, "white of dice is two dice, got [1, 2, 3]"),
        ({"dice": {"white": [1, 7]}}, "a white die of dice is 1 to 6, got 7"),
        (
            {"dice": {"white": [1, 2], "pink": 1}},
            "a die of dice is one of red, yellow, green, blue, got 'pink'",
        ),
        ({"dice": {"white": [1, 2], "red": "1"}}, "the red die of dice is 1 to 6, got '1'"),
    ],
)
def test_a_broken_state_says_what_is_wrong(change: dict[str, object], complaint: str) -> None:
    with pytest.raises(NotationError) as caught:
        a_state({**GOOD, **change})
    assert complaint in str(caught.value)


def rows(**changes: list[object]) -> dict[str, object]:
    return {"rows": {colour.value: [] for colour in COLOURS} | changes, "penalties": 0}


@pytest.mark.parametrize(
    ("sheet", "complaint"),
    [
        (rows(red=[3, 2]), "positions rise from left to right, got 2 after 3 in it"),
        (rows(red=[11]), "a position in the red row of it is 0 to 10, got 11"),
        (rows(red=[1.0]), "a position in the red row of it is 0 to 10, got 1.0"),
        (rows(red=[0, 10]), "it: illegal cross: R12 needs five crosses, has one in"),
        ({**rows(), "penalties": 5}, "penalties of it is 0 to 4, got 5"),
        ({**rows(), "penalties": None}, "penalties of it is 0 to 4, got None"),
    ],
)
def test_a_broken_sheet_says_what_is_wrong(sheet: dict[str, object], complaint: str) -> None:
    with pytest.raises(NotationError) as caught:
        a_sheet(sheet, "it")
    assert complaint in str(caught.value)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"locked": ["red", "blue"]}, "this game is over, nothing is legal: blue and red are closed"),
        (
            {"sheets": [rows(), {**rows(), "penalties": 4}], "active": 0, "locked": []},
            "this game is over, nothing is legal: sheet 1 has 4 penalties",
        ),
    ],
)
def test_a_state_of_a_game_that_is_over_is_named(change: dict[str, object], complaint: str) -> None:
    with pytest.raises(NotationError) as caught:
        a_state({**GOOD, **change})
    assert str(caught.value) == complaint


def test_a_sheet_that_closed_a_row_wants_it_locked() -> None:
    closed = rows(red=[0, 1, 2, 3, 4, 10])
    with pytest.raises(NotationError, match="sheet 0 closed red, but red is not in locked"):
        a_state({**GOOD, "sheets": [closed], "active": 0})


def test_a_sheet_reads_back_what_it_writes_as_json() -> None:
    sheet = Sheet.parse("R2 R3 R4 R5 R6 R12 G9 M2")
    assert a_sheet(sheet_json(sheet), "it") == sheet


def test_crosses_and_rolls_that_are_none_say_so() -> None:
    assert a_cell(None, "it") is None
    with pytest.raises(NotationError, match="it is a colour and a number, got"):
        a_cell(["red"], "it")
    with pytest.raises(NotationError, match="it has no 'white'"):
        a_roll({"red": 1}, "it")
    with pytest.raises(NotationError, match="it is an object, got"):
        a_roll("W1 W2" * 40, "it")


def test_a_broken_game_says_where() -> None:
    turns = [{**GAMES[0]["turns"][0], "choice1": [None]}]
    with pytest.raises(NotationError, match="turn 1: choice1 has one entry for each of 2 players, got 1"):
        list(differences({**GAMES[0], "turns": turns}))
    with pytest.raises(NotationError, match="setup is a text, got 3"):
        a_record({"setup": 3, "events": []})


def test_an_own_record_on_board_names_a_landing() -> None:
    seeds = (seed for seed in range(100) if any_record(seed).setup.board is not None)
    told = game_json(any_record(next(seeds), eager=1.0))
    turns = told["turns"]
    assert isinstance(turns, list)
    assert any(turn.get("landing") is not None for turn in turns)


def test_a_turn_that_the_table_went_back_before_is_not_told() -> None:
    whole = any_record(5, Setup(("Anna", "Max")), eager=1.0)
    positions = list(Record(whole.setup, whole.events).positions())
    third_roll = [n for n, event in enumerate(whole.events) if isinstance(event, Rolled)][2]
    assert positions[third_roll].number == 3
    went_back = Record(whole.setup, (*whole.events[: third_roll + 1], Reopened(0, 2)))
    turns = game_json(went_back)["turns"]
    assert turns == []


def test_what_a_record_leaves_out_is_not_compared() -> None:
    game = json.loads(json.dumps(GAMES[0]))
    del game["turns"][0]["legal2"], game["turns"][0]["scores"]
    assert list(differences(game)) == []
