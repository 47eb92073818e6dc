"""boxlid replay: recorded games played through the rules, and where a record and the rules part."""

import argparse
import sys

from companion.commands.json_lines import json_lines, lines_of, parse_json
from companion.game.games import differences
from companion.rules import NotationError, RuleError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="games as JSON lines; - for standard input")
    parser.add_argument("--quiet", action="store_true", help="say nothing of games that agree")


def run(options: argparse.Namespace) -> int:
    """Exit code 0: every game agrees. 1: some do not, or a line is broken."""
    games = agreeing = 0
    for number, line in json_lines(lines_of(options.file)):
        games += 1
        try:
            found = [str(difference) for difference in differences(parse_json(line))]
        except (NotationError, RuleError) as error:
            print(f"boxlid replay: line {number}: {error}", file=sys.stderr)
            continue
        for text in found:
            print(f"line {number}: {text}")
        agreeing += not found
        if not found and not options.quiet:
            print(f"line {number}: agrees")
    print(f"{games} games, {agreeing} agree with the rules, {games - agreeing} do not")
    return 0 if agreeing == games else 1
