"""A table whose camera is in the network: from a press to the roll, over a real server and a real reader."""

from pathlib import Path

from companion.game import Done, Phase, Setup
from companion.host import Host, Options
from companion.host.looking import NO_THROW
from companion.settings.config import CameraConfig, Config
from companion.table.eyes import EyesState
from companion.table.seats import Mark, SeatTaken
from companion.table.snapshot import GameStarted, Snapshot
from companion.table.table import Command
from hardware.panel import Press
from tests.streams import mjpeg_server
from tests.waiting import PATIENCE, until
from vision.cameras.kinds import CameraKind


def answered(host: Host, before: int) -> Snapshot:
    """What the table shows once the press has its answer."""
    asked = {EyesState.READING, EyesState.MOVING}
    assert until(lambda: host.table.snapshot.version > before and not host.looker.is_busy, PATIENCE)
    assert host.table.snapshot.eyes.state not in asked
    return host.table.snapshot


def test_a_press_reads_the_pictures_of_a_network_camera_and_never_the_same_throw_twice(
    tmp_path: Path,
) -> None:
    with mjpeg_server() as url:
        config = Config(camera=CameraConfig(CameraKind.NETWORK, url=url))
        with Host(config, Options(tmp_path)) as host:
            assert host.simulated_table is None
            for name, mark in zip(("Anna", "Ben"), Mark, strict=False):
                host.table.play(Command(SeatTaken(name, mark, None)))
            host.table.play(Command(GameStarted(Setup(("Anna", "Ben")))))
            assert until(lambda: host.table.snapshot.eyes.state is EyesState.READY)
            before = host.table.snapshot.version
            host.buttons.pressed(Press.ROLLED)
            game = answered(host, before).game
            assert game is not None
            assert game.turn is not None
            assert str(game.turn.roll) == "W2 W2 R5 Y5 G6 B5"
            for seat in (0, 1, 0):
                host.table.play(Command(Done(seat)))
            before = host.table.snapshot.version
            host.buttons.pressed(Press.ROLLED)
            snapshot = answered(host, before)
            assert snapshot.eyes.notices == (NO_THROW,)
            assert snapshot.game is not None
            assert snapshot.game.phase is Phase.ROLL
