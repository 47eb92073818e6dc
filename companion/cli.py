"""The command line: which commands there are; each is a module in companion/commands."""

import argparse
import importlib
import sys
from collections.abc import Sequence
from typing import NoReturn, Protocol, cast

from boxlid.errors import BoxlidError
from companion.process.command_error import CommandError
from companion.words import english

COMMANDS = {
    "run": "run the companion: table, phones, camera, panel",
    "read": "read the dice in photographs",
    "watch": "tell what goes on in a video or before a camera, and read the dice at rest",
    "calibrate": "learn the table from the empty lid and the six dice",
    "learn": "learn the dice of a calibrated table from a roll that people confirmed",
    "legal": "tell the legal crosses and scores of states",
    "advise": "tell what each legal cross of a state is worth, and why the best is best",
    "replay": "play recorded games through the rules and say where they part",
    "export": "write the games of the journal as JSON lines",
    "import": "add finished games to the journal, as history",
    "restore": "go on after damage to the journal: from a backup, or from what can be read",
    "doctor": "check camera, lid, pins, disk, clock, network name, power, heat",
    "panel-test": "light each lamp in turn, then try each button",
    "club": "serve a page for many tables: live, results, rankings, tournaments",
    "mqtt-accounts": "make accounts, rules and certificates for a broker",
    "bench": "measure speed and accuracy on this machine",
}


class Command(Protocol):
    """What a command module offers; `run` gives the exit code: 0 done, 1 could not, 2 wrong call."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None: ...

    def run(self, options: argparse.Namespace) -> int: ...


def command(name: str) -> Command:
    """The module of that command, imported only when it is called: a quick command stays quick."""
    return cast(Command, importlib.import_module(f"companion.commands.{name.replace('-', '_')}"))


class _Parser(argparse.ArgumentParser):
    """Its errors are one line, as all errors of the commands are."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}; {self.prog} --help tells more\n")


def main(arguments: Sequence[str] | None = None) -> int:
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    parser = _Parser(prog="boxlid", description="A companion for Qwixx with real dice.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, summary in COMMANDS.items():
        sub = commands.add_parser(name, help=summary, description=summary.capitalize() + ".")
        if name in arguments[:1]:
            command(name).add_arguments(sub)
    if not arguments:
        parser.print_help(sys.stderr)
        return 2
    options = parser.parse_args(arguments)
    try:
        return command(options.command).run(options)
    except BoxlidError as error:
        print(f"boxlid {options.command}: {english(error)}", file=sys.stderr)
        return error.exit_code if isinstance(error, CommandError) else 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # whoever read has had enough, as `head` has
        sys.stdout = None  # nothing is left to be written at the end
        return 0


if __name__ == "__main__":
    sys.exit(main())
