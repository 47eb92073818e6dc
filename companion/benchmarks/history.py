"""The past's figures: how long a page takes with hundreds of games, at first and from then on."""

import random
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from companion.benchmarks.figure import Figure, at_most
from companion.benchmarks.wishes import a_roll
from companion.game import Crossed, Done, Event, Game, Phase, Rolled, Setup, Source, write_event
from companion.journal.journal import Journal
from companion.table.seats import Mark, SeatTaken
from companion.table.snapshot import GameStarted, write_line
from companion.table.table import Table
from web import Services, create_app
from web.past import history as pages

GAMES = 500
PLAYERS = ("Anna", "Ben", "Cleo", "Dora")
PI = 10  # a Pi Zero 2 W beside this machine, roughly


def figures() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory(prefix="boxlid-bench-", dir=Path.cwd()) as name:
        folder = Path(name)
        with Journal(folder) as journal:
            _fill(journal)
        pages.PATIENCE_SECONDS /= PI  # a page's patience is the same on a small Pi
        yield from _of_one_life(folder, "")
        yield from _of_one_life(folder, ", after a restart")


def _of_one_life(folder: Path, when: str) -> Iterator[Figure]:
    """The pages of one run of the companion; what was counted in an earlier one is remembered."""
    with Journal(folder) as journal:
        app = create_app(Table(journal), Services(code="AAAA", key=b"bench" * 7))
        client, newest = app.test_client(), next(reversed(journal.games()))
        yield _page(
            f"history of {GAMES} games{when}, first page", lambda: client.get("/history").status_code, 900
        )
        yield _page(f"the same again{when}", lambda: client.get("/history?page=2").status_code, 900)
        yield _page(f"one game turn by turn{when}", lambda: client.get(f"/history/{newest}").status_code, 900)
        yield _page(f"statistics of {GAMES} games{when}", lambda: client.get("/statistics").status_code, 900)
        for thread in threading.enumerate():
            if thread.name == "counting":  # every game is counted once in its life, beside the play
                thread.join()


def _page(name: str, get: Callable[[], int], limit: float) -> Figure:
    """Milliseconds of the processor, times what a small Pi is slower."""
    begin = time.thread_time()
    status = get()
    took = 1000 * PI * (time.thread_time() - begin)
    return at_most(f"{name}, times {PI} for a small Pi", took if status == 200 else 1e9, limit, "ms")


def _fill(journal: Journal) -> None:
    rng = random.Random(1)
    for name, mark in zip(PLAYERS, Mark, strict=False):
        journal.append(write_line(SeatTaken(name, mark, None)))
    for number in range(GAMES):
        setup = Setup(PLAYERS, number % len(PLAYERS))
        events = list(_game(Game.begin(setup), rng))
        journal.append_game([write_line(GameStarted(setup)), *map(write_event, events)])


def _game(game: Game, rng: random.Random) -> Iterator[Event]:
    """Players who cross what leaves out least: games about as long as real ones."""
    while game.phase is not Phase.OVER:
        event = _next(game, rng)
        game = game.apply(event)
        yield event


def _next(game: Game, rng: random.Random) -> Event:
    if game.phase is Phase.ROLL or game.turn is None:
        return Rolled(a_roll(game.dice_in_play, rng), Source.CAMERA)
    seat, action = game.deciding[0], 1 if game.phase is Phase.FIRST else 2
    chosen = game.turn.choices[seat] if action == 1 else game.turn.second
    legal = game.legal_first(seat) if action == 1 else game.legal_second()
    sheet = game.sheets[seat]
    gaps = {c: sheet.layout.places[c][1] - sheet.rows[sheet.layout.places[c][0]].bit_length() for c in legal}
    best = min(legal, key=lambda cell: gaps[cell], default=None)
    return (
        Crossed(seat, best, action) if chosen is None and best is not None and gaps[best] < 3 else Done(seat)
    )
