"""boxlid advise: states as JSON lines in, every legal choice out, best first, with what is expected of it."""

import argparse
import json
import sys
from collections.abc import Mapping

from companion.commands.json_lines import json_lines, parse_json
from companion.game.fields import an_integer, cell_json, need
from companion.game.states import a_state
from companion.play.advice import Moment, Weighed, weigh
from companion.play.judgement import WeightsError
from companion.play.reasons import reason
from companion.play.sentences import sentence
from companion.rules import NotationError
from companion.words import DEFAULT, Catalogue, catalogues


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--language", choices=catalogues(), default=DEFAULT, help="of the sentence why")
    parser.epilog = (
        'One state a line in, with "seat" and "action" (1, or 2 with the sheets as they are after action 1; '
        'then "crossed" tells whether action 1 crossed something); one line with choices and why out.'
    )


def run(options: argparse.Namespace) -> int:
    exit_code, words = 0, catalogues()[options.language]
    for number, line in json_lines(sys.stdin.buffer):
        try:
            answer = answer_to(parse_json(line), words)
        except (NotationError, WeightsError) as error:
            print(f"boxlid advise: line {number}: {error}", file=sys.stderr)
            answer = {"line": number, "error": str(error)}
            exit_code = 1
        print(json.dumps(answer, separators=(",", ":"), ensure_ascii=False), flush=True)
    return exit_code


def answer_to(value: object, words: Catalogue) -> Mapping[str, object]:
    moment = a_moment(value)
    choices = weigh(moment)
    return {
        "choices": [_choice(choice) for choice in choices],
        "why": sentence(reason(moment, choices), words),
    }


def a_moment(value: object) -> Moment:
    """The decision behind one JSON object; NotationError says what is wrong with it."""
    state = a_state(value)
    seat = an_integer(need(value, "seat", "a state"), "seat", 0, len(state.sheets) - 1)
    action = an_integer(need(value, "action", "a state"), "action", 1, 2)
    if action == 2 and seat != state.active:
        raise NotationError(f"action 2 is the active player's, seat {state.active}, got seat {seat}")
    for colour in state.closed - frozenset().union(*[sheet.locks for sheet in state.sheets]):
        raise NotationError(f"{colour} is locked, but no sheet closed it")
    crossed = value.get("crossed", False) if isinstance(value, dict) else False
    if not isinstance(crossed, bool):
        raise NotationError(f"crossed is true or false, got {crossed!r}")
    if crossed and not state.sheets[seat].cells:
        raise NotationError(f"crossed is true, but sheet {seat} has no cross")
    return Moment.of_state(state, seat, action, crossed=crossed)


def _choice(choice: Weighed) -> Mapping[str, object]:
    return {"cross": cell_json(choice.cell), "points": round(choice.points, 2), "win": round(choice.win, 4)}
