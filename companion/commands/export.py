"""boxlid export: games of the journal as JSON lines, also while the companion runs."""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from companion.journal.journal import Entry, JournalError, kept_entries
from companion.past.figures import GameFigures, figures_of
from companion.past.records import Begun, begun, by_game, export_game, read_record
from companion.past.reviewed import ReviewedGame
from companion.past.reviews import kept_review, make_review
from companion.past.turns import replay
from companion.play.judgement import WeightsError
from companion.process.command_error import CallFault, CommandError
from companion.rules import NotationError, RuleError
from companion.settings.state_folder import default_state_folder


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("games", nargs="*", type=int, metavar="GAME", help="numbers as --list gives (all)")
    parser.add_argument("--state", metavar="DIR", type=Path, help="where the journal is kept")
    parser.add_argument("--out", metavar="FILE", type=Path, help="write there, not to standard output")
    parser.add_argument("--reviews", action="store_true", help="first make the reviews that were not made")
    parser.add_argument("--list", action="store_true", help="only list the games: number, date, players")


def run(options: argparse.Namespace) -> int:
    try:
        games = by_game(kept_entries(options.state or default_state_folder()))
    except JournalError as error:
        raise CommandError(CallFault.TEXT, text=str(error)) from None
    lines, failed, without = list[str](), 0, 0
    for number in _wanted(options.games, len(games)):
        try:
            exported = _exported(number, games[number - 1], options)
        except (NotationError, RuleError) as error:
            _tell(f"game {number} cannot be played again: {error}")
            failed = 1
            continue
        lines.append(exported.line)
        without += exported.lacks_review
    text = "".join(f"{line}\n" for line in lines)
    if options.out is None:
        sys.stdout.write(text)
    else:
        _write(options.out, text)
    if without:
        _tell(f"{without} of {len(lines)} games have no review yet; --reviews makes them first")
    return failed


def _write(file: Path, text: str) -> None:
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise CommandError(CallFault.NOT_WRITTEN, path=file, why=str(error.strerror)) from None


def _wanted(numbers: Sequence[int], count: int) -> Sequence[int]:
    for number in numbers:
        if not 1 <= number <= count:
            raise CommandError(CallFault.GAME_NUMBER, 2, games=count, got=number)
    return numbers or range(1, count + 1)


@dataclass(frozen=True, slots=True)
class _Exported:
    line: str
    lacks_review: bool = False  # it could have one


def _exported(number: int, entries: Sequence[Entry], options: argparse.Namespace) -> _Exported:
    if options.list:
        found = read_record(entries)
        figures = figures_of(replay(found.record))
        return _Exported(listed(number, begun(entries[0]), figures, found.trouble))
    value = dict(export_game(entries))
    folder = options.state or default_state_folder()
    review = kept_review(folder, entries[0].id, entries[-1].chain)
    lacks = review is None and _has_review(entries)
    if lacks and options.reviews:
        review = _review(number, entries, folder)
    if review is not None:
        value["review"] = asdict(review)
    return _Exported(json.dumps(value, ensure_ascii=False, separators=(",", ":")), lacks and review is None)


def _has_review(entries: Sequence[Entry]) -> bool:
    """Whether there is something to review: a game that is over, with a turn in it."""
    played = replay(read_record(entries).record)
    return figures_of(played).over and any(step.roll is not None and step.complete for step in played.steps)


def _review(number: int, entries: Sequence[Entry], folder: Path) -> ReviewedGame:
    """Made now; a terminal sees how far it is, a log that it was made."""
    on_screen = sys.stderr.isatty()

    def tell(share: float) -> None:
        if on_screen:
            print(f"\rreview of game {number}: {share:4.0%}", end="", file=sys.stderr, flush=True)

    try:
        played = replay(read_record(entries).record)
        made = make_review(folder, entries[0].id, entries[-1].chain, played, tell)
    except WeightsError as error:
        raise CommandError(CallFault.TEXT, text=str(error)) from None
    finally:
        if on_screen:
            print(file=sys.stderr)
    if not on_screen:
        _tell(f"game {number} was reviewed")
    return made


def _tell(what: str) -> None:
    print(f"boxlid export: {what}", file=sys.stderr)


def listed(number: int, start: Begun, figures: GameFigures, trouble: str | None) -> str:
    """One game as a line of the list."""
    pairs = zip(start.setup.players, figures.players, strict=True)
    scores = ", ".join(f"{name} {player.score}" for name, player in pairs)
    series = f", game {start.number} of {start.games}" if start.games > 1 else ""
    ended = f"ended by {figures.ended_by}" if figures.ended_by else "not finished"
    trouble = figures.trouble or trouble
    why = f"; it cannot be played to its end: {trouble}" if trouble else ""
    return f"{number:4}  {start.date.astimezone():%Y-%m-%d %H:%M}  {scores}  ({ended}{series}{why})"
