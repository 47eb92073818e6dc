"""The fast game on the states and games that two other engines have checked."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.game.fields import a_cell, a_roll, cells_json
from companion.game.states import a_state
from companion.play.advice import Moment, dice_of
from companion.play.games import PASS, Dice, Games, Kind
from companion.rules import CLASSIC, COLOURS, Cell

VECTORS = Path(__file__).parent.parent / "vectors"
STATES = [json.loads(line) for line in (VECTORS / "states.jsonl").read_text().splitlines()]
GAMES = [json.loads(line) for line in (VECTORS / "games.jsonl").read_text().splitlines()]
JSON = dict[str, Any]


def first(games: Games, dice: Dice) -> list[object]:
    """The legal crosses of each seat, as the vectors tell them."""
    total = int(dice.white_sum[0])
    legal = games.legal_first(dice)[0]
    return [told(Cell(COLOURS[colour], total) for colour in np.flatnonzero(seat)) for seat in legal]


def second(games: Games, dice: Dice) -> object:
    return told(dice.second_cell(int(choice)) for choice in np.flatnonzero(games.legal_second(dice)[0]))


def told(cells: Any) -> object:
    return cells_json(tuple(set(cells)))


def chosen(value: object) -> int:
    cell = a_cell(value, "a choice")
    return PASS if cell is None else COLOURS.index(cell.colour)


def test_each_state_has_their_legal_crosses_and_scores() -> None:
    for number, state in enumerate(STATES):
        moment = Moment.of_state(a_state(state), 0, 1)
        assert first(moment.games, moment.dice) == state["action1"], number
        assert second(moment.games, moment.dice) == state["action2"], number
        assert moment.games.scores[0].tolist() == state["scores"], number


@pytest.mark.parametrize("game", GAMES, ids=range(len(GAMES)))
def test_each_game_goes_as_they_played_it(game: JSON) -> None:
    games = Games.begin(Kind(CLASSIC, game["players"]), np.array([game["first"]]))
    for turn in game["turns"]:
        dice = dice_of(a_roll(turn["dice"], "a turn"))
        assert games.active[0] == turn["active"]
        assert first(games, dice) == turn["legal1"]
        games.cross_first(dice, np.array([[chosen(cell) for cell in turn["choice1"]]]))
        assert second(games, dice) == turn.get("legal2", [])  # none if action 1 has ended the game
        if (cell := a_cell(turn.get("choice2"), "a choice")) is not None:
            games.cross_second(dice, np.array([dice.second_choice(cell)]))
        games.finish_turn()
        assert games.scores[0].tolist() == turn["scores"]
        assert games.misthrows[0].tolist() == turn["penalties"]
        assert {COLOURS[row] for row in np.flatnonzero(games.closed[0])} == set(turn["locked"])
    assert games.over[0]
    assert games.scores[0].tolist() == game["final_scores"]
