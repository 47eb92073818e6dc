"""A disk that is full or fails: the table says so, shows nothing it did not keep, and goes on with room."""

import itertools
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from companion.cli import main
from companion.game import HouseRules, Phase
from companion.host.looking import DISK_FULL
from companion.host.showing import Due, Rounds
from companion.journal.files import FILE, WAL
from companion.process.fault_barrier import BoxPart, FaultBarrier
from companion.table.eyes import EyesState
from tests.journals import no_file_longer_than
from tests.lid_rig import lid_rig
from tests.standins.compiling import compiled
from tests.tabling import ROLL, Clock, game_of, playing
from tests.waiting import PATIENCE

ROOT = Path(__file__).parent.parent


def test_a_roll_that_a_full_disk_cannot_keep_is_not_shown_and_the_table_is_told(tmp_path: Path) -> None:
    with lid_rig(tmp_path) as rig:
        rig.throw()
        with no_file_longer_than((tmp_path / WAL).stat().st_size):
            snapshot = rig.press()
        assert snapshot.eyes.state is EyesState.TROUBLE
        assert snapshot.eyes.notices == (DISK_FULL,)
        assert rig.game.phase is Phase.ROLL
        assert rig.press().eyes.state is EyesState.READY  # there is room again
        assert rig.rolled() == rig.lying()


def test_a_turn_that_a_full_disk_cannot_move_on_is_moved_on_once_there_is_room(tmp_path: Path) -> None:
    """The thread that carries out what is due outlives it."""
    clock, tried = Clock(), threading.Event()
    house = HouseRules(pass_by_itself=False, patience=30)
    with playing(tmp_path, ROLL, house=house, clock=clock) as table:
        rounds = itertools.count()
        due = Due(table)

        def each_round() -> None:
            due()
            if next(rounds) > 1:
                tried.set()

        clock_rounds = Rounds(FaultBarrier(BoxPart.GAME_CLOCK), each_round)
        clock.now += 31
        table.ask_to_move_on(0)
        clock.now += 4
        with no_file_longer_than((tmp_path / WAL).stat().st_size):
            clock_rounds.start()
            assert tried.wait(PATIENCE)
            assert game_of(table).phase is Phase.FIRST
        snapshot = table.snapshot
        while game_of(table).phase is Phase.FIRST:
            newer = table.wait(snapshot.version, PATIENCE)
            assert newer.version > snapshot.version
        clock_rounds.stop()
        clock_rounds.join()
        assert game_of(table).phase is Phase.SECOND


@pytest.fixture(scope="module")
def failing_fsync(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled("failing_fsync", tmp_path_factory.mktemp("standin"))


def test_an_event_whose_sync_fails_is_refused_and_kept_once_the_disk_works_again(
    failing_fsync: Path, tmp_path: Path
) -> None:
    flag, state = tmp_path / "fails", tmp_path / "state"
    command = [sys.executable, "-m", "tests.standins.play_on_failing_disk", str(state), str(flag)]
    environment = {**os.environ, "LD_PRELOAD": str(failing_fsync), "FAIL_FSYNC": str(flag)}
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    said = done.stdout.splitlines()
    assert said[0].startswith("refused: this could not be kept on disk")
    assert said[1] == "kept: ['seat', 'game']"


def test_a_damaged_journal_is_one_line_that_says_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / FILE).write_bytes(b"this was a database once" * 400)
    assert main(["export", "--state", str(tmp_path)]) == 1
    error = capsys.readouterr().err
    assert "`boxlid restore`" in error
    assert len(error.splitlines()) == 1
