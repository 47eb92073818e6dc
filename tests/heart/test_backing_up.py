"""A backup is made whenever a game is over, and a failed one is said and tried again with the next game."""

import queue
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.game import Setup
from companion.host import backing_up
from companion.host.backing_up import BackingUp
from companion.journal.database import check
from companion.journal.journal import Journal, JournalFullError
from companion.table.eyes import Eyes, EyesState
from companion.table.snapshot import GameStarted, Snapshot, TableCleared
from companion.table.table import Command, Table
from tests.tabling import NAMES, play, playing, sit
from tests.waiting import PATIENCE


class Heard:
    """A journal that says each backup that was asked of it."""

    def __init__(self, backup: Callable[[], Path]) -> None:
        self._backup = backup
        self.asked: queue.Queue[int] = queue.Queue()
        self.made: queue.Queue[Path] = queue.Queue()

    def backup(self) -> Path:
        self.asked.put(1)
        path = self._backup()
        self.made.put(path)
        return path


def test_every_game_that_ends_is_backed_up_with_its_last_event(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        table, heard = Table(journal), Heard(journal.backup)
        sit(table)
        with BackingUp(table, heard):
            for _ in range(2):
                table.play(Command(GameStarted(Setup(NAMES))))
                play(table, "0 stops")
                assert check(heard.made.get(timeout=PATIENCE)).last.id == journal.next_id - 1
            table.play(Command(TableCleared()))
        assert heard.asked.qsize() == 2


class Watched(Table):
    """A table that says when it is waited for."""

    def __init__(self, journal: Journal) -> None:
        super().__init__(journal)
        self.waited: queue.Queue[int] = queue.Queue()

    def wait(self, after: int, timeout: float) -> Snapshot:
        self.waited.put(after)
        return super().wait(after, timeout)


def test_a_finished_game_is_backed_up_once_however_long_it_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backing_up, "LOOK_SECONDS", 0.01)
    with Journal(tmp_path) as journal:
        table, heard = Watched(journal), Heard(journal.backup)
        sit(table)
        table.play(Command(GameStarted(Setup(NAMES))))
        play(table, "0 stops")
        with BackingUp(table, heard):
            heard.made.get(timeout=PATIENCE)
            seen = table.tell(Eyes(EyesState.READY)).version
            while table.waited.get(timeout=PATIENCE) != seen:
                pass  # until it has looked at what was told
        assert heard.asked.qsize() == 1


def test_a_backup_that_fails_is_said_and_the_next_is_tried(tmp_path: Path) -> None:
    def fails_once() -> Path:
        if heard.asked.qsize() == 1:
            raise JournalFullError("no backup was made")
        return tmp_path

    with playing(tmp_path) as table:
        heard = Heard(fails_once)
        with BackingUp(table, heard) as keeper:
            play(table, "0 stops")
            while keeper.trouble is None:
                table.wait(table.snapshot.version, 0.01)
            assert keeper.trouble == "no backup was made"
            table.play(Command(GameStarted(Setup(NAMES))))
            play(table, "0 stops")
            heard.made.get(timeout=PATIENCE)
        assert keeper.trouble is None
