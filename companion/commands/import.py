"""boxlid import: finished games from JSON lines become history of the journal."""  # noqa: N999 - the name of the command

import argparse
import sys
from pathlib import Path

from companion.commands.json_lines import json_lines, lines_of, parse_json
from companion.journal.journal import Journal, JournalError
from companion.past.records import Importer
from companion.process.command_error import CallFault, CommandError
from companion.rules import NotationError, RuleError
from companion.settings.state_folder import default_state_folder


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="games as JSON lines; - for standard input")
    parser.add_argument("--state", metavar="DIR", type=Path, help="where the journal is kept")


def run(options: argparse.Namespace) -> int:
    """Exit code 0: every game is in the journal now. 1: some are not."""
    lines = lines_of(options.file)
    try:
        with Journal(options.state or default_state_folder()) as journal:
            return _keep(journal, lines)
    except JournalError as error:
        raise CommandError(CallFault.TEXT, text=str(error)) from None


def _keep(journal: Journal, lines: list[bytes]) -> int:
    importer = Importer(journal)
    kept = known = broken = 0
    for number, line in json_lines(lines):
        try:
            new = importer.keep(parse_json(line))
        except (NotationError, RuleError) as error:
            print(f"boxlid import: line {number}: {error}", file=sys.stderr)
            broken += 1
            continue
        kept += new
        known += not new
    print(f"{kept} games kept, {known} were there already, {broken} cannot be kept")
    return 1 if broken else 0
