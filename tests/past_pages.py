"""A table with past games, and how tests ask its pages for them."""

import csv
import io
from pathlib import Path
from typing import Any

from flask.testing import FlaskClient

from companion.game import Setup, write_event
from companion.game.record import Record
from companion.journal.journal import Journal
from companion.table.seats import Mark, SeatTaken
from companion.table.snapshot import GameStarted, TableCleared, write_line
from tests.random_games import any_record
from tests.web_table import NAMES, TOKENS, Stand, stand
from web.access.identity import hash_of

PLAYERS = NAMES[:3]


def a_game(seed: int, players: tuple[str, ...] = PLAYERS) -> Record:
    return any_record(seed, Setup(players, seed % len(players)), eager=1.0)


def with_past_games(folder: Path) -> Stand:
    """A table with three past games, the last two of a series; nobody plays now."""
    games = [GameStarted(a_game(1).setup), *(GameStarted(a_game(1 + n).setup, 2, n) for n in (1, 2))]
    with Journal(folder) as journal:  # each game at once: hundreds of commits would only take time
        for name, mark, token in zip(PLAYERS, Mark, TOKENS, strict=False):
            journal.append(write_line(SeatTaken(name, mark, hash_of(token))))
        for seed, start in enumerate(games, 1):
            journal.append_game([write_line(start), *map(write_event, a_game(seed).events)])
        journal.append(write_line(TableCleared()))
    return stand(folder)


def told(client: FlaskClient, path: str) -> Any:  # whatever JSON it is
    answer = client.get(path)
    assert answer.status_code == 200, answer.get_data(as_text=True)
    return answer.get_json()


def ids(here: Stand) -> list[int]:
    """Newest first."""
    evenings = told(here.display(), "/api/history")["evenings"]
    return [game["id"] for evening in evenings for game in reversed(evening["games"])]


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))))


def text_of(client: FlaskClient, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, (path, answer.get_data(as_text=True))
    return answer.get_data(as_text=True)
