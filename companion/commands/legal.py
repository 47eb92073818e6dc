"""boxlid legal: states as JSON lines on standard input, legal crosses and scores out."""

import argparse
import json
import sys

from companion.commands.json_lines import json_lines, parse_json
from companion.game.states import a_state
from companion.rules import NotationError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "One state a line in; one line with action1, action2 and scores out, or with the error."


def run(options: argparse.Namespace) -> int:
    del options
    exit_code = 0
    for number, line in json_lines(sys.stdin.buffer):
        try:
            answer = dict(a_state(parse_json(line)).answer())
        except NotationError as error:
            print(f"boxlid legal: line {number}: {error}", file=sys.stderr)
            answer = {"line": number, "error": str(error)}
            exit_code = 1
        print(json.dumps(answer, separators=(",", ":")), flush=True)
    return exit_code
