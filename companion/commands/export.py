"""boxlid export: games of the journal as JSON lines, also while the companion runs."""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from companion.commands import CommandError
from companion.history import Begun, begun, by_game, export_game, read_record
from companion.journal import Entry, JournalError, kept_entries
from companion.past.figures import GameFigures, figures_of
from companion.past.reviews import kept_review
from companion.past.turns import replay
from companion.rules import NotationError, RuleError
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
    lines, failed = list[str](), 0
    for number in _wanted(options.games, len(games)):
        try:
            lines.append(_line(number, games[number - 1], options))
        except (NotationError, RuleError) as error:
            print(f"boxlid export: game {number} cannot be played again: {error}", file=sys.stderr)
            failed = 1
    text = "".join(f"{line}\n" for line in lines)
    if options.out is None:
        sys.stdout.write(text)
        return failed
    try:
        options.out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise CommandError(f"{options.out} cannot be written: {error.strerror}") from None
    return failed


def _wanted(numbers: Sequence[int], count: int) -> Sequence[int]:
    for number in numbers:
        if not 1 <= number <= count:
            raise CommandError(f"the journal has {count} games, got number {number}", exit_code=2)
    return numbers or range(1, count + 1)


def _line(number: int, entries: Sequence[Entry], options: argparse.Namespace) -> str:
    if options.list:
        found = read_record(entries)
        return listed(number, begun(entries[0]), figures_of(replay(found.record)), found.trouble)
    value = dict(export_game(entries))
    folder = options.state or default_state_folder()
    review = kept_review(folder, entries[0].id, entries[-1].chain)
    if review is not None:
        value["review"] = asdict(review)
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def listed(number: int, start: Begun, figures: GameFigures, trouble: str | None) -> str:
    """One game as a line of the list."""
    pairs = zip(start.setup.players, figures.players, strict=True)
    scores = ", ".join(f"{name} {player.score}" for name, player in pairs)
    series = f", game {start.number} of {start.games}" if start.games > 1 else ""
    ended = f"ended by {figures.ended_by}" if figures.ended_by else "not finished"
    trouble = figures.trouble or trouble
    why = f"; it cannot be played to its end: {trouble}" if trouble else ""
    return f"{number:4}  {start.date.astimezone():%Y-%m-%d %H:%M}  {scores}  ({ended}{series}{why})"
