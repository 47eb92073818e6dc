"""boxlid export: games of the journal as JSON lines, also while the companion runs."""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from companion.commands import CommandError
from companion.history import PastGame, by_game, export_game, past_game
from companion.journal import Entry, JournalError, kept_entries
from companion.state_folder import default_state_folder


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("games", nargs="*", type=int, metavar="GAME", help="numbers as --list gives (all)")
    parser.add_argument("--state", metavar="DIR", type=Path, help="where the journal is kept")
    parser.add_argument("--out", metavar="FILE", type=Path, help="write there, not to standard output")
    parser.add_argument("--list", action="store_true", help="only list the games: number, date, players")


def run(options: argparse.Namespace) -> int:
    try:
        games = by_game(kept_entries(options.state or default_state_folder()))
    except JournalError as error:
        raise CommandError(str(error)) from None
    lines = [_line(number, games[number - 1], options) for number in _wanted(options.games, len(games))]
    text = "".join(f"{line}\n" for line in lines)
    if options.out is None:
        sys.stdout.write(text)
        return 0
    try:
        options.out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise CommandError(f"{options.out} cannot be written: {error.strerror}") from None
    return 0


def _wanted(numbers: Sequence[int], count: int) -> Sequence[int]:
    for number in numbers:
        if not 1 <= number <= count:
            raise CommandError(f"the journal has {count} games, got number {number}", exit_code=2)
    return numbers or range(1, count + 1)


def _line(number: int, entries: Sequence[Entry], options: argparse.Namespace) -> str:
    if options.list:
        return listed(number, past_game(entries))
    return json.dumps(export_game(entries), ensure_ascii=False, separators=(",", ":"))


def listed(number: int, game: PastGame) -> str:
    """One game as a line of the list."""
    pairs = zip(game.players, game.scores, strict=True)
    scores = ", ".join(f"{name} {score}" for name, score in pairs)
    series = f", game {game.number} of {game.games}" if game.games > 1 else ""
    ended = f"ended by {game.ended_by}" if game.ended_by else "not finished"
    return f"{number:4}  {game.date.astimezone():%Y-%m-%d %H:%M}  {scores}  ({ended}{series})"
