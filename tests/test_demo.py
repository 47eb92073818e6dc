"""The demo: an evening worth showing, led at its pace, read from pixels, and nothing left of it."""

import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.game import Crossed, Done, Game, Rolled, Setup, SheetCorrected, Source
from companion.host.demo import Demo, demo
from companion.host.demo.evening import SEED, VISITOR
from companion.host.demo.pace import CurtainError, ScenePace
from companion.host.demo.players import choice
from companion.host.pages import lamps_of
from companion.journal.journal import Journal
from companion.rules import Cell, Roll, Sheet
from companion.table.seats import Mark, SeatTaken
from companion.table.snapshot import GameStarted
from companion.table.table import Command, Table
from companion.view.stage import Ending, NotNow, Order, Says, Scene
from tests.evenings import evening
from tests.waiting import PATIENCE

AT_ONCE = 1000.0


# --- the evening and its players --------------------------------------------------------------------------


def test_the_throws_of_the_evening_make_a_show() -> None:
    seen = evening(SEED)
    assert seen.is_a_show, f"{seen}: the simulated table throws otherwise now; python -m tests.evenings"


def rolled(sheet: str, dice: str, players: int = 2) -> Game:
    game = Game.begin(Setup(("Anna", "Ben", "Cem")[:players]))
    return game.apply(SheetCorrected(0, 0, Sheet.parse(sheet))).apply(Rolled(Roll.parse(dice), Source.CAMERA))


def test_players_cross_what_leaves_out_least() -> None:
    assert choice(rolled("R2 R5 Y3", "W3 W3 R1 Y1 G1 B1"), 0) == Cell.parse("R6")


def test_players_pass_rather_than_leave_out_much() -> None:
    assert choice(rolled("empty", "W4 W4 R1 Y1 G1 B1"), 1) is None


def test_players_close_a_row_whenever_they_may() -> None:
    assert choice(rolled("R2 R3 R4 R5 R6 Y10", "W6 W6 R1 Y1 G1 B1"), 0) == Cell.parse("R12")


def test_players_leave_out_more_before_they_take_a_misthrow() -> None:
    game = rolled("empty", "W3 W4 R2 Y2 G3 B3")
    first = game.apply(Done(0)).apply(Done(1))
    assert first.passing_is_misthrow
    assert choice(first, 0) == Cell.parse("R5")
    other = rolled("empty", "W3 W4 R2 Y2 G3 B6")
    saved = other.apply(Crossed(0, Cell.parse("B7"), 1)).apply(Done(0)).apply(Done(1))
    assert choice(saved, 0) is None


# --- the pace ---------------------------------------------------------------------------------------------


def waiting(pace: ScenePace, seconds: float) -> tuple[threading.Thread, threading.Event]:
    """Somebody who waits so long; the event says that he is through."""
    through = threading.Event()

    def wait() -> None:
        pace.wait(seconds)
        through.set()

    thread = threading.Thread(target=wait)
    thread.start()
    return thread, through


def test_a_paused_show_waits_until_it_goes_on() -> None:
    pace = ScenePace(lambda: None, AT_ONCE)
    pace.pause(paused=True)
    thread, through = waiting(pace, 1)
    assert not through.wait(0.3)
    pace.pause(paused=False)
    assert through.wait(PATIENCE)
    thread.join(PATIENCE)


def test_a_show_in_a_hurry_waits_less() -> None:
    pace = ScenePace(lambda: None)
    pace.hurry(fast=True)
    began = time.monotonic()
    pace.wait(4.0)
    assert time.monotonic() - began < 3.9


def test_a_wait_ends_with_the_show() -> None:
    pace = ScenePace(lambda: Ending.UNWATCHED)
    with pytest.raises(CurtainError) as curtain:
        pace.wait(3600)
    assert curtain.value.ending is Ending.UNWATCHED


# --- the whole show ---------------------------------------------------------------------------------------


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where folders that do not last are made."""
    folder = tmp_path / "tmp"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture
def real(tmp_path: Path) -> Iterator[Table]:
    journal = Journal(tmp_path / "state")
    yield Table(journal)
    journal.close()


@pytest.fixture
def shows(folders: Path) -> Iterator[Demo]:
    made = Demo(lamps_of, AT_ONCE)
    yield made
    made.close()


def until(shows: Demo, true: Callable[[Scene], bool]) -> list[Scene]:
    """The scenes up to one of which that is true."""
    scenes: list[Scene] = []
    late = threading.Event()
    timer = threading.Timer(2 * PATIENCE, late.set)
    timer.start()
    while not late.is_set():
        scene = shows.scene()
        assert scene is not None
        if not scenes or scene.sequence != scenes[-1].sequence:
            scenes.append(scene)
        if true(scene):
            timer.cancel()
            return scenes
        assert shows.table is not None
        shows.table.wait(scene.snapshot.version, 0.01)
    raise AssertionError(f"it never came to that: {scenes[-1].caption}, {scenes[-1].ended}")


def test_a_show_is_read_from_pixels_closes_a_row_and_comes_to_its_end(
    shows: Demo, real: Table, folders: Path
) -> None:
    before = real.snapshot
    assert shows.start() is None
    scenes = until(shows, lambda scene: scene.ended is not None)
    last = scenes[-1]
    assert last.ended is Ending.PLAYED
    assert last.snapshot.game is not None
    assert last.snapshot.game.winners
    assert last.snapshot.eyes.simulated
    said = {scene.caption.kind for scene in scenes}
    assert {Says.LOOKS, Says.CROSSES, Says.OVER} <= said
    assert any("X" in lamp.pattern for lamp in last.lamps if lamp.name in ("red", "yellow", "green", "blue"))
    assert {scene.visitor for scene in scenes} == {VISITOR}
    picture = shows.picture({})
    assert picture is not None
    assert picture[:2] == b"\xff\xd8"
    assert real.snapshot == before
    assert list(folders.iterdir()) == []
    assert not [
        thread.name for thread in threading.enumerate() if thread.name in ("demo", "camera", "looking")
    ]


def test_one_show_at_a_time(shows: Demo, folders: Path) -> None:
    assert shows.start() is None
    assert shows.start() is NotNow.RUNNING
    shows.order(Order.STOP)
    assert until(shows, lambda scene: scene.ended is not None)[-1].ended is Ending.STOPPED
    assert list(folders.iterdir()) == []
    assert shows.start() is None


def test_a_show_runs_beside_a_seated_table_and_neither_knows_the_other(shows: Demo, real: Table) -> None:
    real.play(Command(SeatTaken("Dora", Mark.STAR, None)))
    assert shows.start() is None
    real.play(Command(GameStarted(Setup(("Dora",)))))
    before = real.snapshot
    until(shows, lambda scene: scene.caption.kind is Says.READ)
    assert shows.table is not real
    shows.order(Order.STOP)
    assert until(shows, lambda scene: scene.ended is not None)[-1].ended is Ending.STOPPED
    assert real.snapshot == before


def test_a_show_that_nobody_watches_ends(shows: Demo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "UNWATCHED_SECONDS", -1.0)
    shows.start()
    assert until(shows, lambda scene: scene.ended is not None)[-1].ended is Ending.UNWATCHED


def test_the_end_of_a_show_is_forgotten_after_a_while(shows: Demo, monkeypatch: pytest.MonkeyPatch) -> None:
    shows.start()
    shows.order(Order.STOP)
    until(shows, lambda scene: scene.ended is not None)
    monkeypatch.setattr(demo, "KEPT_SECONDS", -1.0)
    assert shows.scene() is None


def test_viewers_pause_and_hurry_a_show(shows: Demo) -> None:
    shows.start()
    for order, paused, fast in (
        (Order.PAUSE, True, False),
        (Order.FASTER, True, True),
        (Order.GO_ON, False, True),
        (Order.SLOWER, False, False),
    ):
        shows.order(order)
        scene = shows.scene()
        assert scene is not None
        assert (scene.paused, scene.fast) == (paused, fast)
