"""What the files of the past hold: records as JSON lines, tables for a spreadsheet. Owns no route."""

import json
from collections.abc import Iterator
from dataclasses import asdict

from companion.past.games import PastGame, PastGames
from companion.past.records import export_game
from companion.past.reviewed import ReviewedGame
from companion.past.tally import Tally
from web.past.chronicle import GameLine, ReplayView
from web.serving.spreadsheets import Cell


def record_line(past: PastGames, game: PastGame, review: ReviewedGame | None) -> str:
    """The game as `boxlid export` writes it, with its review if there is one."""
    entries = past.entries(game.id)
    if not entries:
        return ""  # deleted while others were going out
    value = dict(export_game(entries))
    if review is not None:
        value["review"] = asdict(review)
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"


RESULTS = (
    "game",
    "date",
    "edition",
    "series_game",
    "series_games",
    "player",
    "place",
    "points",
    "won",
    "ended_by",
    "turns",
    "imported",
)


def result_rows(lines: Iterator[GameLine]) -> Iterator[list[Cell]]:
    for line in lines:
        scores = line.scores or ()
        for seat, (name, score) in enumerate(zip(line.players, scores, strict=True)):
            place = 1 + sum(other > score for other in scores)
            start: list[Cell] = [line.id, line.date, line.edition, line.number, line.games, name]
            yield [
                *start,
                place,
                score,
                int(seat in line.winners),
                line.ended_by,
                line.turns,
                int(line.imported),
            ]


def turns_head(game: GameLine) -> list[str]:
    names = [f"{what} {name}" for name in game.players for what in ("white:", "points:")]
    return ["turn", "active", "dice", *names, "second", "space", "misthrow"]


def turn_rows(shown: ReplayView) -> Iterator[list[Cell]]:
    for step in shown.steps:
        row: list[Cell] = [step.number, shown.game.players[step.active], " ".join(step.dice)]
        for choice, score in zip(step.choices, step.scores or (), strict=True):
            row += [choice, score]
        yield [*row, step.second, step.landing, int(step.misthrow)]


PLAYERS = (
    "player",
    "level",
    "games",
    "wins",
    "average",
    "best",
    "worst",
    "points",
    "locks",
    "misthrows",
    "crosses",
    "on_others_turns",
)


def player_rows(found: Tally) -> Iterator[list[Cell]]:
    for each in found.players:
        start: list[Cell] = [
            each.name,
            each.level,
            each.games,
            each.wins,
            round(each.average, 2),
            each.best,
            each.worst,
        ]
        yield [*start, each.total, each.locks, each.misthrows, each.crosses, each.on_others_turns]


DICE = ("source", "die", "1", "2", "3", "4", "5", "6", "total", "chance", "ever", "verdict")


def dice_rows(found: Tally) -> Iterator[list[Cell]]:
    """The real dice with what they look like, then every source by itself."""
    for die in found.dice:
        chance, ever = (None if each is None else round(each, 6) for each in (die.chance, die.ever))
        yield ["real", die.die, *die.counts, die.total, chance, ever, str(die.verdict)]
    for source in found.sources:
        for die, counts in zip(found.dice, source.counts, strict=True):
            yield [source.source, die.die, *counts, sum(counts), None, None, None]
