"""The commands `boxlid legal` and `boxlid replay`: answers line by line, broken lines named, exit codes."""

import io
import json
import sys
from pathlib import Path

import pytest

from companion.cli import COMMANDS, main
from companion.game.games import game_json
from tests.random_games import any_record

VECTORS = Path(__file__).parent / "vectors"


OVER = json.dumps(
    {
        "sheets": [
            {"rows": {"red": [], "yellow": [], "green": [], "blue": []}, "penalties": 0},
        ],
        "dice": {"white": [1, 2], "yellow": 3, "green": 4},
        "active": 0,
        "locked": ["red", "blue"],
    }
).encode()


def give(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


def test_legal_answers_every_state_in_order(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (VECTORS / "states.jsonl").read_bytes()
    give(monkeypatch, text)
    assert main(["legal"]) == 0
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    states = [json.loads(line) for line in text.splitlines()]
    assert len(answers) == len(states)
    for state, answer in zip(states, answers, strict=True):
        assert answer == {key: state[key] for key in ("action1", "action2", "scores")}


@pytest.mark.parametrize(
    ("broken", "complaint"),
    [
        (b"{", "line 2: this is no JSON: "),
        (b"[]", "line 2: a state is an object, got []"),
        (b"{}", "line 2: a state has no 'sheets'"),
        (b"\xff\xfe", "line 2: this is no"),
        (b"[" * 100_000, "line 2: this"),
        (b"9" * 5000, "line 2: this JSON cannot be read"),
        (b"NaN", "line 2: a state is an object, got nan"),
        (OVER, "line 2: this game is over, nothing is legal: blue and red are closed"),
    ],
)
def test_legal_names_a_broken_line_and_goes_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], broken: bytes, complaint: str
) -> None:
    good = (VECTORS / "states.jsonl").read_bytes().splitlines()[0]
    give(monkeypatch, b"\n".join([good, broken, b"", good]))
    assert main(["legal"]) == 1
    said = capsys.readouterr()
    first, error, last = [json.loads(line) for line in said.out.splitlines()]
    assert first == last
    assert error["line"] == 2
    assert said.err.startswith(f"boxlid legal: {complaint}")
    assert len(said.err.splitlines()) == 1


def test_replay_says_that_games_agree(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(VECTORS / "games.jsonl")]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "10 games, 10 agree with the rules, 0 do not"


def test_replay_says_where_a_record_and_the_rules_part_and_names_broken_lines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own, wrong = game_json(any_record(1)), dict(game_json(any_record(2)))
    wrong["final_scores"] = [1]
    path = tmp_path / "games.jsonl"
    path.write_text("\n".join([json.dumps(own), json.dumps(wrong), "", "{broken", '{"players": 9}']))
    assert main(["replay", str(path), "--quiet"]) == 1
    said = capsys.readouterr()
    assert said.out.splitlines()[0].startswith("line 2: final_scores: the record has [1], the rules")
    assert said.out.splitlines()[-1] == "4 games, 1 agree with the rules, 3 do not"
    no_json, no_game = said.err.splitlines()
    assert no_json.startswith("boxlid replay: line 4: this is no JSON: ")
    assert no_game == "boxlid replay: line 5: players is 1 to 5, got 9"


def test_replay_reads_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    give(monkeypatch, (VECTORS / "games.jsonl").read_bytes().splitlines()[0])
    assert main(["replay", "-"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "line 1: agrees"


def test_replay_of_a_missing_file_is_one_line_and_exit_code_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", str(tmp_path / "none.jsonl")]) == 1
    error = capsys.readouterr().err
    assert error.startswith("boxlid replay: a file of games is wanted, ")
    assert len(error.splitlines()) == 1


def test_a_wrong_call_is_exit_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    for call in (["replay"], ["dance"], ["replay", "--dance", "x"]):
        with pytest.raises(SystemExit) as caught:
            main(call)
        assert caught.value.code == 2
        error = capsys.readouterr().err
        assert error.startswith("boxlid")
        assert "--help" in error
        assert len(error.splitlines()) == 1


def test_a_call_without_a_command_lists_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    error = capsys.readouterr().err
    assert "usage: boxlid" in error
    assert all(name in error for name in COMMANDS)
