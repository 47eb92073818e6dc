"""boxlid advise, through its door: states on standard input, ranked choices on standard output."""

import io
import json
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from companion.cli import main
from companion.game.states import a_state

STATES = (Path(__file__).parent.parent / "vectors" / "states.jsonl").read_text().splitlines()
EMPTY: Mapping[str, object] = {
    "rows": {"red": [], "yellow": [], "green": [], "blue": []},
    "penalties": 0,
}
OPENING: Mapping[str, object] = {
    "sheets": [EMPTY, EMPTY],
    "dice": {"white": [1, 1], "red": 1, "yellow": 5, "green": 5, "blue": 5},
    "active": 0,
    "locked": [],
    "seat": 0,
    "action": 1,
}


def advise(
    lines: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: str
) -> tuple[int, list[dict[str, object]], str]:
    text = "".join(f"{line}\n" for line in lines).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
    code = main(["advise", *words])
    shown = capsys.readouterr()
    return code, [json.loads(line) for line in shown.out.splitlines()], shown.err


def test_every_legal_choice_of_the_vectors_is_named_once_best_first(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked, wanted = [], []
    for line in STATES:
        state = json.loads(line)
        seat = state["active"]
        # an action 2 alone: what it may cross on the sheets as given
        for action, legal in ((1, state["action1"][seat]), (2, state["action2"])):
            asked.append(json.dumps({**state, "seat": seat, "action": action}))
            wanted.append(legal)
    code, answers, errors = advise(asked, monkeypatch, capsys)
    for answer, legal in zip(answers, wanted, strict=True):
        if "error" in answer:
            assert "the game is over" in str(answer["error"])
            continue
        choices = answer["choices"]
        assert isinstance(choices, list)
        crosses = [choice["cross"] for choice in choices]
        assert sorted(cross for cross in crosses if cross) == sorted(legal)
        assert crosses.count(None) == 1
        assert all(0 <= choice["win"] <= 1 for choice in choices)
        assert isinstance(answer["why"], str)
    assert (code == 1) == bool(errors)


def test_alone_one_wins_anyway_and_only_points_count(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _, (answer,), _ = advise([json.dumps({**OPENING, "sheets": [EMPTY]})], monkeypatch, capsys)
    choices = answer["choices"]
    assert isinstance(choices, list)
    assert all(choice["win"] == 1 for choice in choices)
    points = [choice["points"] for choice in choices]
    assert points == sorted(points, reverse=True)


def test_who_is_not_active_is_advised_on_action_1_only(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [json.dumps({**OPENING, "seat": 1}), json.dumps({**OPENING, "seat": 1, "action": 2})]
    code, (answer, error), said = advise(lines, monkeypatch, capsys)
    assert "choices" in answer
    assert error == {"line": 2, "error": "action 2 is the active player's, seat 0, got seat 1"}
    assert said.startswith("boxlid advise: line 2: ")
    assert code == 1


BROKEN = {
    "no json": "{",
    "no seat": json.dumps({key: value for key, value in OPENING.items() if key != "seat"}),
    "a seat that is not there": json.dumps({**OPENING, "seat": 2}),
    "an action that is not there": json.dumps({**OPENING, "action": 3}),
    "crossed is no word": json.dumps({**OPENING, "action": 2, "crossed": 1}),
    "crossed, and no cross anywhere": json.dumps({**OPENING, "action": 2, "crossed": True}),
    "a lock that nobody has": json.dumps(
        {**OPENING, "locked": ["red"], "dice": {"white": [1, 1], "yellow": 5, "green": 5, "blue": 5}}
    ),
    "a fourth misthrow": json.dumps({**OPENING, "sheets": [EMPTY, {**EMPTY, "penalties": 4}]}),
    "six players": json.dumps({**OPENING, "sheets": [EMPTY] * 6}),
}


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
def test_a_line_that_cannot_be_advised_on_is_named_and_the_others_go_on(
    broken: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, answers, said = advise([broken, json.dumps(OPENING)], monkeypatch, capsys)
    assert code == 1
    assert answers[0]["line"] == 1
    assert "choices" in answers[1]
    assert said.startswith("boxlid advise: line 1: ")
    assert said.count("\n") == 1


def test_a_pass_that_would_be_a_misthrow_is_worth_less_than_one_that_is_none(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    begun = {**EMPTY, "rows": {**EMPTY["rows"], "red": [0]}}  # type: ignore[dict-item]
    state = {**OPENING, "sheets": [begun, EMPTY], "action": 2}
    lines = [json.dumps({**state, "crossed": crossed}) for crossed in (True, False)]
    _, answers, _ = advise(lines, monkeypatch, capsys)
    saved, missed = (
        next(choice for choice in answer["choices"] if choice["cross"] is None)  # type: ignore[attr-defined]
        for answer in answers
    )
    assert saved["points"] > missed["points"] + 3


def test_the_sentence_is_said_in_the_language_asked_for(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lone = json.dumps({**OPENING, "dice": {"white": [6, 6], "red": 1, "yellow": 5, "green": 5, "blue": 5}})
    for language, wanted in (("en", "No number fits."), ("de", "Keine Zahl passt.")):
        sheets = [{**EMPTY, "rows": {**EMPTY["rows"], "green": [1], "blue": [1]}}, EMPTY]  # type: ignore[dict-item]
        line = json.dumps({**json.loads(lone), "sheets": sheets})
        _, answers, _ = advise([line], monkeypatch, capsys, "--language", language)
        assert answers[0]["why"] == wanted


def test_the_opening_is_a_state_of_the_format() -> None:
    assert a_state(OPENING).answer()["scores"] == [0, 0]


def test_what_the_others_will_choose_at_the_same_moment_is_weighed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Seat 0 can end the game by closing red, and is just ahead then: seat 1 has lost, whatever it does."""
    rows = {"red": [4, 5, 6, 7, 8, 9], "yellow": [0, 1, 2, 3, 4, 10], "green": [], "blue": []}
    behind = {"rows": {**rows, "red": [], "yellow": [], "green": [*range(1, 8)], "blue": [*range(1, 8)]}}
    sheets = [{"rows": rows, "penalties": 0}, {**behind, "penalties": 0}]
    dice = {"white": [6, 6], "red": 1, "green": 5, "blue": 5}
    state = {**OPENING, "sheets": sheets, "locked": ["yellow"], "dice": dice, "seat": 1}
    _, (answer,), said = advise([json.dumps(state)], monkeypatch, capsys)
    assert not said
    choices = answer["choices"]
    assert isinstance(choices, list)
    assert all(choice["win"] == 0 for choice in choices)
